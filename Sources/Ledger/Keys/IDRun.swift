import Billing
import GRDB

/// A sorted run of ids over consecutive rows of one file, and how it lies in the ledger.
struct IDRun: Sendable {
  var column: IDColumn
  /// The smallest and largest `placed_at` or `purchased_at` of the rows.
  var span: ClosedRange<Int64>
  /// Ascending by key, not empty.
  var entries: [IDEntry]

  /// Entries of a page: what is read to find one id.
  static let pageLimit = 1024
  /// Rows that a run covers: what sorting holds in memory at once.
  static let rowLimit = 1 << 20

  /// Adds the run's pages, and its row of `id_run`, to the ledger.
  ///
  /// - Parameter source: the number of the file whose rows the entries name.
  func write(source: Int64, _ db: Database) throws {
    precondition(!entries.isEmpty)
    let page = try RawStatement(db, "INSERT INTO id_page (id, entries) VALUES (?, ?)")
    let firstPage = try Int64.fetchOne(db, sql: "SELECT ifnull(max(id), 0) + 1 FROM id_page")!
    let seed = try LedgerSeed.of(db)
    var fences: [UInt64] = []
    var start = 0
    while start < entries.count {
      let end = min(start + Self.pageLimit, entries.count)
      let number = firstPage + Int64(fences.count)
      fences.append(entries[start].key)
      page.bind(number, at: 1)
      try IDPage.encode(entries[start..<end], number: number, in: seed).withUnsafeBytes {
        page.bindInPlace($0, at: 2)
        try page.run()
      }
      start = end
    }
    let beside = [
      source, span.lowerBound, span.upperBound, firstPage,
      Int64(bitPattern: entries.last!.key),
    ]
    let run = try RawStatement(
      db,
      """
      INSERT INTO id_run (key, source_id, first_at, last_at, first_page, last_key, fences, digest)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """, column.rawValue)
    for (index, number) in beside.enumerated() { run.bind(number, at: Int32(index + 2)) }
    try fences.map(\.littleEndian).withUnsafeBytes {
      run.bindInPlace($0, at: 7)
      run.bind(Self.digest(column, beside, $0, in: seed), at: 8)
      try run.run()
    }
  }

  /// A hash of what the run's row says, by which a row that was changed is noticed.
  ///
  /// - Parameters:
  ///   - beside: the row's numbers: file, first and last time, first page, last key.
  ///   - fences: the first key of each page.
  ///   - ledger: ``LedgerSeed``.
  private static func digest(
    _ column: IDColumn, _ beside: [Int64], _ fences: UnsafeRawBufferPointer, in ledger: UInt64
  ) -> Int64 {
    let seed = Array(column.rawValue.utf8).withUnsafeBytes { hash64($0, seed: ledger) }
    let place = beside.withUnsafeBytes { hash64($0, seed: seed) }
    return Int64(bitPattern: xxHash64(fences, seed: place))
  }
}

/// A run as the ledger has it: where its pages lie, and the first key of each.
struct StoredRun {
  let id: Int64
  let span: ClosedRange<Int64>
  private let firstPage: Int64
  private let seed: UInt64
  let fences: [UInt64]
  let lastKey: UInt64

  /// What ``init(_:)`` reads.
  static let columns = """
    id, key, source_id, first_at, last_at, first_page, last_key, fences, digest,
    \(LedgerSeed.column)
    """

  /// Reads the run that a statement of ``columns`` is on.
  ///
  /// - Throws: where the row is not what was written.
  init(_ select: borrowing RawStatement) throws {
    id = select.int64(0)
    let beside = (2..<7).map { select.int64(Int32($0)) }
    let bytes = select.bytes(7)
    seed = LedgerSeed.read(select, 9)
    guard let column = IDColumn(rawValue: select.text(1)), beside[1] <= beside[2],
      IDRun.isRight(column, beside, bytes, in: seed, digest: select.int64(8))
    else { throw Self.broken }
    span = beside[1]...beside[2]
    firstPage = beside[3]
    lastKey = UInt64(bitPattern: beside[4])
    fences = (0..<bytes.count / 8).map {
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
    }
  }

  /// Reads a page by its place in the run; its entries ascend by key.
  ///
  /// - Parameter pages: a statement of ``pageQuery``.
  func entries(ofPage page: Int, _ pages: borrowing RawStatement) throws -> [IDEntry] {
    let number = firstPage + Int64(page)
    pages.bind(number, at: 1)
    defer { pages.reset() }
    guard try pages.step(),
      let entries = IDPage.decode(pages.bytes(0), number: number, in: seed)
    else { throw Self.broken }
    return entries
  }

