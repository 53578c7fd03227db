import Billing
import Conclusions

/// What users have of one coin: an entry of 56 bytes for each of them, found by a hash of the user,
/// because there may be millions.
///
/// One thread at a time uses it.
final class CoinAccounts {
  struct Account {
    /// Of the user; see ``CoinAccounts/key(_:)``.
    var key: UInt64
    /// Coins of movements that say that they were paid for: those that came less those that went.
    var paid: Int64 = 0
    /// Coins of movements that say that they were given for nothing: those that came less those
    /// that went.
    var free: Int64 = 0
    /// Coins of movements that say neither: those that came less those that went.
    var untold: Int64 = 0
    /// Coins granted of late, by age without the oldest; see ``CoinAccounts/grant(_:_:to:)``.
    var grants: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    /// When it last moved; seconds since 1970.
    var last: UInt32 = 0
    /// Where the user's balances begin in ``CoinBalances/ofUsers``; -1 without any.
    var balances: Int32 = -1

    /// All coins of the account.
    var total: Int64 { paid + free + untold }
    /// Whether the account has less than no coins; paid and free ones are each looked at where
    /// movements tell them apart.
    var isBelowZero: Bool { total < 0 || untold == 0 && (paid < 0 || free < 0) }
  }

  private static let chunk = 1 << 18
  private var chunks: [UnsafeMutablePointer<Account>] = []
  private(set) var count = 0
  /// The hash table: in each slot the high half of a key and, as the low half, the number of its
  /// account plus 1; 0 is an empty slot. Most keys are told apart without a look at an account,
  /// which is far away.
  private var slots: UnsafeMutableBufferPointer<UInt64>
  /// What has no room in the four bytes of ``Account/grants``, by four times the account's number
  /// plus the age.
  private var carried: [Int: Int64] = [:]

  init() {
    slots = CoinAccounts.emptySlots(1 << 12)
  }

  /// Allocates a hash table of so many empty slots, whose memory the caller has to free.
  private static func emptySlots(_ count: Int) -> UnsafeMutableBufferPointer<UInt64> {
    let slots = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
    slots.initialize(repeating: 0)
    return slots
  }

  deinit {
    for chunk in chunks { chunk.deallocate() }
    slots.deallocate()
  }

  /// The hash by which a user's account is found; never 0. Two users of one key are told apart by
  /// nothing: among ten million, one pair in three hundred thousand companies has one.
  static func key(_ user: IDKey) -> UInt64 { mix(user.raw, 1) | 1 }

  /// The account of that number, to be read and changed in place.
  @inline(__always)
  subscript(_ number: Int) -> UnsafeMutablePointer<Account> {
    chunks[number >> 18] + (number & (Self.chunk - 1))
  }

  /// The number of the account of a user's key; a key that has none gets a new, empty account.
  @inline(__always)
  func number(of key: UInt64) -> Int {
    let base = slots.baseAddress.unsafelyUnwrapped
    let mask = slots.count &- 1
    var place = Int(truncatingIfNeeded: key >> 4) & mask
    while base[place] != 0 {
      if (base[place] ^ key) >> 32 == 0 {
        let number = Int(truncatingIfNeeded: base[place] & 0xFFFF_FFFF) &- 1
        if self[number].pointee.key == key { return number }
      }
      place = (place &+ 1) & mask
    }
    return addAccount(key, inSlot: place)
  }

  /// Adds an empty account for a key, enters it in an empty slot, and returns its number.
  @inline(never)
  private func addAccount(_ key: UInt64, inSlot slot: Int) -> Int {
    if count & (Self.chunk - 1) == 0 {
      let chunk = UnsafeMutablePointer<Account>.allocate(capacity: Self.chunk)
      chunks.append(chunk)
    }
    self[count].initialize(to: Account(key: key))
    count += 1
    slots[slot] = key & ~0xFFFF_FFFF | UInt64(count)
    if 3 * count > 2 * slots.count { doubleSlots() }
    return count - 1
  }

  /// Doubles the hash table, in which each account then has another slot.
  private func doubleSlots() {
    let wider = Self.emptySlots(2 * slots.count)
    for number in 0..<count {
      let key = self[number].pointee.key
      var place = Int(truncatingIfNeeded: key >> 4) & (wider.count - 1)
      while wider[place] != 0 { place = (place + 1) & (wider.count - 1) }
      wider[place] = key & ~0xFFFF_FFFF | UInt64(number + 1)
    }
    slots.deallocate()
    slots = wider
  }

  /// Adds coins that came into an account to those of their age at the end of the period. The
  /// oldest age is not kept: it is what ``unspent(_:)`` has left over.
  ///
  /// - Parameter number: of the account.
  func grant(_ coins: Int64, _ age: CoinAge, to number: Int) {
    guard age != .older else { return }
    withUnsafeMutablePointer(to: &self[number].pointee.grants) { grants in
      grants.withMemoryRebound(to: UInt32.self, capacity: 4) { grants in
        let sum = Int64(grants[age.rawValue]) + coins
        grants[age.rawValue] = UInt32(truncatingIfNeeded: sum)
        let rest = sum >> 32
        if rest > 0 { carried[number * 4 + age.rawValue, default: 0] += rest << 32 }
      }
    }
  }

  /// The unspent coins of an account by age, in the order of ``CoinAge``, as if the coins that came
  /// first were spent first.
  ///
  /// - Parameter number: of the account.
  func unspent(_ number: Int) -> [Int64] {
    var left = max(0, self[number].pointee.total)
    let grants = self[number].pointee.grants
    var ages = [grants.0, grants.1, grants.2, grants.3].enumerated().map { age, coins in
      let part = min(left, Int64(coins) + (carried[number * 4 + age] ?? 0))
      left -= part
      return part
    }
    ages.append(left)
    return ages
  }
}
