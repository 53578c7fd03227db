import Billing
import Conclusions
import Foundation
import Support
import Synchronization
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

/// How often each row was asked for.
private final class Calls: Sendable {
  private let counts: Mutex<[Int]>

  init(_ count: Int) { counts = Mutex(Array(repeating: 0, count: count)) }

  func note(_ index: Int) { counts.withLock { $0[index] += 1 } }
  var all: [Int] { counts.withLock { $0 } }
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

  /// Of a list of any length each row is made once, and links are asked for until there are too
  /// many.
  @Test(arguments: [1, 1_000, 4_096, 4_097, 100_000])
  func eachRowIsMadeOnce(count: Int) throws {
    let scratch = try Scratch()
    let (rows, links) = (Calls(count), Calls(count))
    let sheet = Sheet(
      name: "Long", columns: [.text("place"), .prose("words", 20)],
      rows: Rows(count: count) { index in
        links.note(index)
        return 1
      } _: { index in
        rows.note(index)
        return Row(cells: [.link(Place(sheet: "Long", row: 2), "here"), .text("words \(index)")])
      })
    try write(
      [sheet], of: SampleMonth.reconciliation, to: scratch.path("long.xlsx"), limits: .excel)
    #expect(rows.all == Array(repeating: 1, count: count))
    let asked = min(count, Limits.excel.links + 1)
    #expect(
      links.all == Array(repeating: 1, count: asked) + Array(repeating: 0, count: count - asked))
  }

  @Test func evidenceOfAFindingWithManyRowsIsPutTogetherOnce() {
    var month = SampleMonth.reconciliation
    let index = month.findings.firstIndex { $0.code.level == 1 }!
    let file = month.inputs.first { $0.kind == .orders }!.file
    month.findings[index].orderIDs = (0..<40).map { "order-\(100 + $0)" }
    month.findings[index].sources = (0..<40).map { Source(file: file, line: $0) }
    let id = month.findings[index].id
    let contents = WorkbookContents(month)
    let sheet = contents.ordersSheet()!
    let list = List.orders(in: contents)
    let found = (0..<sheet.rows.count).map { sheet.rows[$0].cells }
      .filter { $0[list.index("finding")].exactText == id }.map { $0[list.index("order_id")] }
    #expect(found.prefix(40) == (0..<40).map { Cell.text("order-\(100 + $0)") }[...])
    #expect(contents.longEvidence.values.map(\.count) == [found.count])
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
    #expect(throws: OutputError.system(code: ENOENT)) {
      try writeWorkbook(SampleMonth.empty, to: path)
    }
    #expect(throws: OutputError.system(code: EISDIR)) {
      try writeWorkbook(SampleMonth.empty, to: scratch.folder.path)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
    #expect(left == [])
  }

  /// What a full disk leaves: the library says that it wrote all.
  @Test func aWorkbookThatLacksAnythingIsDamaged() throws {
    let scratch = try Scratch()
    let path = scratch.path("whole.xlsx")
    let month = SampleMonth.reconciliation
    let sheets = WorkbookContents(month).sheets()
    try write(sheets, of: month, to: path, limits: .excel)
    let whole = try Data(contentsOf: URL(filePath: path))
    let cells = try #require(sheetCells(path))
    try checkWorkbook(at: path, cells: cells)
    var other = cells
    other[1] += 1
    #expect(throws: OutputError.damaged) { try checkWorkbook(at: path, cells: other) }
    var random = SplitMix64(seed: 15)
    for _ in 0..<100 {
      let length = Int.random(in: 0..<whole.count, using: &random)
      try whole.prefix(length).write(to: URL(filePath: scratch.path("cut.xlsx")))
      #expect(throws: OutputError.damaged) {
        try checkWorkbook(at: scratch.path("cut.xlsx"), cells: cells)
      }
    }
  }

  /// Rows of our own making are read back as they were packed.
  @Test func packedRowsAreReadBackByteForByte() throws {
    let scratch = try Scratch()
    let sheet = Sheet(name: "a", columns: [.text("a")], rows: Rows([]))
    let layout = SheetLayout(sheet, hasLinkObjects: true)
    var spool = try RowSpool(besides: scratch.folder.path)
    var rows = SpooledRows()
    for begin in [0, 500, 1_000] {
      let lines = (begin..<(begin + 500)).map { Row(cells: [.text("row \($0)")]) }
      var block = RowBlock(lines, at: begin, layout, styles: [:])
      block.resolve { _ in 1 }
      try spool.add(block, to: &rows)
    }
    let head = DeflatedPart(Array("<a>".utf8))
    let tail = DeflatedPart(Array("</a>".utf8), isLast: true)
    let packed = PackedRows(rows, between: head, and: tail)
    let path = scratch.path("rows.xlsx")
    do {
      let file = try OutputFile(path)
      var archive = ArchiveWriter(file)
      try archive.begin(
        "xl/worksheets/sheet1.xml", sum: Int(rows.sumOfPart(head, tail)),
        size: head.size + rows.size + tail.size,
        packed: packed.place.upperBound + tail.bytes.count)
      try file.write(head.bytes)
      try spool.file.readBack(rows.packed) { bytes throws(OutputError) in try file.write(bytes) }
      try file.write(tail.bytes)
      try archive.end()
      try file.commit()
    }
    try checkWorkbook(at: path, cells: [1_500])
    try checkWorkbook(at: path, cells: [1_500], packed: [0: packed])
    #expect(throws: OutputError.damaged) {
      try checkWorkbook(at: path, cells: [1_499], packed: [0: packed])
    }
    let whole = try Data(contentsOf: URL(filePath: path))
    let part = whole.firstRange(of: Data(head.bytes))!.lowerBound
    let end = part + packed.place.upperBound + tail.bytes.count
    func isFound(_ damage: (inout Data) -> Void) throws -> Bool {
      var damaged = whole
      damage(&damaged)
      try damaged.write(to: URL(filePath: path))
      do { try checkWorkbook(at: path, cells: [1_500], packed: [0: packed]) } catch { return true }
      return false
    }
    // One bit anywhere, what is cut off, what has changed places, another sum in the directory.
    for place in stride(from: part, to: end, by: 7) {
      #expect(try isFound { $0[place] ^= 1 << UInt8(place % 8) }, "\(place - part)")
      #expect(try isFound { $0 = $0.prefix(place) }, "\(place - part)")
    }
    #expect(
      try isFound {
        let blocks = $0[(part + packed.place.lowerBound)..<(part + packed.place.upperBound)]
        let middle = blocks.startIndex + blocks.count / 2
        $0 =
          $0[..<blocks.startIndex] + blocks[middle...] + blocks[..<middle] + $0[blocks.endIndex...]
      })
    #expect(try isFound { $0[$0.count - 22 - 24 - 46 + 16] ^= 1 })
    #expect(try !isFound { _ in })
  }

  /// Rows of several rounds, among them styles that are met late, are the XML that the check of
  /// all parts asks for.
  @Test func rowsOfManyBlocksAreWhole() throws {
    let scratch = try Scratch()
    let path = scratch.path("long.xlsx")
    let count = 40_000
    let sheet = Sheet(
      name: "a", columns: [.text("a"), .number("b")],
      rows: Rows(count: count, links: { _ in 0 }) { index in
        let style: Row.Style = index % 9_973 == 5_000 ? .total : .body
        let number: Cell = index > 20_000 && index % 4_999 == 0 ? .ratio(1) : .integer(Int64(index))
        return Row(cells: [.text("row \(index)"), number], style: style)
      })
    try write([sheet], titled: "a", made: Day(number: 19_000), to: path, limits: .excel)
    try checkWorkbook(at: path, cells: [2 * count + 2])
  }

  /// How many cells its sheets have: the check tells by what it takes.
  private func sheetCells(_ path: String) -> [Int]? {
    var cells = WorkbookContents(SampleMonth.reconciliation).sheets().map { _ in 0 }
    for index in cells.indices {
      cells[index] = cellCount(ofSheet: index + 1, at: path)
    }
    return cells
  }

  private func cellCount(ofSheet number: Int, at path: String) -> Int {
    let unzip = Process()
    let output = Pipe()
    unzip.executableURL = URL(filePath: "/usr/bin/unzip")
    unzip.arguments = ["-p", path, "xl/worksheets/sheet\(number).xml"]
    unzip.standardOutput = output
    guard (try? unzip.run()) != nil else { return 0 }
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return text.ranges(of: "<c ").count
  }

  @Test(arguments: [
    ("<?xml?><a><c r=\"1\"/><c s=\"2\">x</c><cols/></a>", 2), ("<a/>", 0),
    ("<a><b></b>", nil), ("<a></a", nil), ("<a></a></b>", nil), ("<a></a><b/>", nil), ("", nil),
  ])
  func anOutlineTellsWhetherXMLIsWhole(text: String, cells: Int?) {
    for split in 0...text.utf8.count {
      var outline = XMLOutline()
      let bytes = Array(text.utf8)
      for part in [bytes[..<split], bytes[split...]] {
        part.withUnsafeBytes { outline.add($0) }
      }
      #expect((outline.isWhole ? outline.cells : nil) == cells)
    }
  }
}
