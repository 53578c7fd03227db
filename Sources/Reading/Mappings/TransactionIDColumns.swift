internal import Billing

/// Which columns that are none of their table's have Apple's transaction IDs in the first rows.
struct TransactionIDColumns {
  private static let mostRows = 500
  /// Values by which a column is known, so that it is no chance.
  private static let least = 3

  private struct Column {
    let name: String
    let field: Int
    var told = 0
    var ids = 0
  }
  private var columns: [Column]
  private var rows = 0

  /// - Parameter names: as the header prints them.
  init(_ names: [String], of header: Header) {
    columns = names.compactMap { name in
      header.printed.firstIndex(of: name).map { Column(name: name, field: $0) }
    }
  }

  mutating func look(at record: Record) {
    guard rows < Self.mostRows else { return }
    rows += 1
    for index in columns.indices {
      let bytes = trimmed(record[columns[index].field])
      if bytes.isEmpty || isNullWord(String(decoding: bytes, as: UTF8.self)) { continue }
      columns[index].told += 1
      if Self.isTransactionID(bytes) { columns[index].ids += 1 }
    }
  }

  /// Columns of which nearly every value looks like Apple's ID of a transaction.
  var transactionIDs: [String] {
    columns.filter { $0.ids >= Self.least && 10 * $0.ids >= 9 * $0.told }.map(\.name)
  }

  /// Apple's have 15 or 16 digits; microseconds since 1970 have 16 and begin with 1, as those of
  /// the Sandbox do, which begin with 10 or 20.
  private static func isTransactionID(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard (15...18).contains(bytes.count), bytes.allSatisfy({ $0 &- 0x30 < 10 }) else {
      return false
    }
    let isTime = bytes.count == 16 && bytes[0] == 0x31 && bytes[1] > 0x30
    return bytes[0] != 0x30 && !isTime
  }
}
