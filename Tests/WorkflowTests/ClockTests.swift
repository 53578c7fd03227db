import Billing
import Conclusions
import Foundation
import Simulation
import Testing
import Workflow
@testable import Matching

/// Goal: a clock that is off is named, and nothing that only follows from it. Method: clean months
/// whose files are told again by a clock that is off, in all rows, in some files, from a moment on.
@Suite struct ClockTests {
  struct Month: CustomTestStringConvertible, Sendable {
    var name: String
    /// Files by how their names begin, and seconds.
    var shifts: [(file: String, seconds: Int64)]
    var rows = Rows.all
    var split = false
    /// What the finding says of it; where several clocks are off, one each.
    var said: [String]
    var testDescription: String { name }
  }

  enum Rows: Sendable { case all, half, sinceJune18 }

  static let months: [Month] = [
    Month(
      name: "orders eight hours ahead", shifts: [("orders.csv", 28_800)],
      said: ["orders in month/orders.csv is 8 h ahead"]),
    Month(
      name: "orders eight hours behind", shifts: [("orders.csv", -28_800)],
      said: ["orders in month/orders.csv is 8 h behind"]),
    Month(
      name: "transactions eight hours ahead", shifts: [("transactions.csv", 28_800)],
      said: ["transactions in month/transactions.csv is 8 h ahead"]),
    Month(
      name: "transactions eight hours behind", shifts: [("transactions.csv", -28_800)],
      said: ["transactions in month/transactions.csv is 8 h behind"]),
    Month(
      name: "an hour since the clocks were changed", shifts: [("orders.csv", 3600)],
      rows: .sinceJune18, said: ["orders in month/orders.csv is 1 h ahead"]),
    Month(
      name: "the files of one day", shifts: [("orders-20230612", -7 * 3600)], split: true,
      said: ["orders in month/orders-20230612.csv is 7 h behind"]),
    Month(
      name: "purchases of one day", shifts: [("transactions-20230612", 5 * 3600 + 1800)],
      split: true, said: ["transactions in month/transactions-20230612.csv is 5 h 30 min ahead"]),
  ]

