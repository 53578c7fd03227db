internal import Billing

/// What a file writes for words of Tieout's.
struct WordTable: Sendable {
  private var pairs: [(theirs: [UInt8], ours: [UInt8])] = []
  /// For numbers above and below zero.
  private var ofSigns: (plus: [UInt8]?, minus: [UInt8]?) = (nil, nil)

  var isEmpty: Bool { pairs.isEmpty }

  /// - Parameters:
  ///   - words: for each word of Tieout's, those of the file.
  ///   - ofSigns: whether `+` and `-` stand for numbers above and below zero.
  init(_ words: [String: [String]], ofSigns: Bool = false) {
    for (ours, theirs) in words.sorted(by: { $0.key < $1.key }) {
      pairs += theirs.map { (Array($0.utf8), Array(ours.utf8)) }
    }
    guard ofSigns else { return }
    /// Tieout's word for a sign; nil where the file's words do not have it.
    func ours(_ sign: String) -> [UInt8]? { pairs.first { $0.theirs == Array(sign.utf8) }?.ours }
    self.ofSigns = (ours("+"), ours("-"))
  }

  /// Tieout's word for a value of the file; nil where the table has none.
  @inline(__always)
  func word(for bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    if pairs.isEmpty { return nil }
    for pair in pairs where isSame(bytes, pair.theirs) { return pair.ours }
    if ofSigns.plus == nil, ofSigns.minus == nil { return nil }
    let isBelow = bytes.first == 0x2D
    let digits = isBelow || bytes.first == 0x2B ? bytes.dropFirst() : bytes[...]
    guard let digit = digits.first, digit &- 0x30 < 10 else { return nil }
    return isBelow ? ofSigns.minus : ofSigns.plus
  }
}

/// Coins of a log in which what goes is below zero: its movement says the same, and is what counts.
struct SignedCoins {
  /// Columns of the table.
  let movement: Int
  let coins: Int
  private let field: Int
  private let words: WordTable
  private let constant: [UInt8]
  private var goes = false

  private static let going = CoinMovement.allCases.filter { $0.sign < 0 }.map {
    Array($0.name.utf8)
  }

  /// Finds where a log has movements and coins; nil where the mapping says nothing of signs.
  ///
  /// - Parameter fields: per column of the table, where records have it.
  init?(_ mapped: MappedTable, _ fields: [Int]) {
    let mapping = mapped.mapping
    let movementWords = mapping.words["movement"] ?? [:]
    guard mapping.kind == .coinMovements,
      mapping.signs.contains("-") || movementWords.values.contains(where: { $0.contains("-") }),
      let movement = mapped.table.names.firstIndex(of: "movement"),
      let coins = mapped.table.names.firstIndex(of: "coins")
    else { return nil }
    (self.movement, self.coins, field) = (movement, coins, fields[movement])
    words = WordTable(movementWords, ofSigns: true)
    constant = Array((mapping.constants["movement"] ?? "").utf8)
  }

  /// Finds which way a row's coins move.
  mutating func look(at record: Record) {
    let bytes = field < 0 ? nil : trimmed(record[field])
    if let bytes, let word = words.word(for: bytes) {
      goes = Self.going.contains(word)
    } else if let bytes, !bytes.isEmpty {
      goes = Self.going.contains { word in
        word.count == bytes.count && zip(word, bytes).allSatisfy { $0 == $1 | 0x20 || $0 == $1 }
      }
    } else {
      goes = Self.going.contains(constant)
    }
  }

  /// The number of coins without a sign that its movement says already: a minus where coins go, a
  /// plus where they come. The movement is that of the row which ``look(at:)`` was given last.
  func bare(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard bytes.first == (goes ? 0x2D : 0x2B) else { return bytes }
    return trimmed(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
  }
}

/// Whether a value is a text, byte for byte.
@inline(__always)
func isSame(_ bytes: UnsafeRawBufferPointer, _ text: [UInt8]) -> Bool {
  bytes.count == text.count && bytes.elementsEqual(text)
}
