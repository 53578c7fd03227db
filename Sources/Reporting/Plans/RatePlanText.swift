import Billing
import Languages
package import Pricing

extension RatePlan {
  /// Rows that are shown unless all are wanted.
  private static let shownRows = 15

  /// The plan for a person. Ends with a line feed.
  ///
  /// - Parameters:
  ///   - isVerbose: with every row and the rule behind each.
  ///   - workbook: the path of the workbook; nil for none.
  package func text(isVerbose: Bool, workbook: String? = nil) -> String {
    var parts = [headText] + (current.map { [currentText($0, isVerbose)] } ?? [])
    parts.append(ratesText(isVerbose))
    if !sharedGroups.isEmpty { parts.append(choicesText(isVerbose)) }
    if coinPrices.count > 1 { parts.append(coinPricesText(isVerbose)) }
    if !channelSales.isEmpty { parts.append(channelText) }
    if !reasons.isEmpty { parts.append(section("@plan.why", reasons)) }
    if isVerbose { parts.append(rulesText) }
    if !notes.isEmpty { parts.append(section("@shared.notes", notes)) }
    if let workbook { parts.append(say("@shared.workbook \(workbook)") + "\n") }
    return parts.joined(separator: "\n")
  }

  /// The lines that say by what the plan was made.
  private var headText: String {
    var table = TextTable("ll")
    let rate = coins(channel.rate)
    let fee = channel.costs.wording
    var terms: Wording =
      channel.isObserved
      ? "@plan.per-by-the-orders \(rate) \(channel.currency) \(channel.name) \(fee)"
      : "@plan.per-fee \(rate) \(channel.currency) \(fee)"
    if let net = channel.netPerThousand?.text(places: 4) {
      terms = "@plan.1-000-coins-net \(terms) \(net) \(baseCurrency)"
    }
    table.add(words: "@plan.other-channel", terms)
    table.add(words: "@shared.target", "\(target.wording), \(rounding.wording(channel.currency))")
    if let period { table.add(words: "@plan.volumes", "@plan.apple-reports \(period)") }
    return say("@plan.exchange-rate-plan-for-coins \(day)") + "\n"
      + table.text
  }

  /// The table of what the company's own rate is worth against break-even, and advice.
  ///
  /// - Parameter current: coins per unit of the channel's money, millionths.
  private func currentText(_ current: Int64, _ isVerbose: Bool) -> String {
    let money = channel.currency
    let judged = judgements(of: current)
    var table = TextTable("lrrr")
    table.name(columns: "", "@shared.deduction", "@plan.break-even", "@plan.against-channel")
    let shown = isVerbose ? judged.count : Self.shownRows
    for one in judged.prefix(shown) {
      let gain = percent(one.gain.micros)
      table.add(
        one.row.storefront.code, one.row.deduction.map(percent) ?? "-",
        one.breakEven.text(places: 4), one.gain > .zero ? "+\(gain)" : gain)
    }
    let limit = limit(of: current)
    let title: Wording =
      limit > .zero
      ? "@plan.current-breaks-even \(coins(current)) \(money) \(percent(limit.micros))"
      : "@plan.current-is-above-all \(coins(current)) \(money) \(coins(channel.rate))"
    return say(title) + "\n" + table.text + (advice(on: current, judged).map(paragraph) ?? "")
  }

  /// What to do about today's rate, by the storefront that leaves the least; nil where no
  /// storefront is judged.
  ///
  /// - Parameter current: coins per unit of the channel's money, millionths.
  private func advice(on current: Int64, _ judged: [CurrentRate]) -> String? {
    guard let tightest = judged.min(by: { $0.breakEven < $1.breakEven }) else { return nil }
    let most = tightest.breakEven.roundedDown(toMultipleOf: rounding.step)
    let (storefront, today) = (tightest.row.storefront, coins(current))
    if tightest.gain < .zero {
      let less = percent((Fraction.zero - tightest.gain).micros)
      return say("@plan.current-loses \(today) \(storefront) \(less) \(grouped(most))")
    }
    let more = percent(tightest.gain.micros)
    return say("@plan.current-keeps \(today) \(storefront) \(more) \(grouped(most))")
  }

