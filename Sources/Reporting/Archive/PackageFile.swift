/// Writes the workbook's file: the library's package, and in the parts of sheets the rows that
/// were made besides.
///
/// - Parameters:
///   - path: of the library's package.
///   - rows: of sheets, by their numbers from 0.
/// - Returns: where rows stand, by the sheets' numbers.
/// - Throws: `OutputError.damaged` where the package is not whole.
func writePackage(
  from path: String, with rows: [Int: SpooledRows], of spool: RowSpool, to file: OutputFile
) throws(OutputError) -> [Int: PackedRows] {
  let package = try MappedFile(path, minimum: BookArchive.endSize)
  guard let parts = BookArchive(package.bytes).parts() else { throw .damaged }
  var archive = ArchiveWriter(file)
  var packed: [Int: PackedRows] = [:]
  for part in parts {
    if let sheet = part.sheet, let rows = rows[sheet], rows.size > 0 {
      packed[sheet] = try archive.add(part, with: rows, of: spool, to: file)
    } else {
      try archive.begin(
        part.name, sum: part.checksum, size: part.size, packed: part.packed.count)
      try file.write(part.packed)
    }
  }
  try archive.end()
  return packed
}

extension ArchiveWriter {
  /// Writes a sheet's part with its rows from the spool; returns where these stand in it.
  fileprivate mutating func add(
    _ part: BookArchive.Part, with rows: SpooledRows, of spool: RowSpool, to file: OutputFile
  ) throws(OutputError) -> PackedRows {
    var text: [UInt8] = []
    guard part.inflate({ text += $0 }), let ends = SheetEnds(text, links: rows.links) else {
      throw .damaged
    }
    let (head, tail) = (DeflatedPart(ends.head), DeflatedPart(ends.tail, isLast: true))
    let sum = rows.sumOfPart(head, tail)
    try begin(
      part.name, sum: Int(sum), size: head.size + rows.size + tail.size,
      packed: head.bytes.count + rows.packed.count + tail.bytes.count)
    try file.write(head.bytes)
    try spool.file.readBack(rows.packed) { bytes throws(OutputError) in try file.write(bytes) }
    try file.write(tail.bytes)
    return PackedRows(rows, between: head, and: tail)
  }
}

/// What stands in a sheet's part before and behind its rows.
private struct SheetEnds {
  let head: [UInt8]
  let tail: [UInt8]

  /// Divides a sheet's part where its rows go, and puts the links behind them; nil where it has no
  /// such place.
  ///
  /// - Parameters:
  ///   - sheet: as the library writes it without rows.
  ///   - links: the XML of its link objects.
  init?(_ sheet: [UInt8], links: [UInt8]) {
    let text = String(decoding: sheet, as: UTF8.self)
    let rows = text.split(separator: "<sheetData/>", omittingEmptySubsequences: false)
    guard rows.count == 2 else { return nil }
    head = Array("\(rows[0])<sheetData>".utf8)
    if links.isEmpty {
      tail = Array("</sheetData>\(rows[1])".utf8)
      return
    }
    let print = "<printOptions"
    let behind = rows[1].split(separator: print, omittingEmptySubsequences: false)
    guard behind.count == 2 else { return nil }
    tail =
      Array("</sheetData>\(behind[0])<hyperlinks>".utf8) + links
      + Array("</hyperlinks>\(print)\(behind[1])".utf8)
  }
}
