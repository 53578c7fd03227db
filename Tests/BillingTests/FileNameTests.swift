import Billing
import Support
import Testing

struct FileNameTests {
  /// Goal: no byte of a name is lost, no two names are the same text.
  @Test func aNameAsTextHasAllItsBytes() {
    var random = SplitMix64(seed: 9)
    let pieces: [[UInt8]] = [
      [0x41], [0xE9], [0xC3, 0xA9], [0xED, 0xA0, 0x80], [0xF4, 0x8F, 0xBE, 0x80], [0xF4, 0x8F],
      [0xF4, 0x8F, 0xBF, 0xBF], [0xFF], [0xF0, 0x9F, 0x98, 0x80], [0x2F], [0xC0, 0xAF],
    ]
    var seen: [String: [UInt8]] = [:]
    for _ in 0..<5000 {
      let bytes = (0..<Int.random(in: 0...5, using: &random)).flatMap { _ in
        pieces.randomElement(using: &random)!
      }
      let name = fileName(bytes)
      #expect(systemBytes(of: name) == bytes)
      #expect(seen.updateValue(bytes, forKey: name) ?? bytes == bytes)
      #expect(name.hasRawBytes || Array(name.utf8) == bytes)
    }
    #expect(oneLine(fileName([0x61, 0xE9])) == "a\\xE9")
    #expect(plainLines(fileName([0x61, 0xE9, 0x0A])) == "a\\xE9\n")
  }

  @Test func whatIsQuotedCanBeLeftOut() {
    let secret = "ann \" ann"
    let wording: Wording = "unit_price \"\(secret)\" of \(3), not \"fixed\""
    #expect(wording.withoutQuoted.english == "unit_price \"…\" of 3, not \"fixed\"")
    #expect(!Wording.withoutQuoted(wording.english).contains("ann"))
    #expect(Wording.withoutQuoted("a \" b") == "a \" b" && Wording.withoutQuoted("") == "")
  }
}
