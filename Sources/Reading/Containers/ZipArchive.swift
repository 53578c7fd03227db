internal import Billing
internal import CZlib

/// The members of a zip archive, by its central directory.
package struct ZipArchive {
  /// Reads `count` bytes from `offset` on; fewer only at the end.
  package typealias Source = (_ offset: Int, _ count: Int) throws -> [UInt8]

  package let members: [ZipMember]

  /// Whether a file begins as archives do.
  package static func begins(_ head: [UInt8]) -> Bool { head.starts(with: [0x50, 0x4B, 3, 4]) }

  /// Reads the central directory of an archive of `size` bytes.
  ///
  /// - Throws: a diagnostic for an archive that is damaged, or larger than the plain format knows.
  package init(file: String, size: Int, source: Source) throws {
    /// A diagnostic about the archive as a whole.
    func wrong(_ message: Wording, help: Wording) -> Diagnostic {
      Diagnostic(topic: "zip", at: SourceLocation(file: file), message, help: help)
    }
    let damaged = wrong(
      "@container.archive-ends-early-or-is", help: "@container.download-or-pack-it-again")
    let tailSize = min(size, 65_557)
    let tail = try source(size - tailSize, tailSize)
    let mark: [UInt8] = [0x50, 0x4B, 5, 6]
    guard
      let end = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
        tail[$0...].starts(with: mark)
      })
    else { throw damaged }
    let fields = Fields(tail)
    let count = fields.short(end + 10)
    let length = fields.long(end + 12)
    let start = fields.long(end + 16)
    guard count != 0xFFFF, length != 0xFFFF_FFFF, start != 0xFFFF_FFFF else {
      throw wrong(
        "@container.archive-has-the-form", help: "@shared.unpack-it-and-import")
    }
    guard start + length <= size, length <= Self.directoryLimit else { throw damaged }
    let directory = try source(start, length)
    guard directory.count == length else { throw damaged }
    var members: [ZipMember] = []
    members.reserveCapacity(count)
    var place = 0
    let entries = Fields(directory)
    for _ in 0..<count {
      guard place + 46 <= length, directory[place...].starts(with: [0x50, 0x4B, 1, 2]) else {
        throw damaged
      }
      let nameLength = entries.short(place + 28)
      let next = place + 46 + nameLength + entries.short(place + 30) + entries.short(place + 32)
      guard next <= length else { throw damaged }
      members.append(
        ZipMember(
          archive: file,
          name: String(decoding: directory[place + 46..<place + 46 + nameLength], as: UTF8.self),
          flags: entries.short(place + 8), method: entries.short(place + 10),
          checksum: UInt32(entries.long(place + 16)), packedSize: entries.long(place + 20),
          size: entries.long(place + 24), headerOffset: entries.long(place + 42)))
      place = next
    }
    self.members = members
  }

  /// Bytes of a directory that are held at once.
  private static let directoryLimit = 64 << 20
}

/// Numbers in an archive's tables, little-endian.
private struct Fields {
  let bytes: [UInt8]
  init(_ bytes: [UInt8]) { self.bytes = bytes }
  /// The number that the two bytes at `place` are.
  func short(_ place: Int) -> Int { Int(bytes[place]) | Int(bytes[place + 1]) << 8 }
  /// The number that the four bytes at `place` are.
  func long(_ place: Int) -> Int { short(place) | short(place + 2) << 16 }
}

