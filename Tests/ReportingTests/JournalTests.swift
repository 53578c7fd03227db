import Billing
import Foundation
import Support
import Testing

@testable import Reporting
@testable import Conclusions

/// Double entry of months of which all figures are known. That entries balance is a precondition
/// of each of them.
struct JournalTests {
  private static let months: [Reconciliation] = [
    SampleMonth.reconciliation, SampleMonth.withBookings, SampleBooks.reconciliation,
    SampleMonth.withDeferral,
  ]

  private func journal(
    _ month: Reconciliation, _ revenue: Settings.Revenue = .grossOfTax
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

  @Test func aPrincipalsRevenueIsWithoutTaxAndItsCommissionAnExpense() {
    let month = SampleMonth.reconciliation
    let (journal, gross) = (journal(month, .principal), journal(month))
    func sums(_ journal: Journal, _ roles: [AccountRole]) -> [Currency: Int64] {
      roles.map(journal.balances).reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
    }
    let revenue = RevenueKind.allCases.map(AccountRole.revenue) + [.refunds]
    #expect(journal.balances(of: .tax).isEmpty && !gross.balances(of: .tax).isEmpty)
    #expect(sums(journal, revenue) == sums(gross, revenue + [.tax]))
    #expect(journal.balances(of: .commission) == gross.balances(of: .commission))
    #expect(journal.balances(of: .receivable) == gross.balances(of: .receivable))
  }

  @Test func anAgentsRevenueIsWhatApplePays() {
    let journal = journal(SampleMonth.reconciliation, .agent)
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
    let principal = self.journal(SampleMonth.withBookings, .principal).entries.last
    #expect(
      principal?.postings.map { "\($0.account) \($0.amount.text)" } == [
        "receivable 2.99", "commission 1.30", "priorPeriod -4.29",
      ])
    let agent = self.journal(SampleMonth.withBookings, .agent).entries.last
    #expect(
      agent?.postings.map { "\($0.account) \($0.amount.text)" } == [
        "receivable 2.99", "priorPeriod -2.99",
      ])
  }

  @Test func aFiscalMonthHasNoJournal() {
    #expect(journal(SampleFiscalMonth.reconciliation).entries.isEmpty)
  }

  @Test func theBankGetsWhatTheBankGot() {
    let journal = journal(SampleBooks.reconciliation)
    #expect(journal.balances(of: .bank) == [SampleMonth.base: 16_650_000_000])
    // A payment in the receivable's currency that lacks something, and a payout beside its regions.
    #expect(journal.balances(of: .paymentDifference) == [SampleMonth.base: 150_000_000])
    let settled = SampleBooks.reconciliation.books!.settled
    #expect(
      journal.entries.filter { $0.narration.contains("FY2023-P07") }.map(\.day.description)
        == ["2023-06-01", "2023-06-01"], "what was before the month stands on its first day")
    #expect(settled.map(\.day).min()! < Day("2023-06-01")!)
  }

  @Test func theReceivableRollsAsTheAccountsDo() throws {
    let month = SampleBooks.reconciliation
    let journal = journal(month)
    #expect(!journal.receivable.isEmpty)
    var inBase: Int64 = 0
    for line in journal.receivable {
      let posted = journal.balances(of: .receivable)[line.currency] ?? 0
      #expect(line.own.closing.micros == line.own.opening.micros + posted, "\(line.currency)")
      let base = try #require(line.base)
      let rate = try #require(line.rate)
      #expect(base.closing == line.own.closing.converted(at: rate, to: SampleMonth.base))
      inBase += base.closing.micros - base.opening.micros
    }
    let accounts: [AccountRole] = [.receivable, .revaluation]
    #expect(try accounts.map { try #require(journal.baseBalance(of: $0)) }.reduce(0, +) == inBase)
    let paid = journal.receivable.first { $0.currency.code == "EUR" }!
    #expect(paid.own.paid.micros == 2_000_000_000 && paid.base?.paid.micros == 15_700_000_000)
  }

  /// Sales at each day's rate come to the same in their currencies, and each value says whose its
  /// rate is.
  @Test(arguments: Settings.Revenue.allCases)
  func salesCountAtTheirDaysRate(_ revenue: Settings.Revenue) throws {
    var month = SampleBooks.reconciliation
    month.books!.settled = []
    // What the month sold, on the day of one rate, and what it gave back, on that of another.
    month.dayProceeds = month.products.flatMap { product in
      var (sold, refunded) = (product, product)
      let none = ProductProceeds.Part(product.currency, proceedsCurrency: product.proceedsCurrency)
      (sold.refunded, refunded.sold) = (none, none)
      return [
        DayProceeds(day: Day("2023-06-10")!, proceeds: sold),
        DayProceeds(day: Day("2023-06-29")!, proceeds: refunded),
      ]
    }
    var settings = Settings()
    settings.revenue = revenue
    let byMonth = Journal(month, settings: settings)
    settings.revenueRate = .day
    let byDay = Journal(month, settings: settings)
    for role in AccountRole.allCases
    where ![.realisedExchange, .unrealisedExchange, .revaluation]
      .contains(role)
    {
      #expect(byDay.balances(of: role) == byMonth.balances(of: role), "\(role)")
    }
    let rates = month.books!.rates
    func lines(_ journal: Journal, _ day: String) -> [JournalLine] {
      journal.lines(Accounts()).filter {
        $0.entry.day == Day(day)! && $0.entry.narration.contains("sales and refunds")
          && $0.amount.currency.code == "EUR" && $0.used != nil
      }
    }
    #expect(Set(lines(byMonth, "2023-06-30").map(\.used?.day)) == ["2023-06"])
    #expect(Set(lines(byDay, "2023-06-10").map(\.used?.day)) == ["2023-05-30"])
    #expect(Set(lines(byDay, "2023-06-29").map(\.used?.day)) == ["2023-06-28"])
    let mean = rates.average(Currency("EUR")!)
    #expect(lines(byMonth, "2023-06-30").allSatisfy { $0.rate == mean })
    for line in lines(byDay, "2023-06-10") {
      let rate = try #require(rates.rate(line.amount.currency, on: line.entry.day))
      #expect(line.rate == rate.value)
      let exact = line.amount.converted(at: rate, to: SampleMonth.base)
      #expect(abs(line.base!.micros - exact.micros) <= 2 * SampleMonth.base.minorUnit)
    }
    // The receivable's roll-forward is the sum of its postings, whatever the rates.
    let accounts: [AccountRole] = [.receivable, .revaluation]
    let moved = try accounts.map { try #require(byDay.baseBalance(of: $0)) }.reduce(0, +)
    let rolled = byDay.receivable.reduce(Int64(0)) {
      $0 + ($1.base?.closing.micros ?? 0) - ($1.base?.opening.micros ?? 0)
    }
    #expect(moved == rolled)
    #expect(
      byDay.csv(Accounts()).hasPrefix(
        "date,entry,account,currency,amount,base_amount,rate,narration,rate_day"))
  }

  /// Books in yen: 0.17 CNY count 4 yen, which is no rate of 23.529412.
  @Test func smallAmountsHaveTheRateThatWasUsed() throws {
    let (yuan, yen, day) = (Currency("CNY")!, Currency("JPY")!, Day("2024-02-29")!)
    let mean = Fraction(20_820_793, over: 1_000_000)
    var entry = JournalEntry(
      day: day, narration: "",
      [
        Posting(
          .paymentDifference, Money(micros: 170_000, yuan), value: Money(micros: 4_000_000, yen)),
        Posting(
          .commission, Money(micros: -170_000, yuan), value: Money(micros: -4_000_000, yen)),
      ])
    func line(_ posting: Posting) -> JournalLine {
      JournalLine(
        entry: entry, name: "", account: "", amount: posting.amount, base: posting.value,
        used: entry.rates[posting.key])
    }
    entry.rates[entry.postings[0].key] = JournalEntry.UsedRate(value: mean, day: "2024-02")
    let rows = List.journal.csv(entry.postings.map(line)).split(separator: "\n").dropFirst()
    #expect(
      rows == [
        "2024-02-29,,,CNY,0.17,4,20.820793,,2024-02", "2024-02-29,,,CNY,-0.17,-4,23.529412,,",
      ])
  }

  @Test func allComesToNothingInBaseCurrency() throws {
    for revenue in Settings.Revenue.allCases {
      let journal = journal(SampleBooks.reconciliation, revenue)
      let sums = try AccountRole.allCases.map { try #require(journal.baseBalance(of: $0)) }
      #expect(sums.reduce(0, +) == 0)
    }
  }

  /// What was paid for at 7.5 and brought 7.85 is a realised gain; what stays is valued at 7.8.
  @Test func realisedAndUnrealisedDifferencesHaveAccountsOfTheirOwn() throws {
    var month = SampleBooks.reconciliation
    month.products = []
    month.books!.settled.removeAll { $0.key.kind != .collected || $0.key.currency.code != "EUR" }
    let journal = journal(month)
    // 2,000 of 2,500 EUR that stood at 18,750.
    #expect(journal.balances(of: .realisedExchange) == [SampleMonth.base: -700_000_000])
    #expect(journal.balances(of: .unrealisedExchange) == [SampleMonth.base: -150_000_000])
    #expect(journal.balances(of: .revaluation) == [SampleMonth.base: 150_000_000])
    month.books!.settled[0].micros = 2_500_000_000
    let all = self.journal(month)
    #expect(all.balances(of: .revaluation).isEmpty, "nothing owed, nothing revalued")
    #expect(all.closing.filter { $0.amount.currency.code == "EUR" } == [])
  }

  @Test func withoutARateAnEntryStaysInItsCurrencies() {
    var month = SampleBooks.reconciliation
    month.books!.rates = MonthRates(RateBook([]), base: SampleMonth.base, period: month.period)
    let journal = journal(month)
    #expect(journal.baseBalance(of: .receivable) == nil)
    #expect(journal.receivable.filter { $0.base != nil }.map(\.currency) == [SampleMonth.base])
    #expect(!journal.balances(of: .realisedExchange).isEmpty)
  }

  @Test func balancesAndSettledAmountsAreReadBack() {
    let month = SampleBooks.reconciliation
    let closing = journal(month).closing
    #expect(!closing.isEmpty && accountBalances(ofCSV: balancesCSV(closing)) == closing)
    let settled = month.books!.settled
    #expect(
      bookedAmounts(ofCSV: settledCSV(settled))?.map(\.key) == settled.map(\.key)
        && bookedAmounts(ofCSV: settledCSV(settled))?.map(\.micros) == settled.map(\.micros))
    #expect(accountBalances(ofCSV: "account,currency\nbank,EUR\n") == nil)
    #expect(bookedAmounts(ofCSV: "kind,place\nbank,EUR\n") == nil)
    let journal = journal(month)
    #expect(
      journalPostings(to: "Assets:Bank", ofJournalCSV: journal.csv(Accounts()))
        == journal.balances(of: .bank))
  }

  @Test func whatIsDeferredLeavesRevenue() throws {
    let month = SampleMonth.withDeferral
    let journal = journal(month)
    let plain = self.journal(SampleMonth.reconciliation)
    let euro = Currency("EUR")!
    var later = month
    later.books = SampleBooks.reconciliation.books
    later.books!.settled = []
    let opened = self.journal(later)
    #expect(
      opened.balances(of: .deferred)[euro]
        == -month.deferral.filter { $0.currency == euro }.sum(in: euro, \.end).micros,
      "what was deferred before is booked too")
    #expect(
      opened.balances(of: .opening)[euro]
        == month.deferral.filter { $0.currency == euro }.sum(in: euro, \.start).micros)
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
    (2, "settled.csv", "settled.journal", "settled.beancount"),
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
      let texts = [
        (["hledger", "check", "--strict", "-f"], journal.hledger(accounts)),
        (["bean-check"], journal.beancount(accounts, base: SampleMonth.base)),
      ]
      for (tool, text) in texts { #expect(try complaint(of: tool, about: text) == nil) }
    }
  }

  private static let chinese: Accounts = {
    var accounts = Accounts()
    accounts[.receivable] = "1122 应收账款:Apple"
    accounts[.bank] = "Assets:银行存款"
    accounts[.revenueConsumable] = "income:coins & gems"
    return accounts
  }()
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
    settings.revenue = .grossOfTax
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
    #expect(journal.balances(of: .realisedExchange) == conversion.filter { $0.value != 0 })
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

