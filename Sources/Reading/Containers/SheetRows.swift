internal import Billing
internal import Glibc

/// The rows of a sheet, as lines of CSV of one width.
struct SheetRows {
  private let texts: SheetTexts
  private let formats: DateFormats
  private let startsIn1904: Bool
  private let marksNumbers: Bool
  /// The cells of all rows so far, each row without a line end.
  private var cells: [UInt8] = []
  private var rows: [Row] = []
  private var width = 0
  /// The last day that was written, and its text.
  private var writtenDay: Int64?
  private var writtenText: [UInt8] = []
  /// Whether a cell names a text that the workbook does not have, or stands where none can.
  private(set) var isDamaged = false
  /// Cells with a formula and no value: the program that wrote them calculated nothing, and what
  /// the sheet shows once it is opened is not in the file.
  private(set) var uncalculated = CellCount()
  /// Cells whose formula gives an empty text, as far as the file tells.
  private(set) var emptyTexts = CellCount()

  /// How many cells something is true of, and where the first of them stands.
  struct CellCount {
    private(set) var count = 0
    /// The first one's row, from 1 on, and its name, `F5`.
    private(set) var first = (row: 0, name: "")

    /// Counts a cell by its column and row, both from 1 on.
    fileprivate mutating func add(_ column: Int, _ row: Int) {
      count += 1
      guard count == 1 else { return }
      var (letters, rest) = ("", column)
      while rest > 0 {
        rest -= 1
        letters = String(UnicodeScalar(UInt8(0x41 + rest % 26))) + letters
        rest /= 26
      }
      first = (row, letters + "\(row)")
    }
  }

  private struct Row {
    var number: Int
    var end: Int
    var width: Int
  }

  /// - Parameter marksNumbers: whether numbers with a fraction are told apart from texts.
  init(texts: SheetTexts, formats: DateFormats, startsIn1904: Bool, marksNumbers: Bool) {
    self.texts = texts
    self.formats = formats
    self.startsIn1904 = startsIn1904
    self.marksNumbers = marksNumbers
  }

  private enum CellType { case number, shared, text, truth }

  /// Reads a sheet's XML, and appends its cells to ``cells`` as CSV, row by row.
  mutating func read(_ bytes: UnsafeRawBufferPointer) {
    var scan = MarkupScan(bytes)
    var number = 0
    var filled = 0
    var column = 0
    var type = CellType.number
    var style = 0
    var isValue = false
    var isCell = false
    var hasFormula = false
    var hasValue = false
    var value: [UInt8] = []
    while let token = scan.next() {
      switch token {
      case .start:
        if scan.isNamed(letter: UInt8(ascii: "c")) {
          column = scan.attribute("r").map(Self.column) ?? column + 1
          type = Self.cellType(scan.attribute("t"))
          style = scan.numberAttribute("s") ?? 0
          value.removeAll(keepingCapacity: true)
          isCell = !scan.isEmpty
          (hasFormula, hasValue) = (false, false)
        } else if scan.isNamed(letter: UInt8(ascii: "v"))
          || scan.isNamed(letter: UInt8(ascii: "t"))
        {
          isValue = !scan.isEmpty
          hasValue = true
        } else if scan.isNamed(letter: UInt8(ascii: "f")) {
          hasFormula = true
        } else if scan.isNamed("row") {
          number = scan.numberAttribute("r") ?? number + 1
          (filled, column) = (0, 0)
        }
      case .text:
        if isValue, isCell { scan.appendText(to: &value) }
      case .end:
        if scan.isNamed(letter: UInt8(ascii: "v")) || scan.isNamed(letter: UInt8(ascii: "t")) {
          isValue = false
        } else if scan.isNamed(letter: UInt8(ascii: "c")) {
          isCell = false
          if value.isEmpty {
            // Only a text can be empty: `<v/>` of a number is how openpyxl says that there is none.
            let isEmptyText = type == .text && hasValue
            if hasFormula, isEmptyText { emptyTexts.add(column, number) }
            if hasFormula, !isEmptyText { uncalculated.add(column, number) }
            continue
          }
          guard (1...16_384).contains(column), column > filled else {
            isDamaged = true
            continue
          }
          for _ in max(filled, 1)..<column { cells.append(UInt8(ascii: ",")) }
          filled = column
          append(value, type, style)
        } else if scan.isNamed("row") {
          endRow(number, filled)
        }
      }
    }
  }

