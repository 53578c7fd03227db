import Billing
import GRDB

/// Adds blocks to the ledger, inside the transaction that is open.
final class BlockAppender {
  private let db: Database
  private let writer = BlockWriter()
  /// Made when the first block is: an upgrade brings the ledger's secret before that.
  private var seed: UInt64?
  /// The number that a table's next row gets.
  private var next: [BlockTables: Int64] = [:]
  /// Blocks that were added.
  private(set) var count: Int64 = 0

  init(_ db: Database) { self.db = db }

  /// The number that the next row of a table gets; not of a sparse one.
  func nextRow(_ tables: BlockTables) throws -> Int64 {
    if let next = next[tables] { return next }
    let last = try Int64.fetchOne(
      db, sql: "SELECT ifnull(max(last_row), 0) FROM \(tables.table.blocks)")!
    next[tables] = last + 1
    return last + 1
  }

  /// Adds a block of rows, which count on from the last of their table, and returns the number of
  /// the first.
  ///
  /// - Parameters:
  ///   - source: the number of the file that the rows are from.
  ///   - window: what the rows' ids and codes refer to.
  @discardableResult
  func append<Row: TableRow>(
    _ rows: some Collection<Row>, to tables: BlockTables, source: Int64,
    _ window: BlockWindow = BlockWindow()
  ) throws -> Int64 {
    let first = try nextRow(tables)
    if rows.isEmpty { return first }
    let content = Self.withBuffer(rows) { writer.content(of: $0, window) }
    try insert(
      content, tables, first...first + Int64(rows.count) - 1, source: source, count: rows.count)
    next[tables] = first + Int64(rows.count)
    return first
  }

  /// Adds a block of rows that have numbers of their own, which ascend.
  func append<Row: SparseRow>(
    _ rows: [Numbered<Row>], to tables: BlockTables, source: Int64,
    _ window: BlockWindow = BlockWindow()
  ) throws {
    guard let first = rows.first, let last = rows.last else { return }
    let content = rows.withUnsafeBufferPointer { writer.content(of: $0, window) }
    try insert(content, tables, first.number...last.number, source: source, count: rows.count)
  }

  /// Adds a block of rows of another ledger, value by value.
  ///
  /// - Parameters:
  ///   - rows: how many there are.
  ///   - first: the number of the first; nil for a sparse table.
  ///   - value: what a row has in a column, both from 0 on.
  func append(
    rows: Int, to tables: BlockTables, source: Int64, from first: Int64?,
    _ value: (_ row: Int, _ column: Int) -> ScannedCell
  ) throws {
    let content = writer.content(columns: tables.table.columns.count, rows: rows, value)
    let numbers = first.map { $0...$0 + Int64(rows) - 1 } ?? writer.span(of: 0)!
    try insert(content, tables, numbers, source: source, count: rows)
  }

  /// Adds the rows of a block once more, behind all others of their table.
  func appendAgain(_ block: LoadedBlock, to tables: BlockTables) throws {
    let columns = tables.table.columns.count
    // Each column is made ready, or found broken, before any is copied.
    for column in 0..<columns { _ = try block.cell(column, 0) }
    let first = try nextRow(tables)
    try append(rows: block.rowCount, to: tables, source: block.source, from: first) {
      (try? block.cell($1, $0)) ?? .null
    }
    next[tables] = first + Int64(block.rowCount)
  }

  /// Calls `body` with the rows one behind the other in memory, as a copy where they do not lie so.
  private static func withBuffer<Row, Value>(
    _ rows: some Collection<Row>, _ body: (UnsafeBufferPointer<Row>) -> Value
  ) -> Value {
    rows.withContiguousStorageIfAvailable(body) ?? Array(rows).withUnsafeBufferPointer(body)
  }

  /// Inserts a block with its checksum and with what stands beside its content.
  ///
  /// - Parameters:
  ///   - content: what the writer gave, with room for the checksum.
  ///   - rows: the numbers of its first and its last row.
  ///   - source: the number of the file that the rows are from.
  ///   - count: how many rows it has.
  private func insert(
    _ content: consuming [UInt8], _ tables: BlockTables, _ rows: ClosedRange<Int64>,
    source: Int64, count: Int
  ) throws {
    let table = tables.table
    // Before anything is made of numbers that would not fit.
    guard rows.upperBound <= Int64(Int32.max) else { throw RowLimit() }
    var beside = [rows.lowerBound, rows.upperBound, source, Int64(count)]
    for name in table.spans {
      let span = writer.span(of: table.columns.firstIndex(of: name)!)
      beside += [span?.lowerBound ?? .min, span?.upperBound ?? .min]
    }
    let seed = try seed ?? LedgerSeed.of(db)
    self.seed = seed
    let place = BlockContent.place(table, beside, in: seed)
    content.withUnsafeMutableBytes { bytes in
      let checksum = BlockContent.checksum(of: UnsafeRawBufferPointer(bytes), at: place)
      bytes.storeBytes(of: checksum.littleEndian, as: UInt64.self)
    }
    let columns = BlockScan.besideContent(table) + ["content"]
    let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
    let statement = try RawStatement(
      db, "INSERT INTO \(table.blocks) (\(columns.joined(separator: ", "))) VALUES (\(places))")
    for (index, number) in beside.enumerated() {
      statement.bind(number == .min ? nil : number, at: Int32(index + 1))
    }
    try content.withUnsafeBytes {
      statement.bindInPlace($0, at: Int32(columns.count))
      try statement.run()
    }
    self.count += 1
  }
}
