import Foundation
import Support
import Testing

@testable import SignedPayload

/// Goal: exactly one text means each sequence of bytes. Method: all lengths there and back, and
/// every text of a short tail.
@Suite struct Base64Tests {
  private func decode(_ text: String, _ base64: Base64) -> [UInt8]? {
    Array(text.utf8).withUnsafeBytes { base64.decode($0) }
  }

  @Test func `what was encoded decodes`() {
    var random = SplitMix64(seed: 1)
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(decode(base64url(bytes), .url) == bytes)
      #expect(decode(Data(bytes).base64EncodedString(), .standard) == bytes)
    }
  }

  @Test func `each byte has one text of two characters`() {
    let characters = (0..<256).map { UInt8($0) }
    for (base64, padding) in [(Base64.url, ""), (.standard, "==")] {
      var decoded: [[UInt8]] = []
      for first in characters {
        for second in characters {
          let text = [first, second] + Array(padding.utf8)
          if let bytes = text.withUnsafeBytes({ base64.decode($0) }) { decoded.append(bytes) }
        }
      }
      #expect(decoded.count == 256)
      #expect(Set(decoded).count == 256)
    }
  }

  @Test(arguments: ["=", "==", "====", "A===", "AA=", "AAA", "AA=A", "AAAA=", "AAAAAA", "AA==AA=="])
  func `standard base64 is padded at its end only`(text: String) {
    #expect(decode(text, .standard) == nil)
  }
}
