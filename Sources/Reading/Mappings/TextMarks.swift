/// Takes off the mark that some programs write before each value of a row, so that a spreadsheet
/// takes all of them for text: WeChat Pay writes a backtick. A row with a value that lacks it stays
/// as it is.
struct TextMarks {
  private let count: Int
  private let buffer: RecordBuffer
  private static let mark = UInt8(ascii: "`")

  /// - Parameter count: fields of each record.
  init(count: Int) {
    self.count = count
    buffer = RecordBuffer(columns: count)
  }

  /// The record without marks; valid until the next one.
  @inline(__always)
  func without(_ record: Record) -> Record {
    guard count > 1, record[0].first == Self.mark else { return record }
    return unmarked(record)
  }

  @inline(never)
  private func unmarked(_ record: Record) -> Record {
    for field in 0..<count {
      let bytes = trimmed(record[field])
      guard bytes.isEmpty || bytes.first == Self.mark else { return record }
    }
    buffer.clear()
    for field in 0..<count {
      let bytes = trimmed(record[field])
      if bytes.count > 1, let start = bytes.baseAddress {
        buffer.append(start + 1, bytes.count - 1)
      }
      buffer.endField(field)
    }
    return Record(
      base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends), line: record.line)
  }
}
