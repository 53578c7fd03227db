internal import Billing

// Tables that are written in another encoding than UTF-8, as banks and payment services do: what a
// person may write in the configuration, so that they are read.

/// How many of its first bytes show what a text is.
private let shownBytes = 1 << 16

/// The diagnostic of a file whose text is no UTF-8 in its first lines, with its likely encoding;
/// nil where it is UTF-8, or where nobody knows how it is written.
///
/// - Parameters:
///   - mappings: those of the configuration that may be for the file.
///   - place: of the first byte that is none of UTF-8, where it is known.
func foreignText(
  _ stream: TextStream, mappings: [TableMapping], asked: InputKind?, at place: SourceLocation? = nil
) -> Diagnostic? {
  let bytes = UnsafeRawBufferPointer(rebasing: stream.available.prefix(shownBytes))
  // The last character may go on behind these.
  guard let offset = firstMalformedUTF8(bytes), offset < bytes.count - 4,
    let encoding = likelyEncoding(bytes)
  else { return nil }
  let name = oneLine(stream.file.split(separator: "/").last.map(String.init) ?? stream.file)
  let own = ["files = \"\(name)\"", "encoding = \"\(encoding)\""]
  let (kind, lines) = tableInside(bytes, in: encoding, stream, mappings, asked)
  guard CompanyTable.made.contains(where: { $0.kind == kind }) else { return nil }
  let key = "import.\(kind.rawValue)"
  let open = key + " = { "
  let first = lines.first ?? ""
  let all =
    first.hasPrefix(open)
    ? [open + own.joined(separator: ", ") + ", " + first.dropFirst(open.count)]
      + lines.dropFirst()
    : own.map { key + "." + $0 } + lines
  let line = stream.line + bytes[..<offset].count { $0 == 0x0A }
  let start = bytes[..<offset].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
  // Several lines are shown below, to be pasted as they are.
  let shown: Wording = all.count == 1 ? Wording(verbatim: all[0]) : "@mapping.these-lines"
  var diagnostic = Diagnostic(
    topic: "encoding",
    at: place ?? SourceLocation(file: stream.file, line: line, column: offset - start + 1),
    "@shared.text-is-not-well-formed",
    help: "@file.say-its-encoding \(encoding) \(kind.rawValue) \(shown)")
  diagnostic.setting = all.joined(separator: "\n")
  return diagnostic
}

/// The kind of table that the bytes are once they are read in `encoding`, and the lines of a
/// configuration that it needs beside that; a bank's where no kind is found.
///
/// - Parameters:
///   - mappings: those that may be for the file: one that names it decides, and needs no lines.
///   - asked: what the caller says that the file is.
private func tableInside(
  _ bytes: UnsafeRawBufferPointer, in encoding: String, _ stream: TextStream,
  _ mappings: [TableMapping], _ asked: InputKind?
) -> (kind: InputKind, lines: [String]) {
  if let mapping = mappings.first(where: { !$0.files.isEmpty }) { return (mapping.kind, []) }
  let end = bytes.lastIndex(of: 0x0A) ?? bytes.count
  guard let foreign = try? ForeignText(encoding, file: stream.file),
    let text = try? foreign.decode(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
  else { return (.bank, []) }
  var rest = text[...]
  let source: ByteSource = { buffer in
    let count = min(buffer.count, rest.count)
    buffer.copyBytes(from: rest.prefix(count))
    rest = rest.dropFirst(count)
    return count
  }
  let pieces = BytePieces(
    ByteInput(file: stream.file, blockSize: shownBytes, source: source, tap: { _ in }),
    size: shownBytes)
  do {
    let inner = try TextStream(file: stream.file, bytes: pieces, limits: stream.limits)
    let found = try identify(
      inner, mappings: [], asked: asked, log: ReadingLog(file: stream.file))
    return (found.kind, [])
  } catch {
    let setting = (error as? Diagnostic)?.setting ?? ""
    let lines = setting.split(separator: "\n").map(String.init)
    let word = lines.first?.split { !$0.isLetter && $0 != "_" }.dropFirst().first
    return (word.flatMap { InputKind(rawValue: String($0)) } ?? .bank, lines)
  }
}
