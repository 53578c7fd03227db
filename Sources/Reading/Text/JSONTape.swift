internal import Billing

/// One value of a JSON text: what it is and where it stands.
struct JSONNode {
  enum Kind: UInt8 { case object, array, text, number, word, null }
  enum Form: UInt8 {
    /// To be read as it stands.
    case plain
    /// A text with escapes, or a number with an exponent.
    case coded
    /// Worked out: the bytes lie beside the text.
    case decoded
  }

  var kind: Kind
  var form: Form
  var keyIsCoded: Bool
  /// Where the value's first byte stands, a quotation mark included.
  var place: Int32
  /// The bytes of a text, number or word.
  var start: Int32
  var count: Int32
  /// The node behind this value and all that it holds.
  var next: Int32
  /// The bytes of the key that it has in its object.
  var keyStart: Int32
  var keyCount: Int32
}

/// What reading the JSON value at the window's start came to.
enum TapeParse {
  case incomplete
  /// No JSON from `offset` on.
  case malformed(offset: Int, expected: Wording)
  /// JSON whose text is at fault.
  case diagnostic(RecordDiagnostic)
  case value

  /// What is wrong with a text that should be one value and nothing else; nil for nothing.
  var fault: Wording? {
    switch self {
    case .incomplete: "@text.it-ends-too-early"
    case .malformed(let offset, let expected): "@text.was-expected-at-byte \(expected) \(offset)"
    case .diagnostic(let wrong): wrong.message
    case .value: nil
    }
  }
}

/// One JSON value of any depth as a flat list of its parts, in the order of the text: an object or
/// array, then what it holds. The list is used again for the next value.
///
/// This is the reader of all JSON in files: a reader of Foundation's would make an object of each
/// part, and lose where it stands and the digits of a number.
final class JSONTape {
  private(set) var nodes: UnsafeMutablePointer<JSONNode>
  private(set) var count = 0
  private var capacity = 256
  /// Bytes that the value takes, and line ends among them.
  var length = 0
  var lines = 0
  /// Where the text stands in its record, for a text that was taken out of one.
  private(set) var origin: Int?

  var base = UnsafeRawPointer(bitPattern: 1)!
  var limit = 0
  var place = 0
  /// Bytes of text seen so far, or'ed: tells whether any is beyond ASCII.
  var high: UInt64 = 0
  var exponents = 0
  /// The objects and arrays that are open.
  let open: UnsafeMutablePointer<Int32>
  var depth = 0

  private var copy: UnsafeMutableRawPointer?
  private var copyCapacity = 0
  private var decoded: UnsafeMutableRawPointer?
  private var decodedCapacity = 0
  private var decodedCount = 0

  /// Objects and arrays inside each other that are followed.
  static let depthLimit = 64
  /// Parts that a value may have.
  static let countLimit = 1 << 21

  init() {
    nodes = .allocate(capacity: capacity)
    open = .allocate(capacity: Self.depthLimit)
  }

  deinit {
    nodes.deallocate()
    open.deallocate()
    copy?.deallocate()
    decoded?.deallocate()
  }

  /// Reads the JSON value that the `limit` bytes at `base` begin with; they stay there as long as
  /// its parts are looked at.
  func read(_ base: UnsafeRawPointer, _ limit: Int) -> TapeParse {
    origin = nil
    return parse(base, limit)
  }

  /// Reads a text that was taken out of a record: one value and nothing else.
  ///
  /// - Parameter origin: where it stood in the record; faults inside it are reported there.
  func read(copying text: UnsafeRawBufferPointer, origin: Int) -> TapeParse {
    if text.count >= copyCapacity {
      copy?.deallocate()
      copyCapacity = max(text.count + 1, copyCapacity * 2, 4096)
      copy = .allocate(byteCount: copyCapacity + overrun, alignment: 16)
      copy!.initializeMemory(as: UInt8.self, repeating: 0, count: copyCapacity + overrun)
    }
    if let start = text.baseAddress {
      copy!.copyMemory(from: start, byteCount: text.count)
    }
    copy!.storeBytes(of: 0x0A, toByteOffset: text.count, as: UInt8.self)
    self.origin = origin
    let outcome = parse(UnsafeRawPointer(copy!), text.count + 1)
    guard case .value = outcome else { return outcome }
    let rest = UnsafeRawBufferPointer(start: copy! + length, count: text.count - length + 1)
    if let stray = rest.firstIndex(where: { $0 > 0x20 }) {
      return .malformed(offset: length + stray, expected: "@text.end-of-the-text")
    }
    return .value
  }

