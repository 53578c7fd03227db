import Billing
import Glibc

/// Reads a workbook back: each part must have its checksum, be XML to its end, and each sheet must
/// have the cells that it was given.
///
/// Rows of our own making are half a gigabyte of XML in a large month. They are not unpacked: the
/// part that they are in must be as it was packed, and what stands around them be XML.
///
/// - Parameters:
///   - cells: how many each sheet was given, by its number from 0.
///   - rows: those of our own making, by the numbers of their sheets.
/// - Throws: `OutputError.damaged`.
func checkWorkbook(
  at path: String, cells: [Int], packed rows: [Int: PackedRows] = [:]
) throws(OutputError) {
  let file = try MappedFile(path, minimum: BookArchive.endSize)
  guard let parts = BookArchive(file.bytes).parts(),
    parts.count(where: { $0.sheet != nil }) == cells.count
  else { throw .damaged }
  // The largest parts come first, so that threads end together. The file stays as it is meanwhile.
  nonisolated(unsafe) let ordered = parts.sorted { $0.packed.count > $1.packed.count }
  let areWhole = inThreads(ordered.count) { number in
    isWhole(ordered[number], cells, ordered[number].sheet.flatMap { rows[$0] })
  }
  guard areWhole.allSatisfy(\.self) else { throw .damaged }
}

/// Whether a part has its checksum, is XML to its end and, where it is a sheet, has its cells.
///
/// - Parameters:
///   - cells: how many each sheet was given.
///   - rows: those of our own making in this part; nil for none.
private func isWhole(_ part: BookArchive.Part, _ cells: [Int], _ rows: PackedRows?) -> Bool {
  var outline = XMLOutline()
  guard part.inflate(around: rows, { outline.add($0) }), outline.isWhole else { return false }
  guard let sheet = part.sheet else { return true }
  return cells.indices.contains(sheet)
    && cells[sheet] == outline.cells + (rows?.rows.cellCount ?? 0)
}

/// Whether XML opens and closes its elements to the end, as far as tags tell; `>` never stands in
/// an attribute here.
struct XMLOutline {
  /// Where in the XML the next byte stands.
  private enum Place { case text, tagBegin, name, opening, closing, remark }

  private var place = Place.text
  private var depth = 0
  private var isClosed = false
  private var isBroken = false
  private var last: UInt8 = 0
  /// Elements named `c`.
  private(set) var cells = 0

  /// Whether what was read is XML from its beginning to its end.
  var isWhole: Bool { !isBroken && isClosed && place == .text }

  /// Reads the next bytes of the XML; a tag may go on in those that follow.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch place {
      case .text:
        guard let begin = Self.place(of: UInt8(ascii: "<"), in: bytes, from: index) else { return }
        if let end = wholeTag(bytes, from: begin + 1) {
          index = end + 1
          continue
        }
        (place, index) = (.tagBegin, begin)
      case .tagBegin:
        switch byte {
        case UInt8(ascii: "/"): place = .closing
        case UInt8(ascii: "?"), UInt8(ascii: "!"): place = .remark
        default: place = byte == UInt8(ascii: "c") ? .name : .opening
        }
      case .name:
        if byte == UInt8(ascii: " ") { cells += 1 }
        place = .opening
        if byte == UInt8(ascii: ">") { close() }
      case .opening, .closing, .remark:
        let end = Self.place(of: UInt8(ascii: ">"), in: bytes, from: index)
        // The byte before the end tells whether the element has no content.
        if (end ?? bytes.count) > index { last = bytes[(end ?? bytes.count) - 1] }
        guard let end else { return }
        close()
        index = end
      }
      last = bytes[index]
      index += 1
    }
  }

  /// Reads a tag that ends in these bytes, as most do, and returns the index of its `>`; nil, with
  /// nothing read, where it goes on in the next bytes.
  ///
  /// - Parameter start: the index after its `<`.
  private mutating func wholeTag(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let end = Self.place(of: UInt8(ascii: ">"), in: bytes, from: start), end > start else {
      return nil
    }
    switch bytes[start] {
    case UInt8(ascii: "/"): place = .closing
    case UInt8(ascii: "?"), UInt8(ascii: "!"): place = .remark
    default:
      place = .opening
      if bytes[start] == UInt8(ascii: "c"), bytes[start + 1] == UInt8(ascii: " ") { cells += 1 }
    }
    last = bytes[end - 1]
    close()
    last = UInt8(ascii: ">")
    return end
  }

  /// Where a byte next stands in bytes, from `start` on; nil where it does not.
  private static func place(
    of byte: UInt8, in bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int? {
    memchr(bytes.baseAddress! + start, Int32(byte), bytes.count - start).map {
      UnsafeRawPointer($0) - bytes.baseAddress!
    }
  }

  /// Notes at the end of a tag which element it opened or closed, and whether that may be.
  private mutating func close() {
    if place == .opening {
      if isClosed { isBroken = true }
      if last != UInt8(ascii: "/") { depth += 1 }
    } else if place == .closing {
      depth -= 1
      if depth < 0 { isBroken = true }
    }
    if place != .remark, depth == 0 { isClosed = true }
    place = .text
  }
}
