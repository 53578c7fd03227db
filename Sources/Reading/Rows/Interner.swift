/// Columns that stand side by side in a file, as one run of bytes.
struct FieldRun {
  let first: Int
  let last: Int

  /// The runs that the fields form; fields of −1 (absent columns) form none.
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

/// Gives equal values one code each, counted from 0 in order of first use, for as long as it
/// remembers them. Rows are recognised by
/// the raw bytes of their fields, so a value is built only for bytes that were not seen before.
struct Interner<Value: Hashable> {
  private struct Key {
    var start: UInt32
    var count: UInt32
    var code: Int32
  }
  /// Has its key itself, so that looking one up goes to memory once less.
  private struct Slot {
    var hash: UInt64
    var key: Key
    /// The key's number; −1 is free.
    var number: Int32

    static var free: Slot { Slot(hash: 0, key: Key(start: 0, count: 0, code: 0), number: -1) }
  }

  private let runs: [FieldRun]
  private var slots: [Slot]
  private var keys: [Key] = []
  private var keyBytes: [UInt8] = Array(repeating: 0, count: overrun)
  private var codes: [Value: Int32] = [:]
  private var hash: UInt64 = 0
  /// Codes that were given before all was forgotten.
  private(set) var forgotten: Int32 = 0
  /// Values that are new since they were last taken.
  private(set) var fresh: [Value] = []

  init(fields: [Int]) {
    runs = FieldRun.covering(fields)
    slots = Array(repeating: .free, count: 1024)
  }

  var count: Int { Int(forgotten) + codes.count }

  /// Whether so many values are remembered that it is time to forget them: where nearly every row
  /// has its own, remembering them finds nothing again and takes memory without end.
  var isFull: Bool { codes.count >= 1 << 16 }

  /// Forgets all values; one that is met again gets a new code.
  mutating func forgetAll() {
    precondition(fresh.isEmpty, "what is new was taken")
    forgotten += Int32(codes.count)
    codes.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    keyBytes = Array(repeating: 0, count: overrun)
    slots = Array(repeating: .free, count: slots.count)
  }

  mutating func takeFresh() -> [Value] {
    defer { fresh = [] }
    return fresh
  }

  /// The code of the value that the record's bytes stand for, or −1; `insert` may follow.
  @inline(__always)
  mutating func find(_ record: Record) -> Int32 {
    var state: UInt64 = 0
    for run in runs {
      let start = record.start(of: run.first)
      state = runHash(record.base + start, Int(record.ends[run.last]) &- start, state)
    }
    hash = state
    return slots.withUnsafeBufferPointer { slots in
      let mask = slots.count &- 1
      var index = Int(truncatingIfNeeded: state) & mask
      while true {
        let slot = slots[index]
        if slot.number < 0 { return -1 }
        if slot.hash == state, matches(record, slot.key) { return slot.key.code }
        index = (index &+ 1) & mask
      }
    }
  }

  @inline(__always)
  private func matches(_ record: Record, _ key: Key) -> Bool {
    keyBytes.withUnsafeBytes { bytes in
      var place = bytes.baseAddress! + Int(key.start)
      var rest = Int(key.count)
      for run in runs {
        let start = record.start(of: run.first)
        let count = Int(record.ends[run.last]) &- start
        if rest <= count { return false }
        if !equalBytes(place, record.base + start, count) { return false }
        if place.load(fromByteOffset: count, as: UInt8.self) != 0xFF { return false }
        place += count &+ 1
        rest &-= count &+ 1
      }
      return rest == 0
    }
  }

  /// Remembers what the record's bytes, just looked for in vain, stand for.
  mutating func insert(_ value: Value, for record: Record) -> Int32 {
    let next = Int32(count)
    let code = Self.kept(&codes[value, default: next])
    if code == next { fresh.append(value) }
    keyBytes.removeLast(overrun)
    let start = keyBytes.count
    for run in runs {
      let first = record.start(of: run.first)
      keyBytes.append(
        contentsOf: UnsafeRawBufferPointer(
          start: record.base + first, count: Int(record.ends[run.last]) - first))
      keyBytes.append(0xFF)
    }
    let key = Key(
      start: UInt32(start), count: UInt32(keyBytes.count - start), code: code)
    keys.append(key)
    keyBytes.append(contentsOf: repeatElement(0, count: overrun))
    place(Slot(hash: hash, key: key, number: Int32(keys.count - 1)))
    if keys.count * 2 > slots.count { rehash() }
    return code
  }

  /// What a dictionary has at a place that was looked up once, to be read or filled.
  private static func kept(_ place: inout Int32) -> Int32 { place }

  /// How much is remembered, to come back to.
  struct Mark {
    fileprivate var keys: Int
    fileprivate var fresh: Int
  }

  var mark: Mark { Mark(keys: keys.count, fresh: fresh.count) }

  /// Forgets what was inserted since; no value was taken in between.
  mutating func forget(since mark: Mark) {
    guard keys.count > mark.keys else { return }
    for value in fresh[mark.fresh...] { codes[value] = nil }
    fresh.removeLast(fresh.count - mark.fresh)
    keyBytes.removeSubrange(Int(keys[mark.keys].start)..<keyBytes.count - overrun)
    keys.removeLast(keys.count - mark.keys)
    let kept = slots.filter { $0.number >= 0 && $0.number < mark.keys }
    slots = Array(repeating: .free, count: slots.count)
    for slot in kept { place(slot) }
  }

  private mutating func place(_ slot: Slot) {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: slot.hash) & mask
    while slots[index].number >= 0 { index = (index + 1) & mask }
    slots[index] = slot
  }

  private mutating func rehash() {
    let old = slots
    slots = Array(repeating: .free, count: old.count * 2)
    for slot in old where slot.number >= 0 { place(slot) }
  }
}
