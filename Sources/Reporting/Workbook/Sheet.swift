import Billing
import Languages

/// What a workbook can hold.
struct Limits: Sendable {
  /// Body rows of one sheet. Excel has 1,048,576 rows; the rest is for header and totals.
  var bodyRows: Int
  /// Links of one sheet that Excel accepts; with more of them all are formulas.
  var links: Int
  /// UTF-16 units in a cell's text.
  var cellUnits: Int

  static let excel = Limits(bodyRows: 1_048_000, links: 65_530, cellUnits: 32_767)
}

/// One sheet as a value: what stands where and what it means, nothing of the file format.
struct Sheet: Sendable {
  var name: String
  var columns: [ColumnHead]
  /// Body rows, below the header where there is one.
  var rows: Rows
  /// Below the body, after an empty row.
  var totals: [Row] = []
  /// Whether the columns' titles stand in the first row, with a filter.
  var hasHeader = true
  var frozenRows = 1
  var frozenColumns = 0
  var charts: [Chart] = []
  /// Cells that formulas call by a name, in no order: a column, and a row as the reader sees it.
  var names: [Name] = []
  /// Printed on one page; else one page wide.
  var fitsOnePage = false
  /// Columns that are printed; nil is all.
  var printedColumns: Int?
  /// Whose figures these are and of what; it stands above each printed page, beside the name.
  var heading = ""
  /// The row, as the reader sees it, that stands at the top of each further page, where the
  /// columns' titles are not in the first.
  var repeatedRow: Int?

  /// The row number, as the reader sees it, of the first body row.
  var firstBodyRow: Int { hasHeader ? 2 : 1 }
  /// The row number of the last body row.
  var lastBodyRow: Int { firstBodyRow + rows.count - 1 }
  /// The row number of the last row, totals included.
  var lastRow: Int { totals.isEmpty ? lastBodyRow : lastBodyRow + 1 + totals.count }
}

extension Sheet {
  /// A cell that formulas call by a name.
  struct Name: Hashable, Sendable {
    var name: String
    var column: Int
    /// As the reader sees it.
    var row: Int
  }
}

/// How a column of a sheet is titled and how wide it is.
struct ColumnHead: Hashable, Sendable {
  var title: String
  /// Bounds of the width, in digits.
  var width: ClosedRange<Int>
  /// Whether long text goes on in further lines of the cell.
  var wraps = false
  /// Whether its header stands at the right, over numbers.
  var isNumeric = false
  /// Whether it is grouped with those beside it: a reader folds them away.
  var isGrouped = false

  /// The same column as a member of a group.
  var grouped: ColumnHead {
    var head = self
    head.isGrouped = true
    return head
  }

  /// The same column without a title, for a table below that is wider than its list.
  private var untitled: ColumnHead { ColumnHead(title: "", width: width) }

  /// The columns of a list, each wide enough for the column of a table below it, but for those that
  /// wrap; columns of a wider table follow without titles.
  static func columns(_ heads: [ColumnHead], above further: [ColumnHead]) -> [ColumnHead] {
    zip(heads, further).map { own, below in
      guard !own.wraps else { return own }
      var head = own
      head.width = own.width.lowerBound...max(own.width.upperBound, below.width.upperBound)
      return head
    } + heads.dropFirst(further.count) + further.dropFirst(heads.count).map(\.untitled)
  }

  /// A column of words; widths are in digits.
  static func text(_ title: Wording, _ width: ClosedRange<Int> = 6...28) -> ColumnHead {
    ColumnHead(title: say(title), width: width)
  }

  /// A column of numbers, titled at the right; widths are in digits.
  static func number(_ title: Wording, _ width: ClosedRange<Int> = 7...24) -> ColumnHead {
    ColumnHead(title: say(title), width: width, isNumeric: true)
  }

  static func date(_ title: Wording) -> ColumnHead {
    ColumnHead(title: say(title), width: 12...12)
  }

  /// A column of long text in several lines, so many digits wide.
  static func prose(_ title: Wording, _ width: Int) -> ColumnHead {
    ColumnHead(title: say(title), width: width...width, wraps: true)
  }
}

/// Rows that are made when they are asked for, so that a long sheet costs no memory.
struct Rows: Sendable {
  let count: Int
  private let links: @Sendable (Int) -> Int
  private let make: @Sendable (Int) -> Row

  /// Rows that a function makes by their index from 0.
  ///
  /// - Parameter links: how many cells of a row lead elsewhere.
  init(
    count: Int, links: @escaping @Sendable (Int) -> Int, _ make: @escaping @Sendable (Int) -> Row
  ) {
    precondition(count >= 0)
    self.count = count
    self.links = links
    self.make = make
  }

  /// Rows that are all in memory already.
  init(_ rows: [Row]) {
    self.init(count: rows.count) { index in
      rows[index].cells.count { if case .link = $0 { true } else { false } }
    } _: {
      rows[$0]
    }
  }

  /// How many cells of all rows lead elsewhere; the search ends at `limit`.
  func linkCount(upTo limit: Int) -> Int {
    var found = 0
    for index in 0..<count {
      found += links(index)
      if found >= limit { return limit }
    }
    return found
  }

