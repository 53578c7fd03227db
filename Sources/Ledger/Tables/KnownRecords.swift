import Billing
import Glibc

/// Records of rows with their ids, found again by their bytes.
struct KnownRecords: Sendable {
  private struct Slot {
    var hash: UInt64
    /// Where the record's bytes begin, and how many there are.
    var start: Int
    var count: UInt32
    /// 0 is free.
    var id: Int32

    static var free: Slot { Slot(hash: 0, start: 0, count: 0, id: 0) }
  }

  private var slots = [Slot](repeating: .free, count: 64)
  private var bytes: [UInt8] = []
  private(set) var count = 0

  /// The id of the row whose record it is; that of an unknown one is `next` from now on.
  mutating func id(of record: UnsafeRawBufferPointer, orNext next: Int32) -> Int32 {
    precondition(next > 0, "0 is free")
    let hash = hash64(record)
    var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[place].id > 0 {
      if slots[place].hash == hash, holds(record, at: slots[place]) { return slots[place].id }
      place = (place + 1) & (slots.count - 1)
    }
    slots[place] = Slot(
      hash: hash, start: bytes.count, count: UInt32(record.count), id: next)
    bytes.append(contentsOf: record)
    count += 1
    if count * 2 > slots.count { grow() }
    return next
  }

  private func holds(_ record: UnsafeRawBufferPointer, at slot: Slot) -> Bool {
    guard record.count == Int(slot.count) else { return false }
    return bytes.withUnsafeBytes {
      memcmp($0.baseAddress! + slot.start, record.baseAddress!, record.count) == 0
    }
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: .free, count: 2 * old.count)
    for slot in old where slot.id > 0 {
      var place = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
      while slots[place].id > 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = slot
    }
  }
}
