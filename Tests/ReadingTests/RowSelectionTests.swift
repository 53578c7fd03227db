import Billing
import Testing

@testable import Reading

/// Rows that are none of the table's, values that stand for nothing, and files that are no tables:
/// each is told with the line that helps.
@Suite struct RowSelectionTests {
  private func rows(
    _ text: String, _ kind: InputKind = .transactions, _ change: (inout TableMapping) -> Void
  ) throws -> Outcome {
    var mapping = TableMapping(kind, name: "[import.\(kind.rawValue)]")
    change(&mapping)
    return try read(text, hints: ReadingHints(mappings: [mapping]))
  }

  private static let stores = """
    store,store_transaction_id,product_identifier,start_time
    app_store,7001,a,2023-06-12T02:00:00Z
    play_store,GPA.3300-1,a,2023-06-12T02:00:00Z
    stripe,in_1,a,2023-06-12T02:00:00Z

    """
  private static let columns = [
    "transaction_id": "store_transaction_id", "sku": "product_identifier",
    "purchased_at": "start_time",
  ]

  @Test func `rows of other stores are left out, by the file's names or the table's`() throws {
    let rules: [(kept: [String: [String]], skipped: [String: [String]])] = [
      (["store": ["app_store"]], [:]), ([:], ["store": ["play_store", "stripe"]]),
      ([:], ["transaction_id": ["GPA.*", "in_*"]]),
      (["store": ["app*"]], ["store_transaction_id": ["GPA.*"]]),
    ]
    for (kept, skipped) in rules {
      let outcome = try rows(Self.stores) {
        ($0.columns, $0.kept, $0.skipped) = (Self.columns, kept, skipped)
      }
      #expect(outcome.transactions.map { $0.text($0.row.transactionID) } == ["7001"])
      #expect(outcome.tallies == ["rows left out by where or skip 2"])
      #expect(outcome.reading.footers == 2)
    }
  }

