internal import Billing

/// Writes the values of one mapped record after the other as the table's reader expects them.
final class MappedValues {
  private let mapping: TableMapping
  private let names: [String]
  private let forms: [ColumnForm]
  /// Per column: the record's field, or −1.
  private let fields: [Int]
  private let constants: [[UInt8]]
  private let words: [WordTable]
  private let nulls: [[UInt8]]
  private let stop: [UInt8]
  /// Fields of each record as the file has them; none in JSON.
  private let fieldCount: Int
  private let buffer: RecordBuffer
  private var times: WallTimes
  private let numbers: NumberForm
  private(set) var firstValues: [String] = []

  /// - Parameter fields: per column of the table, where the records have it.
  init(_ mapped: MappedTable, fields: [Int]) {
    mapping = mapped.mapping
    names = mapped.table.names
    forms = names.map(ColumnForm.init(column:))
    self.fields = fields
    constants = names.map { Array((mapped.mapping.constants[$0] ?? "").utf8) }
    words = names.map { WordTable(mapped.mapping.words[$0] ?? [:]) }
    nulls = mapped.mapping.nulls.map { Array($0.utf8) }
    stop = Array((mapped.mapping.stopAt ?? "").utf8)
    fieldCount = mapped.header?.names.count ?? 0
    buffer = RecordBuffer(columns: names.count)
    times = WallTimes(mapping)
    numbers = NumberForm(mapping)
  }

  /// Times that clocks show twice or skip.
  var uncertainTimes: Int { times.uncertain }

  /// The record's field that a column is read from; −1 for a constant.
  func source(of column: Int) -> Int { column < 0 ? column : fields[column] }

  /// Whether the table ends before this record: its first value begins with the text that says so.
  func endsTable(_ record: Record) -> Bool {
    guard !stop.isEmpty else { return false }
    for field in 0..<fieldCount {
      let bytes = trimmed(record[field])
      if !bytes.isEmpty { return bytes.starts(with: stop) }
    }
    return false
  }

  /// The same of a row that was not divided, by its raw bytes.
  func endsTable(_ raw: UnsafeRawBufferPointer) -> Bool {
    guard !stop.isEmpty else { return false }
    return raw.drop { $0 <= 0x20 || [0x22, 0x2C, 0x3B].contains($0) }.starts(with: stop)
  }

  func rewritten(_ record: Record) throws(RecordDiagnostic) -> Record {
    buffer.clear()
    for column in fields.indices {
      try append(column, of: record)
      buffer.endField(column)
    }
    let rewritten = Record(
      base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends), line: record.line)
    if firstValues.isEmpty { firstValues = names.indices.map { rewritten.text($0) } }
    return rewritten
  }

  private func append(_ column: Int, of record: Record) throws(RecordDiagnostic) {
    var bytes = trimmed(record[fields[column]])
    if !bytes.isEmpty, !nulls.isEmpty, nulls.contains(where: { isSame(bytes, $0) }) {
      bytes = UnsafeRawBufferPointer(rebasing: bytes[..<0])
    }
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      return constants[column].withUnsafeBytes {
        if let start = $0.baseAddress { buffer.append(start, $0.count) }
      }
    }
    if let word = words[column].word(for: bytes) {
      return word.withUnsafeBytes { buffer.append($0.baseAddress!, $0.count) }
    }
    switch forms[column] {
    case .text: buffer.append(start, bytes.count)
    case .time:
      guard times.appendTime(bytes, to: buffer) else {
        throw RecordDiagnostic(
          column, "date", "\(names[column]) has no offset: \(shown(bytes))",
          help: "say the zone of such times in tieout.toml, like zone = \"Asia/Shanghai\"")
      }
    case .day: times.appendDay(bytes, to: buffer)
    case .amount: try append(number: bytes, places: mapping.unit.places, column)
    case .number: try append(number: bytes, places: 0, column)
    }
  }

  private func append(
    number bytes: UnsafeRawBufferPointer, places: Int, _ column: Int
  ) throws(RecordDiagnostic) {
    if numbers.append(bytes, places: places, to: buffer) { return }
    throw RecordDiagnostic(
      column, "amount", "\(names[column]) is not a decimal number: \(shown(bytes))",
      help: mapping.decimal == ","
        ? "the mapping says that numbers have a decimal comma, like 1.234,50"
        : "the mapping says that numbers have a decimal point, like 1,234.50")
  }
}

/// What a column of the company's tables holds.
enum ColumnForm {
  case text, time, day, amount, number

  init(column: String) {
    self =
      switch column {
      case "placed_at", "paid_at", "fulfilled_at", "purchased_at", "expires_at", "revoked_at":
        .time
      case "date", "effective_from", "effective_to": .day
      case "unit_price", "price", "proceeds", "amount": .amount
      case "rate", "quantity", "coins": .number
      default: .text
      }
  }
}

@inline(__always)
private func isSame(_ bytes: UnsafeRawBufferPointer, _ text: [UInt8]) -> Bool {
  bytes.count == text.count && bytes.elementsEqual(text)
}

