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
    var parts = [headText, counterpartText, packText, storefrontText]
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
  private var counterpartText: String {
    var table = TextTable("lrrrl")
    table.name(columns: "", "@shared.price", "@shared.coins", "@plan.net-per-1-000", "")
    for pack in counterparts {
      table.add(
        pack.sku, grouped(Money(micros: pack.price, channel.currency)), grouped(pack.coins),
        (channelNet(pack) * Fraction(1_000)).text(places: 4), say(pack.source.wording))
    }
    let title: Wording =
      channel.name.isEmpty
      ? "@plan.other-channel-fee \(channel.currency) \(channel.costs.wording)"
      : "@plan.other-channel-fee-2 \(channel.name) \(channel.currency) \(channel.costs.wording)"
    return say(title) + "\n" + table.text
  }

  /// The table of packs, now and as proposed, against the other channel.
  private var packText: String {
    var table = TextTable("lllrrrrrrrrrr")
    table.name(
      columns: "", "", "", "@shared.price", "@plan.proposed-price", "@shared.deduction",
      "@shared.coins", "@plan.proposed-coins",
      "@plan.net-per-1-000", "@plan.proposed-net", "@plan.vs-channel", "@plan.proposed-vs-channel",
      "@shared.units")
    for row in rows {
      let channel = channelNet(row) * Fraction(1_000)
      /// How much more 1,000 coins net than on the other channel, in per cent.
      func against(_ net: Fraction?) -> String {
        net.map { signedPercent($0 / channel - .one) } ?? "-"
      }
      table.add(
        row.storefront.code, row.sku, row.now.currency.code,
        grouped(Money(micros: row.now.price, row.now.currency)),
        grouped(Money(micros: row.proposed.price, row.now.currency)),
        row.proposed.share.map { percent((Fraction.one - $0).micros) } ?? "-",
        grouped(row.coins), grouped(row.proposedCoins), row.net?.text(places: 4) ?? "-",
        row.proposedNet?.text(places: 4) ?? "-", against(row.net), against(row.proposedNet),
        grouped(row.units))
    }
    return say(
      "@plan.packs-now-and-as-proposed") + "\n"
      + table.text
  }

  /// The table of sums by storefront, now and as proposed.
  private var storefrontText: String {
    var table = TextTable("lrrrrrrr")
    table.name(
      columns: "", "@shared.units", "@plan.proposed-units", "@shared.proceeds",
      "@plan.proposed-proceeds", "@shared.difference-2",
      "@plan.over-channel", "@plan.proposed-over-channel")
    /// Adds a line to the table: the sums of packs, now and as proposed, in one storefront or all.
    func add(_ name: String, _ sum: Sum) {
      /// Micro-units of base currency as text.
      func money(_ micros: Int64) -> String {
        Fraction(micros: micros).amountText(baseCurrency)
      }
      table.add(
        name, grouped(sum.units), grouped(sum.proposedUnits), money(sum.proceeds),
        money(sum.proposedProceeds), money(sum.difference), money(sum.ahead),
        money(sum.proposedAhead))
    }
    for storefront in storefronts { add(storefront.code, total(storefront)) }
    if storefronts.count > 1 { add(say("@shared.all-storefronts"), total()) }
    return say(
      "@plan.by-storefront-over-channel-proceeds")
      + "\n" + table.text
  }

  /// A part of one in per cent, with a plus above zero.
  private func signedPercent(_ part: Fraction) -> String {
    let text = percent(part.micros)
    return part > .zero ? "+\(text)" : text
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
