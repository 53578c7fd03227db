package import Billing

/// A view of the ledger, as a person or a program reads it with plain SQL: amounts as numbers and
/// exact, ISO times, file and line; what nobody said is null or empty.
///
/// This is the only description of the views: the statements that make them and the guide to their
/// columns follow from it.
package struct LedgerView: Sendable {
  package let name: String
  /// What its rows are.
  package let meaning: Wording
  package let columns: [(name: String, meaning: Wording)]
  /// Whether it is another view with the rows of superseded files too.
  package private(set) var isWhole = false
  /// The statement whose rows it has.
  let select: String
  /// Columns that rows in blocks have for it.
  private(set) var derived: [DerivedColumn] = []

  /// Makes a view of ordinary tables, or of rows in blocks with a join for each.
  ///
  /// - Parameters:
  ///   - rows: what follows `FROM`; where a file is asked for, it is `s` there.
  ///   - own: what columns mean in this view; what others mean is the same everywhere, or follows
  ///     from the name that Apple gave them.
  init(
    _ name: String, _ meaning: Wording, _ columns: [Column], from rows: String,
    _ own: [String: Wording] = [:]
  ) {
    self.init(name, meaning, columns, from: rows, own, sql: \.sql)
  }

  /// Makes a view of rows that lie in blocks, which have derived columns for it.
  ///
  /// - Parameter own: what columns mean in this view, by their names.
  init(
    _ name: String, _ meaning: Wording, _ columns: [Column], of rows: ViewRows,
    _ own: [String: Wording] = [:]
  ) {
    self.init(
      name, meaning, columns, from: "\(rows.table) \(rows.alias)", own, sql: { rows.sql($0).sql })
    for column in (columns + columns.flatMap(\.exact)).flatMap({ rows.sql($0).derived })
    where !derived.contains(where: { $0.name == column.name }) { derived.append(column) }
    if hasFileStatus {
      current = "\(rows.alias).\(DerivedColumn.isCurrent.name) = 1"
      derived.append(.isCurrent)
    }
  }

  /// Makes a view whose columns have the SQL that `sql` gives; exact forms of amounts stand at its
  /// end.
  ///
  /// - Parameters:
  ///   - rows: what follows `FROM`.
  ///   - own: what columns mean in this view, by their names.
  private init(
    _ name: String, _ meaning: Wording, _ columns: [Column], from rows: String,
    _ own: [String: Wording], sql: (Column) -> String
  ) {
    let all = columns + columns.flatMap(\.exact)
    let list = all.map { "\(sql($0)) AS \"\($0.name)\"" }.joined(separator: ", ")
    self.init(
      name, meaning,
      all.map { column in
        (
          column.name,
          column.meaning ?? own[column.name] ?? Self.common[column.name]
            ?? "@view.apple-column-of-this-name"
        )
      }, select: "SELECT \(list) FROM \(rows)")
  }

  /// Makes a view of rows that lie in blocks, with `columns` and behind them those of a company's
  /// table.
  ///
  /// - Parameters:
  ///   - list: the company's table: its columns that are not among `columns` are added, from the
  ///     terms `t`, and it says what its columns mean.
  ///   - own: what columns mean in this view, by their names; it goes before what `list` says.
  init<Row: ListedRow>(
    _ name: String, _ meaning: Wording, _ columns: [Column], listing list: Row.Type,
    of rows: ViewRows, _ own: [String: Wording] = [:]
  ) {
    let listed = list.heldColumns.map(Column.init(listed:)).filter { column in
      !columns.contains { $0.name == column.name }
    }
    let meanings = list.columns.compactMap { column in
      column.viewMeaning.map { (column.name, $0) }
    }
    self.init(
      name, meaning, columns + listed, of: rows,
      own.merging(meanings, uniquingKeysWith: { own, _ in own }))
  }

  private init(
    _ name: String, _ meaning: Wording, _ columns: [(name: String, meaning: Wording)],
    select: String
  ) {
    (self.name, self.meaning, self.columns) = (name, meaning, columns)
    self.select = select
  }

  /// The view and, where its rows are of files that later versions supersede, the one with all of
  /// them.
  private var forms: [LedgerView] {
    guard hasFileStatus else { return [self] }
    let current = "\(select) WHERE \(current)"
    return [LedgerView(name, meaning, columns, select: current), whole]
  }

  /// The SQL condition that the file of a row is not superseded.
  private var current = "\(Column.fileStatus.sql) <> 'superseded'"

  /// Whether it says which rows are of superseded files.
  private var hasFileStatus: Bool { columns.contains { $0.name == Column.fileStatus.name } }

  /// The view with the rows of superseded files too; itself where it has no others.
  var whole: LedgerView {
    guard hasFileStatus else { return self }
    var whole = LedgerView(name + "_all", "@view.same-with-the-rows", columns, select: select)
    whole.isWhole = true
    return whole
  }

  /// The name of the column that has an amount's exact text.
  static func exactForm(of amount: String) -> String { amount + Column.exactSuffix }

  /// Whether a column has the exact value of an amount that stands in another one: its decimal
  /// text, or its millionths.
  static func isExactForm(_ column: String) -> Bool {
    column.hasSuffix(Column.exactSuffix) || column.hasSuffix(Column.sumSuffix)
  }

  /// All views, the most asked for first.
  package static let all = [
    file, order, transaction, claim, event, reportRow, finding, pattern, flow, remark, reject,
    message, renewal, item, itemRefund, answerPage, finance, financeFooter, payment, payout, bank,
    subscription, subscriptionEvent, subscriber, product, tier, rate, coinMovement, coinBalance,
    gameItem,
  ].flatMap(\.forms)

  private static let common: [String: Wording] = [
    "id": "@view.number-of-the-row",
    "source": "@view.file-as-given-to-import",
    "source_kind": "@view.what-the-file-is",
    "file_status": "@view.current-superseded-by-a-later",
    "vendor": "@view.apple-vendor-number",
    "region": "@view.apple-financial-region",
    "begin": "@view.first-day-of-the-report",
    "end": "@view.last-day-of-the-report",
    "storefront": "@view.country-of-the-app-store",
    "sku": "@shared.product",
    "currency": "@view.three-letters",
    "quantity": "@view.how-many",
    "unit_price": "@view.price-of-one-unit",
    "bundle_id": "@shared.app",
    "user_id": "@view.company-user-masked-where-mask",
    "app_account_token": "@view.token-that-stands",
    "order_id": "@view.company-order",
    "transaction_id": "@view.apple-transaction",
    "units": "@view.how-many-below-zero",
    "amount": "@view.how-much",
    "kind": "@shared.what-it-is",
    "status": "@view.how-far-it-has-got",
  ]

  /// The file that row `r` of a fact table came from, as `s`.
  static let joinSource = "JOIN source s ON s.id = r.source_id"
}

