internal import Billing

/// What the first rows of a table have in each column: a name alone may mislead, `product_id` may
/// be a number that Apple does not know.
struct ColumnSamples {
  struct Column {
    fileprivate(set) var filled = 0
    /// Different values, each with its rows, as long as they are few.
    fileprivate(set) var values: [String: Int] = [:]
    fileprivate var hashes: Set<Int> = []
    /// How many values look as SKUs do.
    fileprivate var products = 0
    /// How many look as Apple's IDs of transactions do.
    fileprivate var transactions = 0
    /// How many are one more than the number before.
    fileprivate var steps = 0
    fileprivate var last: Int?

    /// Whether a value has a minus before it or behind it.
    fileprivate(set) var hasNegative = false
    /// What stands before numbers and is no part of them: `¥`.
    fileprivate(set) var marks: Set<String> = []
    /// The mark before one or two last digits, of the first value that has one.
    fileprivate(set) var decimal: String?
    /// Whether a number has both comma and point, so that one of them divides thousands.
    fileprivate(set) var hasBothMarks = false
    /// The order of days whose year comes last, as far as the values tell.
    fileprivate(set) var order: DayOrder?
    /// That order, where a value shows it.
    var sureDates: TableMapping.DateOrder? {
      if case .known(let order)? = order { order } else { nil }
    }
    /// Whether no value stands in two rows, and none is blank.
    fileprivate(set) var isUnique = true
    /// Whether a counter made its values.
    var isCounter: Bool { isUnique && filled > 2 && steps == filled - 1 }
    /// Whether its values look as SKUs in App Store Connect do: `com.example.gems.60`.
    var areProducts: Bool { filled > 0 && products * 10 >= filled * 8 }
    /// Values that say that there was nothing: `0.00`.
    var zeros: [String] {
      values.keys.filter { $0.contains("0") && $0.allSatisfy { "0.,-".contains($0) } }.sorted()
    }
    /// Whether some of its values look as Apple's IDs of transactions do.
    var hasTransactions: Bool { transactions > 0 }
    /// Whether nearly all of its values look as Apple's IDs of transactions do.
    var areTransactions: Bool { filled > 0 && transactions * 10 >= filled * 8 }
  }

  private(set) var columns: [Column]
  private(set) var rows = 0
  /// How the first row below the table begins, and how those of the table do.
  private var footer: String?
  private var leads: Set<String> = []
  private static let mostRows = 2000
  private static let mostValues = 12

  /// Divides the first rows of a table and notes of each column how its values look.
  ///
  /// - Parameters:
  ///   - bytes: what follows the header, as far as it is there.
  ///   - count: columns of the header.
  init(_ bytes: UnsafeRawBufferPointer, _ delimiting: Delimiting, columns count: Int) {
    columns = Array(repeating: Column(), count: count)
    var delimiting = delimiting
    delimiting.padding = true
    let divider = Divider(delimiting, columns: count)
    let marks = TextMarks(count: count)
    var line = 0
    var place = 0
    while rows < Self.mostRows, place < bytes.count, let base = bytes.baseAddress {
      switch divider.divide(base + place, bytes.count - place, line: line + 1) {
      case .incomplete: return
      case .blank(let length), .diagnostic(_, let length, _): place += length
      case .record(let raw, let length, _, _):
        place += length
        line += 1
        let record = marks.without(raw)
        let lead = (0..<count).lazy.map { record.text($0) }.first { !$0.isEmpty } ?? ""
        // Totals and remarks have few fields, and no row of the table below them.
        let isShort = divider.buffer.shortLine == line
        if isShort, rows > 0, (count / 2..<count).allSatisfy({ record.text($0).isEmpty }) {
          footer = footer ?? lead
          continue
        }
        footer = nil
        leads.insert(lead)
        rows += 1
        for field in 0..<count { columns[field].addValue(trimmed(record[field])) }
      }
    }
  }
}

