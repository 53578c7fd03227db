import Billing
import GRDB

/// The content of a block: its checksum (XXH64 of all that follows, over the block's place), how
/// many rows and columns it has, then column by column its values, all little-endian.
///
/// A column begins with a byte that says its ``BlockForm/Kind``. Texts have, of each row, how many
/// bytes they have, plus one, 0 for nothing; then all bytes. Numbers are what they are more than a
/// first one, all in as many bytes as the largest needs; where some rows have nothing that is 0.
/// Where texts and numbers are mixed, a row is nothing (1), a number (0) or a text (its bytes plus
/// two). Packed texts have, of each row, a ``TextPattern/Code``, how many bytes follow and how many
/// all texts have, then the pattern and what stands for each text.
struct BlockContent {
  static let headSize = 16
  /// Bytes behind the columns that may be read, and mean nothing.
  static let slack = 8

  let rows: Int
  private(set) var columns: [BlockColumn] = []

  /// Finds where the columns lie in a block's bytes, after a look at the checksum.
  ///
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

  /// The checksum of a block at a place: of all its bytes but the first eight, which have it.
  static func checksum(of bytes: UnsafeRawBufferPointer, at place: UInt64) -> UInt64 {
    xxHash64(UnsafeRawBufferPointer(rebasing: bytes[8...]), seed: place)
  }

  /// The seed of a block's checksum, so that it fits in one place alone: a hash of the ledger, the
  /// table and the `numbers` that stand beside the block's content.
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

  /// How many bytes a number needs.
  static func width(of number: UInt64) -> Int { (64 - number.leadingZeroBitCount + 7) / 8 }

  /// The error of a block that is not what was written.
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
  /// How texts are packed, where they are.
  private var pattern: PatternOfTexts?

  /// Whether rows have empty text, which costs nothing.
  private var isBlank = false

  /// The column `name` of a block that was written before there was one: all rows have nothing, of
  /// `coin` empty text.
  static func missing(_ name: String = "") -> BlockColumn {
    var column = BlockColumn()
    column.isBlank = name == "coin"
    return column
  }

