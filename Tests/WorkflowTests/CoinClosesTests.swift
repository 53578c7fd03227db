import Billing
import Conclusions
import Foundation
import Simulation
import Support
import Testing
import Workflow
@testable import Matching
@testable import Reporting

/// A game's year with two coins and three channels, valued under every policy and closed month by
/// month: what is owed is what the exported files come to by themselves, and the journals of all
/// closes come to it.
@Suite struct CoinClosesTests {
  private static let months = (1...12).map { Period("2023-\(padded($0, 2))")! }

  struct Case: CustomTestStringConvertible, Sendable {
    var presentation: CoinPolicy.Presentation
    var method: CoinPolicy.Method
    var free: CoinPolicy.FreeCoins
    var breakage: CoinPolicy.Breakage
    var cost = CoinPolicy.ContractCost.expensed

    var policy: CoinPolicy {
      var policy = CoinPolicy()
      (policy.presentation, policy.valuation, policy.freeCoins) = (presentation, method, free)
      (policy.breakage, policy.remoteMonths, policy.contractCost) = (breakage, 2, cost)
      return policy
    }

    var testDescription: String {
      "\(presentation) \(method) \(free) first, breakage \(breakage), commission \(cost)"
    }
  }

  static let every: [Case] = CoinPolicy.Method.allCases.flatMap { method in
    CoinPolicy.FreeCoins.allCases.flatMap { free in
      [CoinPolicy.Breakage.none, .proportion(137_000), .remote].map {
        Case(
          presentation: free == .last ? .principal : .agent, method: method, free: free,
          breakage: $0)
      }
    }
  }

  /// The world of all policies; nothing in it changes.
  private static let year = Result { try CoinYear(isImported: true) }

  @Test(arguments: every) func `what is owed is what happened`(_ own: Case) throws {
    let year = try Self.year.get()
    let june = try year.reconcile(Self.months[5], own.policy)
    #expect(Self.differences(june, year.truth, own.policy) == [])
    let july = try year.reconcile(Self.months[6], own.policy)
    #expect(Self.differences(july, year.truth, own.policy) == [])
    #expect(Self.gaps(between: june.coinStatement, and: july.coinStatement) == [])
    let december = try year.reconcile(Self.months[11], own.policy)
    #expect(Self.differences(december, year.truth, own.policy) == [])
    let statement = try #require(december.coinStatement)
    #expect(Set(statement.rolls.map(\.channel)).isSuperset(of: ["apple", "android"]))
    #expect(Set(statement.rolls.map(\.coin)) == ["gems", "gold"])
    #expect(statement.rolls.contains { $0.refunded.coins > 0 && !$0.isApple } || own.free == .last)
  }

  /// Three policies that together have every choice.
  static let closed = [
    Case(
      presentation: .principal, method: .lot, free: .first, breakage: .remote, cost: .deferred),
    Case(presentation: .agent, method: .average, free: .proportion, breakage: .proportion(137_000)),
    Case(
      presentation: .principal, method: .channelAverage, free: .last, breakage: .none,
      cost: .deferred),
  ]

  @Test(arguments: closed) func `every close carries on`(_ own: Case) throws {
    let year = try CoinYear(isImported: false)
    // A day of February comes after February is closed.
    let late = try year.holdBack("2023-02-14")
    try year.importAll()
    var truth = year.truth.leaving {
      late.contains($0.at) && $0.kind == "spent" && $0.channel != "android"
    }
    var sums = PostedSums()
    var before: CoinStatement?
    for (index, month) in Self.months.enumerated() {
      if index == 2 {
        try year.importHeldBack()
        truth = year.truth
      }
      let result = try year.close(month, own.policy)
      let statement = try #require(result.coinStatement)
      #expect(Self.differences(result, truth, own.policy) == [], "\(month)")
      let gaps = Self.gaps(between: before, and: statement)
      #expect(gaps.isEmpty == (index != 2), "\(month) \(gaps)")
      let told = result.coinRemarks.filter { $0.english.hasPrefix("changes of closed months") }
      #expect(told.count == gaps.count, "\(month)")
      try sums.add(year, month, statement)
      before = statement
    }
    #expect(sums.prior != 0 && sums.liability.values.contains { $0 < 0 })
    #expect(sums.base == 0 && sums.unvalued == 0)
    #expect((sums.cost.values.contains { $0 > 0 }) == (own.cost == .deferred))
  }

  // MARK: - Against the truth

