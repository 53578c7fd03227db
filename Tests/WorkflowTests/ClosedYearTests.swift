import Billing
import Conclusions
import Foundation
import Simulation
import Support
import Testing
import Workflow
@testable import Matching
@testable import Reporting

/// A simulated year, with every fault and with deferral, whose months are closed one after the
/// other: the journals of all closes come to what the bridges, the receivable's roll-forwards and
/// the bank's statements say, in every currency and in base currency.
@Suite struct ClosedYearTests {
  private static let calendar = (9...20).map {
    Period("\($0 < 12 ? 2022 : 2023)-\(padded($0 % 12 + 1, 2))")!
  }

  @Test func everyCloseComesToTheSame() throws {
    let year = try ClosedYear()
    year.settings.openingReceivable = try year.soldBefore()
    let books = try Self.close(year, Self.calendar)
    #expect(books.bank > 0 && books.lateEntries > 0 && books.priorEntries > 0)
    #expect(year.found.contains(.sourcesContradict))
    let february = try year.rows("journal.csv", Period("2023-03")!).filter {
      $0["narration"]!.contains("changes of 2023-02, closed before")
    }
    #expect(!february.isEmpty, "the report that came after the close of its month")
    #expect(books.deferred != 0, "something is left to deliver")
    #expect(books.payouts == year.statement(until: Self.calendar[11].last), "each on its day")
    let differing = books.bank - year.paid(by: Self.calendar[11].last)
    #expect(differing == -ClosedYear.fee, "the bank's fee is a payment difference")
    let owed = year.owed(opening: year.settings.openingReceivable, books)
    for (currency, amount) in owed.merging(books.receivable, uniquingKeysWith: { $1 - $0 }) {
      #expect(amount == 0, "\(currency)")
    }
    #expect(books.unvalued == 0)
    #expect(books.base == 0, "all that is booked comes to nothing in base currency")
  }

  /// The same where revenue is booked at the rate of each sale's day.
  @Test func threeMonthsByTheRateOfEachDay() throws {
    let year = try ClosedYear(until: "2023-01-05", orders: 500, faults: 3, late: "20221114")
    year.settings.revenueRate = .day
    // Without a configured opening the first close begins with what is loaded of the fiscal month.
    let begun = try year.soldBefore().merging(year.carriedIn(), uniquingKeysWith: +)
    let books = try Self.close(year, Array(Self.calendar.prefix(3)), begun)
    #expect(books.bank > 0 && books.priorEntries > 0)
    #expect(books.unvalued == 0)
    #expect(books.base == 0, "all that is booked comes to nothing in base currency")
    // Sales of one currency stand on several days of a month, and not all at one rate.
    let rates = try Self.calendar.prefix(3).flatMap { month in
      let sales = try year.rows("journal.csv", month).filter {
        $0["account"] == year.settings.accounts[.receivable]
          && $0["narration"]!.contains("sales and refunds")
      }
      return Dictionary(grouping: sales) { $0["currency"]! }
        .map { Set($0.value.compactMap { $0["rate"] }).count }
    }
    #expect(rates.contains { $0 > 1 }, "\(rates)")
  }

  /// Closes calendar months one after the other, each with the fiscal month of its number.
  ///
  /// - Parameter opening: of the first, where no configuration says it.
  private static func close(
    _ year: ClosedYear, _ months: [Period], _ opening: [Currency: Int64]? = nil
  ) throws -> AddedUp {
    var books = AddedUp(opening: opening ?? year.settings.openingReceivable)
    for (index, month) in months.enumerated() {
      let closedOn = month.last.advanced(by: 6)
      try year.importPayments(until: closedOn)
      try year.importStatement(of: month)
      try year.importRestated(of: month.first)
      // The last fiscal month first, so that all that it concludes is booked in the year.
      let fiscal = FiscalMonth(year: 2023, number: index + 1)!
      if fiscal.number == 12 { try year.closeOnEstimate(fiscal) }
      let result = try year.reconcile(month, asOf: closedOn.description)
      #expect(journalDifferences(result, year.settings) == [], "\(month)")
      try year.close(month, result, asOf: closedOn)
      try books.add(year, month)
      books.check(month)
      #expect(books.bank == year.received(by: month.last), "\(month)")
      if fiscal.number < 12 { try year.closeOnEstimate(fiscal) }
    }
    return books
  }
}

