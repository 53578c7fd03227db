import Billing
import Foundation
import Languages
import Testing

@testable import Matching
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
    let unzip = Process()
    let output = Pipe()
    unzip.executableURL = URL(filePath: "/usr/bin/unzip")
    unzip.arguments = ["-p", scratch.path("a.xlsx"), "xl/workbook.xml"]
    unzip.standardOutput = output
    try unzip.run()
    let text = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let repeated = Set(
      text.matches(of: #/Print_Titles" localSheetId="(\d+)"[^>]*>[^<]*\$1:\$1</#).map {
        sheets[Int($0.1)!].name
      })
    #expect(repeated.contains("Mismatches") && repeated.contains("Bridge"))
    #expect(!repeated.contains("Proceeds by country"), "\(repeated)")
  }
}
