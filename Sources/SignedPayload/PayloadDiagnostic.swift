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
  static func form(_ message: Wording) -> PayloadDiagnostic {
    PayloadDiagnostic(.form, message, help: "save the payload whole, as Apple sent it")
  }

  static func algorithm(found: Wording) -> PayloadDiagnostic {
    PayloadDiagnostic(
      .algorithm, "expected the algorithm ES256, found \(found)",
      help: "Apple signs with nothing else: find out who made this payload")
  }

  static func chain(_ message: Wording) -> PayloadDiagnostic {
    PayloadDiagnostic(
      .chain, message,
      help: """
        Apple's payloads chain to Apple Root CA - G3; add the root to trust_roots if you trust \
        another signer
        """)
  }

  static func oid(_ certificate: Wording, _ mark: String) -> PayloadDiagnostic {
    PayloadDiagnostic(
      .oid, "expected Apple's mark \(mark) on the \(certificate) certificate, found none",
      help: "the certificate was issued for another purpose: find out who made this payload")
  }

  static let signature = PayloadDiagnostic(
    .signature, "the signature is not that of this payload by the key of its leaf certificate",
    help: """
      it was changed after it was signed, or never signed by Apple: request it from Apple's server \
      again
      """)

  static let xcode = PayloadDiagnostic(
    .xcode, "signed by Xcode for local testing, not by Apple",
    help: "nothing was bought: leave it out")
}
