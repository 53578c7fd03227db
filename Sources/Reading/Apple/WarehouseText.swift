internal import Billing

/// A warehouse's table that is packed, or whose rows are JSON objects: written out as the plain
/// text that ``WarehouseTable`` reads.
package struct WarehouseText {
  private enum Form {
    case packed
    /// Objects, in an array inside of so many objects, with these keys.
    case objects(keys: [String], depth: Int)
  }

  private let file: String
  private let open: () throws -> ByteSource
  private let form: Form
  /// Whether rows of one day alone may as well be a report of Apple's as its API answers it.
  private let needsSeveral: Bool
  private static let headLength = 1 << 16

  /// Looks at the beginning of a file; nil for a plain text, and for anything that is no
  /// warehouse's copy of a report.
  ///
  /// - Parameters:
  ///   - isInArchive: whether the bytes were unpacked already.
  ///   - open: gives the bytes from the first one on, packed or not.
  /// - Throws: a diagnostic for objects that are cut or malformed.
  package init?(
    file: String, isInArchive: Bool, open: @escaping () throws -> ByteSource
  ) throws {
    let input = ByteInput(
      file: file, blockSize: Self.headLength, source: try open(), tap: { _ in })
    var bytes = [UInt8](repeating: 0, count: Self.headLength)
    let count = try bytes.withUnsafeMutableBytes { try input.read(into: $0) }
    let head = Array(bytes[..<count])
    (self.file, self.open) = (file, open)
    switch head.first(where: { $0 > 0x20 }) {
    case 0x5B, 0x7B:
      guard let depth = head.withUnsafeBytes(Self.depth) else { return nil }
      let keys = try Self.keys(file, try open(), depth)
      let layout = WarehouseLayout(file: file, head: Self.header(keys))
      guard let layout else { return nil }
      form = .objects(keys: keys, depth: depth)
      needsSeveral = layout.isSales && !keys.contains { $0.hasPrefix("_") }
    default:
      guard input.isPacked || isInArchive, let layout = WarehouseLayout(file: file, head: head),
        !layout.isOwn || layout.areOfSeveralDays([head[layout.start...]])
      else { return nil }
      (form, needsSeveral) = (.packed, false)
    }
  }

  /// Whether what was written out is a warehouse's copy, now that all of it was read.
  package func isCopy(_ table: WarehouseTable) -> Bool {
    table.slices.count > (needsSeveral ? 1 : 0)
  }

  /// Writes the table, front to back.
  ///
  /// - Throws: what `sink` throws, and a diagnostic for what cannot be read.
  package func write(to sink: @escaping ([UInt8]) throws -> Void) throws {
    switch form {
    case .packed:
      let input = ByteInput(
        file: file, blockSize: Self.headLength, source: try open(), tap: { _ in })
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count = try buffer.withUnsafeMutableBytes { try input.read(into: $0) }
        if count == 0 { return }
        try sink(Array(buffer[..<count]))
      }
    case .objects(let keys, let depth):
      try sink(Self.header(keys))
      _ = try Self.run(file, try open(), depth, keys: keys, sink)
    }
  }

  // MARK: - Objects

  /// How many objects the array of rows lies inside; nil where the first row is none of a report.
  private static func depth(_ head: UnsafeRawBufferPointer) -> Int? {
    guard let start = head.firstIndex(where: { $0 > 0x20 }) else { return nil }
    let text = UnsafeRawBufferPointer(rebasing: head[start...])
    if WarehouseLayout.isRow(JSONShape(text).keys) { return 0 }
    guard let rows = WrappedRows(text) else { return nil }
    let inner = JSONShape(UnsafeRawBufferPointer(rebasing: text[rows.place...]))
    return WarehouseLayout.isRow(inner.keys) ? rows.keys.count : nil
  }

  /// All keys of the rows, each once: a row may leave out those that it has no value for.
  ///
  /// - Parameter depth: how many objects the array of rows lies inside.
  private static func keys(_ file: String, _ source: ByteSource, _ depth: Int) throws -> [String] {
    // Of one key, which no row has, the others are the unknown ones.
    try run(file, source, depth, keys: ["\u{1}"]) { _ in }
  }

  /// The keys as the first line of a table.
  private static func header(_ keys: [String]) -> [UInt8] {
    Array(
      (keys.map { $0.replacing("\t", with: " ") }.joined(separator: "\t") + "\n").utf8)
  }

  /// Writes the rows to `sink`, as lines with the values of `keys`, and returns the other keys that
  /// they have.
  ///
  /// - Parameter depth: how many objects the array of rows lies inside.
  private static func run(
    _ file: String, _ source: ByteSource, _ depth: Int, keys: [String],
    _ sink: @escaping ([UInt8]) throws -> Void
  ) throws -> [String] {
    try withoutActuallyEscaping(source) { source in
      let limits = ReadingLimits()
      let pieces = BytePieces(
        ByteInput(file: file, blockSize: limits.blockSize, source: source, tap: { _ in }),
        size: limits.blockSize)
      let stream = try TextStream(file: file, bytes: pieces, limits: limits)
      _ = try stream.skipToContent()
      if depth > 0, let rows = WrappedRows(stream.available) { stream.start += rows.place }
      let log = ReadingLog(file: file)
      let rows = FlatRows(WarehouseLines(columns: keys.count), keys: keys)
      var loop = RecordLoop(reader: rows, log: log, limits: limits) { try sink($0.bytes) }
      try loop.run(stream, .objects, depth: depth)
      if let wrong = log.diagnostics.first { throw wrong }
      return loop.reader.unknownKeys
    }
  }
}

/// Writes rows as lines of values that tabs divide.
private struct WarehouseLines: RowReader {
  struct Block: RecordBlock {
    var bytes: [UInt8] = []
    var rowCount = 0
    var rejects: [Reject] = []
  }

  let columns: Int
  private var block = Block()

  init(columns: Int) { self.columns = columns }

  var pending: Int { block.rowCount }

  /// Appends the record as a line; control characters in its values become blanks.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    for column in 0..<columns {
      if column > 0 { block.bytes.append(0x09) }
      for byte in record[column] { block.bytes.append(byte < 0x20 ? 0x20 : byte) }
    }
    block.bytes.append(0x0A)
    block.rowCount += 1
    return 1
  }

  mutating func takeBlock() -> Block {
    defer { block = Block() }
    return block
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary(begin: nil, end: nil) }
}