  /// The row at an index, from 0, made when it is asked for.
  subscript(index: Int) -> Row {
    precondition((0..<count).contains(index))
    return make(index)
  }

  /// The rows of a range, counted from 0.
  subscript(range: Range<Int>) -> Rows {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    let (links, make) = (links, make)
    return Rows(count: range.count) {
      links(range.lowerBound + $0)
    } _: {
      make(range.lowerBound + $0)
    }
  }
}

/// A row of cells, the first in column A.
struct Row: Hashable, Sendable {
  var cells: [Cell]
  var style: Style = .body
  /// Cells with a colour that means something, by column.
  var tints: [Tint] = []
  /// Cells with another style than their row's, by column.
  var accents: [Accent] = []

  struct Tint: Hashable, Sendable {
    var column: Int
    var meaning: Meaning
  }

  struct Accent: Hashable, Sendable {
    var column: Int
    var style: Style
  }

  enum Meaning: Hashable, Sendable {
    case severity(Severity)
    case cause(CauseFamily)
  }

  /// What a row is, which decides how it looks.
  enum Style: UInt8, Hashable, Sendable {
    case body, title, subtitle, section, tableHeader, numberHeader, total, label, figure, aside
    /// Room for a name above a line.
    case signature
  }

  /// The header of a table below a list: titles over words, then titles over numbers.
  static func tableHeader(_ words: [Wording], numbers: [Wording]) -> Row {
    Row(
      cells: (words + numbers).map { .words($0) }, style: .tableHeader,
      accents: numbers.indices.map { Accent(column: words.count + $0, style: .numberHeader) })
  }

  /// Colours the cells of columns, over which a sentence goes on, by a severity.
  mutating func tint(_ columns: Range<Int>, _ severity: Severity) {
    while cells.count < columns.upperBound { cells.append(.blank) }
    for column in columns { tint(column, severity) }
  }

  /// Colours the cell of a column by a severity.
  mutating func tint(_ column: Int, _ severity: Severity) {
    tints.append(Tint(column: column, meaning: .severity(severity)))
  }

  /// The style of the cell at a column: its own, or that of the row.
  func style(at column: Int) -> Style {
    accents.first { $0.column == column }?.style ?? style
  }
}

/// Where the rows of a list stand once it has been divided into sheets.
struct Pages: Hashable, Sendable {
  let name: String
  let count: Int
  let capacity: Int

  /// Divides so many lines of a list into sheets as large as the limits allow.
  init(name: String, count: Int, limits: Limits) {
    precondition(limits.bodyRows > 0)
    self.name = name
    self.count = count
    self.capacity = limits.bodyRows
  }

  /// How many sheets the list takes up, one at least.
  var pageCount: Int { max(1, (count + capacity - 1) / capacity) }

  /// The name of a sheet of the list, by its number from 0.
  func sheetName(_ page: Int) -> String { page == 0 ? name : "\(name) \(page + 1)" }

  /// The lines of the list, from 0, that stand in a sheet of it.
  func range(_ page: Int) -> Range<Int> {
    page * capacity..<min(count, (page + 1) * capacity)
  }

  /// The place of the line at an index, counted over all sheets of the list, under a header.
  func place(_ index: Int) -> Place {
    precondition((0..<count).contains(index))
    let (page, line) = index.quotientAndRemainder(dividingBy: capacity)
    return Place(sheet: sheetName(page), row: body(page).row(of: line))
  }

  /// Where the lines of a sheet of the list stand in it.
  private func body(_ page: Int) -> ListBody { .sheet(count: range(page).count) }

  /// The number of the first row of totals, which stand below the last sheet's lines.
  var firstTotal: Int { body(pageCount - 1).firstTotal }

  /// The place of a row of the totals.
  func totalPlace(row: Int) -> Place { Place(sheet: sheetName(pageCount - 1), row: row) }

  /// The formula that adds up one call of a function per sheet of the list:
  /// `COUNTIFS('Mismatches'!$A$2:$A$9,A3)+COUNTIFS('Mismatches 2'!…)`.
  ///
  /// - Parameter term: the call, from what gives a column's range in a sheet by its index.
  func sum(_ term: (_ range: (Int) -> String) -> String) -> String {
    (0..<pageCount).map { page in
      let rows = body(page).rows
      return term { column in
        let letters = columnLetters(column)
        return "\(quoted(sheet: sheetName(page)))!"
          + "$\(letters)$\(rows.lowerBound):$\(letters)$\(rows.upperBound)"
      }
    }.joined(separator: "+")
  }

  /// The list's sheets: `sheet` with its rows divided, its totals below the last.
  func divide(_ sheet: Sheet) -> [Sheet] {
    precondition(sheet.name == name && sheet.rows.count == count)
    return (0..<pageCount).map { page in
      var part = sheet
      part.name = sheetName(page)
      part.rows = sheet.rows[range(page)]
      if page + 1 < pageCount { part.totals = [] }
      return part
    }
  }
}
