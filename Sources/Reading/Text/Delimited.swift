internal import Billing

/// How a table's lines are divided.
struct Delimiting: Equatable {
  var separator: UInt8
  /// RFC 4180 quotation marks; without them `"` is data, as in Apple's own files.
  var quoting: Bool
  /// Shorter rows get blank fields, and surplus blank fields are let go.
  var padding: Bool
  /// Text behind a closing quotation mark belongs to the value, as in Apple's `"46.42" EUR`.
  var keepsTails = false

  static let appleTSV = Delimiting(separator: 0x09, quoting: false, padding: true)
  static let csv = Delimiting(separator: 0x2C, quoting: true, padding: false)
}

/// What dividing the bytes at the window's start came to.
enum Division {
  /// The record does not end in the window.
  case incomplete
  /// A line with nothing in it.
  case blank(length: Int)
  /// `length` raw bytes, its line end included, over `lines` lines.
  case record(Record, length: Int, lines: Int, isCopy: Bool)
  case diagnostic(RecordDiagnostic, length: Int, lines: Int)
}

/// Divides delimited text into records, at memory speed where nothing is quoted.
struct Divider {
  let delimiting: Delimiting
  let buffer: RecordBuffer
  private let separators: SIMD16<UInt8>

  /// - Parameter columns: fields that are kept of a record, those of its header.
  init(_ delimiting: Delimiting, columns: Int) {
    self.delimiting = delimiting
    buffer = RecordBuffer(columns: columns)
    separators = SIMD16(repeating: delimiting.separator)
  }

  /// Divides the first record of the `limit` bytes at `base` into fields, sixteen bytes at a time
  /// and without a copy; slower functions take over where it is quoted or unusual.
  ///
  /// - Parameter line: the record's first line in the file, 1-based.
  @inline(__always)
  func divide(_ base: UnsafeRawPointer, _ limit: Int, line: Int) -> Division {
    let columns = buffer.columns
    let ends = buffer.ends
    let separator = delimiting.separator
    let quoting = delimiting.quoting
    let lineEnds = SIMD16<UInt8>(repeating: 0x0A)
    let quotes = SIMD16<UInt8>(repeating: 0x22)
    var seen = SIMD16<UInt8>()
    var count = 0
    var offset = 0
    while offset < limit {
      let bytes = loadBytes(base + offset)
      seen |= bytes
      var marked = (bytes .== separators) .| (bytes .== lineEnds)
      if quoting { marked = marked .| (bytes .== quotes) }
      let words = highBits(marked)
      for half in 0..<2 {
        var marks = words[half]
        while marks != 0 {
          let place = offset &+ 8 &* half &+ marks.trailingZeroBitCount &>> 3
          marks &= marks &- 1
          if place >= limit { return .incomplete }
          let byte = base.load(fromByteOffset: place, as: UInt8.self)
          if byte == separator {
            if count < columns { ends[count] = Int32(truncatingIfNeeded: place) }
            count &+= 1
          } else if byte == 0x0A {
            let last = place > 0 && base.load(fromByteOffset: place &- 1, as: UInt8.self) == 0x0D
            let end = last ? place &- 1 : place
            if count < columns { ends[count] = Int32(truncatingIfNeeded: end) }
            if count &+ 1 == columns, isASCII(seen), end >= columns {
              let record = Record(
                base: base, ends: UnsafePointer(ends), line: Int32(truncatingIfNeeded: line))
              return .record(record, length: place &+ 1, lines: 1, isCopy: false)
            }
            return unusual(base, end: end, length: place &+ 1, fields: count &+ 1, line: line)
          } else if place == (count == 0 ? 0 : fieldStart(base: base, place: place)) {
            return divideQuoted(base, limit, line: line)
          }
        }
      }
      offset &+= 16
    }
    return .incomplete
  }

  /// `place` when a field starts there, behind a separator, else −1: fields past the kept ones have
  /// no known start.
  @inline(__always)
  private func fieldStart(base: UnsafeRawPointer, place: Int) -> Int {
    base.load(fromByteOffset: place &- 1, as: UInt8.self) == delimiting.separator ? place : -1
  }

