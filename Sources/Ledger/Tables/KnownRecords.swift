import Billing
import Glibc

/// Records of rows with their ids, found again by their bytes.
struct KnownRecords: Sendable {
  private struct Slot {
    var hash: UInt64
    /// Where the record's bytes begin, and how many there are.
    var start: Int
    var count: UInt32
    /// The id of the row; 0 in a slot that is not in use.
    var id: Int32

    static var unused: Slot { Slot(hash: 0, start: 0, count: 0, id: 0) }
  }

  private var slots = [Slot](repeating: .unused, count: 64)
  private var bytes: [UInt8] = []
  private(set) var count = 0

  /// Returns the id that is remembered for the bytes of a row; where they are not known, remembers
  /// them under `next` and returns that.
  mutating func id(of record: UnsafeRawBufferPointer, orNext next: Int32) -> Int32 {
    precondition(next > 0, "0 is free")
    let hash = hash64(record)
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot].id > 0 {
      if slots[slot].hash == hash, isRecord(record, in: slots[slot]) { return slots[slot].id }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Slot(
      hash: hash, start: bytes.count, count: UInt32(record.count), id: next)
    bytes.append(contentsOf: record)
    count += 1
    if count * 2 > slots.count { grow() }
    return next
  }

  /// Whether the bytes of a slot's record are those of `record`.
  private func isRecord(_ record: UnsafeRawBufferPointer, in slot: Slot) -> Bool {
    guard record.count == Int(slot.count) else { return false }
    return bytes.withUnsafeBytes {
      memcmp($0.baseAddress! + slot.start, record.baseAddress!, record.count) == 0
    }
  }

  /// Makes twice as many slots, and puts the known records into them.
  private mutating func grow() {
    let old = slots
    slots = Array(repeating: .unused, count: 2 * old.count)
    for slot in old where slot.id > 0 {
      var place = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
      while slots[place].id > 0 { place = (place + 1) & (slots.count - 1) }
      slots[place] = slot
    }
  }
}
