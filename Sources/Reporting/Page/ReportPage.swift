import Billing
import Languages
package import Conclusions

/// A period on one HTML page to be sent: the verdict, both sides in money, charts, what is missing,
/// findings, proceeds, coins and, of a fiscal month, how its payment came about.
///
/// - Parameter workbook: the name of the workbook beside it; nil for none.
package func reportPage(of reconciliation: Reconciliation, workbook: String?) -> String {
  let page = ReportPage(reconciliation.inOutputOrder().byRank(), workbook: workbook)
  return wholePage(title: say(page.title), body: page.body)
}

/// The page of a month in parts, as HTML.
private struct ReportPage {
  let month: Reconciliation
  let workbook: String?

  /// Findings that are written out; the workbook has all of them.
  private static let shown = 100

  /// Begins a page.
  ///
  /// - Parameter workbook: the name of the workbook beside it; nil for none.
  init(_ month: Reconciliation, workbook: String?) {
    (self.month, self.workbook) = (month, workbook)
  }

  var title: Wording { "@summary.reconciliation \(month.period)" }

  /// The parts of the page in their order, as HTML; empty ones are left out.
  var body: String {
    let end = workbook.map { element("p", "class=\"quiet\"", text: "@shared.workbook \($0)") } ?? ""
    return [head, charts, missing, differences, proceeds, coins, findings, statement, end].filter {
      !$0.isEmpty
    }
    .joined(separator: "\n") + "\n"
  }

  // MARK: - Verdict

  /// The title, the verdict, both sides in money and what Apple owes.
  private var head: String {
    let severest = month.findings.first { !$0.isAccepted }?.severity
    let mark = severest.map { "var(--\($0.rawValue)-ink)" } ?? "var(--price)"
    let sides = month.bothSides
    // What the sides come to, and what of it is explained, says not whether the month ties.
    let verdicts = month.hasBothSides ? sides.prefix(4).map { verdict(of: $0) } : []
    return element("h1", text: title)
      + element("p", "class=\"quiet\"", text: month.subject)
      + element(
        "div", verdictAttributes(mark: mark),
        ([month.verdict] + verdicts + [counts]).map { element("div", text: $0) }.joined())
      + sides.prefix(4).map(figures).joined() + owed
  }

  /// What Apple owes at the month's end, with what may make it another amount; empty where nothing
  /// is known of it.
  private var owed: String {
    guard !month.receivable.isEmpty else { return "" }
    let amount: Wording = month.owedByApple.map { spoken($0) } ?? "@shared.no-rate"
    // The total of the proceeds stands below, and is another amount.
    let name: Wording = "@summary.rounding-to-the-proceeds"
    let rounding = month.receivableRounding.map { rounding -> Wording in
      "@summary.named \(name) \(spoken(rounding))"
    }
    return element("p", text: "@page.owed-by-apple \(month.period.last) \(amount)")
      + (rounding.map { element("p", "class=\"quiet\"", text: $0) } ?? "")
      + month.receivableDoubts.map { element("p", "class=\"quiet\"", text: $0) }.joined()
  }

  /// How many findings there are of each severity, in words.
  private var counts: Wording {
    let counts = month.findingCounts
    let errors = counted(counts[.error] ?? 0, "@shared.1-error") { "@shared.errors \($0)" }
    let warnings = counted(counts[.warning] ?? 0, "@summary.1-warning") {
      "@summary.warnings-2 \($0)"
    }
    return "@summary.info-2 \(errors) \(warnings) \(grouped(counts[.info] ?? 0))"
  }

  /// Whether both sides of a currency agree, in words: how far they are apart, and how much of it
  /// is explained.
  private func verdict(of side: BothSides) -> Wording {
    guard let difference = side.difference, let ledger = side.ledger,
      let explained = side.explained, let unexplained = side.unexplained
    else { return "@summary.nothing-is-compared-a-side" }
    if difference.isZero, side.isExplained {
      return "@page.both-agree \(spoken(ledger))"
    }
    let apart: Wording =
      difference.isZero
      ? "@page.same-total \(spoken(ledger))"
      : difference.micros > 0
        ? "@page.apple-above \(spoken(difference))" : "@page.apple-below \(spoken(-difference))"
    if side.isExplained { return "@page.all-explained \(apart)" }
    return """
      @page.explained-open-unexplained \(apart) \(spoken(explained)) \
      \(side.openWording { spoken($0) }) \(spoken(unexplained))
      """
  }

