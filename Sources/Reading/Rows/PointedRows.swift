internal import Billing

/// Rows of a table that others export, saved again by a spreadsheet where numbers have a decimal
/// comma and semicolons divide columns: `8,0` is read as `8.0`. No configuration says so for such a
/// table, and in a file with both marks nobody knows what either means.
struct PointedRows<Reader: RowReader>: RowReader {
  private(set) var reader: Reader
  private let buffer: RecordBuffer
  /// The first number with each mark.
  private var comma = ""
  private var point = ""

  init(_ reader: Reader, fieldCount: Int) {
    self.reader = reader
    buffer = RecordBuffer(columns: fieldCount)
  }

  var pending: Int { reader.pending }
  var footerCount: Int { reader.footerCount }

  /// Reads the record with decimal points for commas; throws a diagnostic once a file has both
  /// marks.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    buffer.clear()
    for field in 0..<buffer.columns {
      let bytes = record[field]
      let mark = decimalMark(trimmed(bytes))
      if mark == 0x2C, comma.isEmpty { comma = record.text(field) }
      if mark == 0x2E, point.isEmpty { point = record.text(field) }
      if mark != nil, !comma.isEmpty, !point.isEmpty {
        throw RecordDiagnostic(
          field, "amount", "@row.two-decimal-marks \(comma) \(point)",
          help: "@row.export-with-a-decimal-point")
      }
      for byte in bytes { buffer.append(mark == 0x2C && byte == 0x2C ? 0x2E : byte) }
      buffer.endField(field)
    }
    return try reader.read(
      Record(
        base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends), line: record.line))
  }

  mutating func isBehindTable(_ raw: UnsafeRawBufferPointer) -> Bool { reader.isBehindTable(raw) }

  mutating func takeBlock() -> Reader.Block { reader.takeBlock() }

  func summary(_ log: ReadingLog) throws -> RowSummary { try reader.summary(log) }
}

/// The mark (comma or point) in a number of digits; nil where there is none, several, or anything
/// else.
private func decimalMark(_ bytes: UnsafeRawBufferPointer) -> UInt8? {
  var mark: UInt8?
  for (place, byte) in bytes.enumerated() {
    if byte &- 0x30 < 10 || byte == 0x2D && place == 0 { continue }
    guard byte == 0x2C || byte == 0x2E, mark == nil, place > 0 else { return nil }
    mark = byte
  }
  return mark
}
