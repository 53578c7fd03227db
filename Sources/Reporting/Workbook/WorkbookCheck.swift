import Billing
import CZlib
import Glibc

/// Reads a workbook back: each part must have its checksum, be XML to its end, and each sheet must
/// have the cells that it was given. The library that writes it takes a full disk for success.
///
/// - Throws: `OutputError.damaged`.
func checkWorkbook(at path: String, cells: [Int]) throws(OutputError) {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw .last }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { throw .last }
  let count = Int(status.st_size)
  // An archive of nothing has that many bytes.
  guard count >= Archive.endSize else { throw .damaged }
  guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
  else { throw .last }
  defer { munmap(start, count) }
  let archive = Archive(bytes: UnsafeRawBufferPointer(start: start, count: count))
  guard archive.isWhole(cells: cells) else { throw .damaged }
}

/// The parts of a ZIP archive without a comment, as the library writes it.
private struct Archive {
  static let endSize = 22
  private static let (entrySize, headSize) = (46, 30)

  let bytes: UnsafeRawBufferPointer

  func isWhole(cells: [Int]) -> Bool {
    let end = bytes.count - Self.endSize
    guard number(at: end, 4) == 0x0605_4B50, let parts = number(at: end + 10, 2),
      var place = number(at: end + 16, 4)
    else { return false }
    var read: [Part] = []
    for _ in 0..<parts {
      guard let part = Part(self, at: place) else { return false }
      read.append(part)
      place = part.next
    }
    guard place == end, read.count(where: { $0.sheet != nil }) == cells.count else { return false }
    // The largest parts take turns, so that both threads have about as much to do.
    read.sort { ($0.packed, $0.next) > ($1.packed, $1.next) }
    let (some, others) = (
      read.indices.filter { $0 % 2 == 0 }.map { read[$0] },
      read.indices.filter { $0 % 2 == 1 }.map { read[$0] }
    )
    // The file stays as it is while both read it.
    nonisolated(unsafe) let archive = self
    let (areWhole, othersAreWhole) = inTwoThreads(
      { archive.areWhole(some, cells) }, { archive.areWhole(others, cells) })
    return areWhole && othersAreWhole
  }

  private func areWhole(_ parts: [Part], _ cells: [Int]) -> Bool {
    parts.allSatisfy { part in
      guard let content = part.content(of: self), content.isWhole else { return false }
      guard let sheet = part.sheet else { return true }
      return cells.indices.contains(sheet) && cells[sheet] == content.cells
    }
  }

  func number(at place: Int, _ width: Int) -> Int? {
    guard place >= 0, place + width <= bytes.count else { return nil }
    return (0..<width).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  /// A part, as the archive's directory has it.
  struct Part {
    /// Bytes in the archive.
    let packed: Int
    private let (checksum, size, start): (Int, Int, Int)
    /// From 0; none for what is no sheet.
    let sheet: Int?
    /// Where the directory goes on.
    let next: Int

    init?(_ archive: Archive, at place: Int) {
      func number(_ offset: Int, _ width: Int) -> Int? {
        archive.number(at: place + offset, width)
      }
      guard number(0, 4) == 0x0201_4B50, number(10, 2) == 8, let checksum = number(16, 4),
        let packed = number(20, 4), let size = number(24, 4), let nameCount = number(28, 2),
        let extra = number(30, 2), let comment = number(32, 2), let head = number(42, 4),
        let headName = archive.number(at: head + 26, 2),
        let headExtra = archive.number(at: head + 28, 2),
        archive.number(at: head, 4) == 0x0403_4B50,
        place + entrySize + nameCount <= archive.bytes.count
      else { return nil }
      (self.checksum, self.packed, self.size) = (checksum, packed, size)
      start = head + headSize + headName + headExtra
      next = place + entrySize + nameCount + extra + comment
      let name = archive.bytes[(place + entrySize)..<(place + entrySize + nameCount)]
      sheet = Self.sheet(String(decoding: name, as: UTF8.self))
    }

    private static func sheet(_ name: String) -> Int? {
      let (before, after) = ("xl/worksheets/sheet", ".xml")
      guard name.hasPrefix(before), name.hasSuffix(after) else { return nil }
      return Int(name.dropFirst(before.count).dropLast(after.count)).map { $0 - 1 }
    }

    /// What the part holds; nil where its bytes are not those of its checksum.
    func content(of archive: Archive) -> XMLOutline? {
      guard start + packed <= archive.bytes.count else { return nil }
      var stream = z_stream()
      let isRaw: Int32 = -15
      guard
        inflateInit2_(&stream, isRaw, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { return nil }
      defer { inflateEnd(&stream) }
      let first = archive.bytes.baseAddress! + start
      stream.next_in = UnsafeMutablePointer(
        mutating: first.assumingMemoryBound(to: UInt8.self))
      stream.avail_in = UInt32(packed)
      var outline = XMLOutline()
      var sum = crc32(0, nil, 0)
      var total = 0
      let ended = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { piece in
        while true {
          stream.next_out = piece.baseAddress
          stream.avail_out = UInt32(piece.count)
          let outcome = inflate(&stream, Z_NO_FLUSH)
          guard outcome == Z_OK || outcome == Z_STREAM_END else { return false }
          let count = piece.count - Int(stream.avail_out)
          sum = crc32(sum, piece.baseAddress, UInt32(count))
          total += count
          outline.add(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<count]))
          if outcome == Z_STREAM_END { return stream.avail_in == 0 }
        }
      }
      return ended && total == size && Int(sum) == checksum ? outline : nil
    }
  }
}

/// Whether XML opens and closes its elements to the end, as far as tags tell; `>` never stands in
/// an attribute here.
struct XMLOutline {
  private enum Place { case text, tagBegin, name, opening, closing, remark }

  private var place = Place.text
  private var depth = 0
  private var isClosed = false
  private var isBroken = false
  private var last: UInt8 = 0
  /// Elements named `c`.
  private(set) var cells = 0

  var isWhole: Bool { !isBroken && isClosed && place == .text }

  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      switch place {
      case .text: if byte == UInt8(ascii: "<") { place = .tagBegin }
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
      case .opening, .closing, .remark: if byte == UInt8(ascii: ">") { close() }
      }
      last = byte
    }
  }

  /// Takes the end of a tag.
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
