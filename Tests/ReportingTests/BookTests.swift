import Billing
import Languages
import Testing

@testable import Conclusions
@testable import Reporting

/// Goal: who signs a month finds in its book what differs, on which side, and what it comes to.
struct BookTests {
  private let month = SampleMonth.reconciliation

  @Test func theFirstSheetsAnswerWhatIsOff() {
    let names = WorkbookContents(month).sheets().map(\.name)
    #expect(names.prefix(4) == ["Summary", "Mismatches", "Proceeds by country", "Bridge"])
  }

  /// An explanation that other words take the place of must not show a wrong value.
  @Test func comparedExplanationsHaveTheirPlaces() {
    for (name, sides) in Wording.sides {
      let (key, places) = ("@\(name)", max(sides.company ?? 0, sides.apple ?? 0))
      for language in [Language.english, .simplifiedChinese] {
        let template = Texts.template(key, in: language)
        #expect(template?.contains("{\(places)}") == true, "\(key)")
      }
    }
  }

  @Test(arguments: [
    (
      "@price-mismatch.order-price-is-apple", ["788.00 HKD", "388.00 HKD"], "788.00 HKD|388.00 HKD"
    ),
    ("@not-in-ledger.units-sold-apple-reports", ["1", "0"], "0 sold|1 sold"),
    ("@order-without-transaction.order-is", ["fulfilled", "8 USD", "…"], "8 USD|none"),
    ("@order.apple-charged", ["68.00 CNY", "…"], "none|68.00 CNY"),
    ("@report-restated.replaced-no-figure-changed", ["a", "b"], ""),
  ])
  func bothValuesOfAnExplanation(key: String, values: [String], shown: String) {
    var finding = month.findings[0]
    finding.explanation = Wording(key: key, values.map { Wording(verbatim: $0) })
    let both = finding.bothValues
    #expect((both.map { "\($0.company.english)|\($0.apple.english)" } ?? "") == shown)
    // Where the source is told behind it, too.
    finding.explanation = finding.explanation + Wording(verbatim: " (source)")
    #expect(finding.bothValues == both)
  }

  /// Each cause once, in base currency and in each storefront's own.
  @Test(arguments: [true, false])
  func refundsLeadFromTheLedgerToApple(inBase: Bool) throws {
    let contents = WorkbookContents(month)
    let bridges = month.bridges.filter { !$0.isSummary }
    let walk = RefundWalk(contents, bridges, inBase: inBase)
    #expect(walk.lines.contains { $0.cause == .refundNotInLedger })
    let apple = try #require(walk.lines.last).amounts
    #expect(apple.contains { $0?.isZero == false })
    for place in bridges.indices {
      let parts = walk.lines.dropLast().compactMap { $0.amounts[place] }
      #expect(parts.sum(in: try #require(apple[place]).currency, \.self) == apple[place])
    }
  }