/// What a file writes for words of Tieout's.
private struct WordTable {
  private var pairs: [(theirs: [UInt8], ours: [UInt8])] = []

  init(_ words: [String: [String]]) {
    for (ours, theirs) in words.sorted(by: { $0.key < $1.key }) {
      pairs += theirs.map { (Array($0.utf8), Array(ours.utf8)) }
    }
  }

  @inline(__always)
  func word(for bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    if pairs.isEmpty { return nil }
    for pair in pairs where isSame(bytes, pair.theirs) { return pair.ours }
    return nil
  }
}

/// How numbers are written; they are written anew as digits, a point, and no sign but a minus.
private struct NumberForm {
  private let mark: UInt8
  private let mayDivide: Bool
  private let signs: [[UInt8]]
  private let hasForm: Bool

  init(_ mapping: TableMapping) {
    mark = mapping.decimal == "," ? 0x2C : 0x2E
    mayDivide = mapping.decimal != nil
    signs = mapping.signs.map { Array($0.utf8) }
    hasForm = mapping.decimal != nil || !signs.isEmpty
  }

  /// Writes a number with its point moved to the left; false for what is none.
  func append(_ bytes: UnsafeRawBufferPointer, places: Int, to buffer: RecordBuffer) -> Bool {
    let start = bytes.baseAddress!
    if !hasForm, places == 0 {
      buffer.append(start, bytes.count)
      return true
    }
    // Most are whole numbers in digits alone.
    if bytes.count > places, bytes.count < 19, bytes.allSatisfy({ $0 &- 0x30 < 10 }) {
      let whole = bytes.count - places
      buffer.append(start, whole)
      if places > 0 {
        buffer.append(0x2E)
        buffer.append(start + whole, places)
      }
      return true
    }
    guard let digits = Digits(withoutSigns(bytes), mark: mark, mayDivide: mayDivide) else {
      return false
    }
    digits.append(to: buffer, movedBy: places)
    return true
  }

  private func withoutSigns(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    for sign in signs {
      if bytes.starts(with: sign) {
        return trimmed(UnsafeRawBufferPointer(rebasing: bytes[sign.count...]))
      }
      if bytes.reversed().starts(with: sign.reversed()) {
        return trimmed(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - sign.count)]))
      }
    }
    return bytes
  }
}

/// The digits of a number as it stands in a file.
private struct Digits {
  private var isNegative = false
  private var whole: [UInt8] = []
  private var fraction: [UInt8] = []

  /// - Parameters:
  ///   - mark: before the fraction.
  ///   - mayDivide: whether thousands may be divided, in threes and by one sort of mark.
  init?(_ bytes: UnsafeRawBufferPointer, mark: UInt8, mayDivide: Bool) {
    var rest = bytes[...]
    if rest.first == 0x2D {
      isNegative = true
      rest = rest.dropFirst()
    }
    var divider: UnsafeRawBufferPointer.SubSequence?
    var run = 0
    while let byte = rest.first, byte != mark {
      if byte &- 0x30 < 10 {
        whole.append(byte)
        run += 1
        rest = rest.dropFirst()
        continue
      }
      guard mayDivide, run > 0, let length = Self.dividerLength(rest, mark: mark) else {
        return nil
      }
      let found = rest.prefix(length)
      if let divider {
        guard run == 3, divider.elementsEqual(found) else { return nil }
      } else {
        // Nobody divides the thousands of a number that begins with 0.
        guard run <= 3, whole.first != 0x30 else { return nil }
        divider = found
      }
      run = 0
      rest = rest.dropFirst(length)
    }
    guard !whole.isEmpty, divider == nil || run == 3 else { return nil }
    guard rest.first == mark else { return }
    fraction = Array(rest.dropFirst())
    guard !fraction.isEmpty, fraction.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
  }

  /// Bytes of a mark that divides thousands: the other of comma and point, an apostrophe, a space,
  /// or one of the two that do not break.
  private static func dividerLength(
    _ bytes: UnsafeRawBufferPointer.SubSequence, mark: UInt8
  ) -> Int? {
    guard let byte = bytes.first else { return nil }
    if byte == 0x20 || byte == 0x27 || byte == (mark == 0x2C ? 0x2E : 0x2C) { return 1 }
    if bytes.starts(with: [0xC2, 0xA0]) { return 2 }
    return bytes.starts(with: [0xE2, 0x80, 0xAF]) ? 3 : nil
  }

  /// Writes the number with its point moved to the left.
  func append(to buffer: RecordBuffer, movedBy places: Int) {
    if isNegative { buffer.append(0x2D) }
    let zeros = max(0, places + 1 - whole.count)
    let digits = Array(repeating: UInt8(0x30), count: zeros) + whole
    for digit in digits.dropLast(places) { buffer.append(digit) }
    var tail = digits.suffix(places) + fraction
    while tail.count > 6, tail.last == 0x30 { tail.removeLast() }
    guard !tail.isEmpty else { return }
    buffer.append(0x2E)
    for digit in tail { buffer.append(digit) }
  }
}