  private static func parameters(_ month: Month) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = 3
    parameters.orders = 3000
    parameters.split = month.split
    return parameters
  }

  private static func run(
    _ month: Month, _ parameters: SimulationParameters? = nil, without columns: Set<String> = []
  ) throws -> SimulatedRun {
    let inputs = try SimulatedInputs(parameters ?? Self.parameters(month))
    var told = 0
    for shift in month.shifts {
      let clock = BrokenInput(
        .clock(shift.seconds), in: shift.file, every: month.rows == .half ? 2 : 1,
        since: month.rows == .sinceJune18 ? Day("2023-06-18") : nil)
      told += try clock.apply(in: inputs.path)
    }
    for column in columns {
      for table in ["orders", "transactions"] where "\(table.dropLast())_id" != column {
        try BrokenInput(.column(column), in: table).apply(in: inputs.path)
      }
    }
    try #require(told >= month.shifts.count)
    return try SimulatedRun(inputs)
  }

  private static func clocks(_ run: SimulatedRun) -> [Finding] {
    run.result.findings.filter { $0.code == .clockOff }
  }

  @Test(arguments: months) func theClockIsNamedAndNothingThatFollows(_ month: Month) throws {
    let run = try Self.run(month)
    let clocks = Self.clocks(run)
    #expect(clocks.count == month.said.count)
    for (clock, said) in zip(clocks, month.said) {
      #expect(clock.explanation.english.contains("the clock of " + said), "\(clock.explanation)")
      #expect(clock.severity == .warning)
      #expect(!clock.orderIDs.isEmpty && !clock.transactionIDs.isEmpty)
    }
    #expect(run.result.findings.first?.code == .clockOff)
    #expect(run.unexpected.filter { !$0.hasPrefix("clock-off ") } == [])
    #expect(run.wrongBoundaries == [])
  }

  /// What was shown without the shift is a warning, until the export is mended or it is let stand.
  @Test func theStatusWarnsOfIt() throws {
    let run = try Self.run(Self.months[0])
    func status() throws -> LedgerStatus {
      try ledgerStatus(of: run.ledger, asOf: Day("2023-07-02")!)
    }
    #expect(try status().wrongClocks.isEmpty)
    #expect(recordFindings(of: run.result, in: run.ledger) == nil)
    #expect(try status().wrongClocks.map(\.description) == ["2023-06"])
    #expect(try status().worst == .warning)
    #expect(
      try status().text.contains(
        "wrong clock: the last reconciliation of 2023-06 corrected its times"))
    _ = try remark(
      RemarkRequest(
        ledgerPath: run.ledger, action: .accept, findings: [Self.clocks(run)[0].id], assignee: "",
        reason: "the export cannot be made again", by: "ann", at: Instant(seconds: 1_695_000_000)))
    #expect(try status().wrongClocks.isEmpty)
  }

  /// Nothing but Apple's days tells: units near a boundary, and refunds, may stay apart.
  @Test func bothAreOffTogether() throws {
    let run = try Self.run(
      Month(
        name: "", shifts: [("orders.csv", 28_800), ("transactions.csv", 28_800)], said: []))
    #expect(Self.clocks(run).count == 1)
    #expect(
      Self.clocks(run).first?.explanation.english.contains(
        "the clock of all your orders and transactions is 8 h ahead") == true)
    #expect(run.unexpected.count < 20)
  }

  /// Whichever way Apple cuts its days, a clock that is off everywhere is named with its hours, or
  /// it is said that nothing tells.
  @Test(arguments: DayRule.allCases, [8, -5]) func anyDayRuleTellsOrSaysSo(
    rule: DayRule, hours: Int64
  ) throws {
    var parameters = SimulationParameters()
    (parameters.seed, parameters.orders, parameters.dayRule) = (5, 4000, rule)
    let shifts = ["orders.csv", "transactions.csv"].map { (file: $0, seconds: hours * 3600) }
    let run = try Self.run(Month(name: "", shifts: shifts, said: []), parameters)
    let said = Self.clocks(run).map(\.explanation.english)
    let isUnclear = run.result.basis.absences.contains { $0.kind == .clocks }
    let words = hours > 0 ? "is \(hours) h ahead" : "is \(-hours) h behind"
    #expect(said.count == 1 && said[0].contains(words) || said.isEmpty && isUnclear, "\(said)")
    #expect(said.isEmpty || run.unexpected.count < 40, "\(run.unexpected.count)")
  }

  /// No id ties anything: the only order of a product and storefront for a day stands for one.
  @Test(arguments: [("orders.csv", "orders", 8), ("transactions.csv", "transactions", -3)])
  func aShopWithoutIDs(file: String, kind: String, hours: Int64) throws {
    var parameters = SimulationParameters()
    (parameters.seed, parameters.orders) = (7, 3000)
    let run = try Self.run(
      Month(name: "", shifts: [(file, hours * 3600)], said: []), parameters,
      without: ["transaction_id", "order_id", "app_account_token"])
    let said = Self.clocks(run).map(\.explanation.english)
    #expect(said.count == 1)
    let words = hours > 0 ? "is \(hours) h ahead" : "is \(-hours) h behind"
    #expect(said.first?.contains("the clock of \(kind) in month/\(file) \(words)") == true)
    #expect(said.first?.contains("the only order of their product") == true, "\(said)")
  }

  /// A good month without ids has no wrong clock either.
  @Test func aGoodShopWithoutIDs() throws {
    var parameters = SimulationParameters()
    (parameters.seed, parameters.orders) = (8, 3000)
    let run = try Self.run(
      Month(name: "", shifts: [("orders.csv", 0)], said: []), parameters,
      without: ["transaction_id", "order_id", "app_account_token"])
    #expect(Self.clocks(run).isEmpty)
  }

  /// Which rows without ids were told by the wrong clock, nothing tells.
  @Test func rowsHereAndThere() throws {
    let run = try Self.run(
      Month(
        name: "", shifts: [("orders.csv", 28_800)], rows: .half, said: []))
    #expect(Self.clocks(run).count == 1)
    let codes = Set(run.result.findings.map(\.code))
    #expect(codes.isDisjoint(with: [.purchaseBeforeOrder, .lateFulfilment, .timing]))
    #expect(run.result.findings.count { $0.code == .orderWithoutTransaction } < 150)
  }

  @Test func theFindingCountsWhatItExplains() throws {
    let run = try Self.run(Self.months[0])
    let words = Self.clocks(run)[0].explanation.english
    let match = try #require(
      words.firstMatch(of: #/; ([\d,]+) findings that only follow from it are left out/#))
    #expect(Int(match.1.filter(\.isNumber))! > 4000)
    // Those about Apple's reports are counted beside those of orders.
    let other = try Self.run(Self.months[2])
    let level2 = try #require(
      Self.clocks(other)[0].explanation.english.firstMatch(
        of: #/; ([\d,]+) findings that only follow from it are left out/#))
    #expect(Int(level2.1.filter(\.isNumber))! > 200)
  }

  /// A clock that is seconds or minutes ahead makes no error, is taken out and told, once.
  @Test(
    arguments: [("orders.csv", 30), ("orders.csv", 90), ("orders.csv", 240)]
      as [(String, Int64)], [0.0, 0.5])
  func aClockThatIsALittleAhead(_ shift: (file: String, seconds: Int64), _ appleShare: Double)
    throws
  {
    var parameters = Self.parameters(Self.months[0])
    parameters.appleShare = appleShare
    let inputs = try SimulatedInputs(parameters)
    #expect(try BrokenInput(.clock(shift.seconds), in: shift.file).apply(in: inputs.path) > 0)
    let run = try SimulatedRun(inputs)
    let clocks = Self.clocks(run)
    #expect(clocks.count == 1)
    #expect(clocks.first?.severity == .info)
    let words = clocks.first?.explanation.english ?? ""
    #expect(words.hasPrefix("your orders are "), "\(words)")
    #expect(run.unexpected.filter { !$0.hasPrefix("clock-off ") } == [])
    #expect(run.missed == [])
  }

  /// A clock that is behind makes orders look earlier, which nothing rests on.
  @Test(arguments: [-30, -240] as [Int64]) func aClockThatIsALittleBehind(_ seconds: Int64) throws {
    let inputs = try SimulatedInputs(Self.parameters(Self.months[0]))
    #expect(try BrokenInput(.clock(seconds), in: "orders.csv").apply(in: inputs.path) > 0)
    let run = try SimulatedRun(inputs)
    #expect(run.unexpected == [])
  }

  @Test(arguments: 0..<8) func aGoodMonthHasNone(_ seed: Int) throws {
    var parameters = SimulationParameters()
    parameters.seed = 900 + UInt64(seed)
    parameters.orders = [300, 1500][seed % 2]
    parameters.dayRule = DayRule.allCases[seed % DayRule.allCases.count]
    parameters.split = seed % 3 == 0
    // As many orders told late as a shop with slow clocks may have.
    parameters.faults = seed < 4 ? [:] : [.purchaseBeforeOrder: 15, .lateFulfilment: 15]
    #expect(Self.clocks(try SimulatedRun(SimulatedInputs(parameters))).isEmpty)
  }
}
