internal import Billing

/// One record: its bytes, and where its fields end.
///
/// Fields are divided by one byte each: field i starts one past the end of field i − 1. What is
/// written otherwise (quotes, JSON) is first copied into this form, with 0xFF as the divider, which
/// no UTF-8 text has. Field −1 is empty: it stands for columns that a file does not have.
struct Record {
  let base: UnsafeRawPointer
  /// `ends[-1]` is −1 and `ends[-2]` is −2.
  let ends: UnsafePointer<Int32>
  let line: Int32

  /// The bytes of a field as they stand, blanks included; none for field −1.
  @inline(__always)
  subscript(_ field: Int) -> UnsafeRawBufferPointer {
    let start = Int(ends[field &- 1]) &+ 1
    return UnsafeRawBufferPointer(start: base + start, count: Int(ends[field]) &- start)
  }

  /// Where a field starts, in bytes from `base`.
  @inline(__always)
  func start(of field: Int) -> Int { Int(ends[field &- 1]) &+ 1 }

  /// The field's trimmed text; the record is known to be well-formed UTF-8.
  func text(_ field: Int) -> String { String(decoding: trimmed(self[field]), as: UTF8.self) }
}

/// What is wrong with a record: a ``Diagnostic`` without its file and line, which the log adds.
struct RecordDiagnostic: Error {
  /// The record's field that is wrong; nil for the record as a whole.
  var field: Int?
  /// Where in the record's raw bytes, when known better than by the field.
  var offset: Int?
  var topic: String
  var message: Wording
  var help: Wording
  /// What a mapping may say of such values; it comes before ``help`` where the table is the
  /// company's own.
  var hint: MappingHint?

  /// From the wrong field (nil for the whole record), a topic such as `quotes`, and what is wrong.
  init(
    _ field: Int?, _ topic: String, _ message: Wording, offset: Int? = nil, help: Wording,
    hint: MappingHint? = nil
  ) {
    self.hint = hint
    self.field = field
    self.offset = offset
    self.topic = topic
    self.message = message
    self.help = help
  }
}

/// Room for one record that had to be copied into the plain form, and for the ends of its fields.
final class RecordBuffer {
  /// Fields that are kept.
  let columns: Int
  let ends: UnsafeMutablePointer<Int32>
  /// Where each field starts in the raw bytes, for records that were copied.
  let rawStarts: UnsafeMutablePointer<Int32>
  private(set) var bytes: UnsafeMutableRawPointer
  private(set) var count = 0
  /// The line of the last record that had fewer fields than the header; 0 for none.
  private(set) var shortLine = 0
  private var capacity = 4096

  init(columns: Int) {
    self.columns = columns
    let ends = UnsafeMutablePointer<Int32>.allocate(capacity: columns + 3)
    ends.initialize(repeating: 0, count: columns + 3)
    ends[0] = -2
    ends[1] = -1
    self.ends = ends + 2
    rawStarts = .allocate(capacity: columns + 1)
    rawStarts.initialize(repeating: 0, count: columns + 1)
    bytes = .allocate(byteCount: capacity + overrun, alignment: 16)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: capacity + overrun)
  }

  deinit {
    (ends - 2).deallocate()
    rawStarts.deallocate()
    bytes.deallocate()
  }

  /// Lets go of the bytes of the last record.
  func clear() { count = 0 }

  /// Notes that the record of a line has fewer fields than the header.
  func noteShort(line: Int) { shortLine = line }

  /// Appends `length` bytes to the copy of the record.
  func append(_ source: UnsafeRawPointer, _ length: Int) {
    if count + length + 1 > capacity { grow(to: max(capacity * 2, count + length + 1)) }
    (bytes + count).copyMemory(from: source, byteCount: length)
    count += length
  }

  /// Appends a byte to the copy of the record.
  func append(_ byte: UInt8) {
    if count + 1 > capacity { grow(to: capacity * 2) }
    bytes.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Ends field `index` at the end of the copied bytes and writes the divider behind it.
  func endField(_ index: Int) {
    if index < columns { ends[index] = Int32(count) }
    append(0xFF)
  }

  /// Moves the copied bytes to memory with room for `size` of them.
  private func grow(to size: Int) {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: size + overrun, alignment: 16)
    larger.initializeMemory(as: UInt8.self, repeating: 0, count: size + overrun)
    larger.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    bytes = larger
    capacity = size
  }
}

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

  /// A copy of the record without marks; the record itself when one of its values lacks the mark.
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
