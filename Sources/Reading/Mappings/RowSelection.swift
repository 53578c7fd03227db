internal import Billing

/// What a mapping says of the values of rows that are read, or left out.
struct RowRule {
  /// As the file calls it.
  let column: String
  /// The file's field; nil where its first record does not have it.
  let field: Int?
  let values: [String]
  let isKept: Bool
}

/// Which rows of a file belong to its table.
struct RowSelection {
  private struct Rule {
    let column: String
    let field: Int
    let isKept: Bool
    let exact: [[UInt8]]
    let patterns: [[UInt8]]
  }

  private let rules: [Rule]
  /// By rule, the values of rows that were left out, as long as none was read.
  private var values: [[String: Int]]
  private static let mostValues = 8

  /// - Parameter field: where records have the column of a rule.
  init(_ rules: [RowRule], field: (RowRule) -> Int) {
    self.rules = rules.map { rule in
      // A word for nothing may have become blank on the way here.
      let blank = rule.values.contains { isNullWord($0) } ? [""] : []
      let values = (rule.values + blank).map { Array($0.utf8) }
      return Rule(
        column: rule.column, field: field(rule), isKept: rule.isKept,
        exact: values.filter { !$0.contains(UInt8(ascii: "*")) },
        patterns: values.filter { $0.contains(UInt8(ascii: "*")) })
    }
    values = rules.map { _ in [:] }
  }

  /// Notes the values of a row that is left out, in the columns that rules name.
  mutating func note(_ record: Record) {
    for (index, rule) in rules.enumerated() where rule.field >= 0 {
      let text = record.text(rule.field)
      guard values[index][text] != nil || values[index].count < Self.mostValues else { continue }
      values[index][text, default: 0] += 1
    }
  }

  /// The columns that rules name, with values that rows left out have there, as a text for people.
  var told: String {
    zip(rules, values).map { rule, values in
      let most = values.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      let list = most.map { "\"\(oneLine($0.key))\" (\(grouped($0.value)))" }
      return rule.column + ": " + list.joined(separator: ", ")
    }.joined(separator: "; ")
  }

  var isEmpty: Bool { rules.isEmpty }

  /// Whether the row is none of the table's.
  @inline(__always)
  func leavesOut(_ record: Record) -> Bool {
    for index in rules.indices where rules[index].isKept != names(rules[index], record) {
      return true
    }
    return false
  }

  /// Whether the record's value is one of those that a rule names.
  private func names(_ rule: Rule, _ record: Record) -> Bool {
    let bytes = trimmed(record[rule.field])
    if rule.exact.contains(where: { bytes.count == $0.count && bytes.elementsEqual($0) }) {
      return true
    }
    return !rule.patterns.isEmpty
      && rule.patterns.contains { fits(Array(bytes)[...], $0[...]) }
  }
}
