import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate authority that stands in for Apple's, made on the spot: a root, an intermediate
/// and a leaf with Apple's marker extensions.
///
/// Keys grow from the seed and are never written; serials and validity are fixed. ECDSA signatures
/// are random by nature, so certificates and signed payloads differ from run to run in those.
struct TestAuthority {
  /// What `trust_roots` has to name.
  static let fileName = "apple-test-root.pem"

  let rootPEM: String
  private let leafKey: P256.Signing.PrivateKey
  /// The first segment of every signed payload, with its dot.
  private let header: [UInt8]

  /// - Throws: errors of the certificate library; none are known to happen.
  init(seed: UInt64) throws {
    var random = RandomNumbers(seed: seed ^ 0xCE47)
    let rootKey = Self.key(&random)
    let intermediateKey = Self.key(&random)
    leafKey = Self.key(&random)
    let rootName = try Self.name("Tieout Test Root CA")
    let intermediateName = try Self.name("Tieout Test Intermediate CA")
    let root = try Self.certificate(
      1, of: rootKey, rootName, by: rootKey, rootName, isAuthority: true)
    let intermediate = try Self.certificate(
      2, of: intermediateKey, intermediateName, by: rootKey, rootName, isAuthority: true,
      marker: [1, 2, 840, 113_635, 100, 6, 2, 1])
    let leaf = try Self.certificate(
      3, of: leafKey, try Self.name("Tieout Test Receipt Signing"), by: intermediateKey,
      intermediateName, isAuthority: false, marker: [1, 2, 840, 113_635, 100, 6, 11, 1])
    rootPEM = try root.serializeAsPEM().pemString + "\n"
    var json = JSONText()
    try json.object { header in
      header.put("alg", "ES256")
      try header.array("x5c") { chain in
        for certificate in [leaf, intermediate, root] {
          var serializer = DER.Serializer()
          try serializer.serialize(certificate)
          chain.element(Array(Data(serializer.serializedBytes).base64EncodedString().utf8))
        }
      }
    }
    header = Self.base64URL(json.bytes) + [0x2E]
  }

  /// The payload as a compact JWS: ES256, r and s raw.
  ///
  /// - Throws: errors of the cryptography library; none are known to happen.
  func signed(_ payload: [UInt8]) throws -> [UInt8] {
    var jws = header + Self.base64URL(payload)
    let signature = try leafKey.signature(for: jws).rawRepresentation
    jws.append(0x2E)
    jws += Self.base64URL(Array(signature))
    return jws
  }

  private static func key(_ random: inout RandomNumbers) -> P256.Signing.PrivateKey {
    while true {
      let bytes = (0..<4).flatMap { _ in
        let word = random.next()
        return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
      }
      // Hardly any number is no key: those from the curve's order on.
      if let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) { return key }
    }
  }

  private static func name(_ common: String) throws -> DistinguishedName {
    try DistinguishedName {
      CommonName(common)
      OrganizationName("Tieout Test")
    }
  }

  private static func certificate(
    _ serial: Int64, of key: P256.Signing.PrivateKey, _ subject: DistinguishedName,
    by issuerKey: P256.Signing.PrivateKey, _ issuer: DistinguishedName, isAuthority: Bool,
    marker: ASN1ObjectIdentifier? = nil
  ) throws -> Certificate {
    let null: ArraySlice<UInt8> = [5, 0]
    let extensions = try Certificate.Extensions {
      if isAuthority {
        Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
        Critical(KeyUsage(keyCertSign: true, cRLSign: true))
      } else {
        Critical(BasicConstraints.notCertificateAuthority)
        Critical(KeyUsage(digitalSignature: true))
      }
      if let marker { Certificate.Extension(oid: marker, critical: false, value: null) }
    }
    // From 2020-01-01 to 2040-01-01.
    return try Certificate(
      version: .v3, serialNumber: Certificate.SerialNumber(serial),
      publicKey: Certificate.PublicKey(key.publicKey),
      notValidBefore: Date(timeIntervalSince1970: 1_577_836_800),
      notValidAfter: Date(timeIntervalSince1970: 2_208_988_800), issuer: issuer, subject: subject,
      signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions,
      issuerPrivateKey: Certificate.PrivateKey(issuerKey))
  }

  /// Without padding.
  static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
    var text = Array(Data(bytes).base64EncodedData())
    while text.last == 0x3D { text.removeLast() }
    text.withUnsafeMutableBufferPointer { text in
      for index in text.indices {
        if text[index] == 0x2B { text[index] = 0x2D }
        if text[index] == 0x2F { text[index] = 0x5F }
      }
    }
    return text
  }
}
