import Billing
import Foundation
import Languages
import Testing

@testable import Conclusions
@testable import Reporting

/// Goal: what is in a workbook is to be seen on screen and paper: no number without room, no title
/// above what it is not of. Method: the sizes that are written, against the figures as they are
/// shown, measured otherwise.
@Suite struct PrintedSheetTests {
  private static let languages: [Language] = [.english, .simplifiedChinese]

  private func inLanguage<Value>(_ language: Language, _ body: () throws -> Value) rethrows -> Value
  {
    try Translation.$current.withValue(Translation(language), operation: body)
  }

  /// A cell's number as it is shown; nil for a text, which runs on beside its cell.
  private func shown(_ cell: Cell) -> String? {
    switch cell {
    case .money(let micros, let currency):
      micros < 0
        ? "(\(grouped(Money(micros: -micros, currency))))"
        : grouped(Money(micros: micros, currency))
    case .integer(let value): grouped(value)
    case .ratio(let millionths): percent(millionths)
    case .formula(_, let value): shown(value)
    default: nil
    }
  }

  /// A month of which everything is in the millions, and all of it matches.
  private var large: Reconciliation {
    var month = SampleBooks.reconciliation
    month.matchedUnits = 1_234_567_890
    month.unmatchedUnits = 0
    for index in month.proceeds.indices {
      month.proceeds[index].proceedsBase = Money(
        micros: 123_456_789_010_000, month.baseCurrency)
    }
    return month
  }

