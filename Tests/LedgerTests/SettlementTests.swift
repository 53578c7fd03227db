import Billing
import Testing

@testable import Ledger

/// What Apple settles and pays, stored and read back.
struct SettlementTests {
  let scratch = Scratch()
  private let june = FiscalMonth("FY2023-P09")!
  private let july = FiscalMonth("FY2023-P10")!

  private func terms(_ sku: String, currency: String = "CNY") -> FinanceTerms {
    FinanceTerms(
      storefront: Storefront("CN")!, sku: sku, appleIdentifier: "1", type: ProductType("IA1"),
      title: "Gems", isReturn: sku == "back", share: 4_120_000, currency: Currency(currency)!,
      customerPrice: -6_000_000, customerCurrency: nil, promoCode: "CR", orderType: "x")
  }

  private func row(_ line: Int32, _ terms: Int32, days: Bool = false) -> FinanceRow {
    FinanceRow(
      line: line, quantity: -line, extended: Int64(line) * 4_120_000, terms: terms,
      transactionDay: days ? Day("2023-06-01") : nil,
      settlementDay: days ? Day("2023-06-05") : nil)
  }

  private func block(_ kind: InputKind, _ rows: [FinanceRow], _ terms: [FinanceTerms]) -> FactBlock
  {
    var block = FactBlock(rows: .finance(kind, rows))
    block.newFinanceTerms = terms
    return block
  }

  private func load(
    _ name: String, _ kind: InputKind, _ blocks: [FactBlock], region: String = "",
    vendor: String = "8",
    month: FiscalMonth, into ledger: Ledger
  ) throws -> FileOutcome {
    let header = FileHeader(file: name, kind: kind, importedAt: Instant(seconds: 0))
    return try ledger.importFile(header) { appender in
      for block in blocks { try appender.append(block) }
      return .keep(
        FileTrailer(
          sha256: name, headSHA256: name, vendor: vendor, region: region, begin: month.first,
          end: month.last, rows: blocks.reduce(0) { $0 + $1.rowCount },
          rejected: blocks.reduce(0) { $0 + $1.rejects.count }, byteCount: 1))
    }
  }

  @Test func reportsComeBackAsTheyWere() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    var first = block(.finance, [row(2, 0), row(3, 1)], [terms("a"), terms("back")])
    first.footers = [FinanceFooterLine(line: 5, footer: .rows(2))]
    var last = block(.finance, [row(4, 0)], [])
    let zone = FinanceFooter.storefront(
      Storefront("DE")!, Currency("EUR")!, quantity: 2, extended: 3_000_000)
    last.footers = [
      FinanceFooterLine(line: 6, footer: .amount(7_000_000, Currency("AUD"))),
      FinanceFooterLine(line: 7, footer: .amount(7_000_000, nil)),
      FinanceFooterLine(line: 8, footer: .units(-3)), FinanceFooterLine(line: 9, footer: zone),
    ]
    _ = try load("cn.txt", .finance, [first, last], region: "CN", month: june, into: ledger)
    let detail = block(.financeDetail, [row(5, 0, days: true)], [terms("back")])
    _ = try load("z1.txt", .financeDetail, [detail], region: "Z1", month: june, into: ledger)
    _ = try load("none.txt", .finance, [], region: "AU", month: june, into: ledger)
    let facts = try ledger.settlementFacts(june.last...june.last)
    #expect(facts.terms == [terms("a"), terms("back")])
    #expect(facts.reports.map(\.file) == ["none.txt", "cn.txt", "z1.txt"])
    #expect(facts.reports.map(\.isDetail) == [false, false, true])
    #expect(facts.reports.map(\.region) == ["AU", "CN", "Z1"])
    let report = facts.reports[1]
    #expect(report.rows.map(\.terms) == [0, 1, 0] && report.rows.map(\.row) == [1, 2, 3])
    #expect(report.rows.map(\.quantity) == [-2, -3, -4] && report.month == june)
    #expect(report.rows[1].extended == 12_360_000 && report.rows[1].settlementDay == nil)
    #expect(report.footers == first.footers + last.footers)
    let row = facts.reports[2].rows[0]
    #expect(row.terms == 1 && row.transactionDay == Day("2023-06-01"))
    #expect(row.settlementDay == Day("2023-06-05"))
    let places = try ledger.resolveFinance([1, 3, 4])
    #expect(
      places.map(\.source) == [
        Source(file: "cn.txt", line: 2), Source(file: "cn.txt", line: 4),
        Source(file: "z1.txt", line: 5),
      ])
    #expect(try ledger.settlementFacts(july.first...july.last).reports.isEmpty)
  }

  @Test func theVersionImportedLastCounts() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    func load(_ name: String, _ region: String, _ vendor: String, _ month: FiscalMonth) throws
      -> String?
    {
      let outcome = try self.load(
        name, .finance, [block(.finance, [row(2, 0)], [terms("a")])], region: region,
        vendor: vendor, month: month, into: ledger)
      guard case .imported(let superseded) = outcome else { return "not imported" }
      return superseded
    }
    #expect(try load("1", "CN", "8", june) == nil)
    #expect(try load("2", "AU", "8", june) == nil)
    #expect(try load("3", "CN", "9", june) == nil)
    #expect(try load("4", "CN", "8", july) == nil)
    #expect(try load("5", "CN", "8", june) == "1")
    #expect(try load("6", "CN", "8", june) == "5")
    let facts = try ledger.settlementFacts(june.first...july.last)
    #expect(facts.reports.map(\.file) == ["2", "6", "3", "4"])
    #expect(try ledger.files().filter { $0.region == "AU" }.map(\.input.file) == ["2"])
  }

  private func line(_ line: Int32, block: Int32, region: String) -> PaymentLine {
    PaymentLine(
      line: line, block: block, region: region, label: "A label", currency: Currency("JPY")!,
      units: 3, balance: block == 0 ? nil : 1, earned: 2, preTaxSubtotal: nil, inputTax: 3,
      adjustments: -4, withholding: -5, owed: 6, printedRate: block == 0 ? 7 : nil,
      proceeds: block == 0 ? 8 : nil, bankCurrency: block == 0 ? Currency("EUR") : nil)
  }

  @Test func paymentsComeBackAsTheyWere() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let lines = [line(4, block: 0, region: "JP"), line(9, block: 1, region: "")]
    let payout = Payout(
      line: 6, block: 0, amount: 8, currency: Currency("EUR"), account: "BANK-1",
      day: Day("2023-08-03"), isPaid: true)
    let rows = PaymentRows(lines: lines, payouts: [payout])
    _ = try load("p.csv", .payments, [FactBlock(rows: .payments(rows))], month: june, into: ledger)
    let summary = try #require(ledger.settlementFacts(june.first...june.first).payments.first)
    #expect(summary.lines == lines && summary.month == june && summary.vendor == "8")
    let open = Payout(
      line: 9, block: 1, amount: nil, currency: nil, account: "", day: nil, isPaid: false)
    #expect(summary.payouts == [payout, open])
    let again = PaymentRows(lines: [lines[0]], payouts: [payout])
    let outcome = try load(
      "q.csv", .payments, [FactBlock(rows: .payments(again))], month: june, into: ledger)
    #expect(outcome == .imported(superseding: "p.csv"))
    #expect(try ledger.settlementFacts(june.first...june.first).payments.map(\.file) == ["q.csv"])
  }
}