extension LedgerView {
  /// A column of a view: its name and the SQL of its value. A literal is a column of a table, under
  /// its own name.
  struct Column: ExpressibleByStringLiteral {
    let name: String
    let sql: String
    /// What it means wherever it stands; nil where the view says it.
    private(set) var meaning: Wording?
    /// The same as exact values, at the end of the view: columns keep their places.
    private(set) var exact: [Column] = []
    private(set) var form: Form = .expression

    /// What the SQL of a value is.
    enum Form {
      case expression
      /// File and line of a row.
      case place
      /// A time in a column, as text.
      case moment(String)
    }

    /// A column of any SQL; without a name, it has that of the table's column after the last point.
    init(_ sql: String, as name: String? = nil) {
      self.sql = sql
      self.name = name ?? String(sql.split(separator: ".").last ?? "")
    }

    /// A column of any SQL that means the same in every view.
    private init(_ sql: String, as name: String, _ meaning: Wording) {
      self.init(sql, as: name)
      self.meaning = meaning
    }

    init(stringLiteral sql: String) { self.init(sql) }

    /// The view's column for a column of a company's table, from the terms `t`.
    fileprivate init<Row>(listed column: CompanyColumn<Row>) {
      let sql = "t.\(column.stored)"
      self =
        switch column.value.form {
        case .amount: .amount(sql)
        case .day: .day(sql)
        default: Column(sql)
        }
    }

    static let fileStatus = Column("s.status", as: "file_status")
    static let sourceKind = Column("s.kind", as: "source_kind")
    static let begin = day("s.begin_day", as: "begin")
    static let end = day("s.end_day", as: "end")

    /// File and line of a row, whose table is named `row` in the view.
    static func source(_ row: String) -> Column {
      var place = Column("s.file || ':' || \(row).line", as: "source")
      place.form = .place
      return place
    }

    /// The items of a transaction row, one after another: `A 4.00; B 6.00`.
    static let items = Column(
      """
      (SELECT group_concat(sku || ifnull(' ' || \(decimalText("price")), ''), '; ') \
      FROM (SELECT sku, price FROM item_row WHERE row_id = r.id ORDER BY place))
      """, as: "items")

    /// Units of one row; one where nobody said how many.
    static let quantity = Column("max(t.quantity, 1)", as: "quantity")

    /// A day, which a column has as days since 1970, as ISO text.
    static func day(_ column: String, as name: String? = nil) -> Column {
      Column("date(\(column) * 86400, 'unixepoch')", as: name ?? Column(column).name)
    }

