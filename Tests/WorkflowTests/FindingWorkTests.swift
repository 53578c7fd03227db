import Billing
import Conclusions
import Matching
import Foundation
import Support
import Testing
import Workflow

/// What people said of a finding stays with it as long as its facts are the same, and no longer.
@Suite struct FindingWorkTests {
  private static let june = Period("2023-06")!
  private static let july = Period("2023-07")!
  private let company: Company

  init() throws {
    company = try Company()
    try company.importJune()
  }

  /// The one error of June: a unit of 5 June that Apple does not report.
  private func found() throws -> Finding {
    let result = try company.reconcile(Self.june)
    #expect(recordFindings(of: result, in: company.ledger) == nil)
    return try #require(result.findings.first { $0.code == .notInReport })
  }

  @discardableResult
  private func say(
    _ action: Remark.Action, _ id: String, to assignee: String = "", reason: String = "",
    by: String = "ann"
  ) throws -> [FindingUnderWork] {
    try Workflow.remark(
      RemarkRequest(
        ledgerPath: company.ledger, action: action, findings: [id], assignee: assignee,
        reason: reason, by: by, at: Day("2023-07-06")!.startUTC))
  }

  @Test func `what was said is there in the next run`() throws {
    let finding = try found()
    #expect(finding.work == nil)
    try say(.assign, finding.id, to: "bob")
    #expect(try found().work?.state == .assigned)
    try say(.comment, String(finding.id.prefix(6)), reason: "asked Apple", by: "bob")
    try say(.accept, finding.id, reason: "Apple pays it in July")
    let work = try #require(try found().work)
    #expect(work.state == .accepted && work.assignee == "bob" && work.change == nil)
    #expect(work.remarks.map(\.action) == [.assign, .comment, .accept])
    #expect(work.remarks.map(\.by) == ["ann", "bob", "ann"])
    // Another looks after it: that it may stand was not taken back.
    try say(.assign, finding.id, to: "carol")
    let handed = try #require(try found().work)
    #expect(handed.state == .accepted && handed.assignee == "carol")
    #expect(try found().isAccepted)
    try say(.reopen, finding.id)
    #expect(try found().work?.state == .reopened)
  }

