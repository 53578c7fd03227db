import CZlib
import Glibc

/// A file's bytes, mapped into memory for as long as this lives.
struct MappedFile: ~Copyable {
  let bytes: UnsafeRawBufferPointer

  /// Maps a file into memory.
  ///
  /// - Parameter minimum: the fewest bytes that it may have; a smaller one is damaged.
  init(_ path: String, minimum: Int) throws(OutputError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    let count = Int(status.st_size)
    guard count >= minimum else { throw .damaged }
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else { throw .last }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
  }

  deinit { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count) }
}

/// The parts of a ZIP archive without a comment, as the library and ``ArchiveWriter`` write it.
struct BookArchive {
  static let endSize = 22
  private static let (entrySize, headSize) = (46, 30)

  private let bytes: UnsafeRawBufferPointer

  /// An archive in memory, which must stay there.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The parts in the order of the directory; nil where the archive is damaged.
  func parts() -> [Part]? {
    let end = bytes.count - Self.endSize
    guard number(at: end, 4) == 0x0605_4B50, let count = number(at: end + 10, 2),
      var place = number(at: end + 16, 4)
    else { return nil }
    var parts: [Part] = []
    for _ in 0..<count {
      guard let part = Part(self, at: place) else { return nil }
      parts.append(part)
      place = part.next
    }
    return place == end ? parts : nil
  }

  /// The whole number of so many bytes at a place, lowest byte first; nil outside of the archive.
  private func number(at place: Int, _ width: Int) -> Int? {
    guard place >= 0, place + width <= bytes.count else { return nil }
    return (0..<width).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
  }

  /// A part, as the archive's directory has it.
  struct Part {
    let name: String
    /// As the archive has it.
    let packed: UnsafeRawBufferPointer
    /// Of what it holds.
    let (checksum, size): (Int, Int)
    /// Where the directory goes on.
    fileprivate let next: Int

    /// Reads a part's entry in the directory and finds its bytes; nil where either is damaged.
    fileprivate init?(_ archive: BookArchive, at place: Int) {
      /// The whole number of so many bytes at an offset in the entry; nil outside of the archive.
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
      let start = head + headSize + headName + headExtra
      guard start + packed <= archive.bytes.count else { return nil }
      (self.checksum, self.size) = (checksum, size)
      self.packed = UnsafeRawBufferPointer(rebasing: archive.bytes[start..<(start + packed)])
      next = place + entrySize + nameCount + extra + comment
      let name = archive.bytes[(place + entrySize)..<(place + entrySize + nameCount)]
      self.name = String(decoding: name, as: UTF8.self)
    }

    /// The number of the sheet, from 0; nil for what is no sheet.
    var sheet: Int? {
      let (before, after) = ("xl/worksheets/sheet", ".xml")
      guard name.hasPrefix(before), name.hasSuffix(after) else { return nil }
      return Int(name.dropFirst(before.count).dropLast(after.count)).map { $0 - 1 }
    }

    /// Hands over what the part holds, in pieces; false where it is not what its checksum says.
    ///
    /// - Parameter rows: they are passed over; the part must be as it was packed. Nil for none.
    func inflate(around rows: PackedRows? = nil, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
      let whole = rows.map { inflateEnds(around: $0, body) } ?? Inflated(packed, body)
      return whole.map { $0.size == size && Int($0.sum) == checksum } ?? false
    }

    /// Hands over what stands before and behind the rows; returns size and checksum of all, rows
    /// too. Nil where the part is damaged.
    private func inflateEnds(
      around rows: PackedRows, _ body: (UnsafeRawBufferPointer) -> Void
    ) -> Inflated? {
      guard rows.place.upperBound <= packed.count, rows.isUnchanged(packed) else { return nil }
      /// The part's packed bytes in a range.
      func piece(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: packed[range])
      }
      guard
        var all = Inflated(piece(0..<rows.place.lowerBound), isLast: false, body),
        let tail = Inflated(piece(rows.place.upperBound..<packed.count), body)
      else { return nil }
      all.add(sum: rows.rows.sum, size: rows.rows.size)
      all.add(sum: tail.sum, size: tail.size)
      return all
    }
  }
}

