internal import Billing

/// No bytes.
var nothing: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

/// A record that is put together field by field, each with the place that it came from.
struct PieceRecord<Field: RawRepresentable<Int> & CaseIterable> {
  private let buffer = RecordBuffer(columns: Field.allCases.count)
  private var next = 0

  /// Begins another record, which has no field yet.
  mutating func begin() {
    buffer.clear()
    next = 0
  }

  /// Adds the next field, which must be `field`; blanks at its ends are left out.
  ///
  /// - Parameter place: where the bytes come from in the raw record.
  @inline(__always)
  mutating func put(_ field: Field, _ bytes: UnsafeRawBufferPointer, at place: Int) {
    assert(field.rawValue == next, "fields come in order")
    buffer.rawStarts[next] = Int32(truncatingIfNeeded: place)
    let bytes = trimmed(bytes)
    if let base = bytes.baseAddress { buffer.append(base, bytes.count) }
    buffer.endField(next)
    next &+= 1
  }

  /// Adds the next field, a digit or nothing.
  @inline(__always)
  mutating func put(_ field: Field, _ digit: UInt8?) {
    assert(field.rawValue == next, "fields come in order")
    buffer.rawStarts[next] = 0
    if let digit { buffer.append(digit &+ 0x30) }
    buffer.endField(next)
    next &+= 1
  }

  /// Adds the next field, a word of ours.
  mutating func put(_ field: Field, _ word: StaticString) {
    word.withUTF8Buffer { put(field, UnsafeRawBufferPointer($0), at: 0) }
  }

  /// Adds the next field, true or false or nothing.
  @inline(__always)
  mutating func put(_ field: Field, _ flag: Bool?) { put(field, flag.map { $0 ? 1 : 0 }) }

  /// The record, until another is begun.
  func record(line: Int32) -> Record {
    Record(base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends), line: line)
  }

  /// Where the field came from in the raw record.
  func place(of field: Int) -> Int { Int(buffer.rawStarts[field]) }
}

extension Record {
  /// The digit that a field is; nil when blank.
  func digit(_ field: Int) -> UInt8? { self[field].first.map { $0 &- 0x30 } }

  /// The environment whose raw value a field is; nil when blank.
  func optionalEnvironment(_ field: Int) -> StoreEnvironment? {
    digit(field).flatMap(StoreEnvironment.init(rawValue:))
  }
}

extension RecordDiagnostic {
  /// The same diagnostic with the place of its field, where only the field is known.
  ///
  /// - Parameter place: where a field stands in the raw record.
  func placed(_ place: (Int) -> Int) -> RecordDiagnostic {
    var diagnostic = self
    diagnostic.offset = offset ?? field.map(place)
    return diagnostic
  }
}