  /// The money of both sides in one currency, a card for each figure.
  private func figures(_ side: BothSides) -> String {
    let amounts: [(Wording, Money?)] = [
      ("@shared.ledger", side.ledger), ("@page.apple", side.apple),
      ("@page.difference", side.difference), ("@shared.explained", side.explained),
      ("@shared.open", side.open), ("@shared.unexplained", side.unexplained),
    ]
    let cards = amounts.map { name, amount in
      element(
        "div",
        element("span", text: name)
          + element("b", text: amount.map { spoken($0) } ?? "@page.not-loaded"))
    }
    return element("div", "class=\"figures\"", cards.joined()) + "\n"
  }

  /// The list of inputs that are missing and of values that nobody configured; empty without any.
  private var missing: String {
    let absences = month.absenceWordings + month.assumptions.map(\.text)
    guard !absences.isEmpty else { return "" }
    return element("h2", text: "@summary.missing")
      + element("ul", absences.map { element("li", text: $0) }.joined())
  }

  // MARK: - Charts

  /// All charts side by side; empty without any.
  private var charts: String {
    let all = [waterfall, countries, coinsByDay].compactMap(\.self)
    return all.isEmpty ? "" : element("div", "class=\"charts\"", all.joined())
  }

  /// The chart from the ledger to Apple's total at customer prices; nil where one side is not
  /// loaded.
  private var waterfall: String? {
    guard let bridge = month.mainBridge, month.hasBothSides else { return nil }
    let whole = Waterfall(bridge).bars
    let last = whole.firstIndex { $0.cause == .reportedGross } ?? whole.count - 1
    let bars = whole.prefix(last + 1)
    guard !bars.isEmpty else { return nil }
    let chart = PageChart(
      bars.map { bar in
        let amount = grouped(Money(micros: bar.amount, bridge.currency))
        return PageChart.Bar(
          name: say(bar.cause.label), from: bar.from, to: bar.to,
          figure: !bar.cause.isTotal && bar.amount > 0 ? "+" + amount : amount,
          family: CauseFamily(bar.cause), isTotal: bar.cause.isTotal)
      }, mayCut: true)
    let name: Wording =
      bridge.isSummary ? "@shared.all-storefronts" : Wording(verbatim: bridge.storefront)
    let caption: Wording? =
      chart.cut > 0
      ? "@page.axis-begins-at \(spoken(Money(micros: chart.cut, bridge.currency)))" : nil
    return figure(chart, "@page.from-ledger-to-apple \(name) \(bridge.currency)", caption)
  }

  /// The chart of proceeds by country; nil without proceeds.
  private var countries: String? {
    let (currency, countries) = month.proceedsByCountry
    guard !countries.isEmpty else { return nil }
    let chart = PageChart(
      countries.map {
        PageChart.Bar(
          name: $0.place, from: 0, to: $0.proceeds,
          figure: grouped(Money(micros: $0.proceeds, currency)), family: .commission)
      }, mayCut: false)
    return figure(chart, "@summary.proceeds-by-country \(currency)", nil)
  }

  /// The chart of coins by day that the workbook's sheet of coins has; nil without days of coins.
  private var coinsByDay: String? {
    guard let days = month.coins?.daysDrawn, !days.isEmpty else { return nil }
    let chart = DayChart(
      days: days.map(\.day),
      series: [
        DayChart.Series(
          name: say(CoinMovement.granted.wording), counts: days.map(\.granted),
          family: .commission),
        DayChart.Series(
          name: say(CoinMovement.spent.wording), counts: days.map(\.spent), family: .missing),
      ])
    let name: Wording = "@list.coins-by-day"
    let title = days[0].coin.isEmpty ? name : "@summary.named \(days[0].coin) \(name)"
    return figure(chart.svg(say(title)), title, nil)
  }

