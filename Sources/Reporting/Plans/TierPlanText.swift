import Billing
import Languages
package import Pricing

extension TierPlan {
  /// The plan for a person. Ends with a line feed.
  package var text: String {
    var table = TextTable("llrllrrrrr")
    table.name(
      columns: "", "", "wanted", "", "tier", "price", "difference", "planned rate", "",
      "coins to make up")
    for row in rows {
      let isAt = row.below == row.above
      let below: (Wording, Candidate?) = (isAt ? "at" : "below", row.below)
      let above: (Wording, Candidate?) = ("above", row.above)
      let lines = isAt ? [below] : [below, above]
      for (index, (place, candidate)) in lines.enumerated() {
        add(row, say(place), candidate, isFirst: index == 0, to: &table)
      }
    }
    var parts = [headText, table.text + markText]
    if !notes.isEmpty { parts.append(section("Notes", notes)) }
    return parts.joined(separator: "\n")
  }

  private var headText: String {
    let terms: Wording = """
      \(coins(channel.rate)) per \(channel.currency) on the other channel, fee \
      \(percent(channel.fee)); \(target.wording), \(rounding.wording(channel.currency))
      """
    return say("Tiers around wanted prices on \(day)") + "\n  " + say(terms) + "\n"
  }

  private var markText: String {
    "  * "
      + say(
        """
        nearest; the coins make up the difference: given to the customer where above zero, kept \
        where below
        """) + "\n"
  }

  private func add(
    _ row: Row, _ place: String, _ candidate: Candidate?, isFirst: Bool, to table: inout TextTable
  ) {
    let name =
      row.name.isEmpty
      ? row.original.map { "\($0.text) \($0.currency)" } ?? "" : row.name
    let head =
      isFirst
      ? [row.storefront.code, name, row.shown(row.exact)]
      : ["", "", ""]
    guard let candidate else {
      return table.add(cells: head + [place, say("none"), "", "", "", "", ""])
    }
    let mark = row.nearest == candidate ? (row.isTie ? " *" + say("tie") : " *") : ""
    let tiers = candidate.tiers.prefix(2).joined(separator: ", ")
    table.add(
      cells: head + [
        place + mark, tiers, grouped(Money(micros: candidate.terms.price, row.currency)),
        signed(row.shown(candidate.difference), candidate.difference.micros(of: 1)),
        candidate.rate.map { grouped($0.planned) } ?? "-",
        candidate.rate == nil ? "" : say("per \(unitWords(candidate.unit, row.currency))"),
        candidate.coins.map { signed(grouped($0), $0) } ?? "-",
      ])
  }

  private func signed(_ text: String, _ value: Int64) -> String { value > 0 ? "+\(text)" : text }
}

extension TierPlan.Row {
  /// An amount with two places more than the minor unit has, where it needs them.
  fileprivate func shown(_ exact: Fraction) -> String {
    let unit = currency.minorUnit
    let isWhole = exact.denominator == 1 && exact.numerator % Int128(unit) == 0
    return grouped(
      Money(micros: exact.micros(of: 1, toMultipleOf: isWhole ? unit : unit / 100), currency))
  }
}