extension ColumnSamples {
  /// The order of days in a column, which another column may show; nil for none.
  func order(ofColumn index: Int) -> DayOrder? {
    guard let own = columns[index].order, case .open = own else { return columns[index].order }
    return columns.lazy.compactMap(\.order).reduce(own) { $0.joined($1) }
  }

  /// What a mapping's `stop_at` would say of rows below the table; nil where there is none, or a
  /// row of the table begins so too. Numbers differ in the next file.
  var stop: String? {
    guard let footer else { return nil }
    var text = String(footer.prefix { !$0.isNumber }.prefix(24))
    while text.last?.isWhitespace ?? false { text.removeLast() }
    guard text.count > 1, !leads.contains(where: { $0.hasPrefix(text) }) else { return nil }
    return text
  }
}

extension ColumnSamples.Column {
  /// Notes what a row's value in this column looks like; a blank one only shows that the column is
  /// not unique.
  fileprivate mutating func addValue(_ bytes: UnsafeRawBufferPointer) {
    let text = String(decoding: bytes, as: UTF8.self)
    guard !bytes.isEmpty, !isNullWord(text) else {
      isUnique = false
      return
    }
    filled += 1
    if !hashes.insert(text.hashValue).inserted { isUnique = false }
    if values[text] != nil || values.count <= ColumnSamples.mostValues {
      values[text, default: 0] += 1
    }
    let isNumber = bytes.allSatisfy { $0 &- 0x30 < 10 }
    if !isNumber, Self.mayBeAmountOrDay(bytes) { noteNotation(text) }
    if isNumber {
      if (15...16).contains(bytes.count), bytes[0] != 0x30 { transactions += 1 }
      let number = Int(text)
      if let number, let last, number - last == 1 { steps += 1 }
      last = number
    } else if Self.isProduct(bytes) {
      products += 1
    }
  }

  /// Whether a value may be an amount or a day with marks in it. Most values of a table begin with
  /// a letter or are longer than any amount: only the others are looked at character by character.
  private static func mayBeAmountOrDay(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= 32 else { return false }
    if bytes[0] & 0xDF &- 0x41 >= 26 || bytes[bytes.count - 1] == 0x2D { return true }
    // `EUR 12,99`
    return bytes.count > 4 && [0x2C, 0x2E].contains(bytes[bytes.count - 3])
      && bytes.suffix(2).allSatisfy { $0 &- 0x30 < 10 }
  }

  /// Keeps how a day or a number is written: the order of the day's parts, or the number's signs,
  /// decimal mark and currency.
  private mutating func noteNotation(_ text: String) {
    if let found = DayOrder(text.utf8) {
      // One day beyond the twelfth decides for all.
      order = order?.joined(found) ?? found
      return
    }
    let number = text.drop { "-−+ ".contains($0) }
    hasNegative = hasNegative || "-−".contains(text.first ?? " ") || text.last == "-"
    for mark in ["¥", "￥", "$", "€", "£"] where number.hasPrefix(mark) { marks.insert(mark) }
    hasBothMarks = hasBothMarks || number.contains(",") && number.contains(".")
    // Nobody divides thousands before one or two digits.
    for count in [3, 2] where decimal == nil && number.count >= count {
      let tail = number.suffix(count)
      guard let mark = tail.first, mark == "," || mark == "." else { continue }
      if tail.dropFirst().allSatisfy(\.isNumber) { decimal = String(mark) }
    }
  }

  /// Whether a value looks as an SKU in App Store Connect: letters and digits with points between
  /// them, and not a number, an address or a file's name.
  private static func isProduct(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let parts = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
    guard parts.count > 2, parts.allSatisfy({ !$0.isEmpty }) else { return false }
    return bytes.allSatisfy {
      $0 &- 0x30 < 10 || $0 | 0x20 &- 0x61 < 26 || $0 == 0x2E || $0 == 0x2D || $0 == 0x5F
    } && parts[0].allSatisfy { $0 | 0x20 &- 0x61 < 26 }
  }
}