  @Test(arguments: languages) func figuresHaveRoom(language: Language) {
    inLanguage(language) {
      for month in [SampleMonth.reconciliation, SampleFiscalMonth.reconciliation, large] {
        let sheet = WorkbookContents(month).summarySheet()
        let rows = (0..<sheet.rows.count).map { sheet.rows[$0] }
        let widths = sheet.widths(of: rows)
        var count = 0
        for row in rows {
          for (column, cell) in row.cells.enumerated() where row.style(at: column) == .figure {
            guard let text = shown(cell) else { continue }
            count += 1
            // Bold letters of 14 points beside those of 10 that a width counts, and the edges.
            #expect(
              widths[column] * 10 >= text.utf8.count * 15 + 10, "\(text) in \(widths[column])")
          }
        }
        #expect(count >= 5)
      }
    }
  }

  /// Titles of the list stand on each page of it, and on no page of the tables below it alone.
  @Test func titlesAreRepeatedWhereTheyHold() throws {
    let scratch = try Scratch()
    let month = SampleMonth.reconciliation
    let sheets = WorkbookContents(month).sheets()
    try write(sheets, of: month, to: scratch.path("a.xlsx"), limits: .excel)
    let text = try part("xl/workbook.xml", of: scratch.path("a.xlsx"))
    let repeated = Set(
      text.matches(of: #/Print_Titles" localSheetId="(\d+)"[^>]*>[^<]*\$1:\$1</#).map {
        sheets[Int($0.1)!].name
      })
    #expect(repeated.contains("Mismatches") && repeated.contains("Inputs"))
    #expect(!repeated.contains("Proceeds by country"), "\(repeated)")
    // Of several tables the last one's titles, which alone may go on over further pages.
    let proceeds = try #require(sheets.firstIndex { $0.name == "Proceeds by country" })
    let last = try #require(sheets[proceeds].totals.lastIndex { $0.style == .tableHeader })
    let row = sheets[proceeds].lastBodyRow + 2 + last
    #expect(
      text.contains(
        "localSheetId=\"\(proceeds)\">'Proceeds by country'!$\(row):$\(row)<"), "\(row)")
  }

  private func part(_ name: String, of path: String) throws -> String {
    let unzip = Process()
    let output = Pipe()
    unzip.executableURL = URL(filePath: "/usr/bin/unzip")
    unzip.arguments = ["-p", path, name]
    unzip.standardOutput = output
    try unzip.run()
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  /// Rows, from 0, that begin a page, of a list with tables below it, each with a title.
  ///
  /// - Parameter tables: their rows, titles included.
  private func breaks(list: Int, tables: [Int], columns: Int = 8) throws -> [Int] {
    func rows(_ count: Int) -> [Row] { (0..<count).map { Row(cells: [.text("\($0)")]) } }
    let below = tables.map { [Row(cells: [.text("title")], style: .section)] + rows($0 - 1) }
    let sheet = Sheet(
      name: "a", columns: Array(repeating: ColumnHead(title: "a", width: 20...20), count: columns),
      rows: Rows(rows(list)), totals: Array(below.joined(separator: [Row(cells: [])])),
      frozenColumns: 1)
    let scratch = try Scratch()
    try write([sheet], of: SampleMonth.empty, to: scratch.path("a.xlsx"), limits: .excel)
    return try part("xl/worksheets/sheet1.xml", of: scratch.path("a.xlsx"))
      .matches(of: #/<brk id="(\d+)"/#).map { Int($0.1)! }
  }

  /// Eight columns of 20 digits leave a page room for 37 rows.
  @Test func noTitleIsPartedFromItsTable() throws {
    #expect(try breaks(list: 10, tables: [5, 5]) == [])
    // A little smaller, all of it has room.
    #expect(try breaks(list: 30, tables: [10]) == [])
    #expect(try breaks(list: 30, tables: [25]) == [32])
    // Below a list that ends in the middle of a page there is room.
    #expect(try breaks(list: 200, tables: [5]) == [])
    #expect(try breaks(list: 220, tables: [5]) == [222])
    #expect(try breaks(list: 10, tables: [20, 20]) == [33])
    #expect(try breaks(list: 5, tables: [100, 3]) == [7])
    #expect(try breaks(list: 0, tables: [5]) == [])
    // Where further columns are printed on pages of their own, tables have nothing there.
    #expect(try breaks(list: 5, tables: [5, 5], columns: 16) == [7])
  }

  @Test func eachPageIsHeadedWithItsOwner() throws {
    let scratch = try Scratch()
    var month = SampleMonth.reconciliation
    month.company = "3M & Söhne"
    try writeWorkbook(month, to: scratch.path("a.xlsx"))
    let sheet = try part("xl/worksheets/sheet2.xml", of: scratch.path("a.xlsx"))
    #expect(sheet.contains("&amp;R&amp;8 3M &amp;&amp; Söhne · Reconciliation 2023-06"))
  }

  /// Thousandths of a letter's height that Arial's letters from space to tilde are wide, by the
  /// font's own table.
  private static let arial = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722,
    667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944,
    667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222,
    500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334,
    584,
  ]

  /// In points, of letters of 10.
  private func points(_ text: some StringProtocol) -> Double {
    text.unicodeScalars.reduce(0) { sum, scalar in
      if displayWidth(String(scalar)) == 2 { return sum + 10 }
      let place = Int(scalar.value) - 32
      return sum + (Self.arial.indices.contains(place) ? Double(Self.arial[place]) / 100 : 5.84)
    }
  }

  /// Words, spaces between them, and letters of scripts that have none.
  private func unbroken(_ text: Substring) -> [String] {
    var pieces: [String] = []
    var last: (isWide: Bool, isSpace: Bool)?
    for scalar in text.unicodeScalars {
      let kind = (isWide: displayWidth(String(scalar)) == 2, isSpace: scalar == " ")
      if let last, last == kind, !kind.isWide {
        pieces[pieces.count - 1].unicodeScalars.append(scalar)
      } else {
        pieces.append(String(scalar))
      }
      last = kind
    }
    return pieces
  }

  /// Lines that text is broken into, measured in the cells' font: a column has seven dots a digit
  /// and five, of three quarters of a point; its edges and what stands in take 10 points.
  private func linesInArial(_ text: String, width: Int) -> Int {
    let room = Double(width * 7 + 5) * 0.75 - 10
    var lines = 0
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      lines += 1
      var used = 0.0
      for word in unbroken(paragraph) {
        let own = points(word)
        if used > 0, used + own > room, word.first != " " {
          lines += 1
          used = 0
        }
        used += own
        while used > room, word.first != " " {
          lines += 1
          used -= room
        }
      }
    }
    return lines
  }

  /// A row is as high as the lines of its longest cell; a spare line is what measuring without the
  /// font costs.
  @Test(arguments: languages) func rowsAreAsHighAsTheirLines(language: Language) throws {
    try inLanguage(language) {
      let scratch = try Scratch()
      let lineHeight = language == .english ? 12.75 : 15.0
      var highest = 0
      for month in [SampleMonth.reconciliation, SampleFiscalMonth.reconciliation] {
        let sheets = WorkbookContents(month).sheets()
        try write(sheets, of: month, to: scratch.path("a.xlsx"), limits: .excel)
        for (number, sheet) in sheets.enumerated() where sheet.columns.contains(where: \.wraps) {
          let xml = try part("xl/worksheets/sheet\(number + 1).xml", of: scratch.path("a.xlsx"))
          let heights = Dictionary(
            uniqueKeysWithValues: xml.matches(of: #/<row r="(\d+)"[^>]* ht="([0-9.]+)"/#).map {
              (Int($0.1)!, Double($0.2)!)
            })
          let layout = SheetLayout(sheet, hasLinkObjects: false)
          for index in 0..<sheet.rows.count {
            let row = sheet.rows[index]
            guard row.style == .body else { continue }
            var lines = 1
            for (column, cell) in zip(sheet.columns, row.cells) where column.wraps {
              guard case .text(let text) = cell else { continue }
              lines = max(lines, linesInArial(text, width: column.width.upperBound))
            }
            highest = max(highest, lines)
            let height = heights[sheet.firstBodyRow + index] ?? lineHeight
            #expect(
              height >= Double(lines) * lineHeight, "\(sheet.name) \(sheet.firstBodyRow + index)")
            #expect(layout.lineCount(of: row) <= lines + 1, "\(row.cells)")
          }
        }
      }
      #expect(highest >= 3)
    }
  }
}
