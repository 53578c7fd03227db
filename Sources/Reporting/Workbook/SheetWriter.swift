import Billing
import CXLSXWriter

/// Writes one sheet's cells, row after row, into a worksheet of the library.
struct SheetWriter {
  let sheet: Sheet
  let worksheet: UnsafeMutablePointer<lxw_worksheet>
  /// Whether links are objects of the sheet; else they are formulas, which have no limit.
  let hasLinkObjects: Bool
  private(set) var cellCount = 0
  /// Decimal places of each column's amounts.
  private var decimals: [Int] = []
  /// Known once all rows are written.
  var breaks: PageBreaks?

  init(_ sheet: Sheet, in worksheet: UnsafeMutablePointer<lxw_worksheet>, limits: Limits) {
    self.sheet = sheet
    self.worksheet = worksheet
    hasLinkObjects = sheet.rows.linkCount(upTo: limits.links + 1) <= limits.links
  }

  mutating func write(_ formats: inout Formats) {
    let first = Self.prepared(0..<min(Self.rowsTogether, sheet.rows.count), sheet)
    let deciding = first.prefix(2_000).lazy.map(\.row)
    decimals = sheet.decimals(of: deciding)
    let widths = sheet.widths(of: deciding)
    for (column, width) in widths.enumerated() {
      must(
        worksheet_set_column(worksheet, column16(column), column16(column), columnWidth(width), nil)
      )
    }
    // While rows are streamed the library takes no range above the row it is at.
    setPanes()
    setPrint(widths)
    var number = 0
    if sheet.hasHeader {
      write(PreparedRow(header(), sheet), at: 0, &formats)
      number = 1
    }
    writeBody(first, at: number, &formats)
    number += sheet.rows.count
    if !sheet.totals.isEmpty { number += 1 }
    for row in sheet.totals {
      write(PreparedRow(row, sheet), at: number, &formats)
      number += 1
    }
    if let rows = breaks?.rows, !rows.isEmpty {
      // A zero ends the list.
      var list = rows.map { UInt32($0) } + [0]
      must(worksheet_set_h_pagebreaks(worksheet, &list))
    }
  }

  /// A row, and how many lines its highest cell takes up.
  private struct PreparedRow {
    let row: Row
    let lines: Int

    init(_ row: Row, _ sheet: Sheet) {
      self.row = row
      lines = sheet.lineCount(of: row)
    }
  }

  private static let rowsTogether = 4096

  private static func prepared(_ range: Range<Int>, _ sheet: Sheet) -> [PreparedRow] {
    range.map { PreparedRow(sheet.rows[$0], sheet) }
  }

  /// Makes rows of a long list on another thread, while those before them are written; each is made
  /// once.
  private mutating func writeBody(_ first: [PreparedRow], at start: Int, _ formats: inout Formats) {
    var rows = first
    var done = 0
    while done + rows.count < sheet.rows.count {
      let begin = done + rows.count
      let next = begin..<min(begin + Self.rowsTogether, sheet.rows.count)
      let (_, following) = inTwoThreads(
        { write(rows, at: start + done, &formats) },
        { [sheet] in Self.prepared(next, sheet) })
      (rows, done) = (following, begin)
    }
    write(rows, at: start + done, &formats)
  }

  private mutating func write(
    _ rows: [PreparedRow], at first: Int, _ formats: inout Formats
  ) {
    for (place, row) in rows.enumerated() { write(row, at: first + place, &formats) }
  }

  private func header() -> Row {
    Row(cells: sheet.columns.map { .text($0.title) }, style: .tableHeader)
  }

  private mutating func write(
    _ prepared: PreparedRow, at number: Int, _ formats: inout Formats
  ) {
    let row = prepared.row
    let height = row.style.height ?? height(lines: prepared.lines)
    breaks?.add(height, beginsPart: row.style == .section, at: number)
    if let height { must(worksheet_set_row(worksheet, UInt32(number), height, nil)) }
    for (column, cell) in row.cells.enumerated() {
      let look = look(of: cell, in: row, column)
      if cell == .blank, look.style == .body, look.meaning == nil { continue }
      write(cell, at: UInt32(number), column16(column), formats.format(look, column))
      cellCount += 1
    }
  }

