package import Billing

/// Writes rows of named columns as CSV (RFC 4180, line feeds) or as JSON, in runs of bytes, so that
/// a table of any length takes no memory.
///
/// Text is never changed: a spreadsheet that takes `=`, `+`, `-` or `@` for a formula must be told
/// that the column is text. In CSV nothing is an empty cell and a list is joined by spaces.
package struct RowWriter {
  package enum Form: Sendable {
    case csv
    /// One JSON object per line.
    case jsonLines
    /// One JSON array of objects.
    case json
  }

  private static let runLength = 256 * 1024

  private let form: Form
  /// `"name":` of each column.
  private let keys: [[UInt8]]
  private let sink: ([UInt8]) throws -> Void
  private var bytes: [UInt8] = []
  private var column = 0
  private var rows = 0

  /// - Parameter sink: takes a run of bytes, whole rows or not.
  package init(_ form: Form, _ columns: [String], sink: @escaping ([UInt8]) throws -> Void) {
    self.form = form
    self.sink = sink
    keys = columns.map { name in
      var key: [UInt8] = []
      key.append(quoted: name)
      return key + [0x3A]
    }
    bytes.reserveCapacity(Self.runLength + 4096)
    if form == .csv {
      for name in columns { text(name) }
      column = 0
      bytes.append(0x0A)
    }
  }

  /// What was written and not handed over yet.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Cells, in the order of the columns

  package mutating func null() {
    begin()
    if form != .csv { bytes += [0x6E, 0x75, 0x6C, 0x6C] }
  }

  package mutating func text(_ text: String?) {
    guard var text else { return null() }
    text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
  }

  package mutating func text(_ text: UnsafeRawBufferPointer) {
    begin()
    if form == .csv { bytes.append(cell: text) } else { bytes.append(quoted: text) }
  }

  package mutating func integer(_ value: Int64?) {
    guard let value else { return null() }
    begin()
    bytes.append(digitsOf: value)
  }

  /// A number as SQLite or the caller spells it.
  package mutating func number(_ text: UnsafeRawBufferPointer) {
    begin()
    bytes.append(contentsOf: text)
  }

  package mutating func bool(_ value: Bool?) {
    guard let value else { return null() }
    begin()
    bytes += Array((value ? "true" : "false").utf8)
  }

  /// Micro-units as decimal text.
  package mutating func decimal(_ micros: Int64?, minimumDigits: Int = 2) {
    text(micros.map { decimalText(micros: $0, minimumDigits: minimumDigits) })
  }

  /// ISO 8601 in UTC.
  package mutating func time(_ time: Instant?) { text(time?.description) }

  package mutating func list(_ values: [String]) {
    guard form != .csv else { return text(values.joined(separator: " ")) }
    begin()
    bytes.append(0x5B)
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(0x2C) }
      bytes.append(quoted: value)
    }
    bytes.append(0x5D)
  }

  // MARK: Rows

  /// - Precondition: each column has its cell.
  package mutating func endRow() throws {
    closeRow()
    if bytes.count >= Self.runLength { try flush() }
  }

  /// Ends a row of a table that is held whole.
  mutating func closeRow() {
    precondition(column == keys.count, "a row has a cell for each column")
    if form != .csv { bytes.append(0x7D) }
    if form != .json { bytes.append(0x0A) }
    column = 0
    rows += 1
  }

  /// Hands over what is left.
  package mutating func finish() throws {
    precondition(column == 0, "a row is not ended")
    if form == .json { bytes += Array((rows == 0 ? "[]\n" : "\n]\n").utf8) }
    try flush()
  }

  private mutating func flush() throws {
    guard !bytes.isEmpty else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func begin() {
    precondition(column < keys.count, "a row has no more cells than columns")
    if form == .csv {
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
