import Billing
import Conclusions
import Foundation
import Simulation
import Support
import Testing

@testable import Ledger
@testable import Matching
@testable import Reporting
@testable import Workflow

/// Months with Apple's subscription reports, whose truth is known: what is wrong with the reports
/// is found with its day, product and storefront, and nothing else.
@Suite struct SubscriptionReportMonthsTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var seed: UInt64
    var orders: Int
    var rule: DayRule
    var faults = 0
    var appleShare = 0.0
    var testDescription: String {
      "seed \(seed), \(orders) orders, \(rule.rawValue), \(faults) faults each, \(appleShare)"
    }
  }

  static let months: [Case] = [
    Case(seed: 301, orders: 2000, rule: .pacific), Case(seed: 302, orders: 2000, rule: .local),
    Case(seed: 303, orders: 3000, rule: .territory, faults: 1),
    Case(seed: 304, orders: 6000, rule: .pacific, faults: 3),
    Case(seed: 305, orders: 6000, rule: .mixed, faults: 2),
    Case(seed: 306, orders: 3000, rule: .pacific, faults: 1, appleShare: 0.5),
    Case(seed: 307, orders: 3000, rule: .local, appleShare: 0.9),
  ]

  private static func run(
    _ month: Case, _ change: (inout SimulationParameters) -> Void = { _ in }
  ) throws -> SimulatedRun {
    var parameters = SimulationParameters()
    parameters.seed = month.seed
    parameters.orders = month.orders
    parameters.dayRule = month.rule
    parameters.appleShare = month.appleShare
    parameters.subscriptionReports = true
    if month.faults > 0 {
      for fault in SubscriptionFault.allCases {
        parameters.subscriptionFaults[fault] = month.faults
      }
    }
    change(&parameters)
    return try SimulatedRun(SimulatedInputs(parameters))
  }

  @Test(arguments: months) func whatIsWrongIsFoundAndNothingElse(_ month: Case) throws {
    let run = try Self.run(month)
    #expect(run.missed == [])
    #expect(run.unexpected == [])
    #expect(run.truth.expected.count >= 5 * month.faults)
    let lines = run.result.subscriptionReports
    #expect(lines.count > 5)
    // Most of it was really there to be compared.
    let renewals = lines.compactMap(\.renewals).reduce(0) { $0 + $1.apple }
    let active = lines.compactMap(\.active).reduce(0) { $0 + $1.apple }
    #expect(renewals > 50 && active > 50, "\(renewals) renewals, \(active) active")
    // What their findings are worth is told by those of the sales reports.
    let own: Set<FindingCode> = [
      .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers,
    ]
    let differ = run.result.findings.filter { own.contains($0.code) }
    #expect(differ.count >= 3 * month.faults && differ.isEmpty == (month.faults == 0))
    #expect(differ.allSatisfy { $0.amount == nil && $0.currency == nil && $0.parts.isEmpty })
    let proceeds = run.result.subscriptions.count { $0.proceeds != nil }
    #expect(proceeds > 50)
    if month.faults == 0 {
      for line in lines {
        #expect(line.unexplained == 0 && line.renewals.map { $0.apple == $0.ledger } == true)
      }
    }
  }

  /// Faults of the store beside those of the reports: none is an error that is not there.
  @Test func otherFaultsMakeNoErrors() throws {
    let run = try Self.run(Case(seed: 311, orders: 4000, rule: .pacific)) {
      $0.faults = SimulationParameters.everyFault()
    }
    #expect(run.missed == [])
    #expect(run.unexpected == [])
  }

  /// Apple answers that it has no report where nothing happened: that is a report of nothing, and
  /// what rests on it knows.
  @Test func aDayOfWhichAppleHasNothingIsNoMissingReport() throws {
    var parameters = SimulationParameters()
    (parameters.seed, parameters.orders, parameters.gzip) = (321, 60, false)
    parameters.subscriptionReports = true
    let inputs = try SimulatedInputs(parameters)
    // Apple makes no file of such a day.
    var empty: [(list: String, day: String)] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: inputs.path).sorted()
    where name.hasPrefix("Subscri") {
      let path = inputs.path + "/" + name
      let text = try String(contentsOfFile: path, encoding: .utf8)
      guard text.split(separator: "\n").count == 1 else { continue }
      try FileManager.default.removeItem(atPath: path)
      let words = name.split { $0 == "_" || $0 == "." }
      let digits = try #require(words.first { $0.utf8.count == 8 && $0.hasPrefix("2023") })
      let vendor = try #require(words.first { $0.allSatisfy(\.isNumber) })
      let report: ReportType =
        name.hasPrefix("Subscriber")
        ? .subscriber : name.contains("Event") ? .subscriptionEvent : .subscription
      let subtype = report == .subscriber ? "DETAILED" : "SUMMARY"
      empty.append(
        (
          "\(report.rawValue) \(subtype) DAILY \(vendor)",
          "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
        ))
    }
    let days = Set(empty.filter { $0.day.hasPrefix("2023-06") }.map(\.day)).sorted()
    try #require(days.count > 1)
    let run = try SimulatedRun(inputs)
    var request = ReconcileRequest(
      ledgerPath: run.ledger, period: Period("2023-06")!, settings: Settings(),
      asOf: Day("2023-07-05")!)
    request.version = "1"
    func missing() throws -> [String] {
      try reconcile(request).findings.filter { $0.code == .subscriptionReportMissing }
        .map { "\($0.date!)" }
    }
    let input = InputDays(
      purchases: request.period.purchaseDays, reports: request.period.purchaseDays,
      rates: request.period.days, hasSettlement: false)
    func restsOn() throws -> (String?, InputDigests) {
      try Ledger.reading(run.ledger) { (try request.basis($0), try $0.inputDigests(input)) }
    }
    func answer(_ outcome: AppleAnswer.Outcome, at seconds: Int64 = 0) throws {
      let ledger = try Ledger(path: run.ledger, mode: .readWrite)
      for (list, day) in empty {
        try ledger.record(
          AppleAnswer(
            list: list, item: day, outcome, status: 404,
            at: Instant(seconds: 1_688_500_000 + seconds)), requests: [])
      }
    }
    let before = try restsOn()
    #expect(try missing() == [days[0]])
    // Not yet is no answer, and changes nothing.
    try answer(.notYet)
    #expect(try missing() == [days[0]])
    #expect(try restsOn() == before)
    try answer(.nothing)
    #expect(try missing() == [])
    let after = try restsOn()
    #expect(after.0 != before.0)
    let changed = after.1.changes(since: before.1)
    #expect(changed.contains("subscription_event") && changed.allSatisfy { $0.contains("subscri") })
    // The same answer again, at another time, is the same.
    try answer(.nothing, at: 60)
    #expect(try restsOn() == after)
  }

  /// The row of Apple's report stands in the timeline of the renewal that it is of, with its place.
  @Test func explainShowsWhatTheSubscriberReportSays() throws {
    // Nothing was recorded of the month, so that Apple's days are taken to be Pacific ones.
    let run = try Self.run(Case(seed: 301, orders: 2000, rule: .pacific))
    let chains = run.result.subscriptions.filter {
      $0.proceeds != nil && $0.boughtInPeriod == 1 && $0.state == .active
    }
    var shown = 0
    for chain in chains.prefix(8) {
      var request = ExplainRequest(
        ledgerPath: run.ledger, id: chain.originalTransactionID, settings: Settings(),
        asOf: Day("2023-07-05")!)
      request.kind = .originalTransaction
      let events = try explain(request).flatMap(\.timeline).filter { $0.kind == .subscriber }
      let proceeds = try #require(chain.proceeds)
      let own = events.filter {
        $0.text.english.contains("proceeds \(proceeds.text) \(proceeds.currency) each")
      }
      if own.contains(where: { $0.when == chain.reportedOn.map { .day($0) } }) { shown += 1 }
      #expect(own.allSatisfy { ($0.source?.line ?? 0) > 1 && $0.source?.file.isEmpty == false })
    }
    #expect(chains.count > 8 && shown == 8)
  }

  @Test func sheetsJSONAndTextShowThem() throws {
    let run = try Self.run(Case(seed: 303, orders: 3000, rule: .territory, faults: 1))
    let text = reconciliationSummary(run.result, workbook: nil)
    #expect(text.contains("\nSubscription reports\n"))
    #expect(text.contains("subscriptions started"))
    let json = reconciliationJSON(run.result)
    #expect(json.contains("\"subscription_reports\": ["))
    #expect(json.contains("\"renewals_apple\""))
    let sheets = WorkbookContents(run.result).sheets()
    let sheet = try #require(sheets.first { $0.name == "Subscriptions" })
    let titles = sheet.totals.map { $0.cells.first }
    #expect(titles.contains(.text("Apple's subscription reports")))
  }
}
