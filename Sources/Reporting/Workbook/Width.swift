import Billing
import Languages

extension Sheet {
  /// Each column's width, in digits, so that what stands in it fits within its bounds.
  ///
  /// - Parameter rows: the first rows of the list, which decide.
  func widths(of rows: some Sequence<Row>) -> [Int] {
    var widths = columns.map { column in
      // Room for the filter's arrow.
      column.title.isEmpty ? 0 : displayWidth(column.title) + 3
    }
    /// Widens columns to what a row's cells need.
    func measure(_ row: Row) {
      for (column, cell) in row.cells.enumerated() where column < widths.count {
        var width = displayWidth(cell) + 2
        // Of 14 points, where all else is of 10, and bold.
        if row.style(at: column) == .figure { width = (width * 3 + 1) / 2 }
        widths[column] = max(widths[column], width)
      }
    }
    rows.forEach(measure)
    // A title or a remark goes on over the cells beside it, which are blank.
    let alone: Set<Row.Style> = [.section, .subtitle, .aside]
    totals.filter { !alone.contains($0.style) }.forEach(measure)
    return zip(columns, widths).map { column, width in
      min(max(width, column.width.lowerBound), column.width.upperBound)
    }
  }
}

extension Sheet {
  /// The magnification in per cent at which the sheet opens, so that the columns that are printed
  /// stand side by side on a laptop's screen, where letters are still read then.
  ///
  /// - Parameter widths: of the columns, in digits.
  func zoom(_ widths: [Int]) -> Int {
    // Of a width of 1,366 dots, less the rows' numbers and the bar to scroll.
    let (room, least) = (1_306, 70)
    let dots = widths.prefix(printedColumns ?? widths.count).reduce(0) { $0 + $1 * 7 + 5 }
    return min(100, max(least, room * 100 / max(dots, 1)))
  }
}

/// How wide what a cell shows is, in digits.
private func displayWidth(_ cell: Cell) -> Int {
  switch cell {
  case .blank: 0
  case .text(let text), .link(_, let text): displayWidth(text)
  case .integer(let value): groupedWidth(String(value))
  case .ordinal(let value): String(value).utf8.count
  case .money(let micros, let currency):
    groupedWidth(decimalText(micros: micros, minimumDigits: currency.minorDigits)) + 1
  // A whole share is `100.00%`.
  case .ratio(let millionths): max(decimalText(micros: millionths).utf8.count + 3, 7)
  case .rate: 11
  case .exchange(let value): max(groupedWidth(value.rateText), 11)
  case .quotient(let value, let places): groupedWidth(value.text(places: places)) + 1
  case .share(let value): value.text(places: 4).utf8.count + 1
  case .day: 10
  case .formula(_, let value): displayWidth(value)
  }
}

/// The width of a decimal number once it has thousands separators, in digits.
private func groupedWidth(_ decimal: String) -> Int {
  let whole = decimal.utf8.prefix { $0 != 0x2E }.count
  return decimal.utf8.count + (whole - 1) / 3
}
