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
    let field: Int
    let isKept: Bool
    let exact: [[UInt8]]
    let patterns: [[UInt8]]
  }

  private let rules: [Rule]

  /// - Parameter field: where records have the column of a rule.
  init(_ rules: [RowRule], field: (RowRule) -> Int) {
    self.rules = rules.map { rule in
      // A word for nothing may have become blank on the way here.
      let blank = rule.values.contains { isNullWord($0) } ? [""] : []
      let values = (rule.values + blank).map { Array($0.utf8) }
      return Rule(
        field: field(rule), isKept: rule.isKept,
        exact: values.filter { !$0.contains(UInt8(ascii: "*")) },
        patterns: values.filter { $0.contains(UInt8(ascii: "*")) })
    }
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

  /// Whether a rule names the record's value.
  private func names(_ rule: Rule, _ record: Record) -> Bool {
    let bytes = trimmed(record[rule.field])
    if rule.exact.contains(where: { bytes.count == $0.count && bytes.elementsEqual($0) }) {
      return true
    }
    return !rule.patterns.isEmpty
      && rule.patterns.contains { fits(Array(bytes)[...], $0[...]) }
  }
}
