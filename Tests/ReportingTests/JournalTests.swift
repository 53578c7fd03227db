import Billing
import Foundation
import Support
import Testing

@testable import Reporting
@testable import Matching

/// Double entry of months of which all figures are known. That entries balance is a precondition
/// of each of them.
struct JournalTests {
  private static let months: [Reconciliation] = [
    SampleMonth.reconciliation, SampleMonth.withBookings, SampleFiscalMonth.reconciliation,
    SampleMonth.withDeferral,
  ]

  private func journal(
    _ month: Reconciliation, _ revenue: Settings.Revenue = .gross
  ) -> Journal {
    var settings = Settings()
    settings.revenue = revenue
    return Journal(month, settings: settings)
  }

  @Test func grossRevenueIsWhatCustomersPaid() {
    let month = SampleMonth.reconciliation
    let journal = journal(month)
    func sums(_ part: (ProceedsLine) -> Money) -> [Currency: Int64] {
      Dictionary(
        month.proceeds.map(part).map { ($0.currency, $0.micros) }, uniquingKeysWith: +)
    }
    var gross: [Currency: Int64] = [:]
    for role in AccountRole.allCases
    where role.rawValue.hasPrefix("revenue") || role == .refunds {
      gross.merge(journal.balances(of: role), uniquingKeysWith: +)
    }
    #expect(gross == sums { -$0.gross })
    #expect(journal.balances(of: .tax) == sums(\.tax))
    #expect(journal.balances(of: .receivable) == sums(\.proceeds))
    #expect(journal.balances(of: .bank).isEmpty)
  }