/// What deflated bytes held.
private struct Inflated {
  private(set) var sum = crc32(0, nil, 0)
  private(set) var size = 0

  /// Hands over what they hold, in pieces; nil where they are damaged.
  ///
  /// - Parameter isLast: whether they end what was deflated; else more follow on their own.
  init?(
    _ packed: UnsafeRawBufferPointer, isLast: Bool = true, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    var stream = z_stream()
    let isRaw: Int32 = -15
    guard
      inflateInit2_(&stream, isRaw, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return nil }
    defer { inflateEnd(&stream) }
    stream.next_in = UnsafeMutablePointer(
      mutating: packed.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.avail_in = UInt32(packed.count)
    let isWhole = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { piece in
      while true {
        stream.next_out = piece.baseAddress
        stream.avail_out = UInt32(piece.count)
        let outcome = inflate(&stream, Z_NO_FLUSH)
        let count = piece.count - Int(stream.avail_out)
        sum = crc32(sum, piece.baseAddress, UInt32(count))
        size += count
        body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(piece)[..<count]))
        if outcome == Z_STREAM_END { return isLast && stream.avail_in == 0 }
        guard outcome == Z_OK || outcome == Z_BUF_ERROR else { return false }
        // All was taken, and there is room for more.
        if stream.avail_in == 0, stream.avail_out > 0 { return !isLast }
        if outcome == Z_BUF_ERROR { return false }
      }
    }
    if !isWhole { return nil }
  }

  /// Adds bytes that follow, by their checksum and their number.
  mutating func add(sum: UInt, size: Int) {
    self.sum = crc32_combine(self.sum, sum, size)
    self.size += size
  }
}

/// Writes a ZIP archive of parts that are deflated already.
struct ArchiveWriter {
  private let file: OutputFile
  private var place = 0
  private var directory: [UInt8] = []
  private var count = 0

  /// Begins an archive in an empty file.
  init(_ file: OutputFile) { self.file = file }

  /// Begins a part; as many bytes as it has in the archive follow.
  ///
  /// - Parameters:
  ///   - sum: the checksum of what it holds, which has `size` bytes.
  ///   - packed: how many bytes it has in the archive.
  mutating func begin(_ name: String, sum: Int, size: Int, packed: Int) throws(OutputError) {
    let most = Int(UInt32.max)
    guard size < most, packed < most, place < most, count < Int(UInt16.max) else {
      throw .library("a workbook of more than 4 GB")
    }
    let version = 20
    let (deflated, firstOf1980) = (8, 0x21)
    // What both the part and the directory say of it.
    var facts: [UInt8] = []
    for (value, width) in [
      (version, 2), (0, 2), (deflated, 2), (0, 2), (firstOf1980, 2), (sum, 4), (packed, 4),
      (size, 4), (name.utf8.count, 2), (0, 2),
    ] { Self.put(value, width, in: &facts) }
    var head: [UInt8] = []
    Self.put(0x0403_4B50, 4, in: &head)
    head += facts
    head += name.utf8
    Self.put(0x0201_4B50, 4, in: &directory)
    Self.put(version, 2, in: &directory)
    directory += facts
    // Neither comment nor attributes; the part is in this file.
    for width in [2, 2, 2, 4] { Self.put(0, width, in: &directory) }
    Self.put(place, 4, in: &directory)
    directory += name.utf8
    count += 1
    try file.write(head)
    place += head.count + packed
  }

  /// Writes the directory, which ends the archive.
  mutating func end() throws(OutputError) {
    guard place + directory.count < Int(UInt32.max) else {
      throw .library("a workbook of more than 4 GB")
    }
    let size = directory.count
    Self.put(0x0605_4B50, 4, in: &directory)
    for (value, width) in [(0, 2), (0, 2), (count, 2), (count, 2), (size, 4), (place, 4), (0, 2)] {
      Self.put(value, width, in: &directory)
    }
    try file.write(directory)
  }

  /// Appends a number in so many bytes, lowest byte first.
  private static func put(_ value: Int, _ width: Int, in bytes: inout [UInt8]) {
    for place in 0..<width { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
  }
}
