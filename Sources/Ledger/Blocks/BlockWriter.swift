import Billing
import Glibc

/// Puts rows of one table together as the content of a block; see ``BlockContent`` for its form.
///
/// One thread at a time uses it; its room is kept from one block to the next.
final class BlockWriter: @unchecked Sendable {
  private var gathered: UnsafeMutablePointer<GatheredColumn>
  private var columnCount = 0
  private var rowRoom = 0

  /// More columns than any table has.
  private static let columnLimit = 64

  init() {
    gathered = .allocate(capacity: Self.columnLimit)
    gathered.initialize(repeating: GatheredColumn(), count: Self.columnLimit)
  }

  deinit {
    for index in 0..<Self.columnLimit { gathered[index].free() }
    gathered.deallocate()
  }

  /// The content of a block of these rows, of which there is at least one.
  ///
  /// The first eight bytes are room for the block's checksum.
  func content<Row: TableRow>(
    of rows: UnsafeBufferPointer<Row>, _ window: BlockWindow = BlockWindow()
  ) -> [UInt8] {
    gather(rows, window)
    return finished(rows: rows.count)
  }

  /// Puts the values of the rows into columns.
  private func gather<Row: TableRow>(_ rows: UnsafeBufferPointer<Row>, _ window: BlockWindow) {
    makeRoom(for: rows.count)
    for index in 0..<Self.columnLimit { gathered[index].begin() }
    // Nothing changes them: only a visitor that reads from the ledger would.
    let rows = UnsafeMutableBufferPointer(mutating: rows)
    for place in rows.indices {
      var visitor = ColumnGatherer(column: gathered, row: place, window: window)
      rows[place].columns(&visitor)
      if place == 0 { columnCount = visitor.column - gathered }
    }
  }

  /// The content of a block of rows that statements of another ledger give, value by value.
  ///
  /// - Parameters:
  ///   - columns: how many there are.
  ///   - rows: how many there are, at least one.
  ///   - value: what a row has in a column, both from 0 on.
  func content(
    columns: Int, rows: Int, _ value: (_ row: Int, _ column: Int) -> ScannedCell
  ) -> [UInt8] {
    makeRoom(for: rows)
    for index in 0..<columns { gathered[index].begin() }
    columnCount = columns
    for row in 0..<rows {
      for column in 0..<columns { gathered[column].put(value(row, column), at: row) }
    }
    return finished(rows: rows)
  }

  /// Lets the columns have room for at least so many rows.
  private func makeRoom(for rows: Int) {
    guard rows > rowRoom else { return }
    rowRoom = max(rows, min(2 * rowRoom, FactBlock.rowLimit))
    for index in 0..<Self.columnLimit { gathered[index].grow(to: rowRoom) }
  }

  /// The content that the gathered columns make.
  private func finished(rows: Int) -> [UInt8] {
    let forms = (0..<columnCount).map { gathered[$0].form(rows: rows) }
    let size = forms.reduce(BlockContent.headSize + BlockContent.slack) { $0 + $1.size }
    return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
      var out = BlockBytes(UnsafeMutableRawPointer(bytes.baseAddress!))
      out.put(0 as UInt64)
      out.put(UInt32(rows))
      out.put(UInt32(columnCount))
      for (index, form) in forms.enumerated() { gathered[index].write(form, rows: rows, to: &out) }
      out.put(0 as UInt64)
      count = size
    }
  }

  /// The smallest and the largest number of a column of the block that was written last; nil where
  /// it has none.
  func span(of column: Int) -> ClosedRange<Int64>? {
    let column = gathered[column]
    return column.least <= column.most ? column.least...column.most : nil
  }
}

/// The values of one column while a block's rows are visited.
private struct GatheredColumn {
  /// Of each row the number; 0 for what is none.
  private var numbers: UnsafeMutablePointer<Int64>?
  /// Of each row ``nothing``, ``number`` or how many bytes its text has.
  private var kinds: UnsafeMutablePointer<Int32>?
  private var text: UnsafeMutableRawPointer?
  private var textRoom = 0
  private var textCount = 0
  private(set) var least = Int64.max
  private(set) var most = Int64.min
  private var longest: Int32 = -1
  private var hasNothing = false
  private var hasNumber = false
  private var pattern = TextPattern()

  static let nothing: Int32 = -1
  static let number: Int32 = -2
  /// Of texts that are packed by their pattern, and of UUIDs.
  private static let patterned: Int32 = -3
  private static let uuid: Int32 = -4

