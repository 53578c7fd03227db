import Crypto

/// Hashes of a file's inflated bytes, taken as they pass by: of all of them, and of the first
/// 64 KiB, which tell early whether the content may be known already.
struct ContentDigest {
  static let headSize = 65_536

  private(set) var byteCount = 0
  /// Lower-case hex, once the head has passed.
  private(set) var head: String?
  private var whole = SHA256()

  /// Adds the next bytes of the file.
  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    let missing = Self.headSize - byteCount
    if head == nil, bytes.count >= missing {
      whole.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[..<missing]))
      head = hexText(whole.finalize())
      whole.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[missing...]))
    } else {
      whole.update(bufferPointer: bytes)
    }
    byteCount += bytes.count
  }

  /// The SHA-256 in lower-case hex of all that has passed, and of what tells it apart.
  var sha256: String { hexText(whole.finalize()) }

  /// Adds a text to the digest of the whole, so that files of the same bytes get different digests.
  ///
  /// A report without rows, for example, has the same bytes on every day.
  ///
  /// - Parameter identity: what the file is of: its vendor, region and days.
  mutating func tellApart(_ identity: String) {
    var identity = identity
    identity.withUTF8 { whole.update(bufferPointer: UnsafeRawBufferPointer($0)) }
  }

  /// The SHA-256 of the first 64 KiB, or of all where there is less.
  var headSHA256: String { head ?? sha256 }
}

/// Bytes in lower-case hex.
func hexText(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  return String(decoding: text, as: UTF8.self)
}
