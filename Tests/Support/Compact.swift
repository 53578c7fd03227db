package import Crypto
package import Foundation

/// A JWS in the making: three texts, any of which a test may replace.
package struct Compact {
  package var header: String
  package var payload: String
  package var signature: String

  package var text: String { "\(header).\(payload).\(signature)" }

  /// What is signed.
  package var input: Data { Data("\(header).\(payload)".utf8) }

  package init(header: String, payload: String, signature: String) {
    self.header = header
    self.payload = payload
    self.signature = signature
  }

  package init(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    self.init(header: parts[0], payload: parts[1], signature: parts[2])
  }

  /// Signs `payload` as the App Store does.
  package init(
    _ payload: String = Self.payload, chain: [[UInt8]], key: P256.Signing.PrivateKey
  ) throws {
    try self.init(payload, headerText: Self.headerText(chain), key: key)
  }

  package init(_ payload: String = Self.payload, headerText: String, key: P256.Signing.PrivateKey)
    throws
  {
    self.init(
      header: base64url(headerText.utf8), payload: base64url(payload.utf8), signature: "")
    try sign(with: key)
  }

  package mutating func sign(with key: P256.Signing.PrivateKey) throws {
    signature = base64url(try key.signature(for: input).rawRepresentation)
  }

  package static let payload = #"{"transactionId":"1000","signedDate":1687132800000}"#

  package static func headerText(_ chain: [[UInt8]], algorithm: String = "ES256") -> String {
    let x5c = chain.map { "\"\(Data($0).base64EncodedString())\"" }.joined(separator: ",")
    return "{\"alg\":\"\(algorithm)\",\"x5c\":[\(x5c)]}"
  }
}

/// Without padding.
package func base64url(_ bytes: some Sequence<UInt8>) -> String {
  String(decoding: base64urlBytes(bytes), as: UTF8.self)
}

package func base64urlBytes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
  Data(bytes).base64EncodedData().filter { $0 != 0x3D }.map {
    $0 == 0x2B ? 0x2D : $0 == 0x2F ? 0x5F : $0
  }
}