  /// Keeps where a row of the sheet ends, unless it is empty; one whose number is none marks the
  /// sheet as damaged.
  ///
  /// - Parameters:
  ///   - number: the row's in the sheet, from 1 on.
  ///   - filled: the column of its last cell, from 1 on.
  private mutating func endRow(_ number: Int, _ filled: Int) {
    if filled == 0 { return }
    guard (1...1_048_576).contains(number), number > (rows.last?.number ?? 0) else {
      isDamaged = true
      return
    }
    rows.append(Row(number: number, end: cells.count, width: filled))
    width = max(width, filled)
  }

  /// The type of a cell by its attribute `t`, which numbers need not have.
  private static func cellType(_ name: UnsafeRawBufferPointer?) -> CellType {
    guard let name, let first = name.first else { return .number }
    // s, str, inlineStr, e, d, b, n
    if name.count == 1 {
      return switch first {
      case UInt8(ascii: "s"): .shared
      case UInt8(ascii: "b"): .truth
      case UInt8(ascii: "e"), UInt8(ascii: "d"): .text
      default: .number
      }
    }
    return .text
  }

  /// The number, from 1 on, of the column `AB` of `AB12`; 0 for none, and one too large for what no
  /// sheet has.
  private static func column(_ reference: UnsafeRawBufferPointer) -> Int {
    var column = 0
    for byte in reference {
      guard byte &- 0x41 < 26 else { break }
      column = column * 26 + Int(byte - 0x40)
      if column > 16_384 { break }
    }
    return column
  }

  /// Appends a cell's value as CSV has it.
  ///
  /// - Parameter style: the number of its format, which tells dates from other numbers.
  private mutating func append(_ value: [UInt8], _ type: CellType, _ style: Int) {
    switch type {
    case .shared:
      guard let index = Int(String(decoding: value, as: UTF8.self)),
        let text = texts.escaped(index)
      else { return isDamaged = true }
      cells.append(contentsOf: text)
    case .text: SheetTexts.append(value[...], to: &cells)
    case .truth: cells.append(contentsOf: value == [0x31] ? "true".utf8 : "false".utf8)
    case .number: append(number: value, style)
    }
  }

  /// Appends a number in its fewest digits, or as a date where its style is one.
  private mutating func append(number value: [UInt8], _ style: Int) {
    let form = formats.form(ofStyle: style)
    if form == .number, isShortest(value) {
      if marksNumbers, value.contains(0x2E) { cells.append(TypedNumber.mark) }
      cells.append(contentsOf: value)
      return
    }
    let text = String(decoding: value, as: UTF8.self)
    guard let number = Double(text), number.isFinite else {
      SheetTexts.append(value[...], to: &cells)
      return
    }
    if form != .number, append(date: number, form) { return }
    let shown = Self.number(number)
    if marksNumbers, shown.contains(".") { cells.append(TypedNumber.mark) }
    cells.append(contentsOf: shown.utf8)
  }

  /// Whether a number has its fewest digits already: at most fifteen, which a stored value keeps.
  private func isShortest(_ value: [UInt8]) -> Bool {
    guard value.count <= 16 else { return false }
    var digits = 0
    var points = 0
    for byte in value {
      if byte == 0x2E {
        points += 1
      } else if byte &- 0x30 < 10 {
        digits += 1
      } else {
        return false
      }
    }
    if points > 1 || digits == 0 || digits > 15 { return false }
    if value.count > 1, value[0] == 0x30, value[1] != 0x2E { return false }
    return points == 0 || value[0] != 0x2E && value[value.count - 1] &- 0x31 < 9
  }

  /// The fewest digits that mean the value; from 10¹⁵ on in the form of numbers that lost digits.
  private static func number(_ value: Double) -> String {
    if value.magnitude < 1e15, let whole = Int64(exactly: value) { return "\(whole)" }
    let text = "\(value)"
    guard let mark = text.firstIndex(of: "e") else {
      guard value.magnitude >= 1e15 else { return text }
      let digits = text.prefix { $0 != "." }.drop { $0 == "-" }
      return "\(value < 0 ? "-" : "")\(digits.prefix(1)).\(digits.dropFirst())E+15"
    }
    var digits = String(text[..<mark])
    if !digits.contains(".") { digits += ".0" }
    let exponent = text[text.index(after: mark)...]
    return exponent.hasPrefix("-")
      ? withoutExponent(text) : "\(digits)E+\(exponent.drop { $0 == "+" })"
  }

