internal import Billing
private import CMachine

/// Columns that stand side by side in a file, as one run of bytes.
struct FieldRun {
  let first: Int
  let last: Int

  /// The runs that the fields form where they stand side by side; fields of −1 (absent columns)
  /// form none.
  static func covering(_ fields: [Int]) -> [FieldRun] {
    var runs: [FieldRun] = []
    for field in Set(fields).sorted() where field >= 0 {
      if let run = runs.last, run.last + 1 == field {
        runs[runs.count - 1] = FieldRun(first: run.first, last: field)
      } else {
        runs.append(FieldRun(first: field, last: field))
      }
    }
    return runs
  }
}

/// Gives values that are written alike one code, counted from 0 in order of first use, for as long
/// as it remembers them. Rows are recognised by the raw bytes of their fields, so a value is built
/// only for bytes that were not seen before; one that is written in two ways has two codes.
struct Interner<Value> {
  /// Knows where its key begins, so that looking one up goes to memory once less. Of rows in no
  /// order each look-up waits for memory twice: the smaller the table, the shorter.
  private struct Slot {
    var hash: UInt64
    var start: UInt32
    /// The key's number; −1 is free.
    var number: Int32

    static var free: Slot { Slot(hash: 0, start: 0, number: -1) }
  }

  private let runs: [FieldRun]
  private var slots: [Slot]
  /// Where the bytes of each key begin.
  private var starts: [UInt32] = []
  private var keyBytes: [UInt8] = Array(repeating: 0, count: overrun)
  private var hash: UInt64 = 0
  /// Codes that were given before all was forgotten.
  private(set) var forgotten: Int32 = 0
  /// Values that are new since they were last taken.
  private(set) var fresh: [Value] = []

  /// For values that these fields of a record tell.
  init(fields: [Int]) {
    runs = FieldRun.covering(fields)
    slots = Array(repeating: .free, count: 1024)
  }

  /// Codes that were given so far, also those of values that are forgotten.
  var count: Int { Int(forgotten) + starts.count }

  /// Whether so many values are remembered that it is time to forget them: where nearly every row
  /// has its own, remembering them finds nothing again and takes memory without end.
  var isFull: Bool { starts.count >= 1 << 18 }

  /// Forgets all values; one that is met again gets a new code.
  mutating func forgetAll() {
    precondition(fresh.isEmpty, "what is new was taken")
    forgotten += Int32(starts.count)
    starts.removeAll(keepingCapacity: true)
    keyBytes = Array(repeating: 0, count: overrun)
    slots = Array(repeating: .free, count: slots.count)
  }

  /// The values that are new since the last call, in the order of their codes.
  mutating func takeFresh() -> [Value] {
    defer { fresh = [] }
    return fresh
  }

  /// The code of the value that the record's bytes stand for; −1 where none is remembered, and
  /// `insert` may follow.
  @inline(__always)
  mutating func find(_ record: Record) -> Int32 {
    begin(record)
    return found(record)
  }

  /// Begins to look for the value that the record's bytes stand for. The table is mostly far away:
  /// what else there is to do with the record is best done before ``fetchKey()``, and between that
  /// and ``found(_:)``.
  @inline(__always)
  mutating func begin(_ record: Record) {
    var state: UInt64 = 0
    for run in runs {
      let start = record.start(of: run.first)
      state = runHash(record.base + start, Int(record.ends[run.last]) &- start, state)
    }
    hash = state
    slots.withUnsafeBufferPointer { slots in
      prefetch(slots.baseAddress! + (Int(truncatingIfNeeded: state) & (slots.count &- 1)))
    }
  }

  /// Asks for the bytes of the key that most likely is the one begun with.
  @inline(__always)
  func fetchKey() {
    let slot = slots.withUnsafeBufferPointer { slots in
      slots[Int(truncatingIfNeeded: hash) & (slots.count &- 1)]
    }
    keyBytes.withUnsafeBytes { bytes in
      let key = bytes.baseAddress! + Int(slot.start)
      prefetch(key)
      prefetch(key + 64)
    }
  }

  /// The code of the value that the record begun with stands for; −1 where none is remembered, and
  /// `insert` may follow.
  @inline(__always)
  func found(_ record: Record) -> Int32 {
    slots.withUnsafeBufferPointer { slots in
      let mask = slots.count &- 1
      var index = Int(truncatingIfNeeded: hash) & mask
      while true {
        let slot = slots[index]
        if slot.number < 0 { return -1 }
        if slot.hash == hash, matches(record, slot) { return forgotten &+ slot.number }
        index = (index &+ 1) & mask
      }
    }
  }

  /// Whether the record's bytes are those of a slot's key.
  @inline(__always)
  private func matches(_ record: Record, _ slot: Slot) -> Bool {
    keyBytes.withUnsafeBytes { bytes in
      // All keys have as many runs, each with its end.
      var place = bytes.baseAddress! + Int(slot.start)
      var rest = bytes.count &- Int(slot.start) &- overrun
      for run in runs {
        let start = record.start(of: run.first)
        let count = Int(record.ends[run.last]) &- start
        if rest <= count { return false }
        if !equalBytes(place, record.base + start, count) { return false }
        if place.load(fromByteOffset: count, as: UInt8.self) != 0xFF { return false }
        place += count &+ 1
        rest &-= count &+ 1
      }
      return true
    }
  }

  /// Remembers the value that the record's bytes, just looked for in vain, stand for, and returns
  /// its code.
  mutating func insert(_ value: Value, for record: Record) -> Int32 {
    fresh.append(value)
    keyBytes.removeLast(overrun)
    let start = keyBytes.count
    for run in runs {
      let first = record.start(of: run.first)
      keyBytes.append(
        contentsOf: UnsafeRawBufferPointer(
          start: record.base + first, count: Int(record.ends[run.last]) - first))
      keyBytes.append(0xFF)
    }
    let number = Int32(starts.count)
    starts.append(UInt32(start))
    place(Slot(hash: hash, start: UInt32(start), number: number))
    keyBytes.append(contentsOf: repeatElement(0, count: overrun))
    if starts.count * 4 > slots.count * 3 { rehash() }
    return forgotten + number
  }

  /// How much is remembered, to come back to.
  struct Mark {
    fileprivate var keys: Int
    fileprivate var fresh: Int
  }

  var mark: Mark { Mark(keys: starts.count, fresh: fresh.count) }

  /// Forgets what was inserted since `mark`; no value was taken in between.
  mutating func forget(since mark: Mark) {
    guard starts.count > mark.keys else { return }
    fresh.removeLast(fresh.count - mark.fresh)
    keyBytes.removeSubrange(Int(starts[mark.keys])..<keyBytes.count - overrun)
    starts.removeLast(starts.count - mark.keys)
    let kept = slots.filter { $0.number >= 0 && $0.number < mark.keys }
    slots = Array(repeating: .free, count: slots.count)
    for slot in kept { place(slot) }
  }

  /// Puts a slot at the first free place from that of its hash on.
  private mutating func place(_ slot: Slot) {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: slot.hash) & mask
    while slots[index].number >= 0 { index = (index + 1) & mask }
    slots[index] = slot
  }

  /// Makes the table twice as large.
  private mutating func rehash() {
    let old = slots
    slots = Array(repeating: .free, count: old.count * 2)
    for slot in old where slot.number >= 0 { place(slot) }
  }
}
