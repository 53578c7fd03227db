/// Stands for the text of an id (order, transaction, user, token) while matching: 64 bits, equal
/// when the texts are equal.
///
/// A canonical decimal number below 2^62, as Apple's transaction ids are, stands for itself, so two
/// different ones never collide. Any other text is hashed to 63 bits; where a hit on a hash decides
/// that two rows are one thing, the texts themselves are compared.
package struct IDKey: Hashable, Sendable, Comparable {
  package let raw: UInt64

  @inlinable @inline(__always) package init(raw: UInt64) { self.raw = raw }

  /// No id.
  @inlinable package static var none: IDKey { IDKey(raw: 0) }
  @inlinable package var isNone: Bool { raw == 0 }

  private static let hashedBit: UInt64 = 1 << 63

  /// The key of an id that is stored as an integer.
  package init(number: Int64) {
    precondition(number >= 0 && number < 1 << 62)
    raw = UInt64(number) + 1
  }

  /// The key of an id's text, by the same rule on every machine; no id for empty text.
  package init(text bytes: UnsafeRawBufferPointer) {
    if bytes.isEmpty {
      self.init(raw: 0)
    } else if let number = canonicalNumber(bytes) {
      self.init(number: number)
    } else {
      self.init(raw: hash64(bytes) | Self.hashedBit)
    }
  }

  /// The key of an id's text; no id for empty text.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { IDKey(text: UnsafeRawBufferPointer($0)) }
  }

  // The compiler's own would not be inlined, and keys are compared and hashed by the million.
  @inlinable package static func == (left: IDKey, right: IDKey) -> Bool { left.raw == right.raw }
  @inlinable package static func < (left: IDKey, right: IDKey) -> Bool { left.raw < right.raw }
  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(raw) }
}

/// The number that the bytes are the only decimal spelling of (no sign, no leading zero), which is
/// below 2^62; nil for anything else, and for more than 18 digits.
package func canonicalNumber(_ bytes: UnsafeRawBufferPointer) -> Int64? {
  guard !bytes.isEmpty, bytes.count <= 18 else { return nil }
  if bytes[0] == 0x30 { return bytes.count == 1 ? 0 : nil }
  var value: Int64 = 0
  for byte in bytes {
    guard byte &- 0x30 < 10 else { return nil }
    value = value &* 10 &+ Int64(byte &- 0x30)
  }
  return value
}

/// A fast, well-mixing 64-bit hash with a fixed key: the same bytes give the same value on every
/// machine and in every run. Not for defence against chosen input.
package func hash64(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0x9E37_79B9_7F4A_7C15) -> UInt64
{
  /// Folds the product of two numbers into 64 bits: its upper half XOR its lower half.
  @inline(__always) func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
  var state = seed ^ UInt64(bytes.count) &* 0xA076_1D64_78BD_642F
  var index = 0
  while index + 8 <= bytes.count {
    let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
    state = mix(state ^ UInt64(littleEndian: word), 0xE703_7ED1_A0B4_28DB)
    index += 8
  }
  var tail: UInt64 = 0
  var shift: UInt64 = 0
  while index < bytes.count {
    tail |= UInt64(bytes[index]) << shift
    shift += 8
    index += 1
  }
  state = mix(state ^ tail, 0x8EBC_6AF0_9C88_C6E3)
  return mix(state, 0x5899_65CC_7537_4CC3)
}

/// A run of bytes in a block's text; zero length is "not said".
package struct TextSlice: Hashable, Sendable {
  package let start: UInt32
  package let count: UInt32
  package init(start: UInt32, count: UInt32) {
    self.start = start
    self.count = count
  }
  package static let none = TextSlice(start: 0, count: 0)
}
