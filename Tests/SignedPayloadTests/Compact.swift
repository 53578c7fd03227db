import Billing
import Crypto
import Foundation

@testable import SignedPayload

/// A JWS in the making: three texts, any of which a test may replace.
struct Compact {
  var header: String
  var payload: String
  var signature: String

  var text: String { "\(header).\(payload).\(signature)" }

  /// What is signed.
  var input: Data { Data("\(header).\(payload)".utf8) }

  init(header: String, payload: String, signature: String) {
    self.header = header
    self.payload = payload
    self.signature = signature
  }

  init(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    self.init(header: parts[0], payload: parts[1], signature: parts[2])
  }

  /// Signs `payload` as the App Store does.
  init(
    _ payload: String = Self.payload, chain: [[UInt8]], key: P256.Signing.PrivateKey
  ) throws {
    try self.init(payload, headerText: Self.headerText(chain), key: key)
  }

  init(_ payload: String = Self.payload, headerText: String, key: P256.Signing.PrivateKey) throws {
    self.init(
      header: base64url(headerText.utf8), payload: base64url(payload.utf8), signature: "")
    try sign(with: key)
  }

  mutating func sign(with key: P256.Signing.PrivateKey) throws {
    signature = base64url(try key.signature(for: input).rawRepresentation)
  }

  static let payload = #"{"transactionId":"1000","signedDate":1687132800000}"#

  static func headerText(_ chain: [[UInt8]], algorithm: String = "ES256") -> String {
    let x5c = chain.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",")
    return "{\"alg\":\"\(algorithm)\",\"x5c\":[\(x5c)]}"
  }
}

func base64url(_ bytes: some Sequence<UInt8>) -> String {
  Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
    .replacing("=", with: "")
}

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
