import Foundation
import Synchronization

/// Makes the tokens by which Apple knows a key, and uses each for as long as it holds.
///
/// "App Store Connect API: Generating Tokens for API Requests" and "App Store Server API:
/// Generating JSON Web Tokens for API requests", read 2026-11-22: the same form; the second names
/// the app as well.
package final class TokenSource: Sendable {
  /// What a token says of whom it is for.
  package struct Claims: Hashable, Sendable {
    package var keyID: String
    package var issuerID: String
    /// Of keys for in-app purchases; nil for App Store Connect.
    package var bundleID: String?
    /// Seconds from `iat` to `exp`. Apple takes 20 minutes at most; with a purchase key an hour
    /// gave stray refusals.
    package var lifetime: Int64

    package init(keyID: String, issuerID: String, bundleID: String? = nil, lifetime: Int64) {
      self.keyID = keyID
      self.issuerID = issuerID
      self.bundleID = bundleID
      self.lifetime = lifetime
    }
  }

  private struct Token {
    var text: String
    var expiresAt: Int64
  }

  /// Seconds before its end when a token is used no more: a request may wait in line.
  private static let margin: Int64 = 60
  /// Seconds by which a token begins before it is made: Apple's clock may be a little behind.
  private static let early: Int64 = 30

  private let key: SigningKey
  private let claims: Claims
  private let current = Mutex<Token?>(nil)

  package init(key: SigningKey, claims: Claims) {
    self.key = key
    self.claims = claims
  }

  /// The token in use, or a new one where it is about to end.
  ///
  /// - Parameter now: Unix seconds by Apple's clock.
  package func token(at now: Int64) throws -> String {
    try current.withLock { current in
      if let current, now < current.expiresAt - Self.margin,
        now >= current.expiresAt - claims.lifetime
      {
        return current.text
      }
      let begin = now - Self.early
      let token = Token(
        text: try signed(from: begin, to: begin + claims.lifetime),
        expiresAt: begin + claims.lifetime)
      current = token
      return token.text
    }
  }

  /// Gives up a token that Apple refused, so that the next call of ``token(at:)`` makes a new one;
  /// another thread may have done so meanwhile.
  func discard(_ token: String) {
    current.withLock { if $0?.text == token { $0 = nil } }
  }

  /// A signed token that holds from `begin` to `end`, in Unix seconds.
  private func signed(from begin: Int64, to end: Int64) throws -> String {
    let header = #"{"alg":"ES256","kid":\#(quoted(claims.keyID)),"typ":"JWT"}"#
    var body = #"{"iss":\#(quoted(claims.issuerID)),"iat":\#(begin),"exp":\#(end)"#
    body += #","aud":"appstoreconnect-v1""#
    if let bundleID = claims.bundleID { body += #","bid":\#(quoted(bundleID))"# }
    let text = Self.base64URL(Data(header.utf8)) + "." + Self.base64URL(Data((body + "}").utf8))
    return text + "." + Self.base64URL(try key.signature(of: text))
  }

  /// Bytes as a JWT writes them: base64 for addresses, without padding.
  private static func base64URL(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }
}

/// A text in quotation marks as JSON has it.
func quoted(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"", "\\": quoted += "\\" + String(scalar)
    case "\u{0}"..<"\u{20}":
      let digits = String(scalar.value, radix: 16)
      quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
