/// A company's own table as Spark has it: what its columns are called there.
package struct SparkTable: Sendable {
  /// As a query names it, such as `shop.orders`.
  package var name: String
  /// The table's column by Tieout's.
  package var columns: [String: String] = [:]
  /// The value of a column that the table does not have.
  package var constants: [String: String] = [:]
  /// Tieout's columns that the table does not have.
  package var lacking: Set<String> = []

  package init(name: String) { self.name = name }

  /// Tieout's columns of orders and transactions, those with times apart.
  static let orderTimes = ["placed_at", "paid_at", "fulfilled_at"]
  static let transactionTimes = ["purchased_at", "expires_at", "revoked_at"]

  /// The SQL that reads one of Tieout's columns, by its name, from the company's table, in the type
  /// that it has there; for one that the table does not have, the SQL of a constant or of NULL.
  private func raw(_ name: String) -> String {
    if let constant = constants[name], columns[name] == nil { return quoted(constant) }
    if lacking.contains(name) { return "CAST(NULL AS STRING)" }
    return "`\((columns[name] ?? name).replacing("`", with: "``"))`"
  }

  /// The SQL that selects these columns, by Tieout's names, as text; NULL where they are blank.
  func texts(_ names: [String]) -> [String] {
    names.map { "nullif(trim(CAST(\(raw($0)) AS STRING)), '') AS \($0)" }
  }

  /// The SQL of a time as Unix seconds; NULL for what only Tieout's own reader can read.
  func seconds(_ name: String) -> String {
    let text = "trim(CAST(\(raw(name)) AS STRING))"
    let date = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
    let time = "[0-9]{2}:[0-9]{2}:[0-9]{2}"
    let read = "unix_seconds(try_cast(\(text) AS TIMESTAMP))"
    return """
      CASE WHEN typeof(\(raw(name))) = 'timestamp' THEN \(read)
          WHEN \(text) RLIKE '^\(date)[T ]\(time)(Z|[+-][0-9]{2}:[0-9]{2})$' THEN \(read)
          WHEN \(text) RLIKE '^[0-9]{10}$' THEN try_cast(\(text) AS BIGINT)
          WHEN \(text) RLIKE '^[0-9]{13}$' THEN try_cast(substr(\(text), 1, 10) AS BIGINT) END
      """
  }

  /// The SQL of a column of times as it is handed over: the Unix seconds, which the column with
  /// `_s` behind its name has, or where these are NULL the text as it stands.
  func time(_ name: String) -> String {
    """
    coalesce(CAST(\(name)_s AS STRING), \(name)) AS \(name)
    """
  }
}

/// A text as a string literal of Spark's SQL.
func quoted(_ text: String) -> String {
  var literal = "'"
  // By scalars: a quotation mark that forms one character with what stands before it ends a literal
  // all the same.
  for scalar in text.unicodeScalars {
    if scalar == "'" || scalar == "\\" { literal.unicodeScalars.append("\\") }
    literal.unicodeScalars.append(scalar)
  }
  return literal + "'"
}
