import Billing
import Crypto
import Foundation
import Support
import Testing
import X509

@testable import SignedPayload

/// Goal: what was signed as the App Store signs is taken, and each departure from it is refused for
/// its own reason. Method: an authority made on the spot, and one change at a time.
@Suite struct ProofTests {
  private static let authority = Authority()

  /// Under the sound authority's root.
  private func reason(
    _ payload: Compact, at moment: Instant = Authority.moment
  ) throws -> PayloadDiagnostic.Reason? {
    var verifier = try PayloadVerifier(trusting: [Self.authority.root()])
    return verifier.refusal(payload.text, at: moment)?.reason
  }

  /// Of a payload that the authority signs whose certificates it brings.
  private func reason(
    of authority: Authority, at moment: Instant = Authority.moment
  ) throws -> PayloadDiagnostic.Reason? {
    try reason(Compact(chain: authority.chain(), key: authority.leafKey), at: moment)
  }

  private func sound(_ payload: String = Compact.payload) throws -> Compact {
    try Compact(payload, chain: Self.authority.chain(), key: Self.authority.leafKey)
  }

  @Test(arguments: [Compact.payload, "null", "", "{\"name\":\"宝石\"}"])
  func `what the authority signed is taken`(payload: String) throws {
    let signed = try sound(payload)
    #expect(try reason(signed) == nil)
    var verifier = try PayloadVerifier(trusting: [])
    #expect(try verifier.open(signed.text).payload == Array(payload.utf8))
  }

  @Test func `a header may have further keys, escapes and white space`() throws {
    let plain = Compact.headerText(try Self.authority.chain())
    for text in [
      plain.replacing("/", with: "\\/"), " \n" + plain.replacing(":", with: " : ") + "\r\n",
      plain.replacing("ES256", with: "\\u0045S256"),
      "{\"typ\":\"JWT\",\"kid\":null,\"n\":[1e3,{\"a\":[]}]," + plain.dropFirst(),
    ] {
      #expect(try reason(Compact(headerText: text, key: Self.authority.leafKey)) == nil, "\(text)")
    }
  }

  @Test(arguments: ["none", "HS256", "RS256", "ES384", "ES512", "es256", "ES256 ", ""])
  func `any other algorithm is refused`(name: String) throws {
    let text = Compact.headerText(try Self.authority.chain(), algorithm: name)
    var payload = try Compact(headerText: text, key: Self.authority.leafKey)
    #expect(try reason(payload) == .algorithm)
    payload.signature = ""
    #expect(try reason(payload) == .algorithm)
  }

  @Test func `a public key is no secret`() throws {
    let key = Self.authority.leafKey.publicKey
    let chain = try Self.authority.chain()
    let secrets = [
      key.rawRepresentation, key.x963Representation, key.derRepresentation,
      Data(key.pemRepresentation.utf8), Data(chain[0]),
    ]
    for (algorithm, expected) in [
      ("HS256", PayloadDiagnostic.Reason.algorithm), ("ES256", .signature),
    ] {
      for secret in secrets {
        var payload = try Compact(
          headerText: Compact.headerText(chain, algorithm: algorithm), key: Self.authority.leafKey)
        let code = HMAC<SHA256>.authenticationCode(
          for: payload.input, using: SymmetricKey(data: secret))
        payload.signature = base64url(code)
        #expect(try reason(payload) == expected)
        payload.signature = base64url(Array(code) + Array(code))
        #expect(try reason(payload) == expected)
      }
    }
  }

  @Test func `an algorithm that is no text is refused`() throws {
    for value in ["null", "true", "256", "[\"ES256\"]", "{\"name\":\"ES256\"}"] {
      let text = Compact.headerText(try Self.authority.chain())
        .replacing("\"ES256\"", with: value)
      #expect(try reason(Compact(headerText: text, key: Self.authority.leafKey)) == .algorithm)
    }
    #expect(try reason(Compact(headerText: "{}", key: Self.authority.leafKey)) == .algorithm)
  }

  /// What a header may hold instead of the three certificates.
  @Test(arguments: [
    ([0, 1, 2], nil), ([0, 2, 1], PayloadDiagnostic.Reason.chain), ([1, 0, 2], .chain),
    ([1, 2, 0], .chain),
    ([2, 0, 1], .chain), ([2, 1, 0], .chain), ([], .chain), ([0], .chain), ([0, 1], .chain),
    ([0, 2], .chain), ([0, 1, 2, 2], .chain), ([0, 1, 1, 2], .chain), ([0, 0, 2], .chain),
    ([0, 2, 2], .chain), ([2, 2, 2], .oid),
  ])
  func `leaf, intermediate and root stand in this order`(
    order: [Int], expected: PayloadDiagnostic.Reason?
  ) throws {
    let chain = try Self.authority.chain()
    let payload = try Compact(chain: order.map { chain[$0] }, key: Self.authority.leafKey)
    #expect(try reason(payload) == expected)
  }

