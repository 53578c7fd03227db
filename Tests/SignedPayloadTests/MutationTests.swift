import Billing
import Support
import Testing

@testable import SignedPayload

/// Goal: no change of a single bit passes. Method: characters of a sound payload with one bit
/// flipped, and every bit of its decoded payload and signature; some 1,600 changes.
@Suite struct MutationTests {
  private let authority = Authority()

  @Test func `no flipped bit passes`() throws {
    let sound = try Compact(chain: authority.chain(), key: authority.leafKey)
    var verifier = try PayloadVerifier(trusting: [authority.root()])
    #expect(verifier.refusal(sound.text) == nil)
    var bytes = Array(sound.text.utf8)
    // Every third character of the header meets each bit as well, for a third of the certificates.
    let inHeader = stride(from: 0, to: sound.header.utf8.count, by: 3)
    for index in Array(inHeader) + Array(sound.header.utf8.count..<bytes.count) {
      let bit = UInt8(1) << (index % 8)
      bytes[index] ^= bit
      let refusal = verifier.refusal(String(decoding: bytes, as: UTF8.self))
      #expect(refusal != nil, "bit \(index % 8) of byte \(index)")
      bytes[index] ^= bit
    }
    #expect(verifier.refusal(sound.text) == nil)
  }

  @Test func `no flipped bit of payload or signature passes`() throws {
    let sound = try Compact("{\"price\":12900}", chain: authority.chain(), key: authority.leafKey)
    var verifier = try PayloadVerifier(trusting: [authority.root()])
    for part in [\Compact.payload, \Compact.signature] {
      var bytes = try decoded(sound[keyPath: part])
      for bit in 0..<bytes.count * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8)
        var changed = sound
        changed[keyPath: part] = base64url(bytes)
        #expect(verifier.refusal(changed.text)?.reason == .signature, "bit \(bit)")
        bytes[bit / 8] ^= 1 << (bit % 8)
      }
    }
    #expect(verifier.refusal(sound.text) == nil)
  }

  /// The last character of a signature has two bits that are no part of it.
  @Test func `bits that mean nothing must be zero`() throws {
    let sound = try Compact(chain: authority.chain(), key: authority.leafKey)
    var verifier = try PayloadVerifier(trusting: [authority.root()])
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    var passed = 0
    for character in alphabet {
      let refusal = verifier.refusal(sound.text.dropLast() + String(character))
      if refusal == nil { passed += 1 }
      #expect(refusal == nil || refusal?.reason == .form || refusal?.reason == .signature)
    }
    #expect(passed == 1)
  }

  private func decoded(_ text: String) throws -> [UInt8] {
    try #require(Array(text.utf8).withUnsafeBytes { Base64.url.decode($0) })
  }
}
