internal import Billing

/// Writes anew what a mapping says otherwise of a record's values. What it leaves alone is copied
/// as it stands, many fields at a time: rows are many, and the columns to be changed few.
struct MappedValues {
  /// A column whose value may have to be written anew.
  private final class Change: Sendable {
    let column: Int
    /// The record's field, or −1 for a constant.
    let field: Int
    let form: ColumnForm
    let words: WordTable
    /// For a blank value.
    let constant: [UInt8]
    let hasConstant: Bool
    /// Whether it is written whatever its value.
    let isAlways: Bool

    init(
      column: Int, field: Int, form: ColumnForm, words: WordTable, constant: [UInt8],
      isAlways: Bool
    ) {
      self.column = column
      self.field = field
      self.form = form
      self.words = words
      self.constant = constant
      hasConstant = !constant.isEmpty
      self.isAlways = isAlways
    }
  }

  private let mapping: TableMapping
  private let names: [String]
  /// In place, in the order of the fields, none twice.
  private let changes: [Change]
  /// Behind the record's own fields: constants, and fields that two columns are read from.
  private let extras: [Change]
  /// Fields of each record as the file has them.
  let fieldCount: Int
  private let nulls: [[UInt8]]
  private let stop: [UInt8]
  private let buffer: RecordBuffer
  private var times: WallTimes
  private let numbers: NumberForm
  private let pointNumbers: NumberForm
  /// Where the places of amounts depend on the row.
  private var minorUnits: MinorUnits?
  /// Where coins that go have a minus.
  private var signedCoins: SignedCoins?
  /// Per column of the table: the field of the rewritten record, or −1.
  let fields: [Int]
  /// The first record's values as the reader saw them; none before there was one.
  private(set) var firstValues: [String] = []

  /// Finds which values may have to be written anew, and where they lie in the rewritten record.
  ///
  /// - Parameters:
  ///   - fields: per column of the table, where the records have it.
  ///   - fieldCount: fields of each record.
  init(_ mapped: MappedTable, fields: [Int], fieldCount: Int) {
    let mapping = mapped.mapping
    self.mapping = mapping
    names = mapped.table.names
    self.fieldCount = fieldCount
    nulls = (mapping.nulls ?? []).map { Array($0.utf8) }
    stop = Array((mapping.stopAt ?? "").utf8)
    times = WallTimes(mapping)
    numbers = NumberForm(mapping, decimal: mapping.decimal)
    pointNumbers = NumberForm(mapping, decimal: ".")
    var placed: [Change] = []
    var behind: [Change] = []
    var outFields = fields
    let signedCoins = SignedCoins(mapped, fields)
    for (column, field) in fields.enumerated() {
      let words = WordTable(
        mapping.words[names[column]] ?? [:], ofSigns: column == signedCoins?.movement)
      let constant = Array((mapping.constants[names[column]] ?? "").utf8)
      let form = mapped.table.columns[column].form
      let change = Change(
        column: column, field: field, form: form, words: words, constant: constant,
        isAlways: form.isTime || form.isNumber && numbers.changes(form, mapping.unit.places)
          || column == signedCoins?.coins)
      if field < 0 {
        guard change.hasConstant else { continue }
      } else {
        let isTouched =
          change.isAlways || change.hasConstant || !words.isEmpty || !nulls.isEmpty
          || mapping.decimal == ","
        guard isTouched else { continue }
        guard fields[..<column].contains(field) || fields[(column + 1)...].contains(field) else {
          placed.append(change)
          continue
        }
      }
      outFields[column] = fieldCount + behind.count
      behind.append(change)
    }
    if mapping.unit == .minor, let column = names.firstIndex(of: "currency") {
      minorUnits = MinorUnits(
        field: fields[column], words: WordTable(mapping.words["currency"] ?? [:]),
        constant: mapping.constants["currency"] ?? "")
    }
    self.signedCoins = signedCoins
    changes = placed.sorted { $0.field < $1.field }
    extras = behind
    self.fields = outFields
    buffer = RecordBuffer(columns: fieldCount + behind.count)
  }

  /// Times that clocks show twice or skip.
  var uncertainTimes: Int { times.uncertain }

  /// The record's field from which one of the rewritten record's was made; −1 for a constant.
  func source(of field: Int) -> Int {
    field < fieldCount ? field : extras[field - fieldCount].field
  }

  /// Whether the table ends before this record: its first value begins with the text that says so.
  func endsTable(_ record: Record) -> Bool {
    guard !stop.isEmpty else { return false }
    for field in 0..<fieldCount {
      let bytes = trimmed(record[field])
      if !bytes.isEmpty { return bytes.starts(with: stop) }
    }
    return false
  }