  private init() {
    (kind, kinds, numbers, base) = (.nothing, .none, .none, 0)
    text = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Finds the parts of the next column, whose form ``BlockContent`` describes.
  fileprivate init(_ reader: inout BlockReader, rows: Int) throws {
    guard let kind = BlockForm.Kind(rawValue: try reader.next(UInt8.self)) else {
      throw BlockReader.ended
    }
    self.kind = kind
    let form = BlockForm(kind: kind)
    if kind == .packedTexts {
      kinds = try NarrowNumbers(&reader, count: rows, width: Int(reader.next(UInt8.self)))
      let count = Int(try reader.next(UInt32.self))
      pattern = try PatternOfTexts(&reader)
      text = try reader.bytes(count)
    } else if form.hasKinds {
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

  /// Finds where each row's text begins, which ``cell(_:)`` needs.
  ///
  /// - Parameter room: is kept as long as cells are read.
  mutating func prepare(rows: Int, in room: ColumnRoom) throws {
    if kind == .packedTexts, starts == nil { return try unpack(rows: rows, in: room) }
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

  /// Writes all packed texts out, into the room.
  private mutating func unpack(rows: Int, in room: ColumnRoom) throws {
    guard let packed = pattern else { throw BlockReader.ended }
    let pattern = packed.pattern
    let all = room.makeText(packed.textCount)
    let starts = room.make(rows)
    var (from, to) = (0, 0)
    for row in 0..<rows {
      starts[row] = UInt32(to)
      let code = Int(truncatingIfNeeded: kinds[row])
      let (size, length) = packed.sizes(code)
      guard size <= text.count - from, length <= all.count - to else { throw BlockReader.ended }
      if size == 0, length == 0 { continue }
      guard let bytes = all.baseAddress else { throw BlockReader.ended }
      switch code {
      case TextPattern.Code.digits:
        pattern.write(packed.number(text, at: from), to: bytes + to)
      case TextPattern.Code.uuid: TextPattern.unpack(text.baseAddress! + from, to: bytes + to)
      default: (bytes + to).copyMemory(from: text.baseAddress! + from, byteCount: size)
      }
      (from, to) = (from + size, to + length)
    }
    guard from == text.count, to == all.count else { throw BlockReader.ended }
    (self.starts, text) = (UnsafePointer(starts), UnsafeRawBufferPointer(all))
  }

  /// Copies what the column has, so that it outlives its block.
  ///
  /// - Parameter room: is kept as long as cells are read.
  mutating func keep(rows: Int, in room: ColumnRoom) {
    kinds = kinds.copied(rows, in: room)
    numbers = numbers.copied(rows, in: room)
    text = room.copy(text)
    pattern?.keep(in: room)
  }

  /// A row's value, by its place in the block; the column is prepared.
  @inline(__always)
  func cell(_ row: Int) -> ScannedCell {
    switch kind {
    case .nothing: return isBlank ? .emptyText : .null
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
    case .packedTexts:
      let code = Int(truncatingIfNeeded: kinds[row])
      guard code > 0, let pattern else { return .null }
      return self.text(row, pattern.sizes(code).length)
    }
  }

  /// One row's value of a column that is not ready for ``cell(_:)``: of texts before it only their
  /// sizes are added up.
  ///
  /// - Parameter room: is kept as long as the value is read.
  func single(_ row: Int, in room: ColumnRoom) throws -> ScannedCell {
    switch kind {
    case .nothing, .numbers, .numbersOrNothing: return cell(row)
    case .texts, .mixed:
      let above = kind == .texts ? 1 : 2
      var start = 0
      for before in 0..<row { start += max(0, Int(truncatingIfNeeded: kinds[before]) - above) }
      let size = Int(truncatingIfNeeded: kinds[row])
      if kind == .mixed, size == 0 { return cell(row) }
      return size < above ? .null : try text(at: start, size - above)
    case .packedTexts:
      guard let packed = pattern else { throw BlockReader.ended }
      var start = 0
      for before in 0..<row { start += packed.sizes(Int(truncatingIfNeeded: kinds[before])).size }
      let code = Int(truncatingIfNeeded: kinds[row])
      if code == TextPattern.Code.nothing { return .null }
      let (size, length) = packed.sizes(code)
      let written = try text(at: start, size)
      guard code == TextPattern.Code.digits || code == TextPattern.Code.uuid else { return written }
      let all = room.makeText(length)
      guard let bytes = all.baseAddress else { return .emptyText }
      if code == TextPattern.Code.digits {
        packed.pattern.write(packed.number(text, at: start), to: bytes)
      } else {
        TextPattern.unpack(written.bytes.baseAddress!, to: bytes)
      }
      return .text(bytes, count: length)
    }
  }

  /// The text of `count` bytes from `start` on; throws where the column ends before.
  private func text(at start: Int, _ count: Int) throws -> ScannedCell {
    guard count <= text.count - start else { throw BlockReader.ended }
    guard let bytes = text.baseAddress else { return .emptyText }
    return .text(bytes + start, count: count)
  }

  /// Calls `body` on the places of rows whose id matches, ascending. Texts are not written out for
  /// it, as ``prepare(rows:in:)`` does.
  func forEach(_ sought: SoughtID, rows: Int, _ body: (Int) -> Void) {
    switch kind {
    case .nothing: break
    case .numbers:
      for row in 0..<rows where sought.matches(base &+ Int64(bitPattern: numbers[row])) {
        body(row)
      }
    case .numbersOrNothing:
      for row in 0..<rows {
        let number = Int64(bitPattern: numbers[row])
        if number != 0, sought.matches(base &+ number) { body(row) }
      }
    case .texts, .mixed:
      let above = kind == .texts ? 1 : 2
      var place = 0
      for row in 0..<rows {
        let size = Int(truncatingIfNeeded: kinds[row])
        if kind == .mixed, size == 0, sought.matches(base &+ Int64(bitPattern: numbers[row])) {
          body(row)
        }
        if size < above { continue }
        let end = place + size - above
        if end > text.count { return }
        if sought.matches(UnsafeRawBufferPointer(rebasing: text[place..<end])) { body(row) }
        place = end
      }
    case .packedTexts: forEachPacked(sought, rows, body)
    }
  }

  /// Calls `body` on the places of rows whose id matches, ascending, in a column of packed texts.
  private func forEachPacked(_ sought: SoughtID, _ rows: Int, _ body: (Int) -> Void) {
    guard let pattern else { return }
    let wanted = sought.numbers(of: pattern.pattern)
    // Only such texts are written out that may be meant.
    let mayBeUUID =
      sought.text.count <= TextPattern.uuidLength
      && (sought.isBeginning || sought.text.count == TextPattern.uuidLength)
    var place = 0
    withUnsafeTemporaryAllocation(byteCount: TextPattern.uuidLength, alignment: 8) { room in
      for row in 0..<rows {
        let code = Int(truncatingIfNeeded: kinds[row])
        let size = pattern.sizes(code).size
        if size > text.count - place { return }
        switch code {
        case TextPattern.Code.nothing: break
        case TextPattern.Code.digits:
          if let wanted, wanted.contains(pattern.number(text, at: place)) { body(row) }
        case TextPattern.Code.uuid:
          guard mayBeUUID, let bytes = text.baseAddress else { break }
          TextPattern.unpack(bytes + place, to: room.baseAddress!)
          if sought.matches(UnsafeRawBufferPointer(room)) { body(row) }
        default:
          if sought.matches(UnsafeRawBufferPointer(rebasing: text[place..<(place + size)])) {
            body(row)
          }
        }
        place += size
      }
    }
  }

  /// The text of a row of a prepared column; `count` is its bytes.
  @inline(__always)
  private func text(_ row: Int, _ count: Int) -> ScannedCell {
    // An empty column of texts has no bytes, and so no address.
    guard let bytes = text.baseAddress, let starts else { return .emptyText }
    return .text(bytes + Int(starts[row]), count: count)
  }
}

/// Where texts begin in the columns of a block, and columns that are kept. Columns have no list of
/// their own: each cell that is read would change its count of references.
final class ColumnRoom {
  private var made: [UnsafeMutablePointer<UInt32>] = []
  private var copies: [UnsafeMutableRawBufferPointer] = []

  deinit { clear() }

  /// Allocates space for `count` numbers that say where texts begin.
  fileprivate func make(_ count: Int) -> UnsafeMutablePointer<UInt32> {
    let starts = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    made.append(starts)
    return starts
  }

  /// Allocates space for `count` bytes of texts.
  fileprivate func makeText(_ count: Int) -> UnsafeMutableRawBufferPointer {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 8)
    copies.append(room)
    return room
  }

  /// A copy of bytes with room behind them, so that the last ones can be read eight at a time.
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

/// The pattern of a column's texts as a block has it, without a list of its own.
private struct PatternOfTexts {
  /// Bytes of all texts.
  let textCount: Int
  /// Characters of a text that has the form.
  let length: Int
  let width: Int
  private var prefix: UnsafeRawBufferPointer
  private let digits: Int
  private let base: UInt64
  private let mask: UInt64

  /// Reads the pattern of the next column.
  init(_ reader: inout BlockReader) throws {
    textCount = Int(try reader.next(UInt32.self))
    prefix = try reader.bytes(Int(reader.next(UInt8.self)))
    digits = Int(try reader.next(UInt8.self))
    width = Int(try reader.next(UInt8.self))
    base = try reader.next(UInt64.self)
    guard width <= 8 else { throw BlockReader.ended }
    length = prefix.count + digits
    mask = width == 8 ? .max : (1 << UInt64(8 * width)) - 1
  }

  /// Copies the prefix, so that it outlives its block.
  mutating func keep(in room: ColumnRoom) { prefix = room.copy(prefix) }

  var pattern: TextPattern { TextPattern(prefix: Array(prefix), digits: digits) }

  /// The number of the packed text at a place; behind the last column of a block there is room for
  /// eight bytes.
  @inline(__always)
  func number(_ text: UnsafeRawBufferPointer, at place: Int) -> UInt64 {
    guard let start = text.baseAddress else { return base }
    return base &+ (UInt64(littleEndian: (start + place).loadUnaligned(as: UInt64.self)) & mask)
  }

  /// How many bytes a row's text has in the block, and written out, by its ``TextPattern/Code``.
  @inline(__always)
  func sizes(_ code: Int) -> (size: Int, length: Int) {
    switch code {
    case TextPattern.Code.nothing: (0, 0)
    case TextPattern.Code.digits: (width, length)
    case TextPattern.Code.uuid: (TextPattern.uuidSize, TextPattern.uuidLength)
    default: (code - TextPattern.Code.plain, code - TextPattern.Code.plain)
    }
  }
}

/// Numbers that all have as few bytes as the largest needs.
private struct NarrowNumbers {
  private let start: UnsafeRawPointer?
  private let width: Int
  private let mask: UInt64

  static var none: NarrowNumbers { NarrowNumbers() }

  private init() { (start, width, mask) = (nil, 0, 0) }

  /// Numbers of `width` bytes each from `start` on; `mask` has the bits that one may have.
  private init(_ start: UnsafeRawPointer?, _ width: Int, _ mask: UInt64) {
    (self.start, self.width, self.mask) = (start, width, mask)
  }

  /// A copy of `count` numbers in the room, which outlives their block.
  func copied(_ count: Int, in room: ColumnRoom) -> NarrowNumbers {
    guard let start else { return self }
    let bytes = UnsafeRawBufferPointer(start: start, count: count * width)
    return NarrowNumbers(room.copy(bytes).baseAddress, width, mask)
  }

  /// Finds the next `count` numbers, of `width` bytes each.
  init(_ reader: inout BlockReader, count: Int, width: Int) throws {
    guard width <= 8 else { throw BlockReader.ended }
    self.width = width
    mask = width == 8 ? .max : (1 << UInt64(8 * width)) - 1
    start = width == 0 ? nil : try reader.bytes(count * width).baseAddress
  }

  /// The number at an index; 0 where all are.
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

  /// The error of a block that ends too early or has what it never has.
  static var ended: DatabaseError {
    DatabaseError(resultCode: .damaged, message: "a block of rows is not as it should be")
  }

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  /// The next `count` bytes; throws where there are fewer.
  mutating func bytes(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, count <= rest.count else { throw Self.ended }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }

  /// The next number, little-endian; throws where too few bytes are left.
  mutating func next<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
    Number(
      littleEndian: try bytes(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
  }
}
