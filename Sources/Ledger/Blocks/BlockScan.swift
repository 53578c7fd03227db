import Billing
import GRDB
import GRDBSQLite

/// Reads rows of a table from its blocks, ascending; a block is held against its checksum when it
/// is read, and read once for all ranges that follow one another in it.
final class BlockScan {
  private let table: BlockTable
  /// Of the values asked for, the columns that have them.
  private let wanted: [Int]
  /// Of a sparse table, the column that has the rows' numbers.
  private let number: Int?
  private let select: RawStatement
  private let cells: UnsafeMutableBufferPointer<ScannedCell>
  private var columns: [BlockColumn] = []
  private let starts = ColumnRoom()
  /// The rows of the block that is at hand; none at first.
  private var rows: ClosedRange<Int64>?
  private var source: Int64 = 0
  /// Of a sparse table, the numbers of the block's rows.
  private var numbers: BlockColumn = .missing()
  private var rowCount = 0

  /// Prepares a scan of a table.
  ///
  /// - Parameter columns: the values that a row has, after its number; `source_id` is its file's.
  init(_ db: Database, _ columns: [String], of tables: BlockTables) throws {
    table = tables.table
    let table = table
    wanted = try columns.map { name in
      if name == "source_id" { return -1 }
      guard let place = table.columns.firstIndex(of: name) else {
        throw DatabaseError(message: "\(table.name) has no column \(name)")
      }
      return place
    }
    number = table.isSparse ? 0 : nil
    select = try RawStatement(
      db,
      Self.query(
        table,
        """
        first_row <= ?2 AND first_row >= ifnull(
          (SELECT max(first_row) FROM \(table.blocks) WHERE first_row <= ?1), ?1)
        """))
    cells = .allocate(capacity: columns.count + 1)
    cells.initialize(repeating: .null)
  }

  deinit { cells.deallocate() }

  /// The SQL that selects blocks of a table for which a condition holds, ascending: what stands
  /// beside the content, as its checksum takes it in, the content and the ledger's seed.
  static func query(_ table: BlockTable, _ condition: String) -> String {
    """
    SELECT \(besideContent(table).joined(separator: ", ")), content, \(LedgerSeed.column)
    FROM \(table.blocks)
    WHERE \(condition) ORDER BY first_row
    """
  }

  /// The names of the columns that stand beside a block's content.
  static func besideContent(_ table: BlockTable) -> [String] {
    ["first_row", "last_row", "source_id", "rows"]
      + table.spans.flatMap { ["first_\($0)", "last_\($0)"] }
  }

  /// The numbers that stand beside the content of the block that a statement is on, the least of
  /// all for NULL.
  static func beside(_ select: borrowing RawStatement, _ table: BlockTable) -> [Int64] {
    (0..<Int32(4 + 2 * table.spans.count)).map {
      select.isNull($0) ? Int64.min : select.int64($0)
    }
  }

  /// The content of the block that a statement of ``query(_:_:)`` is on.
  static func content(_ select: borrowing RawStatement, _ table: BlockTable) throws -> BlockContent
  {
    let beside = beside(select, table)
    return try content(
      select.bytes(Int32(beside.count)), beside, table, seed: seed(select, beside))
  }

  /// The ledger's seed, from the row that a statement of ``query(_:_:)`` is on.
  ///
  /// - Parameter beside: that row's numbers (``beside(_:_:)``), whose count says where the seed is.
  static func seed(_ select: borrowing RawStatement, _ beside: [Int64]) -> UInt64 {
    LedgerSeed.read(select, Int32(beside.count + 1))
  }

  /// Reads a block's content, and checks it against its checksum and the numbers beside it.
  ///
  /// - Parameters:
  ///   - bytes: the content as it is stored.
  ///   - beside: the numbers beside it, in the order of ``besideContent(_:)``.
  ///   - seed: ``LedgerSeed``.
  /// - Throws: where the block is not what was written there.
  static func content(
    _ bytes: UnsafeRawBufferPointer, _ beside: [Int64], _ table: BlockTable, seed: UInt64
  ) throws -> BlockContent {
    let content = try BlockContent(
      bytes, at: BlockContent.place(table, beside, in: seed), of: table)
    guard content.rows == Int(beside[3]), beside[0] <= beside[1],
      table.isSparse || Int64(content.rows) == beside[1] - beside[0] + 1
    else { throw BlockContent.broken(table) }
    return content
  }

