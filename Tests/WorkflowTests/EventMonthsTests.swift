import Billing
import Conclusions
import Foundation
import Reporting
import Simulation
import Support
import Testing
import Workflow
@testable import Matching

/// Goal: what the company's log says of a month is what happened, and no more. Method: simulated
/// months whose log has a day too few, a slow one, an hour or a server that fails, in any order and
/// in files that overlap.
@Suite struct EventMonthsTests {
  private static let missing = Day("2023-06-12")!
  private static let slow = Day("2023-06-20")!
  private static let bad = Day("2023-06-16")!.startUTC.seconds + 12 * 3600

  private func parameters(
    seed: UInt64, orders: Int, _ change: (inout EventParameters) -> Void = { _ in }
  ) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = orders
    var events = EventParameters()
    change(&events)
    parameters.events = events
    return parameters
  }

  /// Each day and step as the truth has it; nothing that is not known is told as a figure.
  private func expectFigures(_ run: SimulatedRun) throws {
    let told = try #require(run.result.stages).stages
    let known = told.filter { $0.events != nil && $0.events != 0 }
    #expect(known.count == run.truth.stages.count && known.count > 100)
    let truth = Dictionary(
      uniqueKeysWithValues: run.truth.stages.map { ("\($0.day) \($0.stage)", $0) })
    for line in known {
      let expected = try #require(truth["\(line.day) \(line.stage)"])
      #expect(line.events == expected.events && line.failed == expected.failed)
      #expect(line.cancelled == expected.cancelled)
      #expect(line.medianDuration == expected.medianDuration)
      #expect(line.lateDuration == expected.lateDuration)
    }
  }

  @Test(arguments: [(40, 6000, false), (40, 6000, true), (41, 12_000, true), (42, 12_000, false)])
  func `figures are the truth's and what stands out is named`(
    seed: UInt64, orders: Int, shuffled: Bool
  ) throws {
    var parameters = parameters(seed: seed, orders: orders) {
      $0.missingDay = Self.missing
      $0.slowDay = Self.slow
      $0.badHour = Self.bad
    }
    parameters.shuffle = shuffled
    let inputs = try SimulatedInputs(parameters)
    if shuffled {
      // A second file tells the latter half again.
      let lines = try String(contentsOfFile: inputs.path + "/events.csv", encoding: .utf8)
        .split(separator: "\n")
      try inputs.folder.write(
        "month/events-again.csv",
        ([lines[0]] + lines[(lines.count / 2)...]).joined(separator: "\n") + "\n")
    }
    let run = try SimulatedRun(inputs)
    try expectFigures(run)
    let stages = try #require(run.result.stages)
    func days(_ isMeant: (StageMark) -> Bool) -> [String] {
      stages.stages.filter { $0.marks.contains(where: isMeant) }.map { "\($0.day) \($0.stage)" }
    }
    #expect(
      days { $0 == .unknownDay }
        == ["list", "order", "pay", "upload", "verify", "fulfil"].map { "\(Self.missing) \($0)" })
    #expect(days { if case .slowMedian = $0 { true } else { false } } == ["\(Self.slow) verify"])
    #expect(days { if case .slowLate = $0 { true } else { false } } == ["\(Self.slow) verify"])
    let failing = stages.stages.flatMap(\.marks).compactMap { mark in
      if case .failing(let from, _, _, let usual) = mark { (from, usual) } else { nil }
    }
    #expect(failing.map(\.0.seconds) == [Self.bad])
    #expect(try #require(failing.first).1 < 30_000)
    #expect(days { $0 == .unknownStage } == [])
    // The hour failed, and all was verified a moment later.
    #expect(run.result.patterns == [] && run.unexpected == [])
    let text = reconciliationSummary(run.result, workbook: nil)
    #expect(text.contains("2023-06-12: no event of this day is loaded: unknown\n"))
    #expect(text.contains("failed between 12:00 and 13:00 UTC, against"))
    #expect(text.contains("fulfilled late: "))
    #expect(reconciliationJSON(run.result).contains("\"measure\": \"failing_hour\""))
  }

  @Test(arguments: 50..<53 as Range<UInt64>)
  func `a server that fails is behind what was not fulfilled`(seed: UInt64) throws {
    var parameters = parameters(seed: seed, orders: 2500) { $0.hasFailingServer = true }
    parameters.faults = [.priceMismatch: 6, .transactionWithoutOrder: 6]
    parameters.spreadsFaults = true
    let run = try SimulatedRun(SimulatedInputs(parameters))
    let expected = try #require(run.truth.patterns.first)
    try #require(expected.findings ?? 0 >= 20)
    #expect(run.result.patterns.map(\.dimension.rawValue) == ["server"])
    let found = try #require(run.result.patterns.first)
    #expect(found.codes == [.chargedNotFulfilled] && found.value == expected.value)
    #expect(found.count == expected.findings)
    #expect(found.base == .ordersWithEvents && found.baseShare < 10_000)
    #expect(
      found.explanation.english.hasPrefix(
        "All \(found.total) charged-not-fulfilled findings have a failed event on server pay-03 "
          + "(verify)."))
    #expect(run.unexpected == [])
  }

  /// One in a hundred verifications fails at first, for orders with faults and without.
  @Test(arguments: 60..<64 as Range<UInt64>)
  func `faults that have no cause in the log are given none`(seed: UInt64) throws {
    var parameters = parameters(seed: seed, orders: 2000)
    parameters.spreadsFaults = true
    parameters.faults = [
      .priceMismatch: 15, .coinsMismatch: 10, .lateFulfilment: 10, .orderWithoutTransaction: 10,
    ]
    let run = try SimulatedRun(SimulatedInputs(parameters))
    #expect(run.result.patterns.map(\.explanation.english) == [])
    #expect(try #require(run.result.stages).stages.flatMap(\.marks) == [])
    #expect(run.unexpected == [])
  }

  @Test func `the log adds to a month and changes nothing else`() throws {
    var parameters = parameters(seed: 70, orders: 1500)
    parameters.faults = [.priceMismatch: 5]
    let with = try SimulatedRun(SimulatedInputs(parameters))
    parameters.events = nil
    let without = try SimulatedRun(SimulatedInputs(parameters))
    #expect(without.result.stages == nil)
    #expect(!reconciliationJSON(without.result).contains("\"stages\""))
    var stripped = with.result
    stripped.stages = nil
    stripped.inputs.removeAll { $0.kind == .events }
    #expect(reconciliationJSON(stripped) == reconciliationJSON(without.result))
  }

  /// Steps of the company's own, events of no order, an order that nobody has, another month's.
  @Test func `whatever a log has is counted once`() throws {
    let company = try Company()
    try company.importJune()
    try company.folder.write(
      "log.csv",
      """
      at,stage,outcome,order_id,message
      2023-06-05T19:00:00Z,gift wrap,ok,O600,
      2023-06-05T19:00:00Z,gift wrap,ok,O600,
      2023-06-05T18:59:00Z,list,ok,,
      2023-06-05T20:00:00Z,verify,failed,O999,who?
      2023-07-05T20:00:00Z,verify,ok,O700,

      """)
    try company.folder.write(
      "more.csv",
      """
      at,stage,outcome,order_id,server
      2023-06-05T19:00:00Z,gift wrap,ok,O600,
      2023-06-05T20:00:00Z,verify,failed,O999,pay-9

      """)
    _ = try company.folder.importing("log.csv", "more.csv")
    let stages = try #require(try company.reconcile(Period("2023-06")!).stages).stages
    #expect(
      stages.map { "\($0.day) \($0.stage) \($0.events ?? -1) \($0.failed ?? -1)" } == [
        "2023-06-05 list 1 0", "2023-06-05 verify 2 2", "2023-06-05 gift wrap 2 0",
      ])
    #expect(try company.reconcile(Period("2023-08")!).stages == nil)
  }

  /// A version that only the log tells is behind what it spoiled.
  @Test func `a version is known by the log alone`() throws {
    var parameters = parameters(seed: 80, orders: 1500)
    parameters.patterns = [.wrongTier]
    let run = try SimulatedRun(SimulatedInputs(parameters))
    let expected = try #require(run.truth.patterns.first)
    #expect(run.result.patterns.map(\.dimension) == [.appVersion])
    let found = try #require(run.result.patterns.first)
    #expect(found.value == expected.value && found.base == .ordersWithEvents)
    #expect(10 * found.count >= 9 * (expected.findings ?? 0))
  }

  @Test func `receipts that Apple refused are told by day`() throws {
    let company = try Company()
    try company.importJune()
    try company.folder.write("log.csv", "at,stage,outcome\n2023-06-05T19:00:00Z,verify,failed\n")
    let receipts = [
      ("O600", #","received_at":"2023-06-05T19:00:05Z""#, 21002),
      ("O601", #","received_at":"2023-06-05T19:00:05Z""#, 21002),
      ("O602", #","received_at":"2023-06-07T00:00:05Z""#, 21005),
      ("O603", #","received_at":"2023-05-07T00:00:05Z""#, 21005), ("O604", "", 21003),
    ]
    try company.folder.write(
      "receipts.jsonl",
      receipts.map { #"{"order_id":"\#($0)","user_id":"u"\#($1),"response":{"status":\#($2)}}"# }
        .joined(separator: "\n") + "\n")
    let summary = try company.folder.importing("log.csv", "receipts.jsonl")
    #expect(summary.errorCount == 0, "\(summary.allDiagnostics)")
    let stages = try #require(try company.reconcile(Period("2023-06")!).stages)
    #expect(
      stages.deliveries.map { day in
        "\(day.day) " + day.refused.map { "\($0.status)×\($0.receipts)" }.joined(separator: " ")
      } == ["2023-06-05 21002×2", "2023-06-07 21005×1"])
    #expect(stages.undatedRefusals == 1)
  }

  @Test func `explain tells what was logged in the order of time`() throws {
    let company = try Company()
    try company.importJune()
    try company.folder.write(
      "log.csv",
      """
      at,stage,outcome,duration_ms,http_status,order_id,transaction_id,server,message
      2023-06-05T19:00:20Z,fulfil,ok,40,200,O600,7600,pay-03,
      2023-06-05T18:59:50Z,verify,failed,5000,503,,7600,pay-03,timed out
      2023-06-05T19:00:10Z,verify,ok,300,200,O600,7600,pay-03,
      2023-06-05T15:00:00Z,upload,ok,9,,O600,,pay-01,
      2023-06-05T18:59:40Z,order,ok,60,,O600,,,
      2023-06-05T19:00:00Z,pay,ok,3000,,O601,,,

      """)
    _ = try company.folder.importing("log.csv")
    let request = ExplainRequest(
      ledgerPath: company.ledger, id: "O600", settings: Settings(), asOf: Day("2023-09-01")!)
    let story = try #require(try explain(request).first)
    #expect(
      story.timeline.filter { $0.what == .logged }.map { "\($0.when) \($0.text.english)" } == [
        "2023-06-05T15:00:00Z logged: upload done; on server pay-01, in 9 ms; before the "
          + "purchase: possibly a wrong clock",
        "2023-06-05T18:59:40Z logged: order done; in 60 ms",
        "2023-06-05T18:59:50Z logged: verify failed; on server pay-03, in 5000 ms, status 503, "
          + "timed out",
        "2023-06-05T19:00:10Z logged: verify done; on server pay-03, in 300 ms, status 200",
        "2023-06-05T19:00:20Z logged: fulfil done; on server pay-03, in 40 ms, status 200",
      ])
    // A clock that differs a little from Apple's puts nothing before its cause.
    let whats = story.timeline.map(\.what)
    let charged = try #require(whats.firstIndex(of: .charged))
    let failed = try #require(
      story.timeline.firstIndex { $0.text.english.contains("verify failed") })
    #expect(charged < failed)
    #expect(story.timeline[failed].source?.file.hasSuffix("log.csv") == true)
  }
}
