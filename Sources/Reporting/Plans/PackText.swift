import Billing
import Languages
package import Pricing

extension PackPlan {
  /// The plan for a person. Ends with a line feed.
  ///
  /// - Parameters:
  ///   - workbook: the path of the workbook; nil for none.
  ///   - tables: the paths of the tables to import.
  package func text(workbook: String? = nil, tables: [String] = []) -> String {
    let lists = PackLists(self)
    var parts = [
      headText, counterpartText(lists.counterparts), packText(lists.packs), storefrontText(lists),
    ]
    if !notes.isEmpty { parts.append(section("@shared.notes", notes)) }
    if let workbook { parts.append(say("@shared.workbook \(workbook)") + "\n") }
    if !tables.isEmpty {
      parts.append(say("@plan.to-import \(tables.joined(separator: ", "))") + "\n")
    }
    return parts.joined(separator: "\n")
  }

  /// The lines that say by what the plan was made.
  private var headText: String {
    var table = TextTable("ll")
    table.add(words: "@plan.method", goal.wording)
    let target: Wording =
      goal == .coins ? "\(self.target.wording), \(rounding.wording)" : self.target.wording
    table.add(words: "@shared.target", target)
    table.add(words: "@shared.units", volumes)
    return say(
      "@plan.packs-from-on-compared-with-the-catalogue \(day) \(baseCurrency)") + "\n"
      + table.text
  }

  /// The table of packs on the other channel.
  private func counterpartText(_ list: List<Counterpart>) -> String {
    let title: Wording =
      channel.name.isEmpty
      ? "@plan.other-channel-fee \(channel.currency) \(channel.costs.wording)"
      : "@plan.other-channel-fee-2 \(channel.name) \(channel.currency) \(channel.costs.wording)"
    let table = list.textTable(
      counterparts, ["product", "price", "coins", "net_per_thousand_coins", "source"])
    return say(title) + "\n" + table.text
  }

  /// The table of packs, now and as proposed, against the other channel.
  private func packText(_ list: List<Row>) -> String {
    let table = list.textTable(
      rows,
      [
        "storefront", "product", "currency", "now.price", "proposed.price", "proposed.deduction",
        "now.coins", "proposed.coins", "now.net_per_thousand_coins",
        "proposed.net_per_thousand_coins", "now.against_channel", "proposed.against_channel",
        "now.units",
      ])
    return say("@plan.packs-now-and-as-proposed") + "\n" + table.text
  }

  /// The table of sums by storefront, now and as proposed.
  private func storefrontText(_ lists: PackLists) -> String {
    let (list, all) = (lists.storefronts, lists.sums)
    let table = list.textTable(
      all.count > 1 ? all + [lists.whole] : all, list.columns.map(\.name))
    return say("@plan.by-storefront-over-channel-proceeds") + "\n" + table.text
  }
}

extension PackRounding {
  /// How coins are rounded, in words.
  var wording: Wording {
    switch self {
    case .figures: "@plan.coins-rounded-down-to-convenient"
    case .multiples(1): "@plan.coins-rounded-down"
    case .multiples(let step): "@plan.coins-rounded-down-to-multiples \(step)"
    }
  }
}

extension PackPlan.Counterpart.Source {
  /// Where the pack's figures come from, in words.
  var wording: Wording {
    switch self {
    case .given: "@plan.as-given"
    case .orders(let count): counted(count, "@plan.by-1-order") { "@plan.by-orders \($0)" }
    case .rate: "@plan.by-the-channel-rate"
    }
  }
}
