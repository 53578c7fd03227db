import Foundation

@testable import Reporting

/// What a cell of a calculated sheet holds.
enum CalculatedValue: Equatable {
  case number(Double)
  case text(String)
  case empty
}

/// Calculates the formulas of some sheets anew, from what their other cells hold, as a spreadsheet
/// would. It knows the functions that the sheets use, and traps on any other.
final class SheetCalculation {
  /// By sheet and place: `Packs!A1`.
  private var cells: [String: Cell] = [:]
  private var names: [String: String] = [:]
  private let first: String
  private var known: [String: CalculatedValue] = [:]
  private var open: Set<String> = []
  /// Places whose formulas need their own values.
  private(set) var circular: Set<String> = []

  convenience init(_ sheet: Sheet, changing changes: [String: CalculatedValue] = [:]) {
    self.init([sheet], changing: changes)
  }

  init(_ sheets: [Sheet], changing changes: [String: CalculatedValue] = [:]) {
    first = sheets[0].name
    for sheet in sheets {
      if sheet.hasHeader { add(sheet.columns.map { .text($0.title) }, of: sheet, at: 1) }
      for index in 0..<sheet.rows.count {
        add(sheet.rows[index].cells, of: sheet, at: sheet.firstBodyRow + index)
      }
      for (index, row) in sheet.totals.enumerated() {
        add(row.cells, of: sheet, at: sheet.lastBodyRow + 2 + index)
      }
      for name in sheet.names {
        names[name.name] = "\(sheet.name)!\(columnLetters(name.column))\(name.row)"
      }
    }
    for (name, value) in changes { known[names[name] ?? whole(name)] = value }
  }

  private func add(_ row: [Cell], of sheet: Sheet, at number: Int) {
    for (column, cell) in row.enumerated() {
      cells["\(sheet.name)!\(columnLetters(column))\(number)"] = cell
    }
  }

  /// A place of the first sheet where none is named.
  private func whole(_ place: String) -> String {
    place.contains("!") ? place : "\(first)!\(place)"
  }

  /// Every formula of the sheets by its place.
  var formulas: [(place: String, formula: String, cached: Cell)] {
    cells.compactMap { place, cell in
      guard case .formula(let formula, let cached) = cell else { return nil }
      return (place, formula, cached)
    }.sorted { $0.place < $1.place }
  }

  func value(at place: String) -> CalculatedValue {
    let place = whole(place)
    if let value = known[place] { return value }
    guard open.insert(place).inserted else {
      circular.insert(place)
      return .text("circular")
    }
    defer { open.remove(place) }
    let value: CalculatedValue =
      switch cells[place] {
      case nil, .blank: .empty
      case .text(let text), .link(_, let text): .text(text)
      case .formula(let formula, _):
        calculate(formula, on: String(place.prefix { $0 != "!" }))
      case .some(let cell): cell.binary.map { .number($0) } ?? .text(cell.exactText)
      }
    known[place] = value
    return value
  }

  private func calculate(_ formula: String, on name: String) -> CalculatedValue {
    var parser = FormulaParser(formula, self, name)
    return parser.whole()
  }

  func value(named name: String) -> CalculatedValue {
    guard let place = names[name] else { preconditionFailure("no cell is named \(name)") }
    return value(at: place)
  }

  /// What differs from the values that the formulas hold, and what is circular.
  var differences: [String] {
    let found = formulas.compactMap { place, formula, cached -> String? in
      let value = value(at: place)
      return value.isNear(cached) ? nil : "\(place) =\(formula): \(value), not \(cached)"
    }
    return found + circular.sorted().map { "\($0) is circular" }
  }
}

/// Reads a formula from left to right and calculates as it goes. What is one value or a range of
/// them is a list; a list of one goes with each value of another.
private struct FormulaParser {
  private typealias Values = [CalculatedValue]

  private var rest: Substring
  private let sheet: SheetCalculation
  /// The sheet that the formula stands on.
  private let own: String

  init(_ formula: String, _ sheet: SheetCalculation, _ own: String) {
    rest = Substring(formula)
    self.sheet = sheet
    self.own = own
  }

  mutating func whole() -> CalculatedValue {
    let value = comparison()
    precondition(rest.isEmpty, "not understood: \(rest)")
    return value.first ?? .empty
  }

