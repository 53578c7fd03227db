import Billing
import GRDB
import GRDBSQLite

/// Finds one column of single rows of a table by their numbers, in any order: of the blocks that it
/// has read it keeps that column, and of a sparse table the numbers.
final class BlockLookup {
  private struct Held {
    var last: Int64
    var rows: Int
    var numbers: BlockColumn?
    var column: BlockColumn
    /// Where the last row that was asked for stands: the next one often follows it.
    var place = 0
  }

  private let table: BlockTable
  private let column: Int
  private let directory: BlockDirectory
  private var held: [Int: Held] = [:]
  @exclusivity(unchecked) private var firsts: [Int64] = []
  @exclusivity(unchecked) private var dense: [Held?] = []
  /// Where the last row was: the next one often follows it.
  @exclusivity(unchecked) private var last = 0
  private let rooms = ColumnRoom()
  /// Blocks that may have the rows of a span of numbers.
  private var near: (span: ClosedRange<Int64>, blocks: [Int])?

  /// Prepares to look up a column of the table, by its index in a block.
  init(_ connection: OpaquePointer, _ table: BlockTable, _ column: Int) {
    (self.table, self.column) = (table, column)
    directory = BlockDirectory(connection, table)
  }

  /// A row's value; null where there is no such row.
  func cell(ofRow number: Int64) throws -> ScannedCell {
    guard table.isSparse else { return try denseCell(ofRow: number) }
    if near?.span.contains(number) != true {
      try directory.loadOnce()
      near = directory.places(near: number)
      for place in near?.blocks ?? [] where held[place] == nil { held[place] = try read(place) }
    }
    for place in near?.blocks ?? [] {
      if let row = find(number, in: &held[place]!) { return held[place]!.column.cell(row) }
    }
    return .null
  }

  /// A row's value where rows count on from one another, so that each number is in one block; null
  /// where there is no such row.
  private func denseCell(ofRow number: Int64) throws -> ScannedCell {
    if dense.isEmpty {
      try directory.loadOnce()
      firsts = directory.firsts
      if firsts.isEmpty { return .null }
      dense = Array(repeating: nil, count: firsts.count)
    }
    if number < firsts[last] || number > (dense[last]?.last ?? .min) {
      let place = firsts.partitioningIndex { $0 > number } - 1
      if place < 0 { return .null }
      last = place
      if dense[place] == nil { dense[place] = try read(place) }
      guard number <= dense[place]!.last else { return .null }
    }
    return dense[last]!.column.cell(Int(number - firsts[last]))
  }

  /// Where a row stands in a block of a sparse table, by its number; nil where it is not there.
  private func find(_ number: Int64, in held: inout Held) -> Int? {
    guard let numbers = held.numbers else { return nil }
    let next = held.place + 1
    if next < held.rows, numbers.cell(held.place).number < number,
      numbers.cell(next).number >= number
    {
      held.place = next
    } else if numbers.cell(held.place).number != number {
      let found = (0..<held.rows).partitioningIndex { numbers.cell($0).number >= number }
      held.place = min(found, held.rows - 1)
    }
    return numbers.cell(held.place).number == number ? held.place : nil
  }

  /// Reads the block with this index in the directory; the result has a copy of the column and, of
  /// a sparse table, of the rows' numbers.
  private func read(_ place: Int) throws -> Held {
    try directory.content(place) { content, last in
      var column =
        column < content.columns.count ? content.columns[column] : .missing(table.columns[column])
      column.keep(rows: content.rows, in: rooms)
      try column.prepare(rows: content.rows, in: rooms)
      var numbers = table.isSparse ? content.columns[0] : nil
      numbers?.keep(rows: content.rows, in: rooms)
      return Held(last: last, rows: content.rows, numbers: numbers, column: column)
    }
  }
}

/// Which blocks a table has, and those that were read last.
final class BlockDirectory {
  private struct Entry {
    var first: Int64
    var last: Int64
    var source: Int64
    var spans: [(least: Int64, most: Int64)?]
  }

  /// Files that later versions supersede; read where a statement leaves them out.
  private var superseded: Set<Int64>?

