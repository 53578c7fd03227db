internal import Billing

/// The keys of one sort of JSON object, as cases in their declaration's order.
protocol JSONKey: RawRepresentable<Int>, CaseIterable {
  var name: String { get }
  /// Whether a key may be spelt in another way: with other capitals, or marks between its words.
  static var isAnySpelling: Bool { get }
}

extension JSONKey {
  static var isAnySpelling: Bool { false }
}

/// Keys whose names are those of their cases.
protocol CamelCaseKey: JSONKey {}

/// Keys whose names are those of their cases, in any spelling: for answers that people keep in
/// their own.
protocol AnyCaseKey: CamelCaseKey {}

extension AnyCaseKey {
  static var isAnySpelling: Bool { true }
}

extension CamelCaseKey {
  var name: String { String(describing: self) }
}

/// Keys whose names are those of their cases in lower case, with underscores.
protocol SnakeCaseKey: JSONKey {}

extension SnakeCaseKey {
  var name: String {
    String(describing: self).reduce(into: "") { name, character in
      if character.isUppercase { name.append("_") }
      name += character.lowercased()
    }
  }
}

/// What is wrong with an object that has more keys than any record.
///
/// - Parameter offset: where in the record the first key too many is.
func tooManyKeys(offset: Int) -> RecordDiagnostic {
  RecordDiagnostic(
    nil, "key", "@text.object-has-more-than-keys \(ReadingLimits.keys)", offset: offset,
    help: "@text.records-belong-in-an-array")
}

/// Finds the members of JSON objects that have the same keys, mostly in the same order: what key
/// follows which is remembered, so that a key is compared once and rarely looked for.
final class ObjectFields<Key: JSONKey> {
  /// Per key: the part that is its value, or −1; null and empty texts are none.
  let cells: UnsafeMutablePointer<Int32>
  let count: Int
  private let bytes: UnsafeMutableRawPointer
  private let starts: UnsafeMutablePointer<Int32>
  private let counts: UnsafeMutablePointer<Int32>
  /// Per key, and for the object's start: the key that came after it the last time.
  private let followers: UnsafeMutablePointer<Int32>
  private var known: Int
  private var bytesUsed = 0
  private let squeezedNames: [String]

  /// Keys without a meaning that are remembered beside the others, and bytes of all keys.
  private static var strangers: Int { 64 }
  private static var room: Int { 8192 }

  init() {
    let names = Key.allCases.map { Array($0.name.utf8) }
    squeezedNames = Key.isAnySpelling ? Key.allCases.map { squeezedName($0.name) } : []
    count = names.count
    known = names.count
    let slots = names.count + Self.strangers
    cells = .allocate(capacity: count)
    cells.initialize(repeating: -1, count: count)
    bytes = .allocate(byteCount: Self.room + overrun, alignment: 16)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Self.room + overrun)
    starts = .allocate(capacity: slots)
    counts = .allocate(capacity: slots)
    followers = .allocate(capacity: slots + 1)
    followers.initialize(repeating: -1, count: slots + 1)
    for (index, name) in names.enumerated() {
      name.withUnsafeBytes { remember($0, as: index) }
    }
  }

  deinit {
    cells.deallocate()
    bytes.deallocate()
    starts.deallocate()
    counts.deallocate()
    followers.deallocate()
  }

  /// Keeps a key's bytes under a number: those of known keys come first.
  private func remember(_ name: UnsafeRawBufferPointer, as slot: Int) {
    (bytes + bytesUsed).copyMemory(from: name.baseAddress!, byteCount: name.count)
    starts[slot] = Int32(bytesUsed)
    counts[slot] = Int32(name.count)
    bytesUsed += name.count
  }

  /// The part of the tape that is the key's value; −1 for none.
  @inline(__always)
  subscript(_ key: Key) -> Int32 { cells[key.rawValue] }

  func clear() { cells.update(repeating: -1, count: count) }

  /// Finds the members of an object and sets their cells; of a part that is no object, none.
  ///
  /// - Parameter object: its part of the tape.
  /// - Throws: a diagnostic when one of the keys occurs twice, or there are too many.
  func find(_ tape: JSONTape, _ object: Int32) throws(RecordDiagnostic) {
    clear()
    guard tape.kind(of: object) == .object else { return }
    let end = tape.nodes[Int(object)].next
    var node = object &+ 1
    var last = count + Self.strangers
    var members = 0
    while node < end {
      members += 1
      if members > ReadingLimits.keys { throw tooManyKeys(offset: tape.place(of: node)) }
      var slot = Int(followers[last])
      if slot < 0 || !tape.key(of: Int(node), is: bytes + Int(starts[slot]), Int(counts[slot])) {
        slot = lookUp(tape, Int(node))
        if slot >= 0 { followers[last] = Int32(truncatingIfNeeded: slot) }
      }
      if slot >= 0 {
        last = slot
        if slot < count { try set(slot, tape, node) }
      }
      node = tape.nodes[Int(node)].next
    }
  }

  /// Sets a known key's cell to its value's part, unless that is null or an empty text; throws a
  /// diagnostic when it is set already.
  ///
  /// - Parameter slot: the key's number.
  @inline(__always)
  private func set(_ slot: Int, _ tape: JSONTape, _ node: Int32) throws(RecordDiagnostic) {
    let found = tape.nodes[Int(node)]
    if found.kind == .null || found.kind == .text && found.count == 0 { return }
    if cells[slot] >= 0 { throw twice(slot, tape, node) }
    cells[slot] = node
  }

  /// What is wrong with an object that has the key of number `slot` twice, the second time at
  /// `node`.
  @inline(never)
  private func twice(_ slot: Int, _ tape: JSONTape, _ node: Int32) -> RecordDiagnostic {
    let name = UnsafeRawBufferPointer(start: bytes + Int(starts[slot]), count: Int(counts[slot]))
    return RecordDiagnostic(
      nil, "key", "@shared.key-occurs-twice-in-one \(shown(name))",
      offset: tape.place(of: node), help: "@shared.export-the-file-again")
  }

  /// The number of a part's key; a key without a meaning is remembered while there is room, and −1
  /// where there is none.
  @inline(never)
  private func lookUp(_ tape: JSONTape, _ node: Int) -> Int {
    for slot in 0..<known
    where tape.key(of: node, is: bytes + Int(starts[slot]), Int(counts[slot])) {
      return slot
    }
    if Key.isAnySpelling {
      let name = tape.key(of: node) { squeezedName(String(decoding: $0, as: UTF8.self)) }
      if let slot = squeezedNames.firstIndex(of: name) { return slot }
    }
    let found = tape.nodes[node]
    let length = Int(found.keyCount)
    guard known < count + Self.strangers, bytesUsed + length <= Self.room, !found.keyIsCoded,
      length > 0
    else { return -1 }
    remember(
      UnsafeRawBufferPointer(start: tape.base + Int(found.keyStart), count: length), as: known)
    known += 1
    return known - 1
  }
}