  /// Forgets the values of the block before.
  mutating func begin() {
    textCount = 0
    (least, most, longest, hasNothing, hasNumber) = (.max, .min, -1, false, false)
  }

  /// Gives the memory back.
  mutating func free() {
    numbers?.deallocate()
    kinds?.deallocate()
    text?.deallocate()
  }

  /// Makes room for so many rows; what the column has is lost.
  mutating func grow(to rows: Int) {
    numbers?.deallocate()
    kinds?.deallocate()
    numbers = .allocate(capacity: rows)
    kinds = .allocate(capacity: rows)
  }

  /// Puts in that a row has nothing.
  @inline(__always)
  mutating func putNothing(at row: Int) {
    kinds.unsafelyUnwrapped[row] = Self.nothing
    hasNothing = true
  }

  /// Puts in a row's number.
  @inline(__always)
  mutating func put(_ value: Int64, at row: Int) {
    kinds.unsafelyUnwrapped[row] = Self.number
    numbers.unsafelyUnwrapped[row] = value
    hasNumber = true
    least = min(least, value)
    most = max(most, value)
  }

  /// Puts in a row's text.
  @inline(__always)
  mutating func put(_ bytes: UnsafeRawBufferPointer, at row: Int) {
    kinds.unsafelyUnwrapped[row] = Int32(truncatingIfNeeded: bytes.count)
    longest = max(longest, Int32(truncatingIfNeeded: bytes.count))
    guard bytes.count > 0 else { return }
    if textCount &+ bytes.count > textRoom { growText(by: bytes.count) }
    (text.unsafelyUnwrapped + textCount).copyMemory(
      from: bytes.baseAddress.unsafelyUnwrapped, byteCount: bytes.count)
    textCount &+= bytes.count
  }

  /// Puts in a row's value, whatever it is.
  mutating func put(_ cell: ScannedCell, at row: Int) {
    if cell.isNull { return putNothing(at: row) }
    if cell.isText { put(cell.bytes, at: row) } else { put(cell.number, at: row) }
  }

