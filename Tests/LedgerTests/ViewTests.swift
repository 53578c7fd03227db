import Billing
import GRDB
import Support
import Testing

@testable import Ledger

/// The ledger as a person reads it with plain `sqlite3`.
struct ViewTests {
  @Test func aSmallLedger() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let cn = Storefront("CN")
    let cny = Currency("CNY")
    try ledger.load(
      "orders.csv",
      [
        OrderFact(
          id: "O1", transaction: "37", user: "007", placed: 1_687_163_400, paid: 1_687_163_401,
          terms: OrderTerms(
            sku: "gems.60", status: .paid, quantity: 2, unitPrice: 6_000_000, currency: cny,
            storefront: cn, channel: "apple", coins: 60)),
        OrderFact(id: "12", placed: 0, terms: OrderTerms(sku: "vip", status: .created)),
      ])
    try ledger.load(
      "transactions.csv",
      [
        TransactionFact(
          id: "37", original: "37", order: "O1", purchased: 1_687_163_400, revoked: 1_687_249_800,
          terms: TransactionTerms(
            sku: "gems.60", kind: .consumable, unitPrice: 1_234_567, currency: cny, storefront: cn,
            revocationReason: "1")),
        TransactionFact(id: "38", original: "36", purchased: 1_687_163_400),
        TransactionFact(id: "39", purchased: 1_687_163_400),
      ])
    let june19 = Day("2023-06-19")!
    try ledger.load("old.txt", [SalesFact(day: june19)])
    try ledger.load("new.txt", [SalesFact(units: -1, price: -990_000, day: june19)])
    var bad = FactBlock(rows: .rates([]))
    bad.rejects = [
      Reject(
        diagnostic: Diagnostic(
          topic: "amount", at: SourceLocation(file: "rates.csv", line: 3, column: 9),
          "not a decimal number: \"1,54\"", help: "export it again"), rawText: "2023,1,54")
    ]
    try ledger.load("rates.csv", .rates, [bad])