  /// The record, the blank or the diagnostic that comes of a line with text beyond ASCII, with too
  /// many or too few fields, or with nothing in it.
  ///
  /// - Parameters:
  ///   - end: where its text ends, before its line end.
  ///   - length: its bytes, with its line end.
  ///   - fields: how many it has; the ends of those that the header has are in the buffer.
  @inline(never)
  private func unusual(
    _ base: UnsafeRawPointer, end: Int, length: Int, fields: Int, line: Int
  ) -> Division {
    let raw = UnsafeRawBufferPointer(start: base, count: end)
    if raw.allSatisfy({ $0 <= 0x20 || $0 == delimiting.separator }) {
      return .blank(length: length)
    }
    if let offset = firstMalformedUTF8(raw) {
      return .diagnostic(Self.malformedText(offset), length: length, lines: 1)
    }
    let columns = buffer.columns
    if fields > columns {
      let surplus = raw[(Int(buffer.ends[columns - 1]) + 1)...]
      let isBlank = surplus.allSatisfy { $0 <= 0x20 || $0 == delimiting.separator }
      guard delimiting.padding, isBlank else {
        let diagnostic = Self.wrongCount(
          fields, columns, offset: surplus.startIndex, padding: delimiting.padding)
        return .diagnostic(diagnostic, length: length, lines: 1)
      }
    } else if fields < columns {
      guard delimiting.padding else {
        return .diagnostic(
          Self.wrongCount(fields, columns, offset: end, padding: false), length: length, lines: 1)
      }
      return padded(base, fields: fields, length: length, line: line)
    }
    let record = Record(base: base, ends: UnsafePointer(buffer.ends), line: Int32(line))
    return .record(record, length: length, lines: 1, isCopy: false)
  }

