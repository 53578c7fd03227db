import Billing
import GRDB

/// The content of a block: its checksum (XXH64 of all that follows, over the block's place), how
/// many rows and columns it has, then column by column its values, all little-endian.
///
/// A column begins with a byte that says its ``BlockForm/Kind``. Texts have, of each row, how many
/// bytes they have, plus one, 0 for nothing; then all bytes. Numbers are what they are more than a
/// first one, all in as many bytes as the largest needs; where some rows have nothing that is 0.
/// Where texts and numbers are mixed, a row is nothing (1), a number (0) or a text (its bytes plus
/// two).
struct BlockContent {
  static let headSize = 16
  /// Bytes behind the columns that may be read, and mean nothing.
  static let slack = 8

  let rows: Int
  private(set) var columns: [BlockColumn] = []

  /// - Parameters:
  ///   - bytes: stay where they are as long as the content is read.
  ///   - place: ``place(_:_:in:)`` of the block.
  /// - Throws: where they are not what was written there.
  init(_ bytes: UnsafeRawBufferPointer, at place: UInt64, of table: BlockTable) throws {
    guard bytes.count >= Self.headSize + Self.slack, let start = bytes.baseAddress,
      UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
        == Self.checksum(of: bytes, at: place)
    else { throw Self.broken(table) }
    var reader = BlockReader(UnsafeRawBufferPointer(rebasing: bytes[8..<bytes.count - Self.slack]))
    let rows = Int(try reader.next(UInt32.self))
    let count = Int(try reader.next(UInt32.self))
    self.rows = rows
    columns.reserveCapacity(count)
    for _ in 0..<count { columns.append(try BlockColumn(&reader, rows: rows)) }
    guard count <= table.columns.count else { throw Self.broken(table) }
  }

  /// The checksum of a block's content.
  static func checksum(of bytes: UnsafeRawBufferPointer, at place: UInt64) -> UInt64 {
    xxHash64(UnsafeRawBufferPointer(rebasing: bytes[8...]), seed: place)
  }

  /// Tells one place of a block from another: its ledger, its table and what stands beside its
  /// content.
  ///
  /// - Parameter ledger: ``LedgerSeed``.
  static func place(
    _ table: BlockTable, _ numbers: some Collection<Int64>, in ledger: UInt64
  ) -> UInt64 {
    var seed = Array(table.name.utf8).withUnsafeBytes { hash64($0, seed: ledger) }
    for number in numbers {
      seed = withUnsafeBytes(of: number.littleEndian) { hash64($0, seed: seed) }
    }
    return seed
  }

  /// How many bytes hold a number.
  static func width(of number: UInt64) -> Int { (64 - number.leadingZeroBitCount + 7) / 8 }

  static func broken(_ table: BlockTable) -> DatabaseError {
    DatabaseError(
      resultCode: .damaged,
      message: "a block of \(table.name) is not what was written there")
  }
}

/// A column of a block, which is read by the place of the row.
struct BlockColumn {
  private let kind: BlockForm.Kind
  private var kinds: NarrowNumbers
  private var numbers: NarrowNumbers
  private let base: Int64
  private var text: UnsafeRawBufferPointer
  /// Where each row's text begins; made for columns that are read.
  private var starts: UnsafePointer<UInt32>?

  /// A column that no row of an older block has.
  static var missing: BlockColumn { BlockColumn() }

