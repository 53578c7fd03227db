import Billing
import Conclusions
import Foundation
import Matching
import Support
import Testing
import Workflow

/// Goal: a report counts once under whatever name, and a day without sales is a day of its own.
/// Method: reports under Apple's names, renamed, and with nothing but a header.
@Suite struct ReportIdentityTests {
  private static let header =
    String(Inputs.sales(day: 1, units: 1).split(separator: "\n")[0]) + "\n"

  private func units(_ folder: TemporaryFolder) throws -> Int64 {
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
        asOf: Day("2023-07-05")!))
    return result.proceeds.reduce(0) { $0 + $1.unitsSold }
  }

  /// A report that was saved again under another name, before or after, differs in a byte.
  @Test(arguments: [true, false]) func aRenamedReportCountsOnce(_ isFirst: Bool) throws {
    let folder = try TemporaryFolder()
    let text = Inputs.sales(day: 5, units: 7)
    try folder.write(Inputs.salesName(day: 4), Inputs.sales(day: 4, units: 1))
    try folder.write(Inputs.salesName(day: 5), text)
    try folder.write("june-5.txt", text.replacing("Gems", with: "Gems "))
    let names =
      isFirst
      ? ["june-5.txt", Inputs.salesName(day: 4), Inputs.salesName(day: 5)]
      : [Inputs.salesName(day: 4), Inputs.salesName(day: 5), "june-5.txt"]
    var last: ImportSummary?
    for name in names { last = try folder.importing(name) }
    #expect(last?.files[0].supersedes != nil)
    #expect(last?.files[0].vendor == "85012345")
    #expect(try units(folder) == 8)
  }

  @Test func theConfiguredVendorIsTaken() throws {
    let folder = try TemporaryFolder()
    try folder.write("june-5.txt", Inputs.sales(day: 5, units: 7))
    let summary = try folder.importing("june-5.txt") { $0.vendorNumbers = ["85012345"] }
    #expect(summary.files[0].vendor == "85012345")
  }

  @Test func ofSeveralVendorsTheOneIsAskedFor() throws {
    let folder = try TemporaryFolder()
    try folder.write("S_D_85012345_20230604.txt", Inputs.sales(day: 4, units: 1))
    try folder.write("S_D_86000000_20230605.txt", Inputs.sales(day: 5, units: 2))
    try folder.write("june-5.txt", Inputs.sales(day: 5, units: 3))
    for name in ["S_D_85012345_20230604.txt", "S_D_86000000_20230605.txt"] {
      _ = try folder.importing(name)
    }
    let asked = try folder.importing("june-5.txt")
    #expect(asked.files[0].status == .rejected)
    #expect(asked.files[0].diagnostics[0].help.english.contains("--vendor"))
    #expect(try units(folder) == 3)
    let told = try folder.importing("june-5.txt") { $0.vendor = "85012345" }
    #expect(told.files[0].status == .imported)
    #expect(try units(folder) == 6)
  }

  @Test func quietDaysAreDaysOfTheirOwn() throws {
    let folder = try TemporaryFolder()
    var names: [String] = []
    for day in 1...30 {
      names.append(Inputs.salesName(day: day))
      try folder.write(names[day - 1], day == 9 ? Inputs.sales(day: 9, units: 2) : Self.header)
    }
    let summary = try folder.importing(names[0]) { request in
      request.paths = names.map { folder.path + "/" + $0 }
    }
    #expect(summary.files.allSatisfy { $0.status == .imported })
    // The same day again is no other day.
    #expect(try folder.importing(names[3]).files[0].status == .skipped)
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
        asOf: Day("2023-07-05")!))
    #expect(result.findings.count { $0.code == .reportMissing } == 0)
  }

  /// Days with as many active subscriptions have the same content, and are days of their own.
  @Test func daysWithTheSameSubscriptionsAreDaysOfTheirOwn() throws {
    let folder = try TemporaryFolder()
    let names = [20, 21, 22].map { "Subscription_85012345_202306\($0).txt" }
    for name in names { try folder.write(name, Inputs.activeSubscriptions) }
    let summary = try folder.importing(names[0]) { request in
      request.paths = names.map { folder.path + "/" + $0 }
    }
    #expect(summary.files.map(\.status) == [.imported, .imported, .imported])
    #expect(try folder.importing(names[1]).files[0].status == .skipped)
    let rows = try CommandLineRun(
      "sql", "SELECT count(*), count(DISTINCT source) FROM v_subscription", in: folder)
    #expect(rows.output.contains("3"))
    let verify = try CommandLineRun("verify", in: folder)
    #expect(verify.status == 0, "\(verify.output)\(verify.errors)")
    #expect(!verify.output.contains("changed"), "\(verify.output)")
  }
}