    /// A time, which a column has as seconds since 1970, as ISO text in UTC.
    static func time(_ column: String, as name: String? = nil) -> Column {
      var time = timeBeside(column, as: name)
      time.form = .moment(column)
      return time
    }

    /// A time as ISO text in UTC, from a column that has it as seconds since 1970 and is of another
    /// table than the rows' own.
    static func timeBeside(_ column: String, as name: String? = nil) -> Column {
      Column(
        "strftime('%Y-%m-%dT%H:%M:%SZ', \(column), 'unixepoch')",
        as: name ?? Column(column).name)
    }

    /// Micro-units of a column as a number, and beside it as decimal text and as they are stored.
    ///
    /// The number is read from the text, as SQLite reads one that somebody writes: a price is equal
    /// to itself in a query, which a quotient of two numbers need not be.
    static func amount(_ column: String, as name: String? = nil) -> Column {
      let text = decimalText(column)
      var amount = Column("CAST(\(text) AS REAL)", as: name ?? Column(column).name)
      amount.exact = [
        Column(text, as: amount.name + exactSuffix, "@view.same-as-exact-decimal-text"),
        Column(column, as: amount.name + sumSuffix, "@view.same-in-millionths-sums"),
      ]
      return amount
    }

    /// A rate as a number, and beside it as decimal text and in millionths; the latter only where
    /// it has six decimal places.
    ///
    /// - Parameters:
    ///   - column: the column with the rate's digits, a whole number.
    ///   - places: the column that says how many of these digits are decimal places.
    static func rate(_ column: String, places: String) -> Column {
      let padded = "printf('%025d', \(column))"
      let text = """
        (CASE \(places) WHEN 6 THEN \(decimalText(column)) ELSE \
        CAST(substr(\(padded), 1, 25 - \(places)) AS INTEGER) || '.' || \
        substr(\(padded), 26 - \(places)) END)
        """
      var rate = Column("CAST(\(text) AS REAL)", as: Column(column).name)
      rate.exact = [
        Column(text, as: rate.name + exactSuffix, "@view.same-as-exact-decimal-text"),
        Column(
          "CASE \(places) WHEN 6 THEN \(column) END", as: rate.name + sumSuffix,
          "@view.same-in-millionths-null-where"),
      ]
      return rate
    }

    /// What a row of a transaction says, else what the last run took from elsewhere.
    static let resolved = [
      Column("r.matched_text", as: "matched_order"), Column("y.sale_rule", as: "matched_by"),
      Column("ifnull(r.user_text, r.matched_user)", as: "resolved_user"),
      Column(
        """
        CASE WHEN r.user_text IS NOT NULL THEN 'transaction' WHEN r.matched_user IS NOT NULL THEN \
        'order' END
        """, as: "user_by"),
      Column("ifnull(t.storefront, y.sale_storefront)", as: "resolved_storefront"),
      Column(
        "iif(t.storefront IS NOT NULL, 'transaction', y.sale_storefront_by)", as: "storefront_by"),
      amount("iif(t.is_trial = 1, 0, ifnull(t.unit_price, y.sale_price))", as: "resolved_price"),
      Column("ifnull(t.currency, y.sale_currency)", as: "resolved_currency"),
      Column(
        """
        iif(t.is_trial = 1 OR t.unit_price IS NOT NULL, 'transaction', y.sale_price_by)
        """, as: "price_by"),
    ]

    static let exactSuffix = "_text"
    static let sumSuffix = "_micros"

    /// Ids as text, which SQL compares with numbers too. Of orders and transactions they are
    /// columns of the tables: only such are looked up where views are joined.
    static let orderID = Column("r.order_text", as: "order_id")
    static let transactionID = Column("r.transaction_text", as: "transaction_id")
    static let originalID = Column("r.original_text", as: "original_transaction_id")
    static let userID = Column("r.user_text", as: "user_id")

    /// An id as text, which SQL compares with numbers too.
    static func id(_ column: String, as name: String? = nil) -> Column {
      Column("CAST(\(column) AS TEXT)", as: name ?? Column(column).name)
    }

    /// The SQL of a column's micro-units as exact decimal text, with two digits or as many more as
    /// it needs.
    private static func decimalText(_ column: String) -> String {
      """
      (CASE WHEN \(column) IS NULL THEN NULL WHEN \(column) < 0 THEN '-' ELSE '' END \
      || printf('%d.%02d', abs(\(column)) / 1000000, abs(\(column)) / 10000 % 100) \
      || rtrim(printf('%04d', abs(\(column)) % 10000), '0'))
      """
    }
  }
}
