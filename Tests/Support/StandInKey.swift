package import Crypto
import Foundation

/// A key as App Store Connect gives them out, always the same one.
package enum StandInKey {
  package static let privateKey = make()

  /// As a `.p8` file has it.
  package static var pem: String { privateKey.pemRepresentation + "\n" }
  package static var publicPEM: String { privateKey.publicKey.pemRepresentation + "\n" }

  /// A token whose parts are these texts; its signature is what Apple takes, or DER, which it
  /// refuses.
  package static func token(header: String, claims: String, isDER: Bool = false) throws -> String {
    func encoded(_ data: Data) -> String {
      data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
    }
    let text = encoded(Data(header.utf8)) + "." + encoded(Data(claims.utf8))
    let signature = try privateKey.signature(for: Data(text.utf8))
    return text + "."
      + encoded(isDER ? signature.derRepresentation : signature.rawRepresentation)
  }

  private static func make() -> P256.Signing.PrivateKey {
    let bytes = [UInt8](1...32)
    guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else {
      preconditionFailure("32 bytes below the curve's order are a key")
    }
    return key
  }
}

/// SHA-256 of a text, in lower-case hex.
package func sha256Hex(_ text: String) -> String {
  SHA256.hash(data: Data(text.utf8)).map {
    let digits = String($0, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }.joined()
}