  /// Where a statement is not what the files come to.
  private static func differences(
    _ result: Reconciliation, _ files: CoinTruth, _ policy: CoinPolicy
  ) -> [String] {
    guard let statement = result.coinStatement else { return ["nothing is valued"] }
    let truth = OwedTruth(files, policy, through: result.period.last)
    var differences: [String] = []
    func expect(_ name: String, _ found: Int64, _ expected: Int64, within slack: Int64 = 0) {
      if abs(found - expected) > slack {
        differences.append("\(result.period) \(name): \(found), by the files \(expected)")
      }
    }
    if !statement.isTied { differences.append("coins do not tie: \(statement.coins)") }
    for coin in statement.coins {
      expect("paid \(coin.coin)", coin.unspent, truth.paid[coin.coin] ?? 0)
      expect("not there \(coin.coin)", coin.unbacked, 0)
    }
    expect("without a price", statement.unpriced, 0)
    for roll in statement.rolls {
      let (opening, items) = (roll.opening.amount, roll.itemsOpening.amount)
      let moved =
        roll.sold.amount - roll.refunded.amount - roll.used.amount - roll.breakage.amount
        - roll.expired.amount - roll.adjusted.amount
      expect("roll \(roll.coin)", roll.closing.amount, opening + moved)
      expect(
        "items \(roll.coin)", roll.itemsClosing.amount,
        items + roll.itemsBought.amount - roll.itemsRefunded.amount - roll.itemsDelivered.amount)
    }
    if policy.valuation == .lot {
      compareLots(statement, truth, policy, expect)
    } else if policy.breakage == .none {
      for roll in statement.rolls where roll.closing.coins > 0 {
        // The month's mean: what there was less what was refunded, by its coins.
        let whole = roll.opening + roll.sold - roll.refunded
        let mean = Int64(
          Int128(whole.amount) * Int128(roll.closing.coins) / Int128(whole.coins))
        expect(
          "mean \(roll.coin) \(roll.channel) \(roll.currency)", roll.closing.amount, mean,
          within: roll.currency.minorUnit * 2)
      }
    }
    return differences
  }

  /// To the cent; as principal in dollars alone, whose prices have no tax.
  private static func compareLots(
    _ statement: CoinStatement, _ truth: OwedTruth, _ policy: CoinPolicy,
    _ expect: (String, Int64, Int64, Int64) -> Void
  ) {
    let (owed, items) = (truth.lots, truth.delivered)
    func isCompared(_ currency: String, _ channel: String) -> Bool {
      policy.presentation == .agent || currency == "USD" && channel == "apple"
    }
    var places = Set(owed.keys).union(items.keys)
    for roll in statement.rolls {
      let place = CoinTruth.Place(
        coin: roll.coin, channel: roll.channel, currency: roll.currency.code)
      places.remove(place)
      expect("coins \(place)", roll.closing.coins, owed[place]?.coins ?? 0, 0)
      guard isCompared(place.currency, place.channel) else { continue }
      // Half of the smallest unit is rounding; parts of coins are told to the millionth.
      let slack = roll.currency.minorUnit / 2 + 2000
      expect(
        "owed \(place)", roll.closing.amount, OwedTruth.micros(owed[place]?.value ?? 0), slack)
      expect(
        "items \(place)", roll.itemsClosing.amount, OwedTruth.micros(items[place] ?? 0), slack)
    }
    for place in places { expect("\(place)", 0, owed[place]?.coins ?? 0, 0) }
  }

  /// Where a month does not begin as the one before ended.
  private static func gaps(
    between before: CoinStatement?, and after: CoinStatement?
  ) -> [String] {
    guard let before, let after else { return [] }
    return after.changes(since: before.rolls).map {
      "\($0.coin) \($0.channel): \($0.amount) \($0.coins)"
    }
  }
}

/// What the journals of closes post to the accounts of coins.
private struct PostedSums {
  private(set) var liability: [Currency: Int64] = [:]
  private(set) var refunds: [Currency: Int64] = [:]
  private(set) var cost: [Currency: Int64] = [:]
  private(set) var prior: Int64 = 0
  private(set) var base: Int64 = 0
  private(set) var unvalued = 0

  /// Adds a month, whose accounts have to come to its statement.
  mutating func add(_ year: CoinYear, _ month: Period, _ statement: CoinStatement) throws {
    let accounts = Accounts()
    for row in try closedRows("journal.csv", month, ledger: year.ledger) {
      let currency = Currency(row["currency"]!)!
      let amount = micros(decimal: row["amount"]!)!
      let value = micros(decimal: row["base_amount"]!)
      if value == nil { unvalued += 1 }
      base += value ?? 0
      switch row["account"]! {
      case accounts[.coinLiability]: liability[currency, default: 0] += amount
      case accounts[.coinRefunds]: refunds[currency, default: 0] += amount
      case accounts[.coinCost]: cost[currency, default: 0] += amount
      case accounts[.priorPeriod]: prior += abs(amount)
      default: break
      }
    }
    var (owed, waiting, unpaid): ([Currency: Int64], [Currency: Int64], [Currency: Int64]) = (
      [:], [:], [:]
    )
    for roll in statement.rolls {
      owed[roll.currency, default: 0] -= roll.closing.amount + roll.itemsClosing.amount
      waiting[roll.currency, default: 0] += roll.closing.cost + roll.itemsClosing.cost
    }
    for tie in statement.ties { unpaid[tie.currency] = -tie.refundsClosing.micros }
    func same(_ left: [Currency: Int64], _ right: [Currency: Int64]) -> Bool {
      left.filter { $0.value != 0 } == right.filter { $0.value != 0 }
    }
    #expect(same(liability, owed), "\(month): \(liability) \(owed)")
    #expect(same(cost, waiting), "\(month): \(cost) \(waiting)")
    #expect(same(refunds, unpaid), "\(month): \(refunds) \(unpaid)")
    for name in ["journal.hledger", "journal.beancount"] {
      let tool =
        name.hasSuffix("hledger") ? ["hledger", "check", "--strict", "-f"] : ["bean-check"]
      let bytes = try closeDocument(name, of: month, number: nil, ledgerPath: year.ledger)
      let said = try complaint(of: tool, about: String(decoding: bytes, as: UTF8.self))
      #expect(said == nil, "\(month): \(said ?? "")")
    }
  }
}

