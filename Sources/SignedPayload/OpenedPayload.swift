internal import Billing
internal import Crypto
internal import Foundation

/// A payload before anything about it is proven: what it says may be anybody's.
package struct OpenedPayload: Sendable {
  /// What was signed, decoded: the bytes of a JSON value.
  package let payload: [UInt8]
  /// The first segment as it came.
  let header: [UInt8]
  /// Of the first two segments and the point between them, which is what a signature is of; nil
  /// where the payload around this one is proven.
  let digest: SHA256Digest?
  let signature: [UInt8]
  /// Whether the signature is that of the header's key; nil where nobody has looked yet.
  var isSigned: Bool?
}

/// The three segments of a JWS in its compact form (RFC 7515).
struct Segments {
  private static let point = UInt8(ascii: ".")

  let header: UnsafeRawBufferPointer
  let payload: UnsafeRawBufferPointer
  let signature: UnsafeRawBufferPointer
  /// The first two and the point between them.
  private let signed: UnsafeRawBufferPointer

  /// Splits a JWS at its two points; throws where it has not just two.
  init(_ jws: UnsafeRawBufferPointer) throws(PayloadDiagnostic) {
    guard let first = Self.point(in: jws, from: 0),
      let last = Self.point(in: jws, from: first + 1),
      Self.point(in: jws, from: last + 1) == nil
    else {
      let count = jws.reduce(1) { $0 + ($1 == Self.point ? 1 : 0) }
      throw .form("@payload.expected-three-segments \(count)")
    }
    header = UnsafeRawBufferPointer(rebasing: jws[..<first])
    payload = UnsafeRawBufferPointer(rebasing: jws[(first + 1)..<last])
    signature = UnsafeRawBufferPointer(rebasing: jws[(last + 1)...])
    signed = UnsafeRawBufferPointer(rebasing: jws[..<last])
  }

  /// The offset of the first point from `start` on; nil where none follows. By a search of the
  /// system's: headers and payloads are long.
  private static func point(in jws: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = jws.baseAddress, start < jws.count else { return nil }
    return memchr(base + start, Int32(point), jws.count - start).map { UnsafeRawPointer($0) - base }
  }

  /// The digest that the signature is of: SHA-256 of the first two segments and the point.
  var digest: SHA256Digest {
    var hash = SHA256()
    hash.update(bufferPointer: signed)
    return hash.finalize()
  }
}

/// The bytes of a segment; throws where it is no base64url.
///
/// - Parameter name: what messages call the segment.
func decodeSegment(
  _ name: Wording, _ text: UnsafeRawBufferPointer
) throws(PayloadDiagnostic) -> [UInt8] {
  guard let bytes = Base64.url.decode(text) else {
    throw .form("@payload.is-not-base64url-without-padding \(name)")
  }
  return bytes
}