  /// Takes the line at `base`, up to the next blank, as one text without quotation marks.
  func readBare(_ base: UnsafeRawPointer, _ limit: Int) -> TapeParse {
    let line = UnsafeRawBufferPointer(start: base, count: limit)
    guard let end = line.firstIndex(where: { $0 <= 0x20 }) else { return .incomplete }
    begin(base, limit)
    origin = nil
    append(.text, at: 0, start: 0, count: end, keyStart: 0, keyCount: 0)
    length = end
    if let offset = firstMalformedUTF8(UnsafeRawBufferPointer(rebasing: line[..<end])) {
      return .diagnostic(Divider.malformedText(offset))
    }
    return .value
  }

  /// Empties the list for a value that begins at `base`.
  func begin(_ base: UnsafeRawPointer, _ limit: Int) {
    self.base = base
    self.limit = limit
    place = 0
    count = 0
    length = 0
    lines = 0
    high = 0
    exponents = 0
    depth = 0
    decodedCount = 0
  }

  /// Appends a part to the list: its bytes and its key's lie at `start` and `keyStart`, from
  /// `base`.
  ///
  /// - Parameter place: where its first byte stands, a quotation mark included.
  @inline(__always)
  func append(
    _ kind: JSONNode.Kind, _ form: JSONNode.Form = .plain, at place: Int, start: Int, count: Int,
    keyStart: Int, keyCount: Int, keyIsCoded: Bool = false
  ) {
    if self.count == capacity { grow() }
    (nodes + self.count).initialize(
      to: JSONNode(
        kind: kind, form: form, keyIsCoded: keyIsCoded,
        place: Int32(truncatingIfNeeded: place), start: Int32(truncatingIfNeeded: start),
        count: Int32(truncatingIfNeeded: count), next: Int32(truncatingIfNeeded: self.count &+ 1),
        keyStart: Int32(truncatingIfNeeded: keyStart),
        keyCount: Int32(truncatingIfNeeded: keyCount)))
    self.count &+= 1
  }