  /// Whether the table ends before a row that could not be divided: behind blanks, quotation marks
  /// and separators it begins with the text that says so.
  func endsTable(_ raw: UnsafeRawBufferPointer) -> Bool {
    guard !stop.isEmpty else { return false }
    return raw.drop { $0 <= 0x20 || [0x22, 0x2C, 0x3B].contains($0) }.starts(with: stop)
  }

  /// The record as the table's reader expects it; valid until the next one. Throws a diagnostic for
  /// a value that cannot be written so.
  mutating func rewritten(_ record: Record) throws(RecordDiagnostic) -> Record {
    buffer.clear()
    minorUnits?.look(at: record)
    signedCoins?.look(at: record)
    let ends = record.ends
    var copied = 0
    var done = 0
    var shift: Int32 = 0
    for index in changes.indices {
      let field = changes[index].field
      let bytes = trimmed(record[field])
      guard
        changes[index].isAlways && !bytes.isEmpty || differs(changes[index], bytes)
          || hasMark(record, field)
      else { continue }
      let start = record.start(of: field)
      if start > copied { buffer.append(record.base + copied, start - copied) }
      try append(changes[index], bytes, isTyped: hasMark(record, field))
      copied = Int(ends[field])
      while done < field {
        buffer.ends[done] = ends[done] &+ shift
        done &+= 1
      }
      buffer.ends[field] = Int32(truncatingIfNeeded: buffer.count)
      shift = Int32(truncatingIfNeeded: buffer.count &- copied)
      done = field &+ 1
    }
    let end = fieldCount > 0 ? Int(ends[fieldCount - 1]) : 0
    if end > copied { buffer.append(record.base + copied, end - copied) }
    while done < fieldCount {
      buffer.ends[done] = ends[done] &+ shift
      done &+= 1
    }
    buffer.append(0xFF)
    for index in extras.indices {
      let field = extras[index].field
      try append(extras[index], trimmed(record[field]), isTyped: hasMark(record, field))
      buffer.endField(fieldCount + index)
    }
    let rewritten = Record(
      base: UnsafeRawPointer(buffer.bytes), ends: UnsafePointer(buffer.ends), line: record.line)
    if firstValues.isEmpty { firstValues = fields.map { rewritten.text($0) } }
    return rewritten
  }

  /// Whether a value that is not always written anew may have to be: a blank for which there is a
  /// constant, any value where the mapping explains words, or one that stands for nothing.
  @inline(__always)
  private func differs(_ change: Change, _ bytes: UnsafeRawBufferPointer) -> Bool {
    if bytes.isEmpty { return change.hasConstant }
    return !change.words.isEmpty || isNull(bytes)
  }

  /// Whether the value is one of those that the mapping says stand for nothing.
  @inline(__always)
  private func isNull(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if nulls.isEmpty { return false }
    for index in nulls.indices where isSame(bytes, nulls[index]) { return true }
    return false
  }

  /// Whether a cell or a JSON value was a number: its decimal mark is a point, whatever the mapping
  /// says.
  @inline(__always)
  private func hasMark(_ record: Record, _ field: Int) -> Bool {
    mapping.decimal == "," && record[field].first == TypedNumber.mark
  }

  /// Appends what is written in place of a value: for a blank the constant, for a word of the file
  /// Tieout's, else the value in the form of its column.
  ///
  /// - Parameters:
  ///   - change: the column, with its form, words and constant.
  ///   - isTyped: whether the value was a number in a sheet or JSON.
  private mutating func append(
    _ change: Change, _ value: UnsafeRawBufferPointer, isTyped: Bool
  ) throws(RecordDiagnostic) {
    guard let start = value.baseAddress, !value.isEmpty, !isNull(value) else {
      return change.constant.withUnsafeBytes {
        if let start = $0.baseAddress { buffer.append(start, $0.count) }
      }
    }
    if let word = change.words.word(for: value) {
      return word.withUnsafeBytes { buffer.append($0.baseAddress!, $0.count) }
    }
    let form = isTyped ? pointNumbers : numbers
    switch change.form {
    case .text, .code, .plain, .word, .flag: buffer.append(start, value.count)
    case .time, .moment:
      if isZeroTime(value) {
        throw zeroTimeDiagnostic(value, change.field, names[change.column])
      }
      if change.form == .moment, times.isDay(value) {
        return times.appendDay(value, to: buffer)
      }
      guard times.appendTime(value, to: buffer) else {
        throw RecordDiagnostic(
          change.field, "date", "@mapping.has-no-offset \(names[change.column]) \(shown(value))",
          help: "@shared.write-the-whole-time",
          hint: .zone(dates: nil))
      }
    case .day: times.appendDay(value, to: buffer)
    case .amount:
      let places = minorUnits?.places ?? mapping.unit.places
      try append(number: value, form, places: places, change)
    case .number:
      var number = value
      if let signedCoins, change.column == signedCoins.coins { number = signedCoins.bare(value) }
      try append(number: number, form, places: 0, change)
    }
  }