/// What the journals of the closes come to.
private struct AddedUp {
  var receivable: [Currency: Int64]
  var proceeds: [Currency: Int64] = [:]
  var bank: Int64 = 0
  var base: Int64 = 0
  var unvalued = 0
  var lateEntries = 0
  var priorEntries = 0
  /// On the liability of what is sold and not delivered, in all currencies.
  var deferred: Int64 = 0
  /// On the commission of that.
  private var deferredCommission: [Currency: Int64] = [:]
  /// What each payout brought, by the day that the journal names.
  var payouts: [Day: Int64] = [:]
  private var receivableInBase: Int64 = 0
  private var openingInBase: Int64?
  private var table: [[String: String]] = []

  init(opening: [Currency: Int64]) { receivable = opening }

  mutating func add(_ year: ClosedYear, _ month: Period) throws {
    let accounts = year.settings.accounts
    for row in try year.rows("journal.csv", month) {
      let (account, currency) = (row["account"]!, Currency(row["currency"]!)!)
      let amount = try #require(micros(decimal: row["amount"]!))
      let value = micros(decimal: row["base_amount"]!)
      if value == nil { unvalued += 1 }
      base += value ?? 0
      #expect(month.contains(Day(row["date"]!)!), "\(month) \(row)")
      if account == accounts[.receivable] {
        receivable[currency, default: 0] += amount
        receivableInBase += value ?? 0
        if row["narration"]!.contains("sales and refunds")
          || row["narration"]!.contains("closed before")
        {
          proceeds[currency, default: 0] += amount
        }
      }
      if account == accounts[.revaluation] { receivableInBase += amount }
      if account == accounts[.bank] {
        bank += amount
        let day = try #require(
          row["narration"]!.split(separator: " on ").last.flatMap { Day($0.prefix(10)) })
        payouts[day, default: 0] += amount
        if day < month.first { lateEntries += 1 } else { #expect(row["date"]! == "\(day)") }
      }
      if account == accounts[.deferred] { deferred += abs(amount) }
      if account == accounts[.deferredCommission] {
        deferredCommission[currency, default: 0] += amount
      }
      if row["narration"]!.contains("closed before") { priorEntries += 1 }
    }
    let kept = try year.rows("balances.csv", month).filter {
      $0["account"] == AccountRole.deferredCommission.rawValue
    }
    let carried = Dictionary(
      uniqueKeysWithValues: kept.map {
        (Currency($0["currency"]!)!, micros(decimal: $0["amount"]!)!)
      })
    #expect(carried == deferredCommission.filter { $0.value != 0 }, "\(month)")
    table = try year.rows("receivable.csv", month)
    for name in ["journal.hledger", "journal.beancount"] {
      let tool =
        name.hasSuffix("hledger") ? ["hledger", "check", "--strict", "-f"] : ["bean-check"]
      let text = String(decoding: try year.document(name, month), as: UTF8.self)
      let said = try complaint(of: tool, about: text)
      #expect(said == nil, "\(month): \(said ?? "")")
    }
  }

  /// The roll-forward of the last close against the accounts of all.
  mutating func check(_ month: Period) {
    var seen: Set<[String]> = []
    // Of base currency itself the second row repeats the first.
    let rows = table.filter { seen.insert([$0["currency"]!, $0["in"]!]).inserted }
    let own = rows.filter { $0["currency"] == $0["in"] }
    let inBase = rows.filter { $0["in"] == "CNY" }
    let opening = inBase.reduce(Int64(0)) { $0 + micros(decimal: $1["opening"]!)! }
    if openingInBase == nil { openingInBase = opening }
    var closing: [Currency: Int64] = [:]
    for row in own { closing[Currency(row["currency"]!)!] = micros(decimal: row["closing"]!)! }
    #expect(closing.filter { $0.value != 0 } == receivable.filter { $0.value != 0 }, "\(month)")
    let closed = inBase.reduce(Int64(0)) { $0 + micros(decimal: $1["closing"]!)! }
    #expect(closed == openingInBase! + receivableInBase, "\(month) in base currency")
    #expect(Set(inBase.map { $0["currency"]! }) == Set(own.map { $0["currency"]! }))
  }
}

/// A year's world, its files brought in as they come.
private final class ClosedYear {
  private static let held = "held"
  private let inputs: SimulatedInputs
  private let ledger: String
  private var imported: Set<FiscalMonth> = []
  private var restated: Set<String> = []
  private var clock: Int64 = 1_664_000_000
  var settings = Settings()

  private var settlements: [TrueSettlement] { inputs.truth.settlement ?? [] }

  private let lateReport: String

