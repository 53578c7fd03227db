import Billing
import Languages
package import Pricing

extension TierPlan {
  /// The plan for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.string("date", day.description)
      writer.object("channel") { channel.writeFields(to: &$0) }
      writer.string("target", target.name)
      writer.objects("prices", of: rows) { $1.writeFields(to: &$0) }
      writer.array("notes", of: notes) { $0.string(say($1)) }
    }
  }
}

extension TierPlan.Row {
  /// The members of a wanted price: the price points below and above it, and which is nearer.
  fileprivate func writeFields(to writer: inout JSONWriter) {
    writer.string("storefront", storefront.code)
    writer.string("name", name.isEmpty ? nil : name)
    writer.string("currency", currency.code)
    writer.decimal("wanted", wanted, minimumDigits: currency.minorDigits)
    writer.string("wanted_exact", (exact / Fraction(1_000_000)).rateText)
    writer.object("below", below) { writeFields(of: $1, to: &$0) }
    writer.object("above", above) { writeFields(of: $1, to: &$0) }
    writer.string(
      "nearest", nearest == nil ? nil : nearest == below && below != above ? "below" : "above")
    writer.bool("is_tie", isTie)
  }

  /// The members of a price point near a wanted price.
  private func writeFields(of candidate: TierPlan.Candidate, to writer: inout JSONWriter) {
    let digits = currency.minorDigits
    writer.strings("tiers", candidate.tiers)
    writer.decimal("price", candidate.terms.price, minimumDigits: digits)
    writer.decimal("proceeds", candidate.terms.proceeds, minimumDigits: digits)
    writer.decimal("difference", candidate.terms.price - wanted, minimumDigits: digits)
    writer.string(
      "difference_exact", (candidate.difference / Fraction(1_000_000)).rateText)
    writer.integer("unit", candidate.unit)
    writer.decimal("equal_net", candidate.rate?.exact.micros)
    writer.integer("planned", candidate.rate?.planned)
    writer.bool("above_equal_net", candidate.rate?.isHeldUp)
    writer.integer("coins", candidate.coins)
  }
}