  /// A chart with its title and caption.
  private func figure(_ chart: PageChart, _ title: Wording, _ caption: Wording?) -> String {
    figure(chart.svg(say(title)), title, caption)
  }

  /// A drawing of SVG with its title and caption.
  private func figure(_ drawing: String, _ title: Wording, _ caption: Wording?) -> String {
    element(
      "figure",
      element("h3", text: title) + drawing
        + (caption.map { element("figcaption", text: $0) } ?? ""))
  }

  // MARK: - Differences

  /// The table of which countries differ, each in its own currency; empty where one side is not
  /// loaded or there is one country.
  private var differences: String {
    let bridges = month.bridges.filter { !$0.isSummary && $0.reachesApple }
    guard bridges.count > 1, month.hasBothSides else { return "" }
    var table = TextTable("llrrrrrr")
    table.name(
      columns: "@shared.country", "@shared.currency", "@shared.ledger", "@shared.apple",
      "@shared.difference-2", "@shared.explained", "@shared.open", "@shared.unexplained")
    for bridge in bridges {
      /// The amount of a cause's first step; zero without one.
      func total(_ cause: BridgeCause) -> Money {
        bridge.steps.first { $0.cause == cause }?.amount ?? .zero(bridge.currency)
      }
      let (ledger, apple) = (total(.ledger), total(.reportedGross))
      let parts = bridge.parts(to: .reportedGross)
      let amounts = [
        ledger, apple, apple - ledger, parts.explained, parts.open, parts.unexplained,
      ]
      table.add(
        cells: [
          Storefront(bridge.storefront)?.placeInWords ?? bridge.storefront, bridge.currency.code,
        ] + amounts.map { grouped($0) })
    }
    return element("h2", text: "@page.difference-by-country") + table.html()
  }

  // MARK: - Findings

  /// The findings one by one, and how many more there are.
  private var findings: String {
    let all = month.findings
    let shown = all.prefix(Self.shown).map(article).joined(separator: "\n")
    let rest = all.count - Self.shown
    let more: Wording = "@page.more-findings \(grouped(rest))"
    return element("h2", text: "@page.findings \(grouped(all.count))")
      + (all.isEmpty ? element("p", text: "@page.no-finding") : shown)
      + (rest > 0 ? element("p", "class=\"quiet\"", text: more) : "")
  }

  /// A finding with its explanation and what to do about it.
  private func article(_ finding: Finding) -> String {
    let worth = month.worth(of: finding).map { spoken($0) } ?? finding.money.map { spoken($0) }
    let facts = [
      finding.storefront?.placeInWords, finding.date?.description,
      finding.sku.map { sku in month.productNames[sku].map { "\($0) (\(sku))" } ?? sku },
      finding.id,
    ]
    .compactMap(\.self).joined(separator: " · ")
    let head =
      element("span", tagAttributes(finding.severity), text: finding.severity.wording)
      + element("h3", escapedHTML(finding.code.named))
      + element("span", "class=\"quiet\"", escapedHTML(facts))
      + (worth.map { element("b", text: $0) } ?? "")
    let accepted =
      finding.isAccepted ? element("p", "class=\"quiet\"", text: "@page.accepted") : ""
    return element(
      "article",
      element("div", "class=\"head\"", head) + element("p", text: finding.explanation)
        + element("p", text: "@page.to-do \(finding.action)") + accepted)
  }

  // MARK: - Proceeds

