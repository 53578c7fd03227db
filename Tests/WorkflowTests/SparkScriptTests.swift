import Foundation
import Support
import Testing

/// Goal: the script speaks of the company's own tables, and what it cannot do is refused. Method:
/// the program itself over small ledgers; what the script does is held by `Tests/spark.sh`.
@Suite struct SparkScriptTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "products.csv", "sku,kind\ngems.60,consumable\nvip's,auto_renewable\n")
    #expect(try CommandLineRun("import", "products.csv", in: folder).status == 0)
  }

  private func script() throws -> String {
    try String(contentsOfFile: folder.path + "/level1.sql", encoding: .utf8)
  }

  @Test func `tables and columns have the company's names`() throws {
    try folder.write(
      "tieout.toml",
      """
      [import.orders]
      columns = { order_id = "Order No" }
      constants = { currency = "CNY" }
      """)
    let run = try CommandLineRun(
      [
        "spark", "2023-06", "--out", "level1.sql", "--orders", "shop.orders", "--lacking",
        "orders.device", "--into", "/data/it's",
      ], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("next: spark-sql -f level1.sql, then tieout import /data/it's"))
    let text = try script()
    for part in [
      "CAST(`Order No` AS STRING)), '') AS order_id", "CAST('CNY' AS STRING)), '') AS currency",
      "CAST(CAST(NULL AS STRING) AS STRING)), '') AS device", "FROM shop.orders;",
      "FROM transactions;", "NOT IN ('vip\\'s')", "'/data/it\\'s/unit_counts'",
      // The period with the days around it that may be of it.
      "BETWEEN 1685318400 AND 1688428800",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/level1.ids.csv"))
  }

  /// A mark that forms one character with a quotation mark hides none.
  @Test func `no id ends its literal`() throws {
    try folder.write("more.csv", "sku,kind\na\u{600}' OR 1=1 --,auto_renewable\n")
    #expect(try CommandLineRun("import", "more.csv", in: folder).status == 0)
    #expect(
      try CommandLineRun("spark", "2023-06", "--out", "level1.sql", in: folder).status == 0)
    let text = try script()
    #expect(text.unicodeScalars.split(separator: "\u{600}").count > 1)
    for part in text.unicodeScalars.split(separator: "\u{600}").dropFirst() {
      #expect(part.first == "\\")
    }
    #expect(text.contains("SET spark.sql.variable.substitute = false;"))
  }

  @Test func `ids of Apple's messages stand beside the script`() throws {
    try folder.write(
      "receipts.jsonl",
      """
      {"order_id":"O1","response":{"status":0,"environment":"Production","receipt":\
      {"bundle_id":"com.example.app","in_app":[{"quantity":"1","product_id":"gems.60",\
      "transaction_id":"1000000001","original_transaction_id":"1000000001",\
      "purchase_date_ms":"1686000000000"}]}}}
      """)
    #expect(try CommandLineRun("import", "receipts.jsonl", in: folder).status == 0)
    let run = try CommandLineRun(
      "spark", "2023-06", "--out", "level1.sql", "--format", "json", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("\"ids\": \"level1.ids.csv\""), "\(run.output)")
    let ids = try String(contentsOfFile: folder.path + "/level1.ids.csv", encoding: .utf8)
    #expect(ids == "transaction_id,order_id\n1000000001,\n,O1\n")
    #expect(try script().contains("/level1.ids.csv', header 'true')"))
  }

  @Test(arguments: [
    ("[import.orders]\nwords.status = { paid = [\"DONE\"] }\ncolumns = { sku = \"s\" }\n", [], 2),
    ("require_signed = true\n", [], 2), ("", ["--lacking", "orders.colour"], 2),
    ("", ["--lacking", "device"], 64),
  ])
  func `what a script cannot do is refused`(
    configuration: String, options: [String], status: Int32
  ) throws {
    try folder.write("tieout.toml", configuration)
    let run = try CommandLineRun(
      ["spark", "2023-06", "--out", "level1.sql"] + options, in: folder)
    #expect(run.status == status && run.output.isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/level1.sql"))
  }

  /// Counts of a day's purchases, and none that stand beside them as rows.
  private func counts(_ count: Int) -> String {
    let order = "gems.60,fulfilled,1,6.00,CNY,CN"
    let transaction = "gems.60,consumable,1,6.00,CNY,CN"
    let terms = "order_sku,order_status,order_quantity,order_unit_price,order_currency,"
    return """
      counted_period,counted,at,count,seconds,\(terms)order_storefront,transaction_sku,\
      transaction_kind,transaction_quantity,transaction_unit_price,transaction_currency,\
      transaction_storefront
      2023-06,sold,1686571200,\(count),,\(order),\(transaction)
      2023-06,placed,1686571200,\(count),,,,,,,,,,,,,
      2023-06,bought,1686571260,\(count),,,,,,,,,,,,,
      2023-06,fulfilled,1686571200,\(count),30,,,,,,,,,,,,

      """
  }

  @Test func `counts replace each other, are verified, and come back`() throws {
    try folder.write("first.csv", counts(12))
    try folder.write("second.csv", counts(13))
    func run(_ arguments: String...) throws -> CommandLineRun {
      try CommandLineRun(arguments, in: folder)
    }
    #expect(try run("import", "first.csv").output.contains("12  purchases counted"))
    #expect(try run("import", "second.csv").output.contains("supersedes first.csv"))
    func sold() throws -> String {
      let flow = try run("export", "flow", "--period", "2023-06").output
      return String(flow.split(separator: "\n").last ?? "")
    }
    let replaced = try sold()
    #expect(replaced.hasPrefix("2023-06-12,13,13,13,13,13,0,"), "\(replaced)")
    let verified = try run("verify")
    #expect(verified.status == 0 && verified.output.contains("the ledger is sound"))
    #expect(!verified.output.contains("differently"), "\(verified.output)")
    #expect(try run("forget", "second.csv").status == 0)
    let restored = try sold()
    #expect(restored.hasPrefix("2023-06-12,12,12,12,12,12,0,"), "\(restored)")
    let unknown = try run("explain", "O1234567")
    #expect(unknown.status == 2 && unknown.errors.contains("2023-06 were counted by Spark"))
    // Another period has nothing of them.
    let july = try run("reconcile", "2023-06-01..2023-06-20", "--format", "json")
    #expect(july.output.contains("\"matched_units\": 0"), "\(july.output)")
    #expect(!july.output.contains("2023-06-12\", \"orders\""), "\(july.output)")
  }

  /// Of what two turns handed over counts the later one's, also where a refund of an earlier
  /// purchase is found by its day.
  @Test func `what a later turn handed over replaces the earlier`() throws {
    func run(_ arguments: String...) throws -> CommandLineRun {
      try CommandLineRun(arguments, in: folder)
    }
    let refunds = ["2023-06-12T08:00:00Z", ""]
    for (turn, refund) in refunds.enumerated() {
      try folder.write("counts-\(turn).csv", counts(12 + turn))
      try folder.write(
        "orders-\(turn).csv",
        """
        order_id,sku,status,placed_at,counted_period
        O\(turn),gems.60,paid,2023-06-12T00:00:00Z,2023-06

        """)
      try folder.write(
        "transactions-\(turn).csv",
        """
        transaction_id,sku,purchased_at,revoked_at,storefront,counted_period
        1\(turn),gems.60,2023-05-12T08:00:00Z,\(refund),CN,2023-06

        """)
      for file in ["counts", "orders", "transactions"] {
        let imported = try run("import", "\(file)-\(turn).csv")
        #expect(imported.status == 0, "\(imported.errors)")
      }
      let told = try run("reconcile", "2023-06", "--format", "json").output
      #expect(told.contains("\"refunds\": 1") == (turn == 0), "\(told)")
    }
    let orders = try run("export", "orders", "--period", "2023-06").output.split(separator: "\n")
    #expect(orders.count == 2 && orders.last?.contains("O1") == true, "\(orders)")
  }

  /// What May's script handed over tells of a refund in June too, where June has its plain rows.
  @Test func `a refund counts in its month, whichever month its row was handed over with`() throws {
    try folder.write(
      "may.csv",
      """
      transaction_id,sku,purchased_at,revoked_at,storefront,counted_period
      1,gems.60,2023-05-12T08:00:00Z,2023-06-12T08:00:00Z,CN,2023-05

      """)
    try folder.write(
      "june.csv",
      """
      transaction_id,sku,purchased_at,storefront
      2,gems.60,2023-06-11T08:00:00Z,CN

      """)
    #expect(try CommandLineRun("import", "may.csv", "june.csv", in: folder).status == 0)
    let refunds = try CommandLineRun("export", "refunds", "--period", "2023-06", in: folder)
    let lines = refunds.output.split(separator: "\n")
    #expect(lines.count == 2 && lines.last?.hasPrefix("1,") == true, "\(refunds.output)")
  }

  @Test func `offers are told by either column, kinds by the catalogue`() throws {
    #expect(
      try CommandLineRun("spark", "2023-06", "--out", "level1.sql", in: folder).status == 0)
    let text = try script()
    for part in [
      "coalesce(lower(t.is_trial) IN ('true', '1', 'yes'), false)",
      "coalesce(lower(t.is_intro) IN ('true', '1', 'yes'), false)",
      "lower(t.kind) <> 'consumable' OR t.kind IS NULL AND t.sku IN ('vip\\'s'))",
    ] {
      #expect(text.contains(part), "\(part)")
    }
  }
}
