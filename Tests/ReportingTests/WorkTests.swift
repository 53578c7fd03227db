import Billing
import Testing

@testable import Reporting
@testable import Conclusions

/// What people said of findings, and what is material, wherever findings are shown.
struct WorkTests {
  /// The short month with an accepted, an assigned and a reopened finding, thresholds and a run of
  /// the period before.
  private static let month: Reconciliation = {
    var month = SampleMonth.short.inOutputOrder()
    func remark(_ action: Remark.Action, _ index: Int, _ text: String = "") -> Remark {
      Remark(
        number: Int64(index + 1), action, of: month.findings[index], period: "2023-06",
        at: Day("2023-07-06")!.startUTC, by: "ann", assignee: action == .assign ? "bob" : "",
        reason: text)
    }
    var older = remark(.accept, 2, "was small")
    older.finding = "0000000000000000"
    older.units = 3
    let said = [
      [remark(.accept, 0, "known")],
      [remark(.assign, 1), remark(.comment, 1, "=asked Apple")],
      [older],
    ]
    for (index, remarks) in said.enumerated() {
      month.findings[index].work = FindingWork(remarks, of: month.findings[index])
    }
    for index in month.findings.indices { month.findings[index].isMaterial = index >= 2 }
    month.previousRun = PreviousRun(
      run: RecordedRun(
        period: Period("2023-05")!, asOf: Day("2023-06-05")!, matchedUnits: 18_000,
        unmatchedUnits: 0),
      findings: [.notInReport: 4, .timing: 2])
    return month
  }()

  @Test func `what matters comes first, what was accepted last`() throws {
    let ranks = WorkbookContents(Self.month).reconciliation.findings.map(\.rank)
    #expect(ranks == ranks.sorted() && Set(ranks) == [0, 1, 2])
    #expect(Self.month.inOutputOrder().findings == Self.month.findings)
  }

  @Test func `sheets and text show it`() throws {
    let sheets = WorkbookContents(Self.month).sheets().filter {
      ["Summary", "Mismatches"].contains($0.name)
    }
    try expectGolden(dump(sheets), "work.sheet.txt")
    try expectGolden(reconciliationSummary(Self.month, workbook: nil), "work.summary.txt")
  }

  @Test func `JSON has it where something was said, and the same bytes where nothing was`() {
    let json = reconciliationJSON(Self.month)
    for text in [
      "\"material\": true", "\"state\": \"reopened\"", "\"assignee\": \"bob\"",
      "\"reason\": \"=asked Apple\"", "\"to\": \"bob\"", "\"finding\": \"0000000000000000\"",
    ] { #expect(json.contains(text), "\(text)") }
    var untouched = Self.month
    for index in untouched.findings.indices {
      untouched.findings[index].work = nil
      untouched.findings[index].isMaterial = nil
    }
    #expect(reconciliationJSON(untouched) == reconciliationJSON(SampleMonth.short))
  }
}
