import Billing
import Foundation
import Matching
import Support
import Testing
import Workflow

/// Goal: advice on a purchase names the customer, as the order's row has him, and nobody where
/// users are hidden. Method: small months of plain tables, as text, recorded, and explained.
@Suite struct AdviceNamesTests {
  private static let orders = """
    order_id,sku,status,placed_at,user_id,transaction_id
    A,gems.60,created,1686571100,ann-7,1
    B,gems.60,fulfilled,1686571100,bob-5,
    C,gems.300,paid,1686571100,cyd-3,3
    D,gems.300,paid,1686571200,dan-8,3

    """
  private static let transactions = """
    transaction_id,sku,purchased_at,user_id,environment
    1,gems.60,1686571200,,Production
    3,gems.300,1686571210,cyd-3,Production
    4,gems.900,1686571210,eve-9,Production
    5,gems.900,1686571210,,Production

    """

  private func month(_ body: (TemporaryFolder) throws -> Void) throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Self.orders)
    try folder.write("transactions.csv", Self.transactions)
    let run = try CommandLineRun("import", "orders.csv", "transactions.csv", in: folder)
    #expect(run.status == 0, "\(run.errors)")
    try body(folder)
  }

  @Test(arguments: [
    ("charged-not-fulfilled", "order A (user ann-7)"),
    ("order-without-transaction", "order B (user bob-5)"),
    ("transaction-without-order", "transaction 4 (user eve-9)"),
    ("transaction-without-order", "look up transaction 5 on Apple's server"),
    ("transaction-reused", "the orders named"),
  ]) func `advice names the customer`(_ code: String, _ name: String) throws {
    try month { folder in
      let run = try CommandLineRun(
        "reconcile", "2023-06", "--as-of", "2023-07-05", "--format", "json", in: folder)
      #expect(run.status == 0, "\(run.errors)")
      let lines = try recorded(in: folder).split(separator: "\n")
      for listed in [try findings(run.output), try lines.map { try object(String($0)) }] {
        let actions = listed.filter { $0["code"] as? String == code }
          .compactMap { $0["action"] as? String }
        #expect(actions.contains { $0.contains(name) }, "\(code) \(actions)")
      }
    }
  }

  private func object(_ json: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
  }

  private func findings(_ json: String) throws -> [[String: Any]] {
    try #require(object(json)["findings"] as? [[String: Any]])
  }

  private func recorded(in folder: TemporaryFolder) throws -> String {
    let run = try CommandLineRun(
      "export", "findings", "--period", "2023-06", "--as-of", "2023-07-05", "--format", "jsonl",
      in: folder)
    #expect(run.status == 0, "\(run.errors)")
    return run.output
  }

  @Test func `nobody is named where users are hidden`() throws {
    try month { folder in
      let plain = try CommandLineRun("reconcile", "2023-06", "--as-of", "2023-07-05", in: folder)
      #expect(plain.status == 0)
      try folder.write("tieout.toml", "mask_users = true\n")
      for call in [
        ["explain", "A"], ["explain", "A", "--format", "json"], ["explain", "B"],
        ["explain", "4"],
        ["reconcile", "2023-06", "--as-of", "2023-07-05", "--format", "json"],
        [
          "export", "findings", "--period", "2023-06", "--as-of", "2023-07-05", "--format", "jsonl",
        ],
        ["sql", "SELECT * FROM finding_user"], ["explain", "A"],
      ] {
        let run = try CommandLineRun(call, in: folder)
        #expect(run.status == 0, "\(run.errors)")
        for user in ["ann-7", "bob-5", "cyd-3", "dan-8", "eve-9"] {
          #expect(!run.output.contains(user), "\(call): \(run.output)")
        }
        if call[0] != "sql" { #expect(run.output.contains("user-"), "\(call): \(run.output)") }
      }
    }
  }

  @Test(arguments: [
    ("1686580000", "deliver nothing", "warning"), ("", "look up transaction 9 (user fay)", "error"),
  ])
  func `who has the money back gets no goods`(
    _ revokedAt: String, _ words: String, _ severity: String
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Self.orders)
    try folder.write(
      "transactions.csv",
      "transaction_id,sku,purchased_at,user_id,revoked_at\n9,x,1686571200,fay,\(revokedAt)\n")
    #expect(try CommandLineRun("import", ".", in: folder).status == 0)
    let run = try CommandLineRun(
      "reconcile", "2023-06", "--as-of", "2023-07-05", "--format", "json", in: folder)
    let told = try #require(
      findings(run.output).first { $0["code"] as? String == "transaction-without-order" })
    let action = try #require(told["action"] as? String)
    #expect(action.contains(words) && action.contains("transaction 9 (user fay)"), "\(action)")
    #expect(told["severity"] as? String == severity)
  }

  /// Renewals need no order: that is said where nothing tells what a transaction sold.
  @Test(arguments: [nil, "products.csv"] as [String?])
  func `renewals that look like purchases are said`(_ catalogue: String?) throws {
    let folder = try TemporaryFolder()
    try folder.write("orders.csv", Self.orders)
    let rows = (10..<30).map { "\($0),vip,\(1_686_571_200 + 600 * $0),10,Production\n" }
    try folder.write(
      "transactions.csv",
      "transaction_id,sku,purchased_at,original_transaction_id,environment\n" + rows.joined())
    if let catalogue {
      try folder.write(catalogue, "sku,kind\nvip,auto_renewable\ngems.60,consumable\n")
    }
    #expect(try CommandLineRun("import", ".", in: folder).status == 0)
    let run = try CommandLineRun("reconcile", "2023-06", "--as-of", "2023-07-05", in: folder)
    let missing = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      missing.contains("renewals cannot be told from purchases") == (catalogue == nil),
      "\(run.output)")
    #expect(missing.contains("add the column kind to transactions") == (catalogue == nil))
  }

  @Test func `without orders nobody is told to deliver`() throws {
    let folder = try TemporaryFolder()
    let rows = (0..<30).map { "\($0 + 1),gems.60,\(1_686_571_200 + 600 * $0),Production\n" }
    try folder.write(
      "transactions.csv", "transaction_id,sku,purchased_at,environment\n" + rows.joined())
    #expect(try CommandLineRun("import", ".", in: folder).status == 0)
    let run = try CommandLineRun(
      "reconcile", "2023-06", "--as-of", "2023-07-05", "--format", "json", in: folder)
    #expect(!run.output.contains("\"transaction-without-order\""), "\(run.output)")
    #expect(run.output.contains("no orders loaded: 30 purchases"))
    // What is of no place ends with what it is.
    let told = try #require(
      findings(run.output).first { $0["code"] as? String == "inputs-insufficient" })
    let id = try #require(told["id"] as? String)
    let head = try CommandLineRun("explain", id, in: folder).output.prefix { $0 != "\n" }
    #expect(head == "finding \(id) of 2023-06: inputs-insufficient (error)")
  }
}
