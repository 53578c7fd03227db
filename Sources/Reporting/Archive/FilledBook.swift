/// A text that a workbook's cells have until another takes its place.
struct FilledText {
  let open: String
  let filled: String
}

/// A workbook in which texts have taken their places; every other part is as it was, byte for byte.
///
/// - Parameters:
///   - workbook: the bytes of its file.
///   - folder: where it is written, to be gone at once.
/// - Returns: nil where one of the texts to replace is not in it.
/// - Throws: `OutputError.damaged` where the workbook is not whole.
func filled(
  _ workbook: [UInt8], _ texts: [FilledText], besides folder: String
) throws(OutputError) -> [UInt8]? {
  let file = try OutputFile(unkeptIn: folder)
  let outcome = workbook.withUnsafeBytes { bytes in
    Result { () throws(OutputError) in try fill(bytes, texts, into: file) }
  }
  guard try outcome.get() else { return nil }
  var bytes: [UInt8] = []
  try file.readBack { bytes += $0 }
  return bytes
}

/// Longer parts are lists, which have no places.
private let longestPart = 8 << 20

/// Writes a workbook with texts replaced into a file; returns whether each of the texts was in it.
private func fill(
  _ workbook: UnsafeRawBufferPointer, _ texts: [FilledText], into file: OutputFile
) throws(OutputError) -> Bool {
  guard let parts = BookArchive(workbook).parts() else { throw .damaged }
  let texts = texts.map { (escapedXML($0.open), escapedXML($0.filled)) }
  var unfilled = Set(texts.indices)
  var archive = ArchiveWriter(file)
  for part in parts {
    let isText = part.sheet != nil || part.name == "xl/sharedStrings.xml"
    if isText, part.size <= longestPart {
      var bytes: [UInt8] = []
      guard part.inflate(around: nil, { bytes += $0 }) else { throw .damaged }
      var text = String(decoding: bytes, as: UTF8.self)
      var isFilled = false
      for (index, (place, filled)) in texts.enumerated() where text.contains(place) {
        text = text.replacing(place, with: filled)
        unfilled.remove(index)
        isFilled = true
      }
      if isFilled {
        let packed = DeflatedPart(Array(text.utf8), isLast: true)
        try archive.begin(
          part.name, sum: Int(packed.sum), size: packed.size, packed: packed.bytes.count)
        try file.write(packed.bytes)
        continue
      }
    }
    try archive.begin(part.name, sum: part.checksum, size: part.size, packed: part.packed.count)
    try file.write(part.packed)
  }
  try archive.end()
  return unfilled.isEmpty
}

/// A text as it stands in a part when it is that of a cell.
private func escapedXML(_ text: String) -> String {
  text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
}
