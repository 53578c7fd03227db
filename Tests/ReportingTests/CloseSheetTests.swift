import Billing
import Languages
import Testing

@testable import Reporting
@testable import Conclusions

/// What a close states and what is signed: each figure is what others come to, nothing is compared
/// that is not there, and what a close keeps is read again as it was.
@Suite struct CloseSheetTests {
  private static let record = CloseRecord(
    number: 4, action: .close, period: Period("2023-06")!, at: Instant(seconds: 1_693_000_000),
    by: "ann", reason: "", asOf: Day("2023-07-05")!, version: "test", lastSource: 9)

  static func pack(
    _ month: Reconciliation, _ comparison: CloseStatement.Comparison = .notClosed,
    before: CloseStatement? = nil, revenue: Settings.Revenue = .principal,
    accepting accepted: [Acceptance] = []
  ) -> ClosePack {
    var settings = Settings()
    settings.revenue = revenue
    var month = month
    month.receivable = Journal(month, settings: settings).receivable
    return ClosePack(
      of: month, settings, record: record, inputsDigest: String(repeating: "0f", count: 32),
      accepting: accepted, comparison: comparison, before: before)
  }

  private static func figures(_ pack: ClosePack) -> [CloseFigure: Int64] {
    Dictionary(
      uniqueKeysWithValues: pack.statement.lines.compactMap { line in
        line.now.map { (line.figure, $0) }
      })
  }

  /// Another period's statement with other figures.
  private static func statement(_ now: [CloseFigure: Int64], _ code: String = "CNY")
    -> CloseStatement
  {
    CloseStatement(
      Period("2023-05")!, in: Currency(code)!, now, comparison: .notClosed, before: nil,
      opening: .loaded)
  }

  @Test(arguments: [Settings.Revenue.principal, .agent, .grossOfTax])
  func figuresComeToWhatAppleOwes(revenue: Settings.Revenue) throws {
    let month = SampleBooks.reconciliation
    let pack = Self.pack(month, revenue: revenue)
    let figures = Self.figures(pack)
    func sum(_ parts: [CloseFigure]) -> Int64 { parts.reduce(0) { $0 + (figures[$1] ?? 0) } }
    #expect(figures[.opening] == 19_850_000_000)
    #expect(figures[.proceeds] == sum(CloseFigure.ofSales))
    #expect(
      figures[.closing]
        == sum([
          .opening, .proceeds, .settlementDifference, .paymentDifference, .adjustment, .inputTax,
          .withholding, .paid, .exchange,
        ]))
    let closings = pack.receivable.compactMap { $0.base?.closing.micros }
    #expect(closings.count == pack.receivable.count && figures[.closing] == closings.reduce(0, +))
    for figure in [CloseFigure.sold, .paid] { #expect(figures[figure] != 0, "\(figure)") }
    #expect(figures[.sold]! > 0 && figures[.refunded]! < 0 && figures[.commission]! < 0)
    #expect(figures[.journalTotal]! > 0)
    let accounts = try #require(pack.journal).accounts
    #expect(accounts.reduce(0) { $0 + $1.baseDebit! - $1.baseCredit! } == 0)
  }

  @Test func formulasGiveTheFigures() throws {
    let earlier = Self.statement(Dictionary(CloseFigure.allCases.map { ($0, 7_000_000) }) { $1 })
    let sheet = CloseSheet(Self.pack(SampleBooks.reconciliation, .compared, before: earlier))
      .sheet()
    let calculation = SheetCalculation(sheet)
    #expect(calculation.formulas.count > 20)
    #expect(calculation.differences == [])
  }

