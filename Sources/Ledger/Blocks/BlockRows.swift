import Billing
import GRDB
import GRDBSQLite

/// The rows of a table that one statement goes through, one after the other.
final class BlockRows {
  private let shape: BlockShape
  private let directory: BlockDirectory
  /// Blocks that have rows still to come, by their places in the directory.
  private var blocks: [Int] = []
  private var nextBlock = 0
  private var block: LoadedBlock?
  private var place = 0
  private var wanted = WantedRows()
  /// Rows still to come whose text was asked for; nil where none was.
  private var found: ArraySlice<IDEntry>?
  private var indexes: [Int: [IDEntry]] = [:]
  /// Rows of other tables that derived columns look at.
  private var others: [BlockTables: BlockLookup] = [:]

  init(_ shape: BlockShape) {
    self.shape = shape
    directory = BlockDirectory(shape.connection, shape.table)
  }

  /// What a statement asks for, as far as blocks and numbers tell it.
  struct WantedRows {
    var first = Int64.min
    var last = Int64.max
    var source: Int64?
    /// By span the least and the most that is asked for.
    var spans: [(least: Int64, most: Int64)] = []
    /// Whether something is asked for that no row has.
    var isNothing = false

    init(spans: Int = 0) { self.spans = Array(repeating: (.min, .max), count: spans) }

