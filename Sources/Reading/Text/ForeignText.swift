internal import Billing
internal import Glibc

/// Whether the system can turn text of this encoding into UTF-8: `GBK`, `Big5`, `Shift_JIS`,
/// `Windows-1252`.
package func isKnownEncoding(_ name: String) -> Bool {
  guard let converter = openedConverter(name) else { return false }
  iconv_close(converter)
  return true
}

/// The encoding that text which is no UTF-8 most likely has: that of Japanese where all of it reads
/// so and has kana, which no other text has by chance; that of Chinese where most of what it reads
/// is Chinese; else that of Western Windows; nil where none reads.
func likelyEncoding(_ bytes: UnsafeRawBufferPointer) -> String? {
  let head = UnsafeRawBufferPointer(rebasing: bytes.prefix(4096))
  /// The head of the bytes read in an encoding; nil where it is no text in it.
  func text(_ encoding: String) -> String? {
    guard let foreign = try? ForeignText(encoding, file: "") else { return nil }
    return (try? foreign.decode(head)).map { String(decoding: $0, as: UTF8.self) }
  }
  func beyondASCII(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { !$0.isASCII }
  }
  if let japanese = text("CP932").map(beyondASCII), japanese.count >= 8 {
    let kana = japanese.count { (0x3041...0x30FF).contains($0.value) }
    if kana * 10 >= japanese.count { return "CP932" }
  }
  if let chinese = text("GB18030") {
    let beyond = beyondASCII(chinese)
    let common = beyond.count { (0x4E00...0x9FFF).contains($0.value) || $0.value >= 0xFF00 }
    if beyond.count >= 8, common * 10 >= beyond.count * 8, isInPairs(head) { return "GB18030" }
  }
  return text("WINDOWS-1252") == nil ? nil : "WINDOWS-1252"
}

/// Whether bytes beyond ASCII stand two by two, as those of the commonest Chinese characters do: an
/// umlaut and the letter behind it are well-formed GB18030 too.
private func isInPairs(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var (pairs, singles, place) = (0, 0, 0)
  while place < bytes.count - 1 {
    if bytes[place] < 0x80 {
      place += 1
    } else if bytes[place + 1] >= 0xA1 {
      (pairs, place) = (pairs + 1, place + 2)
    } else {
      (singles, place) = (singles + 1, place + 1)
    }
  }
  return pairs >= 4 * singles
}

/// A converter of the system's from an encoding to UTF-8, which the caller closes; nil for an
/// encoding that the system does not know.
private func openedConverter(_ name: String) -> iconv_t? {
  // A name may carry orders to leave out what cannot be converted.
  guard !name.isEmpty, !name.contains("/"), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
    return nil
  }
  let converter = iconv_open("UTF-8", name)
  return converter == iconv_t(bitPattern: -1) ? nil : converter
}

/// Turns a stream of text in another encoding into UTF-8, by the system's tables.
final class ForeignText {
  private let converter: iconv_t
  private let name: String
  private let file: String
  /// The begin of a character whose end was not read yet.
  private var cutCharacter: [UInt8] = []

  init(_ name: String, file: String) throws {
    guard let converter = openedConverter(name) else {
      throw Diagnostic(
        topic: "encoding", at: SourceLocation(file: file),
        "@text.system-does-not-know \(name)",
        help: "@text.iconv-list-shows")
    }
    self.converter = converter
    self.name = name
    self.file = file
  }

  deinit { iconv_close(converter) }

  /// The UTF-8 of the bytes, as far as their characters are complete: the first bytes of one that
  /// is cut wait for the next call. Throws a diagnostic for bytes that mean nothing.
  func decode(_ bytes: UnsafeRawBufferPointer) throws -> [UInt8] {
    var input = cutCharacter.map(Int8.init(bitPattern:)) + bytes.map(Int8.init(bitPattern:))
    var output = [Int8](repeating: 0, count: input.count * 4 + 16)
    let (rest, room, code) = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var from = input.baseAddress
        var (left, free) = (input.count, output.count)
        var into = output.baseAddress
        errno = 0
        let failed = iconv(converter, &from, &left, &into, &free) == size_t.max
        return (left, free, failed ? errno : 0)
      }
    }
    // A character may go on in the bytes that follow.
    guard code == 0 || code == EINVAL else { throw malformed }
    cutCharacter = input.suffix(rest).map(UInt8.init(bitPattern:))
    return output.dropLast(room).map(UInt8.init(bitPattern:))
  }

  /// Throws a diagnostic where the text ends inside a character.
  func finish() throws {
    guard cutCharacter.isEmpty else { throw malformed }
  }

  /// The diagnostic of text that is not well-formed in its encoding.
  private var malformed: Diagnostic {
    Diagnostic(
      topic: "encoding", at: SourceLocation(file: file), "@text.text-is-not-well-formed \(name)",
      help: "@text.correct-encoding-in-tieout-toml")
  }
}