  /// The table of proceeds by country, with their total in base currency; empty without proceeds.
  private var proceeds: String {
    guard !month.proceeds.isEmpty else { return "" }
    // Under the titles of the workbook's sheet stand its figures.
    let list = month.proceedsListWithParts
    let isConverted = month.proceeds.contains { $0.rate != nil }
    let isPaidOtherwise = month.proceeds.contains { $0.currency != $0.proceedsCurrency }
    let names: [String] =
      [
        "currency", "units_sold", "units_refunded", "gross", "tax", "rule_commission", "other",
        "proceeds",
      ] + (isPaidOtherwise ? ["proceeds_currency"] : []) + ["deduction"]
      + (isConverted ? ["proceeds_base"] : [])
    let listed = list.textTable(month.proceeds, names)
    var table = TextTable("l" + listed.isNumber.map { $0 ? "r" : "l" }.joined())
    table.name(columns: [say("@shared.country")] + (listed.names ?? []))
    for (line, cells) in zip(month.proceeds, listed.rows) {
      table.add(cells: [line.storefront.placeInWords] + cells)
    }
    if isConverted {
      let total = month.proceedsInBase.map { grouped(Money(micros: $0, month.baseCurrency)) }
      table.add(
        cells: [say("@shared.all")] + [String](repeating: "", count: listed.isNumber.count - 1)
          + [total ?? say("@summary.no-sum-rates-are-missing")])
    }
    return element("h2", text: "@summary.proceeds") + table.html(hasTotal: isConverted)
      + element("p", "class=\"quiet\"", text: "@sheet.commission-proves-no-contract")
  }

  // MARK: - Coins

  /// The table of what became of coins, with its notes; empty without coins.
  private var coins: String {
    guard let coins = month.coins, !coins.totals.isEmpty else { return "" }
    let list = List<CoinTotal>.coinTotals
    let names = [
      "coin", "opening", "sold", "granted", "spent", "expired", "taken_back", "adjusted", "closing",
    ].filter { $0 != "coin" || coins.totals.contains { !$0.coin.isEmpty } }
    let table = list.textTable(coins.totals, names)
    return element("h2", text: "@list.coins") + table.html()
      + (coins.notes + month.coinRemarks).map { element("p", "class=\"quiet\"", text: $0) }.joined()
  }

  // MARK: - Payment

  /// The section on how a fiscal month's payment came about; empty for any other period.
  private var statement: String {
    guard let statement = month.payoutStatement, let settlement = month.settlement else {
      return ""
    }
    var lines: [Wording] = []
    if settlement.payments.isEmpty { lines.append("@page.no-payments-summary \(settlement.month)") }
    if !settlement.missing.isEmpty {
      let names = settlement.missing.map(\.name).joined(separator: ", ")
      lines.append("@summary.not-settled-because-the-financial \(names)")
    }
    if settlement.payments.count > 0, statement.payouts.isEmpty {
      lines.append("@page.no-payout \(settlement.month)")
    }
    let payouts = statement.payouts.map { payout in
      element(
        "div",
        element("span", text: payout.paidWording) + element("b", text: spoken(payout.amount))
          + element("span", text: payout.bankStanding))
    }
    let list = List.payoutStatement(statement.regions)
    let table = list.textTable(statement.regions, list.columns.map(\.name))
    return element(
      "section", "class=\"statement\"",
      element("h2", text: "@page.payout-statement \(settlement.month)")
        + element("p", "class=\"quiet\"", text: month.subject)
        + lines.map { element("p", text: $0) }.joined() + table.html()
        + (payouts.isEmpty ? "" : element("div", "class=\"figures\"", payouts.joined())))
  }
}

extension TextTable {
  /// The table as HTML; empty without lines.
  ///
  /// - Parameter hasTotal: whether its last row is a total.
  func html(hasTotal: Bool = false) -> String {
    if isEmpty { return "" }
    /// A row of the table; `tag` is that of its cells.
    func row(_ cells: [String], _ tag: String, _ attributes: String = "") -> String {
      element(
        "tr", attributes,
        zip(cells, isNumber).map { cell, isNumber in
          element(tag, isNumber ? "class=\"n\"" : "", escapedHTML(cell))
        }.joined()) + "\n"
    }
    let head = names.map { element("thead", row($0, "th")) } ?? ""
    let body = rows.enumerated().map { index, cells in
      row(cells, "td", hasTotal && index == rows.count - 1 ? "class=\"total\"" : "")
    }
    return element(
      "div", "class=\"wide\"",
      element("table", head + element("tbody", "\n" + body.joined()))) + "\n"
  }
}
