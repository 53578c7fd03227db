import Billing
import GRDB
import Glibc

/// A database in memory with tables of the ledger, which SQLite reads beside the ledger itself:
/// rows are written into its pages as SQLite stores them, and since a table has the same columns in
/// both, `INSERT … SELECT *` copies whole records (SQLite's transfer optimization) instead of
/// putting them together value by value. Of a table that checks its values (CHECK) it takes each
/// value, by the same statement.
///
/// Its rows change from one statement to the next without SQLite being told. They can, because it
/// keeps no page but the first: it asks ``BlockFile`` for each.
///
/// One connection, and so one thread at a time, uses it.
final class BlockImage: @unchecked Sendable {
  /// What statements call it.
  static let schema = "block"
  /// Tables that rows come to by the million, or terms by the thousand.
  private static let tables = [
    SalesRow.tableName, FinanceRow.tableName, OrderRow.tableName, TransactionRow.tableName,
    PurchaseEventRow.tableName, PurchaseCountRow.tableName, SalesProduct.tableName,
    SalesTerms.tableName, SalesCondition.tableName, FinanceTerms.tableName,
    SubscriptionTerms.tableName, SubscriptionEventTerms.tableName, SubscriberTerms.tableName,
    OrderTerms.tableName, TransactionTerms.tableName, MessageTerms.tableName,
    RenewalTerms.tableName, ExtraTerms.tableName, PurchaseEventTerms.tableName,
    SaleRecord.tableName,
  ]

  static let pageSize = 1 << 16
  /// Pages that it may seem to have; a record that is longer than a page takes several.
  static let pageCount = 1 << 16
  /// Behind the schema and the roots of tables and indexes.
  private static let firstFree = 64
  /// Pages that rows fill at a time: as many as the processor keeps at hand.
  private static let pagesAtOnce = 16

  private let head = newPage()
  private let root = newPage()
  private let emptyIndex = newPage()
  private var pages: UnsafeMutableRawPointer
  private var capacity = pagesAtOnce
  private var used = 0
  /// The numbers of the tables' roots.
  private var roots: [String: Int] = [:]
  /// That of the table that has rows now.
  private var rootNumber = 0
  /// Whether its root is a page that has rows itself.
  private var isOnePage = false
  private let scratch = RecordScratch()

  init() {
    pages = .allocate(byteCount: capacity * Self.pageSize, alignment: 4096)
    TreePage(emptyIndex, .index).close()
  }

  deinit {
    for page in [head, root, emptyIndex, pages] { page.deallocate() }
  }

  private static func newPage() -> UnsafeMutableRawPointer {
    .allocate(byteCount: pageSize, alignment: 4096)
  }

  /// A page's bytes; nil for one that has none.
  ///
  /// - Parameter number: from 1.
  func page(_ number: Int) -> UnsafeMutableRawPointer? {
    switch number {
    case 1: head
    case rootNumber: isOnePage ? pages : root
    case ..<Self.firstFree: emptyIndex
    case ..<(Self.firstFree + used): page(at: number - Self.firstFree)
    default: nil
    }
  }

  private func page(at index: Int) -> UnsafeMutableRawPointer { pages + index * Self.pageSize }

  // MARK: The first page

  /// Takes the definitions of tables and indexes over from the ledger.
  func describe(_ db: Database) throws {
    var leaf = TreePage(head, .table, header: 100)
    let select = try RawStatement(
      db,
      """
      SELECT type, name, sql FROM main.sqlite_master
      WHERE tbl_name = ? AND type IN ('table', 'index') ORDER BY type DESC
      """)
    var number = 1
    for table in Self.tables {
      select.bind(table, at: 1)
      while try select.step() {
        number += 1
        if select.text(0) == "table" { roots[table] = number }
        let definition = (select.text(0), select.text(1), table, Int64(number), select.text(2))
        let isAdded = leaf.add(record(definition), row: Int64(number))
        precondition(isAdded && number < Self.firstFree, "all definitions have room")
      }
      select.reset()
    }
    leaf.close()
    writeHeader()
  }

  private func record(_ definition: (String, String, String, Int64, String)) -> RecordWriter {
    var (type, name, table, root, sql) = definition
    while true {
      var writer = RecordWriter(scratch)
      writer("type", &type)
      writer("name", &name)
      writer("tbl_name", &table)
      writer("rootpage", &root)
      writer("sql", &sql)
      if writer.lacking == 0 { return writer }
      scratch.grow(by: writer.lacking)
    }
  }

