import Billing
import Conclusions
import Simulation
import Testing
import Workflow
@testable import Matching

/// A region whose financial report is not loaded is named, and nothing of it is called settled.
@Suite struct RegionReportTests {
  private static let month = FiscalMonth(year: 2023, number: 9)!

  private func run(
    detail: Bool, leavingOut isLeftOut: (String) -> Bool
  ) throws -> SettledRun {
    var parameters = SettledRun.parameters(seed: 71)
    parameters.settlement!.writesDetail = detail
    return try SettledRun(parameters, leavingOut: isLeftOut)
  }

  private func isReportOfEurope(_ name: String) -> Bool { name.contains("_0623_EU") }

  @Test(arguments: [false, true]) func `is an error with its name`(hasDetail: Bool) throws {
    let run = try run(detail: hasDetail, leavingOut: isReportOfEurope)
    let result = try run.reconcile(Self.month.period)
    let missing = result.findings.filter { $0.code == .regionReportMissing }
    #expect(missing.map(\.storefront?.code) == ["EU"])
    let finding = try #require(missing.first)
    #expect(finding.severity == .error && finding.currency?.code == "EUR")
    #expect(finding.explanation.english.contains("Euro-Zone (EUR) for FY2023-P09 is not loaded"))
    let truth = try #require(run.truth.settlement?.first)
    let earned = try #require(truth.regions.first { $0.region == "EU" }).earned
    #expect(finding.amount == -earned)
    // Nothing of it is called settled: no line, no end of a bridge, no step of the payment.
    let settlement = try #require(result.settlement)
    #expect(settlement.lines.allSatisfy { $0.region != "EU" } && !settlement.lines.isEmpty)
    #expect(settlement.missing.map(\.region) == ["EU"])
    for bridge in result.bridges where bridge.currency.code == "EUR" {
      #expect(bridge.steps.last?.cause == .reportedProceeds, "\(bridge.storefront)")
    }
    #expect(result.bridges.contains { $0.steps.last?.cause == .settled })
    let payment = try #require(settlement.payments.first { $0.region == "EU" })
    #expect(payment.settled == nil && payment.steps.first?.cause == "earned")
    #expect(payment.unexplained.isZero)
  }

  @Test func `refuses the close until it is accepted`() throws {
    let run = try run(detail: false, leavingOut: isReportOfEurope)
    var request = CloseRequest(
      reconcile: run.request(Self.month.period), accepted: [], by: "ann",
      at: Instant(seconds: 1_695_200_000), version: "test")
    guard case .refused(let open) = try close(request) else {
      Issue.record("closed without Europe's report")
      return
    }
    #expect(open.map(\.code) == [.regionReportMissing])
    request.accepted = open.map { ($0.id, "comes later") }
    guard case .closed = try close(request) else {
      Issue.record("not closed")
      return
    }
  }

  @Test func `is told by the status`() throws {
    let run = try run(detail: false, leavingOut: isReportOfEurope)
    let status = try ledgerStatus(of: run.ledger, asOf: Day("2023-08-07")!)
    #expect(status.missingReports.map(\.month) == [Self.month])
    #expect(
      status.text.contains(
        "FY2023-P09: financial report not loaded for Euro-Zone (EUR)\n"))
    #expect(status.json.contains("\"missing_financial_reports\": ["))
    #expect(status.worst == .error)
  }

  /// The month of which nothing is loaded, before and after its payment is due.
  @Test func `a whole month without reports is told when it is due`() throws {
    let run = try run(detail: false) { $0.contains("0723") }
    func missing(_ asOf: String) throws -> Set<String> {
      let month = Self.month.next
      let result = try run.reconcile(month.period, asOf: asOf)
      #expect(result.settlement == nil)
      let found = result.findings.filter { $0.code == .regionReportMissing }
      let told = try ledgerStatus(of: run.ledger, asOf: Day(asOf)!).missingReports
        .first { $0.month == month }
      #expect(Set(told?.regions.map(\.region) ?? []) == Set(found.map { $0.storefront!.code }))
      return Set(found.map { $0.storefront!.code })
    }
    // FY2023-P10 ends on 5 August and is paid on 7 September.
    #expect(try missing("2023-09-07").isEmpty)
    let due = try missing("2023-09-08")
    #expect(due.isSuperset(of: ["CN", "EU", "JP", "US"]), "\(due.sorted())")
  }

  /// Of a region that has sales and no money Apple has no report: no error.
  @Test func `nothing is missing where all reports are loaded`() throws {
    let run = try run(detail: false) { _ in false }
    for month in [Self.month, Self.month.next] {
      let found = try run.reconcile(month.period).findings
        .filter { $0.code == .regionReportMissing }
      #expect(found.allSatisfy { $0.severity == .warning }, "\(found.map(\.explanation.english))")
    }
  }
}
