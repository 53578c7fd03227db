import Billing
import GRDB
import GRDBSQLite

/// The rows of one table, read from the ledger's pages as SQLite lays them out in its file
/// (sqlite.org/fileformat2.html, read 2026-11-24). A row costs a small part of what it costs as
/// the values of a statement, and the pages are those that a statement would see: while a
/// connection reads, nobody changes them, and each is held against its seal.
///
/// What does not look like a page, a cell or a record is an error, never a value.
final class TablePages {
  private let file: UnsafeMutablePointer<sqlite3_file>
  private let pageSize: Int
  /// Bytes of a page that hold cells; the rest is the seal's.
  private let usable: Int
  private let fileSize: Int
  private let root: UInt32
  private let wanted: WantedFields
  /// From the root to the leaf that was read last.
  private var path: [ScannedPage] = []
  private var spares: [ScannedPage] = []
  /// Pages that were read at once, because the rows of a file mostly lie one page behind the other;
  /// they are not checked yet.
  private let ahead = UnsafeMutableRawBufferPointer.allocate(
    byteCount: pagesAhead * PageSeal.pageSize, alignment: 4096)
  private var numbersAhead: Range<UInt32> = 0..<0
  private var lastRead: UInt32 = 0
  /// The record of a row that goes on in other pages.
  private var spilled = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Nil where the columns are not stored as they are asked for, or where what the connection sees
  /// is not what the file holds: within a transaction that writes.
  ///
  /// - Parameter columns: stand after the row's id, as in a statement.
  init?(_ db: Database, _ columns: String, of table: String) throws {
    // A transaction begins to read with its first row.
    guard let connection = db.sqliteConnection,
      let root = try Int64.fetchOne(
        db, sql: "SELECT rootpage FROM sqlite_master WHERE type = 'table' AND name = ?",
        arguments: [table]),
      sqlite3_txn_state(connection, "main") == SQLITE_TXN_READ,
      let wanted = try WantedFields(db, columns, of: table)
    else { return nil }
    var found: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &found) == SQLITE_OK,
      let file = found, let size = try Int.fetchOne(db, sql: "PRAGMA page_size")
    else { return nil }
    self.file = file
    self.root = UInt32(root)
    self.wanted = wanted
    pageSize = size
    let first = ScannedPage(size: size)
    guard file.pointee.pMethods.pointee.xRead(file, first.bytes, Int32(size), 0) == SQLITE_OK else {
      return nil
    }
    usable = size - Int(first.bytes.load(fromByteOffset: 20, as: UInt8.self))
    var bytes: sqlite3_int64 = 0
    guard file.pointee.pMethods.pointee.xFileSize(file, &bytes) == SQLITE_OK else { return nil }
    fileSize = Int(bytes)
    spares.append(first)
  }

  deinit {
    spilled.deallocate()
    ahead.deallocate()
  }

  private static let pagesAhead = 16

  /// Calls `body` on each row of the range, ascending. Ranges are asked for ascending.
  func forEach(_ rows: ClosedRange<Int64>, _ body: (ScannedRow) -> Void) throws {
    guard try seek(rows.lowerBound) else { return }
    var last: Int64?
    repeat {
      let leaf = path[path.count - 1]
      while leaf.next < leaf.count {
        let cell = try cell(leaf.next, of: leaf)
        if cell.key > rows.upperBound { return }
        if let last, cell.key <= last { throw Self.broken }
        last = cell.key
        try wanted.read(cell.key, cell.record)
        body(wanted.row)
        leaf.next += 1
      }
    } while try nextLeaf(until: rows.upperBound)
  }

  // MARK: The tree

  /// Goes to the leaf that has the first row from `key` on; false where there is none.
  private func seek(_ key: Int64) throws -> Bool {
    while let last = path.last, last.greatest < key { leave() }
    if path.isEmpty { try enter(root, upTo: .max) }
    while let page = path.last, !page.isLeaf {
      page.next = try firstChild(from: key, of: page)
      try enterChild(of: page)
    }
    let leaf = path[path.count - 1]
    var (low, high) = (0, leaf.count)
    while low < high {
      let middle = (low + high) / 2
      if try self.cell(middle, of: leaf).key < key { low = middle + 1 } else { high = middle }
    }
    leaf.next = low
    return low < leaf.count ? true : try nextLeaf(until: .max)
  }

  /// The first child that may have rows from `key` on.
  private func firstChild(from key: Int64, of page: ScannedPage) throws -> Int {
    var (low, high) = (0, page.count)
    while low < high {
      let middle = (low + high) / 2
      if try child(middle, of: page).greatest < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Goes to the first row of the next leaf; false behind the last, or where all that follow are
  /// greater than `last`.
  private func nextLeaf(until last: Int64) throws -> Bool {
    repeat {
      guard let leaf = path.last, leaf.greatest < last else { return false }
      let passed = leaf.greatest
      leave()
      while let page = path.last, page.next >= page.count { leave() }
      guard let page = path.last else { return false }
      page.next += 1
      try enterChild(of: page)
      while let below = path.last, !below.isLeaf { try enterChild(of: below) }
      // Else a tree that leads back into itself would have no end.
      guard path[path.count - 1].greatest > passed else { throw Self.broken }
    } while path[path.count - 1].count == 0
    return true
  }

  private func enterChild(of page: ScannedPage) throws {
    let child = try child(page.next, of: page)
    guard child.greatest <= page.greatest else { throw Self.broken }
    try enter(child.page, upTo: child.greatest)
  }

  /// Reads a page and makes it the last of the path.
  private func enter(_ number: UInt32, upTo greatest: Int64) throws {
    // No tree of 2^32 pages is as high: one that seems to be leads back into itself.
    guard path.count < 24 else { throw Self.broken }
    let page = spares.popLast() ?? ScannedPage(size: pageSize)
    try read(number, into: page.bytes)
    try page.begin(at: number == 1 ? 100 : 0, usable: usable, upTo: greatest)
    path.append(page)
  }

  private func leave() { spares.append(path.removeLast()) }

  private func read(_ number: UInt32, into bytes: UnsafeMutableRawPointer) throws {
    guard number > 0 else { throw Self.broken }
    let follows = number == lastRead &+ 1
    lastRead = number
    if isAhead(number, follows: follows) {
      let start = Int(number - numbersAhead.lowerBound) * pageSize
      bytes.copyMemory(from: ahead.baseAddress! + start, byteCount: pageSize)
      guard SealedFile.holds(file, bytes, number: UInt64(number)) else {
        throw DatabaseError(resultCode: ResultCode(rawValue: SealedFile.broken))
      }
      return
    }
    let place = Int64(number - 1) * Int64(pageSize)
    let code = file.pointee.pMethods.pointee.xRead(file, bytes, Int32(pageSize), place)
    guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
  }

  /// Whether the page is among those that were read ahead, or is now.
  ///
  /// - Parameter follows: whether it lies behind the one before.
  private func isAhead(_ number: UInt32, follows: Bool) -> Bool {
    if numbersAhead.contains(number) { return true }
    guard follows, pageSize == PageSeal.pageSize else { return false }
    let last = UInt32(clamping: fileSize / pageSize)
    guard number <= last, last - number >= Self.pagesAhead,
      SealedFile.readUnchecked(file, into: ahead, from: UInt64(number))
    else { return false }
    numbersAhead = number..<number + UInt32(Self.pagesAhead)
    return true
  }

  /// The page that a cell of an inner page leads to, the last one for the index behind all, and the
  /// greatest key below it.
  private func child(
    _ index: Int, of page: ScannedPage
  ) throws -> (page: UInt32, greatest: Int64) {
    if index == page.count { return (page.number(at: page.start + 8), page.greatest) }
    let place = try page.place(ofCell: index)
    guard place + 5 <= usable else { throw Self.broken }
    var reader = VarintReader(page.bytes, from: place + 4, to: usable)
    return (page.number(at: place), Int64(bitPattern: try reader.next()))
  }

  /// A row's key and record.
  private func cell(
    _ index: Int, of leaf: ScannedPage
  ) throws -> (key: Int64, record: UnsafeRawBufferPointer) {
    var reader = VarintReader(leaf.bytes, from: try leaf.place(ofCell: index), to: usable)
    let size = Int(truncatingIfNeeded: try reader.next())
    let key = Int64(bitPattern: try reader.next())
    guard size >= 0, size <= fileSize else { throw Self.broken }
    if size <= usable - 35 {
      guard reader.place + size <= usable else { throw Self.broken }
      return (key, UnsafeRawBufferPointer(start: leaf.bytes + reader.place, count: size))
    }
    let record = try gather(size, leaf, from: reader.place)
    spilled.deallocate()
    spilled = .allocate(byteCount: size + WantedFields.slack, alignment: 8)
    spilled.copyBytes(from: record)
    return (key, UnsafeRawBufferPointer(rebasing: spilled[..<size]))
  }

  /// Puts a record together that begins on its leaf and goes on in pages of its own.
  private func gather(_ size: Int, _ leaf: ScannedPage, from place: Int) throws -> [UInt8] {
    let least = (usable - 12) * 32 / 255 - 23
    let most = usable - 35
    let fitting = least + (size - least) % (usable - 4)
    let here = fitting <= most ? fitting : least
    guard place + here + 4 <= usable else { throw Self.broken }
    var record = Array(UnsafeRawBufferPointer(start: leaf.bytes + place, count: here))
    var number = leaf.number(at: place + here)
    let page = spares.popLast() ?? ScannedPage(size: pageSize)
    defer { spares.append(page) }
    while record.count < size {
      try read(number, into: page.bytes)
      let count = min(size - record.count, usable - 4)
      record.append(contentsOf: UnsafeRawBufferPointer(start: page.bytes + 4, count: count))
      number = page.number(at: 0)
    }
    return record
  }

  fileprivate static var broken: DatabaseError {
    DatabaseError(
      resultCode: .SQLITE_CORRUPT, message: "a page of the ledger is not as it should be")
  }
}

/// A page of a table's tree.
private final class ScannedPage {
  let bytes: UnsafeMutableRawPointer
  private let size: Int
  /// Where the page's own header begins: behind the file's in the first page.
  private(set) var start = 0
  private(set) var isLeaf = false
  /// Cells.
  private(set) var count = 0
  /// No row below the page has a greater key.
  private(set) var greatest = Int64.max
  /// The cell that comes next.
  var next = 0

  init(size: Int) {
    self.size = size
    bytes = .allocate(byteCount: size + WantedFields.slack, alignment: 8)
  }

  deinit { bytes.deallocate() }

  func begin(at start: Int, usable: Int, upTo greatest: Int64) throws {
    self.start = start
    self.greatest = greatest
    next = 0
    switch bytes.load(fromByteOffset: start, as: UInt8.self) {
    case 0x05: isLeaf = false
    case 0x0D: isLeaf = true
    default: throw TablePages.broken
    }
    count = Int(half(at: start + 3))
    guard start + (isLeaf ? 8 : 12) + 2 * count <= usable else { throw TablePages.broken }
  }

  /// Where a cell begins.
  @inline(__always)
  func place(ofCell index: Int) throws -> Int {
    let place = Int(half(at: start + (isLeaf ? 8 : 12) + 2 * index))
    guard place < size - 4 else { throw TablePages.broken }
    return place
  }

  @inline(__always)
  private func half(at place: Int) -> UInt16 {
    UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self))
  }

  @inline(__always)
  func number(at place: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }
}

