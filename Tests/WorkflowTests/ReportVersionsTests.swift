import Billing
import Conclusions
import Foundation
import Ledger
import Matching
import Support
import Testing
import Workflow

/// Goal: of the versions of a report the one that was handed over last counts, and a folder that is
/// imported again changes nothing. Method: versions under several names, in one call and several.
@Suite struct ReportVersionsTests {
  private func units(_ folder: TemporaryFolder) throws -> Int64 {
    try reconciled(folder).proceeds.reduce(0) { $0 + $1.unitsSold }
  }

  private func reconciled(_ folder: TemporaryFolder) throws -> Reconciliation {
    try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
        asOf: Day("2023-07-05")!))
  }

  private func digest(_ folder: TemporaryFolder) throws -> String {
    try Ledger.reading(folder.ledger) { try $0.factsDigest() }
  }

  /// Right, wrong, right again: each by a call of its own, the last one packed.
  @Test func `a version that is handed over again counts again`() throws {
    let folder = try TemporaryFolder()
    let right = Inputs.sales(day: 12, units: 3)
    try folder.write("right.txt", right)
    try folder.write("wrong.txt", Inputs.sales(day: 12, units: 1))
    try folder.write("again.txt.gz", gzipMember(Array(right.utf8)))
    _ = try folder.importing("right.txt")
    _ = try folder.importing("wrong.txt")
    #expect(try units(folder) == 1)
    let dry = try folder.importing("again.txt.gz") { $0.isDryRun = true }
    #expect(dry.files[0].countsAgain)
    #expect(try units(folder) == 1)
    let summary = try folder.importing("again.txt.gz")
    #expect(
      folder.relative(summary.text) == """
        again.txt.gz  sales report  counts again: same content as right.txt, supersedes wrong.txt
        imported 0 files, 0 rows; 1 already known, 1 of them counts again

        """)
    #expect(summary.json.contains("\"counts_again\": true"))
    #expect(try units(folder) == 3)
    let findings = try reconciled(folder).findings.filter { $0.code == .reportRestated }
    #expect(findings.count == 1)
    #expect(findings[0].explanation.english.contains("right.txt replaced"))
    // Nothing is left to change, whatever comes again.
    let before = try digest(folder)
    _ = try folder.importing("again.txt.gz")
    _ = try folder.importing("right.txt", "wrong.txt")
    #expect(try digest(folder) == before)
    #expect(try units(folder) == 3)
    _ = try folder.importing("wrong.txt")
    #expect(try units(folder) == 1)
  }

  /// Of three versions one that is named without those over it counts; between two that do not
  /// count, the later one.
  @Test(arguments: ["1", "2", "13", "12", "21", "123"])
  func `a version counts again only without those that replaced it`(
    _ told: String
  ) throws {
    let named = told.map(String.init)
    let counting = ["1": "1", "2": "2", "12": "2", "21": "2"][told] ?? "3"
    let folder = try TemporaryFolder()
    for version in 1...3 {
      try folder.write("v\(version).txt", Inputs.sales(day: 12, units: version))
      _ = try folder.importing("v\(version).txt")
    }
    _ = try folder.importing("v1.txt") { request in
      request.paths = named.map { folder.path + "/v\($0).txt" }
    }
    #expect(try "\(units(folder))" == counting)
  }

  @Test func `other reports have versions too`() throws {
    let folder = try TemporaryFolder()
    let first = Inputs.activeSubscriptions
    try folder.write("Subscription_85012345_20230620.txt", first)
    _ = try folder.importing("Subscription_85012345_20230620.txt")
    let other = first.replacing("\t25.00\t", with: "\t26.00\t")
    try folder.write("2/Subscription_85012345_20230620.txt", other)
    let second = try folder.importing("2/Subscription_85012345_20230620.txt")
    #expect(second.files[0].supersedes != nil)
    let again = try folder.importing("Subscription_85012345_20230620.txt")
    #expect(again.files[0].countsAgain)
    #expect(again.files[0].supersedes?.contains("2/Subscription") == true)
  }

  /// A folder with a report and its restatement, as the sample month's.
  @Test func `the sample month that is imported every night changes nothing`() throws {
    let folder = try TemporaryFolder()
    let month = checkout + "samples/2023-06"
    let arguments = ["import", "--quiet", month, "--config", month + "/tieout.toml"]
    #expect(try CommandLineRun(arguments, in: folder).status == 0)
    let before = try Ledger.reading(folder.path + "/tieout.sqlite") { try $0.factsDigest() }
    for _ in 1...2 {
      let again = try CommandLineRun(arguments, in: folder)
      #expect(again.status == 0 && !again.output.contains("counts again"), "\(again.output)")
    }
    let after = try Ledger.reading(folder.path + "/tieout.sqlite") { try $0.factsDigest() }
    #expect(after == before)
    // The superseded one alone: now it counts.
    let first = month + "/0-first-download/S_D_85127269_20230615.txt.gz"
    let alone = try CommandLineRun("import", first, in: folder)
    #expect(alone.output.contains("counts again"), "\(alone.output)")
  }

  @Test(arguments: ["crlf.txt", "commas.csv"])
  func `a copy that a spreadsheet saved again replaces nothing until it is accepted`(
    _ name: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write(Inputs.salesName(day: 12), Inputs.sales(day: 12, units: 3))
    let copy = Inputs.sales(day: 12, units: 30)
    try folder.write(
      name,
      name == "crlf.txt"
        ? copy.replacing("\n", with: "\r\n") : copy.replacing("\t", with: ","))
    _ = try folder.importing(Inputs.salesName(day: 12))
    let refused = try folder.importing(name)
    #expect(refused.files[0].status == .rejected)
    #expect(refused.files[0].diagnostics.last?.help.english.contains("--accept-resaved") == true)
    #expect(try units(folder) == 3)
    let run = try CommandLineRun(
      "import", name, "--accept-resaved", "--ledger", folder.ledger, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try units(folder) == 30)
    // It is known now; the report as downloaded counts again, the copy does not.
    _ = try folder.importing(Inputs.salesName(day: 12))
    #expect(try units(folder) == 3)
    _ = try folder.importing(name)
    #expect(try units(folder) == 3)
    // Where there is nothing to replace it is taken with a warning or none.
    let empty = try TemporaryFolder()
    try empty.write(name, try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8))
    #expect(try empty.importing(name).files[0].status == .imported)
  }

  private func month(_ units: Int) -> String {
    Inputs.sales(day: 1, units: units)
      .replacing("06/01/2023\t06/01/2023", with: "06/01/2023\t06/30/2023")
  }

  /// Daily reports with 5 units, and a monthly one with fewer, as many or more.
  @Test(arguments: [4, 5, 10]) func `reports of two spans that disagree are a finding`(
    _ inMonth: Int
  ) throws {
    let folder = try TemporaryFolder()
    let header = String(Inputs.sales(day: 1, units: 1).split(separator: "\n")[0]) + "\n"
    for day in 1...30 {
      try folder.write(
        "in/" + Inputs.salesName(day: day), day == 12 ? Inputs.sales(day: 12, units: 5) : header)
    }
    try folder.write("in/S_M_85012345_202306.txt", month(inMonth))
    let summary = try folder.importing("in")
    #expect(summary.kinds[0].totals.map(\.units) == [5])
    #expect(
      summary.text.contains(
        "1 report not in these totals: other reports of this import have some or all of its days"))
    let found = try reconciled(folder).findings.filter { $0.code == .reportsDisagree }
    guard inMonth != 5 else { return #expect(found.isEmpty) }
    let finding = try #require(found.first)
    let units = Int64(inMonth - 5)
    #expect(finding.units == units && finding.money?.text == "\(6 * units).00")
    #expect(finding.sku == "gems.60")
    #expect(finding.severity == .warning && finding.date == Day("2023-06-30"))
    #expect(try self.units(folder) == 5)
  }

  /// A week against its days, and a month whose days are not all there: of that nothing is known.
  @Test func `a week is held against its days, an incomplete month against nothing`() throws {
    let folder = try TemporaryFolder()
    for day in 5...11 {
      try folder.write("in/" + Inputs.salesName(day: day), Inputs.sales(day: day, units: 2))
    }
    let week = Inputs.sales(day: 5, units: 13)
      .replacing("06/05/2023\t06/05/2023", with: "06/05/2023\t06/11/2023")
    try folder.write("in/S_W_85012345_20230611.txt", week)
    try folder.write("in/S_M_85012345_202306.txt", month(99))
    _ = try folder.importing("in")
    let found = try reconciled(folder).findings.filter { $0.code == .reportsDisagree }
    #expect(found.map(\.units) == [-1])
    #expect(found.map(\.money?.text) == ["-6.00"])
  }
}
