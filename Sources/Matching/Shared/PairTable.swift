/// Numbers pairs of codes in the order of first use, so that what is concluded about a pair is
/// concluded once and found again without hashing texts.
struct PairTable {
  private var keys: [UInt64] = Array(repeating: .max, count: 1024)
  private var numbers: [Int32] = Array(repeating: 0, count: 1024)
  private(set) var count = 0

  /// The number of a pair; a new pair gets the next.
  ///
  /// - Precondition: not both codes are -1.
  mutating func number(_ first: Int32, _ second: Int32) -> Int {
    let key = UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
    precondition(key != .max)
    var place = slot(key)
    while keys[place] != key {
      if keys[place] == .max {
        if 2 * (count + 1) > keys.count {
          grow()
          return number(first, second)
        }
        keys[place] = key
        numbers[place] = Int32(count)
        count += 1
        return count - 1
      }
      place = (place + 1) & (keys.count - 1)
    }
    return Int(numbers[place])
  }

  private func slot(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 20) & (keys.count - 1)
  }

  private mutating func grow() {
    let old = zip(keys, numbers).filter { $0.0 != .max }
    keys = Array(repeating: .max, count: 2 * keys.count)
    numbers = Array(repeating: 0, count: keys.count)
    for (key, number) in old {
      var place = slot(key)
      while keys[place] != .max { place = (place + 1) & (keys.count - 1) }
      keys[place] = key
      numbers[place] = number
    }
  }
}
