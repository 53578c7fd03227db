internal import Billing

/// The rows of a sheet, as lines of CSV of one width.
struct SheetRows {
  private let texts: [String]
  private let formats: DateFormats
  private let startsIn1904: Bool
  private var rows: [Int: [String]] = [:]
  private var width = 0
  private var last = 0
  /// Whether a cell names a text that the workbook does not have.
  private(set) var lacksTexts = false

  init(texts: [String], formats: DateFormats, startsIn1904: Bool) {
    self.texts = texts
    self.formats = formats
    self.startsIn1904 = startsIn1904
  }

  /// Reads a sheet's cells.
  mutating func read(_ bytes: [UInt8]) throws {
    var scan = MarkupScan(bytes)
    var row: [String] = []
    var number = 0
    var column = 0
    var cell = Cell()
    var isValue = false
    while let token = scan.next() {
      switch token {
      case .start("row", let attributes, _):
        number = attributes["r"].flatMap { Int($0) } ?? number &+ 1
        row = []
        column = 0
      case .end("row"): take(row, number)
      case .start("c", let attributes, let isEmpty):
        column = attributes["r"].flatMap(Self.column) ?? column + 1
        cell = Cell(
          type: attributes["t"] ?? "n", style: attributes["s"].flatMap { Int($0) } ?? 0)
        if isEmpty { cell = Cell() }
      case .start("v", _, let isEmpty), .start("t", _, let isEmpty): isValue = !isEmpty
      case .end("v"), .end("t"): isValue = false
      case .text(let text) where isValue: cell.text += text
      case .end("c"):
        guard !cell.text.isEmpty, (1...16_384).contains(column) else { continue }
        if cell.type == "s", Int(cell.text).map(texts.indices.contains) != true {
          lacksTexts = true
        }
        while row.count < column { row.append("") }
        row[column - 1] = shown(cell)
      default: break
      }
    }
  }

  private struct Cell {
    var type = "n"
    var style = 0
    var text = ""
  }

  private mutating func take(_ row: [String], _ number: Int) {
    guard !row.isEmpty, (1...1_048_576).contains(number) else { return }
    rows[number] = row
    width = max(width, row.count)
    last = max(last, number)
  }

  /// `AB` of `AB12` as a number from 1.
  private static func column(_ reference: String) -> Int? {
    var column = 0
    for byte in reference.utf8 {
      guard byte &- 0x41 < 26 else { break }
      column = column * 26 + Int(byte - 0x40)
      if column > 16_384 { return nil }
    }
    return column > 0 ? column : nil
  }

  private func shown(_ cell: Cell) -> String {
    switch cell.type {
    case "s": return Int(cell.text).flatMap { texts.indices.contains($0) ? texts[$0] : nil } ?? ""
    case "inlineStr", "str", "e", "d": return cell.text
    case "b": return cell.text == "1" ? "true" : "false"
    default: break
    }
    guard let value = Double(cell.text), value.isFinite else { return cell.text }
    let form = formats.form(ofStyle: cell.style)
    if form != .number, let date = date(value, form) { return date }
    return Self.number(value)
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
    return exponent.hasPrefix("-") ? plain(text) : "\(digits)E+\(exponent.drop { $0 == "+" })"
  }

  /// A small number without an exponent: `1e-05` is `0.00001`.
  private static func plain(_ text: String) -> String {
    let parts = text.split(separator: "e")
    guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else { return text }
    let isNegative = parts[0].hasPrefix("-")
    let digits = parts[0].filter(\.isNumber)
    let zeros = String(repeating: "0", count: -exponent - 1)
    return (isNegative ? "-0." : "0.") + zeros + digits
  }

  /// Days since the workbook's first as a date on a clock.
  private func date(_ value: Double, _ form: DateFormats.Form) -> String? {
    guard value >= 1, value < 2_958_466 else { return nil }
    let seconds = (value * 86_400).rounded()
    let count = Int64(seconds) / 86_400
    let second = Int64(seconds) % 86_400
    // The count has a 29th of February 1900, which never was.
    let epoch = startsIn1904 ? -24_107 : count < 60 ? -25_568 : -25_569
    let day = Day(number: Int32(count + Int64(epoch)))
    if form == .day, second == 0 { return day.description }
    return "\(day) \(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))"
  }

  private func padded(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// Whether one cell far to the right makes every row too wide to write.
  var isTooWide: Bool { width * last > 100_000_000 }

  /// All rows, blank lines for those that have nothing.
  var csv: [UInt8] {
    var csv: [UInt8] = []
    for number in stride(from: 1, through: last, by: 1) {
      guard let row = rows[number] else {
        csv.append(0x0A)
        continue
      }
      for column in 0..<width {
        if column > 0 { csv.append(UInt8(ascii: ",")) }
        if column < row.count { Self.append(row[column], to: &csv) }
      }
      csv.append(0x0A)
    }
    return csv
  }

  private static func append(_ text: String, to csv: inout [UInt8]) {
    guard text.utf8.contains(where: { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D })
    else {
      csv += text.utf8
      return
    }
    csv.append(0x22)
    for byte in text.utf8 {
      if byte == 0x22 { csv.append(0x22) }
      csv.append(byte)
    }
    csv.append(0x22)
  }
}