  /// A block while it is read.
  struct Block {
    /// Their numbers, of a table whose rows count on.
    let rows: ClosedRange<Int64>
    fileprivate let content: BlockContent
    fileprivate let table: BlockTable

    /// Calls `body` on the numbers of the rows whose id in the column `name` matches, with the id.
    func forEach(
      _ sought: SoughtID, in name: String, _ body: (Int64, ScannedCell) -> Void
    ) throws {
      guard let place = table.columns.firstIndex(of: name), place < content.columns.count else {
        return
      }
      var found: [Int] = []
      let column = content.columns[place]
      column.forEach(sought, rows: content.rows) { found.append($0) }
      if found.isEmpty { return }
      var written = column
      let room = ColumnRoom()
      try written.prepare(rows: content.rows, in: room)
      for row in found { body(rows.lowerBound + Int64(row), written.cell(row)) }
      withExtendedLifetime(room) {}
    }
  }

  /// Calls `body` on each block of a table, ascending.
  static func forEachBlock(
    of tables: BlockTables, _ db: Database, _ body: (Block) throws -> Void
  ) throws {
    let table = tables.table
    let select = try RawStatement(db, query(table, "TRUE"))
    while try select.step() {
      try body(
        Block(
          rows: select.int64(0)...select.int64(1), content: content(select, table), table: table))
    }
  }

  /// Calls `body` on each row whose number is in the range, ascending.
  func forEach(_ range: ClosedRange<Int64>, _ body: (ScannedRow) -> Void) throws {
    if let rows, rows.contains(range.lowerBound) {
      visit(range, body)
      if range.upperBound <= rows.upperBound { return }
    }
    let behind = rows.map { $0.upperBound + 1 } ?? range.lowerBound
    select.reset()
    select.bind(max(behind, range.lowerBound), at: 1)
    select.bind(range.upperBound, at: 2)
    while try select.step() {
      try loadBlock()
      visit(range, body)
      if let rows, rows.upperBound >= range.upperBound { return }
    }
    rows = nil
  }

  /// Reads the block that the statement is on, and prepares the columns that are wanted.
  private func loadBlock() throws {
    let content = try Self.content(select, table)
    rows = select.int64(0)...select.int64(1)
    source = select.int64(2)
    rowCount = content.rows
    columns.removeAll(keepingCapacity: true)
    starts.clear()
    for place in wanted {
      var column =
        place >= 0 && place < content.columns.count
        ? content.columns[place] : .missing(place >= 0 ? table.columns[place] : "")
      try column.prepare(rows: rowCount, in: starts)
      columns.append(column)
    }
    if let number { numbers = content.columns[number] }
  }

  /// Calls `body` on the rows of the block at hand whose numbers are in the range.
  private func visit(_ range: ClosedRange<Int64>, _ body: (ScannedRow) -> Void) {
    guard let rows else { return }
    var (start, end) = (0, rowCount)
    if number == nil {
      start = Int(max(range.lowerBound, rows.lowerBound) - rows.lowerBound)
      end = Int(min(range.upperBound, rows.upperBound) - rows.lowerBound) + 1
    }
    guard start < end else { return }
    let row = ScannedRow(cells: UnsafePointer(cells.baseAddress!))
    columns.withUnsafeBufferPointer { columns in
      for place in start..<end {
        if number == nil {
          cells[0] = .integer(rows.lowerBound &+ Int64(place))
        } else {
          cells[0] = numbers.cell(place)
          if !range.contains(cells[0].number) { continue }
        }
        for index in 0..<columns.count {
          cells[index &+ 1] = wanted[index] < 0 ? .integer(source) : columns[index].cell(place)
        }
        body(row)
      }
    }
  }
}
