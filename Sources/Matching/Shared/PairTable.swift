import Billing

/// Numbers pairs of codes in the order of first use, so that what is concluded about a pair is
/// concluded once and found again without hashing texts.
struct PairTable {
  private var slots: [Slot] = Array(repeating: .free, count: 1024)
  private(set) var count = 0
  /// By first code the pair that was asked for last: most codes meet one other, and that is found
  /// in little memory.
  private var latest: [Latest] = []

  /// The number of a pair of codes, one of which may be -1; a new pair gets the next.
  ///
  /// - Precondition: not both codes are -1.
  mutating func number(_ first: Int32, _ second: Int32) -> Int {
    guard first >= 0 else { return find(first, second) }
    let place = Int(first)
    if place >= latest.count {
      latest += Array(repeating: .none, count: place + 1 - latest.count)
    } else if latest[place].second == second, latest[place].number >= 0 {
      return Int(latest[place].number)
    }
    let number = find(first, second)
    latest[place] = Latest(second: second, number: Int32(number))
    return number
  }

  /// The number of a pair, looked up in all slots; a new pair gets the next.
  private mutating func find(_ first: Int32, _ second: Int32) -> Int {
    let key = UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
    precondition(key != .max)
    var place = place(of: key)
    while slots[place].key != key {
      if slots[place].key == .max {
        if 2 * (count + 1) > slots.count {
          grow()
          return find(first, second)
        }
        slots[place] = Slot(key: key, number: Int32(count))
        count += 1
        return count - 1
      }
      place = (place + 1) & (slots.count - 1)
    }
    return Int(slots[place].number)
  }

  /// Where a key is looked for first.
  private func place(of key: UInt64) -> Int {
    let product = key.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    // Codes of a pair go together: without the high half, the first of them would hardly count.
    return Int(truncatingIfNeeded: product.high ^ product.low >> 20) & (slots.count - 1)
  }

  /// Doubles the slots and puts all pairs in their places again.
  private mutating func grow() {
    let old = slots.filter { $0.key != .max }
    slots = Array(repeating: .free, count: 2 * slots.count)
    for slot in old {
      var place = place(of: slot.key)
      while slots[place].key != .max { place = (place + 1) & (slots.count - 1) }
      slots[place] = slot
    }
  }

  private struct Latest: BitwiseCopyable {
    var second: Int32
    var number: Int32

    static let none = Latest(second: 0, number: -1)
  }

  /// A pair and its number stand together, as the one is asked for after the other.
  private struct Slot: BitwiseCopyable {
    var key: UInt64
    var number: Int32

    static let free = Slot(key: .max, number: 0)
  }
}