    /// - Parameter letters: see ``BlockShape/plan(_:)``.
    mutating func take(_ letter: Character, _ span: Int, _ value: OpaquePointer?) {
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: break
      case SQLITE_NULL:
        // Nothing compares with NULL.
        isNothing = true
        return
      // What is no number SQLite compares itself.
      default: return
      }
      let number = sqlite3_value_int64(value)
      switch letter {
      case "=": (first, last) = (max(first, number), min(last, number))
      case "<": last = min(last, number)
      case ">": first = max(first, number)
      case "s":
        if source ?? number != number { isNothing = true }
        source = number
      case "a": spans[span].least = max(spans[span].least, number)
      default: spans[span].most = min(spans[span].most, number)
      }
    }
  }

  func begin(
    _ plan: String, _ values: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int32
  ) throws {
    wanted = WantedRows(spans: shape.table.spans.count)
    var asked: (derived: Int, value: OpaquePointer?)?
    var letters = Substring(plan)
    for index in 0..<Int(count) {
      let letter = letters.removeFirst()
      var span = 0
      if ["a", "z", "i"].contains(letter) { span = letters.removeFirst().wholeNumberValue! }
      if letter == "i" {
        asked = (span, values![index])
      } else {
        wanted.take(letter, span, values![index])
      }
    }
    try directory.loadOnce()
    found = nil
    if let asked { return try begin(at: asked.derived, equal: asked.value) }
    blocks = wanted.isNothing ? [] : directory.places(of: wanted)
    nextBlock = 0
    try enterNextBlock()
  }

  var isAtEnd: Bool { block == nil }
  /// Of the row that the cursor is on.
  private(set) var number: Int64 = 0

  @inline(__always)
  func next() throws {
    if found != nil { return try enterNextFound() }
    place &+= 1
    try settle()
  }

  // MARK: Rows by the text of an id

  /// Goes through the rows whose text may be one; SQLite compares the texts themselves.
  private func begin(at derived: Int, equal value: OpaquePointer?) throws {
    guard sqlite3_value_type(value) != SQLITE_NULL else {
      block = nil
      return
    }
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_value_text(value), count: Int(sqlite3_value_bytes(value)))
    let entries = try entries(of: derived)
    let key = IDKey(text: bytes).raw
    let first = entries.partitioningIndex { $0.key >= key }
    found = entries[first...].prefix { $0.key == key }
    try enterNextFound()
  }

  private func enterNextFound() throws {
    while let next = found?.popFirst() {
      number = Int64(next.row)
      if number < wanted.first || number > wanted.last { continue }
      for candidate in directory.places(holding: number) {
        let held = try directory.block(candidate)
        guard let row = try held.place(of: number) else { continue }
        (block, place) = (held, row)
        return
      }
    }
    block = nil
  }

  /// Where texts are found that a statement joins by: made once for each statement.
  private func entries(of derived: Int) throws -> [IDEntry] {
    if let known = indexes[derived] { return known }
    var made: [IDEntry] = []
    for place in directory.places(of: WantedRows(spans: shape.table.spans.count)) {
      let held = try directory.block(place)
      for row in 0..<held.rowCount {
        let cell = try idCell(shape.table.derived[derived].value, of: held, row)
        if cell.isNull { continue }
        let key = cell.isText ? IDKey(text: cell.bytes) : IDKey(number: cell.number)
        made.append(IDEntry(key: key.raw, row: Int32(truncatingIfNeeded: try held.number(row))))
      }
    }
    made.withUnsafeMutableBufferPointer { sortByKey($0) }
    indexes[derived] = made
    return made
  }

  /// The id of a row from which a derived column's text is made.
  private func idCell(
    _ value: DerivedColumn.Value, of block: LoadedBlock, _ row: Int
  ) throws -> ScannedCell {
    switch value {
    case .text(let column): return try block.cell(shape.place(of: column), row)
    case .textOrOwn(let column, let own):
      let cell = try block.cell(shape.place(of: column), row)
      let isOwn = cell.isText && cell.bytes.isEmpty
      return isOwn ? try block.cell(shape.place(of: own), row) : cell
    case .beside, .ofRow: return .null
    }
  }

  /// Goes on to the first row from the place on that is wanted.
  private func settle() throws {
    while let block {
      if place >= block.rowCount { return try enterNextBlock() }
      number = try block.number(place)
      if number > wanted.last, !shape.table.isSparse { return try enterNextBlock() }
      if number >= wanted.first, number <= wanted.last { return }
      place &+= 1
    }
  }

  private func enterNextBlock() throws {
    guard nextBlock < blocks.count else {
      block = nil
      return
    }
    let found = try directory.block(blocks[nextBlock])
    nextBlock += 1
    block = found
    place =
      shape.table.isSparse
      ? try found.place(from: wanted.first) : Int(max(wanted.first, found.first) - found.first)
    try settle()
  }

  // MARK: Columns

  func show(_ column: Int, to context: OpaquePointer) throws {
    guard let block else { return sqlite3_result_null(context) }
    let leading = shape.leading.count
    if column < leading {
      return sqlite3_result_int64(context, column == leading - 1 ? block.source : number)
    }
    let own = column - leading
    if own < shape.table.columns.count {
      return try block.cell(own, place).show(to: context)
    }
    let derived = shape.table.derived[own - shape.table.columns.count]
    try show(derived.value, of: block, to: context)
  }

  private func show(
    _ value: DerivedColumn.Value, of block: LoadedBlock, to context: OpaquePointer
  ) throws {
    switch value {
    case .text, .textOrOwn: try idCell(value, of: block, place).showText(to: context)
    case .beside(let tables, let column):
      try lookup(in: tables).cell(column, ofRow: number).show(to: context)
    case .ofRow(let key, let tables, let column):
      guard case .beside(let first, let name)? = shape.derived(key) else {
        return sqlite3_result_null(context)
      }
      let row = try lookup(in: first).cell(name, ofRow: number)
      guard !row.isNull else { return sqlite3_result_null(context) }
      try lookup(in: tables).cell(column, ofRow: row.number).showText(to: context)
    }
  }

  private func lookup(in tables: BlockTables) -> BlockLookup {
    if let known = others[tables] { return known }
    let made = BlockLookup(shape.connection, tables.table)
    others[tables] = made
    return made
  }
}

extension BlockShape {
  func place(of column: String) -> Int { table.columns.firstIndex(of: column)! }

  func derived(_ name: String) -> DerivedColumn.Value? {
    table.derived.first { $0.name == name }?.value
  }
}

/// Finds single rows of a table by their numbers.
final class BlockLookup {
  private let table: BlockTable
  private let directory: BlockDirectory
  private var places: [String: Int] = [:]

  init(_ connection: OpaquePointer, _ table: BlockTable) {
    self.table = table
    directory = BlockDirectory(connection, table)
  }

