import Support

@testable import Ledger

extension TemporaryFolder {
  /// What a query of the folder's ledger gives: a line for each row, `|` between its columns.
  func rows(_ sql: String, mask: LedgerQuery.Mask? = nil) throws -> [String] {
    try QueriedRows.rows(of: LedgerQuery(path: ledger, mask: mask), sql)
  }
}

/// What a query gives: a line for each row, `|` between its columns.
enum QueriedRows {
  static func rows(of query: LedgerQuery, _ sql: String) throws -> [String] {
    var (lines, count) = ([String](), 0)
    try query.run(
      sql, columns: { count = $0.count },
      row: { row in
        lines.append(
          (0..<count).map { column in
            row.text(column).map { String(decoding: $0, as: UTF8.self) } ?? "null"
          }.joined(separator: "|"))
      })
    return lines
  }
}
