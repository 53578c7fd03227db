import Billing
import CZlib

/// Bytes of an archive's part, deflated without looking back at those before them.
struct DeflatedPart: Sendable {
  private(set) var bytes: [UInt8] = []
  /// Bytes before they were deflated.
  private(set) var size = 0
  /// Their checksum.
  private(set) var sum = crc32(0, nil, 0)
  /// The checksum of ``bytes``.
  private(set) var packedSum = crc32(0, nil, 0)

  /// No bytes.
  init() {}

  /// Deflates bytes.
  ///
  /// - Parameter isLast: whether the part ends with these bytes.
  init(_ content: UnsafeRawBufferPointer, isLast: Bool = false) {
    let first = content.assumingMemoryBound(to: UInt8.self).baseAddress
    size = content.count
    sum = crc32(sum, first, UInt32(size))
    var stream = z_stream()
    // The library's sixth level takes three times as long for a fifth less, and with more memory it
    // leaves the processor's cache: a fifth slower, for nothing.
    let (level, isRaw, memory): (Int32, Int32, Int32) = (2, -15, 7)
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, isRaw, memory, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { fatalError("out of memory") }
    defer { deflateEnd(&stream) }
    stream.next_in = UnsafeMutablePointer(mutating: first)
    stream.avail_in = UInt32(size)
    bytes.reserveCapacity(size / 6 + 64)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { piece in
      repeat {
        stream.next_out = piece.baseAddress
        stream.avail_out = UInt32(piece.count)
        let outcome = deflate(&stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
        bytes += piece[..<(piece.count - Int(stream.avail_out))]
        let isEnded = outcome == Z_STREAM_END
        precondition(outcome == Z_OK || outcome == Z_BUF_ERROR || isEnded && isLast)
      } while stream.avail_out == 0
    }
    // Nothing unpacks these bytes again; blocks follow one another at whole bytes.
    let end = bytes[max(0, bytes.count - 4)...]
    precondition(stream.avail_in == 0 && (isLast || end.elementsEqual([0, 0, 0xFF, 0xFF])))
    packedSum = crc32(packedSum, bytes, UInt32(bytes.count))
  }

  init(_ content: [UInt8], isLast: Bool = false) {
    self = content.withUnsafeBytes { DeflatedPart($0, isLast: isLast) }
  }
}
