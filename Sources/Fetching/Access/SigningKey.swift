import Crypto
import Foundation

/// The private key of an App Store Connect key, as its `.p8` file holds it: P-256, for ES256.
package struct SigningKey: Sendable {
  /// Why a file's content is no such key.
  package enum Fault: Error, Hashable, Sendable {
    /// No `-----BEGIN …-----` line, or no `-----END …-----` behind it.
    case noPEM
    /// PEM of something else, by its label: `CERTIFICATE`, `PUBLIC KEY`.
    case other(label: String)
    case encrypted
    /// A private key of another curve or algorithm.
    case notP256
    /// What stands between the lines is no base64, or no key.
    case damaged
  }

  private let key: P256.Signing.PrivateKey

  /// Reads the text of a `.p8` file; throws why it is no private key for ES256.
  package init(pem: String) throws(Fault) {
    let (label, der) = try Self.content(of: pem)
    switch label {
    case "PRIVATE KEY", "EC PRIVATE KEY": break
    case "ENCRYPTED PRIVATE KEY": throw .encrypted
    default: throw .other(label: label)
    }
    if let key = try? P256.Signing.PrivateKey(derRepresentation: der) {
      self.key = key
      return
    }
    // An ASN.1 sequence of a private key's version is a key, if none of ours.
    let isKey = der.count > 40 && der.first == 0x30 && der.prefix(8).contains(0x02)
    throw isKey ? .notP256 : .damaged
  }

  /// The first block of PEM: its label, such as `PRIVATE KEY`, and the bytes between its lines.
  private static func content(of pem: String) throws(Fault) -> (label: String, der: Data) {
    let lines = pem.split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") }),
      lines[begin].hasSuffix("-----"), lines[begin].count > 16
    else { throw .noPEM }
    let label = String(lines[begin].dropFirst(11).dropLast(5))
    guard let end = lines.firstIndex(of: "-----END \(label)-----"), end > begin else {
      throw .noPEM
    }
    guard let der = Data(base64Encoded: lines[(begin + 1)..<end].joined()), !der.isEmpty else {
      throw .damaged
    }
    return (label, der)
  }

  /// The signature of a text by ES256 (RFC 7518, 3.4): r and s, 32 bytes each. Apple answers DER
  /// with a plain 401.
  func signature(of text: String) throws -> Data {
    try key.signature(for: Data(text.utf8)).rawRepresentation
  }
}
