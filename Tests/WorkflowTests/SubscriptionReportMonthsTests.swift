import Billing
import Foundation
import Simulation
import Support
import Testing
import Workflow

@testable import Matching
@testable import Reporting

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
    let own: Set<FindingCode> = [
      .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers,
    ]
    let (reports, others) = (
      run.matching.unexpected.filter { own.contains($0.code) },
      run.matching.unexpected.filter { !own.contains($0.code) }
    )
    #expect(others.map(SimulatedRun.words) == [])
    #expect(reports.allSatisfy { $0.severity != .error })
    // What a lost subscription brings is told by each report that has it, and there are few.
    #expect(reports.count <= 12, "\(reports.map(SimulatedRun.words))")
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