/// Reads SQLite's numbers of one to nine bytes.
private struct VarintReader {
  private let bytes: UnsafeRawPointer
  private(set) var place: Int
  private let end: Int

  @inline(__always)
  init(_ bytes: UnsafeRawPointer, from place: Int, to end: Int) {
    (self.bytes, self.place, self.end) = (bytes, place, end)
  }

  @inline(__always)
  var isAtEnd: Bool { place >= end }

  @inline(__always)
  mutating func next() throws -> UInt64 {
    guard place < end else { throw TablePages.broken }
    let first = bytes.load(fromByteOffset: place, as: UInt8.self)
    place += 1
    return first < 0x80 ? UInt64(first) : try rest(after: first)
  }

  private mutating func rest(after first: UInt8) throws -> UInt64 {
    var value = UInt64(first & 0x7F)
    for count in 2...9 {
      guard place < end else { throw TablePages.broken }
      let byte = bytes.load(fromByteOffset: place, as: UInt8.self)
      place += 1
      if count == 9 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    return value
  }
}

/// Which fields of a record become which values of a row, and the row that is made of them.
private final class WantedFields {
  /// By field the place of the value that it becomes; that behind all values for no value.
  private let places: UnsafeMutableBufferPointer<Int>
  private let cells: UnsafeMutablePointer<ScannedCell>
  private let count: Int
  /// Of values as they are written, by how a byte says it.
  private let widths: UnsafeMutablePointer<UInt8>

