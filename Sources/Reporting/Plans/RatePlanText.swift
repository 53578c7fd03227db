package import Billing

extension RatePlan {
  /// Rows that are shown unless all are wanted.
  private static let shownRows = 40

  /// The plan for a person. Ends with a line feed.
  ///
  /// - Parameter isVerbose: with every row and the rule behind each.
  package func text(isVerbose: Bool, workbook: String? = nil) -> String {
    var parts = [headText, ratesText(isVerbose)]
    if !sharedGroups.isEmpty { parts.append(choicesText) }
    if coinPrices.count > 1 { parts.append(coinPricesText(isVerbose)) }
    if !channelSales.isEmpty { parts.append(channelText) }
    if !reasons.isEmpty { parts.append("Why\n" + reasons.map(paragraph).joined()) }
    if isVerbose { parts.append(rulesText) }
    if !notes.isEmpty { parts.append("Notes\n" + notes.map(paragraph).joined()) }
    if let workbook { parts.append("Workbook: \(workbook)\n") }
    return parts.joined(separator: "\n")
  }

  private var headText: String {
    var table = TextTable("ll")
    let rate = decimalText(micros: channel.rate)
    let source =
      channel.isObserved ? ", as the orders of \(channel.name) tell" : ""
    let net =
      channel.netPerThousand.map { "; 1,000 coins leave \($0.text(places: 4)) \(baseCurrency)" }
      ?? ""
    table.add(
      "other channel",
      "\(rate) coins per \(channel.currency)\(source), fee \(percent(channel.fee))\(net)")
    table.add("target", "\(target.words), \(rounding.words(channel.currency))")
    if let period { table.add("volumes", "Apple's reports of \(period)") }
    return "Exchange-rate plan for \(day): coins per unit of money on Apple's channel\n"
      + table.text
  }

  private func ratesText(_ isVerbose: Bool) -> String {
    let isObserved = rows.contains { $0.observed != nil }
    var table = TextTable("lllrrrrlrr" + (isObserved ? "rrrr" : ""))
    table.add(
      cells: [
        "", "", "", "price", "proceeds", "taken", "equal net", "", "planned", "coins",
      ] + (isObserved ? ["units", "taken", "equal net", "differs"] : []))
    let shown = isVerbose ? rows.count : Self.shownRows
    for row in rows.prefix(shown) {
      table.add(cells: listCells(row) + (isObserved ? observedCells(row) : []))
    }
    let rest = rows.count - shown
    let more = rest > 0 ? "  and \(rest) more, with --verbose\n" : ""
    let title = isObserved ? "Rates by the price list, then by Apple's reports\n" : "Rates\n"
    return title + table.text + more
  }

  private func listCells(_ row: Row) -> [String] {
    let currency = row.terms.currency
    return [
      row.storefront.code, row.product, currency.code,
      grouped(Money(micros: row.terms.price, currency).text),
      grouped(Money(micros: row.terms.proceeds, currency).text),
      row.deduction.map(percent) ?? "-", row.rate?.exact.text(places: 4) ?? "-",
      row.rate == nil ? "" : "per \(unitWords(row.unit, currency))",
      row.rate.map { grouped(String($0.planned)) + ($0.isHeldUp ? "!" : "") } ?? "-",
      row.plannedCoins.map { grouped(String($0)) } ?? "-",
    ]
  }

  private func observedCells(_ row: Row) -> [String] {
    guard let observed = row.observed else { return ["-", "-", "-", "-"] }
    let difference = observed.rate.flatMap { seen in row.rate.map { seen.exact - $0.exact } }
    return [
      grouped(String(observed.units)), observed.deduction.map(percent) ?? "-",
      observed.rate?.exact.text(places: 4) ?? "-", difference.map { signed($0) } ?? "-",
    ]
  }

  private func signed(_ value: Fraction) -> String {
    let text = value.text(places: 4)
    return value > .zero && text != "0.0000" ? "+\(text)" : text == "-0.0000" ? "0.0000" : text
  }

