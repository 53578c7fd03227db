import Billing
import Fetching
import Foundation
import Ledger
import Support
import Testing

import Workflow

/// Goal: what was fetched is imported some time. Method: files that processes left.
@Suite struct FetchedFilesTests {
  private func reports(_ days: ClosedRange<Int>) -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for day in days {
      files[Inputs.salesName(day: day)] = Array(Inputs.sales(day: day, units: day).utf8)
    }
    return files
  }

  private func units(_ folder: TemporaryFolder) throws -> String {
    try CommandLineRun(
      "sql", "SELECT begin, units FROM v_report_row ORDER BY 1, 2", "--format", "csv", in: folder
    ).output
  }

  // MARK: - Files that are there already

  /// A file stands where the report lands, as Apple has it by now; the ledger has an older one of
  /// the same name.
  @Test func `a report that was replaced when the process ended is imported`() throws {
    let standIn = try AppleStandIn(data: reports(1...1))
    _ = try standIn.june(1...1)
    let anew = Inputs.sales(day: 1, units: 7)
    try standIn.folder.write("data/" + Inputs.salesName(day: 1), anew)
    try standIn.folder.write("apple/S_D_85012345_20230601.txt.gz", gzipMember(anew))
    let second = try standIn.june(1...1)
    #expect(second.answers.map(\.isUnchanged) == [true])
    #expect(second.imported?.files.map { $0.supersedes != nil } == [true])
    #expect(try units(standIn.folder).contains("2023-06-01,7\n"))
    let third = try standIn.june(1...1)
    #expect(third.answers.map(\.isUnchanged) == [true] && third.imported == nil)
  }
}