  /// The table of rates by the price list, and beside them those that Apple's payments give.
  private func ratesText(_ isVerbose: Bool) -> String {
    let isObserved = rows.contains { $0.observed != nil }
    var table = TextTable("lllrrrrlrr" + (isObserved ? "rrrr" : ""))
    let listed: [Wording] = [
      "", "", "", "@shared.price", "@shared.proceeds", "@shared.deduction", "@plan.equal-net", "",
      "@plan.planned-rate", "@shared.coins",
    ]
    let seen: [Wording] =
      isObserved
      ? ["@shared.units", "@shared.deduction", "@plan.equal-net", "@shared.difference-2"] : []
    table.name(columns: (listed + seen).map(say))
    let shown = isVerbose ? rows.count : Self.shownRows
    for row in rows.prefix(shown) {
      table.add(cells: listCells(row) + (isObserved ? observedCells(row) : []))
    }
    let rest = rows.count - shown
    let more = rest > 0 ? "  " + say("@plan.and-more-with-verbose \(rest)") + "\n" : ""
    let title: Wording =
      isObserved
      ? "@plan.rates-by-the-price-list-then"
      : "@plan.rates-in-coins-per-unit"
    return say(title) + "\n" + table.text + more
  }

  /// The cells of a row up to its coins, by the price list: storefront, product, price, proceeds,
  /// deduction and rates. Rates that are unknown are `-`.
  private func listCells(_ row: Row) -> [String] {
    let currency = row.terms.currency
    return [
      row.storefront.code, row.product, currency.code,
      grouped(Money(micros: row.terms.price, currency)),
      grouped(Money(micros: row.terms.proceeds, currency)),
      row.deduction.map(percent) ?? "-", row.rate?.exact.text(places: 4) ?? "-",
      row.rate == nil ? "" : say("@plan.per-2 \(unitWords(row.unit, currency))"),
      row.rate.map { grouped($0.planned) + ($0.isHeldUp ? "!" : "") } ?? "-",
      row.plannedCoins.map { grouped($0) } ?? "-",
    ]
  }

  /// The cells of a row by what Apple paid, and the difference to the list.
  private func observedCells(_ row: Row) -> [String] {
    guard let observed = row.observed else { return ["-", "-", "-", "-"] }
    let difference = observed.rate.flatMap { seen in row.rate.map { seen.exact - $0.exact } }
    return [
      grouped(observed.units), observed.deduction.map(percent) ?? "-",
      observed.rate?.exact.text(places: 4) ?? "-", difference.map { signed($0) } ?? "-",
    ]
  }

  /// A number with four places, with a plus above zero and no minus before zero.
  private func signed(_ value: Fraction) -> String {
    let text = value.text(places: 4)
    return value > .zero && text != "0.0000" ? "+\(text)" : text == "-0.0000" ? "0.0000" : text
  }

  /// The groups that share a rate. A group of one row has its own.
  private var sharedGroups: [Group] {
    groups.filter { $0.rows.count > 1 && !$0.choices.isEmpty }
  }

