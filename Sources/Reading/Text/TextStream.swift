internal import Billing

/// A file's text as UTF-8, seen through a window that slides over it: the piece that was read last
/// with what was not yet taken before it, or memory of its own that grows with the longest record.
final class TextStream {
  /// The window; `overrun` bytes behind `end` may be loaded.
  private(set) var base: UnsafeMutableRawPointer
  private(set) var end: Int
  /// The first byte not yet taken.
  var start = 0
  /// The line of the byte at `start`, 1-based.
  var line = 1
  /// Bytes of that line before `start`.
  var lineOffset = 0
  private(set) var atEnd = false
  /// Whether the file's last line had no line end of its own.
  private(set) var lacksLastLineEnd = false
  /// Whether the text begins with a mark of its encoding, which Apple never writes.
  private(set) var hasMark = false
  /// How often bytes were read into the window.
  private(set) var readings = 1
  let file: String
  let limits: ReadingLimits
  private let bytes: BytePieces
  /// The window where it is no piece: a record is longer than one, or the text is decoded.
  private var own: UnsafeMutableRawPointer?
  private var capacity = 0
  private var decoder: UTF16Decoder?
  /// What the configuration says of the file, and its bytes turned into UTF-8 by that.
  private let encoding: String?
  private var foreign: ForeignText?
  /// Blank bytes that were read last.
  private var blanks = 0

  /// - Parameter encoding: of a text that is no UTF-8, where the configuration names it.
  init(
    file: String, bytes: BytePieces, limits: ReadingLimits, encoding: String? = nil
  ) throws {
    self.file = file
    self.encoding = encoding
    self.bytes = bytes
    self.limits = limits
    let first = try bytes.next(keeping: UnsafeRawBufferPointer(start: nil, count: 0))
    base = first.baseAddress!
    end = first.count
    try begin()
  }

  deinit { own?.deallocate() }

  /// Whether the file was packed, so that its packing proves it whole.
  var isPacked: Bool { bytes.isPacked }

