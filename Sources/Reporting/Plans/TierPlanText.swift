import Billing
import Languages
package import Pricing

extension TierPlan {
  /// The plan for a person. Ends with a line feed.
  package var text: String {
    var table = TextTable("llrllrrrrr")
    table.name(
      columns: "", "", "@plan.wanted", "", "@shared.tier", "@shared.price", "@shared.difference-2",
      "@plan.planned-rate", "",
      "@plan.coins-to-make-up")
    for row in rows {
      let isAt = row.below == row.above
      let below: (Wording, Candidate?) = (isAt ? "@plan.at" : "@plan.below", row.below)
      let above: (Wording, Candidate?) = ("@plan.above", row.above)
      let lines = isAt ? [below] : [below, above]
      for (index, (place, candidate)) in lines.enumerated() {
        add(row, say(place), candidate, isFirst: index == 0, to: &table)
      }
    }
    var parts = [headText, table.text + markText]
    if !notes.isEmpty { parts.append(section("@shared.notes", notes)) }
    return parts.joined(separator: "\n")
  }

  /// The lines that say by what the plan was made.
  private var headText: String {
    let terms: Wording = """
      @plan.per-on-the-other-channel \(coins(channel.rate)) \(channel.currency) \
      \(channel.costs.wording) \(target.wording) \(rounding.wording(channel.currency))
      """
    return say("@plan.tiers-around-wanted-prices \(day)") + "\n  " + say(terms) + "\n"
  }

  /// The line that says what the star beside a tier means.
  private var markText: String {
    "  * "
      + say(
        "@plan.nearest-the-coins-make-up") + "\n"
  }

  /// Adds the line of a price point near a wanted price.
  ///
  /// - Parameters:
  ///   - place: whether it is below, at or above the wanted price, in words.
  ///   - candidate: nil where there is no price point on that side.
  ///   - isFirst: whether the line begins with the wanted price.
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
      return table.add(cells: head + [place, say("@shared.none"), "", "", "", "", ""])
    }
    let mark = row.nearest == candidate ? (row.isTie ? " *" + say("@plan.tie") : " *") : ""
    let tiers = candidate.tiers.prefix(2).joined(separator: ", ")
    table.add(
      cells: head + [
        place + mark, tiers, grouped(Money(micros: candidate.terms.price, row.currency)),
        signed(row.shown(candidate.difference), candidate.difference.micros(of: 1)),
        candidate.rate.map { grouped($0.planned) } ?? "-",
        candidate.rate == nil ? "" : perUnit(candidate.unit, row.currency),
        candidate.coins.map { signed(grouped($0), $0) } ?? "-",
      ])
  }

  /// A text with a plus before it where its number is above zero.
  private func signed(_ text: String, _ value: Int64) -> String { value > 0 ? "+\(text)" : text }
}

extension TierPlan.Row {
  /// An amount as text, with two places more than the minor unit has, where it needs them.
  fileprivate func shown(_ exact: Fraction) -> String {
    let unit = currency.minorUnit
    let isWhole = exact.denominator == 1 && exact.numerator % Int128(unit) == 0
    return grouped(
      Money(micros: exact.micros(of: 1, toMultipleOf: isWhole ? unit : unit / 100), currency))
  }
}
