internal import Billing

/// Rows of a table that is written as JSON objects of flat values: numbers by their digits, texts
/// with their escapes worked out, null as empty. `JSONTape` reads them like all JSON of files; this
/// lays their values out as a record.
struct FlatRows<Reader: RowReader>: TapeReader {
  private(set) var reader: Reader
  private let layout: FlatLayout

  /// - Parameters:
  ///   - reader: reads each object as a record.
  ///   - keys: the columns, as keys.
  ///   - marksNumbers: whether numbers are told apart from texts, by ``TypedNumber``.
  init(_ reader: Reader, keys: [String], marksNumbers: Bool = false) {
    self.reader = reader
    layout = FlatLayout(keys, marksNumbers: marksNumbers)
  }

  /// Keys that are no column, in order of appearance.
  var unknownKeys: [String] { layout.unknownKeys }
  /// Places of the columns that no object had.
  var neverFound: [Int] { layout.names.indices.filter { !layout.found.contains($0) } }
  var pending: Int { reader.pending }
  var footerCount: Int { reader.footerCount }

  /// Reads the object on the tape as a record; a fault is given its place in the object.
  mutating func read(_ tape: JSONTape, line: Int) throws(RecordDiagnostic) -> Int {
    let record = try layout.record(tape, line: line)
    do throws(RecordDiagnostic) {
      return try reader.read(record)
    } catch {
      var diagnostic = error
      if diagnostic.offset == nil {
        diagnostic.offset = diagnostic.field.map { layout.place(of: $0, tape) }
      }
      throw diagnostic
    }
  }

  mutating func takeBlock() -> Reader.Block { reader.takeBlock() }

  func summary(_ log: ReadingLog) throws -> RowSummary { try reader.summary(log) }
}

/// Lays the values of flat JSON objects out in the order of a table's columns.
private final class FlatLayout {
  let names: [[UInt8]]
  private let marksNumbers: Bool
  private let squeezedNames: [String]
  private let buffer: RecordBuffer
  /// Per column: the part that is its value, or −1.
  private var cells: [Int32]
  /// Per place in an object: the column of the key that stood there the last time, or −1.
  private var usual: [Int] = []
  private(set) var unknownKeys: [String] = []
  private var seenKeys: Set<String> = []
  /// Columns that some object had.
  private(set) var found: Set<Int> = []

  init(_ names: [String], marksNumbers: Bool) {
    self.marksNumbers = marksNumbers
    self.names = names.map { Array($0.utf8) }
    squeezedNames = names.map(squeezedName)
    buffer = RecordBuffer(columns: names.count)
    cells = Array(repeating: -1, count: names.count)
  }

  /// Where in the object's raw bytes the value of a column stands; 0 for column −1.
  func place(of column: Int, _ tape: JSONTape) -> Int {
    column < 0 ? 0 : tape.place(of: cells[column])
  }

  /// The object on the tape as a record whose fields are the columns; valid until the next one.
  func record(_ tape: JSONTape, line: Int) throws(RecordDiagnostic) -> Record {
    try find(tape)
    buffer.clear()
    for (column, cell) in cells.enumerated() {
      if let rounded = tape.roundedNumber(cell) {
        rounded.withUnsafeBytes { buffer.append($0.baseAddress!, $0.count) }
        buffer.endField(column)
        continue
      }
      let text = tape.text(cell)
      if marksNumbers, cell >= 0, tape.nodes[Int(cell)].kind == .number {
        buffer.append(TypedNumber.mark)
      }
      if let start = text.baseAddress, !text.isEmpty { buffer.append(start, text.count) }
      buffer.endField(column)
    }
    return Record(
      base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends),
      line: Int32(truncatingIfNeeded: line))
  }

  /// Finds the part of the tape that each column's value is; throws the first fault once all keys
  /// were seen.
  private func find(_ tape: JSONTape) throws(RecordDiagnostic) {
    for column in cells.indices { cells[column] = -1 }
    var diagnostic: RecordDiagnostic?
    var position = 0
    var node: Int32 = 1
    while node < tape.nodes[0].next {
      if position == ReadingLimits.keys { throw tooManyKeys(offset: tape.place(of: node)) }
      let part = tape.nodes[Int(node)]
      if let column = column(of: Int(node), at: position, tape) {
        let name = names[column]
        if part.kind == .object || part.kind == .array {
          diagnostic =
            diagnostic
            ?? RecordDiagnostic(
              nil, "value", "@shared.is-not-a-plain-value \(String(decoding: name, as: UTF8.self))",
              offset: Int(part.place), help: "@row.write-a-text")
        }
        if cells[column] >= 0 {
          diagnostic =
            diagnostic
            ?? RecordDiagnostic(
              nil, "key",
              "@shared.key-occurs-twice-in-one \(name.withUnsafeBytes { shown($0) })",
              offset: Int(part.keyStart) - 1, help: "@shared.export-the-file-again")
        }
        cells[column] = node
      }
      position += 1
      node = part.next
    }
    if let diagnostic { throw diagnostic }
  }

  /// The column that a part's key names; nil for a key that is no column, which is noted. Objects
  /// of one file mostly have the same keys in the same order.
  ///
  /// - Parameter position: the place of the key in its object.
  private func column(of node: Int, at position: Int, _ tape: JSONTape) -> Int? {
    let expected = position < usual.count ? usual[position] : -1
    if expected >= 0, tape.key(of: node, { $0.elementsEqual(names[expected]) }) { return expected }
    let text = tape.key(of: node) { String(decoding: $0, as: UTF8.self) }
    var found = names.firstIndex { $0.elementsEqual(text.utf8) }
    if found == nil {
      let squeezed = squeezedName(text)
      found = squeezedNames.firstIndex(of: squeezed)
      if found == nil, unknownKeys.count < 1000, seenKeys.insert(text).inserted {
        unknownKeys.append(text)
      }
    }
    if let found { self.found.insert(found) }
    while usual.count <= position { usual.append(-1) }
    usual[position] = found ?? -1
    return found
  }
}
