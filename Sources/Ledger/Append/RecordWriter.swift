import Billing
import Glibc

/// Writes a row the way SQLite stores it: first how each value is written (its serial type), then
/// the values. sqlite.org/fileformat2.html#record_format
struct RecordWriter: RowVisitor {
  private let window: BlockWindow
  /// Where types and values begin: a reference to the scratch would be counted for each row.
  private let types: UnsafeMutablePointer<UInt8>
  private let values: UnsafeMutableRawPointer
  private var type: UnsafeMutablePointer<UInt8>
  private var value: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer
  /// Bytes of texts that found no room: the record is of no use, and has to be written again.
  private(set) var lacking = 0

  /// - Parameter scratch: which is kept, and does not grow, as long as the record is of use.
  @inline(__always)
  init(_ scratch: RecordScratch, _ window: BlockWindow = BlockWindow()) {
    self.window = window
    types = scratch.types
    values = scratch.values
    type = scratch.types
    value = scratch.values
    end = scratch.values + scratch.capacity
  }

  // MARK: What is written

  /// The number of the row is its place in the tree: its column is empty.
  @inline(__always)
  mutating func null() { put(type: 0) }

  @inline(__always)
  mutating func integer(_ number: Int64) {
    if number & ~1 == 0 { return put(type: UInt8(truncatingIfNeeded: 8 &+ number)) }
    let bits = 64 &- (number < 0 ? ~number : number).leadingZeroBitCount
    // One byte holds 7 bits and the sign; there are numbers of 1, 2, 3, 4, 6 and 8 bytes.
    let place = (bits &>> 3) &* 4
    let size = Int(truncatingIfNeeded: 0x8866_4321 &>> place) & 0xF
    put(type: UInt8(truncatingIfNeeded: 0x6655_4321 &>> place) & 0xF)
    value.storeBytes(of: (number &<< (64 &- 8 &* size)).bigEndian, as: Int64.self)
    value += size
  }

  @inline(__always)
  mutating func text(_ bytes: UnsafeRawBufferPointer) {
    let count = bytes.count
    if count < 58 {
      put(type: UInt8(truncatingIfNeeded: 13 &+ 2 &* count))
    } else {
      type += putVarint(UInt64(13 + 2 * count), at: UnsafeMutableRawPointer(type))
    }
    guard count <= end - value else {
      lacking += count
      return
    }
    if count > 0 { value.copyMemory(from: bytes.baseAddress!, byteCount: count) }
    value += count
  }

  @inline(__always)
  private mutating func put(type serial: UInt8) {
    type.pointee = serial
    type += 1
  }

  // MARK: Columns

  @inline(__always)
  mutating func callAsFunction(_ name: String, _ value: inout some CellValue) {
    switch value.content {
    case .null: null()
    case .integer(let number): integer(number)
    case .text(var text): text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
    }
  }

  @inline(__always)
  mutating func callAsFunction(_ name: String, id: inout TextSlice, own: TextSlice) {
    if id.count == 0 { return null() }
    let bytes = window.bytes(id)
    if window.isSame(id, own) { return text(UnsafeRawBufferPointer(rebasing: bytes[..<0])) }
    if let number = canonicalNumber(bytes) { integer(number) } else { text(bytes) }
  }

  @inline(__always)
  mutating func callAsFunction(
    _ name: String, code: inout Int32, of dictionary: BlockDictionary
  ) {
    integer(Int64(window.id(code, of: dictionary)))
  }

  // MARK: The record

  /// Hands over a row's whole record, which is valid until it returns.
  @inline(__always)
  static func withRecord<Value>(
    of row: inout some TableRow, _ scratch: RecordScratch,
    _ body: (UnsafeRawBufferPointer) throws -> Value
  ) rethrows -> Value {
    while true {
      var writer = RecordWriter(scratch)
      row.columns(&writer)
      if writer.lacking > 0 {
        scratch.grow(by: writer.lacking)
        continue
      }
      return try withUnsafeTemporaryAllocation(byteCount: writer.count, alignment: 1) { bytes in
        withExtendedLifetime(scratch) { writer.copy(to: bytes.baseAddress!) }
        return try body(UnsafeRawBufferPointer(bytes))
      }
    }
  }

  private var typeCount: Int { type - types }
  private var valueCount: Int { value - values }

  /// Bytes of the record. That of no table of ours has so many columns that how long its head is
  /// takes more than a byte.
  @inline(__always)
  var count: Int { 1 &+ typeCount &+ valueCount }

  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { bytes, count in
      copy(to: UnsafeMutableRawPointer(bytes.baseAddress!))
      count = self.count
    }
  }

  @inline(__always)
  func copy(to place: UnsafeMutableRawPointer) {
    let head = typeCount
    place.storeBytes(of: UInt8(1 + head), as: UInt8.self)
    (place + 1).copyMemory(from: types, byteCount: head)
    (place + 1 + head).copyMemory(from: values, byteCount: valueCount)
  }
}

/// Where a record's two parts are written until their lengths are known.
final class RecordScratch {
  fileprivate let types = UnsafeMutablePointer<UInt8>.allocate(capacity: spare)
  fileprivate private(set) var values: UnsafeMutableRawPointer
  /// For texts; numbers have room behind it.
  fileprivate private(set) var capacity = 4096
  private static let spare = 256

  init() { values = .allocate(byteCount: capacity + Self.spare, alignment: 8) }

  deinit {
    types.deallocate()
    values.deallocate()
  }

  func grow(by count: Int) {
    values.deallocate()
    capacity += count
    values = .allocate(byteCount: capacity + Self.spare, alignment: 8)
  }
}

/// Writes a number as SQLite does where small ones are usual; how many bytes it took.
@inline(__always)
func putVarint(_ number: UInt64, at place: UnsafeMutableRawPointer) -> Int {
  let count = varintSize(number)
  var rest = number
  var index = count &- 1
  while index >= 0 {
    let more: UInt8 = index == count &- 1 ? 0 : 0x80
    place.storeBytes(
      of: UInt8(truncatingIfNeeded: rest & 0x7F) | more, toByteOffset: index, as: UInt8.self)
    rest &>>= 7
    index &-= 1
  }
  return count
}

/// - Precondition: the number is below 2^56.
@inline(__always)
func varintSize(_ number: UInt64) -> Int {
  max(1, (64 &- number.leadingZeroBitCount &+ 6) / 7)
}