  @Test func netRevenueIsWhatApplePays() {
    let journal = journal(SampleMonth.reconciliation, .net)
    let used = Set(journal.entries.flatMap(\.postings).map(\.account))
    #expect(
      used == [.receivable, .refunds, .revenueConsumable, .revenueAutoRenewable, .revenueApps])
    #expect(
      journal.balances(of: .receivable)
        == self.journal(SampleMonth.reconciliation).balances(of: .receivable))
  }

  @Test func changesOfClosedMonthsHaveEntriesOfTheirOwn() throws {
    let journal = journal(SampleMonth.withBookings)
    let plain = self.journal(SampleMonth.reconciliation)
    #expect(Array(journal.entries.prefix(plain.entries.count)) == plain.entries)
    let later = journal.entries.dropFirst(plain.entries.count)
    let entry = try #require(later.first)
    #expect(later.count == 1)
    #expect(entry.narration == "Apple 2023-06: changes of 2023-05, closed before, in DE")
    #expect(
      entry.postings.map { "\($0.account) \($0.amount.text)" } == [
        "receivable 2.99", "commission 1.30", "tax 0.70", "priorPeriod -4.99",
      ])
    let net = self.journal(SampleMonth.withBookings, .net).entries.last
    #expect(
      net?.postings.map { "\($0.account) \($0.amount.text)" } == [
        "receivable 2.99", "priorPeriod -2.99",
      ])
  }

  @Test func aFiscalMonthEndsAtTheBank() {
    let journal = journal(SampleFiscalMonth.reconciliation)
    let settlement = SampleFiscalMonth.reconciliation.settlement!
    #expect(
      journal.balances(of: .bank) == [
        Currency("CNY")!: settlement.payments.reduce(0) { $0 + ($1.paid?.micros ?? 0) }
      ])
    // What remains of the receivable: differences that make up for what the sales reports lacked,
    // and what is owed and not paid; without what the months before had put there.
    var expected: [Currency: Int64] = [:]
    for line in settlement.lines { expected[line.currency, default: 0] += line.difference.micros }
    for payment in settlement.payments {
      let change =
        payment.difference + payment.adjustment + payment.withholding + payment.inputTax
      let owed = payment.paid == nil ? change : change - payment.owed
      expected[payment.currency, default: 0] += owed.micros
    }
    #expect(journal.balances(of: .receivable) == expected.filter { $0.value != 0 })
  }

  @Test func aRevaluationIsBookedInBaseCurrency() {
    let journal = journal(SampleFiscalMonth.reconciliation)
    #expect(journal.balances(of: .exchange) == [Currency("CNY")!: -200_000_000])
    #expect(journal.balances(of: .revaluation) == [Currency("CNY")!: 200_000_000])
  }

  @Test func whatIsDeferredLeavesRevenue() throws {
    let month = SampleMonth.withDeferral
    let journal = journal(month)
    let plain = self.journal(SampleMonth.reconciliation)
    let euro = Currency("EUR")!
    let deferred = month.deferral.filter { $0.currency == euro }
      .sum(in: euro) { $0.end - $0.start }.micros
    #expect(journal.balances(of: .deferred)[euro] == -deferred)
    #expect(
      journal.balances(of: .revenueAutoRenewable)[euro]
        == plain.balances(of: .revenueAutoRenewable)[euro]! + deferred)
    #expect(journal.balances(of: .receivable) == plain.balances(of: .receivable))
    try expectGolden(deferredCSV(month), "deferred.csv")
    let sheets = WorkbookContents(month).sheets().filter { $0.name == "Subscriptions" }
    let table = sheets.map { sheet in
      var sheet = sheet
      sheet.rows = Rows([])
      return sheet
    }
    try expectGolden(dump(table), "deferral.sheet.txt")
  }

  @Test func theReceivableIsReadBack() throws {
    let month = SampleFiscalMonth.reconciliation
    let csv = receivableCSV(month)
    try expectGolden(csv, "receivable.csv")
    #expect(
      closingBalances(ofReceivableCSV: csv, base: month.baseCurrency)
        == month.receivable.map {
          ReceivableBalance(amount: $0.own.closing, base: $0.base?.closing)
        })
    #expect(closingBalances(ofReceivableCSV: "a,b\n1,2\n", base: month.baseCurrency) == nil)
  }

  @Test func theReceivableStandsBelowTheSettlement() throws {
    let sheets = WorkbookContents(SampleFiscalMonth.reconciliation).sheets()
    try expectGolden(dump(sheets.filter { $0.name == "Settlement" }), "settlement.sheet.txt")
  }

  @Test(arguments: [
    (0, "calendar.csv", "calendar.journal", "calendar.beancount"),
    (2, "fiscal.csv", "fiscal.journal", "fiscal.beancount"),
  ])
  func texts(index: Int, csv: String, hledger: String, beancount: String) throws {
    var month = Self.months[index]
    month.products.removeAll { !["DE", "TR"].contains($0.storefront.code) }
    let journal = journal(month)
    try expectGolden(journal.csv(Accounts()), csv)
    try expectGolden(journal.hledger(Accounts()), hledger)
    try expectGolden(journal.beancount(Accounts(), base: SampleMonth.base), beancount)
  }

  /// The tools themselves are the judges of what they take.
  @Test(arguments: months.indices, Settings.Revenue.allCases)
  func toolsTakeIt(index: Int, revenue: Settings.Revenue) throws {
    let journal = journal(Self.months[index], revenue)
    for accounts in [Accounts(), Self.chinese] {
      try expectTaken(by: ["hledger", "check", "--strict", "-f"], journal.hledger(accounts))
      try expectTaken(by: ["bean-check"], journal.beancount(accounts, base: SampleMonth.base))
    }
  }

  private static let chinese: Accounts = {
    var accounts = Accounts()
    accounts[.receivable] = "1122 应收账款:Apple"
    accounts[.bank] = "Assets:银行存款"
    accounts[.revenueConsumable] = "income:coins & gems"
    return accounts
  }()

  private func expectTaken(by command: [String], _ text: String) throws {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "journal.txt")
    try Data(text.utf8).write(to: file)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command + [file.path(percentEncoded: false)]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus == 127 {
      FileHandle.standardError.write(Data("skipped: \(command[0]) is not installed\n".utf8))
      return
    }
    #expect(process.terminationStatus == 0, "\(command[0]): \(said)")
  }
}

