import Billing
import GRDB
import Support
import Testing

@testable import Ledger

/// Somebody's SQL on the ledger reads and does nothing else.
struct QueryTests {
  let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func loaded() throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    try ledger.load(
      "orders.csv",
      [
        OrderFact(id: "O1", user: "ann", placed: 1_687_163_400),
        OrderFact(id: "O2", user: "4711", placed: 1_687_249_800),
        OrderFact(id: "O3", placed: 1_687_249_801),
      ])
  }

  private func failure(_ sql: String) throws -> QueryError? {
    do {
      _ = try scratch.rows(sql)
      return nil
    } catch let error as QueryError {
      return error
    }
  }

  @Test func `one statement that reads is run`() throws {
    try loaded()
    #expect(
      try scratch.rows("SELECT order_id, source FROM v_order; -- all\n ") == [
        "O1|orders.csv:2", "O2|orders.csv:3", "O3|orders.csv:4",
      ])
    #expect(try scratch.rows("WITH a AS (SELECT 1 AS b) SELECT b, b + 1 FROM a") == ["1|2"])
    #expect(try !scratch.rows("PRAGMA table_info(order_row)").isEmpty)
    #expect(try !scratch.rows("EXPLAIN QUERY PLAN SELECT * FROM v_order").isEmpty)
  }

  /// Goal: rows that come in the order of their terms are the rows that SQLite sorts. Method: the
  /// same statement, once with a plus before each column, which hides from SQLite that there is
  /// such an order.
  @Test(arguments: [
    ("storefront", "count(*), sum(quantity), min(order_id), max(source)", ""),
    ("sku, storefront", "count(*), sum(unit_price)", "WHERE placed_at >= '1970-01-01T00:00:20Z'"),
    (
      "currency", "count(*)",
      "WHERE source > 'b' AND order_id IN ('O3', 'O7', 'O9', 'O33', 'O60')"
    ),
    ("unit_price, sku", "count(*), min(user_id)", "WHERE coins IS NULL OR coins > 5"),
  ])
  func `rows in groups are those that are sorted`(
    columns: String, values: String, condition: String
  ) throws {
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    var random = SplitMix64(seed: 7)
    for file in ["a.csv", "b.csv", "c.csv"] {
      let orders = (0..<70).map { number in
        OrderFact(
          id: "O\(number)", user: "u\(random.next() % 9)", placed: Int64(random.next() % 90),
          terms: OrderTerms(
            sku: ["a", "b", "Ä", ""].randomElement(using: &random)!, status: .paid,
            quantity: Int32(1 + random.next() % 3),
            unitPrice: [nil, 990_000, 6_000_000, 10_000_000].randomElement(using: &random)!,
            currency: [nil, Currency("CNY"), Currency("EUR")].randomElement(using: &random)!,
            storefront: [nil, Storefront("CN"), Storefront("DE")].randomElement(using: &random)!,
            coins: [nil, 5, 60].randomElement(using: &random)!))
      }
      try ledger.load(file, orders)
    }
    let hidden = columns.split(separator: ", ").map { "+\($0)" }.joined(separator: ", ")
    func rows(_ key: String, _ end: String) throws -> [String] {
      try scratch.rows(
        "SELECT \(columns), \(values) FROM v_order \(condition) GROUP BY \(key) \(end)")
    }
    let sorted = try rows(hidden, "ORDER BY \(hidden)")
    #expect(try rows(columns, "ORDER BY \(columns)") == sorted && sorted.count > 1)
    let down = columns.split(separator: ", ").map { "\($0) DESC" }.joined(separator: ", ")
    #expect(try rows(columns, "ORDER BY \(down)") == sorted.reversed())
    func plain(_ order: String) throws -> [String] {
      try scratch.rows(
        "SELECT \(columns), order_id, source FROM v_order \(condition) ORDER BY \(order)")
    }
    #expect(try plain(columns).sorted() == plain(hidden).sorted())
    #expect(
      try scratch.rows("SELECT DISTINCT \(columns) FROM v_order \(condition)").sorted()
        == scratch.rows("SELECT DISTINCT \(hidden) FROM v_order \(condition)").sorted())
    let plan = try scratch.rows(
      "EXPLAIN QUERY PLAN SELECT \(columns), count(*) FROM v_order GROUP BY \(columns)")
    #expect(!plan.contains { $0.contains("B-TREE") }, "\(plan)")
  }

  /// What terms say is kept from one statement to the next, but not what was taken back.
  @Test func `terms that were taken back are not shown`() throws {
    try loaded()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let sql = "SELECT DISTINCT r.view_sku FROM order_row r"
    func skus() throws -> [String] { try ledger.read { try String.fetchAll($0, sql: sql) } }
    #expect(try skus() == ["gems.60"])
    for completion in [Database.TransactionCompletion.rollback, .commit] {
      try ledger.write { db in
        try db.execute(sql: "UPDATE order_terms SET sku = 'other'")
        #expect(try String.fetchAll(db, sql: sql) == ["other"])
        return completion
      }
      #expect(try skus() == [completion == .commit ? "other" : "gems.60"])
    }
  }

  @Test(arguments: [
    "DELETE FROM order_row", "UPDATE source SET file = 'x'", "DROP VIEW v_order",
    "CREATE TABLE x (y)", "CREATE TEMP TABLE x (y)", "PRAGMA user_version = 9",
    "PRAGMA journal_mode = WAL", "ATTACH 'other.sqlite' AS other", "BEGIN", "VACUUM",
    "INSERT INTO finding_remark DEFAULT VALUES", "REINDEX",
  ])
  func `what writes is refused`(sql: String) throws {
    try loaded()
    let before = scratch.ledgerBytes
    #expect(try failure(sql) == .writes)
    #expect(scratch.ledgerBytes == before)
    #expect(scratch.names == ["tieout.sqlite"])
  }

  @Test func `no statement, several and wrong ones are told apart`() throws {
    try loaded()
    #expect(try failure(" -- nothing\n") == .empty)
    #expect(try failure("SELECT 1; SELECT 2") == .several)
    #expect(try failure("SELECT 1; DELETE FROM order_row") == .writes)
    #expect(try failure("SELEC 1") == .refused("near \"SELEC\": syntax error"))
    #expect(try failure("SELECT * FROM v_orders") == .refused("no such table: v_orders"))
  }

  @Test(arguments: [
    ("SELECT user_id FROM v_order", ["<ann>", "<4711>", "null"]),
    (
      "SELECT user_id, count(*) FROM v_order GROUP BY 1 ORDER BY 1",
      ["null|1", "<4711>|1", "<ann>|1"]
    ),
    ("SELECT user_id FROM order_row", ["null", "null", "null"]),
    ("SELECT o.user_id FROM unmasked_v_order o", ["null", "null", "null"]),
    ("SELECT user_id FROM (SELECT * FROM order_row)", ["null", "null", "null"]),
    ("SELECT count(*) FROM order_row WHERE user_id = 'ann'", ["0"]),
    ("SELECT order_id FROM v_order WHERE user_id = '<ann>'", ["O1"]),
  ])
  func `users are masked`(sql: String, expected: [String]) throws {
    try loaded()
    #expect(try scratch.rows(sql, mask: { "<\($0)>" }) == expected)
  }
}