  /// The bytes that are there and not yet taken.
  var available: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + start, count: end - start)
  }

  /// Finds the encoding by the first bytes, the configuration or an XML declaration, and turns the
  /// first piece into UTF-8 where it is not that. Throws a diagnostic of an encoding that cannot be
  /// read.
  private func begin() throws {
    let isWhole = end < bytes.size
    let head = available
    if head.count >= 2, (head[0] == 0xFF && head[1] == 0xFE) || (head[0] == 0xFE && head[1] == 0xFF)
    {
      hasMark = true
      decoder = UTF16Decoder(bigEndian: head[0] == 0xFE)
      try decodeAll(UnsafeRawBufferPointer(rebasing: head[2...]))
    } else if let encoding = encoding ?? Self.declaredEncoding(head),
      !isUTF8(head, isWhole: isWhole)
    {
      foreign = try ForeignText(encoding, file: file)
      try decodeAll(head)
    } else if head.count >= 3, head[0] == 0xEF, head[1] == 0xBB, head[2] == 0xBF {
      hasMark = true
      start = 3
    }
    if isWhole { try finish() }
  }

  /// The encoding that an XML declaration at the beginning of the text names; nil for all other
  /// texts, and for UTF-8 and ASCII.
  private static func declaredEncoding(_ head: UnsafeRawBufferPointer) -> String? {
    guard head.starts(with: "<?xml".utf8), let end = head.firstIndex(of: UInt8(ascii: ">")),
      end < 256
    else { return nil }
    let text = String(decoding: head[..<end], as: UTF8.self)
    guard let label = text.firstRange(of: "encoding") else { return nil }
    let parts = text[label.upperBound...].split(omittingEmptySubsequences: false) {
      $0 == "\"" || $0 == "'"
    }
    guard parts.count > 2 else { return nil }
    let name = String(parts[1])
    return ["utf-8", "utf8", "us-ascii"].contains(name.lowercased()) ? nil : name
  }

  /// Replaces the window by the UTF-8 of the first piece, which has another encoding.
  private func decodeAll(_ piece: UnsafeRawBufferPointer) throws {
    end = 0
    grow(to: bytes.size)
    try appendDecoded(piece)
  }

  /// Whether text is UTF-8 whatever somebody said of its encoding: it begins with the mark of it,
  /// or is well-formed and has more than ASCII.
  ///
  /// - Parameter isWhole: whether `head` is the whole text; if not, its last character may be cut.
  private func isUTF8(_ head: UnsafeRawBufferPointer, isWhole: Bool) -> Bool {
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return true }
    guard head.contains(where: { $0 >= 0x80 }) else { return false }
    guard let place = firstMalformedUTF8(head) else { return true }
    // The window may end inside a character.
    return !isWhole && place > head.count - 4
  }

  /// Slides the window to the first byte not yet taken and reads more bytes behind it. False when
  /// the text is at its end.
  func refill() throws -> Bool {
    if atEnd { return false }
    let kept = end - start
    if decoder == nil, foreign == nil, kept <= bytes.size {
      let window = try bytes.next(keeping: available)
      own?.deallocate()
      own = nil
      (base, start, end) = (window.baseAddress!, 0, window.count)
      if end - kept < bytes.size { try finish() }
    } else {
      try appendPieces(behind: kept)
    }
    readings += 1
    try countBlanks(base + kept, end - kept)
    return end > kept
  }

  /// Reads as many bytes again as are not yet taken, or all that are left, into memory of its own.
  /// A record that is not whole is looked at from its beginning again, so that as much is read as
  /// there is of it.
  ///
  /// - Parameter kept: bytes not yet taken.
  private func appendPieces(behind kept: Int) throws {
    if own == nil || start > 0 {
      let record = base + start
      (start, end) = (0, kept)
      if own == nil {
        grow(to: 2 * kept + bytes.size, from: record)
      } else {
        base.copyMemory(from: record, byteCount: kept)
      }
    }
    repeat {
      let piece = UnsafeRawBufferPointer(
        try bytes.next(keeping: UnsafeRawBufferPointer(start: nil, count: 0)))
      if decoder == nil, foreign == nil { append(piece) } else { try appendDecoded(piece) }
      if piece.count < bytes.size { return try finish() }
    } while end < 2 * kept
  }

  /// Adds up blank bytes that follow each other, and throws a diagnostic past the limit for them.
  ///
  /// - Parameters:
  ///   - read: where the bytes are that were read last.
  ///   - count: how many they are.
  private func countBlanks(_ read: UnsafeRawPointer, _ count: Int) throws {
    let bytes = UnsafeRawBufferPointer(start: read, count: count)
    guard bytes.allSatisfy({ $0 == 0x0A || $0 == 0x0D || $0 == 0x20 || $0 == 0x09 }) else {
      blanks = 0
      return
    }
    blanks += count
    guard blanks > limits.blankLength else { return }
    throw Diagnostic(
      topic: "length", at: SourceLocation(file: file, line: line),
      "@text.there-are-more-than-blank \(limits.blankLength)",
      help: "@text.file-is-not-a-table")
  }

  /// Moves the window to memory of its own, with room for `size` bytes.
  ///
  /// - Parameter record: where its bytes are, if not at its beginning.
  private func grow(to size: Int, from record: UnsafeMutableRawPointer? = nil) {
    let larger = UnsafeMutableRawPointer.allocate(byteCount: size + overrun, alignment: 16)
    larger.initializeMemory(as: UInt8.self, repeating: 0, count: size + overrun)
    larger.copyMemory(from: record ?? base, byteCount: end)
    own?.deallocate()
    own = larger
    base = larger
    capacity = size
  }

  /// Copies a piece behind the end of the window, which is memory of its own.
  private func append(_ piece: UnsafeRawBufferPointer) {
    if capacity - end < piece.count { grow(to: max(capacity * 2, end + piece.count)) }
    if let start = piece.baseAddress {
      (base + end).copyMemory(from: start, byteCount: piece.count)
    }
    end += piece.count
  }

  /// Appends the UTF-8 of bytes that have another encoding; throws a diagnostic where they mean
  /// nothing.
  private func appendDecoded(_ raw: UnsafeRawBufferPointer) throws {
    if let foreign {
      let text = try foreign.decode(raw)
      return text.withUnsafeBytes { append($0) }
    }
    let room = UTF16Decoder.room(for: raw.count)
    if capacity - end < room { grow(to: max(capacity * 2, end + room)) }
    guard let count = decoder?.decode(raw, into: base + end) else {
      throw Diagnostic(
        topic: "encoding", at: SourceLocation(file: file),
        "@text.text-is-marked-as-utf",
        help: "@text.save-the-file-again")
    }
    end += count
  }

  /// Notes that the text is at its end, where the last line gets its line end, so that every record
  /// has one. Throws a diagnostic when the text ends inside a character.
  private func finish() throws {
    atEnd = true
    try foreign?.finish()
    if let decoder, !decoder.isComplete {
      throw Diagnostic(
        topic: "encoding", at: SourceLocation(file: file),
        "@text.text-is-marked-as-utf-16",
        help: "@text.file-is-truncated-download-or-save")
    }
    if own != nil, end == capacity { grow(to: capacity + 64) }
    if end > start, base.load(fromByteOffset: end - 1, as: UInt8.self) != 0x0A {
      base.storeBytes(of: 0x0A, toByteOffset: end, as: UInt8.self)
      end += 1
      lacksLastLineEnd = true
    }
  }

  /// Goes to the first byte that is no blank and returns it; nil when there is none. The text then
  /// starts at that byte in JSON, and at the beginning of its line in a table.
  func skipToContent() throws -> UInt8? {
    while true {
      var lineStart = start
      for (offset, byte) in available.enumerated() {
        if byte == 0x0A {
          line += 1
          lineStart = start + offset + 1
        } else if byte > 0x20 {
          // A header may begin with a blank column: keep its line whole, but not JSON's.
          if byte == 0x7B || byte == 0x5B {
            lineOffset = start + offset - lineStart
            start += offset
          } else {
            start = lineStart
          }
          return byte
        }
      }
      start = lineStart
      if end - start > limits.recordLength { throw overlong() }
      if !(try refill()) { return nil }
      // What was kept is looked at again, its line ends were not.
    }
  }

  /// The diagnostic that stops the reading of a file whose record does not end within the limit.
  ///
  /// - Parameters:
  ///   - limit: in bytes; that of a table's record where it is nil.
  ///   - help: what may be wrong, by the form of the file.
  func overlong(
    _ limit: Int? = nil, help: Wording = "@text.quotation-mark-may-be-open"
  ) -> Diagnostic {
    Diagnostic(
      topic: "length", at: SourceLocation(file: file, line: line),
      "@text.record-is-longer-than-bytes \(limit ?? limits.recordLength)",
      help: help)
  }
}