extension Journal {
  /// What an account's postings come to in base currency; nil where one has no value in it.
  fileprivate func baseBalance(of role: AccountRole) -> Int64? {
    var sum: Int64 = 0
    for posting in entries.flatMap(\.postings) where posting.account == role {
      guard let value = posting.value(in: base) else { return nil }
      sum += value
    }
    return sum
  }
}

/// The sample month with what Apple settled and paid in it.
enum SampleBooks {
  static var reconciliation: Reconciliation {
    var month = SampleMonth.reconciliation
    let (euro, yuan) = (Currency("EUR")!, SampleMonth.base)
    func settled(
      _ kind: SettledAmount.Kind, _ number: Int, _ place: String, _ amount: Money,
      received: Int64? = nil, on day: String
    ) -> SettledAmount {
      SettledAmount(
        kind, of: FiscalMonth(year: 2023, number: number)!, in: place, amount,
        received: received.map { Money(micros: $0, yuan) },
        account: received == nil && kind != .payoutDifference ? "" : "BANK-1", on: Day(day)!)
    }
    let now = [
      settled(.adjustment, 7, "EU", Money(micros: -12_000_000, euro), on: "2023-05-03"),
      settled(.withholding, 8, "EU", Money(micros: -8_000_000, euro), on: "2023-06-28"),
      settled(
        .collected, 8, "EU", Money(micros: 2_000_000_000, euro), received: 15_700_000_000,
        on: "2023-06-28"),
      settled(
        .collected, 8, "CN", Money(micros: 1_100_000_000, yuan), received: 1_000_000_000,
        on: "2023-06-28"),
      settled(.payoutDifference, 8, "BANK-1", Money(micros: -50_000_000, yuan), on: "2023-06-28"),
      settled(.settlementDifference, 7, "DE", Money(micros: 3_000_000, euro), on: "2023-04-29"),
    ]
    let currencies: [String: Int64] = [
      "EUR": 7_500_000, "USD": 7_000_000, "JPY": 50_000, "TRY": 300_000, "GBP": 8_900_000,
    ]
    var codes: Set<String> = ["EUR"]
    for product in month.products {
      codes.formUnion([product.currency.code, product.proceedsCurrency.code])
    }
    codes.remove(yuan.code)
    var rates: [ExchangeRate] = []
    let days: [(String, Int64)] = [
      ("2023-05-30", 0), ("2023-06-28", 350_000), ("2023-06-30", 300_000),
    ]
    for (day, more) in days {
      for code in codes.sorted() {
        let rate: Int64 = (currencies[code] ?? 900_000) + (code == "EUR" ? more : 0)
        rates.append(
          ExchangeRate(
            date: Day(day)!, base: Currency(code)!, quote: yuan, rate: DecimalRate(micros: rate)))
      }
    }
    month.books = MonthBooks(
      opening: [
        AccountBalance(
          account: .receivable, amount: Money(micros: 2_500_000_000, euro), cost: 18_750_000_000),
        AccountBalance(
          account: .receivable, amount: Money(micros: 1_100_000_000, yuan), cost: 1_100_000_000),
      ], isFirst: true,
      settled: SettledAmount.changes(from: [], to: now, in: month.period),
      rates: MonthRates(RateBook(rates), base: yuan, period: month.period))
    return month
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