  private let connection: OpaquePointer
  private let table: BlockTable
  private var entries: [Entry] = []
  /// The greatest number of all blocks up to each.
  private var lastSoFar: [Int64] = []
  private var isLoaded = false
  /// Of each file its blocks; made where a statement asks for files.
  private var bySource: [Int64: [Int]]?
  private var recent: [(place: Int, block: LoadedBlock)] = []
  private static let kept = 3

  init(_ connection: OpaquePointer, _ table: BlockTable) {
    self.connection = connection
    self.table = table
  }

  /// Reads which blocks there are: a statement sees one state of them.
  func loadOnce() throws {
    if isLoaded { return }
    isLoaded = true
    let select = try BlockModule.prepare(
      connection,
      """
      SELECT \(BlockScan.besideContent(table).joined(separator: ", ")) FROM \(table.blocks)
      ORDER BY first_row
      """)
    while try select.step() {
      let spans = table.spans.indices.map { span -> (least: Int64, most: Int64)? in
        let column = Int32(4 + 2 * span)
        return select.isNull(column) ? nil : (select.int64(column), select.int64(column + 1))
      }
      entries.append(
        Entry(
          first: select.int64(0), last: select.int64(1), source: select.int64(2), spans: spans))
      lastSoFar.append(max(lastSoFar.last ?? .min, select.int64(1)))
    }
  }

  /// The first number of each block, ascending.
  var firsts: [Int64] { entries.map(\.first) }

  /// Places of the blocks that may have rows that are wanted, ascending; a place is an index in the
  /// directory.
  func places(of wanted: BlockRows.WantedRows) throws -> [Int] {
    let begin = lastSoFar.partitioningIndex { $0 >= wanted.first }
    let end = entries.partitioningIndex { $0.first > wanted.last }
    guard begin < end else { return [] }
    let candidates = wanted.source.map { places(ofFile: $0) } ?? Array(begin..<end)
    let superseded = wanted.isCurrent == nil ? [] : try supersededFiles()
    return candidates.filter { place in
      let entry = entries[place]
      if let isCurrent = wanted.isCurrent, superseded.contains(entry.source) == isCurrent {
        return false
      }
      if place < begin || place >= end || entry.last < wanted.first { return false }
      return wanted.spans.indices.allSatisfy { span in
        let asked = wanted.spans[span]
        if asked.least == .min, asked.most == .max { return true }
        guard let has = entry.spans[span] else { return false }
        return has.least <= asked.most && has.most >= asked.least
      }
    }
  }

  /// The numbers of files that later versions supersede.
  private func supersededFiles() throws -> Set<Int64> {
    if let superseded { return superseded }
    let select = try BlockModule.prepare(
      connection, "SELECT id FROM source WHERE status = 'superseded'")
    var found: Set<Int64> = []
    while try select.step() { found.insert(select.int64(0)) }
    superseded = found
    return found
  }

  /// Places of the blocks of a file, ascending.
  private func places(ofFile source: Int64) -> [Int] {
    let known = bySource ?? Dictionary(grouping: entries.indices) { entries[$0].source }
    bySource = known
    return known[source] ?? []
  }

  /// Places of the blocks between whose first and last number one is, and the span of numbers
  /// around it of which these are the blocks.
  func places(near number: Int64) -> (span: ClosedRange<Int64>, blocks: [Int]) {
    let blocks = places(holding: number)
    let begin = lastSoFar.partitioningIndex { $0 >= number }
    let end = entries.partitioningIndex { $0.first > number }
    var (low, high) = (Int64.min, Int64.max)
    if begin > 0 { low = lastSoFar[begin - 1] + 1 }
    if end < entries.count { high = entries[end].first - 1 }
    for place in min(begin, end)..<end {
      let entry = entries[place]
      if entry.last < number {
        low = max(low, entry.last + 1)
      } else {
        (low, high) = (max(low, entry.first), min(high, entry.last))
      }
    }
    return (low...high, blocks)
  }

  /// Lends the content of the block with this index in the directory, and the number of its last
  /// row, to `body`; it is not valid afterwards.
  func content<Result>(
    _ place: Int, _ body: (BlockContent, _ last: Int64) throws -> Result
  ) throws -> Result {
    let select = try BlockModule.prepare(connection, BlockScan.query(table, "first_row = ?"))
    select.bind(entries[place].first, at: 1)
    guard try select.step() else { throw BlockContent.broken(table) }
    return try body(
      BlockScan.content(select, table), entries[place].last)
  }