  private func look(of cell: Cell, in row: Row, _ column: Int) -> Look {
    let style = row.style(at: column)
    let isHeader = style == .tableHeader || style == .numberHeader
    let described = column < sheet.columns.count ? sheet.columns[column] : nil
    var look = Look(number: cell.number, style: style)
    if case .money = look.number, column < decimals.count, style != .figure {
      look.decimals = decimals[column]
    }
    look.meaning = row.tints.first { $0.column == column }?.meaning
    look.wraps = !isHeader && described?.wraps == true
    look.isRight =
      isHeader ? isOverNumbers(row, column, described) : cell.isNumber
    if style == .figure || style == .label { look.isRight = false }
    if case .link = cell { look.isLink = true }
    look.isCentred = !isHeader && cell.isDay
    // Space between a number and the text that follows it.
    look.isIndented = sheet.hasHeader && column > 0 && !look.isRight && !look.isCentred
    return look
  }

  private func isOverNumbers(_ row: Row, _ column: Int, _ described: ColumnHead?) -> Bool {
    if row.style(at: column) == .numberHeader { return true }
    // A header inside a sheet says itself which of its titles stand over numbers.
    return row.accents.isEmpty && described?.isNumeric == true
  }

  private func write(
    _ cell: Cell, at row: UInt32, _ column: UInt16, _ format: UnsafeMutablePointer<lxw_format>
  ) {
    switch cell {
    case .blank: must(worksheet_write_blank(worksheet, row, column, format))
    case .text(let text): write(text, at: row, column, format)
    case .formula(let formula, let value):
      write(formula, value, at: row, column, format)
    case .link(let place, let text):
      if hasLinkObjects {
        must(
          worksheet_write_url_opt(
            worksheet, row, column, "internal:\(place.reference)", format, carriable(text), nil))
      } else {
        let shown = text.split(separator: "\"", omittingEmptySubsequences: false)
        let formula = "=HYPERLINK(\"#\(place.reference)\",\"\(shown.joined(separator: "\"\""))\")"
        must(worksheet_write_formula_str(worksheet, row, column, formula, format, text))
      }
    case .integer, .ordinal, .money, .ratio, .rate, .day, .quotient, .share:
      if let number = cell.binary {
        must(worksheet_write_number(worksheet, row, column, number, format))
      } else {
        write(cell.exactText, at: row, column, format)
      }
    }
  }

  private func write(
    _ text: String, at row: UInt32, _ column: UInt16, _ format: UnsafeMutablePointer<lxw_format>
  ) {
    must(worksheet_write_string(worksheet, row, column, carriable(fitted(text)), format))
  }

  private func write(
    _ formula: String, _ value: Cell, at row: UInt32, _ column: UInt16,
    _ format: UnsafeMutablePointer<lxw_format>
  ) {
    if let number = value.binary {
      must(
        worksheet_write_formula_num(worksheet, row, column, "=\(formula)", format, number))
    } else {
      must(
        worksheet_write_formula_str(
          worksheet, row, column, "=\(formula)", format, carriable(value.exactText)))
    }
  }

  private func column16(_ column: Int) -> UInt16 { UInt16(column) }
}

extension Cell {
  fileprivate var isDay: Bool {
    switch self {
    case .day: true
    case .formula(_, let value): value.isDay
    default: false
    }
  }

  var number: Look.Number {
    switch self {
    case .blank, .text, .link: .text
    case .integer: .integer
    case .ordinal: .ordinal
    case .money(let micros, let currency):
      .money(digits: places(micros: micros, atLeast: currency.minorDigits))
    case .ratio, .share: .ratio
    case .rate: .rate
    case .day: .day
    case .quotient(_, let places): .quotient(places: places)
    case .formula(_, let value): value.number
    }
  }
}

/// Decimal places that an amount needs.
private func places(micros: Int64, atLeast minimum: Int) -> Int {
  var digits = 6
  var rest = micros
  while digits > minimum, rest % 10 == 0 {
    rest /= 10
    digits -= 1
  }
  return digits
}

/// The library refuses only what this program must not ask of it.
func must(_ outcome: lxw_error) {
  precondition(outcome == LXW_NO_ERROR, String(cString: lxw_strerror(outcome)))
}