  @Test func `Xcode's one certificate is told from anybody's`() throws {
    var xcode = Self.authority
    xcode.owner = "StoreKit Testing in Xcode"
    let payload = try Compact(chain: [xcode.leaf()], key: xcode.leafKey)
    #expect(try reason(payload) == .xcode)
    var verifier = try PayloadVerifier(trusting: [])
    let strange = try Compact(chain: [Self.authority.leaf()], key: Self.authority.leafKey)
    #expect(verifier.refusal(strange.text)?.message.english.contains("found 1") == true)
  }

  @Test func `a payload without a time is proven in chain and signature`() throws {
    var verifier = try PayloadVerifier(trusting: [try Self.authority.root()])
    let sound = try Compact("null", chain: Self.authority.chain(), key: Self.authority.leafKey)
    let opened = try verifier.open(sound.text)
    try verifier.verify(opened, signedAt: nil)
    var forged = sound
    forged.payload = base64url("null ".utf8)
    let other = try verifier.open(forged.text)
    #expect(throws: PayloadDiagnostic.signature) { try verifier.verify(other, signedAt: nil) }
    var mixed = Self.authority
    mixed.leafIssuer = Authority.key(9)
    let broken = try verifier.open(
      Compact("null", chain: mixed.chain(), key: mixed.leafKey).text)
    #expect(throws: PayloadDiagnostic.self) { try verifier.verify(broken, signedAt: nil) }
    var early = Self.authority
    early.leafSpan = Day.span("2015-01-01", "2016-01-01")
    let never = try verifier.open(Compact("null", chain: early.chain(), key: early.leafKey).text)
    #expect(throws: PayloadDiagnostic.self) { try verifier.verify(never, signedAt: nil) }
  }

  @Test func `certificates are texts in standard base64`() throws {
    let chain = try Self.authority.chain()
    let plain = Compact.headerText(chain)
    let first = Data(chain[0]).base64EncodedString()
    let entry = "\"\(first)\""
    for text in [
      plain.replacing(entry, with: "null"), plain.replacing(entry, with: "[\(entry)]"),
      plain.replacing(entry, with: "\"\(base64url(chain[0]))-\""),
      plain.replacing(entry, with: "\"\(first.dropLast())\\n\(first.suffix(1))\""),
      plain.replacing(entry, with: "\"\""), plain.replacing(entry, with: "\"AAAA\""),
      plain.replacing(entry, with: "\"\(Data(chain[0] + [0]).base64EncodedString())\""),
      plain.replacing("x5c", with: "x5cwrong"), "{\"alg\":\"ES256\",\"x5c\":null}",
      "{\"alg\":\"ES256\",\"x5c\":\(entry)}",
    ] {
      #expect(try reason(Compact(headerText: text, key: Self.authority.leafKey)) == .chain)
    }
  }

  @Test func `another authority of the same names is not trusted`() throws {
    let other = Authority(
      rootKey: Authority.key(11), intermediateKey: Authority.key(12), leafKey: Authority.key(13))
    #expect(try reason(of: other) == .chain)
    // With the trusted root at the end, which has not signed the intermediate.
    var chain = try other.chain()
    chain[2] = try Self.authority.root()
    #expect(try reason(Compact(chain: chain, key: other.leafKey)) == .chain)
    // With the intermediate that the trusted root has signed, too.
    chain[1] = try Self.authority.intermediate()
    #expect(try reason(Compact(chain: chain, key: other.leafKey)) == .chain)
    // Sound up to a root of the same name and another key.
    chain = try Self.authority.chain()
    chain[2] = try other.root()
    #expect(try reason(Compact(chain: chain, key: Self.authority.leafKey)) == .chain)
    var nobody = try PayloadVerifier(trusting: [])
    #expect(try nobody.refusal(sound().text)?.reason == .chain)
  }

  @Test func `another key's leaf and signature are refused`() throws {
    var forged = Self.authority
    forged.leafKey = Authority.key(13)
    // The right names, signed by itself, by another intermediate, and by the root.
    for issuer in [forged.leafKey, Authority.key(12), Self.authority.rootKey] {
      forged.leafIssuer = issuer
      #expect(try reason(of: forged) == .chain)
    }
    let payload = try Compact(chain: Self.authority.chain(), key: forged.leafKey)
    #expect(try reason(payload) == .signature)
  }