  /// A copy of a line with fewer fields than the header, with blank ones for those that lack.
  private func padded(_ base: UnsafeRawPointer, fields: Int, length: Int, line: Int) -> Division {
    let end = Int(buffer.ends[fields - 1])
    buffer.clear()
    buffer.noteShort(line: line)
    for field in 0..<buffer.columns {
      if field < fields {
        let start = field == 0 ? 0 : Int(buffer.rawStarts[field])
        let fieldEnd = Int(buffer.ends[field])
        buffer.rawStarts[field + 1] = Int32(fieldEnd + 1)
        buffer.rawStarts[field] = Int32(start)
        buffer.append(base + start, fieldEnd - start)
      } else {
        buffer.rawStarts[field] = Int32(end)
      }
      buffer.endField(field)
    }
    let record = Record(
      base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends), line: Int32(line))
    return .record(record, length: length, lines: 1, isCopy: true)
  }

  /// How far the division of a quoted record has got, and what was wrong with it so far.
  private struct QuotedScan {
    var offset = 0
    var field = 0
    var lines = 1
    var diagnostic: RecordDiagnostic?
    /// Where the first field starts that the header does not have and that is not blank.
    var surplus: Int?
  }

  /// Divides a record that has quotation marks, and takes these off. Between tabs they are text
  /// where they do not enclose a value on one line: databases quote nothing there, and a value may
  /// begin with one.
  @inline(never)
  private func divideQuoted(_ base: UnsafeRawPointer, _ limit: Int, line: Int) -> Division {
    guard delimiting.separator == 0x09 else { return divideByQuotes(base, limit, line: line) }
    guard let end = firstPlace(base, 0, limit, of: 0x0A, or: 0x0A) else { return .incomplete }
    switch divideByQuotes(base, end + 1, line: line) {
    case .incomplete: return divideAsText(base, end: end, line: line)
    case .diagnostic(let wrong, _, _) where wrong.topic == "quotes":
      return divideAsText(base, end: end, line: line)
    case let division: return division
    }
  }

  /// Divides a line, which ends at `end`, by separators alone: its quotation marks are text.
  private func divideAsText(_ base: UnsafeRawPointer, end: Int, line: Int) -> Division {
    let hasReturn = end > 0 && base.load(fromByteOffset: end - 1, as: UInt8.self) == 0x0D
    let textEnd = hasReturn ? end - 1 : end
    var fields = 0
    var place = 0
    while let next = firstPlace(
      base, place, textEnd, of: delimiting.separator, or: delimiting.separator)
    {
      if fields < buffer.columns { buffer.ends[fields] = Int32(next) }
      fields += 1
      place = next + 1
    }
    if fields < buffer.columns { buffer.ends[fields] = Int32(textEnd) }
    return unusual(base, end: textEnd, length: end + 1, fields: fields + 1, line: line)
  }

  /// Divides a record by RFC 4180: separators and line ends inside quotation marks belong to
  /// values.
  private func divideByQuotes(_ base: UnsafeRawPointer, _ limit: Int, line: Int) -> Division {
    buffer.clear()
    var scan = QuotedScan()
    while true {
      if scan.field < buffer.columns { buffer.rawStarts[scan.field] = Int32(scan.offset) }
      guard let end = copyField(&scan, base, limit) else { return .incomplete }
      let isLast = base.load(fromByteOffset: end, as: UInt8.self) == 0x0A
      if isLast {
        let raw = UnsafeRawBufferPointer(start: base, count: end)
        return finishQuoted(
          raw, fields: scan.field + 1, lines: scan.lines, line: line, diagnostic: scan.diagnostic,
          surplus: scan.surplus)
      }
      buffer.endField(scan.field)
      scan.field += 1
      scan.offset = end + 1
    }
  }

  /// Copies the field at the scan's offset into the buffer without its quotation marks; returns the
  /// place of the separator or line end behind it, or nil when the field goes on past the window.
  private func copyField(
    _ scan: inout QuotedScan, _ base: UnsafeRawPointer, _ limit: Int
  ) -> Int? {
    var place = scan.offset
    let isQuoted = place < limit && base.load(fromByteOffset: place, as: UInt8.self) == 0x22
    if isQuoted {
      place += 1
      while true {
        guard let quote = firstPlace(base, place, limit, of: 0x22, or: 0x22), quote + 1 < limit
        else { return nil }
        scan.lines += lineEnds(base, place, quote)
        copyText(&scan, base, place, quote)
        place = quote + 1
        if base.load(fromByteOffset: place, as: UInt8.self) != 0x22 { break }
        copyText(&scan, base, place, place + 1)
        place += 1
      }
    }
    guard let end = firstPlace(base, place, limit, of: delimiting.separator, or: 0x0A) else {
      return nil
    }
    let endsLine = base.load(fromByteOffset: end, as: UInt8.self) == 0x0A
    let hasReturn =
      endsLine && end > place && base.load(fromByteOffset: end - 1, as: UInt8.self) == 0x0D
    let textEnd = hasReturn ? end - 1 : end
    if !isQuoted || delimiting.keepsTails {
      copyText(&scan, base, place, textEnd)
    } else if scan.diagnostic == nil,
      let stray = (place..<textEnd).first(where: {
        base.load(fromByteOffset: $0, as: UInt8.self) > 0x20
      })
    {
      scan.diagnostic = RecordDiagnostic(
        nil, "quotes", "@text.there-is-text-after", offset: stray,
        help: "@text.quotation-mark-inside-a-quoted")
    }
    return end
  }

  /// Copies the bytes `low..<high` into the buffer; in a field that the header does not have, it
  /// only notes where the first of those that is not blank starts.
  private func copyText(_ scan: inout QuotedScan, _ base: UnsafeRawPointer, _ low: Int, _ high: Int)
  {
    if scan.field < buffer.columns {
      buffer.append(base + low, high - low)
    } else if scan.surplus == nil {
      let isBlank = (low..<high).allSatisfy {
        base.load(fromByteOffset: $0, as: UInt8.self) <= 0x20
      }
      if !isBlank { scan.surplus = scan.offset }
    }
  }

  /// The record or the diagnostic that comes of a quoted record whose fields are all copied.
  ///
  /// - Parameters:
  ///   - raw: its bytes, without its last line end.
  ///   - fields: how many it has.
  ///   - lines: over how many lines it goes; `line` is its first.
  ///   - diagnostic: what was found to be wrong while they were copied; nil for nothing.
  ///   - surplus: where the first field starts that the header does not have and that is not blank.
  private func finishQuoted(
    _ raw: UnsafeRawBufferPointer, fields: Int, lines: Int, line: Int,
    diagnostic: RecordDiagnostic?, surplus: Int?
  ) -> Division {
    let length = raw.count + 1
    let columns = buffer.columns
    buffer.endField(fields - 1)
    if fields < columns { buffer.noteShort(line: line) }
    var field = fields
    while field < columns {
      buffer.rawStarts[field] = Int32(raw.count)
      buffer.endField(field)
      field += 1
    }
    if let diagnostic { return .diagnostic(diagnostic, length: length, lines: lines) }
    if let offset = firstMalformedUTF8(raw) {
      return .diagnostic(Self.malformedText(offset), length: length, lines: lines)
    }
    if fields > columns, surplus != nil || !delimiting.padding {
      let offset = surplus ?? raw.count
      return .diagnostic(
        Self.wrongCount(fields, columns, offset: offset, padding: delimiting.padding),
        length: length, lines: lines)
    }
    if fields < columns, !delimiting.padding {
      return .diagnostic(
        Self.wrongCount(fields, columns, offset: raw.count, padding: false), length: length,
        lines: lines)
    }
    let record = Record(
      base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends), line: Int32(line))
    return .record(record, length: length, lines: lines, isCopy: true)
  }

  /// What is wrong with a record whose bytes at `offset` are not well-formed UTF-8.
  static func malformedText(_ offset: Int) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "encoding", "@shared.text-is-not-well-formed", offset: offset,
      help: "@shared.save-the-file-as-utf")
  }

  /// What is wrong with a record that has `found` fields where the header has `expected`.
  ///
  /// - Parameters:
  ///   - offset: where in the record its fields go wrong.
  ///   - padding: whether blank fields may lack, or be too many.
  private static func wrongCount(_ found: Int, _ expected: Int, offset: Int, padding: Bool)
    -> RecordDiagnostic
  {
    RecordDiagnostic(
      nil, "fields",
      "@text.row-has-fields-where \(found) \(expected)", offset: offset,
      help: found < expected && !padding
        ? "@text.row-was-cut-or-joined-export"
        : padding
          ? "@text.row-was-cut-or-joined"
          : "@text.value-with-a-comma-must")
  }
}