  @Test func `other facts bring it back open`() throws {
    let before = try found()
    try say(.accept, before.id, reason: "known")
    // A fourth unit of the same day: the finding has another id, and two units.
    try company.importRows("06", count: 1, from: 650)
    let after = try found()
    let work = try #require(after.work)
    #expect(after.id != before.id && work.state == .reopened)
    #expect(
      work.change?.english
        == "accepted by ann on 2023-07-06 when it was 1 unit, -6.00 CNY; now 2 units, -12.00 CNY")
    #expect(!after.isAccepted)
    let listed = try findingsUnderWork(ledgerPath: company.ledger, period: nil)
    #expect(listed.map(\.id) == [after.id] && listed[0].state == .reopened)
    try say(.accept, after.id, reason: "known too")
    #expect(try found().isAccepted)
  }

  @Test func `a close takes accepted findings as accepted`() throws {
    let finding = try found()
    guard case .refused = try company.close(Self.june) else {
      Issue.record("closed over an open error")
      return
    }
    try say(.accept, finding.id, reason: "Apple pays it in July")
    guard case .closed(_, let accepted, _) = try company.close(Self.june) else {
      Issue.record("not closed")
      return
    }
    #expect(
      accepted == [
        Acceptance(
          finding: finding.id, code: "not-in-report", reason: "Apple pays it in July")
      ])
  }

  @Test func `an unknown finding is refused, and nothing is said`() throws {
    let finding = try found()
    #expect(throws: Stop.self) {
      try Workflow.remark(
        RemarkRequest(
          ledgerPath: company.ledger, action: .accept, findings: [finding.id, "0000"],
          assignee: "", reason: "", by: "ann", at: Day("2023-07-06")!.startUTC))
    }
    #expect(try findingsUnderWork(ledgerPath: company.ledger, period: nil).isEmpty)
  }

  @Test func `a settled finding is listed as no longer found`() throws {
    let finding = try found()
    try say(.assign, finding.id, to: "bob")
    try company.importSales("06", day: 5, units: 3, name: "restated.txt")
    let result = try company.reconcile(Self.june)
    #expect(recordFindings(of: result, in: company.ledger) == nil)
    let listed = try findingsUnderWork(ledgerPath: company.ledger, period: Self.june)
    #expect(listed.map(\.id) == [finding.id] && listed[0].state == nil)
  }

  /// What nobody worked on is listed as `reconcile` shows it, and explained by what stands there.
  @Test func `open findings are listed whether or not anybody said anything`() throws {
    let folder = company.folder
    let id = try found().id
    let listed = try CommandLineRun(
      in: folder, through: "finding list --period 2023-06 --as-of 2023-09-01")
    #expect(listed.output.contains("\n\(id.prefix(8))  not-in-report "))
    let named = try CommandLineRun(in: folder, through: "finding list 2023-06 --as-of 2023-09-01")
    #expect(named.output == listed.output)
    let json = try CommandLineRun(in: folder, through: "finding list --format json")
    #expect(json.output.contains("\"id\": \"\(id)\""))
    let story = try CommandLineRun(in: folder, through: "explain \(id.prefix(8))")
    #expect(story.status == 0 && story.output.contains("not-in-report"))
    let none = try CommandLineRun(in: folder, through: "finding list --period 2022-01")
    #expect(none.output == "2022-01 has not been reconciled: tieout reconcile 2022-01\n")
  }

  @Test func `the period before is compared where it was recorded`() throws {
    #expect(try company.reconcile(Self.july).previousRun == nil)
    _ = try found()
    let previous = try #require(try company.reconcile(Self.july).previousRun)
    #expect(previous.findings == [.notInReport: 1])
    #expect(previous.run.matchedUnits == 2 && previous.run.unmatchedUnits == 1)
  }

  @Test func `a threshold says which findings are material`() throws {
    #expect(try found().isMaterial == nil)
    for (threshold, expected) in [(6_000_000, true), (6_000_001, false)] as [(Int64, Bool)] {
      var settings = Settings()
      settings.material = [Currency("CNY")!: threshold]
      let result = try reconcile(
        ReconcileRequest(
          ledgerPath: company.ledger, period: Self.june, settings: settings,
          asOf: Day("2023-09-01")!))
      let finding = try #require(result.findings.first { $0.code == .notInReport })
      #expect(finding.isMaterial == expected)
    }
  }

  @Test func `the command line accepts, lists and does not fail on what was accepted`() throws {
    let folder = company.folder
    func run(_ arguments: String) throws -> CommandLineRun {
      try CommandLineRun(in: folder, through: arguments + " --as-of 2023-09-01")
    }
    let plain = try run("reconcile --period 2023-06 --format json --fail-on error")
    #expect(plain.status == 1 && !plain.output.contains("\"remarks\""))
    let id = try found().id
    let unknown = try run("finding accept 0123456789abcdef --reason no")
    #expect(
      unknown.status == 2 && unknown.errors.contains("tieout reconcile PERIOD records findings"))
    let said = try run("finding accept \(id) --reason known --by ann --on 2023-07-06")
    #expect(
      said.output.contains("\(id)  not-in-report  2023-06  accepted\n"), "\(said.errors)")
    let accepted = try run("reconcile --period 2023-06 --format json --fail-on error")
    #expect(accepted.status == 0)
    #expect(accepted.output.contains("\"state\": \"accepted\""))
    #expect(accepted.output.contains("\"at\": \"2023-07-06T00:00:00Z\""))
    #expect(try run("finding list").output.hasSuffix(said.output))
    #expect(try !run("finding list --state open").output.contains(id.prefix(8)))
    #expect(try run("finding assign \(id)").status == 64)
  }
}