/// A simulated game's year in a ledger. What is spent does not say whether it was paid for, so that
/// policies decide.
private final class CoinYear: Sendable {
  let ledger: String
  let truth: CoinTruth
  private let inputs: SimulatedInputs

  init(isImported: Bool) throws {
    var parameters = SimulationParameters()
    (parameters.seed, parameters.orders) = (1463, 900)
    parameters.period = Period("2023-01-01..2023-12-31")!
    parameters.storefronts = ["CN", "US", "JP"].map { Storefront($0)! }
    parameters.gzip = false
    var coins = CoinParameters()
    coins.movements = 9000
    parameters.coins = coins
    inputs = try SimulatedInputs(parameters)
    ledger = inputs.folder.path + "/ledger.sqlite"
    for name in ["coin_movements", "coin_movements-android"] {
      try Self.change("\(inputs.path)/\(name).csv") { row in
        var row = row
        if row[1] == "spent" { row[6] = "" }
        return row
      }
    }
    let rates = (0...36).map { place in
      let day = Day("2022-12-30")!.advanced(by: place * 10)
      return "\(day),USD,CNY,6.\(80 + place)\n\(day),JPY,CNY,0.05\(10 + place)\n"
    }
    try ("date,base,quote,rate\n" + rates.joined())
      .write(toFile: "\(inputs.path)/rates.csv", atomically: true, encoding: .utf8)
    truth = try CoinTruth(folder: inputs.path)
    if isImported { try importAll() }
  }

  private static func change(_ path: String, _ change: ([String]) -> [String]?) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let lines = text.split(separator: "\n").compactMap { line in
      change(line.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    }
    try lines.map { $0.joined(separator: ",") + "\n" }.joined()
      .write(toFile: path, atomically: true, encoding: .utf8)
  }

  private var held: String { inputs.folder.path + "/held" }

  /// Keeps what was spent on a day from the import, and says when that is.
  func holdBack(_ day: String) throws -> Range<Int64> {
    try FileManager.default.createDirectory(atPath: held, withIntermediateDirectories: true)
    let path = "\(inputs.path)/coin_movements.csv"
    func isHeld(_ row: [String]) -> Bool { row[0].hasPrefix(day) && row[1] == "spent" }
    try FileManager.default.copyItem(atPath: path, toPath: "\(held)/coin_movements-late.csv")
    try Self.change("\(held)/coin_movements-late.csv") {
      isHeld($0) || $0[0] == "date" ? $0 : nil
    }
    try Self.change(path) { isHeld($0) ? nil : $0 }
    let start = Day(day)!.startUTC.seconds
    return start..<start + 86_400
  }

  func importAll() throws { try take([inputs.path]) }
  func importHeldBack() throws { try take([held]) }

  private func take(_ paths: [String]) throws {
    var request = ImportRequest(
      paths: paths, ledgerPath: ledger, importedAt: Instant(seconds: 1_704_500_000))
    request.bundleIDs = ["com.lumen.orbit"]
    let summary = try importFiles(request)
    #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
  }

  private func request(_ month: Period, _ policy: CoinPolicy) -> ReconcileRequest {
    var settings = Settings()
    settings.bundleIDs = ["com.lumen.orbit"]
    settings.sandboxUsers = ["tester-1", "tester-2"]
    settings.channels = [
      Settings.Channel(name: "android", fee: 150_000, tax: 60_000),
      Settings.Channel(name: "web", fee: 30_000, tax: 60_000),
    ]
    settings.coins = policy
    if policy.presentation == .agent { settings.revenue = .agent }
    return ReconcileRequest(
      ledgerPath: ledger, period: month, settings: settings, asOf: Day("2024-01-06")!)
  }

  func reconcile(_ month: Period, _ policy: CoinPolicy) throws -> Reconciliation {
    try Workflow.reconcile(request(month, policy))
  }

  /// Closes a month, whatever errors are open.
  func close(_ month: Period, _ policy: CoinPolicy) throws -> Reconciliation {
    let result = try reconcile(month, policy)
    let errors = result.findings.filter { $0.severity == .error }
    let outcome = try Workflow.close(
      CloseRequest(
        reconcile: request(month, policy),
        accepted: errors.map { (id: $0.id, reason: "known") }, by: "ann",
        at: Instant(seconds: 1_704_600_000), version: "test"))
    guard case .closed = outcome else { throw Stop(.badInput, "not closed", help: "") }
    return result
  }
}
