import CZlib

/// Holds the deflated rows of sheets in a file that is not kept, until the parts are known that
/// they go into: a long list takes no memory.
struct RowSpool {
  let file: OutputFile
  private var end = 0

  /// Begins an empty spool in a folder with room.
  init(besides folder: String) throws(OutputError) { file = try OutputFile(unkeptIn: folder) }

  /// Puts further rows of a sheet behind those that are here.
  ///
  /// - Parameters:
  ///   - part: the rows.
  ///   - cellCount: their cells.
  ///   - extent: where these stand.
  ///   - links: the XML of their link objects.
  mutating func add(
    _ part: DeflatedPart, cellCount: Int, extent: SheetExtent, links: [UInt8],
    to rows: inout SpooledRows
  ) throws(OutputError) {
    if rows.packed.isEmpty { rows.packed = end..<end }
    try file.write(part.bytes)
    end += part.bytes.count
    rows.packed = rows.packed.lowerBound..<end
    rows.sum = joined(rows.sum, part)
    rows.packedSum = crc32_combine(rows.packedSum, part.packedSum, part.bytes.count)
    rows.size += part.size
    rows.cellCount += cellCount
    rows.extent.add(extent)
    rows.links += links
  }
}

/// The rows of one sheet in a ``RowSpool``.
struct SpooledRows: Sendable {
  /// Where they stand.
  fileprivate(set) var packed = 0..<0
  /// Bytes before they were deflated.
  fileprivate(set) var size = 0
  /// Their checksum.
  fileprivate(set) var sum = crc32(0, nil, 0)
  /// The checksum of them as they stand there.
  fileprivate(set) var packedSum = crc32(0, nil, 0)
  fileprivate(set) var cellCount = 0
  fileprivate(set) var extent = SheetExtent()
  /// The XML of the sheet's link objects.
  fileprivate(set) var links: [UInt8] = []

  /// The checksum of a part: of its head before the rows, the rows, and its tail behind them.
  func sumOfPart(_ head: DeflatedPart, _ tail: DeflatedPart) -> UInt {
    joined(crc32_combine(head.sum, sum, size), tail)
  }
}

/// Rows from a ``RowSpool`` in a part of the workbook's file.
struct PackedRows: Sendable {
  let rows: SpooledRows
  /// Where they stand in the part as it is packed.
  let place: Range<Int>
  /// The checksum of the part as it is packed.
  private let packedSum: UInt

  /// The rows of a part between its head and its tail.
  init(_ rows: SpooledRows, between head: DeflatedPart, and tail: DeflatedPart) {
    self.rows = rows
    place = head.bytes.count..<(head.bytes.count + rows.packed.count)
    let withRows = crc32_combine(head.packedSum, rows.packedSum, rows.packed.count)
    packedSum = crc32_combine(withRows, tail.packedSum, tail.bytes.count)
  }

  /// Whether a part that was read back is what was written.
  func isUnchanged(_ part: UnsafeRawBufferPointer) -> Bool {
    let first = part.assumingMemoryBound(to: UInt8.self).baseAddress
    return crc32(crc32(0, nil, 0), first, UInt32(part.count)) == packedSum
  }
}

/// The checksum of bytes and of those of a part that follow them, before they were deflated.
private func joined(_ sum: UInt, _ part: DeflatedPart) -> UInt {
  crc32_combine(sum, part.sum, part.size)
}
