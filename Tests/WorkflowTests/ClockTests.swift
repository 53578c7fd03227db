import Billing
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

  private static func run(_ month: Month) throws -> SimulatedRun {
    let inputs = try SimulatedInputs(parameters(month))
    var told = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: inputs.path) {
      for shift in month.shifts where file.hasPrefix(shift.file) {
        try tell(inputs.path + "/" + file, shift.seconds, month.rows)
        told += 1
      }
    }
    try #require(told >= month.shifts.count)
    return try SimulatedRun(inputs)
  }

  /// Writes a table anew, all its times by so many seconds later.
  private static func tell(_ path: String, _ seconds: Int64, _ which: Rows) throws {
    let style = Date.ISO8601FormatStyle()
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    let columns = lines[0].split(separator: ",")
    var text = lines[0] + "\n"
    for (number, line) in lines.dropFirst().enumerated() {
      var cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let first = cells[columns.firstIndex { $0 == "placed_at" || $0 == "purchased_at" }!]
      let isOff =
        switch which {
        case .all: true
        case .half: number % 2 == 0
        case .sinceJune18: first >= "2023-06-18"
        }
      for index in columns.indices where isOff && columns[index].hasSuffix("_at") {
        if cells[index].isEmpty { continue }
        cells[index] = try style.parse(cells[index]).addingTimeInterval(Double(seconds))
          .formatted(style)
      }
      text += cells.joined(separator: ",") + "\n"
    }
    try text.write(toFile: path, atomically: true, encoding: .utf8)
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
      #expect(clock.severity == .error)
      #expect(!clock.orderIDs.isEmpty && !clock.transactionIDs.isEmpty)
    }
    #expect(run.result.findings.first?.code == .clockOff)
    #expect(run.unexpected.filter { !$0.hasPrefix("clock-off ") } == [])
    #expect(run.wrongBoundaries == [])
  }

  /// Nothing but Apple's days tells: units near a boundary, and refunds, may stay apart.
  @Test func bothAreOffTogether() throws {
    let run = try Self.run(
      Month(
        name: "", shifts: [("orders.csv", 28_800), ("transactions.csv", 28_800)], said: []))
    #expect(Self.clocks(run).count == 1)
    #expect(
      Self.clocks(run).first?.explanation.english.contains(
        "the clock of all orders and transactions of the company is 8 h ahead") == true)
    #expect(run.unexpected.count < 20)
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
      words.firstMatch(of: #/and (\d+) findings that only follow from it are not raised/#))
    #expect(Int(match.1)! > 4000)
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
    try Self.tell(inputs.path + "/" + shift.file, shift.seconds, .all)
    let run = try SimulatedRun(inputs)
    let clocks = Self.clocks(run)
    #expect(clocks.count == 1)
    #expect(clocks.first?.severity == .info)
    let words = clocks.first?.explanation.english ?? ""
    #expect(words.hasPrefix("the clock of the orders is "), "\(words)")
    #expect(run.unexpected.filter { !$0.hasPrefix("clock-off ") } == [])
    #expect(run.missed == [])
  }

  /// A clock that is behind makes orders look earlier, which nothing rests on.
  @Test(arguments: [-30, -240] as [Int64]) func aClockThatIsALittleBehind(_ seconds: Int64) throws {
    let inputs = try SimulatedInputs(Self.parameters(Self.months[0]))
    try Self.tell(inputs.path + "/orders.csv", seconds, .all)
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
