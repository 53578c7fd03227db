import CZlib

/// Keeps the deflated rows of sheets in a file that nobody keeps, until the parts are known that
/// they go into: a long list takes no memory.
struct RowSpool {
  let file: OutputFile
  private var end = 0

  /// - Parameter folder: one with room.
  init(besides folder: String) throws(OutputError) { file = try OutputFile(unkeptIn: folder) }

  mutating func add(_ block: RowBlock, to rows: inout SpooledRows) throws(OutputError) {
    if rows.packed.isEmpty { rows.packed = end..<end }
    try file.write(block.part.bytes)
    end += block.part.bytes.count
    rows.packed = rows.packed.lowerBound..<end
    rows.sum = joined(rows.sum, block.part)
    rows.size += block.part.size
    rows.cellCount += block.cellCount
    rows.extent.add(block.extent)
    rows.links += block.links
  }
}

/// The rows of one sheet in a ``RowSpool``.
struct SpooledRows {
  /// Where they stand.
  fileprivate(set) var packed = 0..<0
  /// Bytes before they were deflated.
  fileprivate(set) var size = 0
  /// Their checksum.
  fileprivate(set) var sum = crc32(0, nil, 0)
  fileprivate(set) var cellCount = 0
  fileprivate(set) var extent = SheetExtent()
  /// The XML of the sheet's link objects.
  fileprivate(set) var links: [UInt8] = []
}

/// The checksum of bytes and, behind them, a part.
func joined(_ sum: UInt, _ part: DeflatedPart) -> UInt {
  crc32_combine(sum, part.sum, part.size)
}
