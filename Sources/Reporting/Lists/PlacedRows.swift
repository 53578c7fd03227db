import Billing

/// Rows of a sheet that are added from the top down. Each block of them is told where it begins,
/// and hands that on to its formulas: no formula finds its row by counting what stands above.
struct PlacedRows {
  private(set) var rows: [Row] = []
  /// The number, as the reader sees it, of the row that is added next.
  private(set) var next: Int

  /// The number of the row that was added last.
  var last: Int { next - 1 }

  /// - Parameter first: the number of the first row.
  init(from first: Int = 1) { next = first }

  /// Where the totals of a list's lines stand.
  init(below body: ListBody) { self.init(from: body.firstTotal) }

  mutating func add(_ row: Row) {
    rows.append(row)
    next += 1
  }

  mutating func add(_ cells: [Cell] = [], _ style: Row.Style = .body) {
    add(Row(cells: cells, style: style))
  }

  /// Empty rows, so that what follows begins in the row of this number.
  mutating func fill(before number: Int) {
    while next < number { add() }
  }

  /// Lines of a list, and where they stand.
  @discardableResult
  mutating func add<Line>(_ lines: [Line], of list: List<Line>) -> ListBody {
    let body = ListBody.table(from: next, count: lines.count)
    for line in lines { add(list.row(line, at: next)) }
    return body
  }

  /// A list below another: an empty row, a title, the columns' titles, the lines.
  @discardableResult
  mutating func addTable<Line>(_ title: Wording, _ lines: [Line], of list: List<Line>) -> ListBody {
    add()
    add([.words(title)], .section)
    add(list.header)
    return add(lines, of: list)
  }

  /// The totals of the lines' currencies, of those that are wanted.
  mutating func addTotals<Line>(
    _ lines: some Collection<Line>, of list: List<Line>, at body: ListBody,
    label: Wording = "@shared.total", where isWanted: (Currency) -> Bool = { _ in true }
  ) {
    for row in list.currencyTotals(lines, body, from: next, label: label, where: isWanted) {
      add(row)
    }
  }

  /// The row of all lines.
  mutating func addTotalOfAll<Line>(
    _ lines: [Line], of list: List<Line>, at body: ListBody, label: Wording = "@shared.all",
    through last: String? = nil
  ) {
    add(list.totalOfAll(lines, body, at: next, label: label, through: last))
  }
}

/// Where the blocks of a sheet stand whose formulas point down as well. Its rows are made twice:
/// only once all of them are there is it known where each block begins.
struct BlockPlaces<Block: Hashable> {
  private var known: [Block: ListBody] = [:]
  private var found: [Block: ListBody] = [:]

  /// The first row of the sheet until it is known.
  subscript(block: Block) -> ListBody { known[block] ?? .table(from: 1, count: 1) }

  mutating func note(_ block: Block, at first: Int, count: Int) {
    found[block] = .table(from: first, count: count)
  }

  /// Makes rows until they stand where their formulas say.
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
