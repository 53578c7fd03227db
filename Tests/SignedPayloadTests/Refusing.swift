import Billing
import Support

@testable import SignedPayload

extension PayloadVerifier {
  /// Opens and verifies: nil when it is proven.
  mutating func refusal(_ jws: String, at moment: Instant = Authority.moment) -> Refusal? {
    do throws(Refusal) {
      let opened = try open(jws)
      try verify(opened, signedAt: moment)
      return nil
    } catch {
      return error
    }
  }

  mutating func open(_ jws: String) throws(Refusal) -> OpenedPayload {
    let bytes = Array(jws.utf8)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Refusal) in try open(bytes) }
    }
    return try result.get()
  }
}
