import Billing
import Languages
package import Pricing

extension TierPlan {
  /// The plan for a script: one JSON document.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.string("date", day.description)
      writer.key("channel")
      channel.write(to: &writer)
      writer.string("target", target.name)
      writer.key("prices")
      writer.array(of: rows) { $1.write(to: &$0) }
      writer.key("notes")
      writer.array(of: notes) { $0.string(say($1)) }
    }
    return writer.text() + "\n"
  }
}

extension TierPlan.Row {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("storefront", storefront.code)
      writer.string("name", name.isEmpty ? nil : name)
      writer.string("currency", currency.code)
      writer.decimal("wanted", wanted, minimumDigits: currency.minorDigits)
      writer.string("wanted_exact", (exact / Fraction(1_000_000)).rateText)
      writer.key("below")
      write(below, to: &writer)
      writer.key("above")
      write(above, to: &writer)
      writer.string(
        "nearest", nearest == nil ? nil : nearest == below && below != above ? "below" : "above")
      writer.key("is_tie")
      writer.bool(isTie)
    }
  }

  private func write(_ candidate: TierPlan.Candidate?, to writer: inout JSONWriter) {
    guard let candidate else { return writer.null() }
    let digits = currency.minorDigits
    writer.object { writer in
      writer.key("tiers")
      writer.array(of: candidate.tiers) { $0.string($1) }
      writer.decimal("price", candidate.terms.price, minimumDigits: digits)
      writer.decimal("proceeds", candidate.terms.proceeds, minimumDigits: digits)
      writer.decimal("difference", candidate.terms.price - wanted, minimumDigits: digits)
      writer.string(
        "difference_exact", (candidate.difference / Fraction(1_000_000)).rateText)
      writer.integer("unit", candidate.unit)
      writer.write(candidate.rate)
      writer.integer("coins", candidate.coins)
    }
  }
}
