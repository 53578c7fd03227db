import CZlib
import Crypto
import Foundation

/// Whether the bytes that pass are whole gzip members one after another, and what they hold: a
/// report may be several members (header and rows apart, seen since 2018-12), and one that was cut
/// reads as fewer sales.
final class GzipCheck {
  private var stream = z_stream()
  private var isAtEnd = false
  private var isDamaged = false
  private var hash = SHA256()
  private var out = [UInt8](repeating: 0, count: 1 << 16)
  /// Of what was packed.
  private(set) var byteCount = 0

  init() {
    let gzipWindow: Int32 = 15 + 16
    let code = inflateInit2_(
      &stream, gzipWindow, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(code == Z_OK, "zlib refused to start")
  }

  deinit { inflateEnd(&stream) }

  /// Whether the last member ended with the last byte.
  var isWhole: Bool { isAtEnd && !isDamaged }

  /// Of what was packed.
  var sha256: [UInt8] { Array(hash.finalize()) }

  /// Looks at the next bytes of the file: unpacks them, and adds what they hold to the digest.
  func take(_ bytes: UnsafeRawBufferPointer) {
    guard !isDamaged, !bytes.isEmpty, let start = bytes.baseAddress else { return }
    stream.next_in = UnsafeMutablePointer(
      mutating: start.assumingMemoryBound(to: UInt8.self))
    stream.avail_in = UInt32(bytes.count)
    repeat {
      if isAtEnd, stream.avail_in > 0 {
        inflateReset(&stream)
        isAtEnd = false
      }
      let (code, count) = out.withUnsafeMutableBufferPointer { out in
        stream.next_out = out.baseAddress
        stream.avail_out = UInt32(out.count)
        let code = inflate(&stream, Z_NO_FLUSH)
        return (code, out.count - Int(stream.avail_out))
      }
      out.withUnsafeBytes {
        hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count]))
      }
      byteCount += count
      isAtEnd = code == Z_STREAM_END
      isDamaged = code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR
    } while !isDamaged && (stream.avail_in > 0 || stream.avail_out == 0)
  }
}

/// SHA-256 of what a gzip file holds; nil where it is not whole.
///
/// - Parameter read: fills the buffer with the file's next bytes; 0 at its end.
package func packedContentDigest(
  _ read: (UnsafeMutableRawBufferPointer) throws -> Int
) rethrows -> [UInt8]? {
  let check = GzipCheck()
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  defer { piece.deallocate() }
  while true {
    let count = try read(piece)
    if count == 0 { return check.isWhole ? check.sha256 : nil }
    check.take(UnsafeRawBufferPointer(rebasing: piece[..<count]))
  }
}