/// Journals of made-up months: whatever was sold, what is posted is what was summed up.
struct RandomJournalTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func postingsAreTheSums(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var month = SampleMonth.empty
    month.products = (0..<Int.random(in: 1...30, using: &random)).map { _ in
      Self.product(&random)
    }
    var settings = Settings()
    for revenue in Settings.Revenue.allCases {
      settings.revenue = revenue
      let journal = Journal(month, settings: settings)
      var receivable: [Currency: Int64] = [:]
      for product in month.products {
        receivable[product.proceedsCurrency, default: 0] += product.net.proceeds.micros
      }
      #expect(journal.balances(of: .receivable) == receivable.filter { $0.value != 0 })
    }
    settings.revenue = .gross
    let journal = Journal(month, settings: settings)
    var conversion: [Currency: Int64] = [:]
    var difference: [Currency: Int64] = [:]
    for product in month.products {
      if let own = product.proceedsDifference {
        difference[product.currency, default: 0] -= own.micros
      } else {
        conversion[product.currency, default: 0] += product.net.expectedProceeds.micros
        conversion[product.proceedsCurrency, default: 0] -= product.net.proceeds.micros
      }
    }
    #expect(journal.balances(of: .conversion) == conversion.filter { $0.value != 0 })
    #expect(journal.balances(of: .proceedsDifference) == difference.filter { $0.value != 0 })
  }

  private static func product(_ random: inout SplitMix64) -> ProductProceeds {
    let currencies = ["CNY", "EUR", "JPY", "USD"].map { Currency($0)! }
    let currency = currencies.randomElement(using: &random)!
    let isForeign = Int.random(in: 0..<4, using: &random) == 0
    let paid = isForeign ? currencies.randomElement(using: &random)! : currency
    func part(_ sign: Int64) -> ProductProceeds.Part {
      var part = ProductProceeds.Part(currency, proceedsCurrency: paid)
      part.units = sign * Int64.random(in: 0...1000, using: &random)
      part.gross.micros = part.units * 10_000 * Int64.random(in: 1...9999, using: &random)
      part.tax.micros = part.gross.micros / 11
      part.commission.micros = (part.gross - part.tax).micros * 3 / 10
      part.proceeds.micros =
        part.expectedProceeds.micros + 10_000 * Int64.random(in: -99...99, using: &random)
      return part
    }
    return ProductProceeds(
      storefront: ["CN", "DE", "JP", "TR"].map { Storefront($0)! }.randomElement(using: &random)!,
      entity: "", app: "", sku: "sku", kind: RevenueKind.allCases.randomElement(using: &random)!,
      sold: part(1), refunded: part(-1))
  }

  @Test func anEntryThatDoesNotBalanceIsAnErrorOfTheProgram() async {
    await #expect(processExitsWith: .failure) {
      let currency = Currency("CNY")!
      _ = JournalEntry(
        day: Day(number: 0), narration: "",
        [Posting(.bank, debit: 1, currency), Posting(.receivable, credit: 2, currency)])
    }
  }
}

extension SampleMonth {
  /// The sample month with subscriptions that last beyond it.
  static var withDeferral: Reconciliation {
    var month = reconciliation
    func line(_ currency: String, _ sku: String, _ amounts: Int64..., ahead: Int64...)
      -> DeferralLine
    {
      func money(_ cents: Int64) -> Money { Money(micros: cents * 10_000, Currency(currency)!) }
      return DeferralLine(
        sku: sku, kind: .autoRenewable, start: money(amounts[0]), added: money(amounts[1]),
        recognised: money(amounts[2]), released: money(amounts[3]),
        ahead: ahead.enumerated().map {
          DeferralLine.Month(
            first: Day(year: 2023, month: 7 + $0, day: 1)!, amount: money($1))
        })
    }
    month.deferral = [
      line("CNY", "com.example.vip.month", 0, 3000, 1000, 500, ahead: 1500),
      line("EUR", "com.example.vip.month", 1217, 4990, 3700, 499, ahead: 2008),
      line("EUR", "com.example.vip.year", 30_000, 9999, 3333, 0, ahead: 3111, 3110, 30_445),
    ]
    return month
  }

  /// The sample month with a sale that the month before got after its close.
  static var withBookings: Reconciliation {
    var month = reconciliation
    let changes: [(BridgeCause, Int64)] = [
      (.ledger, 0), (.notInLedger, 4_990_000), (.reportedGross, 4_990_000), (.tax, -700_000),
      (.commission, -1_300_000), (.proceedsDifference, 0), (.reportedProceeds, 2_990_000),
    ]
    month.booked = changes.map { cause, amount in
      BookedChange(
        period: "2023-05", storefront: "DE", cause: cause, units: 1,
        amount: Money(micros: amount, Currency("EUR")!))
    }
    return month
  }
}
