internal import Billing

/// Where a reader of JSON stands between its records.
struct JSONState {
  /// What a record may be.
  enum Forms {
    case objects
    /// Objects, texts, and outside of an array also lines of text without quotation marks.
    case objectsAndTexts
  }

  let forms: Forms
  /// Objects that the array lies inside, whose other members hold no rows.
  let depth: Int
  private(set) var isArray = false
  private var begun = false
  private var ended = false
  private var needsComma = false
  private var mayTakeComma = false

  init(_ forms: Forms, depth: Int = 0) {
    self.forms = forms
    self.depth = depth
  }

  private var isWrapped: Bool { depth > 0 }

  /// Whether a record that begins with `byte` may stand here.
  private func mayBegin(_ byte: UInt8) -> Bool {
    if ended || needsComma { return false }
    if byte == 0x7B { return true }
    guard forms == .objectsAndTexts else { return false }
    return byte == 0x22 || !isArray && (byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10)
  }

  /// Goes to the next record and returns its first byte; nil at the end of the text.
  mutating func next(_ stream: TextStream) throws -> UInt8? {
    while let byte = try skipBlanks(stream) {
      switch byte {
      case _ where ended && isWrapped:
        try skipWrapper(stream)
        return nil
      case _ where mayBegin(byte):
        begun = true
        return byte
      case 0x5B where !begun:
        begun = true
        isArray = true
        stream.advance(1)
      case 0x5D where isArray && !ended && !mayTakeComma:
        ended = true
        stream.advance(1)
      case 0x2C where needsComma:
        needsComma = false
        mayTakeComma = true
        stream.advance(1)
      default:
        throw Diagnostic(
          topic: "json",
          at: SourceLocation(
            file: stream.file, line: stream.line, column: stream.lineOffset + 1),
          ended
            ? "@text.there-is-text-after-the-end"
            : forms == .objects
              ? "@text.object-was-expected-here" : "@text.object-or-a-signed-payload",
          help: "@text.file-holds-one-array")
      }
    }
    if isArray, !ended || isWrapped {
      throw Diagnostic(
        topic: "json", at: SourceLocation(file: stream.file, line: stream.line),
        "@text.file-ends-before-the-json",
        help: "@shared.file-is-truncated-export")
    }
    return nil
  }

  /// Moves the stream behind the record that begins at its start.
  ///
  /// - Parameters:
  ///   - length: the record's bytes.
  ///   - lines: line ends among them.
  mutating func take(_ stream: TextStream, length: Int, lines: Int) {
    let raw = UnsafeRawBufferPointer(rebasing: stream.available[..<length])
    if lines > 0, let last = raw.lastIndex(of: 0x0A) {
      stream.lineOffset = length - last - 1
    } else {
      stream.lineOffset += length
    }
    stream.line += lines
    stream.start += length
    needsComma = isArray
    mayTakeComma = false
  }

  /// Moves the stream over the rest of the objects that the array of records lies inside, to the
  /// end of the text. Throws a diagnostic where they hold another array of objects or arrays, so
  /// that no row is passed over.
  private func skipWrapper(_ stream: TextStream) throws {
    while stream.available.count <= stream.limits.recordLength, try stream.refill() {}
    var open = [UInt8](repeating: 0x7B, count: depth)
    var isText = false
    var place = 0
    let bytes = stream.available
    while place < bytes.count {
      switch bytes[place] {
      case 0x5C where isText: place += 1
      case 0x22: isText.toggle()
      case 0x7B where !isText, 0x5B where !isText:
        if open.last == 0x5B { throw strange(stream) }
        open.append(bytes[place])
      case 0x7D where !isText, 0x5D where !isText:
        // Each bracket stands two places before the one that closes it.
        guard open.removeLast() + 2 == bytes[place] else { throw strange(stream) }
        guard open.isEmpty else { break }
        stream.start += place + 1
        return try skipRest(stream)
      default: break
      }
      place += 1
    }
    throw strange(stream)
  }

  /// Goes over the blanks behind the outermost object, to the end of the file; throws a diagnostic
  /// for anything else there.
  private func skipRest(_ stream: TextStream) throws {
    repeat {
      guard stream.available.allSatisfy({ $0 <= 0x20 }) else { throw strange(stream) }
      stream.start = stream.end
    } while try stream.refill()
  }

  /// The diagnostic of content behind the array that no reader knows.
  private func strange(_ stream: TextStream) -> Diagnostic {
    Diagnostic(
      topic: "json",
      at: SourceLocation(file: stream.file, line: stream.line, column: stream.lineOffset + 1),
      "@text.other-content-follows-the-array",
      help: "@text.file-holds-one-array-of-objects")
  }

  /// Goes to the next byte that is no blank and returns it; nil at the end of the text.
  private func skipBlanks(_ stream: TextStream) throws -> UInt8? {
    while true {
      for byte in stream.available {
        switch byte {
        case 0x0A:
          stream.start += 1
          stream.line += 1
          stream.lineOffset = 0
        case 0x20, 0x09, 0x0D: stream.advance(1)
        default: return byte
        }
      }
      if !(try stream.refill()) { return nil }
    }
  }
}

extension TextStream {
  /// Goes on by `count` bytes, none of which is a line end.
  fileprivate func advance(_ count: Int) {
    start += count
    lineOffset += count
  }
}