  /// The number of a row's file, of a table whose rows count on from one another; 0 before the
  /// first row.
  func source(ofRow number: Int64) -> Int64 {
    let place = entries.partitioningIndex { $0.first > number } - 1
    return place < 0 ? 0 : entries[place].source
  }

  /// Places of the blocks between whose first and last number one is.
  func places(holding number: Int64) -> [Int] {
    let begin = lastSoFar.partitioningIndex { $0 >= number }
    let end = entries.partitioningIndex { $0.first > number }
    guard begin < end else { return [] }
    return (begin..<end).filter { entries[$0].last >= number }
  }

  /// The block at a place; the last three that were asked for are kept.
  func block(_ place: Int) throws -> LoadedBlock {
    if let known = recent.firstIndex(where: { $0.place == place }) {
      if known > 0 { recent.swapAt(0, known) }
      return recent[0].block
    }
    let select = try BlockModule.prepare(connection, BlockScan.query(table, "first_row = ?"))
    select.bind(entries[place].first, at: 1)
    guard try select.step() else { throw BlockContent.broken(table) }
    let block = try LoadedBlock(select, table)
    recent.insert((place, block), at: 0)
    if recent.count > Self.kept { recent.removeLast() }
    return block
  }
}

/// A block with its bytes.
final class LoadedBlock {
  let first: Int64
  let source: Int64
  let rowCount: Int
  private let isSparse: Bool
  private let bytes: UnsafeMutableRawBufferPointer
  @exclusivity(unchecked) private var columns: [BlockColumn]
  @exclusivity(unchecked) private var isReady: [Bool]
  /// How often a column was looked at that is not ready: for few rows it need not be.
  @exclusivity(unchecked) private var looks: [UInt8]
  private static let fewLooks: UInt8 = 4
  private let starts = ColumnRoom()

  /// Copies the block that a statement of ``BlockScan/query(_:_:)`` is on, and reads its content.
  init(_ select: borrowing RawStatement, _ table: BlockTable) throws {
    let beside = BlockScan.beside(select, table)
    let blob = select.bytes(Int32(beside.count))
    bytes = .allocate(byteCount: blob.count, alignment: 8)
    bytes.copyMemory(from: blob)
    let content: BlockContent
    do {
      content = try BlockScan.content(
        UnsafeRawBufferPointer(bytes), beside, table, seed: BlockScan.seed(select, beside))
    } catch {
      bytes.deallocate()
      throw error
    }
    first = beside[0]
    source = beside[2]
    rowCount = content.rows
    isSparse = table.isSparse
    columns = content.columns
    while columns.count < table.columns.count {
      columns.append(.missing(table.columns[columns.count]))
    }
    isReady = Array(repeating: false, count: columns.count)
    looks = Array(repeating: 0, count: columns.count)
  }

  deinit { bytes.deallocate() }

  /// The value of the row at a place in the block.
  @inline(__always)
  func cell(_ column: Int, _ row: Int) throws -> ScannedCell {
    if !isReady[column] {
      if looks[column] < Self.fewLooks {
        looks[column] += 1
        return try columns[column].single(row, in: starts)
      }
      try columns[column].prepare(rows: rowCount, in: starts)
      isReady[column] = true
    }
    return columns[column].cell(row)
  }

  /// The number of the row at a place in the block.
  @inline(__always)
  func number(_ row: Int) throws -> Int64 {
    isSparse ? columns[0].cell(row).number : first &+ Int64(row)
  }

  /// The first place in the block whose row has at least this number.
  func place(from number: Int64) throws -> Int {
    try (0..<rowCount).partitioningIndex { try self.number($0) >= number }
  }

  /// The place in the block of the row with this number; nil where it is not there.
  func place(of number: Int64) throws -> Int? {
    guard isSparse else {
      guard number >= first, number - first < Int64(rowCount) else { return nil }
      return Int(number - first)
    }
    let place = try place(from: number)
    return try place < rowCount && self.number(place) == number ? place : nil
  }
}
