package import Billing

/// A view of the ledger, as a person or a program reads it with plain SQL: decimal amounts, ISO
/// times, file and line; what nobody said is null or empty.
///
/// This is the only description of the views: the statements that make them and the guide to their
/// columns follow from it.
package struct LedgerView: Sendable {
  package let name: String
  /// What its rows are.
  package let meaning: Wording
  package let columns: [(name: String, meaning: Wording)]
  /// The statement that makes it.
  let statement: String

  /// - Parameters:
  ///   - rows: what follows `FROM`; where a file is asked for, it is `s` there.
  ///   - own: what columns mean in this view; what others mean is the same everywhere, or told by
  ///     the name that Apple gave them.
  init(
    _ name: String, _ meaning: Wording, _ columns: [Column], from rows: String,
    _ own: [String: Wording] = [:]
  ) {
    self.name = name
    self.meaning = meaning
    self.columns = columns.map {
      ($0.name, own[$0.name] ?? Self.common[$0.name] ?? "Apple's column of this name")
    }
    let list = columns.map { "\($0.sql) AS \"\($0.name)\"" }.joined(separator: ", ")
    statement = "CREATE VIEW \(name) AS SELECT \(list) FROM \(rows)"
  }

  /// All views, the most asked for first.
  package static let all = [
    file, order, transaction, reportRow, finding, remark, reject, message, renewal, item,
    itemRefund, answerPage, finance, financeFooter, payment, payout, bank, subscription,
    subscriptionEvent, subscriber, product, tier, rate,
  ]

  private static let common: [String: Wording] = [
    "id": "number of the row in the ledger",
    "source": "file as given to import, and line",
    "source_kind": "what the file is",
    "file_status": "current, superseded by a later version, or partial",
    "vendor": "Apple's vendor number",
    "region": "Apple's financial region",
    "begin": "first day of the report or row",
    "end": "last day of the report or row",
    "storefront": "country of the App Store, two letters",
    "sku": "product",
    "currency": "three letters",
    "quantity": "how many",
    "unit_price": "price of one, decimal text",
    "bundle_id": "app",
    "user_id": "the company's user; masked where mask_users is set",
    "app_account_token": "token that stands for the user; masked where mask_users is set",
    "order_id": "the company's order",
    "transaction_id": "Apple's transaction",
    "units": "how many, below zero for refunds",
    "amount": "decimal text",
    "kind": "what it is",
    "status": "how far it is",
  ]

  /// The file that row `r` of a fact table came from, as `s`.
  static func joinSource(_ kinds: String...) -> String {
    let list = kinds.map { "'\($0)'" }.joined(separator: ", ")
    return """
      JOIN source s ON s.id = (SELECT id FROM source WHERE kind IN (\(list)) \
      AND first_row <= r.id ORDER BY first_row DESC LIMIT 1)
      """
  }
}

extension LedgerView {
  /// A column of a view: its name and the SQL of its value. A literal is a column of a table, under
  /// its own name.
  struct Column: ExpressibleByStringLiteral {
    let name: String
    let sql: String

    init(_ sql: String, as name: String? = nil) {
      self.sql = sql
      self.name = name ?? String(sql.split(separator: ".").last ?? "")
    }

    init(stringLiteral sql: String) { self.init(sql) }

    static let fileStatus = Column("s.status", as: "file_status")
    static let sourceKind = Column("s.kind", as: "source_kind")
    static let begin = day("s.begin_day", as: "begin")
    static let end = day("s.end_day", as: "end")

    /// File and line of a row.
    static func source(_ row: String) -> Column {
      Column("s.file || ':' || \(row).line", as: "source")
    }

    /// The items of a transaction row, one after another: `A 4.00; B 6.00`.
    static let items = Column(
      """
      (SELECT group_concat(sku || ifnull(' ' || \(amount("price").sql), ''), '; ') \
      FROM (SELECT sku, price FROM item_row WHERE row_id = r.id ORDER BY place))
      """, as: "items")

    /// Units of one row; one where nobody said how many.
    static let quantity = Column("max(t.quantity, 1)", as: "quantity")

    static func day(_ column: String, as name: String? = nil) -> Column {
      Column("date(\(column) * 86400, 'unixepoch')", as: name ?? Column(column).name)
    }

    static func time(_ column: String) -> Column {
      Column("strftime('%Y-%m-%dT%H:%M:%SZ', \(column), 'unixepoch')", as: Column(column).name)
    }

    /// Micro-units as exact decimal text with two digits or as many more as it needs.
    static func amount(_ column: String) -> Column {
      Column(
        """
        (CASE WHEN \(column) IS NULL THEN NULL WHEN \(column) < 0 THEN '-' ELSE '' END \
        || printf('%d.%02d', abs(\(column)) / 1000000, abs(\(column)) / 10000 % 100) \
        || rtrim(printf('%04d', abs(\(column)) % 10000), '0'))
        """, as: Column(column).name)
    }
  }
}
