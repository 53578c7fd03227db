import Foundation
import Support
import Testing

/// Goal: without a command the program says what to do next, whatever the folder holds, and
/// `doctor` says what is not there. Method: folders in each state.
@Suite struct NextStepsTests {
  private func told(_ arguments: String..., in folder: TemporaryFolder) throws -> String {
    let run = try CommandLineRun(arguments, in: folder)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.split(separator: "\n").count <= 10, "\(run.output)")
    return run.output
  }

  @Test func `an empty folder needs files, one with files an import`() throws {
    let folder = try TemporaryFolder()
    #expect(try told(in: folder).contains("tieout template orders"))
    try folder.write("in/orders.csv", Inputs.orders(0..<3))
    #expect(try told(in: folder).contains("tieout import --dry-run ."))
    #expect(try told("--lang", "zh", in: folder).contains("可能要导入的文件：1 个"))
  }

  @Test func `a file that was refused is named, a month that is loaded is to be reconciled`() throws
  {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    try folder.write("bad.csv", Inputs.orderHeader + "O1,a,paid,1685577600,\"1,54\",CNY,CN\n")
    try folder.write(Inputs.salesName(day: 1), Inputs.sales(day: 1, units: 7))
    _ = try CommandLineRun("import", ".", "--quiet", in: folder)
    let text = try told("--as-of", "2023-06-02", in: folder)
    #expect(text.contains("tieout import bad.csv"), "\(text)")
    #expect(text.contains("tieout reconcile 2023-06"), "\(text)")
    _ = try CommandLineRun("reconcile", "2023-06", "--as-of", "2023-06-02", in: folder)
    let later = try told("--as-of", "2023-06-02", in: folder)
    #expect(later.contains("2023-06 has errors to clear: "), "\(later)")
  }

  @Test func `what cannot be read is no failure`() throws {
    let folder = try TemporaryFolder()
    try folder.write("tieout.sqlite", String(repeating: "no ledger at all. ", count: 500))
    #expect(try told(in: folder).contains("tieout.sqlite"))
  }

  @Test func `doctor names keys and tables that are not there`() throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Inputs.orders(0..<3))
    try folder.write("tieout.toml", "business_zone = \"Asia/Shanghai\"\n")
    _ = try folder.importing("orders.csv")
    let run = try CommandLineRun("doctor", in: folder)
    #expect(run.status == 0)
    #expect(!run.output.contains("business_zone") && run.output.contains("small_business"))
    // Below what it says of all of them.
    #expect(run.output.contains("Not set in ./tieout.toml:") && !run.output.contains("; set "))
    #expect(!run.output.contains("  orders (") && run.output.contains("  transactions ("))
    let json = try CommandLineRun("doctor", "--format", "json", in: folder)
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect((object?["missing"] as? [Any])?.isEmpty == false)
  }

  private static let bought = """
    "transactionId":"9","originalTransactionId":"9","bundleId":"com.x","productId":"gems.60",\
    "purchaseDate":1685620800000,"quantity":1,"type":"Consumable","storefront":"CHN",\
    "environment":"Production","signedDate":1685620900000
    """
  private static let purchases = [
    (
      """
      {"notificationType":"ONE_TIME_CHARGE","notificationUUID":"N1","signedDate":1685620900000,\
      "data":{"bundleId":"com.x","environment":"Production",\
      "signedTransactionInfo":{\(bought)}}}

      """, ["orders"]
    ),
    (
      """
      {"revision":"r","hasMore":false,"bundleId":"com.x","environment":"Production",\
      "signedTransactions":[{\(bought)}]}

      """, ["orders"]
    ),
    (
      """
      {"status":0,"environment":"Production","receipt":{"receipt_type":"Production",\
      "bundle_id":"com.x","in_app":[{"quantity":"1","product_id":"gems.60",\
      "transaction_id":"9","original_transaction_id":"9","purchase_date_ms":"1685620800000",\
      "is_trial_period":"false"}]}}

      """, ["orders", "notifications"]
    ),
  ]

  /// What notifications, histories and receipts tell of purchases needs no table beside it.
  @Test(arguments: purchases) func `doctor asks for no table of what Apple's own words tell`(
    file: String, missing: [String]
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("apple.jsonl", file)
    let loaded = try CommandLineRun("import", "apple.jsonl", in: folder)
    #expect(loaded.status == 0, "\(loaded.errors)")
    let text = try CommandLineRun("doctor", in: folder).output
    for kind in ["transactions", "orders", "notifications"] {
      #expect(text.contains("  \(kind) (") == missing.contains(kind), "\(kind): \(text)")
    }
  }

  /// Which checks of coins are off, and for lack of what; nothing where nobody sells coins.
  @Test func `doctor and status say what lacks for coins`() throws {
    let folder = try TemporaryFolder()
    func gaps() throws -> [String] {
      let run = try CommandLineRun("doctor", "--format", "json", in: folder)
      let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      let missing = (object as? [String: Any])?["missing"] as? [[String: Any]] ?? []
      return missing.compactMap { $0["kind"] as? String }.filter { $0.contains("coin") }
    }
    func status(_ arguments: String...) throws -> String {
      try CommandLineRun(["status", "--as-of", "2023-07-01"] + arguments, in: folder).output
    }
    func add(_ name: String, _ text: String) throws {
      try folder.write(name, text)
      let run = try CommandLineRun("import", name, in: folder)
      #expect(run.status == 0, "\(run.errors)")
    }
    try add(
      "orders.csv",
      "order_id,sku,status,placed_at,unit_price,currency,storefront\n"
        + "O1,gems.60,fulfilled,2023-06-08T12:00:00Z,6.00,CNY,CN\n")
    #expect(try gaps() == [] && !status().contains("coins"))
    #expect(try !status("--format", "json").contains("coin"))
    try add("products.csv", "sku,kind,coins\ngems.60,consumable,60\n")
    #expect(try gaps() == ["coin_movements"])
    let header = "date,movement,coins\n"
    try add("a.csv", header + "2023-06-01,granted,60\n2023-06-03,spent,5\n")
    #expect(
      try gaps() == ["coin_movements.paid", "coin_movements.user_id", "coin_balances"])
    try add("b.csv", header + "2023-06-06,granted,60\n")
    #expect(
      try status().contains(
        "movements of coins: no file covers 4 days "
          + "(2023-06-04..2023-06-05, 2023-06-07..2023-06-08);"))
    #expect(try status("--format", "json").contains("\"missing_coin_days\""))
    #expect(try !status("2023-07").contains("no file covers"))
    try add(
      "c.csv",
      "date,movement,coins,user_id,paid\n2023-06-04T12:00:00Z,granted,1,u1,free\n"
        + "2023-06-08T12:00:00Z,granted,1,u1,paid\n")
    try add("left.csv", "date,paid,free\n2023-06-30,1,116\n")
    #expect(try gaps() == [] && !status().contains("no file covers"))
  }
}