  /// Makes room for further bytes of text.
  private mutating func growText(by count: Int) {
    let room = max(2 * textRoom, textCount + count, 1 << 12)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 8)
    if let text {
      larger.copyMemory(from: text, byteCount: textCount)
      text.deallocate()
    }
    (text, textRoom) = (larger, room)
  }

  // MARK: How it is written

  /// The number that is taken off the others as they are written, the least of them. Where some
  /// rows have nothing, it is one less, and stands for them.
  private var base: Int64 { hasNothing && longest < 0 ? least &- 1 : least }

  /// How the column is written in the fewest bytes. Where texts are packed, `kinds` and `numbers`
  /// have how.
  mutating func form(rows: Int) -> BlockForm {
    if longest < 0 {
      guard hasNumber else { return BlockForm(kind: .nothing) }
      let kind: BlockForm.Kind = hasNothing ? .numbersOrNothing : .numbers
      // A number that has none below it cannot stand beside nothing.
      guard !hasNothing || least > .min else { return mixed(rows) }
      return BlockForm(
        kind: kind, rows: rows,
        numberWidth: BlockContent.width(of: UInt64(bitPattern: most &- base)))
    }
    if hasNumber { return mixed(rows) }
    let plain = BlockForm(
      kind: .texts, rows: rows,
      kindWidth: BlockContent.width(of: UInt64(longest) + 1), textCount: textCount)
    guard let text, let kinds, textCount > 0 else { return plain }
    let packed = packed(rows, kinds, text)
    if packed.size < plain.size { return packed }
    for row in 0..<rows { kinds[row] = length(kinds[row]) }
    return plain
  }

  /// The form of the column with its texts packed. In `kinds` it marks the texts that follow the
  /// pattern, whose numbers it puts into ``numbers``, and those that are UUIDs.
  ///
  /// - Parameter text: the texts of all rows, one behind the other.
  private mutating func packed(
    _ rows: Int, _ kinds: UnsafeMutablePointer<Int32>, _ text: UnsafeMutableRawPointer
  ) -> BlockForm {
    pattern = TextPattern(TextsInTurn(kinds: kinds, rows: rows, text: text))
    var (least, most) = (UInt64.max, UInt64.min)
    var (place, plainBytes, longest) = (0, 0, 0)
    var (uuids, patterned) = (0, 0)
    for row in 0..<rows {
      let count = Int(kinds[row])
      if count <= 0 { continue }
      let bytes = UnsafeRawBufferPointer(start: text + place, count: count)
      place += count
      if let number = pattern.number(bytes) {
        kinds[row] = Self.patterned
        numbers.unsafelyUnwrapped[row] = Int64(bitPattern: number)
        (least, most, patterned) = (min(least, number), max(most, number), patterned + 1)
      } else if TextPattern.isUUID(bytes) {
        kinds[row] = Self.uuid
        uuids += 1
      } else {
        plainBytes += count
        longest = max(longest, count)
      }
    }
    pattern.set(patterned > 0 ? least...most : nil)
    return BlockForm(
      kind: .packedTexts, rows: rows,
      kindWidth: BlockContent.width(of: UInt64(longest + TextPattern.Code.plain)),
      textCount: plainBytes + patterned * pattern.width + uuids * TextPattern.uuidSize,
      prefixCount: pattern.prefix.count)
  }

  /// How many bytes a row's text has when it is not packed, by the row's entry in ``kinds``, which
  /// may say that it is.
  private func length(_ kind: Int32) -> Int32 {
    switch kind {
    case Self.patterned: Int32(pattern.length)
    case Self.uuid: Int32(TextPattern.uuidLength)
    default: kind
    }
  }

  /// Writes the column with texts packed.
  private func writePacked(_ form: BlockForm, rows: Int, to out: inout BlockBytes) {
    guard let kinds, let numbers, let text else { return }
    out.put(UInt8(form.kindWidth))
    out.put(rows, width: form.kindWidth) { row in
      let code =
        switch kinds[row] {
        case Self.nothing: TextPattern.Code.nothing
        case Self.patterned: TextPattern.Code.digits
        case Self.uuid: TextPattern.Code.uuid
        case let count: Int(count) + TextPattern.Code.plain
        }
      return UInt64(code)
    }
    out.put(UInt32(form.textCount))
    out.put(UInt32(textCount))
    out.put(UInt8(pattern.prefix.count))
    pattern.prefix.withUnsafeBytes { out.put($0) }
    out.put(UInt8(pattern.digits))
    out.put(UInt8(pattern.width))
    out.put(pattern.base)
    var place = 0
    for row in 0..<rows {
      switch kinds[row] {
      case Self.nothing: break
      case Self.patterned:
        out.put(1, width: pattern.width) { _ in
          UInt64(bitPattern: numbers[row]) &- pattern.base
        }
      case Self.uuid:
        let uuid = UnsafeRawBufferPointer(start: text + place, count: TextPattern.uuidLength)
        out.put(TextPattern.uuidSize) { TextPattern.pack(uuid, to: $0) }
      case let count: out.put(UnsafeRawBufferPointer(start: text + place, count: Int(count)))
      }
      place += max(0, Int(length(kinds[row])))
    }
  }

  /// The form of a column that has both numbers and texts, in so many rows.
  private func mixed(_ rows: Int) -> BlockForm {
    BlockForm(
      kind: .mixed, rows: rows, kindWidth: BlockContent.width(of: UInt64(longest + 2)),
      numberWidth: BlockContent.width(of: UInt64(bitPattern: most &- least)),
      textCount: textCount)
  }

  /// Writes the column as its form says.
  func write(_ form: BlockForm, rows: Int, to out: inout BlockBytes) {
    out.put(form.kind.rawValue)
    if form.kind == .packedTexts { return writePacked(form, rows: rows, to: &out) }
    guard form.kind != .nothing, let numbers, let kinds else { return }
    let start = form.kind == .mixed ? least : base
    if form.hasKinds {
      let first: Int32 = form.kind == .mixed ? Self.number : Self.nothing
      out.put(UInt8(form.kindWidth))
      out.put(rows, width: form.kindWidth) { UInt64(kinds[$0] &- first) }
      out.put(UInt32(textCount))
      if let text { out.put(UnsafeRawBufferPointer(start: text, count: textCount)) }
    }
    guard form.hasNumbers else { return }
    out.put(UInt8(form.numberWidth))
    out.put(start)
    if form.kind == .numbers {
      out.put(rows, width: form.numberWidth) { UInt64(bitPattern: numbers[$0] &- start) }
    } else {
      out.put(rows, width: form.numberWidth) {
        kinds[$0] == Self.number ? UInt64(bitPattern: numbers[$0] &- start) : 0
      }
    }
  }
}

/// Texts of a column one after the other, without those that are empty.
private struct TextsInTurn: Sequence, IteratorProtocol {
  let kinds: UnsafeMutablePointer<Int32>
  let rows: Int
  let text: UnsafeMutableRawPointer
  private var row = 0
  private var place = 0

