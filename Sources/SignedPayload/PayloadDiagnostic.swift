package import Billing

/// Why a payload is not taken as Apple's word; whoever reads it out of a file adds the place.
package struct PayloadDiagnostic: Error, Hashable, Sendable {
  /// The first thing that is wrong, in the order in which a payload is looked at.
  package enum Reason: String, Hashable, Sendable, CaseIterable {
    /// It is no JWS: not three segments, not base64url, or a header that is no plain JSON object.
    case form
    /// The header's `alg` is not ES256.
    case algorithm
    /// `x5c` is absent, holds another number of certificates than three or one that cannot be read,
    /// or does not lead from link to link to a trusted root.
    case chain
    /// Apple's mark is missing on the leaf or on the intermediate certificate.
    case oid
    /// A certificate was not valid at the moment of signing.
    case expired
    /// The signature is not the leaf's of this header and this payload.
    case signature
    /// Xcode signed it, with a certificate of its own, while an app was tested.
    case xcode
  }

  package var reason: Reason
  /// What was expected and what was found, in lower case without a full stop.
  package var message: Wording
  /// What to do about it.
  package var help: Wording

  package init(_ reason: Reason, _ message: Wording, help: Wording) {
    self.reason = reason
    self.message = message
    self.help = help
  }
}

extension PayloadDiagnostic {
  /// A payload that is no JWS, with what is wrong with its form.
  static func form(_ message: Wording) -> PayloadDiagnostic {
    PayloadDiagnostic(.form, message, help: "@payload.save-the-payload-whole")
  }

  /// A header that names another algorithm than ES256, or none.
  static func algorithm(found: Wording) -> PayloadDiagnostic {
    PayloadDiagnostic(
      .algorithm, "@payload.expected-the-algorithm-es256-found \(found)",
      help: "@payload.apple-signs-with-nothing-else")
  }

  /// Certificates that do not lead to a trusted root, with what is wrong with them.
  static func chain(_ message: Wording) -> PayloadDiagnostic {
    PayloadDiagnostic(
      .chain, message,
      help: "@payload.apple-payloads-chain-to-apple")
  }

  /// A certificate without the mark of Apple's that it should have.
  static func oid(_ certificate: Wording, _ mark: String) -> PayloadDiagnostic {
    PayloadDiagnostic(
      .oid, "@payload.expected-apple-mark \(mark) \(certificate)",
      help: "@payload.certificate-was-issued-for-another")
  }

  static let signature = PayloadDiagnostic(
    .signature, "@payload.signature-is-not",
    help: "@payload.it-was-changed-after")

  static let xcode = PayloadDiagnostic(
    .xcode, "@payload.signed-by-xcode-for-local",
    help: "@payload.nothing-was-bought-leave")
}