  /// The table of one rate for all products of a group.
  private func choicesText(_ isVerbose: Bool) -> String {
    let groups = sharedGroups
    let hasGain = groups.contains { $0.choices.contains { $0.gain != nil } }
    var table = TextTable("lllrr" + (hasGain ? "r" : ""))
    let gain: [Wording] =
      hasGain ? ["@plan.in \(baseCurrency) \(period.map(\.description) ?? "")"] : []
    table.name(columns: (["", "", "", "@plan.equal-net", "@plan.planned-rate"] + gain).map(say))
    for group in groups {
      // The safe choice holds for each product; the others are for who wants to know more.
      for (index, choice) in group.choices.enumerated() where isVerbose || index == 0 {
        let gain = choice.gain.map { gain in
          (gain > 0 ? "+" : "") + grouped(Money(micros: gain, baseCurrency))
        }
        table.add(
          cells: [
            index == 0 ? say(group.title) : "", say(choice.kind.wording),
            say("@plan.per-2 \(unitWords(group.unit, group.currency))"),
            choice.rate.exact.text(places: 4),
            grouped(choice.rate.planned) + (choice.rate.isHeldUp ? "!" : ""),
          ] + (hasGain ? [gain ?? "-"] : []))
      }
    }
    let about =
      hasGain
      ? "  "
        + say(
          "@plan.above-zero-you-net-more") + "\n"
      : ""
    return say("@plan.one-rate-for-all") + "\n" + table.text + about
  }

  /// The table of what 1,000 coins cost and net in each storefront, the cheapest first.
  private func coinPricesText(_ isVerbose: Bool) -> String {
    var table = TextTable("lrrrl")
    table.name(columns: "", "@plan.net", "@shared.price", "@shared.coins", "")
    let shown = isVerbose ? coinPrices.count : Self.shownRows
    for price in coinPrices.prefix(shown) {
      let planned = price.isPresent ? "" : say("@plan.planned-coins") + "  "
      table.add(
        price.storefront.code, Fraction(micros: price.net).text(places: 4),
        Fraction(micros: price.price).text(places: 4), grouped(price.coins),
        planned + say(mark(price)))
    }
    let rest = coinPrices.count - shown
    let more = rest > 0 ? "  " + say("@plan.and-more-with-verbose \(rest)") + "\n" : ""
    let title: Wording =
      "@plan.1-000-coins-in-cheapest \(baseCurrency) \(percent(threshold))"
    return say(title) + "\n" + table.text + more
  }

  /// Names which figures of a storefront's coins are below the dearest storefront's by more than
  /// the threshold: net, price, both or none.
  private func mark(_ price: CoinPrice) -> Wording {
    switch (price.isNetBelow, price.isPriceBelow) {
    case (true, true): "@plan.net-and-price"
    case (true, false): "@plan.net"
    case (false, true): "@shared.price"
    case (false, false): ""
    }
  }

  /// The table of other channels' paid orders.
  private var channelText: String {
    var table = TextTable("lrrrrl")
    table.name(
      columns: "", "@shared.orders", "@shared.paid", "@shared.coins", "@plan.net-per-1-000", "")
    for sales in channelSales {
      var rate =
        sales.rate.map { rate -> Wording in
          "@plan.coins-per \(rate.text(places: 4)) \(sales.currency)"
        } ?? ""
      if sales.unknown > 0 { rate += "@plan.without-price-or-coins \(sales.unknown)" }
      table.add(
        sales.channel, grouped(sales.orders),
        "\(grouped(Money(micros: sales.gross, sales.currency))) \(sales.currency)",
        grouped(sales.coins),
        sales.netPerThousand(channel.costs)?.text(places: 4) ?? "-",
        say(rate))
    }
    return say("@plan.other-channels-orders-net \(baseCurrency)") + "\n" + table.text
  }

  /// The rule behind each row.
  private var rulesText: String {
    var text = say("@plan.rules") + "\n"
    for row in rows {
      let name = row.product.isEmpty ? "" : " \(row.product)"
      text += "  \(row.storefront)\(name)  \(say(row.rule))\n"
    }
    return text
  }
}

/// A heading, and its texts below it, a paragraph each.
func section(_ title: Wording, _ texts: [Wording]) -> String {
  say(title) + "\n" + texts.map { paragraph(say($0)) }.joined()
}

/// A sentence or several, broken into lines of 100 columns or the reader's, and indented.
func paragraph(_ text: String) -> String {
  wrapped(text, columns: ReaderWidth.prose - 4).enumerated()
    .map { "  " + ($0 == 0 ? "- " : "  ") + $1 + "\n" }.joined()
}
