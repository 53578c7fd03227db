/// One of the two alphabets of RFC 4648, decoded strictly: whatever is not the one encoding of its
/// bytes is no encoding, so that no two texts mean the same signature.
package struct Base64: Sendable {
  /// As in a JWS: `-` and `_`, without padding.
  package static let url = Base64("-_", isPadded: false)
  /// As in `x5c` and PEM: `+` and `/`, padded to four characters.
  static let standard = Base64("+/", isPadded: true)

  /// The six bits of each character; 0xFF where there are none.
  private let sextets: [UInt8]
  private let isPadded: Bool

  /// The alphabet of letters, digits and `lastTwo`, the characters that stand for 62 and 63.
  private init(_ lastTwo: String, isPadded: Bool) {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    var sextets = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in (letters + lastTwo).utf8.enumerated() {
      sextets[Int(character)] = UInt8(value)
    }
    self.sextets = sextets
    self.isPadded = isPadded
  }

  /// The bytes that `text` stands for; nil when it has a character outside the alphabet, white
  /// space, padding where none belongs, or bits left over that are not zero.
  package func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let count = count(text) else { return nil }
    let tail = count % 4
    guard tail != 1 else { return nil }
    let groups = count / 4
    let size = groups * 3 + max(tail - 1, 0)
    var foreign: UInt32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { bytes, filled in
      sextets.withUnsafeBufferPointer { sextets in
        /// The six bits that the character of `text` at `index` stands for; `foreign` gets its two
        /// highest bits set where the alphabet does not have it.
        func sextet(_ index: Int) -> UInt32 {
          let value = UInt32(sextets[Int(text[index])])
          foreign |= value
          return value
        }
        for group in 0..<groups {
          let at = group * 4
          let bits =
            sextet(at) << 18 | sextet(at + 1) << 12 | sextet(at + 2) << 6 | sextet(at + 3)
          bytes[group * 3] = UInt8(truncatingIfNeeded: bits >> 16)
          bytes[group * 3 + 1] = UInt8(truncatingIfNeeded: bits >> 8)
          bytes[group * 3 + 2] = UInt8(truncatingIfNeeded: bits)
        }
        guard tail > 0 else { return }
        let at = groups * 4
        let bits =
          sextet(at) << 18 | sextet(at + 1) << 12 | (tail == 3 ? sextet(at + 2) << 6 : 0)
        bytes[groups * 3] = UInt8(truncatingIfNeeded: bits >> 16)
        if tail == 3 { bytes[groups * 3 + 1] = UInt8(truncatingIfNeeded: bits >> 8) }
        // What the last character has more than the bytes need.
        if bits & (tail == 3 ? 0xFF : 0xFFFF) != 0 { foreign = 0xFF }
      }
      filled = size
    }
    return foreign & 0xC0 == 0 ? bytes : nil
  }

  /// How many characters of `text` are not padding; nil when the padding is wrong.
  private func count(_ text: UnsafeRawBufferPointer) -> Int? {
    guard isPadded else { return text.count }
    guard text.count % 4 == 0 else { return nil }
    var count = text.count
    while count > 0, text.count - count < 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
    return count
  }
}