  var row: ScannedRow { ScannedRow(cells: UnsafePointer(cells)) }

  /// Nil where a column is none that the table stores as it is.
  init?(_ db: Database, _ columns: String, of table: String) throws {
    var fields: [String: Int] = [:]
    var stored = 0
    let info = try RawStatement(db, "PRAGMA table_xinfo(\(table))")
    while try info.step() {
      let isVirtual = info.int64(6) == 2
      // What rows lack that are older than a column is what it is said to be without a value.
      if !isVirtual, info.isNull(4) { fields[info.text(1)] = stored }
      if !isVirtual { stored += 1 }
    }
    let names = columns.split { $0 == "," || $0 == " " || $0 == "\n" }.map(String.init)
    let count = names.count + 1
    self.count = count
    var places = [Int](repeating: count, count: stored)
    for (place, name) in names.enumerated() {
      guard name != "id", let field = fields[name], places[field] == count else { return nil }
      places[field] = place + 1
    }
    let last = places.lastIndex { $0 < count } ?? -1
    self.places = .allocate(capacity: last + 1)
    _ = self.places.initialize(from: places[...last])
    cells = .allocate(capacity: count + 1)
    cells.initialize(repeating: .null, count: count + 1)
    widths = .allocate(capacity: 128)
    for form in 0..<128 { widths[form] = UInt8(Self.width(of: UInt64(form))) }
  }

