import Billing
import Languages
package import Pricing

extension WhatIf {
  /// The answer for a person. Ends with a line feed.
  ///
  /// - Parameter workbook: the path of the workbook; nil for none.
  package func text(workbook: String? = nil) -> String {
    let lists = WhatIfLists(self)
    let outcomes = [lists.before] + lists.alone + (changes.count > 1 ? [lists.together] : [])
    let table = lists.outcomes.textTable(
      outcomes,
      ["change", "proceeds", "effect", "share", "net_per_thousand_coins", "net_share"])
    let volumes: Wording =
      period.map { "@plan.volumes-2 \($0)" } ?? "@plan.one-unit-of-each-product"
    let title: Wording = "@plan.what-if-on-by \(day) \(volumes) \(baseCurrency)"
    var parts = [say(title) + "\n" + table.text]
    if !notes.isEmpty { parts.append(section("@shared.notes", notes)) }
    if let workbook { parts.append(say("@shared.workbook \(workbook)") + "\n") }
    return parts.joined(separator: "\n")
  }
}