  private func combined(
    _ left: Values, _ right: Values, _ body: (CalculatedValue, CalculatedValue) -> CalculatedValue
  ) -> Values {
    (0..<max(left.count, right.count)).map {
      body(left[left.count == 1 ? 0 : $0], right[right.count == 1 ? 0 : $0])
    }
  }

  private func calculated(
    _ left: Values, _ right: Values, _ body: (Double, Double) -> Double
  ) -> Values {
    combined(left, right) { .number(body($0.operand, $1.operand)) }
  }

  private mutating func comparison() -> Values {
    let left = sum()
    for sign in ["<=", ">=", "<>", "=", "<", ">"] where take(sign) {
      return combined(left, sum()) { .number(holds($0, sign, $1) ? 1 : 0) }
    }
    return left
  }

  private func holds(_ left: CalculatedValue, _ sign: String, _ right: CalculatedValue) -> Bool {
    if [left, right].contains(where: { if case .text = $0 { true } else { false } }) {
      return (left.text == right.text) == (sign == "=")
    }
    let (a, b) = (left.number, right.number)
    return switch sign {
    case "<=": a <= b
    case ">=": a >= b
    case "<": a < b
    case ">": a > b
    case "<>": a != b
    default: a == b
    }
  }

  private mutating func sum() -> Values {
    var value = product()
    while let sign = ["+", "-", "&"].first(where: { take($0) }) {
      let right = product()
      switch sign {
      case "&": value = combined(value, right) { .text($0.text + $1.text) }
      case "+": value = calculated(value, right, +)
      default: value = calculated(value, right, -)
      }
    }
    return value
  }

  private mutating func product() -> Values {
    var value = factor()
    while let sign = ["*", "/"].first(where: { take($0) }) {
      value = sign == "*" ? calculated(value, factor(), *) : calculated(value, factor(), /)
    }
    return value
  }

  private mutating func factor() -> Values {
    if take("-") { return factor().map { .number(-$0.operand) } }
    if take("(") {
      let value = comparison()
      precondition(take(")"), "a bracket is open: \(rest)")
      return value
    }
    if take("\"") { return [.text(string())] }
    if let cells = reference() { return cells }
    let word = rest.prefix { $0.isLetter || $0.isNumber || "._".contains($0) }
    rest = rest.dropFirst(word.count)
    if let number = Double(word) { return [.number(number)] }
    if take("(") { return [call(String(word))] }
    return [sheet.value(named: String(word))]
  }

  /// A text whose opening quote was read.
  private mutating func string() -> String {
    var text = ""
    repeat {
      let part = rest.prefix { $0 != "\"" }
      text += part
      rest = rest.dropFirst(part.count + 1)
      if rest.first == "\"" { text += "\"" }
    } while take("\"")
    return text
  }

  /// Cells of this or another sheet; nil for what names none.
  private mutating func reference() -> Values? {
    guard let found = rest.prefixMatch(of: Self.cell) else { return nil }
    rest = rest[found.range.upperBound...]
    let name = found.1.map(String.init) ?? own
    let (first, last) = (index(found.2), index(found.4 ?? found.2))
    let rows = Int(found.3)!...Int(found.5 ?? found.3)!
    return rows.flatMap { row in
      (first...last).map { sheet.value(at: "\(name)!\(columnLetters($0))\(row)") }
    }
  }

  /// Made once: making it takes longer than a match. It is never changed.
  nonisolated(unsafe) private static let cell =
    #/(?:'([^']+)'!)?\$?([A-Z]+)\$?([0-9]+)(?::\$?([A-Z]+)\$?([0-9]+))?/#

  /// Of a column, from 0.
  private func index(_ letters: Substring) -> Int {
    letters.utf8.reduce(0) { $0 * 26 + Int($1) - 64 } - 1
  }