  deinit {
    places.deallocate()
    cells.deallocate()
    widths.deallocate()
  }

  /// Bytes behind a record that may be read, and mean nothing.
  static let slack = 8

  /// Takes a row's values from its record, behind which there are bytes.
  func read(_ key: Int64, _ record: UnsafeRawBufferPointer) throws {
    guard let bytes = record.baseAddress, record.count <= Int32.max else {
      throw TablePages.broken
    }
    cells[0] = .integer(key)
    var head = VarintReader(bytes, from: 0, to: record.count)
    let size = try head.next()
    guard size <= UInt64(record.count) else { throw TablePages.broken }
    var forms = VarintReader(bytes, from: head.place, to: Int(size))
    var place = Int(size)
    for index in places {
      if forms.isAtEnd {
        cells[index] = .null
        continue
      }
      let form = try forms.next()
      let width = form < 128 ? Int(widths[Int(form)]) : Self.width(of: form)
      guard width <= record.count &- place else { throw TablePages.broken }
      // The ledger holds no binary fractions, and nothing is written as 10 or 11.
      if form == 7 || form | 1 == 11, index < count { throw TablePages.broken }
      cells[index] = ScannedCell(
        form: UInt32(truncatingIfNeeded: min(form, 127)), count: width, at: bytes + place)
      place &+= width
    }
  }

  private static func width(of form: UInt64) -> Int {
    switch form {
    case 0, 8...11: 0
    case 1...4: Int(form)
    case 5: 6
    case 6, 7: 8
    default: Int(clamping: (form - 12) / 2)
    }
  }
}
