import Billing

/// A row's values as bytes, no two rows the same: by them equal rows are found, and a row that was
/// changed behind the ledger's back.
struct RecordBytes: ValueVisitor {
  private(set) var bytes: [UInt8] = []

  /// Writes the values of a row one behind the other, in the order of its columns.
  init(_ row: some TableValue) {
    var row = row
    row.values(&self)
  }

  /// Appends a value: a byte for what it is (nothing, a number, a text), then its bytes.
  mutating func callAsFunction(_: String, _ value: inout some CellValue) {
    switch value.content {
    case .null: bytes.append(0)
    case .integer(let number):
      bytes.append(1)
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    case .text(let text):
      bytes.append(2)
      withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: text.utf8)
    }
  }

  /// A hash of the bytes, by which a row that was changed is noticed.
  var digest: Int64 { bytes.withUnsafeBytes { Int64(bitPattern: hash64($0)) } }
}