  private mutating func call(_ name: String) -> CalculatedValue {
    var arguments: [Values] = []
    while !take(")") {
      arguments.append(comparison())
      _ = take(",")
    }
    let numbers = arguments.joined().compactMap { value -> Double? in
      if case .number(let number) = value { number } else { nil }
    }
    let first = arguments[0].first?.number ?? 0
    let second = arguments.count > 1 ? arguments[1].first?.number ?? 0 : 0
    switch name {
    case "IF": return (first != 0 ? arguments[1] : arguments[2]).first ?? .empty
    case "AND": return .number(arguments.allSatisfy { $0[0].number != 0 } ? 1 : 0)
    case "SUM": return .number(numbers.reduce(0, +))
    case "SUBTOTAL": return .number(arguments[1].reduce(0) { $0 + $1.number })
    case "MIN": return .number(numbers.min() ?? 0)
    case "MAX": return .number(numbers.max() ?? 0)
    case "MEDIAN": return .number(median(numbers.sorted()))
    case "MOD": return .number(first - second * (first / second).rounded(.down))
    case "ROUND": return .number(rounded(first, second, .toNearestOrAwayFromZero))
    case "ROUNDDOWN": return .number(rounded(first, second, .towardZero))
    case "ROUNDUP": return .number(rounded(first, second, .awayFromZero))
    case "SUMPRODUCT":
      return .number(
        arguments[0].indices.reduce(0) { sum, place in
          sum + arguments.reduce(1) { $0 * $1[place].number }
        })
    case "POWER": return .number(pow(first, second))
    case "LEN": return .number(Double(String(Int(first)).count))
    case "INDEX": return second < 1 ? .empty : arguments[0][Int(second) - 1]
    case "MATCH":
      return .number(Double((arguments[1].firstIndex(of: arguments[0][0]) ?? -1) + 1))
    case "COUNTIF", "COUNTIFS": return .number(Double(matching(arguments[...]).count))
    case "SUMIF":
      return .number(
        matching(arguments.prefix(2)).reduce(0) { $0 + arguments[2][$1].number })
    case "SUMIFS":
      return .number(
        matching(arguments.dropFirst()).reduce(0) { $0 + arguments[0][$1].number })
    default: preconditionFailure("no function \(name)")
    }
  }

  /// Places that satisfy all criteria, each of which stands behind its range.
  private func matching(_ criteria: ArraySlice<Values>) -> [Int] {
    let all = Array(criteria)
    return all[0].indices.filter { place in
      stride(from: 0, to: all.count, by: 2).allSatisfy { satisfies(all[$0][place], all[$0 + 1][0]) }
    }
  }

  private func satisfies(_ value: CalculatedValue, _ criterion: CalculatedValue) -> Bool {
    guard case .text(let text) = criterion else { return value == criterion }
    for sign in ["<=", ">=", "<>", "<", ">"] where text.hasPrefix(sign) {
      guard case .number = value, let limit = Double(text.dropFirst(sign.count)) else {
        return false
      }
      return holds(value, sign, .number(limit))
    }
    if text == "=" { return value == .empty }
    // It begins with any letters, or is the text.
    return text.hasPrefix("*") ? value.text.hasSuffix(text.dropFirst()) : value.text == text
  }

  private func median(_ sorted: [Double]) -> Double {
    (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  /// As spreadsheets round: what differs in the sixteenth digit is the same.
  private func rounded(_ value: Double, _ places: Double, _ rule: FloatingPointRoundingRule)
    -> Double
  {
    let scale = pow(10, places)
    let scaled = value * scale
    let near = scaled.rounded()
    let isNear = abs(scaled - near) <= abs(scaled) * 1e-15
    if isNear { return near / scale }
    let half = (scaled * 2).rounded() / 2
    let isHalf = abs(scaled - half) <= abs(scaled) * 1e-15
    return (isHalf ? half : scaled).rounded(rule) / scale
  }

  private mutating func take(_ text: String) -> Bool {
    guard rest.hasPrefix(text) else { return false }
    rest = rest.dropFirst(text.count)
    return true
  }
}

extension CalculatedValue {
  var number: Double { if case .number(let number) = self { number } else { 0 } }

  /// In arithmetic, where a text is no number.
  var operand: Double { if case .text = self { .nan } else { number } }

  var text: String {
    switch self {
    case .number(let number): number == number.rounded() ? String(Int(number)) : String(number)
    case .text(let text): text
    case .empty: ""
    }
  }

  /// Whether a cached value is this one, to the ninth digit.
  func isNear(_ cached: Cell) -> Bool {
    guard let expected = cached.binary else { return text == cached.exactText }
    return abs(number - expected) <= 1e-9 * max(1, abs(expected))
  }
}