    #expect(
      try dump(ledger) == """
        v_file
        orders|orders.csv|current|||||2|0
        rates|rates.csv|partial|||||0|1
        sales|new.txt|current|85127269|2023-06-19|2023-06-19||1|0
        sales|old.txt|superseded|85127269|2023-06-19|2023-06-19|new.txt|1|0
        transactions|transactions.csv|current|||||3|0
        v_order
        orders.csv:2|O1|paid|gems.60|2|6.0|CNY|CN|007|37||2023-06-19T08:30:00Z|\
        2023-06-19T08:30:01Z||apple|60
        orders.csv:3|12|created|vip|1|||||||1970-01-01T00:00:00Z||||
        v_transaction
        transactions.csv:2|37|37||O1|gems.60|consumable|1.234567|2023-06-19T08:30:00Z|\
        2023-06-20T08:30:00Z|1
        transactions.csv:3|38|36|||gems.60|consumable||2023-06-19T08:30:00Z||
        transactions.csv:4|39||||gems.60|consumable||2023-06-19T08:30:00Z||
        v_report_row
        new.txt:2|current|2023-06-19|CN|gems.60|IA1|-1|-0.99|CNY|-0.693
        v_report_row_all
        new.txt:2|current|2023-06-19|CN|gems.60|IA1|-1|-0.99|CNY|-0.693
        old.txt:2|superseded|2023-06-19|CN|gems.60|IA1|1|6.0|CNY|4.2
        v_reject
        rates.csv:3:9|amount|not a decimal number: "1,54"|export it again|2023,1,54
        """)
    // The ledger keeps the words that were said, in English.
    let kept = try #require(try ledger.rejects(limit: 10).first)
    #expect(kept.rawText == bad.rejects[0].rawText)
    #expect(kept.diagnostic.location == bad.rejects[0].diagnostic.location)
    #expect(kept.diagnostic.message.english == bad.rejects[0].diagnostic.message.english)
    #expect(try ledger.rejects(limit: 0).isEmpty)
    #expect(
      try ledger.inputs().map { "\($0.kind) \($0.status)" } == [
        "orders current", "rates partial", "sales current", "sales superseded",
        "transactions current",
      ])
  }

  /// Of rows with the same key those of the file imported last stand in the views of the company's
  /// tables: as matching reads them.
  @Test func whatCountsOfTheCompanysTables() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let first = Product(sku: "gems.60", kind: .consumable, tier: "1", coins: 60)
    var later = first
    later.coins = 40
    var july = later
    july.effectiveFrom = Day("2023-07-01")
    try ledger.load("old.csv", .products, [FactBlock(rows: .products([(line: Int32(2), first)]))])
    try ledger.load(
      "new.csv", .products,
      [FactBlock(rows: .products([(line: Int32(2), later), (line: Int32(3), july)]))])
    let cny = Currency("CNY")!
    let price = TierPrice(
      table: .iap, tier: "1", storefront: Storefront("CN")!, currency: cny, price: 6_000_000,
      proceeds: 4_130_000, effectiveFrom: nil, effectiveTo: Day("2023-12-31"))
    var dearer = price
    dearer.price = 8_000_000
    try ledger.load(
      "tiers.csv", .tiers,
      [FactBlock(rows: .tiers([(line: Int32(2), price), (line: Int32(3), dearer)]))])
    let rate = ExchangeRate(
      date: Day("2023-06-30")!, base: Currency("USD")!, quote: cny,
      rate: DecimalRate(micros: 7_254_300))
    var small = rate
    small.base = Currency("IDR")!
    small.rate = DecimalRate(decimal: "0.00043987")!
    try ledger.load(
      "rates.csv", .rates,
      [FactBlock(rows: .rates([(line: Int32(2), rate), (line: Int32(3), small)]))])
    func lines(_ columns: String, _ view: String, _ count: Int32) throws -> [String] {
      try ledger.read { db in
        var lines: [String] = []
        let rows = try #require(LedgerView.all.first { $0.name == view }).select
        let select = try RawStatement(db, "SELECT \(columns) FROM (\(rows)) ORDER BY id")
        while try select.step() {
          lines.append((0..<count).map { select.text($0) }.joined(separator: "|"))
        }
        return lines
      }
    }
    #expect(
      try lines("source, sku, kind, tier, coins, effective_from", "v_product", 6) == [
        "new.csv:2|gems.60|consumable|1|40|", "new.csv:3|gems.60|consumable|1|40|2023-07-01",
      ])
    let tiers = try lines(
      #"source, "table", tier, storefront, price, proceeds, effective_to"#, "v_tier", 7)
    #expect(tiers == ["tiers.csv:3|iap|1|CN|8.0|4.13|2023-12-31"])
    #expect(
      try lines("date, base, quote, rate, rate_text, rate_micros", "v_rate", 6) == [
        "2023-06-30|USD|CNY|7.2543|7.2543|7254300", "2023-06-30|IDR|CNY|0.00043987|0.00043987|",
      ])
  }

  /// Orders and transactions whose ids are numbers and texts, some of them named by the other side.
  private func claimed(_ scratch: TemporaryFolder) throws -> Ledger {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    func order(_ id: String, _ price: Int64, naming transaction: String = "", user: String = "7")
      -> OrderFact
    {
      OrderFact(
        id: id, transaction: transaction, user: user, placed: 1_687_163_400,
        terms: OrderTerms(
          sku: "gems.60", status: .paid, unitPrice: price, currency: Currency("CNY")))
    }
    try ledger.load(
      "orders.csv",
      [
        order("O1", 6_990_000, naming: "37"), order("12", 10_000_000, user: "007"),
        order("O3", 9_000_000, naming: "99"),
      ])
    try ledger.load(
      "transactions.csv",
      [
        TransactionFact(id: "37", original: "37", order: "O1", purchased: 1_687_163_400),
        TransactionFact(id: "38", original: "37", order: "12", purchased: 1_687_163_401),
        TransactionFact(id: "39", original: "39", purchased: 1_687_163_402),
      ])
    return ledger
  }

  private func texts(_ sql: String, _ ledger: Ledger) throws -> [String] {
    try QueriedRows.rows(of: LedgerQuery(path: ledger.path), sql)
  }

  /// Amounts compare as numbers, whoever writes them, and add up exactly beside that.
  @Test(arguments: [
    ("unit_price = 6.99", "O1"), ("unit_price = '6.99'", "O1"), ("unit_price > 9.5", "12"),
    ("unit_price = 10", "12"), ("unit_price BETWEEN 8 AND 9.000000", "O3"),
    ("unit_price_text = '9.00'", "O3"), ("unit_price_micros = 6990000", "O1"),
    ("unit_price = (SELECT max(unit_price) FROM v_order)", "12"),
    ("order_id = 12", "12"), ("order_id = '12'", "12"), ("order_id IN (12, 13)", "12"),
    ("user_id = '007'", "12"), ("transaction_id = 37", "O1"), ("transaction_id = '37'", "O1"),
    ("order_id = 'O3'", "O3"),
    ("transaction_id IN (SELECT transaction_id FROM v_transaction)", "O1"),
  ])
  func comparing(_ condition: String, _ order: String) throws {
    let scratch = try TemporaryFolder()
    let ledger = try claimed(scratch)
    #expect(try texts("SELECT order_id FROM v_order WHERE \(condition)", ledger) == [order])
    let sum = "SELECT sum(unit_price_micros) || ' ' || typeof(unit_price) FROM v_order"
    #expect(try texts(sum, ledger) == ["25990000 real"])
  }

  @Test func whoNamesWhom() throws {
    let scratch = try TemporaryFolder()
    let ledger = try claimed(scratch)
    let claims = try texts(
      """
      SELECT concat FROM (SELECT claimed_by || ' ' || rule || ' ' || order_id || ' ' ||
        transaction_id || ' ' || source || ' ' || at AS concat FROM v_claim ORDER BY claimed_by, id)
      """, ledger)
    #expect(
      claims == [
        "order transaction-id O1 37 orders.csv:2 2023-06-19T08:30:00Z",
        "order transaction-id O3 99 orders.csv:4 2023-06-19T08:30:00Z",
        "transaction order-id O1 37 transactions.csv:2 2023-06-19T08:30:00Z",
        "transaction order-id 12 38 transactions.csv:3 2023-06-19T08:30:01Z",
      ])
    let both = """
      SELECT c.transaction_id FROM v_claim c JOIN v_transaction t
        ON t.transaction_id = c.transaction_id AND t.order_id = c.order_id
      WHERE c.claimed_by = 'order' AND c.order_id = 'O1'
      """
    #expect(try texts(both, ledger) == ["37"])
  }

  private func plan(_ sql: String, _ ledger: Ledger) throws -> [String] {
    try QueriedRows.rows(of: LedgerQuery(path: ledger.path), "EXPLAIN QUERY PLAN \(sql)")
      .map { $0.split(separator: "|", maxSplits: 3).last.map(String.init) ?? "" }
  }

  /// A row that is asked for by its number is looked up: in no view are all rows read for it.
  @Test func rowsAreLookedUpByNumber() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    // Of the company's tables those rows count that no later file replaced: they are small.
    let small: Set = ["v_product", "v_tier", "v_rate"]
    var asked = 0
    for view in LedgerView.all where !small.contains(view.name) {
      guard view.columns.contains(where: { $0.name == "id" }) else { continue }
      let steps = try plan("SELECT * FROM \(view.name) WHERE id = 5", ledger)
      #expect(!steps.isEmpty)
      // What was looked up and is put in order or together is no table.
      for step in steps
      where step.hasPrefix("SCAN") && step != "SCAN c" && !step.hasPrefix("SCAN (subquery")
        && !step.hasSuffix(":=") && !step.hasSuffix("=")
      {
        Issue.record("\(view.name): \(step)")
      }
      asked += 1
    }
    #expect(asked > 20)
  }

  /// Views of orders and transactions are joined by their ids without reading one of them for each
  /// row of the other.
  @Test(arguments: [
    "v_order a JOIN v_transaction b ON a.transaction_id = b.transaction_id",
    "v_transaction a JOIN v_order b ON a.order_id = b.order_id",
    "v_transaction a JOIN v_transaction b ON a.original_transaction_id = b.original_transaction_id",
    "v_order a JOIN v_transaction b ON a.user_id = b.user_id",
    "v_claim a JOIN v_order b ON a.order_id = b.order_id",
    "v_claim a JOIN v_transaction b ON a.transaction_id = b.transaction_id",
  ])
  func joinsAreLookedUp(_ joined: String) throws {
    let scratch = try TemporaryFolder()
    let ledger = try claimed(scratch)
    let steps = try plan("SELECT count(*) FROM \(joined)", ledger)
    #expect(steps.contains { $0.contains("AUTOMATIC") || $0.contains(#/:c?i/#) }, "\(steps)")
  }

  private static func time(_ column: String) -> String {
    "strftime('%Y-%m-%dT%H:%M:%SZ', r.\(column), 'unixepoch')"
  }

  /// Goal: what rows have for a view, worked out once for each of their terms and files, is what
  /// SQL says of each row; whatever times are asked for as text, no row is lost.
  @Test(arguments: [
    (
      "order",
      "id, source, file_status, status, sku, unit_price_micros, currency, placed_at, paid_at",
      """
      r.id, s.file || ':' || r.line, s.status, t.status, t.sku, t.unit_price, t.currency,
      \(time("placed_at")) AS placed_at, \(time("paid_at"))
      """
    ),
    (
      "transaction", "id, source, source_kind, sku, unit_price_micros, purchased_at, revoked_at",
      """
      r.id, s.file || ':' || r.line, s.kind, t.sku, t.unit_price,
      \(time("purchased_at")) AS purchased_at, \(time("revoked_at"))
      """
    ),
  ])
  func viewsSayWhatSQLSays(_ kind: String, _ columns: String, _ plain: String) throws {
    let scratch = try TemporaryFolder()
    let ledger = try claimed(scratch)
    let times: [Int64] = [
      -62_167_219_200, -1, 0, 951_782_400, 1_687_132_799, 1_687_132_800,
      1_687_219_199, 1_688_169_600, 253_402_300_799, 253_402_300_800,
    ]
    try ledger.load("times", times.map { OrderFact(id: "T\($0)", placed: $0, paid: $0) })
    try ledger.load("bought", times.map { TransactionFact(id: "T\($0)", purchased: $0) })
    let query = try LedgerQuery(path: scratch.ledger)
    let said = """
      SELECT \(plain) FROM \(kind)_row r JOIN source s ON s.id = r.source_id
        JOIN \(kind)_terms t ON t.id = r.terms_id
      """
    let all = try QueriedRows.rows(of: query, "SELECT \(columns) FROM v_\(kind) ORDER BY id")
    #expect(all.count > 12)
    #expect(try all == QueriedRows.rows(of: query, "\(said) ORDER BY r.id"))
    let time = kind == "order" ? "placed_at" : "purchased_at"
    for text in [
      "2023", "2023-06", "2023-06-19", "2023-06-18T23:59:59Z", "2023-06-19T00", "2023-6", "2023-13",
      "2023-06-31", "1969", "1970-01-01", "", "x", "9999", "9999-12-31T23:59:59Z", "0000",
    ] {
      for sign in ["<", "<=", ">", ">=", "="] {
        let asked = "\(time) \(sign) '\(text)'"
        let found = try QueriedRows.rows(of: query, "SELECT id FROM v_\(kind) WHERE \(asked)")
        #expect(
          try found == QueriedRows.rows(of: query, "SELECT id FROM (\(said)) WHERE \(asked)"),
          "\(asked)")
      }
    }
  }

  /// Files are left out that later ones supersede; what views have of rows is in no `SELECT *`.
  @Test func rowsKnowWhetherTheirFileIsCurrent() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let june19 = Day("2023-06-19")!
    try ledger.load("old.txt", [SalesFact(day: june19), SalesFact(day: june19)])
    try ledger.load("new.txt", [SalesFact(units: -1, price: -990_000, day: june19)])
    let query = try LedgerQuery(path: scratch.ledger)
    for (asked, found) in [
      ("= 1", "3"), ("= 0", "1 2"), ("= 2", ""), ("= '1'", ""), ("= 1.0", "3"), ("= NULL", ""),
      ("<> 1", "1 2"), ("= 1 AND is_current = 0", ""), ("IN (0, 1)", "1 2 3"),
    ] {
      let rows = try QueriedRows.rows(
        of: query, "SELECT id FROM sales_row WHERE is_current \(asked) ORDER BY id")
      #expect(rows.joined(separator: " ") == found, "is_current \(asked)")
    }
    try query.run(
      "SELECT * FROM sales_row", columns: { #expect(!$0.contains("is_current")) }, row: { _ in })
  }

  /// Goal: each view has the columns that the guide describes, and no others.
  @Test func viewsHaveTheColumnsThatAreDescribed() throws {
    let scratch = try TemporaryFolder()
    _ = try Ledger(path: scratch.ledger, mode: .readWrite)
    let query = try LedgerQuery(path: scratch.ledger)
    for view in LedgerView.all {
      var names: [String] = []
      try query.run("SELECT * FROM \(view.name)", columns: { names = $0 }, row: { _ in })
      #expect(names == view.columns.map(\.name))
      #expect(Set(names).count == names.count)
    }
  }

  private static let reportColumns = """
    source, file_status, begin, storefront, sku, type, units, customer_price, customer_currency,
    proceeds
    """

  private func dump(_ ledger: Ledger) throws -> String {
    let views = [
      ("v_file", "kind, file, status, vendor, begin, \"end\", superseded_by, rows, rejected", 9),
      (
        "v_order",
        """
        source, order_id, status, sku, quantity, unit_price, currency, storefront, user_id,
        transaction_id, app_account_token, placed_at, paid_at, fulfilled_at, channel, coins
        """, 16
      ),
      (
        "v_transaction",
        """
        source, transaction_id, original_transaction_id, web_order_line_item_id, order_id, sku,
        kind, unit_price, purchased_at, revoked_at, revocation_reason
        """, 11
      ),
      ("v_report_row", Self.reportColumns, 10), ("v_report_row_all", Self.reportColumns, 10),
      ("v_reject", "source, topic, message, help, raw_text", 5),
    ]
    let query = try LedgerQuery(path: ledger.path)
    var lines: [String] = []
    for (view, columns, _) in views {
      lines.append(view)
      lines += try QueriedRows.rows(of: query, "SELECT \(columns) FROM \(view) ORDER BY 1, 2")
        .map { $0.replacing("null", with: "") }
    }
    return lines.joined(separator: "\n")
  }
}
