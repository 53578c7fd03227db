import Billing

/// Where the lines of a list stand.
enum ListBody: Hashable {
  /// From the second row of a sheet on.
  case sheet(count: Int)
  /// Below another list.
  case table(from: Int, count: Int)
  /// Over as many sheets as they need.
  case pages(Pages)

  /// The numbers of the lines' rows, as the reader sees them, where one sheet has them all.
  ///
  /// - Precondition: there are lines.
  var rows: ClosedRange<Int> { firstRow...lastRow }

  /// The number of the last line's row; where there are no lines, the row before the first.
  var lastRow: Int { firstRow + count - 1 }

  /// The number of a line's row, as the reader sees it; lines count from 0.
  func row(of line: Int) -> Int { firstRow + line }

  /// The number of the first line's row, as the reader sees it.
  var firstRow: Int {
    switch self {
    // Below the columns' titles.
    case .sheet: 2
    case .table(let first, _): first
    case .pages: preconditionFailure("the lines stand in several sheets")
    }
  }

  /// How many lines there are.
  private var count: Int {
    switch self {
    case .sheet(let count), .table(_, let count): count
    case .pages(let pages): pages.count
    }
  }

  /// The number of the first row of totals.
  var firstTotal: Int {
    switch self {
    // An empty row stands between, so that a filter does not take totals for lines.
    case .sheet: lastRow + 2
    case .table: lastRow + 1
    case .pages(let pages): pages.firstTotal
    }
  }

  /// The formula, without its equals sign, that adds up a column; of a filtered list what the
  /// filter shows.
  func sum(_ letter: String) -> String {
    let range = "\(letter)\(rows.lowerBound):\(letter)\(rows.upperBound)"
    if case .sheet = self { return "SUBTOTAL(109,\(range))" }
    return "SUM(\(range))"
  }

  /// The formula, without its equals sign, that adds up a column over the lines that have a
  /// currency.
  ///
  /// - Parameters:
  ///   - column: the column of the amounts, from 0.
  ///   - key: the column of the currency, from 0.
  ///   - row: of the total, which has the currency in the same column.
  func sum(_ column: Int, of currency: Currency, in key: Int, row: Int) -> String {
    if case .pages(let pages) = self {
      return pages.sum { "SUMIFS(\($0(column)),\($0(key)),\"\(currency)\")" }
    }
    func range(_ letter: String) -> String {
      "\(letter)$\(rows.lowerBound):\(letter)$\(rows.upperBound)"
    }
    let criterion = columnLetters(key)
    return "SUMIFS(\(range(columnLetters(column))),\(range(criterion)),\(criterion)\(row))"
  }
}
