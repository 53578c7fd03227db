internal import Billing

/// The transactions of one receipt while it is read: each once, with what all its places tell.
struct ReceiptDrafts {
  /// One transaction with the times that decide on others.
  struct Draft {
    var purchasedAt: Instant
    var expiresAt: Instant?
    var revokedAt: Instant?
    var isUpgraded = false
  }

  typealias Key = ReceiptTransactionKey

  private let fields = ObjectFields<Key>()
  private(set) var drafts: [Draft] = []
  /// Per draft and key, the part that is its value.
  private var cells: [Int32] = []
  /// Drafts by the hash of their ids; −1 is free.
  private var slots: [Int32] = []
  private(set) var times = TimeColumn()

  private static let width = Key.allCases.count
  /// Bytes of the longest id.
  static let idLimit = 512

  var count: Int { drafts.count }

  /// The index of the draft that was bought last; nil without drafts.
  var newest: Int? {
    drafts.indices.max { drafts[$0].purchasedAt < drafts[$1].purchasedAt }
  }

  /// Begins a receipt with at most so many transactions of those that are well formed.
  mutating func begin(atMost limit: Int) {
    drafts.removeAll(keepingCapacity: true)
    cells.removeAll(keepingCapacity: true)
    var size = 16
    while size < limit * 2 { size *= 2 }
    slots.removeAll(keepingCapacity: true)
    slots.append(contentsOf: repeatElement(-1, count: size))
  }

  /// Adds a draft of the transaction at `object` of the tape; where there is a draft with its id,
  /// that one is given what it lacks instead.
  mutating func add(_ tape: JSONTape, _ object: Int32) throws(RecordDiagnostic) {
    try fields.find(tape, object)
    let id = try plainID(tape, fields[.transactionId], "transaction_id")
    guard let id else { throw Self.missing("transaction_id", at: tape.place(of: object)) }
    if isSpoiledID(id) { throw Self.spoiled(id, at: tape.place(of: fields[.transactionId])) }
    var slot = Int(truncatingIfNeeded: hash64(id)) & (slots.count - 1)
    while slots[slot] >= 0 {
      let other = trimmed(text(Int(slots[slot]), .transactionId, tape))
      if other.count == id.count, other.elementsEqual(id) {
        fillGaps(Int(slots[slot]))
        return
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(drafts.count)
    cells.append(contentsOf: UnsafeBufferPointer(start: fields.cells, count: Self.width))
    drafts.append(Draft(purchasedAt: Instant(seconds: 0)))
  }

  /// Gives a draft the values that it lacks from those that ``fields`` has found, which are of
  /// another object with the same id.
  private mutating func fillGaps(_ draft: Int) {
    let start = draft * Self.width
    for whole in Key.wholes where whole.allSatisfy({ cells[start + $0] < 0 }) {
      for key in whole { cells[start + key] = fields.cells[key] }
    }
    for key in 0..<Key.promotionalOfferId.rawValue where cells[start + key] < 0 {
      cells[start + key] = fields.cells[key]
    }
  }

  /// Reads the times of all drafts.
  mutating func finish(_ tape: JSONTape) throws(RecordDiagnostic) {
    for index in drafts.indices {
      let purchased = try time(index, Key.purchase, "purchase_date", tape)
      guard let purchased else {
        throw Self.missing("purchase_date", at: place(index, .transactionId, tape))
      }
      if trimmed(text(index, .productId, tape)).isEmpty {
        throw Self.missing("product_id", at: place(index, .transactionId, tape))
      }
      drafts[index].purchasedAt = purchased
      drafts[index].expiresAt = try time(index, Key.expiry, "expires_date", tape)
      drafts[index].revokedAt = try time(index, Key.cancellation, "cancellation_date", tape)
    }
  }

  /// Marks the cancelled transactions whose subscription went on with another product at once.
  mutating func findUpgrades(_ tape: JSONTape) {
    for index in drafts.indices {
      guard let revokedAt = drafts[index].revokedAt else { continue }
      drafts[index].isUpgraded = drafts.indices.contains {
        abs(drafts[$0].purchasedAt.seconds - revokedAt.seconds) <= 60
          && !isSame(index, $0, .productId, tape)
          && (isSame(index, $0, .originalTransactionId, tape)
            || isSame(index, $0, .subscriptionGroupIdentifier, tape))
      }
    }
  }

  /// Sets when a draft's transaction was revoked.
  mutating func cancel(_ draft: Int, at instant: Instant) { drafts[draft].revokedAt = instant }

  /// Whether two drafts have the same value of a key, and it is not blank.
  private func isSame(_ left: Int, _ right: Int, _ key: Key, _ tape: JSONTape) -> Bool {
    let value = trimmed(text(left, key, tape))
    return !value.isEmpty && value.elementsEqual(trimmed(text(right, key, tape)))
  }

  /// Whether a draft's value of a key is `value`, which is not blank.
  func has(_ draft: Int, _ key: Key, _ value: UnsafeRawBufferPointer, _ tape: JSONTape) -> Bool {
    !value.isEmpty && trimmed(text(draft, key, tape)).elementsEqual(value)
  }

  /// The part of the tape that is a draft's value of a key; −1 for none.
  @inline(__always)
  func cell(_ draft: Int, _ key: Key) -> Int32 { cells[draft &* Self.width &+ key.rawValue] }

  /// The text of a draft's value of a key; empty for none.
  @inline(__always)
  func text(_ draft: Int, _ key: Key, _ tape: JSONTape) -> UnsafeRawBufferPointer {
    tape.text(cell(draft, key))
  }

  /// Where a draft's value of a key stands in the raw record.
  func place(_ draft: Int, _ key: Key, _ tape: JSONTape) -> Int {
    tape.place(of: cell(draft, key))
  }

  /// The id that a draft has under a key; nil when it has none. Throws a diagnostic for one that a
  /// spreadsheet spoiled.
  ///
  /// - Parameter name: the key's, for the diagnostic.
  func id(
    _ draft: Int, _ key: Key, _ name: StaticString, _ tape: JSONTape
  ) throws(RecordDiagnostic) -> UnsafeRawBufferPointer? {
    let id = try plainID(tape, cell(draft, key), name)
    if let id, key == .originalTransactionId, isSpoiledID(id) {
      throw Self.spoiled(id, at: place(draft, key, tape))
    }
    return id
  }

  /// The time of the first of the keys, in the order of preference, that a draft has; nil for none.
  ///
  /// - Parameter keys: raw values of ``Key`` that name the same time in several forms.
  private mutating func time(
    _ draft: Int, _ keys: ClosedRange<Int>, _ name: StaticString, _ tape: JSONTape
  ) throws(RecordDiagnostic) -> Instant? {
    let start = draft * Self.width
    for key in keys where cells[start + key] >= 0 {
      return try tape.time(cells[start + key], name, &times)
    }
    return nil
  }

  /// What is wrong with a transaction that lacks a value.
  static func missing(_ name: StaticString, at place: Int) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "value", "@purchase.transaction-has-no \(name)", offset: place,
      help: "@purchase.transaction-needs-its-id")
  }

