import Billing
import Support

@testable import SignedPayload

extension PayloadVerifier {
  /// Opens and verifies: nil when it is proven.
  mutating func refusal(_ jws: String, at moment: Instant = Authority.moment) -> PayloadDiagnostic?
  {
    do throws(PayloadDiagnostic) {
      let opened = try open(jws)
      try verify(opened, signedAt: moment)
      return nil
    } catch {
      return error
    }
  }

  mutating func open(_ jws: String) throws(PayloadDiagnostic) -> OpenedPayload {
    let bytes = Array(jws.utf8)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(PayloadDiagnostic) in try open(bytes) }
    }
    return try result.get()
  }
}