  /// Appends a number with its point moved to the left by `places`.
  private func append(
    number bytes: UnsafeRawBufferPointer, _ form: NumberForm, places: Int, _ change: Change
  ) throws(RecordDiagnostic) {
    if form.append(bytes, places: places, to: buffer) { return }
    let help: Wording? = mapping.decimal.map {
      $0 == ","
        ? "@mapping.mapping-says-that-numbers"
        : "@mapping.mapping-says-that-numbers-have-a-decimal"
    }
    throw RecordDiagnostic(
      change.field, "amount",
      "@shared.is-not-a-decimal-number \(names[change.column]) \(shown(bytes))",
      help: help ?? helpOfAmount(bytes), hint: MappingHint(amount: bytes, beside: mapping))
  }
}

/// By how many places amounts move, by each row's currency.
private struct MinorUnits {
  private let field: Int
  private let words: WordTable
  private let constant: String
  private var last: [UInt8] = []
  private(set) var places: Int

  /// - Parameters:
  ///   - field: where records have the currency, or −1.
  ///   - words: what the file calls currencies.
  ///   - constant: the currency where they do not have one.
  init(field: Int, words: WordTable, constant: String) {
    (self.field, self.words, self.constant) = (field, words, constant)
    places = Self.places(of: constant)
  }

  /// The decimal places of a currency by its code; those of most where it is none.
  private static func places(of code: String) -> Int {
    Currency(code.uppercased())?.isoDigits ?? TableMapping.Unit.minor.places
  }

  /// Finds the places of amounts in a record.
  mutating func look(at record: Record) {
    guard field >= 0 else { return }
    let bytes = trimmed(record[field])
    guard !isSame(bytes, last) else { return }
    last = Array(bytes)
    let said =
      bytes.isEmpty ? constant : String(decoding: words.word(for: bytes) ?? last, as: UTF8.self)
    places = Self.places(of: said)
  }
}

/// How numbers are written; they are written anew as digits, a point, and no sign but a minus.
struct NumberForm {
  private let mark: UInt8
  private let mayDivide: Bool
  private let signs: [[UInt8]]
  private let hasForm: Bool

  /// - Parameter decimal: the mark before the fraction; nil where the mapping names none.
  init(_ mapping: TableMapping, decimal: String?) {
    mark = decimal == "," ? 0x2C : 0x2E
    mayDivide = decimal != nil
    // A minus is part of a number, unless its movement says the same.
    signs = mapping.signs.filter { $0 != "-" }.map { Array($0.utf8) }
    hasForm = decimal != nil || !signs.isEmpty
  }

  /// Whether numbers of a form are to be written otherwise than a file has them.
  func changes(_ form: ColumnForm, _ places: Int) -> Bool {
    hasForm || form == .amount && places > 0
  }

  /// Writes a number with its point moved to the left by `places`; false for what is no number.
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

  /// Whether the bytes are a number in this form.
  func reads(_ bytes: UnsafeRawBufferPointer) -> Bool {
    Digits(withoutSigns(bytes), mark: mark, mayDivide: mayDivide) != nil
  }

  /// The number without one of the signs that the mapping names, at either end.
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

  /// Reads a number; nil for anything else.
  ///
  /// - Parameters:
  ///   - mark: before the fraction.
  ///   - mayDivide: whether thousands may be divided, in threes and by one sort of mark.
  init?(_ bytes: UnsafeRawBufferPointer, mark: UInt8, mayDivide: Bool) {
    var rest = bytes[...]
    // A minus that is longer than a hyphen; and one that banks write behind the number.
    if rest.starts(with: [0xE2, 0x88, 0x92]) {
      isNegative = true
      rest = rest.dropFirst(3)
    } else if rest.first == 0x2D || rest.last == 0x2D {
      isNegative = true
      rest = rest.first == 0x2D ? rest.dropFirst() : rest.dropLast()
    } else if rest.first == 0x2B {
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

  /// How many bytes the mark has that divides thousands here: the other of comma and point, an
  /// apostrophe, a space, or one of the two that do not break; nil for none.
  private static func dividerLength(
    _ bytes: UnsafeRawBufferPointer.SubSequence, mark: UInt8
  ) -> Int? {
    guard let byte = bytes.first else { return nil }
    if byte == 0x20 || byte == 0x27 || byte == (mark == 0x2C ? 0x2E : 0x2C) { return 1 }
    if bytes.starts(with: [0xC2, 0xA0]) { return 2 }
    return bytes.starts(with: [0xE2, 0x80, 0xAF]) ? 3 : nil
  }

  /// Writes the number with its point moved to the left by `places`.
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
