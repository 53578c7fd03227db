package import Billing
internal import SwiftASN1
internal import X509

/// A file in which there is no certificate to trust.
package struct UnreadableCertificate: Error, Hashable, Sendable {
  /// What was expected and what was found, in lower case without a full stop.
  package var message: Wording
  /// What to do about it.
  package var help: Wording
}

/// The certificates of a PEM file, or the one of a DER file, as DER.
///
/// In PEM there may be other text around the certificates, as tools write it. Throws
/// ``UnreadableCertificate`` when there is none, or one that cannot be read.
package func certificates(
  inFile bytes: [UInt8]
) throws(UnreadableCertificate) -> [[UInt8]] {
  let text = String(decoding: bytes, as: UTF8.self)
  guard text.contains("-----BEGIN ") else {
    try check(bytes, "@payload.file-is-neither-a-pem")
    return [bytes]
  }
  let certificates = try pemBlocks(text)
  guard !certificates.isEmpty else {
    throw UnreadableCertificate(
      message: "@payload.expected-a-block-begin-certificate",
      help: text.contains("PRIVATE KEY-----")
        ? "@payload.private-key-proves-nothing-name"
        : "@payload.name-the-file")
  }
  return certificates
}

/// The DER of each certificate in a PEM text; throws where one cannot be read or does not end.
private func pemBlocks(_ text: String) throws(UnreadableCertificate) -> [[UInt8]] {
  var certificates: [[UInt8]] = []
  var base64: [UInt8]?
  for line in text.split(whereSeparator: \.isNewline) {
    if line.contains("-----BEGIN CERTIFICATE-----") {
      base64 = []
    } else if line.contains("-----END CERTIFICATE-----"), let text = base64 {
      let message: Wording = "@payload.certificate-of-the-file-is \(certificates.count + 1)"
      let bytes = text.withUnsafeBytes { Base64.standard.decode($0) }
      try check(bytes ?? [], message)
      certificates.append(bytes ?? [])
      base64 = nil
    } else {
      base64?.append(contentsOf: line.utf8.filter { $0 > 0x20 })
    }
  }
  guard base64 == nil else {
    throw UnreadableCertificate(
      message: "@payload.last-certificate-has-no-line",
      help: "@payload.file-was-cut-short-copy")
  }
  return certificates
}

/// Throws `message` where bytes are no certificate.
private func check(_ der: [UInt8], _ message: Wording) throws(UnreadableCertificate) {
  guard (try? Certificate(derEncoded: der)) != nil else {
    throw UnreadableCertificate(
      message: message, help: "@payload.save-the-root-certificate")
  }
}