  static let pageQuery = "SELECT entries FROM id_page WHERE id = ?"

  /// The error of a run or a page that is not what was written.
  private static var broken: DatabaseError {
    DatabaseError(
      resultCode: .damaged, message: "a page of ids is not what was written there")
  }
}

extension IDRun {
  /// Whether a run's row, its numbers `beside` and its fences give the digest that it has.
  fileprivate static func isRight(
    _ column: IDColumn, _ beside: [Int64], _ fences: UnsafeRawBufferPointer, in ledger: UInt64,
    digest: Int64
  ) -> Bool {
    Self.digest(column, beside, fences, in: ledger) == digest
  }
}

/// A page's bytes, little-endian: a checksum of what follows, of the page's number and its ledger,
/// how many entries there are, how many bytes a key and a row have, the first key and the first
/// row, then what each key, and each row, is more than that.
enum IDPage {
  private static let headSize = 32

  /// The bytes of a page.
  ///
  /// - Parameters:
  ///   - entries: ascending by key, not empty.
  ///   - number: the page's id in the ledger.
  ///   - ledger: ``LedgerSeed``.
  static func encode(
    _ entries: ArraySlice<IDEntry>, number: Int64, in ledger: UInt64
  ) -> [UInt8] {
    let (base, last) = (entries.first!.key, entries.last!.key)
    var (lowest, highest) = (Int32.max, Int32.min)
    for entry in entries { (lowest, highest) = (min(lowest, entry.row), max(highest, entry.row)) }
    let widths = (
      BlockContent.width(of: last - base), BlockContent.width(of: UInt64(highest - lowest))
    )
    let size = headSize + entries.count * (widths.0 + widths.1) + BlockContent.slack
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      let raw = UnsafeMutableRawBufferPointer(bytes)
      var out = BlockBytes(raw.baseAddress!)
      out.put(0 as UInt64)
      out.put(UInt32(entries.count))
      out.put(UInt16(widths.0))
      out.put(UInt16(widths.1))
      out.put(base)
      out.put(Int64(lowest))
      entries.withUnsafeBufferPointer { entries in
        out.put(entries.count, width: widths.0) { entries[$0].key &- base }
        out.put(entries.count, width: widths.1) { UInt64(entries[$0].row &- lowest) }
      }
      out.put(0 as UInt64)
      let sum = BlockContent.checksum(
        of: UnsafeRawBufferPointer(rebasing: raw[..<size]),
        at: ledger ^ UInt64(bitPattern: number))
      raw.storeBytes(of: sum.littleEndian, as: UInt64.self)
      count = size
    }
  }

  /// The entries of a page's bytes; nil where these are not what was written.
  ///
  /// - Parameters:
  ///   - number: the page's id in the ledger.
  ///   - ledger: ``LedgerSeed``.
  static func decode(
    _ bytes: UnsafeRawBufferPointer, number: Int64, in ledger: UInt64
  ) -> [IDEntry]? {
    /// The number at a place of the bytes.
    func word<Number: FixedWidthInteger>(_ place: Int, _: Number.Type) -> Number {
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
    }
    guard bytes.count >= headSize + BlockContent.slack,
      word(0, UInt64.self)
        == BlockContent.checksum(of: bytes, at: ledger ^ UInt64(bitPattern: number))
    else { return nil }
    let count = Int(word(8, UInt32.self))
    let widths = (Int(word(12, UInt16.self)), Int(word(14, UInt16.self)))
    guard widths.0 <= 8, widths.1 <= 4,
      bytes.count == headSize + count * (widths.0 + widths.1) + BlockContent.slack
    else { return nil }
    let (base, lowest) = (word(16, UInt64.self), Int32(truncatingIfNeeded: word(24, Int64.self)))
    let rows = headSize + count * widths.0
    /// The low bits that a number of so many bytes has.
    func mask(_ width: Int) -> UInt64 { width == 8 ? .max : (1 << UInt64(8 * width)) - 1 }
    let masks = (mask(widths.0), mask(widths.1))
    return (0..<count).map { index in
      IDEntry(
        key: base &+ word(headSize + index * widths.0, UInt64.self) & masks.0,
        row: lowest
          &+ Int32(truncatingIfNeeded: word(rows + index * widths.1, UInt64.self) & masks.1))
    }
  }
}