  /// - Parameters:
  ///   - until: the last day that is simulated.
  ///   - late: the day whose only report comes after its month was closed.
  init(
    until: String = "2023-10-05", orders: Int = 1600, faults: Int = 12, late: String = "20230214"
  ) throws {
    lateReport = "S_D_85127269_\(late).txt.gz"
    var parameters = SimulationParameters()
    parameters.seed = 1312
    parameters.orders = orders
    parameters.period = Period("2022-09-25..\(until)")!
    parameters.storefronts = ["CN", "US", "JP", "DE", "GB", "KR", "MO", "ID"].map {
      Storefront($0)!
    }
    parameters.faults = SimulationParameters.everyFault()
    parameters.settlement = SettlementParameters()
    parameters.settlement!.faults = faults
    // Sources of some purchases contradict each other.
    parameters.appleShare = 0.03
    parameters.appleFaults = [.purchaseTime: 2, .refundNotified: 2, .refundReversed: 2]
    inputs = try SimulatedInputs(parameters)
    ledger = inputs.folder.path + "/ledger.sqlite"
    settings.bundleIDs = ["com.lumen.orbit"]
    settings.sandboxUsers = ["tester-1", "tester-2"]
    settings.deferral = true
    settings.deferCommission = true
    try holdBack()
    try take([inputs.path])
  }