  /// A group of one row has its own rate.
  private var sharedGroups: [Group] {
    groups.filter { $0.rows.count > 1 && !$0.choices.isEmpty }
  }

  private var choicesText: String {
    let groups = sharedGroups
    let hasGain = groups.contains { $0.choices.contains { $0.gain != nil } }
    var table = TextTable("lllrr" + (hasGain ? "r" : ""))
    table.add(
      cells: ["", "", "", "equal net", "planned"]
        + (hasGain ? ["\(baseCurrency) in \(period.map(String.init(describing:)) ?? "")"] : []))
    for group in groups {
      for (index, choice) in group.choices.enumerated() {
        let gain = choice.gain.map { gain in
          (gain > 0 ? "+" : "") + grouped(Money(micros: gain, baseCurrency).text)
        }
        table.add(
          cells: [
            index == 0 ? group.name : "", choice.kind.rawValue,
            "per \(unitWords(group.unit, group.currency))", choice.rate.exact.text(places: 4),
            grouped(String(choice.rate.planned)) + (choice.rate.isHeldUp ? "!" : ""),
          ] + (hasGain ? [gain ?? "-"] : []))
      }
    }
    let about =
      hasGain
      ? "  Above zero: coins kept back against the other channel's net per coin; below: given "
        + "away.\n"
      : ""
    return "One rate for all of a group's products\n" + table.text + about
  }

  private func coinPricesText(_ isVerbose: Bool) -> String {
    var table = TextTable("lrrrl")
    table.add("", "net", "price", "coins", "")
    let shown = isVerbose ? coinPrices.count : Self.shownRows
    for price in coinPrices.prefix(shown) {
      var marks: [String] = []
      if price.isNetBelow { marks.append("net") }
      if price.isPriceBelow { marks.append("price") }
      let limit = percent(threshold)
      table.add(
        price.storefront.code, Fraction(micros: price.net).text(places: 4),
        Fraction(micros: price.price).text(places: 4), grouped(String(price.coins)),
        (price.isPresent ? "" : "planned coins  ")
          + (marks.isEmpty
            ? "" : "\(marks.joined(separator: " and ")) more than \(limit) below the dearest"))
    }
    let rest = coinPrices.count - shown
    let more = rest > 0 ? "  and \(rest) more, with --verbose\n" : ""
    return "1,000 coins in \(baseCurrency), cheapest first\n" + table.text + more
  }

  private var channelText: String {
    var table = TextTable("lrrrrl")
    table.add("", "orders", "paid", "coins", "net of 1,000", "")
    for sales in channelSales {
      let unknown = sales.unknown > 0 ? "; without price or coins: \(sales.unknown)" : ""
      table.add(
        sales.channel, grouped(String(sales.orders)),
        "\(grouped(Money(micros: sales.gross, sales.currency).text)) \(sales.currency)",
        grouped(String(sales.coins)),
        sales.netPerThousand(fee: channel.fee)?.text(places: 4) ?? "-",
        (sales.rate.map { "\($0.text(places: 4)) coins per \(sales.currency)" } ?? "") + unknown)
    }
    return "Other channels' orders, net in \(baseCurrency)\n" + table.text
  }

  private var rulesText: String {
    var text = "Rules\n"
    for row in rows {
      let name = row.product.isEmpty ? "" : " \(row.product)"
      text += "  \(row.storefront)\(name)  \(row.rule.english)\n"
    }
    return text
  }
}

/// A sentence or several, broken into lines of 100 columns and indented.
func paragraph(_ text: String) -> String {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty, line.count + 1 + word.count > 96 {
      lines.append(line)
      line = ""
    }
    line += line.isEmpty ? "\(word)" : " \(word)"
  }
  lines.append(line)
  return lines.enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }.map { "  \($0)\n" }.joined()
}
