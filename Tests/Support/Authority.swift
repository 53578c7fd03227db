package import Billing
package import Crypto
import Foundation
import SwiftASN1
package import X509

/// A certificate authority that stands in for Apple's: root, intermediate and leaf with Apple's
/// marks, sound unless told otherwise.
package struct Authority {
  /// In the name of each certificate.
  package var owner = "Test"
  /// Years 2022 to 2023, 2021 to 2030 and 2020 to 2040.
  package var leafSpan = Day.span("2022-01-01", "2024-01-01")
  package var intermediateSpan = Day.span("2021-01-01", "2031-01-01")
  package var rootSpan = Day.span("2020-01-01", "2041-01-01")
  /// The last number of the mark on leaf and intermediate; nil for none.
  package var leafMark: UInt? = 1
  package var intermediateMark: UInt? = 1
  package var intermediateIsAuthority = true
  package var rootKey: P256.Signing.PrivateKey
  package var intermediateKey: P256.Signing.PrivateKey
  package var leafKey: P256.Signing.PrivateKey
  /// Signs the certificates where another than the owner of the issuing one does.
  package var rootIssuer: P256.Signing.PrivateKey?
  package var intermediateIssuer: P256.Signing.PrivateKey?
  package var leafIssuer: P256.Signing.PrivateKey?
  package var leafPublicKey: Certificate.PublicKey?

  package init(
    rootKey: P256.Signing.PrivateKey = key(1), intermediateKey: P256.Signing.PrivateKey = key(2),
    leafKey: P256.Signing.PrivateKey = key(3)
  ) {
    self.rootKey = rootKey
    self.intermediateKey = intermediateKey
    self.leafKey = leafKey
  }

  /// A moment at which all of it is valid by default.
  package static let moment = Day.start("2023-06-19")

  /// A key that is the same in every run.
  package static func key(_ number: UInt8) -> P256.Signing.PrivateKey {
    let scalar = [UInt8](repeating: 7, count: 31) + [number]
    guard let key = try? P256.Signing.PrivateKey(rawRepresentation: scalar) else {
      preconditionFailure("no key \(number)")
    }
    return key
  }

  private func name(_ text: String) throws -> DistinguishedName {
    try DistinguishedName {
      CommonName("\(owner) \(text)")
      OrganizationName(owner)
    }
  }

  private static func mark(_ number: UInt?, _ arc: UInt) -> Certificate.Extension? {
    number.map {
      Certificate.Extension(
        oid: [1, 2, 840, 113_635, 100, 6, arc, $0], critical: false, value: [5, 0])
    }
  }

  package func root() throws -> [UInt8] {
    try certificate(
      "Root", issuer: "Root", rootSpan, Certificate.PublicKey(rootKey.publicKey),
      signedBy: rootIssuer ?? rootKey, isAuthority: true, mark: nil)
  }

  package func intermediate() throws -> [UInt8] {
    try certificate(
      "Intermediate", issuer: "Root", intermediateSpan,
      Certificate.PublicKey(intermediateKey.publicKey), signedBy: intermediateIssuer ?? rootKey,
      isAuthority: intermediateIsAuthority, mark: Self.mark(intermediateMark, 2))
  }

  package func leaf() throws -> [UInt8] {
    try certificate(
      "Leaf", issuer: "Intermediate", leafSpan,
      leafPublicKey ?? Certificate.PublicKey(leafKey.publicKey),
      signedBy: leafIssuer ?? intermediateKey, isAuthority: false, mark: Self.mark(leafMark, 11))
  }

  /// A certificate as text, as `trust_roots` takes it.
  package static func pem(_ certificate: [UInt8]) throws -> String {
    try Certificate(derEncoded: certificate).serializeAsPEM().pemString + "\n"
  }

  /// Leaf, intermediate, root.
  package func chain() throws -> [[UInt8]] { [try leaf(), try intermediate(), try root()] }

  private func certificate(
    _ subject: String, issuer: String, _ span: ClosedRange<Instant>, _ key: Certificate.PublicKey,
    signedBy issuerKey: P256.Signing.PrivateKey, isAuthority: Bool, mark: Certificate.Extension?
  ) throws -> [UInt8] {
    var extensions = try Certificate.Extensions {
      Critical(
        isAuthority
          ? BasicConstraints.isCertificateAuthority(maxPathLength: nil)
          : BasicConstraints.notCertificateAuthority)
    }
    if let mark { try extensions.append(mark) }
    let certificate = try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(1), publicKey: key,
      notValidBefore: Date(timeIntervalSince1970: TimeInterval(span.lowerBound.seconds)),
      notValidAfter: Date(timeIntervalSince1970: TimeInterval(span.upperBound.seconds)),
      issuer: name(issuer), subject: name(subject),
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(issuerKey))
    var serializer = DER.Serializer()
    try serializer.serialize(certificate)
    return serializer.serializedBytes
  }
}

extension Day {
  package static func start(_ text: String) -> Instant {
    guard let day = Day(text) else { preconditionFailure("no day \(text)") }
    return day.startUTC
  }

  package static func span(_ first: String, _ last: String) -> ClosedRange<Instant> {
    start(first)...start(last)
  }
}
