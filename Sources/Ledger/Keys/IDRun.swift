import Billing
import GRDB

/// A sorted run of ids over consecutive rows of one file, and how it lies in the ledger.
struct IDRun: Sendable {
  var column: IDColumn
  /// The smallest and largest `placed_at` or `purchased_at` of the rows.
  var span: ClosedRange<Int64>
  /// Ascending by key, not empty.
  var entries: [IDEntry]

  /// Entries of a page: as many as fit one leaf of the file, so that nothing overflows.
  static let pageLimit = 336
  /// Rows that a run covers: what sorting holds in memory at once.
  static let rowLimit = 1 << 20

  func write(source: Int64, _ db: Database) throws {
    precondition(!entries.isEmpty)
    let page = try RawStatement(db, "INSERT INTO id_page (entries) VALUES (?)")
    var fences: [UInt64] = []
    var start = 0
    while start < entries.count {
      let end = min(start + Self.pageLimit, entries.count)
      fences.append(entries[start].key)
      IDPage.encode(entries[start..<end]).withUnsafeBytes { page.bind($0, at: 1) }
      try page.run()
      start = end
    }
    let firstPage = db.lastInsertedRowID - Int64(fences.count) + 1
    let run = try RawStatement(
      db,
      """
      INSERT INTO id_run (source_id, key, first_at, last_at, first_page, fences, last_key)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    run.bind(source, at: 1)
    run.bind(column.rawValue, at: 2)
    run.bind(span.lowerBound, at: 3)
    run.bind(span.upperBound, at: 4)
    run.bind(firstPage, at: 5)
    fences.map(\.littleEndian).withUnsafeBytes { run.bind($0, at: 6) }
    run.bind(Int64(bitPattern: entries.last!.key), at: 7)
    try run.run()
  }
}

/// A page's bytes: all keys (8 bytes each), then all rows (4 bytes each), little endian.
enum IDPage {
  static func encode(_ entries: ArraySlice<IDEntry>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: entries.count * 12) { bytes, count in
      let raw = UnsafeMutableRawBufferPointer(bytes)
      for (index, entry) in entries.enumerated() {
        raw.storeBytes(of: entry.key.littleEndian, toByteOffset: index * 8, as: UInt64.self)
        raw.storeBytes(
          of: entry.row.littleEndian, toByteOffset: entries.count * 8 + index * 4, as: Int32.self)
      }
      count = entries.count * 12
    }
  }

  static func decode(_ bytes: UnsafeRawBufferPointer) -> [IDEntry] {
    let count = bytes.count / 12
    return (0..<count).map { index in
      IDEntry(
        key: UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)),
        row: Int32(
          littleEndian: bytes.loadUnaligned(
            fromByteOffset: count * 8 + index * 4, as: Int32.self)))
    }
  }
}