/// A file in a zip archive.
package struct ZipMember: Hashable, Sendable {
  package let archive: String
  package let name: String
  fileprivate let flags: Int
  fileprivate let method: Int
  fileprivate let checksum: UInt32
  fileprivate let packedSize: Int
  /// In bytes, unpacked.
  package let size: Int
  fileprivate let headerOffset: Int

  package var isFolder: Bool { name.hasSuffix("/") }

  /// The member's bytes, unpacked as they are asked for, and checked at their end.
  ///
  /// - Throws: a diagnostic for a member that is encrypted, packed otherwise, or damaged.
  package func bytes(_ source: @escaping ZipArchive.Source) throws -> ByteSource {
    let unpacker = try ZipUnpacker(self, dataOffset: dataOffset(source), source)
    return unpacker.read(into:)
  }

  /// Where in the archive the member's packed bytes begin; throws a diagnostic of a member that is
  /// encrypted, packed otherwise, or damaged.
  private func dataOffset(_ source: ZipArchive.Source) throws -> Int {
    guard flags & 1 == 0 else {
      throw wrong(
        "@container.file-in-the-archive-is-encrypted",
        help: "@container.unpack-it-with-its-password")
    }
    guard method == 0 || method == 8 else {
      throw wrong(
        "@container.file-in-the-archive-is-packed \(method)",
        help: "@container.unpack-it-and-import")
    }
    let header = try source(headerOffset, 30)
    guard header.count == 30, header.starts(with: [0x50, 0x4B, 3, 4]) else { throw damaged }
    let fields = Fields(header)
    return headerOffset + 30 + fields.short(26) + fields.short(28)
  }

  /// A diagnostic about the member.
  fileprivate func wrong(_ message: Wording, help: Wording) -> Diagnostic {
    Diagnostic(topic: "zip", at: SourceLocation(file: "\(archive)/\(name)"), message, help: help)
  }

  fileprivate var damaged: Diagnostic {
    wrong("@container.file-in-the-archive-is", help: "@container.download-or-pack-the-archive")
  }

  fileprivate var packed: Int { packedSize }
  fileprivate var isStored: Bool { method == 0 }
  fileprivate var sum: UInt32 { checksum }
}

/// Unpacks one member, and checks its size and checksum at its end.
private final class ZipUnpacker {
  private let member: ZipMember
  private let source: ZipArchive.Source
  private var offset: Int
  private var left: Int
  private var input: [UInt8] = []
  private var next = 0
  private let stream: UnsafeMutablePointer<z_stream>
  private var sum: UInt = 0
  private var count = 0
  private var hasEnded = false

  /// Begins at the member's first packed byte, which is at `dataOffset` in the archive.
  init(_ member: ZipMember, dataOffset: Int, _ source: @escaping ZipArchive.Source) throws {
    self.member = member
    self.source = source
    offset = dataOffset
    left = member.packed
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let rawDeflate: Int32 = -15
    let status = inflateInit2_(
      stream, rawDeflate, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(status == Z_OK, "zlib does not start")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Fills `output` with unpacked bytes, fewer only at the member's end; returns their count.
  func read(into output: UnsafeMutableRawBufferPointer) throws -> Int {
    var filled = 0
    while filled < output.count, !hasEnded {
      let rest = UnsafeMutableRawBufferPointer(rebasing: output[filled...])
      filled += try member.isStored ? copy(into: rest) : inflate(into: rest)
      if count + filled > member.size { throw member.damaged }
    }
    let bytes = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    sum = crc32(sum, bytes, UInt32(filled))
    count += filled
    if hasEnded, filled == 0 || filled < output.count {
      guard count == member.size, UInt32(truncatingIfNeeded: sum) == member.sum else {
        throw member.damaged
      }
    }
    return filled
  }

  /// Reads more packed bytes once all were used; false at their end.
  private func readPacked() throws -> Bool {
    if next < input.count { return true }
    guard left > 0 else { return false }
    input = try source(offset, min(left, 1 << 18))
    guard !input.isEmpty else { throw member.damaged }
    next = 0
    offset += input.count
    left -= input.count
    return true
  }

  /// Puts bytes of a member that is not packed into `output`; returns how many.
  private func copy(into output: UnsafeMutableRawBufferPointer) throws -> Int {
    guard try readPacked() else {
      hasEnded = true
      return 0
    }
    let length = min(output.count, input.count - next)
    output.copyBytes(from: input[next..<next + length])
    next += length
    return length
  }

  /// Puts unpacked bytes of a member into `output`; returns how many.
  private func inflate(into output: UnsafeMutableRawBufferPointer) throws -> Int {
    // With all input taken there may be output left.
    _ = try readPacked()
    return try input.withUnsafeMutableBytes { input in
      let base = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.next_in = base.map { $0 + next }
      stream.pointee.avail_in = UInt32(input.count - next)
      stream.pointee.next_out = output.baseAddress!.assumingMemoryBound(to: UInt8.self)
      let room = min(output.count, 1 << 30)
      stream.pointee.avail_out = UInt32(room)
      let status = CZlib.inflate(stream, Z_NO_FLUSH)
      let taken = input.count - next - Int(stream.pointee.avail_in)
      let made = room - Int(stream.pointee.avail_out)
      next += taken
      if status == Z_STREAM_END { hasEnded = true }
      guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR,
        hasEnded || taken > 0 || made > 0
      else { throw member.damaged }
      return made
    }
  }
}