  init(kinds: UnsafeMutablePointer<Int32>, rows: Int, text: UnsafeMutableRawPointer) {
    (self.kinds, self.rows, self.text) = (kinds, rows, text)
  }

  /// The text of the next row that has one; nil at the end.
  mutating func next() -> UnsafeRawBufferPointer? {
    while row < rows {
      let count = Int(kinds[row])
      row += 1
      if count <= 0 { continue }
      defer { place += count }
      return UnsafeRawBufferPointer(start: text + place, count: count)
    }
    return nil
  }
}

/// How a column of a block is written.
struct BlockForm {
  enum Kind: UInt8 {
    /// No row has a value.
    case nothing = 0
    case numbers, numbersOrNothing
    /// Texts, or nothing.
    case texts
    /// Numbers, texts, or nothing.
    case mixed
    /// Texts, or nothing, as far as possible in few bytes; see ``TextPattern``.
    case packedTexts
  }

  var kind: Kind
  var rows = 0
  var kindWidth = 0
  var numberWidth = 0
  var textCount = 0
  /// Of packed texts, how many bytes stand before the digits.
  var prefixCount = 0

  /// Whether each row has a number that says what it is, or how long.
  var hasKinds: Bool { kind == .texts || kind == .mixed || kind == .packedTexts }
  var hasNumbers: Bool { kind != .nothing && kind != .texts && kind != .packedTexts }

  /// How many bytes the column takes.
  var size: Int {
    var size = 1
    if hasKinds { size += 1 + rows * kindWidth + 4 + textCount }
    if hasNumbers { size += 1 + 8 + rows * numberWidth }
    if kind == .packedTexts { size += 4 + 1 + prefixCount + 1 + 1 + 8 }
    return size
  }
}

/// Bytes that are written one behind the other.
struct BlockBytes {
  private var place: UnsafeMutableRawPointer

  init(_ place: UnsafeMutableRawPointer) { self.place = place }

  /// Writes a number, little-endian, in all its bytes.
  mutating func put<Number: FixedWidthInteger>(_ number: Number) {
    place.storeBytes(of: number.littleEndian, as: Number.self)
    place += MemoryLayout<Number>.size
  }

  /// Writes bytes as they are.
  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    place.copyMemory(from: start, byteCount: bytes.count)
    place += bytes.count
  }

  /// Lets a closure write the next `count` bytes.
  mutating func put(_ count: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
    write(place)
    place += count
  }

  /// Writes `count` numbers of `width` bytes each; behind the last there is room for eight.
  @inline(__always)
  mutating func put(_ count: Int, width: Int, _ number: (Int) -> UInt64) {
    if width == 0 { return }
    var place = place
    for index in 0..<count {
      place.storeBytes(of: number(index).littleEndian, as: UInt64.self)
      place += width
    }
    self.place = place
  }
}

/// Shows a row's columns to the columns of a block.
private struct ColumnGatherer: RowVisitor {
  var column: UnsafeMutablePointer<GatheredColumn>
  let row: Int
  let window: BlockWindow

  /// Puts a value into the row of the column that is at hand, and goes on to the next column.
  @inline(__always)
  mutating func callAsFunction(_ name: String, _ value: inout some CellValue) {
    switch value.content {
    case .null: column.pointee.putNothing(at: row)
    case .integer(let number): column.pointee.put(number, at: row)
    case .text(var text):
      text.withUTF8 { column.pointee.put(UnsafeRawBufferPointer($0), at: row) }
    }
    column += 1
  }

  /// Puts in an id: as a number where it is the decimal spelling of one, as empty text where it is
  /// the row's `own`, else as its text.
  @inline(__always)
  mutating func callAsFunction(_ name: String, id: inout TextSlice, own: TextSlice) {
    defer { column += 1 }
    if id.count == 0 { return column.pointee.putNothing(at: row) }
    let bytes = window.bytes(id)
    if window.isSame(id, own) {
      column.pointee.put(UnsafeRawBufferPointer(rebasing: bytes[..<0]), at: row)
    } else if let number = canonicalNumber(bytes) {
      column.pointee.put(number, at: row)
    } else {
      column.pointee.put(bytes, at: row)
    }
  }

  /// Puts in the ledger's id of the dictionary entry that the row names by a code.
  @inline(__always)
  mutating func callAsFunction(
    _ name: String, code: inout Int32, of dictionary: BlockDictionary
  ) {
    column.pointee.put(Int64(window.id(code, of: dictionary)), at: row)
    column += 1
  }
}