  /// What is wrong with an id that was turned into a rounded number.
  private static func spoiled(_ id: UnsafeRawBufferPointer, at place: Int) -> RecordDiagnostic {
    RecordDiagnostic(
      nil, "id", "@purchase.transaction-id-was-turned-into \(shown(id))",
      offset: place, help: "@purchase.keep-ids-as-text-export")
  }
}

/// The id that a part of a record is, trimmed; nil when it is none.
///
/// - Parameter name: the key's, for the diagnostic.
/// - Throws: a diagnostic for what is no plain value, and for ids that are no ids by their length.
func plainID(
  _ tape: JSONTape, _ node: Int32, _ name: StaticString
) throws(RecordDiagnostic) -> UnsafeRawBufferPointer? {
  guard node >= 0 else { return nil }
  try tape.requirePlain(node, name)
  let id = trimmed(tape.text(node))
  if id.count > ReceiptDrafts.idLimit {
    throw RecordDiagnostic(
      nil, "id", "@purchase.is-longer-than-bytes \(name) \(ReceiptDrafts.idLimit) \(shown(id))",
      offset: tape.place(of: node), help: "@purchase.this-is-not-an-id")
  }
  return id.isEmpty ? nil : id
}

extension JSONTape {
  /// Throws a diagnostic when a part is an object or array.
  func requirePlain(_ node: Int32, _ name: StaticString) throws(RecordDiagnostic) {
    guard node >= 0, let kind = kind(of: node), kind == .object || kind == .array else { return }
    throw RecordDiagnostic(
      nil, "value", "@shared.is-not-a-plain-value \(name)", offset: place(of: node),
      help: "@purchase.text-or-a-number")
  }

  /// The time that a part is; nil for no part, null, blank and what programs write for no time.
  /// Fractions of numbers are cut off.
  func time(
    _ node: Int32, _ name: StaticString, _ column: inout TimeColumn
  ) throws(RecordDiagnostic) -> Instant? {
    guard node >= 0 else { return nil }
    try requirePlain(node, name)
    var bytes = trimmed(text(node))
    if kind(of: node) == .number, let point = bytes.firstIndex(of: 0x2E) {
      bytes = UnsafeRawBufferPointer(rebasing: bytes[..<point])
    }
    if bytes.isEmpty || column.isNone(bytes) { return nil }
    do throws(RecordDiagnostic) {
      return try column.read(bytes, nil, name)
    } catch {
      var diagnostic = error
      diagnostic.offset = place(of: node)
      throw diagnostic
    }
  }
}