  /// Moves the list to memory with room for twice as many parts.
  @inline(never)
  private func grow() {
    let larger = UnsafeMutablePointer<JSONNode>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: nodes, count: count)
    nodes.deallocate()
    nodes = larger
    capacity *= 2
  }

  /// Ends an object or array: the part behind it is the next one that is appended.
  func close(_ container: Int32) { nodes[Int(container)].next = Int32(truncatingIfNeeded: count) }

  /// Where a part stands in the record's raw bytes; 0 for no part (−1).
  func place(of node: Int32) -> Int { origin ?? (node < 0 ? 0 : Int(nodes[Int(node)].place)) }

  /// How many parts a value has, itself among them; 0 for no part (−1).
  func size(of node: Int32) -> Int { node < 0 ? 0 : Int(nodes[Int(node)].next - node) }

  /// What a part is; nil for no part (−1).
  func kind(of node: Int32) -> JSONNode.Kind? { node < 0 ? nil : nodes[Int(node)].kind }

  /// The bytes of a text, number or word, escapes worked out; empty for all else and for no part.
  @inline(__always)
  func text(_ node: Int32) -> UnsafeRawBufferPointer {
    guard node >= 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let found = nodes[Int(node)]
    if found.form == .plain {
      return UnsafeRawBufferPointer(start: base + Int(found.start), count: Int(found.count))
    }
    return codedText(Int(node))
  }

  /// A number as it stands whose exponent is over 13, as `1.2E+15`: its last digits are unknown;
  /// nil for any other part.
  func roundedNumber(_ node: Int32) -> [UInt8]? {
    guard node >= 0, nodes[Int(node)].kind == .number, nodes[Int(node)].form == .coded else {
      return nil
    }
    let found = nodes[Int(node)]
    let raw = UnsafeRawBufferPointer(start: base + Int(found.start), count: Int(found.count))
    let parts = raw.split { $0 | 0x20 == 0x65 }
    guard parts.count == 2, let power = Int(String(decoding: parts[1], as: UTF8.self)), power > 13
    else { return nil }
    return Array(parts[0]) + Array("E+\(power)".utf8)
  }

  /// The bytes of a text with escapes or a number with an exponent, which are worked out once.
  @inline(never)
  private func codedText(_ node: Int) -> UnsafeRawBufferPointer {
    if nodes[node].form == .coded { decode(node) }
    let found = nodes[node]
    return UnsafeRawBufferPointer(
      start: decoded.map { UnsafeRawPointer($0) + Int(found.start) }, count: Int(found.count))
  }

  /// Works out a part's escapes or exponent, and lets the part lead to the result.
  private func decode(_ node: Int) {
    if decodedCount == 0 {
      // A decoded text is no longer than its escapes; a number has at most forty digits more.
      let room = length + exponents * 64
      if decodedCapacity < room {
        decoded?.deallocate()
        decodedCapacity = max(room, decodedCapacity * 2)
        decoded = .allocate(byteCount: decodedCapacity + overrun, alignment: 16)
        decoded!.initializeMemory(as: UInt8.self, repeating: 0, count: decodedCapacity + overrun)
      }
    }
    let found = nodes[node]
    let raw = UnsafeRawBufferPointer(start: base + Int(found.start), count: Int(found.count))
    let start = decodedCount
    if found.kind == .number, let digits = plainDecimal(json: raw) {
      for digit in digits {
        decoded!.storeBytes(of: digit, toByteOffset: reserve(1), as: UInt8.self)
      }
    } else {
      unescape(raw)
    }
    nodes[node].form = .decoded
    nodes[node].start = Int32(truncatingIfNeeded: start)
    nodes[node].count = Int32(truncatingIfNeeded: decodedCount - start)
  }

  /// Takes room for `bytes` bytes of what is worked out, and returns where it begins.
  private func reserve(_ bytes: Int) -> Int {
    defer { decodedCount += bytes }
    return decodedCount
  }

  /// Appends a text's bytes to what is worked out, characters for escapes.
  private func unescape(_ raw: UnsafeRawBufferPointer) {
    var index = 0
    while index < raw.count {
      if raw[index] != 0x5C {
        decoded!.storeBytes(of: raw[index], toByteOffset: reserve(1), as: UInt8.self)
        index += 1
        continue
      }
      guard let escape = JSONEscape(raw.baseAddress! + index, raw.count - index) else { return }
      decodedCount += encode(escape.scalar, at: decoded! + decodedCount)
      index += escape.length
    }
  }

  /// Whether a part's key is the `count` bytes at `name`.
  @inline(__always)
  func key(of node: Int, is name: UnsafeRawPointer, _ count: Int) -> Bool {
    let found = nodes[node]
    if found.keyIsCoded {
      return codedKey(found).elementsEqual(UnsafeRawBufferPointer(start: name, count: count))
    }
    return Int(found.keyCount) == count && equalBytes(base + Int(found.keyStart), name, count)
  }

  /// What `body` makes of the bytes of a part's key, escapes worked out.
  func key<Result>(of node: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let found = nodes[node]
    if found.keyIsCoded { return codedKey(found).withUnsafeBytes(body) }
    return body(
      UnsafeRawBufferPointer(start: base + Int(found.keyStart), count: Int(found.keyCount)))
  }

  /// The bytes of a key in which characters were written as escapes.
  @inline(never)
  private func codedKey(_ node: JSONNode) -> [UInt8] {
    var key: [UInt8] = []
    var index = 0
    let raw = UnsafeRawBufferPointer(start: base + Int(node.keyStart), count: Int(node.keyCount))
    while index < raw.count {
      guard raw[index] == 0x5C else {
        key.append(raw[index])
        index += 1
        continue
      }
      guard let escape = JSONEscape(raw.baseAddress! + index, raw.count - index) else { break }
      withUnsafeTemporaryAllocation(byteCount: 4, alignment: 1) { room in
        key += room[..<encode(escape.scalar, at: room.baseAddress!)]
      }
      index += escape.length
    }
    return key
  }
}
