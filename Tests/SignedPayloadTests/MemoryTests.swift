import Billing
import Crypto
import Support
import Testing

@testable import SignedPayload

/// Goal: what is remembered of a header never changes a verdict. Method: the same payloads in
/// different orders, and more headers than are remembered.
@Suite struct MemoryTests {
  private let authority = Authority()

  @Test func `a remembered header is judged at each moment`() throws {
    let sound = try Compact(chain: authority.chain(), key: authority.leafKey).text
    var broken = authority
    broken.leafIssuer = Authority.key(12)
    let forged = try Compact(chain: broken.chain(), key: broken.leafKey).text
    let late = Day.start("2024-06-01")
    for moments in [[Authority.moment, late, Authority.moment], [late, Authority.moment, late]] {
      var verifier = try PayloadVerifier(trusting: [authority.root()])
      for moment in moments {
        #expect(verifier.refusal(sound, at: moment)?.reason == (moment == late ? .expired : nil))
        #expect(
          verifier.refusal(forged, at: moment)?.reason == (moment == late ? .expired : .chain))
      }
    }
  }

  @Test func `a remembered header proves no other payload`() throws {
    let chain = try authority.chain()
    var verifier = try PayloadVerifier(trusting: [authority.root()])
    for number in 0..<20 {
      let payload = "{\"transactionId\":\"\(number)\"}"
      let sound = try Compact(payload, chain: chain, key: authority.leafKey)
      let forged = try Compact(payload, chain: chain, key: Authority.key(9))
      #expect(verifier.refusal(sound.text) == nil)
      #expect(verifier.refusal(forged.text)?.reason == .signature)
    }
  }

  @Test func `more headers than are remembered are judged alike`() throws {
    let chain = try authority.chain()
    var verifier = try PayloadVerifier(trusting: [authority.root()])
    let texts = try (0..<PayloadVerifier.rememberedHeaders + 20).map { number in
      let header = "{\"kid\":\"\(number)\"," + Compact.headerText(chain).dropFirst()
      return try Compact(headerText: header, key: authority.leafKey).text
    }
    // Opened while remembered, verified when forgotten.
    let first = try verifier.open(texts[0])
    for text in texts { #expect(throws: Never.self) { try verifier.open(text) } }
    try verifier.verify(first, signedAt: Authority.moment)
    for text in [texts[0], texts[PayloadVerifier.rememberedHeaders]] {
      #expect(verifier.refusal(text) == nil)
    }
  }

  @Test func `what one verifier opened another proves by its own roots`() throws {
    let sound = try Compact(chain: authority.chain(), key: authority.leafKey).text
    var trusting = try PayloadVerifier(trusting: [authority.root()])
    var distrusting = try PayloadVerifier(trusting: [])
    let opened = try trusting.open(sound)
    try trusting.verify(opened, signedAt: Authority.moment)
    #expect(throws: PayloadDiagnostic.self) {
      try distrusting.verify(opened, signedAt: Authority.moment)
    }
  }

  @Test func `many threads verify at once`() async throws {
    let sound = try Compact(chain: authority.chain(), key: authority.leafKey).text
    let root = try authority.root()
    let refusals = try await withThrowingTaskGroup(of: PayloadDiagnostic?.self) { group in
      for _ in 0..<32 {
        group.addTask {
          var verifier = try PayloadVerifier(trusting: [root])
          return verifier.refusal(sound)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(refusals == Array(repeating: nil, count: 32))
  }
}