  /// A row's value; null where there is no such row.
  func cell(_ column: String, ofRow number: Int64) throws -> ScannedCell {
    try directory.loadOnce()
    let place = places[column] ?? table.columns.firstIndex(of: column)!
    places[column] = place
    for candidate in directory.places(holding: number) {
      let block = try directory.block(candidate)
      if let row = try block.place(of: number) { return try block.cell(place, row) }
    }
    return .null
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

  /// Places of the blocks that may have rows that are wanted, ascending.
  func places(of wanted: BlockRows.WantedRows) -> [Int] {
    let begin = lastSoFar.partitioningIndex { $0 >= wanted.first }
    let end = entries.partitioningIndex { $0.first > wanted.last }
    guard begin < end else { return [] }
    let candidates = wanted.source.map { places(ofFile: $0) } ?? Array(begin..<end)
    return candidates.filter { place in
      let entry = entries[place]
      if place < begin || place >= end || entry.last < wanted.first { return false }
      return wanted.spans.indices.allSatisfy { span in
        let asked = wanted.spans[span]
        if asked.least == .min, asked.most == .max { return true }
        guard let has = entry.spans[span] else { return false }
        return has.least <= asked.most && has.most >= asked.least
      }
    }
  }

  private func places(ofFile source: Int64) -> [Int] {
    let known = bySource ?? Dictionary(grouping: entries.indices) { entries[$0].source }
    bySource = known
    return known[source] ?? []
  }

  /// Places of the blocks among whose numbers one is.
  func places(holding number: Int64) -> [Int] {
    let begin = lastSoFar.partitioningIndex { $0 >= number }
    let end = entries.partitioningIndex { $0.first > number }
    guard begin < end else { return [] }
    return (begin..<end).filter { entries[$0].last >= number }
  }

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
  private var columns: [BlockColumn]
  private var isReady: [Bool]
  private let starts = TextStarts()

  init(_ select: borrowing RawStatement, _ table: BlockTable) throws {
    let beside = BlockScan.beside(select, table)
    let blob = select.bytes(Int32(beside.count))
    bytes = .allocate(byteCount: blob.count, alignment: 8)
    bytes.copyMemory(from: blob)
    let content: BlockContent
    do {
      content = try BlockScan.content(UnsafeRawBufferPointer(bytes), beside, table)
    } catch {
      bytes.deallocate()
      throw error
    }
    first = beside[0]
    source = beside[2]
    rowCount = content.rows
    isSparse = table.isSparse
    columns = content.columns
    while columns.count < table.columns.count { columns.append(.missing) }
    isReady = Array(repeating: false, count: columns.count)
  }

  deinit { bytes.deallocate() }

  @inline(__always)
  func cell(_ column: Int, _ row: Int) throws -> ScannedCell {
    if !isReady[column] {
      try columns[column].prepare(rows: rowCount, in: starts)
      isReady[column] = true
    }
    return columns[column].cell(row)
  }

  @inline(__always)
  func number(_ row: Int) throws -> Int64 {
    isSparse ? columns[0].cell(row).number : first &+ Int64(row)
  }

  /// The first place whose row has at least a number.
  func place(from number: Int64) throws -> Int {
    try (0..<rowCount).partitioningIndex { try self.number($0) >= number }
  }

  /// Where a row stands; nil where it is not there.
  func place(of number: Int64) throws -> Int? {
    guard isSparse else {
      guard number >= first, number - first < Int64(rowCount) else { return nil }
      return Int(number - first)
    }
    let place = try place(from: number)
    return try place < rowCount && self.number(place) == number ? place : nil
  }
}

extension ScannedCell {
  fileprivate func show(to context: OpaquePointer) {
    if isNull { return sqlite3_result_null(context) }
    guard isText else { return sqlite3_result_int64(context, number) }
    showBytes(bytes, to: context)
  }

  /// Shows an id as text, whatever it is stored as.
  fileprivate func showText(to context: OpaquePointer) {
    if isNull || isText { return show(to: context) }
    var text = String(number)
    text.withUTF8 { showBytes(UnsafeRawBufferPointer($0), to: context) }
  }

  private func showBytes(_ bytes: UnsafeRawBufferPointer, to context: OpaquePointer) {
    guard let start = bytes.baseAddress else {
      return sqlite3_result_text(context, "", 0, nil)
    }
    sqlite3_result_text(
      context, start.assumingMemoryBound(to: CChar.self), Int32(bytes.count), copied)
  }
}
