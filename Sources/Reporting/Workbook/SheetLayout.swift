import Billing
import Languages

/// What a sheet says of all of its cells: how they look, and how high rows are.
struct SheetLayout: Sendable {
  let sheet: Sheet
  /// Whether links are objects of the sheet; else they are formulas, which have no limit.
  let hasLinkObjects: Bool
  private let wraps: [Bool]
  /// The columns whose text goes on in further lines, and their widths.
  private let prose: [(column: Int, width: Int)]
  private let isNumeric: [Bool]
  /// Of a row of text, in points.
  private let lineHeight: Double

  /// Takes from a sheet what decides how its cells look.
  init(_ sheet: Sheet, hasLinkObjects: Bool) {
    self.sheet = sheet
    self.hasLinkObjects = hasLinkObjects
    wraps = sheet.columns.map(\.wraps)
    prose = sheet.columns.enumerated().filter { $1.wraps }.map { ($0, $1.width.upperBound) }
    isNumeric = sheet.columns.map(\.isNumeric)
    // The letters of East Asian scripts are higher.
    lineHeight = Translation.current.language == .simplifiedChinese ? 15.5 : 12.75
  }

  /// The height of a row in points; nil for a row of one line. Readers differ in whether they make
  /// room themselves.
  func height(of row: Row) -> Double? {
    if let height = row.style.height { return height }
    let maxHeight = 409.0
    let lines = lineCount(of: row)
    return lines > 1 ? min(maxHeight, Double(lines) * lineHeight + 2) : nil
  }

  /// How many lines the highest cell of a row takes up in its column.
  func lineCount(of row: Row) -> Int {
    guard row.style == .body else { return 1 }
    var highest = 1
    for (column, width) in prose where column < row.cells.count {
      guard case .text(let text) = row.cells[column] else { continue }
      highest = max(highest, proseLines(text, width: width))
    }
    return highest
  }

  /// Whether a cell is left out: nothing stands in it, and nothing shows.
  func isLeftOut(_ cell: Cell, _ look: Look) -> Bool {
    if case .blank = cell { look.style == .body && look.meaning == nil } else { false }
  }

  /// How a cell looks: its number format, alignment, colour and wrapping, by what it holds and by
  /// its row and column.
  func look(of cell: Cell, in row: Row, _ column: Int) -> Look {
    let style = row.style(at: column)
    let isHeader = style == .tableHeader || style == .numberHeader
    var look = Look(number: cell.number, style: style)
    look.meaning = row.tints.first { $0.column == column }?.meaning
    // A title or a remark goes on over the cells beside it, and its row is one line high.
    let isAlone = row.style == .section || row.style == .aside
    look.wraps = !isHeader && !isAlone && column < wraps.count && wraps[column]
    look.isRight = isHeader ? isOverNumbers(row, column) : cell.isNumber
    if style == .figure || style == .label { look.isRight = false }
    if case .link = cell { look.isLink = true }
    look.isCentred = !isHeader && cell.isDay
    // Space between a number and the text that follows it.
    look.isIndented = sheet.hasHeader && column > 0 && !look.isRight && !look.isCentred
    return look
  }

  /// Whether the header cell at a column stands over numbers, so that it is aligned to the right.
  private func isOverNumbers(_ row: Row, _ column: Int) -> Bool {
    if row.style(at: column) == .numberHeader { return true }
    // A header inside a sheet says itself which of its titles stand over numbers.
    return row.accents.isEmpty && column < isNumeric.count && isNumeric[column]
  }
}

extension Cell {
  /// Whether a day stands here, by itself or as the value of a formula.
  fileprivate var isDay: Bool {
    switch self {
    case .day: true
    case .formula(_, let value): value.isDay
    default: false
    }
  }

  /// How the number of the cell is formatted: its kind and decimal places.
  var number: Look.Number {
    switch self {
    case .blank, .text, .link: .text
    case .integer: .integer
    case .ordinal: .ordinal
    case .money(let micros, let currency):
      .money(digits: places(micros: micros, atLeast: currency.minorDigits))
    case .ratio, .share: .ratio
    case .rate: .rate
    case .exchange(let value): value.ratePlaces <= 6 ? .rate : .quotient(places: value.ratePlaces)
    case .day: .day
    case .quotient(_, let places): .quotient(places: places)
    case .formula(_, let value): value.number
    }
  }
}

/// How many decimal places an amount needs, up to six: as many as are not zeros at its end.
private func places(micros: Int64, atLeast minimum: Int) -> Int {
  var digits = 6
  var rest = micros
  while digits > minimum, rest % 10 == 0 {
    rest /= 10
    digits -= 1
  }
  return digits
}