  /// Without a rate nothing is added up that is not there, and it is said.
  @Test func aMissingRateHidesWhatItWouldMakeWrong() throws {
    let pack = Self.pack(SampleMonth.withoutRates)
    let figures = Self.figures(pack)
    for figure in [CloseFigure.opening, .sold, .proceeds, .closing, .journalTotal] {
      #expect(figures[figure] == nil, "\(figure)")
    }
    #expect(figures[.matchedUnits] != nil && pack.statement.gap != nil)
    let text = dump([CloseSheet(pack).sheet()])
    let names = CloseFigure.allCases.filter { figures[$0] == nil && $0 != .settled }
      .map(\.label.english)
    #expect(names.contains("withholding") && names.contains("conversion and rounding"))
    let gap =
      "not known, because an exchange rate into CNY is missing: "
      + names.joined(separator: ", ")
    #expect(text.contains("no rate") && text.contains(gap) && pack.statement.text.contains(gap))
    var json = JSONWriter()
    json.object { $0.members(of: pack.statement) }
    let plain = json.text().filter { !$0.isWhitespace }
    for figure in [CloseFigure.withholding, .journalTotal, .opening] {
      let member = "\"figure\":\"\(figure.rawValue)\",\"currency\":\"CNY\",\"amount\":null"
      #expect(plain.contains(member), "\(figure) in \(plain)")
    }
    let kept = try #require(
      CloseStatement(ofCSV: pack.statement.csv, period: pack.statement.period))
    #expect(kept == pack.statement)
  }

  /// What a fiscal month settled is not known without a financial report; a calendar month settles
  /// nothing, and a fiscal one has no journal.
  @Test func onlyFiguresThatSuchAMonthHasAreNotKnown() {
    func gap(_ period: String) -> String {
      let known = CloseFigure.allCases.filter {
        ![.settled, .journalTotal, .journalEntries].contains($0)
      }
      return CloseStatement(
        Period(period)!, in: Currency("CNY")!, Dictionary(known.map { ($0, 1) }) { $1 },
        comparison: .notClosed, before: nil, opening: nil
      ).gap?.english ?? ""
    }
    #expect(gap("FY2023-P09").hasSuffix("into CNY is missing: settled by financial reports"))
    #expect(gap("FY2023-P09").contains("a financial report or"))
    let journal = "journal total (Dr = Cr), journal entries"
    #expect(gap("2023-06").hasSuffix("into CNY is missing: " + journal))
  }

  /// Of an earlier month's payment the month's own bank statements say nothing.
  @Test func anEarlierPaymentLeadsToItsClose() throws {
    var month = SampleFiscalMonth.reconciliation
    var payment = try #require(month.settlement?.payments.first { $0.paid != nil })
    payment.month = FiscalMonth(year: 2023, number: 8)
    payment.paidOn = Day("2023-06-29")
    month.settlement?.paidInMonth = [payment]
    func beside() -> String? { month.remarksBesideFigures(Settings())[.paid]?.text.english }
    let paid = "for FY2023-P08 (2023-06-29)"
    #expect(beside() == paid + "; received by the bank: see close of FY2023-P08")
    month.settlement?.paidInMonth[0].month = nil
    #expect(beside() == "for FY2023-P09 (2023-06-29)")
  }

  @Test func whatIsNotThereIsNotCompared() throws {
    let earlier = Self.statement([.opening: 5_000_000, .withholding: 0, .closing: 9_000_000])
    let cases: [(CloseStatement.Comparison, CloseStatement?, String)] = [
      (.notClosed, nil, "2023-05 is not closed"),
      (.noFigures, nil, "2023-05 was closed by an earlier version"),
      (.otherCurrency, Self.statement([.opening: 1], "USD"), "in another base currency"),
    ]
    for (comparison, before, words) in cases {
      let pack = Self.pack(SampleBooks.reconciliation, comparison, before: before)
      #expect(pack.statement.lines.allSatisfy { $0.before == nil && $0.change == nil })
      #expect(pack.statement.text.contains(words))
      #expect(dump([CloseSheet(pack).sheet()]).contains(words))
    }
    let compared = Self.pack(SampleBooks.reconciliation, .compared, before: earlier).statement
    #expect(compared.remark == nil)
    let opening = try #require(compared.lines.first { $0.figure == .opening })
    #expect(opening.change == Int64(19_845_000_000))
    // A figure that was left out because it was nothing is nothing; one that was unknown is not.
    #expect(compared.lines.first { $0.figure == .withholding }?.before == 0)
    #expect(compared.lines.first { $0.figure == .sold }?.before == nil)
  }

  @Test func whatACloseKeepsIsReadAsItWas() throws {
    let earlier = Self.statement([.opening: -5_000_001, .sold: 7_000_000, .errors: 3])
    let statement = Self.pack(SampleBooks.reconciliation, .compared, before: earlier).statement
    let csv = statement.csv
    #expect(CloseStatement(ofCSV: csv, period: statement.period) == statement)
    for (old, new) in [
      ("opening,", "openning,"), ("compared", "perhaps"), ("opening,CNY", "opening,"),
      ("errors,,", "errors,CNY,"), ("sold,CNY,", "sold,USD,"), ("sold,CNY,", "sold,CNY,x"),
      ("sold,CNY,", "opening,CNY,"), ("figure,", "figures,"),
    ] {
      #expect(csv.contains(old))
      let changed = csv.replacing(old, with: new, maxReplacements: 1)
      #expect(CloseStatement(ofCSV: changed, period: statement.period) == nil, "\(old)")
    }
    #expect(CloseStatement(ofCSV: "", period: statement.period) == nil)
  }

  @Test func whoAcceptedWhatAndWhyIsNamed() throws {
    var month = SampleBooks.reconciliation
    let remark = Remark(
      number: 1, .accept, of: month.findings[1], period: "2023-06",
      at: Day("2023-07-06")!.startUTC, by: "bob", reason: "Apple pays it in July")
    month.findings[1].work = FindingWork([remark], of: month.findings[1])
    let first = month.findings[0]
    let pack = Self.pack(
      month,
      accepting: [Acceptance(finding: first.id, code: first.code.rawValue, reason: "known")])
    #expect(pack.accepted.map(\.by) == ["ann", "bob"])
    #expect(pack.accepted.map(\.reason) == ["known", "Apple pays it in July"])
    #expect(Self.figures(pack)[.accepted] == 2)
    try expectGolden(dump([CloseSheet(pack).sheet()]), "close.sheet.txt")
  }

  @Test func aClosedWorkbookBeginsWithIt() {
    let pack = Self.pack(SampleBooks.reconciliation)
    let sheets = WorkbookContents(SampleBooks.reconciliation, pack: pack).sheets()
    #expect(sheets.prefix(2).map(\.name) == ["Close", "Summary"])
    let title = "CLOSED 2023-06: close no. 4, made at 2023-08-25T21:46:40Z by ann"
    #expect(sheets[1].rows[0].cells == [.text(title)])
    #expect(!WorkbookContents(SampleBooks.reconciliation).sheets().contains { $0.name == "Close" })
  }
}
