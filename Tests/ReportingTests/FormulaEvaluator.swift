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
  private let cells: [String: Cell]
  private let names: [String: String]
  private let first: String
  private var known: [String: CalculatedValue] = [:]

  convenience init(_ sheet: Sheet, changing changes: [String: CalculatedValue] = [:]) {
    self.init([sheet], changing: changes)
  }

  init(_ sheets: [Sheet], changing changes: [String: CalculatedValue] = [:]) {
    var cells: [String: Cell] = [:]
    var names: [String: String] = [:]
    for sheet in sheets {
      for index in 0..<sheet.rows.count {
        for (column, cell) in sheet.rows[index].cells.enumerated() {
          cells["\(sheet.name)!\(columnLetters(column))\(sheet.firstBodyRow + index)"] = cell
        }
      }
      for name in sheet.names {
        names[name.name] = "\(sheet.name)!\(columnLetters(name.column))\(name.row)"
      }
    }
    self.cells = cells
    self.names = names
    first = sheets[0].name
    for (name, value) in changes { known[names[name] ?? whole(name)] = value }
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
    return parser.comparison()
  }

  func value(named name: String) -> CalculatedValue {
    guard let place = names[name] else { preconditionFailure("no cell is named \(name)") }
    return value(at: place)
  }
}

/// Reads a formula from left to right and calculates as it goes.
private struct FormulaParser {
  private var rest: Substring
  private let sheet: SheetCalculation
  /// The sheet that the formula stands on.
  private let own: String

  init(_ formula: String, _ sheet: SheetCalculation, _ own: String) {
    rest = Substring(formula)
    self.sheet = sheet
    self.own = own
  }

  mutating func comparison() -> CalculatedValue {
    let left = sum()
    for sign in ["<=", ">=", "<>", "=", "<", ">"] where take(sign) {
      let right = sum()
      return .number(holds(left, sign, right) ? 1 : 0)
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

  private mutating func sum() -> CalculatedValue {
    var value = product()
    while let sign = ["+", "-", "&"].first(where: { take($0) }) {
      if sign == "&" {
        value = .text(value.text + product().text)
        continue
      }
      let right = product().number
      value = .number(sign == "+" ? value.number + right : value.number - right)
    }
    return value
  }

  private mutating func product() -> CalculatedValue {
    var value = factor()
    while let sign = ["*", "/"].first(where: { take($0) }) {
      let right = factor().number
      value = .number(sign == "*" ? value.number * right : value.number / right)
    }
    return value
  }

  private mutating func factor() -> CalculatedValue {
    if take("-") { return .number(-factor().number) }
    if take("(") {
      let value = comparison()
      precondition(take(")"), "a bracket is open: \(rest)")
      return value
    }
    if take("\"") {
      let text = rest.prefix { $0 != "\"" }
      rest = rest.dropFirst(text.count + 1)
      return .text(String(text))
    }
    let word = rest.prefix { $0.isLetter || $0.isNumber || "$._".contains($0) }
    rest = rest.dropFirst(word.count)
    if let number = Double(word) { return .number(number) }
    if take("(") { return call(String(word)) }
    let place = word.filter { $0 != "$" }
    return isPlace(place)
      ? sheet.value(at: "\(own)!\(place)") : sheet.value(named: String(word))
  }

  private func isPlace(_ word: String) -> Bool { word.wholeMatch(of: #/[A-Z]+[0-9]+/#) != nil }

  private mutating func call(_ name: String) -> CalculatedValue {
    if name == "SUMPRODUCT", take("--(") { return countBelow() }
    var arguments: [[CalculatedValue]] = []
    while !take(")") {
      arguments.append(argument())
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
    case "MIN": return .number(numbers.min() ?? 0)
    case "MAX": return .number(numbers.max() ?? 0)
    case "MEDIAN": return .number(median(numbers.sorted()))
    case "MOD": return .number(first - second * (first / second).rounded(.down))
    case "ROUND": return .number(rounded(first, second, .toNearestOrAwayFromZero))
    case "ROUNDDOWN": return .number(rounded(first, second, .towardZero))
    case "ROUNDUP": return .number(rounded(first, second, .awayFromZero))
    case "SUMPRODUCT":
      return .number(zip(arguments[0], arguments[1]).reduce(0) { $0 + $1.0.number * $1.1.number })
    case "POWER": return .number(pow(first, second))
    case "LEN": return .number(Double(String(Int(first)).count))
    case "INDEX": return second < 1 ? .empty : arguments[0][Int(second) - 1]
    case "COUNTIF": return .number(Double(arguments[0].count { $0 == arguments[1][0] }))
    case "MATCH":
      return .number(Double((arguments[1].firstIndex(of: arguments[0][0]) ?? -1) + 1))
    case "SUMIF":
      let isPositive = arguments[1] == [.text(">0")]
      return .number(
        zip(arguments[0], arguments[2]).reduce(0) {
          $0 + ((isPositive ? $1.0.number > 0 : $1.0 == arguments[1][0]) ? $1.1.number : 0)
        })
    case "SUMIFS":
      let wanted = arguments[2].first ?? .empty
      return .number(
        zip(arguments[0], arguments[1]).reduce(0) { $0 + ($1.1 == wanted ? $1.0.number : 0) })
    default: preconditionFailure("no function \(name)")
    }
  }

  /// `range<value))`: how many are.
  private mutating func countBelow() -> CalculatedValue {
    let values = argument()
    precondition(take("<"))
    let limit = sum().number
    precondition(take("))"))
    return .number(Double(values.count { $0.number < limit }))
  }

  /// A range, or one value.
  private mutating func argument() -> [CalculatedValue] {
    var name = own
    if let other = rest.prefixMatch(of: #/'([^']+)'!/#) {
      name = String(other.1)
      rest = rest[other.range.upperBound...]
    }
    guard let range = rest.prefixMatch(of: #/\$?([A-Z]+)\$?([0-9]+):\$?([A-Z]+)\$?([0-9]+)/#) else {
      return [comparison()]
    }
    rest = rest[range.range.upperBound...]
    precondition(range.1 == range.3, "ranges are of one column")
    return (Int(range.2)!...Int(range.4)!).map { sheet.value(at: "\(name)!\(range.1)\($0)") }
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