  @Test func `an intermediate must be an authority, and the root's`() throws {
    var authority = Self.authority
    authority.intermediateIsAuthority = false
    #expect(try reason(of: authority) == .chain)
    authority = Self.authority
    authority.intermediateIssuer = authority.intermediateKey
    #expect(try reason(of: authority) == .chain)
  }

  @Test(arguments: [nil, UInt(2)]) func `both marks are needed`(number: UInt?) throws {
    var authority = Self.authority
    authority.leafMark = number
    #expect(try reason(of: authority) == .oid)
    authority = Self.authority
    authority.intermediateMark = number
    #expect(try reason(of: authority) == .oid)
  }

  @Test func `a leaf signs with a key on P-256`() throws {
    var authority = Self.authority
    let key = P384.Signing.PrivateKey()
    authority.leafPublicKey = Certificate.PublicKey(key.publicKey)
    var payload = try Compact(chain: authority.chain(), key: authority.leafKey)
    payload.signature = base64url(try key.signature(for: payload.input).rawRepresentation)
    #expect(try reason(payload) == .chain)
  }

  @Test func `certificates are valid at the moment of signing, both ends included`() throws {
    let payload = try sound()
    for (moment, expected) in [
      (Self.authority.leafSpan.lowerBound, nil), (Self.authority.leafSpan.upperBound, nil),
      (Day.start("2021-12-31"), PayloadDiagnostic.Reason.expired),
      (Day.start("2024-01-02"), .expired),
      (Instant(seconds: 0), .expired), (Instant(seconds: .max), .expired),
      (Instant(seconds: .min), .expired),
    ] { #expect(try reason(payload, at: moment) == expected) }
    var authority = Self.authority
    authority.intermediateSpan = Day.span("2021-01-01", "2023-01-01")
    #expect(try reason(of: authority) == .expired)
    authority = Self.authority
    authority.leafSpan = Day.span("2022-01-01", "2050-01-01")
    #expect(try reason(of: authority, at: Day.start("2040-06-01")) == .expired)
  }

  @Test func `a root that was renewed with its key is the same authority`() throws {
    var older = Self.authority
    older.rootSpan = Day.span("2010-01-01", "2030-01-01")
    #expect(try reason(of: older) == nil)
    // What the header brings must be valid as well.
    older.rootSpan = Day.span("2010-01-01", "2023-01-01")
    #expect(try reason(of: older) == .expired)
  }

  @Test func `a signature is the raw one of this payload`() throws {
    let payload = try sound()
    var changed = payload
    changed.signature = base64url(
      try Self.authority.leafKey.signature(for: payload.input).derRepresentation)
    #expect(try reason(changed) == .signature)
    let raw = Array(try Self.authority.leafKey.signature(for: payload.input).rawRepresentation)
    for bytes in [
      [], Array(raw.dropLast()), Array(raw.prefix(32)), raw + [0], [0] + raw, raw + raw,
      Array(raw.suffix(32) + raw.prefix(32)), [UInt8](repeating: 0, count: 64),
      [UInt8](repeating: 0xFF, count: 64), raw.prefix(32) + [UInt8](repeating: 0, count: 32),
    ] {
      changed.signature = base64url(bytes)
      #expect(try reason(changed) == .signature)
    }
    changed = try sound("{\"transactionId\":\"1001\"}")
    changed.signature = payload.signature
    #expect(try reason(changed) == .signature)
  }

  @Test func `a header belongs to its payload`() throws {
    var authority = Self.authority
    authority.leafKey = Authority.key(4)
    let other = try Compact(chain: authority.chain(), key: authority.leafKey)
    #expect(try reason(other) == nil)
    var payload = try sound()
    payload.header = other.header
    #expect(try reason(payload) == .signature)
  }

  @Test func `messages say what was expected and found`() throws {
    var verifier = try PayloadVerifier(trusting: [Self.authority.root()])
    let text = Compact.headerText(try Self.authority.chain(), algorithm: "n\\u001b[1mone")
    let algorithm = verifier.refusal(
      try Compact(headerText: text, key: Self.authority.leafKey).text)
    #expect(algorithm?.message.english == "expected the algorithm ES256, found \"n [1mone\"")
    let expired = verifier.refusal(try sound().text, at: Day.start("2024-05-01"))
    #expect(
      expired?.message.english
        == "the payload was signed at 2024-05-01T00:00:00Z, the leaf certificate is"
        + " valid from 2022-01-01T00:00:00Z to 2024-01-01T00:00:00Z")
    var authority = Self.authority
    authority.leafMark = nil
    let mark = verifier.refusal(
      try Compact(chain: authority.chain(), key: authority.leafKey).text)
    #expect(
      mark?.message.english
        == "expected Apple's mark 1.2.840.113635.100.6.11.1 on the leaf certificate, found none")
  }
}