  /// What the file begins with: sqlite.org/fileformat2.html#the_database_header
  private func writeHeader() {
    head.initializeMemory(as: UInt8.self, repeating: 0, count: 100)
    for (place, byte) in "SQLite format 3".utf8.enumerated() {
      head.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
    }
    // The size of pages, 65,536, is said as 1; then versions, and shares of pages.
    put(0x0001_0101, at: 16)
    put(0x0040_2020, at: 20)
    // A first version of the file and of its schema, in the format and the encoding of today.
    for (place, number) in [(24, 1), (28, Self.pageCount), (40, 1), (44, 4), (56, 1), (92, 1)] {
      put(UInt32(number), at: place)
    }
  }

  private func put(_ number: UInt32, at place: Int) {
    head.storeBytes(of: number.bigEndian, toByteOffset: place, as: UInt32.self)
  }

  // MARK: Rows

  /// Copies all rows of a table. Where one is refused all is taken back, so that SQLite need not
  /// copy each page before it changes.
  ///
  /// - Parameter replacing: whether a row may stand in another's place, as its table says: then
  ///   SQLite takes each value.
  static func copying(_ table: String, replacing: Bool = false) -> String {
    "INSERT \(replacing ? "" : "OR ROLLBACK") INTO main.\(table) SELECT * FROM \(schema).\(table)"
  }

  /// Inserts rows into the ledger's table, the first of them under the number `first`.
  ///
  /// A row that its index has too goes the way of all rows: copied entries would come in an order
  /// that leaves the pages of the index nearly empty.
  func insert<Row: TableRow>(
    _ rows: UnsafeBufferPointer<Row>, of window: BlockWindow = BlockWindow(), first: Int64,
    in db: Database
  ) throws {
    guard let example = rows.first else { return }
    let copy = try RawStatement(db, Self.copying(choose(Row.tableName)))
    let single = try RowInsert<Row>(db, example.columnNames, leading: ["id"])
    // Nothing changes them: only a visitor that reads from the ledger would.
    let rows = UnsafeMutableBufferPointer(mutating: rows)
    var next = 0
    while next < rows.count {
      if rows[next].isIndexed {
        single.statement.bind(first + Int64(next), at: 1)
        try single.run(rows[next], of: window)
        next += 1
      } else {
        next += fill(rows, from: next, window) { first &+ Int64($0) }
        try copy.run()
      }
    }
  }

  /// Inserts rows that have numbers of their own, which ascend.
  ///
  /// - Parameter replacing: whether one may stand in another's place, as its table says.
  func insert<Row: NumberedRow>(_ rows: [Row], replacing: Bool, in db: Database) throws {
    let copy = try RawStatement(db, Self.copying(choose(Row.tableName), replacing: replacing))
    var rows = rows
    try rows.withUnsafeMutableBufferPointer { rows in
      var next = 0
      while next < rows.count {
        next += fill(rows, from: next, BlockWindow()) { rows[$0].number }
        try copy.run()
      }
    }
  }

  /// Makes the table whose rows follow the one that has some.
  private func choose(_ table: String) -> String {
    guard let number = roots[table] else { preconditionFailure("a table that is here too") }
    rootNumber = number
    return table
  }

  /// Holds rows from one on and no others, up to one of the index; how many there was room for.
  @inline(__always)
  private func fill<Row: TableRow>(
    _ rows: UnsafeMutableBufferPointer<Row>, from start: Int, _ window: BlockWindow,
    _ number: (Int) -> Int64
  ) -> Int {
    used = 0
    var leaves: [(page: Int, last: Int64)] = []
    var page = newPage()
    var leaf = TreePage(self.page(at: page), .table)
    var next = start
    while next < rows.count, !rows[next].isIndexed {
      let writer = record(&rows[next], window)
      let row = number(next)
      if !leaf.add(writer, row: row) {
        if leaf.count > 0 {
          if used >= Self.pagesAtOnce { break }
          leaf.close()
          leaves.append((page, number(next - 1)))
          page = newPage()
          leaf = TreePage(self.page(at: page), .table)
          continue
        }
        addLong(writer.bytes, row: row, to: &leaf, page)
      }
      next &+= 1
    }
    leaf.close()
    leaves.append((page, number(next - 1)))
    isOnePage = leaves.count == 1
    writeRoot(leaves)
    return next - start
  }

  private func newPage() -> Int {
    if used == capacity {
      let larger = UnsafeMutableRawPointer.allocate(
        byteCount: 2 * capacity * Self.pageSize, alignment: 4096)
      larger.copyMemory(from: pages, byteCount: used * Self.pageSize)
      pages.deallocate()
      pages = larger
      capacity *= 2
    }
    used += 1
    return used - 1
  }

  @inline(__always)
  private func record(_ row: inout some TableRow, _ window: BlockWindow) -> RecordWriter {
    while true {
      var writer = RecordWriter(scratch, window)
      writer.null()
      row.columns(&writer)
      if writer.lacking == 0 { return writer }
      scratch.grow(by: writer.lacking)
    }
  }

