import Billing
import CXLSXWriter

/// Writes cells into a worksheet of the library, which keeps them in memory: those that charts
/// read back.
struct CellWriter {
  let worksheet: UnsafeMutablePointer<lxw_worksheet>
  let layout: SheetLayout
  private(set) var cellCount = 0

  init(_ worksheet: UnsafeMutablePointer<lxw_worksheet>, _ layout: SheetLayout) {
    self.worksheet = worksheet
    self.layout = layout
  }

  /// Writes the cells of a row, except those that are blank and look plain.
  ///
  /// - Parameters:
  ///   - height: in points; nil is that of a line.
  ///   - number: of the row, from 0.
  mutating func write(_ row: Row, height: Double?, at number: Int, _ formats: inout Formats) {
    if let height { must(worksheet_set_row(worksheet, UInt32(number), height, nil)) }
    for (column, cell) in row.cells.enumerated() {
      let look = layout.look(of: cell, in: row, column)
      if layout.isLeftOut(cell, look) { continue }
      write(cell, at: UInt32(number), UInt16(column), formats.format(look))
      cellCount += 1
    }
  }

  /// Writes one cell: as a number where a binary one is exact, else as text.
  private func write(
    _ cell: Cell, at row: UInt32, _ column: UInt16, _ format: UnsafeMutablePointer<lxw_format>
  ) {
    switch cell {
    case .blank: must(worksheet_write_blank(worksheet, row, column, format))
    case .text(let text): write(text, at: row, column, format)
    case .formula(let formula, let value):
      write(formula, value, at: row, column, format)
    case .link(let place, let text):
      if layout.hasLinkObjects {
        must(
          worksheet_write_url_opt(
            worksheet, row, column, "internal:\(place.reference)", format, carriable(text), nil))
      } else {
        must(
          worksheet_write_formula_str(
            worksheet, row, column, "=\(linkFormula(place, text))", format, carriable(text)))
      }
    case .integer, .ordinal, .money, .ratio, .rate, .exchange, .day, .quotient, .share:
      if let number = cell.binary {
        must(worksheet_write_number(worksheet, row, column, number, format))
      } else {
        write(cell.exactText, at: row, column, format)
      }
    }
  }

  /// Writes text, cut to what a cell may hold.
  private func write(
    _ text: String, at row: UInt32, _ column: UInt16, _ format: UnsafeMutablePointer<lxw_format>
  ) {
    must(worksheet_write_string(worksheet, row, column, carriable(fitted(text)), format))
  }

  /// Writes a formula without its equals sign, and the value that it has.
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
}

/// The formula, without its equals sign, of a cell that shows text and leads to a place of the
/// workbook.
func linkFormula(_ place: Place, _ text: String) -> String {
  let shown = text.split(separator: "\"", omittingEmptySubsequences: false)
  return "HYPERLINK(\"#\(place.reference)\",\"\(shown.joined(separator: "\"\""))\")"
}

/// Stops the program where a call of the library failed. The library refuses only what this program
/// must not ask of it.
func must(_ outcome: lxw_error) {
  precondition(outcome == LXW_NO_ERROR, String(cString: lxw_strerror(outcome)))
}
