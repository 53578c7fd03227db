import Billing
import Support
import Testing

@testable import Ledger

/// What Apple settles and pays, stored and read back.
struct SettlementTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }
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

  private let product = SubscriptionProduct(
    appName: "App", appID: "1", name: "pro", id: "2", groupID: "3", duration: "1 Month")
  private let offer = SubscriptionOffer(name: "o", promotionalID: "p", type: "t", duration: "d")
  private let price = SubscriptionPrice(
    customerPrice: -299_000_000, customerCurrency: Currency("RUB"), proceeds: 209_300_000,
    proceedsCurrency: Currency("RUB"))
  private let circumstance = SubscriptionCircumstance(
    preservedPricing: "Yes", proceedsReason: "r", client: "c", device: "iPhone", state: "s",
    storefront: Storefront("RU"))

  /// The terms come back from their dictionaries, the rows from the views.
  @Test func subscriptionReportsComeBackAsTheyWere() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let subscription = SubscriptionTerms(
      product: product, offer: offer, price: price, circumstance: circumstance)
    let counts = (0..<17).map { $0 == 13 ? nil : Int32($0) }
    var block = FactBlock(
      rows: .subscriptions([SubscriptionRow(line: 2, terms: 0, counts: counts)]))
    block.newSubscriptionTerms = [subscription]
    _ = try load("s.txt", .subscription, [block], month: june, into: ledger)
    let event = SubscriptionEventTerms(
      event: "Renew", product: product, offer: offer, marketingOptIn: "m",
      marketingOptInDuration: "n", circumstance: circumstance, previousName: "q",
      previousID: "i", cancellationReason: "x")
    let eventRow = SubscriptionEventRow(
      line: 3, terms: 0, day: Day("2023-06-05")!, quantity: 7, originalStart: Day("2022-06-05"),
      consecutivePaidPeriods: 1, daysBeforeCanceling: nil, daysCanceled: 2,
      paidServiceDaysRecovered: 3)
    block = FactBlock(rows: .subscriptionEvents([eventRow]))
    block.newSubscriptionEventTerms = [event]
    _ = try load("e.txt", .subscriptionEvent, [block], month: june, into: ledger)
    let subscriber = SubscriberTerms(
      product: product, offer: offer, marketingOptInDuration: "n", price: price,
      circumstance: circumstance, isReset: true, isRefund: false)
    let subscriberRow = SubscriberRow(
      line: 4, terms: 0, day: Day("2023-06-05")!, subscriber: "0123", purchaseDay: nil, units: 1)
    block = FactBlock(rows: .subscribers([subscriberRow]))
    block.newSubscriberTerms = [subscriber]
    _ = try load("r.txt", .subscriber, [block], month: june, into: ledger)
    try ledger.read { db in
      #expect(try TermsDictionary<SubscriptionTerms>.all(db) == [subscription])
      #expect(try TermsDictionary<SubscriptionEventTerms>.all(db) == [event])
      #expect(try TermsDictionary<SubscriberTerms>.all(db) == [subscriber])
      func row(_ columns: String, _ view: String) throws -> String {
        let rows = try #require(LedgerView.all.first { $0.name == view }).select
        let select = try RawStatement(db, "SELECT \(columns) FROM (\(rows))")
        _ = try select.step()
        return (0..<Int32(columns.split(separator: ",").count)).map { select.text($0) }
          .joined(separator: " ")
      }
      let figures = "source, day, standard, win_back_pay_as_you_go, customer_price, proceeds"
      #expect(try row(figures, "v_subscription") == "s.txt:2 2023-06-04 0 16 -299.0 209.3")
      #expect(
        try row("source, event_date, event, quantity, days_canceled", "v_subscription_event")
          == "e.txt:3 2023-06-05 Renew 7 2")
      #expect(
        try row("source, subscriber, units, is_reset, storefront", "v_subscriber")
          == "r.txt:4 0123 1 1 RU")
      let views = ["v_finance", "v_finance_footer", "v_payment", "v_payout", "v_file"]
      for view in views { _ = try row("*", view) }
    }
  }
}
