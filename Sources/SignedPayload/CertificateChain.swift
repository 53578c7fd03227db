internal import Billing
internal import Crypto
internal import Foundation
internal import SwiftASN1
@_spi(FixedExpiryValidationTime) internal import X509

/// The certificates that a header brings, from the leaf to a root that is trusted. What depends on
/// no moment is settled when it is made.
final class CertificateChain: Sendable {
  /// Apple's mark of certificates that sign for the App Store.
  private static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
  /// Apple's mark of the intermediate authority for developers' services.
  private static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

  /// Of the leaf, which signs payloads.
  let key: P256.Signing.PublicKey
  private let leaf: Certificate
  private let intermediate: Certificate
  /// One of those that are trusted, never the one that the header brings.
  private let root: Certificate
  private let validities: [Validity]

  /// Makes a chain of three certificates, after the checks that need no point in time: who issued
  /// which, Apple's marks, and that the root is trusted. Throws at the first that fails. Whether
  /// each proves the next is left to ``brokenLink(at:)``.
  ///
  /// - Parameter encoded: leaf, intermediate and root as DER.
  init(_ encoded: [[UInt8]], trusting roots: [TrustedRoot]) throws(PayloadDiagnostic) {
    precondition(encoded.count == 3)
    leaf = try Self.certificate(encoded, 0)
    intermediate = try Self.certificate(encoded, 1)
    let last = try Self.certificate(encoded, 2)
    guard
      let root = roots.first(where: { $0.der == encoded[2] })
        ?? roots.first(where: { $0.isRenewed(as: last) })
    else { throw .chain("@payload.root-certificate-in-x5c-is") }
    self.root = root.certificate
    guard leaf.issuer == intermediate.subject, intermediate.issuer == last.subject else {
      throw .chain("@payload.expected-each-certificate-of-x5c")
    }
    try Self.checkMark(Self.leafMark, on: leaf, "@payload.leaf")
    try Self.checkMark(Self.intermediateMark, on: intermediate, "@payload.intermediate")
    guard let key = P256.Signing.PublicKey(leaf.publicKey) else {
      throw .chain("@payload.expected-the-leaf-certificate")
    }
    self.key = key
    validities = [
      Validity("@payload.leaf", leaf), Validity("@payload.intermediate", intermediate),
      Validity("@payload.root", last),
      Validity("@payload.trusted-root", root.certificate),
    ]
  }

  /// The certificate at an index of the three; throws where it cannot be read.
  private static func certificate(
    _ encoded: [[UInt8]], _ index: Int
  ) throws(PayloadDiagnostic) -> Certificate {
    guard let certificate = try? Certificate(derEncoded: encoded[index]) else {
      throw .chain("@payload.certificate-of-x5c-cannot \(index + 1)")
    }
    return certificate
  }

  /// Throws unless a certificate has Apple's mark; `name` is what messages call the certificate.
  private static func checkMark(
    _ mark: ASN1ObjectIdentifier, on certificate: Certificate, _ name: Wording
  ) throws(PayloadDiagnostic) {
    guard certificate.extensions.contains(where: { $0.oid == mark }) else {
      throw .oid(name, "\(mark)")
    }
  }

  /// Throws when a certificate was not valid at the moment of signing.
  func checkValidity(at moment: Instant) throws(PayloadDiagnostic) {
    for validity in validities { try validity.check(at: moment) }
  }

  /// A moment at which all certificates were valid; throws where there is none.
  func commonMoment() throws(PayloadDiagnostic) -> Instant {
    let moment = validities.map(\.first).reduce(validities[0].first, max)
    guard validities.allSatisfy({ moment <= $0.last }) else {
      throw .chain("@payload.certificates-of-x5c-were-never")
    }
    return moment
  }

  /// Why the certificates do not prove one another from the root to the leaf; nil when they do. The
  /// moment must lie in the validity of all certificates, and then does not change the answer.
  func brokenLink(at moment: Instant) -> PayloadDiagnostic? {
    let time = Date(timeIntervalSince1970: TimeInterval(moment.seconds))
    let (leaf, intermediate, root) = (leaf, intermediate, root)
    let result = awaited {
      var verifier = Verifier(rootCertificates: CertificateStore([root])) {
        RFC5280Policy(fixedExpiryValidationTime: time)
      }
      return await verifier.validate(leaf: leaf, intermediates: CertificateStore([intermediate]))
    }
    switch result {
    case .validCertificate(let chain):
      // It looks for any way to a root, and a shorter one leaves out the intermediate's mark.
      return Array(chain) == [leaf, intermediate, root]
        ? nil
        : .chain("@payload.expected-leaf-intermediate-and-root")
    case .couldNotValidate(let failures):
      return .chain(
        failures.isEmpty
          ? "@payload.certificate-of-x5c-was-not"
          : "@payload.certificates-of-x5c-break")
    }
  }
}

/// When a certificate is valid, both ends included.
private struct Validity: Sendable {
  let name: Wording
  let first: Instant
  let last: Instant

  init(_ name: Wording, _ certificate: Certificate) {
    self.name = name
    first = Instant(seconds: Int64(certificate.notValidBefore.timeIntervalSince1970))
    last = Instant(seconds: Int64(certificate.notValidAfter.timeIntervalSince1970))
  }

  /// Throws where the certificate was not valid at the moment of signing.
  func check(at moment: Instant) throws(PayloadDiagnostic) {
    guard moment < first || last < moment else { return }
    throw PayloadDiagnostic(
      .expired,
      "@payload.payload-was-signed \(shown(moment)) \(name) \(first) \(last)",
      help: "@payload.apple-signs-with-valid-certificates")
  }

  /// A moment as a message shows it. A payload may claim any moment, also one for which no calendar
  /// has a date.
  private func shown(_ moment: Instant) -> Wording {
    let dated = Instant(seconds: -62_135_596_800)...Instant(seconds: 253_402_300_799)
    return dated.contains(moment)
      ? Wording(verbatim: "\(moment)") : "@payload.second \(moment.seconds)"
  }
}
