import Billing

/// A key of a few codes that mixes its own bits, which costs less than hashing it.
protocol CodeKey: Equatable, Sendable {
  /// Bits that are as good as random, whatever the codes.
  var mixed: UInt64 { get }
}

/// Mixes two numbers into one by multiplying and folding, so that each bit of the key reaches the
/// high bits that a table goes by.
@inline(__always)
func mix(_ first: UInt64, _ second: UInt64) -> UInt64 {
  let product = (first ^ 0x9E37_79B9_7F4A_7C15)
    .multipliedFullWidth(by: second ^ 0xD6E8_FEB8_6659_FD93)
  return product.high ^ product.low
}

/// Numbers keys in the order of first use, for loops in which hashing would be most of the work.
struct NumberTable<Key: CodeKey>: Sendable {
  private(set) var keys: [Key] = []
  /// The high half of a key's bits and, of its number plus 1, the low one; 0 is free.
  private var slots: [UInt64] = Array(repeating: 0, count: 1024)

  /// - Parameter room: for so many keys; it costs nothing until then.
  init(room: Int = 0) { keys.reserveCapacity(room) }

  /// The number of a key; a new one gets the next.
  @inline(__always)
  mutating func number(of key: Key) -> Int {
    let mark = Self.mark(of: key)
    let (slot, number) = find(key, mark)
    if let number { return number }
    keys.append(key)
    slots[slot] = mark | UInt64(keys.count)
    if 2 * keys.count > slots.count { grow() }
    return keys.count - 1
  }

  /// The number of a key; nil where it has none.
  func known(_ key: Key) -> Int? { find(key, Self.mark(of: key)).number }

  /// The slot that a key has, or would get, and its number; nil where it has none.
  ///
  /// - Parameter mark: the high half of the key's bits, as ``mark(of:)`` has it.
  @inline(__always)
  private func find(_ key: Key, _ mark: UInt64) -> (slot: Int, number: Int?) {
    var place = Self.place(of: mark, among: slots.count)
    while slots[place] != 0 {
      if slots[place] & ~0xFFFF_FFFF == mark {
        let number = Int(slots[place] & 0xFFFF_FFFF) - 1
        if keys[number] == key { return (place, number) }
      }
      place = (place + 1) & (slots.count - 1)
    }
    return (place, nil)
  }

  /// The high half of a key's bits, which its slot has.
  @inline(__always)
  private static func mark(of key: Key) -> UInt64 { key.mixed & ~0xFFFF_FFFF }

  /// Where among `count` slots the search for a mark begins.
  @inline(__always)
  private static func place(of mark: UInt64, among count: Int) -> Int {
    Int(truncatingIfNeeded: mark >> 32) & (count - 1)
  }

  /// Makes four times as many slots and puts all keys in their places again.
  private mutating func grow() {
    var wider = [UInt64](repeating: 0, count: 4 * slots.count)
    for slot in slots where slot != 0 {
      var place = Self.place(of: slot, among: wider.count)
      while wider[place] != 0 { place = (place + 1) & (wider.count - 1) }
      wider[place] = slot
    }
    slots = wider
  }
}

/// Numbers for texts that are compared millions of times; the empty text is 0.
struct TextNumbers {
  private var numbers: [String: Int32] = ["": 0]

  /// The number of a text; a new one gets the next.
  mutating func number(_ text: String) -> Int32 {
    if let known = numbers[text] { return known }
    let next = Int32(numbers.count)
    numbers[text] = next
    return next
  }
}
