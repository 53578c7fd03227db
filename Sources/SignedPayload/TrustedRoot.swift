internal import SwiftASN1
internal import X509

/// A certificate at which a chain may end.
struct TrustedRoot: Sendable {
  let der: [UInt8]
  let certificate: Certificate

  /// Reads a certificate. Throws what the certificate's reader says.
  init(_ der: [UInt8]) throws {
    self.der = der
    certificate = try Certificate(derEncoded: der)
  }

  /// Whether `other` is a certificate of the same authority for the same key: authorities renew
  /// theirs, and servers go on sending the one that they have. Nothing else of `other` is trusted.
  func isRenewed(as other: Certificate) -> Bool {
    other.subject == certificate.subject && other.publicKey == certificate.publicKey
  }
}
