import Crypto
import Foundation
import Support
import Testing

@testable import Fetching

/// Goal: Apple takes each token. Method: tokens verified by the public key, and their parts read as
/// JSON; keys of every other kind refused by name.
@Suite struct TokenTests {
  private static let claims = TokenSource.Claims(
    keyID: "2X9R4HXF34", issuerID: "57246542-96fe-1a63-e053-0824d011072a", lifetime: 900)

  private func source(_ claims: TokenSource.Claims = Self.claims) throws -> TokenSource {
    TokenSource(key: try SigningKey(pem: StandInKey.pem), claims: claims)
  }

  private func decoded(_ part: Substring) throws -> Data {
    let text = String(part).replacing("-", with: "+").replacing("_", with: "/")
    let padded = text + String(repeating: "=", count: (4 - text.count % 4) % 4)
    return try #require(Data(base64Encoded: padded))
  }

  private struct Header: Decodable, Equatable {
    var alg, kid, typ: String
  }

  private struct Body: Decodable, Equatable {
    var iss, aud: String
    var bid: String?
    var iat, exp: Int64
  }

  private func header(_ part: Substring) throws -> Header {
    try JSONDecoder().decode(Header.self, from: decoded(part))
  }

  private func body(_ part: Substring) throws -> Body {
    try JSONDecoder().decode(Body.self, from: decoded(part))
  }

  @Test func `a token of reports has these claims, and a raw signature that verifies`() throws {
    let now: Int64 = 1_688_000_000
    let parts = try source().token(at: now).split(separator: ".")
    try #require(parts.count == 3)
    #expect(try header(parts[0]) == Header(alg: "ES256", kid: "2X9R4HXF34", typ: "JWT"))
    let body = Body(
      iss: "57246542-96fe-1a63-e053-0824d011072a", aud: "appstoreconnect-v1", bid: nil,
      iat: now - 30, exp: now + 870)
    #expect(try self.body(parts[1]) == body)
    let bytes = try decoded(parts[2])
    #expect(bytes.count == 64, "DER would be longer")
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: bytes)
    let text = Data("\(parts[0]).\(parts[1])".utf8)
    #expect(StandInKey.privateKey.publicKey.isValidSignature(signature, for: text))
    #expect(
      !StandInKey.privateKey.publicKey.isValidSignature(signature, for: text + Data([0])))
  }

  @Test func `a token of purchases names the app, and lasts five minutes`() throws {
    var claims = Self.claims
    (claims.bundleID, claims.lifetime) = ("com.example.\"game\"", 300)
    let parts = try source(claims).token(at: 1_688_000_000).split(separator: ".")
    let body = try body(parts[1])
    #expect(body.bid == "com.example.\"game\"")
    #expect(body.exp == 1_688_000_270 && body.iat == 1_687_999_970)
  }

  @Test func `a token is used until shortly before its end, and no longer once it is refused`()
    throws
  {
    let source = try source()
    let first = try source.token(at: 1_000_000)
    #expect(try source.token(at: 1_000_809) == first)
    let second = try source.token(at: 1_000_810)
    #expect(second != first)
    source.discard(first)
    #expect(try source.token(at: 1_000_811) == second, "another's refusal is of another token")
    source.discard(second)
    #expect(try source.token(at: 1_000_811) != second)
  }

  /// A clock that is set back would make of a token one that has not begun.
  @Test func `a clock that goes back makes a new token`() throws {
    let source = try source()
    let first = try source.token(at: 1_000_000)
    #expect(try source.token(at: 999_900) != first)
  }

  @Test func `what is no P-256 key is refused by what it is`() {
    func fault(_ pem: String) -> SigningKey.Fault? {
      do throws(SigningKey.Fault) {
        _ = try SigningKey(pem: pem)
        return nil
      } catch { return error }
    }
    #expect(fault(StandInKey.pem.replacing("\n", with: "\r\n")) == nil)
    #expect(fault("Bag Attributes\n" + StandInKey.pem) == nil)
    #expect(fault("") == .noPEM)
    #expect(fault("2X9R4HXF34") == .noPEM)
    #expect(fault(String(StandInKey.pem.dropLast(10))) == .noPEM)
    #expect(fault(StandInKey.publicPEM) == .other(label: "PUBLIC KEY"))
    #expect(fault(P384.Signing.PrivateKey().pemRepresentation) == .notP256)
    #expect(fault(P521.Signing.PrivateKey().pemRepresentation) == .notP256)
    let encrypted = StandInKey.pem.replacing("PRIVATE KEY", with: "ENCRYPTED PRIVATE KEY")
    #expect(fault(encrypted) == .encrypted)
    let lines = StandInKey.pem.split(separator: "\n")
    #expect(fault("\(lines[0])\n!!!!\n\(lines.last!)\n") == .damaged)
    #expect(fault("\(lines[0])\nAAAA\n\(lines.last!)\n") == .damaged)
  }
}