  /// A small number without an exponent: `1e-05` as `0.00001`.
  private static func withoutExponent(_ text: String) -> String {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else { return text }
    let isNegative = parts[0].hasPrefix("-")
    let digits = parts[0].filter(\.isNumber)
    let zeros = String(repeating: "0", count: -exponent - 1)
    return (isNegative ? "-0." : "0.") + zeros + digits
  }

  /// Appends days since the workbook's first as a date on a clock; false for what is no date.
  private mutating func append(date value: Double, _ form: DateFormats.Form) -> Bool {
    guard value >= 1, value < 2_958_466 else { return false }
    let seconds = Int64((value * 86_400).rounded())
    let count = seconds / 86_400
    let second = seconds % 86_400
    if count != writtenDay {
      // The count has a 29th of February 1900, which never was.
      let epoch: Int64 = startsIn1904 ? -24_107 : count < 60 ? -25_568 : -25_569
      writtenDay = count
      writtenText = Array(Day(number: Int32(count + epoch)).description.utf8)
    }
    cells.append(contentsOf: writtenText)
    if form == .day, second == 0 { return true }
    for (mark, value) in [(0x20, second / 3600), (0x3A, second / 60 % 60), (0x3A, second % 60)] {
      cells.append(UInt8(mark))
      cells.append(UInt8(0x30 + value / 10))
      cells.append(UInt8(0x30 + value % 10))
    }
    return true
  }

  /// The number of the last row that has a cell; 0 for none.
  private var last: Int { rows.last?.number ?? 0 }

  /// Whether one cell far to the right makes every row too wide to write.
  var isTooWide: Bool { width * last > 100_000_000 }

  /// All rows, blank lines for those that have nothing.
  var csv: [UInt8] {
    var csv: [UInt8] = []
    csv.reserveCapacity(cells.count + last)
    var number = 1
    var start = 0
    for row in rows {
      while number < row.number {
        csv.append(0x0A)
        number += 1
      }
      csv.append(contentsOf: cells[start..<row.end])
      csv.append(contentsOf: repeatElement(UInt8(ascii: ","), count: width - row.width))
      csv.append(0x0A)
      start = row.end
      number += 1
    }
    return csv
  }
}

/// Texts that cells refer to by number, as CSV writes them.
struct SheetTexts {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  /// Reads the texts of a workbook; how to say a text aloud is no part of it.
  init(_ markup: UnsafeRawBufferPointer) {
    var scan = MarkupScan(markup)
    var isText = false
    var spoken = 0
    var text: [UInt8]?
    /// Whether the scan stands in a text, and not in how it is said aloud.
    func isWanted() -> Bool { isText && spoken == 0 }
    while let token = scan.next() {
      switch token {
      case .start:
        if scan.isNamed("si") {
          if let text { add(text) }
          text = []
        } else if scan.isNamed("rPh") {
          spoken += scan.isEmpty ? 0 : 1
        } else if scan.isNamed(letter: UInt8(ascii: "t")) {
          isText = !scan.isEmpty
        }
      case .end:
        if scan.isNamed("rPh") { spoken -= 1 }
        if scan.isNamed(letter: UInt8(ascii: "t")) { isText = false }
      case .text: if isWanted(), text != nil { scan.appendText(to: &text!) }
      }
    }
    if let text { add(text) }
  }

  /// Keeps the next text, as CSV has it.
  private mutating func add(_ text: [UInt8]) {
    Self.append(text[...], to: &bytes)
    ends.append(bytes.count)
  }

  /// A text by its number, as CSV has it; nil where the workbook has none.
  func escaped(_ index: Int) -> ArraySlice<UInt8>? {
    guard ends.indices.contains(index) else { return nil }
    return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
  }

  /// Appends a text as CSV has it: in quotation marks where it needs them.
  static func append(_ text: ArraySlice<UInt8>, to csv: inout [UInt8]) {
    guard text.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }) else {
      csv.append(contentsOf: text)
      return
    }
    csv.append(0x22)
    for byte in text {
      if byte == 0x22 { csv.append(0x22) }
      csv.append(byte)
    }
    csv.append(0x22)
  }
}
