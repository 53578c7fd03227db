package import Billing

/// Writes rows of named columns as CSV (RFC 4180, line feeds) or as JSON, in runs of bytes, so that
/// a table of any length takes no memory.
///
/// Text is changed for a spreadsheet only, which would take `=`, `+`, `-` or `@` for the begin of a
/// formula. In CSV nothing is an empty cell and a list is joined by spaces.
package struct RowWriter {
  package enum Form: Sendable {
    case csv
    /// CSV in which `'` stands before text that begins like a formula.
    case spreadsheet
    /// One JSON object per line.
    case jsonLines
    /// One JSON array of objects.
    case json
  }

  private static let runLength = 256 * 1024

  private let form: Form
  private let isCSV: Bool
  /// `"name":` of each column.
  private let keys: [[UInt8]]
  private let sink: ([UInt8]) throws -> Void
  private var bytes: [UInt8] = []
  private var column = 0
  private var rows = 0

  /// Begins a table, in CSV with its header.
  ///
  /// - Parameters:
  ///   - isContinued: whether rows of another writer stand before, and so a header.
  ///   - room: bytes that all rows may take, where they are taken at once.
  ///   - sink: takes a run of bytes, whole rows or not.
  package init(
    _ form: Form, _ columns: [String], isContinued: Bool = false, room: Int = 0,
    sink: @escaping ([UInt8]) throws -> Void = { _ in }
  ) {
    self.form = form
    isCSV = form == .csv || form == .spreadsheet
    self.sink = sink
    keys = columns.map { name in
      var key: [UInt8] = []
      key.append(quoted: name)
      return key + [0x3A]
    }
    bytes.reserveCapacity(max(room, Self.runLength + 4096))
    if isCSV, !isContinued {
      for name in columns { text(name) }
      column = 0
      bytes.append(0x0A)
    }
  }

  /// The bytes that were written and not handed over yet; this hands them over.
  package mutating func taken() -> [UInt8] {
    precondition(column == 0, "a row is not ended")
    defer { bytes = [] }
    return bytes
  }

  /// What was written and not handed over yet, as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Cells, in the order of the columns

  /// A cell without a value: empty in CSV.
  package mutating func null() {
    beginCell()
    if !isCSV { bytes += [0x6E, 0x75, 0x6C, 0x6C] }
  }

  /// A cell with a text; as ``null()`` without one.
  package mutating func text(_ text: String?) {
    guard var text else { return null() }
    text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
  }

  /// A cell with UTF-8 text, escaped as the form needs.
  package mutating func text(_ text: UnsafeRawBufferPointer) {
    beginCell()
    guard isCSV else { return bytes.append(quoted: text) }
    guard form == .spreadsheet, Self.isFormula(text) else { return bytes.append(cell: text) }
    ([UInt8(ascii: "'")] + text).withUnsafeBytes { bytes.append(cell: $0) }
  }

  /// Whether a spreadsheet would take a text for a formula and work it out; it does not take a
  /// negative number for one.
  private static func isFormula(_ text: UnsafeRawBufferPointer) -> Bool {
    switch text.first {
    case UInt8(ascii: "-"):
      !text.dropFirst().allSatisfy { $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }
        || text.count == 1
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "@"), 0x09, 0x0D: true
    default: false
    }
  }

  /// A cell with a whole number; as ``null()`` without one.
  package mutating func integer(_ value: Int64?) {
    guard let value else { return null() }
    beginCell()
    bytes.append(digitsOf: value)
  }

  /// A cell with a number as text.
  package mutating func text(digitsOf value: Int64) {
    plain { $0.append(digitsOf: value) }
  }

  /// A cell with a number as SQLite or the caller spells it.
  package mutating func number(_ text: UnsafeRawBufferPointer) {
    beginCell()
    bytes.append(contentsOf: text)
  }

  /// A cell with true or false; as ``null()`` without a value.
  package mutating func bool(_ value: Bool?) {
    guard let value else { return null() }
    beginCell()
    bytes += Array((value ? "true" : "false").utf8)
  }

  /// A cell with micro-units as decimal text.
  package mutating func decimal(_ micros: Int64?, minimumDigits: Int = 2) {
    guard let micros else { return null() }
    plain { $0.append(decimal: micros, minimumDigits: minimumDigits) }
  }

  /// A cell with a moment as ISO 8601 in UTC.
  package mutating func time(_ time: Instant?) {
    guard let time else { return null() }
    plain { $0.append(time) }
  }

  /// A cell with text that needs no escape in any form, in quotes for JSON.
  private mutating func plain(_ write: (inout [UInt8]) -> Void) {
    beginCell()
    if !isCSV { bytes.append(0x22) }
    write(&bytes)
    if !isCSV { bytes.append(0x22) }
  }

  /// A cell with several texts: an array in JSON, joined by spaces in CSV.
  package mutating func list(_ values: [String]) {
    guard !isCSV else { return text(values.joined(separator: " ")) }
    beginCell()
    bytes.append(0x5B)
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(0x2C) }
      bytes.append(quoted: value)
    }
    bytes.append(0x5D)
  }

  /// Writes cells of columns that follow one another, which other rows with the same number have
  /// too: they are made once and copied.
  ///
  /// - Parameters:
  ///   - columns: how many.
  ///   - number: of what the cells are made of, such as terms.
  ///   - known: the cells that were made so far.
  package mutating func cells(
    _ columns: Int, number: Int, of known: inout RepeatedCells,
    _ make: (inout Self) throws -> Void
  ) rethrows {
    if let cells = known.place(of: number) {
      bytes.append(contentsOf: known.bytes[cells])
      column += columns
      return
    }
    let (start, first) = (bytes.count, column)
    try make(&self)
    precondition(column == first + columns, "a cell for each column")
    known.keep(bytes[start...], number)
  }

  // MARK: Rows

  /// Ends a row, and hands bytes over once there are enough of them.
  ///
  /// - Precondition: each column has its cell.
  package mutating func endRow() throws {
    closeRow()
    if bytes.count >= Self.runLength { try flush() }
  }

  /// Ends a row of a table that is held whole.
  package mutating func closeRow() {
    precondition(column == keys.count, "a row has a cell for each column")
    if !isCSV { bytes.append(0x7D) }
    if form != .json { bytes.append(0x0A) }
    column = 0
    rows += 1
  }

  /// Ends the table and hands over what is left.
  package mutating func finish() throws {
    precondition(column == 0, "a row is not ended")
    if form == .json { bytes += Array((rows == 0 ? "[]\n" : "\n]\n").utf8) }
    try flush()
  }

  /// Hands over all bytes that were written.
  private mutating func flush() throws {
    guard !bytes.isEmpty else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes what stands before a cell: the comma, in JSON the brace and the column's key too.
  private mutating func beginCell() {
    precondition(column < keys.count, "a row has no more cells than columns")
    if isCSV {
      if column > 0 { bytes.append(0x2C) }
    } else {
      if column == 0 {
        if form == .json { bytes += Array((rows == 0 ? "[\n  " : ",\n  ").utf8) }
        bytes.append(0x7B)
      } else {
        bytes.append(0x2C)
      }
      bytes.append(contentsOf: keys[column])
    }
    column += 1
  }
}

/// Cells as they were written, by small numbers of what they were made of.
package struct RepeatedCells: Sendable {
  fileprivate private(set) var bytes: [UInt8] = []
  /// Where a number's cells begin and end; the same place for none.
  private var places: [(start: UInt32, end: UInt32)] = []

  package init() {}

  /// Where the cells of a number stand among the bytes; nil where none were made.
  fileprivate func place(of number: Int) -> Range<Int>? {
    guard number < places.count, places[number].start < places[number].end else { return nil }
    return Int(places[number].start)..<Int(places[number].end)
  }

  /// Keeps cells as they were written, to be copied for later rows that have the same number, such
  /// as that of their terms.
  fileprivate mutating func keep(_ cells: ArraySlice<UInt8>, _ number: Int) {
    while places.count <= number { places.append((0, 0)) }
    places[number] = (UInt32(bytes.count), UInt32(bytes.count + cells.count))
    bytes += cells
  }
}
