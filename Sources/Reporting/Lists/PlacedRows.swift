import Billing

/// Rows of a sheet that are added from the top down. Each block of them is told where it begins,
/// and hands that on to its formulas: no formula finds its row by counting what stands above.
struct PlacedRows {
  private(set) var rows: [Row] = []
  /// The number, as the reader sees it, of the row that is added next.
  private(set) var next: Int

  /// The number of the row that was added last.
  var last: Int { next - 1 }

  /// Begins where no row is yet.
  ///
  /// - Parameter first: the number of the first row.
  init(from first: Int = 1) { next = first }

  /// Begins where the totals of a list's lines stand.
  init(below body: ListBody) { self.init(from: body.firstTotal) }

  /// Adds a row.
  mutating func add(_ row: Row) {
    rows.append(row)
    next += 1
  }

  /// Adds a row of cells; an empty row without any.
  mutating func add(_ cells: [Cell] = [], _ style: Row.Style = .body) {
    add(Row(cells: cells, style: style))
  }

  /// Adds empty rows, so that what follows begins in the row of this number.
  mutating func fill(before number: Int) {
    while next < number { add() }
  }

  /// Adds the lines of a list, and returns where they stand.
  @discardableResult
  mutating func add<Line>(_ lines: [Line], of list: List<Line>) -> ListBody {
    let body = ListBody.table(from: next, count: lines.count)
    for line in lines { add(list.row(line, at: next)) }
    return body
  }

  /// Adds a list below another: an empty row, a title, the columns' titles, the lines. Returns
  /// where the lines stand.
  @discardableResult
  mutating func addTable<Line>(_ title: Wording, _ lines: [Line], of list: List<Line>) -> ListBody {
    add()
    add([.words(title)], .section)
    add(list.header)
    return add(lines, of: list)
  }

  /// Adds a row of totals for each currency of the lines that is wanted.
  mutating func addTotals<Line>(
    _ lines: some Collection<Line>, of list: List<Line>, at body: ListBody,
    label: Wording = "@shared.total", where isWanted: (Currency) -> Bool = { _ in true }
  ) {
    for row in list.currencyTotals(lines, body, from: next, label: label, where: isWanted) {
      add(row)
    }
  }

  /// Adds the row that adds up all lines.
  ///
  /// - Parameter last: the name of the column that the row ends with; nil for the last one.
  mutating func addTotalOfAll<Line>(
    _ lines: [Line], of list: List<Line>, at body: ListBody, label: Wording = "@shared.all",
    through last: String? = nil
  ) {
    add(list.totalOfAll(lines, body, at: next, label: label, through: last))
  }
}

/// Where the blocks of a sheet stand whose formulas point down as well. Its rows are made twice:
/// only once all of them are there is it known where each block begins.
struct BlockPlaces<Block: Hashable & Sendable> {
  private var known: [Block: ListBody] = [:]
  private var found: [Block: ListBody] = [:]

  /// Where a block stands; the first row of the sheet until that is known.
  subscript(block: Block) -> ListBody { known[block] ?? .table(from: 1, count: 1) }

  /// Notes where a block was put this time.
  ///
  /// - Parameters:
  ///   - first: the number of its first row.
  ///   - count: of its rows.
  mutating func note(_ block: Block, at first: Int, count: Int) {
    found[block] = .table(from: first, count: count)
  }

  /// Makes all rows twice, each time with a copy of a maker, and returns the second copy: the first
  /// run finds where the blocks stand, at which the formulas of the second point.
  ///
  /// - Parameters:
  ///   - places: where the maker notes its blocks.
  ///   - make: adds all rows to the maker.
  static func settled<Maker>(
    _ maker: Maker, _ places: WritableKeyPath<Maker, BlockPlaces>, _ make: (inout Maker) -> Void
  ) -> Maker {
    var (first, second) = (maker, maker)
    make(&first)
    second[keyPath: places].known = first[keyPath: places].found
    make(&second)
    precondition(
      second[keyPath: places].found == second[keyPath: places].known, "a block has moved")
    return second
  }
}
