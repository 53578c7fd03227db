import Billing
import Languages
package import Pricing

extension PackPlan {
  /// The plan for a person. Ends with a line feed.
  package func text(workbook: String? = nil, tables: [String] = []) -> String {
    var parts = [headText, counterpartText, packText, storefrontText]
    if !notes.isEmpty { parts.append(section("Notes", notes)) }
    if let workbook { parts.append(say("Workbook: \(workbook)") + "\n") }
    if !tables.isEmpty { parts.append(say("To import: \(tables.joined(separator: ", "))") + "\n") }
    return parts.joined(separator: "\n")
  }

  private var headText: String {
    var table = TextTable("ll")
    table.add(words: "method", goal.wording)
    let target: Wording =
      goal == .coins ? "\(self.target.wording), \(rounding.wording)" : self.target.wording
    table.add(words: "target", target)
    table.add(words: "units", volumes)
    return say(
      """
      Packs from \(day) on, compared with the catalogue; amounts in \(baseCurrency)
      """) + "\n"
      + table.text
  }

  private var counterpartText: String {
    var table = TextTable("lrrrl")
    table.name(columns: "", "price", "coins", "net per 1,000", "")
    for pack in counterparts {
      table.add(
        pack.sku, grouped(Money(micros: pack.price, channel.currency)), grouped(pack.coins),
        (channelNet(pack) * Fraction(1_000)).text(places: 4), say(pack.source.wording))
    }
    let title: Wording =
      channel.name.isEmpty
      ? "Other channel: \(channel.currency), fee \(percent(channel.fee))"
      : "Other channel: \(channel.name), \(channel.currency), fee \(percent(channel.fee))"
    return say(title) + "\n" + table.text
  }

  private var packText: String {
    var table = TextTable("lllrrrrrrrrrr")
    table.name(
      columns: "", "", "", "price", "proposed price", "deduction", "coins", "proposed coins",
      "net per 1,000", "proposed net", "vs. channel", "proposed vs. channel", "units")
    for row in rows {
      let channel = channelNet(row) * Fraction(1_000)
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
      """
      Packs now and as proposed; vs. channel: net per coin, compared with the other channel's
      """) + "\n"
      + table.text
  }

  private var storefrontText: String {
    var table = TextTable("lrrrrrrr")
    table.name(
      columns: "", "units", "proposed units", "proceeds", "proposed proceeds", "difference",
      "over channel", "proposed over channel")
    func add(_ name: String, _ sum: Sum) {
      func money(_ micros: Int64) -> String {
        Fraction(micros: micros).amountText(baseCurrency)
      }
      table.add(
        name, grouped(sum.units), grouped(sum.proposedUnits), money(sum.proceeds),
        money(sum.proposedProceeds), money(sum.difference), money(sum.ahead),
        money(sum.proposedAhead))
    }
    for storefront in storefronts { add(storefront.code, total(storefront)) }
    if storefronts.count > 1 { add(say("all storefronts"), total()) }
    return say(
      "By storefront; over channel: proceeds less what the coins would bring on the other channel")
      + "\n" + table.text
  }

  private func signedPercent(_ part: Fraction) -> String {
    let text = percent(part.micros)
    return part > .zero ? "+\(text)" : text
  }
}

extension PackRounding {
  var wording: Wording {
    switch self {
    case .figures: "coins rounded down to convenient round figures"
    case .multiples(1): "coins rounded down"
    case .multiples(let step): "coins rounded down to multiples of \(step)"
    }
  }
}

extension PackPlan.Counterpart.Source {
  var wording: Wording {
    switch self {
    case .given: "as given"
    case .orders(let count): counted(count, "by 1 order") { "by \($0) orders" }
    case .rate: "by the channel's rate"
    }
  }
}
