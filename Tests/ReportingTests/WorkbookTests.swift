import Billing
import Matching
import Foundation
import Testing

@testable import Reporting

/// A file in a folder of its own that goes away with the test.
struct Scratch: ~Copyable {
  let folder: URL
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "tieout-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: folder) }
  func path(_ name: String) -> String { folder.appending(path: name).path }
}

@Suite struct WorkbookTests {
  @Test func sameConclusionsGiveSameBytes() throws {
    let scratch = try Scratch()
    let month = SampleMonth.reconciliation
    var shuffled = month
    shuffled.findings.reverse()
    shuffled.inputs.reverse()
    shuffled.refunds.reverse()
    shuffled.subscriptions.reverse()
    shuffled.subscriptionCounts.reverse()
    shuffled.proceeds.reverse()
    shuffled.deductions.reverse()
    shuffled.dayBoundaries.reverse()
    shuffled.bridges.reverse()
    try writeWorkbook(month, to: scratch.path("one.xlsx"))
    try writeWorkbook(shuffled, to: scratch.path("two.xlsx"))
    let one = try Data(contentsOf: URL(filePath: scratch.path("one.xlsx")))
    let two = try Data(contentsOf: URL(filePath: scratch.path("two.xlsx")))
    #expect(one.starts(with: Array("PK".utf8)))
    #expect(one.count > 10_000)
    #expect(one == two)
  }

  @Test func hostileTextAndFiguresAreWritten() throws {
    let scratch = try Scratch()
    var month = SampleMonth.reconciliation
    let hostile = [
      "=HYPERLINK(\"http://x\")", "+1", "-1", "@SUM(A1)", "\u{0}\u{1}\u{b}", "]]><x&", "_x0041_",
      String(repeating: "文", count: 40_000), "\u{FFFE}", "",
    ]
    for (index, text) in hostile.enumerated() {
      month.findings[index].explanation = Wording(verbatim: text)
      month.findings[index].sku = text
      month.findings[index].orderIDs = [text, text]
      month.findings[index].amount = 12_345_678_901_234_567
      month.findings[index].sources = [Source(file: text, line: .max)]
    }
    month.findings[11].currency = nil
    for (index, text) in hostile.enumerated() {
      month.refunds[index].user = text
      month.refunds[index].sku = text
      month.refunds[index].transactionID = text
      month.subscriptions[index].sku = text
      month.subscriptions[index].user = text
    }
    try writeWorkbook(month, to: scratch.path("hostile.xlsx"))
    let data = try Data(contentsOf: URL(filePath: scratch.path("hostile.xlsx")))
    #expect(data.starts(with: Array("PK".utf8)))
  }

  @Test func listsInSeveralSheetsAndLinksAsFormulasAreWritten() throws {
    let scratch = try Scratch()
    let limits = Limits(bodyRows: 20, links: 15, cellUnits: 32_767)
    let month = SampleMonth.reconciliation
    let sheets = WorkbookContents(month, limits: limits).sheets()
    try write(sheets, of: month, to: scratch.path("paged.xlsx"), limits: limits)
    #expect(FileManager.default.fileExists(atPath: scratch.path("paged.xlsx")))
  }

  @Test func aMonthWithNothingIsWritten() throws {
    let scratch = try Scratch()
    try writeWorkbook(SampleMonth.empty, to: scratch.path("empty.xlsx"))
    #expect(FileManager.default.fileExists(atPath: scratch.path("empty.xlsx")))
  }

  @Test func aPathThatCannotBeWrittenIsAnErrorAndLeavesNothing() throws {
    let scratch = try Scratch()
    let path = scratch.path("missing/2023-06.xlsx")
    #expect(throws: WorkbookError(path: path, detail: "No such file or directory")) {
      try writeWorkbook(SampleMonth.empty, to: path)
    }
    #expect(throws: WorkbookError.self) {
      try writeWorkbook(SampleMonth.empty, to: scratch.folder.path)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(left == [])
    #expect(!FileManager.default.fileExists(atPath: scratch.folder.path + ".partial"))
  }
}
