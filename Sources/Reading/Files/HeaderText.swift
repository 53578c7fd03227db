internal import Billing

/// The text of a header's line; throws a diagnostic for malformed UTF-8 or a carriage return in it.
///
/// - Parameter above: lines between the stream's line and it.
func headerText(
  _ line: UnsafeRawBufferPointer, _ stream: TextStream, above: Int = 0
) throws -> String {
  let place = stream.line + above
  if let offset = firstMalformedUTF8(line) {
    throw Diagnostic(
      topic: "encoding",
      at: SourceLocation(file: stream.file, line: place, column: offset + 1),
      "@shared.text-is-not-well-formed",
      help: "@shared.save-the-file-as-utf")
  }
  let text = String(decoding: line, as: UTF8.self).trimmingReturn
  if text.utf8.contains(0x0D) {
    throw Diagnostic(
      topic: "kind", at: SourceLocation(file: stream.file, line: place),
      "@file.lines-end-with-a-carriage",
      help: "@file.save-the-file-with-lf")
  }
  return text
}

extension String {
  /// Without the carriage return at a line's end.
  var trimmingReturn: String { utf8.last == 0x0D ? String(utf8.dropLast())! : self }
}
