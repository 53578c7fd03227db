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
    return say("@plan.exchange-rate-plan-for-coins \(day)") + "\n" + table.text
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
    // Whatever plans round to: what is below it breaks even too.
    let isWhole = current % 1_000_000 == 0
    let most =
      isWhole
      ? grouped(tightest.breakEven.roundedDown(toMultipleOf: 1))
      : tightest.breakEven.text(places: 4)
    let (storefront, today) = (tightest.row.storefront, coins(current))
    if tightest.gain < .zero {
      let less = percent((Fraction.zero - tightest.gain).micros)
      return say("@plan.current-loses \(today) \(storefront) \(less) \(most)")
    }
    let more = percent(tightest.gain.micros)
    return say("@plan.current-keeps \(today) \(storefront) \(more) \(most)")
  }

  /// A table under a title; of many rows the first ones unless all are wanted.
  private func tableText<Line>(
    _ title: Wording, _ lines: [Line], of list: List<Line>, _ columns: [String], _ isVerbose: Bool
  ) -> String {
    let shown = isVerbose ? lines.count : Self.shownRows
    let rest = lines.count - shown
    let more = rest > 0 ? "  " + say("@plan.and-more-with-verbose \(rest)") + "\n" : ""
    return say(title) + "\n" + list.textTable(lines.prefix(shown), columns).text + more
  }

  /// The table of rates by the price list, and beside them those that Apple's payments give.
  private func ratesText(_ isVerbose: Bool) -> String {
    let isObserved = rows.contains { $0.observed != nil }
    let listed = [
      "storefront", "product", "currency", "price", "proceeds", "deduction", "equal_net", "unit",
      "planned", "coins",
    ]
    let observed = ["units", "deduction", "equal_net", "difference"].map { "observed.\($0)" }
    return tableText(
      isObserved ? "@plan.rates-by-the-price-list-then" : "@plan.rates-in-coins-per-unit", rows,
      of: rateList, listed + (isObserved ? observed : []), isVerbose)
  }

  /// The groups that share a rate. A group of one row has its own.
  private var sharedGroups: [Group] {
    groups.filter { $0.rows.count > 1 && !$0.choices.isEmpty }
  }

  /// The table of one rate for all products of a group.
  private func choicesText(_ isVerbose: Bool) -> String {
    // The safe choice holds for each product; the others are for who wants to know more.
    let lines = sharedGroups.flatMap(\.choiceLines).filter { isVerbose || $0.isFirst }
    let hasGain = sharedGroups.contains { $0.choices.contains { $0.gain != nil } }
    let table = PlanSheet(self).choices.textTable(
      lines, ["group", "choice", "unit", "equal_net", "planned"] + (hasGain ? ["gain"] : []))
    let about = hasGain ? "  " + say("@plan.above-zero-you-net-more") + "\n" : ""
    return say("@plan.one-rate-for-all") + "\n" + table.text + about
  }

  /// The table of what 1,000 coins cost and net in each storefront, the cheapest first.
  private func coinPricesText(_ isVerbose: Bool) -> String {
    tableText(
      "@plan.1-000-coins-in-cheapest \(baseCurrency) \(percent(threshold))",
      Array(storefronts.prefix(coinPrices.count)), of: PlanSheet(self).coinPrices,
      ["storefront", "net_per_thousand_coins", "price_per_thousand_coins", "coins", "mark"],
      isVerbose)
  }

  /// The table of other channels' paid orders.
  private var channelText: String {
    let table = List.channelSales(channel.costs).textTable(
      channelSales, ["channel", "orders", "gross", "coins", "net_per_thousand_coins", "rate"])
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