  @Test func `a column of a rule that the file lacks is named`() throws {
    let error = #expect(throws: Diagnostic.self) {
      try rows(Self.stores) {
        ($0.columns, $0.kept, $0.files) = (Self.columns, ["shop": ["a"]], ["file.txt"])
      }
    }
    #expect(error?.message.english.contains("\"shop\"") == true)
  }

  @Test func `objects are left out by keys that are no columns`() throws {
    let text = """
      {"store":"app_store","transaction_id":"7001","sku":"a","purchased_at":1686535200}
      {"store":"mac_app_store","transaction_id":"7002","sku":"a","purchased_at":1686535200}
      """
    let outcome = try rows(text) { $0.kept = ["store": ["app_store"]] }
    #expect(outcome.transactions.map { $0.text($0.row.transactionID) } == ["7001"])
  }

  @Test func `ids of Google's are refused with the line that leaves them out`() throws {
    let outcome = try rows(Self.stores.replacing("stripe,in_1", with: "app_store,7002")) {
      $0.columns = Self.columns
    }
    #expect(outcome.reading.rejected == 1)
    #expect(
      outcome.reading.diagnostics.map(\.setting) == [
        "import.transactions.skip = { transaction_id = [\"GPA.*\"] }"
      ])
    let mixed = try rows(Self.stores.replacing("GPA.3300-1", with: "7003")) {
      $0.columns = Self.columns
    }
    #expect(mixed.reading.warnings.contains { $0.topic == "id" })
  }

  @Test(arguments: [
    "1970-01-01 08:00:00+08", "1970-01-01T00:00:00Z", "0000-00-00 00:00:00", "0001-01-01",
    "9999-12-31 23:59:59", "0", "1900-01-01T00:00:00",
  ])
  func `a date that stands for none is blank where none is needed`(zero: String) throws {
    let text = """
      transaction_id,sku,purchased_at,revoked_at
      7001,a,2023-06-12T02:00:00Z,\(zero)
      7002,a,2023-06-12T02:00:00Z,2023-06-13T02:00:00Z

      """
    for zone in [nil, Zone.utc] {
      let outcome = try rows(text) { $0.zone = zone }
      #expect(outcome.transactions.map { $0.row.revokedAt != nil } == [false, true])
      #expect(outcome.tallies == ["times read as blank (\(zero) stands for none) 1"])
      let swapped = try rows(
        text.replacing("purchased_at,revoked_at", with: "revoked_at,purchased_at")
      ) { $0.zone = zone }
      #expect(swapped.reading.rejected == 1)
      #expect(
        swapped.reading.diagnostics.first?.message.english
          == "purchased_at is blank: \"\(zero)\" stands for no time")
      #expect(
        swapped.reading.diagnostics.first?.setting?
          .hasPrefix("import.transactions.skip = { purchased_at = [") == true)
    }
  }

  @Test func `environments of which no row counts are refused with counts and a line`() throws {
    let text =
      "transaction_id,sku,purchased_at,environment\n"
      + (1...3).map { "700\($0),a,1687163400,\($0 == 1 ? 1 : 2)\n" }.joined()
    let error = #expect(throws: Diagnostic.self) { try read(text) }
    #expect(
      error?.message.english
        == "no row counts as sold (3 in all): unknown environment \"2\" (2), \"1\" (1)"
    )
    #expect(error?.setting?.hasPrefix("import.transactions.words.environment = {") == true)
    let mapped = try rows(text) {
      $0.words = ["environment": ["Production": ["2"], "Sandbox": ["1"]]]
    }
    #expect(mapped.transactions.map(\.terms.environment) == [.sandbox, .production, .production])
  }

  @Test func `orders of other channels are counted, and Apple's own names told`() throws {
    func text(_ channels: String...) -> String {
      "order_id,sku,status,placed_at,channel\n"
        + channels.enumerated().map { "\($0),a,paid,2023-06-12T02:00:00Z,\($1)\n" }.joined()
    }
    let named = try read(text("apple", "wechat", "wechat"))
    #expect(named.tallies == ["orders of other channels, not compared with Apple: wechat (2) 2"])
    #expect(named.reading.warnings.isEmpty)
    let own = try read(text("", "apple_iap", "web"))
    #expect(
      own.reading.warnings.map(\.message.english) == [
        "orders not compared with Apple: 2 of 3, by channel apple_iap (1), web (1)"
      ])
    #expect(
      own.reading.warnings.map(\.setting) == [
        "import.orders.words.channel = { apple = [\"apple_iap\"] }"
          + "  # \"apple_iap\" (1), \"web\" (1)"
      ])
    #expect(try read(text("web")).reading.warnings.count == 1)
    let most = try read(text("", "1", "1")).reading.warnings
    #expect(most.map(\.comesFirst) == [true])
  }

  @Test func `a float's print is the number that it was`() throws {
    let texts = [
      ("3787.9999999999999999", "3788"), ("0.10000000000000001", "0.1"),
      ("19.989999999999998", "19.99"), ("99.999999999999986", "100"), ("0.1234567", nil),
      ("12.3456789012345678", nil),
    ]
    for (text, price) in texts {
      let outcome = try read(
        "order_id,sku,status,placed_at,unit_price\n1,a,paid,2023-06-12T02:00:00Z,\(text)\n")
      #expect(
        outcome.orders.first?.terms.unitPrice.map { decimalText(micros: $0) } == price, "\(text)")
    }
  }

  @Test(arguments: [
    ("-- MySQL dump 10.13\n\nINSERT INTO `orders` VALUES (1);\n", "SQL dump"),
    ("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n", "SQL dump"),
    (" id | sku | status\n----+-----+--------\n  1 | a   | paid\n", "terminal"),
    ("+----+-----+\n| id | sku |\n+----+-----+\n", "terminal"),
    ("1001\ta\tpaid\t2023-06-12 02:00:00\t600\n1002\ta\tpaid\t2023-06-12 02:00:00\t600\n", "names"),
  ])
  func `a dump says how to export the table`(text: String, word: String) throws {
    let error = #expect(throws: Diagnostic.self) { try read(text) }
    #expect(error?.message.english.contains(word) == true, "\(error?.message.english ?? "")")
    #expect(error?.help.english.contains("sqlite3 -header -csv") == true)
  }

  @Test func `a bank's table is proposed with all that it needs`() throws {
    func setting(_ text: String) throws -> String? {
      #expect(throws: Diagnostic.self) { try read(text) }?.setting
    }
    #expect(
      try setting("Date,Description,Money Out,Money In,Balance\n03 Aug 2023,APPLE,,\"1,2\",3\n")
        == """
        import.bank.columns = { amount = "Money In", reference = "Description" }
        import.bank.decimal = ","
        import.bank.skip = { "Money In" = ["", "-"] }
        import.bank.constants = { currency = "…" }
        """)
    #expect(
      try setting("账单,,,\n,,,\n交易时间,交易对方,收/支,金额(元)\n") == """
        import.bank = { skip_top = 2, decimal = ".", where = { "收/支" = ["收入"] }, signs = ["¥"], \
        constants = { currency = "CNY" }, columns = { date = "交易时间", amount = "金额(元)", \
        payer = "交易对方" } }
        """)
  }

  @Test func `who says what a file is hears what that lacks`() throws {
    let error = #expect(throws: Diagnostic.self) {
      var hints = ReadingHints()
      hints.kind = .orders
      return try read("id,product_id,state,create_at,transaction_id\n", hints: hints)
    }
    #expect(error?.setting?.hasPrefix("import.orders.columns = { order_id = \"id\"") == true)
    let blank = try read("order_id,sku,status,placed_at\n1,,paid,2023-06-12T02:00:00Z\n")
    #expect(
      blank.reading.diagnostics.map(\.setting) == ["import.orders.skip = { sku = [\"\"] }"])
  }

  @Test func `a bank's rows may end with a separator and have a time of day`() throws {
    var mapping = TableMapping(.bank, name: "[import.bank]")
    mapping.columns = ["date": "Day", "amount": "In", "reference": "Who"]
    mapping.constants = ["currency": "CNY"]
    mapping.decimal = "."
    mapping.skipped = ["In": ["", "-"]]
    let outcome = try read(
      "Day,Who,In\n2023-08-03 12:45:27,Apple,\"1,234.50  \",\n2023-08-04,x,-   ,\n",
      hints: ReadingHints(mappings: [mapping]))
    #expect(outcome.reading.rejected == 0)
    #expect(outcome.reading.rows == 1)
    #expect(outcome.reading.begin?.description == "2023-08-03")
    let sums = try read(
      "Day,Who,In\n2023-08-03,Apple,1\n合计,,1\n", hints: ReadingHints(mappings: [mapping]))
    #expect(
      sums.reading.diagnostics.map(\.setting)
        == ["import.bank.skip = { In = [\"\", \"-\"], date = [\"合计\"] }"])
  }

  @Test func `days by names of months`() {
    func day(_ text: String) -> String? {
      Array(text.utf8).withUnsafeBytes { namedDay($0)?.description }
    }
    for text in [
      "03 Aug 2023", "3-Aug-23", "Aug 3, 2023", "3. August 2023", "03 août 2023", "2023年8月3日",
      "20230803", "3 ago 2023",
    ] { #expect(day(text) == "2023-08-03", "\(text)") }
    for text in ["2023-08-03", "03/08/2023", "32 Aug 2023", "monday", "12345678901"] {
      #expect(day(text) == nil, "\(text)")
    }
  }
}