  /// Adds a record that is longer than a page to a leaf that has none: what does not fit lies in
  /// pages of its own.
  private func addLong(_ record: [UInt8], row: Int64, to leaf: inout TreePage, _ page: Int) {
    let room = Self.pageSize - 4
    let shortest = (Self.pageSize - 12) * 32 / 255 - 23
    var local = shortest + (record.count - shortest) % room
    if local > TreePage.longest { local = shortest }
    let first = used
    record.withUnsafeBytes { bytes in
      for start in stride(from: local, to: bytes.count, by: room) {
        let count = min(room, bytes.count - start)
        let page = newPage()
        let isLast = start + count == bytes.count
        let place = self.page(at: page)
        place.storeBytes(of: isLast ? 0 : number(page + 1), as: UInt32.self)
        (place + 4).copyMemory(from: bytes.baseAddress! + start, byteCount: count)
      }
      // New pages may have moved all of them.
      leaf = TreePage(self.page(at: page), .table)
      leaf.add(
        UnsafeRawBufferPointer(rebasing: bytes[..<local]), of: bytes.count, row: row,
        goingOnAt: number(first))
    }
  }

  // MARK: Above the rows

  /// An inner page: of each child its number and its last row, of the last one its number alone.
  private func writeRoot(_ leaves: [(page: Int, last: Int64)]) {
    var inner = TreePage(root, .inner)
    for leaf in leaves.dropLast() {
      let place = inner.begin(4 + varintSize(UInt64(leaf.last)))
      place.storeBytes(of: number(leaf.page), as: UInt32.self)
      _ = putVarint(UInt64(leaf.last), at: place + 4)
    }
    inner.close()
    root.storeBytes(of: number(leaves.last!.page), toByteOffset: 8, as: UInt32.self)
  }

  /// A page's number as pages have it.
  private func number(_ page: Int) -> UInt32 { UInt32(page + Self.firstFree).bigEndian }
}

/// A page of a tree while it is filled: cells from its end, where each of them lies from its start.
/// sqlite.org/fileformat2.html#b_tree_pages
private struct TreePage {
  enum Kind: UInt8 { case inner = 5, index = 10, table = 13 }

  private let page: UnsafeMutableRawPointer
  private let kind: Kind
  /// Where the page's own bytes begin, and where the places of cells do.
  private let header: Int
  private let places: Int
  private(set) var count = 0
  private var content = BlockImage.pageSize
  /// Bytes of a record that are kept in the page at most.
  static let longest = BlockImage.pageSize - 35

  init(_ page: UnsafeMutableRawPointer, _ kind: Kind, header: Int = 0) {
    self.page = page
    self.kind = kind
    self.header = header
    places = header + (kind == .inner ? 12 : 8)
  }

  /// False where there is no room for the record.
  @inline(__always)
  mutating func add(_ writer: RecordWriter, row: Int64) -> Bool {
    let length = writer.count
    let size = length &+ varintSize(UInt64(length)) &+ varintSize(UInt64(row))
    guard length <= Self.longest, places &+ 2 &* (count &+ 1) &+ size <= content else {
      return false
    }
    var place = begin(size)
    place += putVarint(UInt64(length), at: place)
    place += putVarint(UInt64(row), at: place)
    writer.copy(to: place)
    return true
  }

  /// Adds the beginning of a record to a leaf that has none.
  ///
  /// - Parameters:
  ///   - length: of the whole record.
  ///   - next: the page that goes on with it, as pages have its number.
  mutating func add(
    _ start: UnsafeRawBufferPointer, of length: Int, row: Int64, goingOnAt next: UInt32
  ) {
    var place = begin(start.count + varintSize(UInt64(length)) + varintSize(UInt64(row)) + 4)
    place += putVarint(UInt64(length), at: place)
    place += putVarint(UInt64(row), at: place)
    place.copyMemory(from: start.baseAddress!, byteCount: start.count)
    (place + start.count).storeBytes(of: next, as: UInt32.self)
  }

  /// Where a cell of so many bytes goes.
  @inline(__always)
  mutating func begin(_ size: Int) -> UnsafeMutableRawPointer {
    content &-= size
    page.storeBytes(
      of: UInt16(truncatingIfNeeded: content).bigEndian, toByteOffset: places &+ 2 &* count,
      as: UInt16.self)
    count &+= 1
    return page + content
  }

  func close() {
    let start = page + header
    start.storeBytes(of: kind.rawValue, as: UInt8.self)
    start.storeBytes(of: 0, toByteOffset: 1, as: UInt16.self)
    start.storeBytes(of: UInt16(count).bigEndian, toByteOffset: 3, as: UInt16.self)
    // 65,536 is said as 0.
    start.storeBytes(
      of: UInt16(truncatingIfNeeded: content).bigEndian, toByteOffset: 5, as: UInt16.self)
    start.storeBytes(of: 0, toByteOffset: 7, as: UInt8.self)
  }
}