  private init() {
    (kind, kinds, numbers, base) = (.nothing, .none, .none, 0)
    text = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  fileprivate init(_ reader: inout BlockReader, rows: Int) throws {
    guard let kind = BlockForm.Kind(rawValue: try reader.next(UInt8.self)) else {
      throw BlockReader.ended
    }
    self.kind = kind
    let form = BlockForm(kind: kind)
    if form.hasKinds {
      kinds = try NarrowNumbers(&reader, count: rows, width: Int(reader.next(UInt8.self)))
      text = try reader.bytes(Int(reader.next(UInt32.self)))
    } else {
      kinds = .none
      text = UnsafeRawBufferPointer(start: nil, count: 0)
    }
    if form.hasNumbers {
      let width = Int(try reader.next(UInt8.self))
      base = Int64(bitPattern: try reader.next(UInt64.self))
      numbers = try NarrowNumbers(&reader, count: rows, width: width)
    } else {
      base = 0
      numbers = .none
    }
  }

  /// Gets ready for ``cell(_:)``.
  ///
  /// - Parameter room: is kept as long as cells are read.
  mutating func prepare(rows: Int, in room: ColumnRoom) throws {
    guard kind == .texts || kind == .mixed, starts == nil else { return }
    let above: UInt32 = kind == .texts ? 1 : 2
    var next: UInt32 = 0
    let starts = room.make(rows)
    self.starts = UnsafePointer(starts)
    for row in 0..<rows {
      starts[row] = next
      let size = UInt32(truncatingIfNeeded: kinds[row])
      next &+= size > above ? size &- above : 0
    }
    guard Int(next) == text.count else { throw BlockReader.ended }
  }

  /// Copies what the column has, so that it outlives its block.
  ///
  /// - Parameter room: is kept as long as cells are read.
  mutating func keep(rows: Int, in room: ColumnRoom) {
    kinds = kinds.copied(rows, in: room)
    numbers = numbers.copied(rows, in: room)
    text = room.copy(text)
  }

  @inline(__always)
  func cell(_ row: Int) -> ScannedCell {
    switch kind {
    case .nothing: return .null
    case .numbers: return .integer(base &+ Int64(bitPattern: numbers[row]))
    case .numbersOrNothing:
      let number = numbers[row]
      return number == 0 ? .null : .integer(base &+ Int64(bitPattern: number))
    case .texts:
      let size = Int(truncatingIfNeeded: kinds[row])
      return size == 0 ? .null : self.text(row, size &- 1)
    case .mixed:
      let size = Int(truncatingIfNeeded: kinds[row])
      if size == 0 { return .integer(base &+ Int64(bitPattern: numbers[row])) }
      return size == 1 ? .null : self.text(row, size &- 2)
    }
  }

  @inline(__always)
  private func text(_ row: Int, _ count: Int) -> ScannedCell {
    // An empty column of texts has no bytes, and so no address.
    guard let bytes = text.baseAddress, let starts else { return .emptyText }
    return .text(bytes + Int(starts[row]), count: count)
  }
}

/// Where texts begin in the columns of a block, and columns that are kept. Columns have no list of
/// their own: one would be counted for each cell that is read.
final class ColumnRoom {
  private var made: [UnsafeMutablePointer<UInt32>] = []
  private var copies: [UnsafeMutableRawBufferPointer] = []

  deinit { clear() }

  fileprivate func make(_ count: Int) -> UnsafeMutablePointer<UInt32> {
    let starts = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    made.append(starts)
    return starts
  }

  /// A copy with room behind it for reading on.
  fileprivate func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard !bytes.isEmpty else { return bytes }
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: bytes.count + BlockContent.slack, alignment: 8)
    copy.copyMemory(from: bytes)
    copies.append(copy)
    return UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
  }

  /// Gives up what was made: no column that needs it is read any more.
  func clear() {
    for starts in made { starts.deallocate() }
    for copy in copies { copy.deallocate() }
    made.removeAll(keepingCapacity: true)
    copies.removeAll(keepingCapacity: true)
  }
}

/// Numbers that all have as few bytes as the largest needs.
private struct NarrowNumbers {
  private let start: UnsafeRawPointer?
  private let width: Int
  private let mask: UInt64

  static var none: NarrowNumbers { NarrowNumbers() }

  private init() { (start, width, mask) = (nil, 0, 0) }

  private init(_ start: UnsafeRawPointer?, _ width: Int, _ mask: UInt64) {
    (self.start, self.width, self.mask) = (start, width, mask)
  }

  func copied(_ count: Int, in room: ColumnRoom) -> NarrowNumbers {
    guard let start else { return self }
    let bytes = UnsafeRawBufferPointer(start: start, count: count * width)
    return NarrowNumbers(room.copy(bytes).baseAddress, width, mask)
  }

  init(_ reader: inout BlockReader, count: Int, width: Int) throws {
    guard width <= 8 else { throw BlockReader.ended }
    self.width = width
    mask = width == 8 ? .max : (1 << UInt64(8 * width)) - 1
    start = width == 0 ? nil : try reader.bytes(count * width).baseAddress
  }

  @inline(__always)
  subscript(_ index: Int) -> UInt64 {
    guard let start else { return 0 }
    let word = (start + index &* width).loadUnaligned(as: UInt64.self)
    return UInt64(littleEndian: word) & mask
  }
}

/// Reads what was written one behind the other.
private struct BlockReader {
  private var rest: UnsafeRawBufferPointer

  static var ended: DatabaseError {
    DatabaseError(resultCode: .damaged, message: "a block of rows is not as it should be")
  }

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  mutating func bytes(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, count <= rest.count else { throw Self.ended }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }

  mutating func next<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
    Number(
      littleEndian: try bytes(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
  }
}
