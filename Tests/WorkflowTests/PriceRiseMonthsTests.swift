import Billing
import Conclusions
import Foundation
import Matching
import Simulation
import Testing
import Workflow

/// Goal: prices that rise in the middle of a month are right on the night of the rise and in a
/// report of the month, and what is wrong beside them is found. Method: simulated months in which
/// storefronts raise prices at their own midnight, under each rule of Apple's days.
@Suite struct PriceRiseMonthsTests {
  private static func parameters(_ rule: DayRule, seed: UInt64 = 41) -> SimulationParameters {
    var parameters = SimulationParameters()
    parameters.seed = seed
    parameters.orders = 3000
    parameters.dayRule = rule
    parameters.gzip = false
    parameters.priceRises = [
      Storefront("JP")!: Day("2023-06-14")!, Storefront("AU")!: Day("2023-06-02")!,
      Storefront("US")!: Day("2023-06-20")!, Storefront("CN")!: Day("2023-06-30")!,
    ]
    return parameters
  }

  @Test(arguments: DayRule.allCases) func aNightOfAPriceChangeIsNoFinding(_ rule: DayRule) throws {
    let run = try SimulatedRun(SimulatedInputs(Self.parameters(rule)))
    #expect(run.unexpected == [] && run.missed == [])
  }

  @Test func wrongPricesBesideARiseAreFound() throws {
    var parameters = Self.parameters(.pacific, seed: 42)
    parameters.faults = [.priceNotInTier: 6, .proceedsUnexpected: 3, .notInLedger: 4]
    let run = try SimulatedRun(SimulatedInputs(parameters))
    #expect(run.unexpected == [] && run.missed == [])
  }

  /// Only the month's report is there: its rows are right by the rules of some day of theirs.
  @Test(arguments: [DayRule.pacific, .local]) func aMonthsReportAloneIsJudgedByAllItsDays(
    _ rule: DayRule
  ) throws {
    let inputs = try SimulatedInputs(Self.parameters(rule, seed: 43))
    try inputs.addMonthsReport(keepingDays: false)
    // One report shows nothing of where Apple's days begin, so that is configured: else the month's
    // first hours at the old price would be taken for as many after its end at the new one.
    let run = try SimulatedRun(
      inputs,
      settings: { settings in
        for boundary in inputs.truth.boundaries {
          settings.dayBoundary[boundary.storefront] = zone(named: boundary.zone)
        }
      })
    let ofRows: Set<FindingCode> = [
      .priceNotInTier, .proceedsUnexpected, .proceedsOffRule, .proceedsTolerated, .priceDiffers,
      .termsNotAsConfigured, .currencyUnexpected, .partialRefund,
    ]
    #expect(run.result.findings.filter { ofRows.contains($0.code) }.map(SimulatedRun.words) == [])
  }
}

extension SimulatedInputs {
  /// Puts the rows of the period's days into one report.
  ///
  /// - Parameter keepsDays: whether the days' reports stay beside it.
  func addMonthsReport(keepingDays keepsDays: Bool) throws {
    let (first, last) = (parameters.period.first, parameters.period.last)
    let month = parameters.period.description.filter(\.isNumber)
    var lines: [String] = []
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    for name in names where name.hasPrefix("S_D_") {
      let file = path + "/" + name
      let rows = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      if lines.isEmpty { lines = [String(rows[0])] }
      if name.contains("_" + month) {
        lines += rows.dropFirst().map { row in
          var fields = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
          (fields[9], fields[10]) = (Self.date(first), Self.date(last))
          return fields.joined(separator: "\t")
        }
      }
      if !keepsDays { try FileManager.default.removeItem(atPath: file) }
    }
    try (lines.joined(separator: "\n") + "\n")
      .write(toFile: path + "/S_M_85127269_\(month).txt", atomically: true, encoding: .utf8)
  }

  /// `06/30/2023`
  private static func date(_ day: Day) -> String {
    let parts = day.description.split(separator: "-")
    return "\(parts[1])/\(parts[2])/\(parts[0])"
  }
}