  /// What is read first stands on one screen, and is printed on one page; the rest is grouped.
  @Test func aFindingStandsOnOnePageWithItsExplanation() throws {
    let sheet = try #require(WorkbookContents(month).mismatchesSheet())
    let printed = try #require(sheet.printedColumns)
    let widths = sheet.widths(of: (0..<sheet.rows.count).map { sheet.rows[$0] })
    let titles = sheet.columns.map(\.title)
    for title in ["in CNY", "ledger", "Apple", "explanation", "action"] {
      #expect(titles[..<printed].contains(title))
    }
    // Seven dots a digit and five at the edges, on a laptop's 1,366 less the rows' numbers.
    let dots = widths.prefix(printed).reduce(0) { $0 + $1 * 7 + 5 } * sheet.zoom(widths) / 100
    #expect(dots <= 1_366 - 40, "\(dots)")
    #expect(
      sheet.columns.enumerated().allSatisfy { ($0.offset >= printed) == $0.element.isGrouped })
  }

  @Test(arguments: ["Proceeds by country", "Refunds"])
  func whatIsPrintedStandsOnOneScreen(name: String) throws {
    let sheet = try #require(WorkbookContents(month).sheets().first { $0.name == name })
    let printed = try #require(sheet.printedColumns)
    let widths = sheet.widths(of: (0..<sheet.rows.count).map { sheet.rows[$0] })
    let dots = widths.prefix(printed).reduce(0) { $0 + $1 * 7 + 5 } * sheet.zoom(widths) / 100
    #expect(dots <= 1_366 - 40, "\(dots)")
  }

  /// Below the findings stands the summary's difference, each step in one row of it.
  @Test func sumsLeadToTheDifference() throws {
    let contents = WorkbookContents(month)
    let sheet = try #require(contents.mismatchesSheet())
    let column = contents.findingList.index("company")
    let totals = sheet.totals.filter { $0.style == .total }
    let difference = try #require(month.sidesInBase?.difference)
    #expect(totals.count == 1)
    guard case .formula(_, let value) = try #require(totals.first).cells[column] else {
      Issue.record("no formula")
      return
    }
    #expect(value == .money(difference))
  }

  @Test func countriesHaveNamesInBothLanguages() {
    let japan = Storefront("JP")!
    #expect(Cell.place(japan) == .text("JP Japan"))
    Translation.$current.withValue(Translation(.simplifiedChinese)) {
      #expect(Cell.place(japan) == .text("JP 日本"))
      #expect(Cell.country(japan) == .text("日本"))
    }
  }

  /// Amounts of one column end at one edge, with decimals or without.
  @Test func amountsOfAllCurrenciesEndAtOneEdge() {
    for digits in 0...3 {
      let look = Look(number: .money(digits: digits), style: .body)
      #expect(look.pattern?.split(separator: ";").first?.hasSuffix("_)") == true)
      #expect(look.pattern?.contains("_0") == false)
    }
  }

  @Test(
    arguments: [
      // From 1,000 to 990 by way of 980: the axis begins below them.
      ([1_000, -20, 10], 970), ([1_000, -900, 10], nil), ([1_000, 0, 0], nil),
      ([75_313, -1_699, 150], 72_000),
    ] as [([Int64], Int64?)])
  func smallStepsAreSeen(amounts: [Int64], minimum: Int64?) {
    let base = Currency("CNY")!
    let causes: [BridgeCause] = [.ledger, .reportMissing, .notInLedger]
    var steps = zip(causes, amounts).map {
      BridgeStep(cause: $0, units: nil, amount: Money(micros: $1 * 1_000_000, base))
    }
    let gross = steps.sum(in: base, \.amount)
    steps.append(BridgeStep(cause: .reportedGross, units: nil, amount: gross))
    let bridge = Bridge(storefront: "ALL", currency: base, steps: steps)
    #expect(Waterfall(bridge).axisMinimum == minimum.map { $0 * 1_000_000 })
  }

  /// Steps without an amount have no row; what nothing explains has one, zero or not.
  @Test func theBridgeHasNoEmptySteps() throws {
    var month = month
    month.findings = []
    let sheet = try #require(WorkbookContents(month).bridgeSheet())
    let names = (0..<sheet.rows.count).map { sheet.rows[$0].cells[0].exactText }
    // Two causes may stand before each total.
    let once = names.filter { !["unexplained", "rounding"].contains($0) }
    #expect(names.contains("unexplained") && once.count == Set(once).count)
    for index in 0..<sheet.rows.count where names[index] != "unexplained" {
      let cells = sheet.rows[index].cells
      let hasAmount = cells.contains { $0.binary != nil && $0.binary != 0 }
      #expect(hasAmount || sheet.rows[index].style == .total, "\(names[index])")
    }
  }

  @Test func theSummarySaysWhoseItIsAndWhatAppleOwes() throws {
    var month = SampleFiscalMonth.reconciliation
    month.company = "Orbit Ltd"
    // The other currency has no rate.
    month.receivable.removeFirst()
    let sheet = WorkbookContents(month).summarySheet()
    let cells = (0..<sheet.rows.count).map { sheet.rows[$0].cells }
    guard case .text(let subject) = cells[1][0] else { throw Unexpected() }
    #expect(subject.hasPrefix("Orbit Ltd · "))
    let title = try #require(cells.firstIndex { $0.first == .text("Receivable from Apple") })
    guard case .link(let place, "as of \(month.period.last), in CNY") = cells[title + 1][0],
      case .formula(let formula, let amount) = cells[title + 1][2]
    else { throw Unexpected() }
    #expect(formula.hasPrefix("'Settlement'!") && formula.hasSuffix("\(place.row)"))
    #expect(amount == month.owedByApple.map { .money($0) })
  }

  private struct Unexpected: Error {}

  /// On one page of paper, as the sheet's columns are wide.
  @Test(arguments: [Language.english, .simplifiedChinese])
  func aPayoutStatementIsOnePageWide(language: Language) throws {
    try Translation.$current.withValue(Translation(language)) {
      let contents = WorkbookContents(SampleFiscalMonth.reconciliation)
      let sheet = try #require(contents.payoutStatementSheet())
      let widths = sheet.widths(of: (0..<sheet.rows.count).map { sheet.rows[$0] })
      #expect(widths.reduce(0, +) <= 280, "\(widths)")
    }
  }

  @Test func chineseReadersGetNamesBesideCodes() throws {
    try Translation.$current.withValue(Translation(.simplifiedChinese)) {
      #expect(FindingCode.reportMissing.named == "缺少当日报告 report-missing")
      let contents = WorkbookContents(SampleMonth.reconciliation)
      let sheet = try #require(contents.mismatchesSheet())
      #expect(sheet.columns.map(\.title).prefix(3) == ["严重程度", "差异项", "代码"])
    }
    #expect(FindingCode.reportMissing.named == "report-missing")
  }
}
