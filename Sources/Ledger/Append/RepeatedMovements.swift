import Billing

/// Movements of coins that say in every column what an earlier row of their file says.
package struct RepeatedMovements: Sendable {
  /// How many there are, and the line of the first.
  package struct Rows: Sendable {
    package fileprivate(set) var count = 0
    package fileprivate(set) var line = 0
  }

  /// Those that name an order or a transaction: they count once.
  package private(set) var ofPurchases = Rows()
  /// Those that name neither: two may be alike, and each counts.
  package private(set) var others = Rows()

  private var recent = RecentDigests()

  /// Looks for repetitions among further rows of the file, in its order.
  ///
  /// - Parameters:
  ///   - text: the block's, which ids are slices of.
  ///   - terms: ledger ids of the file's terms.
  mutating func add(_ rows: [CoinMovementRow], _ text: [UInt8], _ terms: [Int32]) {
    text.withUnsafeBytes { text in
      for row in rows {
        let parts = (Int64(terms[Int(row.terms)]), row.at.seconds, row.coins, row.isDay ? 1 : 0)
        var digest = withUnsafeBytes(of: parts) { hash64($0) }
        for id in [row.userID, row.orderID, row.transactionID] {
          let bytes = text[Int(id.start)..<Int(id.start + id.count)]
          digest = hash64(UnsafeRawBufferPointer(rebasing: bytes), seed: digest)
        }
        guard recent.isRepeated(digest) else { continue }
        if row.orderID.count > 0 || row.transactionID.count > 0 {
          Self.note(row, in: &ofPurchases)
        } else {
          Self.note(row, in: &others)
        }
      }
    }
  }

  /// Adds a repeated row; the first one's line is kept.
  private static func note(_ row: CoinMovementRow, in rows: inout Rows) {
    if rows.count == 0 { rows.line = Int(row.line) }
    rows.count += 1
  }
}

/// The digests of the last million rows or two: of a file in any order of so many rows, and of a
/// larger one in the order of time, each that comes again is known.
private struct RecentDigests {
  /// Digests by their low bits; 0 is free.
  private var new = [UInt64](repeating: 0, count: 1 << 10)
  private var old: [UInt64] = []
  private var count = 0

  private static let most = 1 << 20

  /// Whether the digest is one of the last million or two, and adds it.
  mutating func isRepeated(_ digest: UInt64) -> Bool {
    let key = max(digest, 1)
    let slot = Self.slot(of: key, in: new)
    if new[slot] == key { return true }
    if !old.isEmpty, old[Self.slot(of: key, in: old)] == key { return true }
    new[slot] = key
    count += 1
    if count == Self.most {
      old = new
      new = Array(repeating: 0, count: new.count)
      count = 0
    } else if 2 * count > new.count {
      grow()
    }
    return false
  }

  /// Makes twice as many slots for new digests.
  private mutating func grow() {
    var wider = [UInt64](repeating: 0, count: 2 * new.count)
    for key in new where key != 0 { wider[Self.slot(of: key, in: wider)] = key }
    new = wider
  }

  /// The index of the slot where a digest is, or else may be put.
  private static func slot(of key: UInt64, in slots: [UInt64]) -> Int {
    var place = Int(truncatingIfNeeded: key) & (slots.count - 1)
    while slots[place] != 0, slots[place] != key { place = (place + 1) & (slots.count - 1) }
    return place
  }
}
