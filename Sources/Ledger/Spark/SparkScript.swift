package import Billing

/// A script for Spark that matches a period's orders and transactions where the company has them,
/// counts the purchases that no rule has anything to say of, and hands all other rows over.
///
/// A purchase is counted where an order and a transaction are named by each other and by nothing
/// else, and each is one row; where its times are as they should be, and it is in no chain, not
/// revoked, of the App Store and bought on the business day on which it was ordered. What is wrong
/// with its terms is judged when the counts are read, which are divided by all of them.
package struct SparkScript: Sendable {
  package var period: Period
  /// When purchases may be of the period; seconds since 1970.
  package var window: ClosedRange<Int64>
  /// The period's business days.
  package var businessTimes: Range<Int64>
  /// Offsets of the business zone, each with the first second after it; the last one has no end.
  package var offsets: [(end: Int64?, seconds: Int64)]
  /// Seconds after which a fulfilment is late.
  package var lateAfter: Int64
  /// Seconds in which an order is placed before its purchase as clocks allow.
  package var leadTime: Int64
  /// Days before the window in which trials of the same users are looked for.
  package var offerDays: Int
  package var orders: SparkTable
  package var transactions: SparkTable
  /// SKUs that the catalogue knows as something else than consumables.
  package var otherSKUs: [String] = []
  package var asked = RowsAsked()
  /// How a table may write a storefront.
  package var spellings: [Storefront: [String]] = [:]
  /// Where Spark finds the ids that Apple's messages name; nil for none.
  package var idsPath: String?
  /// The folder that Spark writes into.
  package var output: String

  /// Makes a script. `window`, `businessTimes` and the ends of `offsets` are seconds since 1970;
  /// offsets of the business zone from UTC, `lateAfter` and `leadTime` are seconds; `output` is the
  /// folder that Spark writes into.
  package init(
    period: Period, window: ClosedRange<Int64>, businessTimes: Range<Int64>,
    offsets: [(end: Int64?, seconds: Int64)], lateAfter: Int64, leadTime: Int64, offerDays: Int,
    orders: SparkTable, transactions: SparkTable, output: String
  ) {
    self.period = period
    self.window = window
    self.businessTimes = businessTimes
    self.offsets = offsets
    self.lateAfter = lateAfter
    self.leadTime = leadTime
    self.offerDays = offerDays
    self.orders = orders
    self.transactions = transactions
    self.output = output
  }

  /// Columns of a table that the script asks for, in the order in which they are handed over.
  package static let orderColumns = OrderTerms.tableColumns.map(\.name)
  package static let transactionColumns = TransactionTerms.tableColumns.map(\.name)

  /// The folders that the script writes, by what is in them.
  private static let folders = (
    counts: "unit_counts", orders: "orders", transactions: "transactions"
  )

  /// The script, each statement ended by a semicolon and a line's end.
  package var text: String {
    statements.map { $0 + ";\n" }.joined(separator: "\n")
  }

  /// The statements of the script, in the order in which Spark runs them.
  private var statements: [String] {
    [
      "SET spark.sql.session.timeZone = UTC",
      // No id stands for a variable.
      "SET spark.sql.variable.substitute = false",
      // Folders then hold nothing but what is to be imported.
      "SET mapreduce.fileoutputcommitter.marksuccessfuljobs = false",
      orderView, transactionView, knownIDs,
    ]
      + askedRows + namings + [candidates] + plain + handedRows
      + [counted, handedOrders, handedTransactions]
  }

  // MARK: The company's tables

  /// The statement that makes the view of the company's orders: columns as text, times as seconds
  /// too.
  private var orderView: String {
    view(
      "tieout_order",
      """
      SELECT
        \(list(orders.texts(Self.orderColumns)
          + SparkTable.orderTimes.map { "\(orders.seconds($0)) AS \($0)_s" }))
      FROM \(orders.name)
      """)
  }

  /// The statement that makes the view of the company's transactions: columns as text, times as
  /// seconds too.
  private var transactionView: String {
    view(
      "tieout_transaction",
      """
      SELECT
        \(list(transactions.texts(Self.transactionColumns)
          + SparkTable.transactionTimes.map { "\(transactions.seconds($0)) AS \($0)_s" }))
      FROM \(transactions.name)
      """)
  }

  /// The statement that makes the view of the ids that Apple's messages in the ledger name, empty
  /// without them. What the ledger has of Apple's own words is held against the company's row by
  /// row.
  private var knownIDs: String {
    guard let idsPath else {
      return view(
        "tieout_known", "SELECT '' AS transaction_id, '' AS order_id WHERE false")
    }
    return """
      CREATE OR REPLACE TEMPORARY VIEW tieout_known (transaction_id STRING, order_id STRING)
      USING csv OPTIONS (path \(quoted(idsPath)), header 'true')
      """
  }

  /// The statements that make the views of the rows that were asked for, and of how tables may
  /// write their storefronts; none where nothing was asked for.
  private var askedRows: [String] {
    if asked.spans.isEmpty { return [] }
    let spans = asked.spans.map {
      "(\(quoted($0.storefront.code)), \(quoted($0.sku)), \($0.begin), \($0.end))"
    }
    let storefronts = Set(asked.spans.map(\.storefront)).sorted().flatMap { storefront in
      (spellings[storefront] ?? [storefront.code]).map {
        "(\(quoted($0)), \(quoted(storefront.code)))"
      }
    }
    return [
      view(
        "tieout_asked",
        "SELECT * FROM VALUES\n  \(list(spans)) AS asked (code, sku, begin_s, end_s)"),
      view(
        "tieout_storefront",
        "SELECT * FROM VALUES\n  \(list(storefronts)) AS storefronts (spelling, code)"),
    ]
  }

  // MARK: Which purchases are counted

  /// The statements that make the views of how many rows each id has, and how many others name it.
  private var namings: [String] {
    [
      view(
        "tieout_order_named",
        """
        SELECT id, sum(own) AS own, sum(named) AS named FROM (
          SELECT order_id AS id, 1 AS own, 0 AS named FROM tieout_order
          UNION ALL
          SELECT order_id, 0, 1 FROM tieout_transaction
          UNION ALL
          SELECT order_id, 2, 0 FROM tieout_known
        ) WHERE id IS NOT NULL GROUP BY id
        """),
      view(
        "tieout_transaction_named",
        """
        SELECT id, sum(own) AS own, sum(named) AS named FROM (
          SELECT transaction_id AS id, 1 AS own, 0 AS named FROM tieout_transaction
          UNION ALL
          SELECT transaction_id, 0, 1 FROM tieout_order
          UNION ALL
          SELECT original_transaction_id, 2, 0 FROM tieout_transaction
          WHERE original_transaction_id <> transaction_id
          UNION ALL
          SELECT transaction_id, 2, 0 FROM tieout_known
        ) WHERE id IS NOT NULL GROUP BY id
        """),
    ]
  }

  /// The statement that makes the view of the pairs that may be counted: orders and transactions
  /// that name each other, or of which one names the other.
  private var candidates: String {
    let columns =
      ["o.order_id", "t.transaction_id", "o.placed_at_s", "t.purchased_at_s", "o.fulfilled_at_s"]
      + Self.orderTerms.map { "o.\($0) AS order_\($0)" }
      + Self.transactionTerms.map { "t.\($0) AS transaction_\($0)" }
    return view(
      "tieout_pair",
      """
      WITH o AS (
        SELECT o.*, n.named FROM tieout_order o
          JOIN tieout_order_named n ON n.id = o.order_id AND n.own = 1 AND n.named <= 1
        WHERE lower(o.status) = 'fulfilled' AND lower(coalesce(o.channel, 'apple')) = 'apple'
          AND o.placed_at_s BETWEEN \(window.lowerBound) AND \(window.upperBound)
          AND o.fulfilled_at_s IS NOT NULL
      ), t AS (
        SELECT t.*, n.named FROM tieout_transaction t
          JOIN tieout_transaction_named n ON n.id = t.transaction_id AND n.own = 1 AND n.named <= 1
        WHERE t.purchased_at_s BETWEEN \(window.lowerBound) AND \(window.upperBound)
          AND t.revoked_at IS NULL AND t.revocation_reason IS NULL AND t.expires_at IS NULL
          AND t.web_order_line_item_id IS NULL
          AND coalesce(t.original_transaction_id, t.transaction_id) = t.transaction_id
          AND lower(coalesce(t.kind, 'consumable')) = 'consumable'
          AND lower(coalesce(t.is_trial, 'false')) IN ('false', '0')
          AND lower(coalesce(t.is_intro, 'false')) IN ('false', '0')
          AND lower(coalesce(t.is_upgraded, 'false')) IN ('false', '0')
          AND upper(coalesce(t.ownership, 'PURCHASED')) = 'PURCHASED'
          AND lower(coalesce(t.environment, 'production')) IN ('production', 'prod')
          AND t.storefront IS NOT NULL AND t.currency IS NOT NULL AND t.unit_price IS NOT NULL
          AND t.quantity IS NOT NULL\(otherSKUs.isEmpty ? "" : """

          AND t.sku NOT IN (\(otherSKUs.map(quoted).joined(separator: ", ")))
      """)
      )
      SELECT \(list(columns))
      FROM o JOIN t ON o.transaction_id = t.transaction_id
      WHERE t.named = 1 AND o.named = CASE WHEN t.order_id IS NULL THEN 0 ELSE 1 END
        AND coalesce(t.order_id, o.order_id) = o.order_id
      UNION ALL
      SELECT \(list(columns))
      FROM o JOIN t ON t.order_id = o.order_id
      WHERE o.transaction_id IS NULL AND t.named = 0 AND o.named = 1
      """)
  }

  /// The statements of the step that keeps the pairs that are counted, each with its business day.
  private var plain: [String] {
    step(
      "tieout_plain",
      """
      SELECT p.*, \(day("p.purchased_at_s")) AS day FROM tieout_pair p\(unasked)
      WHERE p.placed_at_s BETWEEN p.purchased_at_s - \(leadTime) AND p.purchased_at_s
        AND p.fulfilled_at_s <= p.purchased_at_s + \(lateAfter)
        AND \(day("p.placed_at_s")) = \(day("p.purchased_at_s"))
      """)
  }

  /// The joins that leave out pairs that were asked for as rows; empty where none were.
  private var unasked: String {
    if asked.spans.isEmpty { return "" }
    return """

        LEFT JOIN tieout_storefront s
          ON s.spelling = substring_index(p.transaction_storefront, '-', 1)
        LEFT ANTI JOIN tieout_asked a ON a.code = s.code AND a.sku = p.transaction_sku
          AND p.purchased_at_s >= a.begin_s AND p.purchased_at_s < a.end_s
      """
  }

  /// The SQL of the number of a time's business day.
  ///
  /// - Parameter seconds: the SQL of the time in Unix seconds.
  private func day(_ seconds: String) -> String {
    var text = ""
    for (end, offset) in offsets {
      let local = "(\(seconds) + \(offset)) DIV 86400"
      if let end {
        text += "CASE WHEN \(seconds) < \(end) THEN \(local) ELSE "
      } else {
        text += local
      }
    }
    return text + String(repeating: " END", count: offsets.count - 1)
  }

  // MARK: Which rows are handed over

  /// The statements that find the rows that are handed over: all that are not counted in the
  /// window, and those of other times that they lead to, namely chains, what names each other,
  /// trials of the same users, subscriptions that run when the window begins.
  private var handedRows: [String] {
    let (first, last) = (window.lowerBound, window.upperBound)
    // Where nobody tells the kind, the catalogue does.
    let otherKinds =
      otherSKUs.isEmpty
      ? "" : " OR t.kind IS NULL AND t.sku IN (\(otherSKUs.map(quoted).joined(separator: ", ")))"
    let isChained = """
      (t.original_transaction_id <> t.transaction_id OR t.web_order_line_item_id IS NOT NULL
          OR t.expires_at IS NOT NULL OR lower(t.kind) <> 'consumable'\(otherKinds))
      """
    let yes = "IN ('true', '1', 'yes')"
    let isOffer =
      "(coalesce(lower(t.is_trial) \(yes), false) OR coalesce(lower(t.is_intro) \(yes), false))"
    let chain = "coalesce(t.original_transaction_id, t.transaction_id)"
    return step(
      "tieout_transaction_0",
      """
      SELECT t.transaction_id, t.order_id, t.user_id, t.purchased_at_s, \(chain) AS chain,
        \(isChained) AS is_chained, \(isOffer) AS is_offer
      FROM tieout_transaction t
        LEFT ANTI JOIN tieout_plain p ON p.transaction_id = t.transaction_id
      WHERE t.purchased_at_s IS NULL OR t.purchased_at_s BETWEEN \(first) AND \(last)
        OR t.revoked_at_s BETWEEN \(first) AND \(last)
      """)
      + step(
        "tieout_order_0",
        """
        SELECT o.order_id, o.transaction_id, o.placed_at_s
        FROM tieout_order o LEFT ANTI JOIN tieout_plain p ON p.order_id = o.order_id
        WHERE o.placed_at_s IS NULL OR o.placed_at_s BETWEEN \(first) AND \(last)
        """)
      + step(
        "tieout_transaction_1",
        """
        SELECT transaction_id FROM tieout_transaction_0
        UNION SELECT t.transaction_id FROM tieout_transaction t JOIN (
            SELECT DISTINCT chain FROM tieout_transaction_0 WHERE is_chained
          ) c ON c.chain = \(chain)
        UNION SELECT t.transaction_id FROM tieout_transaction t
          WHERE \(isChained) AND t.purchased_at_s BETWEEN \(first - 400 * 86_400) AND \(first)
            AND (t.expires_at_s IS NULL OR t.expires_at_s >= \(first))
        UNION SELECT t.transaction_id FROM tieout_transaction t LEFT JOIN (
            SELECT DISTINCT user_id AS buyer FROM tieout_transaction_0 WHERE is_offer
          ) u ON u.buyer = t.user_id
          WHERE \(isOffer) AND (u.buyer IS NOT NULL OR t.user_id IS NULL)
            AND t.purchased_at_s BETWEEN \(first - Int64(offerDays) * 86_400) AND \(first)
        UNION SELECT transaction_id FROM tieout_known
        UNION SELECT t.transaction_id FROM tieout_transaction t
          JOIN tieout_known k ON k.transaction_id = \(chain)
        UNION SELECT transaction_id FROM tieout_order_0
        UNION SELECT t.transaction_id FROM tieout_transaction t
          JOIN tieout_order_0 o ON o.order_id = t.order_id
        """)
      + ordersNamed(1, beside: "tieout_order_0")
      + step(
        "tieout_transaction_2",
        """
        SELECT transaction_id FROM tieout_transaction_1
        UNION SELECT t.transaction_id FROM tieout_transaction t
          JOIN tieout_order_1 o ON o.order_id = t.order_id
        UNION SELECT o.transaction_id FROM tieout_order o
          JOIN tieout_order_1 h ON h.order_id = o.order_id
        """)
      + ordersNamed(2, beside: "tieout_order_1")
  }

  /// The statements that find the orders of a round: those of the round before, those that name a
  /// transaction of this round, and those that such transactions name.
  ///
  /// - Parameter orders: the view with the orders of the round before.
  private func ordersNamed(_ round: Int, beside orders: String) -> [String] {
    step(
      "tieout_order_\(round)",
      """
      SELECT order_id FROM \(orders)
      UNION SELECT o.order_id FROM tieout_order o
        JOIN tieout_transaction_\(round) t ON t.transaction_id = o.transaction_id
      UNION SELECT t.order_id FROM tieout_transaction t
        JOIN tieout_transaction_\(round) h ON h.transaction_id = t.transaction_id
      UNION SELECT order_id FROM tieout_known
      """)
  }

  // MARK: What is written

  private static let orderTerms = OrderTerms.saidColumns.map(\.name)
  private static let transactionTerms = TransactionTerms.saidColumns.map(\.name)

  /// The statement that writes the counts of purchases, users and rows that are handed over.
  private var counted: String {
    let terms =
      Self.orderTerms.map { "order_\($0)" } + Self.transactionTerms.map { "transaction_\($0)" }
    let none = terms.map { "CAST(NULL AS STRING) AS \($0)" }
    /// A query of counts, in the columns of unit counts; all arguments but `counted` are SQL.
    ///
    /// - Parameters:
    ///   - at: the time that is counted by, in Unix seconds.
    ///   - rest: what follows the columns, from `FROM` on.
    func part(
      _ counted: CountedThing, at: String, count: String = "count(*)", seconds: String = "NULL",
      name: String = "NULL", terms: [String], _ rest: String
    ) -> String {
      let columns =
        [
          "\(quoted(period.description)) AS counted_period", "'\(counted.name)' AS counted",
          "CAST(\(at) AS BIGINT) AS at", "CAST(\(count) AS BIGINT) AS count",
          "CAST(\(seconds) AS BIGINT) AS seconds", "CAST(\(name) AS STRING) AS name",
        ] + terms
      return "SELECT \(columns.joined(separator: ", "))\n\(rest)"
    }
    /// A query of how many rows of a table have a time in each minute.
    func moments(_ counted: CountedThing, _ time: String, _ table: String) -> String {
      let minute = "\(time) - \(time) % 60"
      return part(
        counted, at: minute, terms: none, "FROM \(table) GROUP BY \(minute)")
    }
    let quarter = "purchased_at_s - purchased_at_s % 900"
    let (first, last) = (window.lowerBound, window.upperBound)
    var parts = [
      part(
        .sold, at: quarter, terms: terms,
        "FROM tieout_plain GROUP BY \(([quarter] + terms).joined(separator: ", "))"),
      moments(.placed, "placed_at_s", "tieout_plain"),
      moments(.bought, "purchased_at_s", "tieout_plain"),
      part(
        .fulfilled, at: "min(\(quarter))", seconds: "fulfilled_at_s - purchased_at_s",
        terms: none, "FROM tieout_plain GROUP BY day, fulfilled_at_s - purchased_at_s"),
      moments(
        .handedOrders, "placed_at_s",
        """
        (SELECT placed_at_s FROM tieout_order_0
          WHERE placed_at_s BETWEEN \(first) AND \(last))
        """),
      moments(
        .handedTransactions, "purchased_at_s",
        """
        (SELECT purchased_at_s FROM tieout_transaction_0
          WHERE purchased_at_s BETWEEN \(first) AND \(last))
        """),
    ]
    if !asked.spans.isEmpty {
      parts.append(
        part(
          .asked, at: "begin_s", count: "0", seconds: "end_s - begin_s",
          name: "concat(code, ' ', sku)", terms: none, "FROM tieout_asked"
        ))
    }
    if !asked.users.isEmpty {
      let users = asked.users.map { "(\(quoted($0)))" }.joined(separator: ", ")
      parts.append(
        part(
          .user, at: "\(businessTimes.lowerBound)", count: "count(o.user_id)", name: "u.id",
          terms: none,
          """
          FROM (SELECT * FROM VALUES \(users) AS u (id)) u LEFT JOIN tieout_order o
            ON o.user_id = u.id AND o.placed_at_s >= \(businessTimes.lowerBound)
            AND o.placed_at_s < \(businessTimes.upperBound)
          GROUP BY u.id
          """))
    }
    let all = parts.joined(separator: "\nUNION ALL\n")
    return written(Self.folders.counts, "SELECT /*+ REPARTITION(1) */ * FROM (\n\(all)\n)")
  }

  /// The statement that writes the orders that are handed over as rows.
  private var handedOrders: String {
    let columns = Self.orderColumns.map {
      SparkTable.orderTimes.contains($0) ? orders.time("\($0)") : $0
    }
    return written(
      Self.folders.orders,
      """
      SELECT /*+ REPARTITION(1) */ \(columns.joined(separator: ", ")),
        \(quoted(period.description)) AS counted_period
      FROM (
        SELECT o.* FROM tieout_order o LEFT SEMI JOIN tieout_order_2 h ON h.order_id = o.order_id
        UNION ALL SELECT * FROM tieout_order WHERE order_id IS NULL
      )
      """)
  }

  /// The statement that writes the transactions that are handed over as rows.
  private var handedTransactions: String {
    let columns = Self.transactionColumns.map {
      SparkTable.transactionTimes.contains($0) ? transactions.time("\($0)") : $0
    }
    return written(
      Self.folders.transactions,
      """
      SELECT /*+ REPARTITION(1) */ \(columns.joined(separator: ", ")),
        \(quoted(period.description)) AS counted_period
      FROM (
        SELECT t.* FROM tieout_transaction t
          LEFT SEMI JOIN tieout_transaction_2 h ON h.transaction_id = t.transaction_id
        UNION ALL SELECT * FROM tieout_transaction WHERE transaction_id IS NULL
      )
      """)
  }

  /// The statements that keep what a query gives beside the output and make it the view `name`, so
  /// that it is worked out once for all that use the view.
  private func step(_ name: String, _ query: String) -> [String] {
    let path = quoted("\(output).work/\(name)")
    return [
      "INSERT OVERWRITE DIRECTORY \(path) USING parquet\n\(query)",
      "CREATE OR REPLACE TEMPORARY VIEW \(name) USING parquet OPTIONS (path \(path))",
    ]
  }

  /// The statement that makes a view.
  private func view(_ name: String, _ query: String) -> String {
    "CREATE OR REPLACE TEMPORARY VIEW \(name) AS\n\(query)"
  }

  /// The statement that writes what a query gives into a folder of the output, as CSV.
  private func written(_ folder: String, _ query: String) -> String {
    """
    INSERT OVERWRITE DIRECTORY \(quoted("\(output)/\(folder)"))
    USING csv OPTIONS (header 'true', quote '"', escape '"', emptyValue '', nullValue '')
    \(query)
    """
  }

  private func list(_ parts: [String]) -> String { parts.joined(separator: ",\n  ") }
}
