import Support
import Testing

@testable import Matching

/// Goal: a table of numbers is what a dictionary would be. Method: keys that mix badly, so that
/// many stand in each other's way, and enough of them for the table to grow.
struct NumberTableTests {
  private struct Key: CodeKey, Hashable {
    let code: UInt64
    /// As many keys as differ by nothing else have the same bits.
    static let alike: UInt64 = 3

    var mixed: UInt64 { mix(code / Self.alike, 37) }
  }

  @Test(arguments: [10, 500, 20_000] as [UInt64]) func keysKeepTheirNumbers(_ variety: UInt64) {
    var random = SplitMix64(seed: variety)
    var table = NumberTable<Key>()
    var numbers: [Key: Int] = [:]
    for _ in 0..<30_000 {
      let key = Key(code: random.next() % variety)
      let number = table.number(of: key)
      #expect(number == numbers[key, default: numbers.count])
      numbers[key] = number
    }
    #expect(table.keys.count == numbers.count)
    for (number, key) in table.keys.enumerated() { #expect(table.number(of: key) == number) }
    #expect(table.keys.count == numbers.count)
    #expect(table.number(of: Key(code: variety + 9)) == numbers.count)
  }
}