  /// Each payments summary comes first as an estimate, without its payout; what replaces a report,
  /// and the summaries as Apple paid them, come later.
  private func holdBack() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: place(Self.held), withIntermediateDirectories: true)
    let finance = inputs.path + "/finance"
    for name in try files.contentsOfDirectory(atPath: finance) where name.hasPrefix("financial") {
      let text = try String(contentsOfFile: "\(finance)/\(name)", encoding: .utf8)
      try files.moveItem(atPath: "\(finance)/\(name)", toPath: place("\(Self.held)/\(name)"))
      let estimate = text.split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.hasPrefix(",,,,,,,,,,\"") && !$0.hasPrefix(",,,,,,,,,,Paid to") }
      try estimate.joined(separator: "\n")
        .write(toFile: "\(finance)/\(name)", atomically: true, encoding: .utf8)
    }
    // A day's only report, which comes after its month was closed.
    try files.moveItem(
      atPath: "\(inputs.path)/\(lateReport)", toPath: place("\(Self.held)/\(lateReport)"))
    let first = inputs.path + "/" + SimulatedMonth.firstDownloads
    for name in try files.contentsOfDirectory(atPath: first) {
      try files.moveItem(
        atPath: "\(inputs.path)/\(name)", toPath: place("\(Self.held)/\(name)"))
    }
  }

  private func place(_ name: String) -> String { inputs.folder.path + "/" + name }

  private func take(_ paths: [String]) throws {
    clock += 86_400
    var request = ImportRequest(
      paths: paths, ledgerPath: ledger, importedAt: Instant(seconds: clock))
    request.roots = inputs.roots.certificates
    request.leftOut = inputs.roots.paths
    let summary = try importFiles(request)
    #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
  }

  /// What was sold before the first month that is closed, and settles in it.
  func soldBefore() throws -> [Currency: Int64] {
    let before = try reconcile(Period("2022-09-25..2022-09-30")!, asOf: "2022-10-05")
    return before.products.reduce(into: [:]) {
      $0[$1.proceedsCurrency, default: 0] += $1.net.proceeds.micros
    }
  }

  /// What was sold before the first fiscal month and settled in it, by the truth.
  func carriedIn() -> [Currency: Int64] {
    (settlements.first?.storefronts ?? []).reduce(into: [:]) {
      $0[$1.currency, default: 0] += $1.carryIn
    }
  }

  /// When the summary of a month that was paid comes: mostly soon, every third one after the month
  /// of its payment was closed.
  private func arrival(_ truth: TrueSettlement) -> Day {
    truth.payout.day.advanced(by: truth.month.number % 3 == 0 ? 45 : 2)
  }

  func importPayments(until day: Day) throws {
    for truth in settlements where arrival(truth) <= day && !imported.contains(truth.month) {
      imported.insert(truth.month)
      try take([place("\(Self.held)/financial_report-\(truth.month.fileStamp).csv")])
    }
  }

  /// Brings in what replaces reports of days before `day`, which are closed then.
  func importRestated(of day: Day) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: place(Self.held))
      .filter { $0.hasPrefix("S_D_") && !restated.contains($0) }
    let closed = names.sorted().filter { name in
      let digits = name.split(separator: "_").last!.prefix(8)
      return Day("\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")! < day
    }
    restated.formUnion(closed)
    if !closed.isEmpty { try take(closed.map { place("\(Self.held)/\($0)") }) }
  }

  /// What the bank keeps of one payout.
  static let fee: Int64 = 25_000_000
  private static let withFee = FiscalMonth(year: 2023, number: 5)!
  /// Its payout comes to the bank after the month in which it is due.
  private static let late = FiscalMonth(year: 2023, number: 2)!

  /// What the bank has of a payout, and when.
  private func credit(_ truth: TrueSettlement) -> (day: Day, amount: Int64) {
    let days = truth.month == Self.late ? 8 : truth.month.number % 3
    return (
      truth.payout.day.advanced(by: days),
      truth.payout.amount - (truth.month == Self.withFee ? Self.fee : 0)
    )
  }

  /// The bank's statement of a month, which has other lines too.
  func importStatement(of month: Period) throws {
    var lines = ["\(month.first),-3.00,CNY,fee", "\(month.last),1200.00,CNY,rent"]
    for (day, amount) in settlements.map(credit) where month.contains(day) {
      lines.append("\(day),\(decimalText(micros: amount, minimumDigits: 2)),CNY,APPLE PAYMENT")
    }
    let name = place("statement-\(month).csv")
    try ("date,amount,currency,reference\n" + lines.map { $0 + "\n" }.joined())
      .write(toFile: name, atomically: true, encoding: .utf8)
    try take([name])
  }

  /// By the truth, of payouts whose summaries are there.
  func statement(until day: Day) -> [Day: Int64] {
    let known = settlements.filter { imported.contains($0.month) }.map(credit)
    return Dictionary(
      known.filter { $0.day <= day }.map { ($0.day, $0.amount) }, uniquingKeysWith: +)
  }

  /// What the bank got by the end of `day`, as far as Apple's summaries tell what for.
  func received(by day: Day) -> Int64 { statement(until: day).values.reduce(0, +) }

  /// What Apple paid of that, before the bank's fee.
  func paid(by day: Day) -> Int64 {
    settlements.filter { imported.contains($0.month) && credit($0).day <= day }
      .reduce(0) { $0 + $1.payout.amount }
  }

  /// What Apple owes by the truth: what it reported, changed by what its reports differ in and by
  /// taxes and adjustments, less what was owed for what it paid.
  func owed(opening: [Currency: Int64], _ books: AddedUp) -> [Currency: Int64] {
    var owed = opening.merging(books.proceeds, uniquingKeysWith: +)
    for truth in settlements {
      for line in truth.storefronts { owed[line.currency, default: 0] += line.difference }
      for region in truth.regions {
        owed[region.currency, default: 0] +=
          region.owed - region.settled - region.carriedBalance
          - region.adjustment - region.withholding - region.inputTax
      }
    }
    for truth in settlements {
      let isPaid = imported.contains(truth.month) && credit(truth).day <= Day("2023-09-30")!
      for region in truth.regions {
        if truth.month.last <= Day("2023-09-30")! {
          owed[region.currency, default: 0] +=
            region.adjustment + region.withholding + region.inputTax
        }
        if isPaid, region.proceeds != nil { owed[region.currency, default: 0] -= region.owed }
      }
    }
    return owed
  }

  /// Closes a fiscal month before Apple pays it.
  func closeOnEstimate(_ month: FiscalMonth) throws {
    let day = month.last.advanced(by: 20)
    let result = try reconcile(month.period, asOf: day.description)
    #expect(result.settlement?.payments.allSatisfy { $0.paid == nil } == true, "\(month)")
    try close(month.period, result, asOf: day)
  }

  func reconcile(_ period: Period, asOf: String) throws -> Reconciliation {
    try Workflow.reconcile(
      ReconcileRequest(
        ledgerPath: ledger, period: period, settings: settings, asOf: Day(asOf)!))
  }

  /// Of all months that were closed.
  private(set) var found: Set<FindingCode> = []

  func close(_ period: Period, _ result: Reconciliation, asOf: Day) throws {
    found.formUnion(result.findings.map(\.code))
    let errors = result.findings.filter { $0.severity == .error }
    let outcome = try Workflow.close(
      CloseRequest(
        reconcile: ReconcileRequest(
          ledgerPath: ledger, period: period, settings: settings, asOf: asOf),
        accepted: errors.map { (id: $0.id, reason: "known") }, by: "ann",
        at: Instant(seconds: asOf.startUTC.seconds), version: "test"))
    guard case .closed = outcome else {
      Issue.record("\(period) is not closed")
      return
    }
  }

  func document(_ name: String, _ period: Period) throws -> [UInt8] {
    try closeDocument(name, of: period, number: nil, ledgerPath: ledger)
  }

  func rows(_ name: String, _ period: Period) throws -> [[String: String]] {
    try closedRows(name, period, ledger: ledger)
  }
}

extension FiscalMonth {
  fileprivate var fileStamp: String {
    let (year, month) = number <= 3 ? (year - 1, number + 9) : (year, number - 3)
    return padded(month, 2) + padded(year % 100, 2)
  }
}
