import Billing
import Foundation
import Support
import Testing
import Workflow

/// What leaves the ledger for other programs.
@Suite struct ExportTests {
  private let company: Company

  init() throws {
    company = try Company()
    try company.importJune()
    try company.folder.write(
      "users.csv",
      "order_id,sku,status,placed_at,user_id,storefront,unit_price,currency\n"
        + "U1,gems.60,paid,2023-06-30T23:59:59Z,ann,US,0.99,USD\n"
        + "U2,gems.60,paid,2023-07-01T00:00:00Z,ann,CN,,\n")
    _ = try company.folder.importing("users.csv")
  }

  private func run(_ arguments: String) throws -> CommandLineRun {
    try CommandLineRun(in: company.folder, through: arguments + " --as-of 2023-09-01")
  }

  @Test func `plain tables have what the views show`() throws {
    #expect(try run("export --to plain.sqlite").status == 0)
    for view in ["v_order", "v_transaction", "v_file", "v_report_row", "v_product"] {
      let query = "SELECT * FROM \(view) ORDER BY 1, 2, 3"
      let plain = try run(
        "--version > /dev/null; sqlite3 -csv -header plain.sqlite '\(query)' | tr -d '\\r'; :")
      let shown = try run("sql '\(query)' --format csv")
      // The two quote differently.
      let (said, expected) = (plain.output.replacing("\"", with: ""), shown.output)
      #expect(
        plain.status == 0 && said == expected.replacing("\"", with: ""), "\(view) \(plain.errors)")
    }
    // It is the ledger's own work, byte for byte.
    #expect(try run("export --to plain.sqlite").status == 0)
    #expect(try run("export").status == 64 && run("export orders --to x.sqlite").status == 64)
  }

  @Test func `orders come with file and line, by period, day and storefront`() throws {
    let all = try run("export orders")
    #expect(all.status == 0 && all.output.split(separator: "\n").count == 8)
    let june = try run("export orders --period 2023-06 --since 2023-06-30")
    #expect(
      june.output == """
        order_id,status,sku,quantity,unit_price,currency,storefront,user_id,transaction_id,\
        app_account_token,placed_at,paid_at,fulfilled_at,bundle_id,channel,coins,app_version,\
        device,coin,file,line
        U1,paid,gems.60,1,0.99,USD,US,ann,,,2023-06-30T23:59:59Z,,,,,,,,,\
        \(company.folder.path)/users.csv,2

        """)
    #expect(try run("export orders --storefront US").output == june.output)
    let none = try run("export orders --period 2023-06 --since 2023-07-01")
    #expect(none.status == 0 && none.output.split(separator: "\n").count == 1)
    let lines = try run("export transactions --period 2023-07 --format jsonl").output
    #expect(lines.split(separator: "\n").count == 2)
    #expect(lines.hasPrefix("{\"transaction_id\":\"7700\",\"original_transaction_id\":null,"))
  }

  @Test func `findings and journal are reconciled anew`() throws {
    let findings = try run("export findings --period 2023-06 --code not-in-report")
    #expect(findings.output.split(separator: "\n").count == 2)
    #expect(findings.output.contains(",not-in-report,error,2,CN,CNY,2023-06-05,gems.60,1,-6.00,"))
    let journal = try run("export journal --period 2023-06 --out journal.csv")
    #expect(journal.status == 0 && journal.output.isEmpty)
    let text = try String(
      contentsOfFile: company.folder.path + "/journal.csv", encoding: .utf8)
    #expect(
      text.hasPrefix(
        "date,entry,account,currency,amount,base_amount,rate,narration,rate_day\n2023-06-30,"))
    #expect(!FileManager.default.fileExists(atPath: company.folder.path + "/journal.csv.partial"))
    #expect(try run("export proceeds --period 2023-06 --format jsonl").status == 0)
  }

  @Test(arguments: [
    ("export findings", "--period"), ("export order", "orders?"),
    ("export orders --code timing", "--code"), ("export orders --format json", "csv, jsonl"),
    ("export findings --period 2023-06 --code timng", "did you mean timing?"),
    ("export proceeds --period 2023-06 --since 2023-06-02", "--since"),
    ("sql --views \"SELECT 1\"", "not both"), ("status --format jsonl", "support --format jsonl"),
  ])
  func `wrong usage is told`(arguments: String, named: String) throws {
    let wrong = try run(arguments)
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains(named), "\(wrong.errors)")
  }

  /// What reconcile records is what an export has, column by column.
  @Test func `patterns and flow are in SQL as they are exported`() throws {
    #expect(try run("reconcile --period 2023-06").errors.isEmpty)
    for (kind, view) in [("patterns", "v_pattern"), ("flow", "v_flow")] {
      let exported = try run("export \(kind) --period 2023-06").output.split(separator: "\n")
      let asked = try run("sql --format csv \"SELECT * FROM \(view)\"").output
        .split(separator: "\n")
      #expect(asked[0] == "period,\(exported[0]),as_of")
      #expect(asked.count == exported.count)
      guard kind == "flow" else { continue }
      #expect(exported.count > 1)
      for (row, line) in zip(asked, exported).dropFirst() {
        let cells = row.split(separator: ",", omittingEmptySubsequences: false)
        let same = line.split(separator: ",", omittingEmptySubsequences: false)
        #expect(cells.first == "2023-06" && cells.last == "2023-09-01")
        for (cell, other) in zip(cells.dropFirst(), same) where cell != other {
          // A part of a whole is a number in SQL.
          #expect(Double(cell) != nil && Double(cell) == Double(other), "\(row): \(line)")
        }
      }
    }
    let later = try run("export flow --period 2023-06 --since 2023-06-06 --format jsonl").output
    #expect(!later.contains("2023-06-05"))
  }

  @Test func `refunds and subscriptions are exported one by one`() throws {
    let subscriptions = try run("export subscriptions --period 2023-06").output
    let chains = subscriptions.split(separator: "\n")
    #expect(chains[0].hasPrefix("original_transaction_id,sku,state,storefront,currency,"))
    let refunds = try run("export refunds --period 2023-06 --format jsonl").output
    for line in refunds.split(separator: "\n") {
      #expect(line.hasPrefix("{\"transaction_id\":\"") && line.contains("\"what\":\""))
    }
    let sample = checkout + "samples/2023-06"
    let place = "--ledger sample.sqlite --config '\(sample)/tieout.toml'"
    func whole(_ arguments: String) throws -> CommandLineRun {
      try CommandLineRun(in: company.folder, through: "\(arguments) \(place)")
    }
    #expect(try whole("import --quiet '\(sample)'").status == 0)
    func rows(_ kind: String, _ more: String = "") throws -> [[Substring]] {
      let csv = try whole("export \(kind) --period 2023-06 --as-of 2023-07-05 \(more)")
      #expect(csv.status == 0, "\(csv.errors)")
      return csv.output.split(separator: "\n").map {
        $0.split(separator: ",", omittingEmptySubsequences: false)
      }
    }
    let all = try rows("subscriptions")
    #expect(all.count == 275 && Set(all.map(\.count)) == [20])
    #expect(all.contains { $0[2] == "billing_retry" || $0[2] == "expired" })
    let findings = Set(all.dropFirst().map { $0[16] }).subtracting([""])
    let ofChains: Set<Substring> = [
      "subscription-shared", "renewal-gap", "offer-reused", "renewal-refunded",
    ]
    #expect(!findings.isEmpty && findings.isSubset(of: ofChains))
    let given = try rows("refunds")
    let late = try rows("refunds", "--since 2023-06-20 --storefront CN")
    #expect(given.count > late.count && late.count > 1)
    for row in late.dropFirst() { #expect(row[3] == "CN" && row[5] >= "2023-06-20") }
    #expect(try run("export subscriptions --period 2023-06 --since 2023-06-02").status == 64)
  }

  /// A receipt's transaction names neither user, storefront nor price: its order and the tier do.
  @Test func `what transactions do not say is resolved, and told by whom`() throws {
    try company.folder.write(
      "bought.csv",
      "order_id,sku,status,placed_at,user_id,storefront,unit_price,currency,transaction_id\n"
        + "R1,gems.60,paid,2023-06-10T00:00:00Z,bob,CN,6.00,CNY,8801\n"
        + "R2,gems.60,paid,2023-06-10T00:00:00Z,eve,CN,,,8802\n")
    _ = try company.folder.importing("bought.csv")
    try company.folder.write(
      "told.csv",
      "transaction_id,sku,purchased_at,user_id,storefront,unit_price,currency\n"
        + "8801,gems.60,2023-06-10T00:00:01Z,,,,\n8802,gems.60,2023-06-10T00:00:01Z,,,,\n"
        + "8803,gems.60,2023-06-10T00:00:01Z,ann,CN,6.00,CNY\n")
    _ = try company.folder.importing("told.csv")
    let query = """
      sql --format csv "SELECT transaction_id, matched_order, matched_by, resolved_user, user_by,
      resolved_storefront, storefront_by, resolved_price, price_by FROM v_transaction
      WHERE transaction_id BETWEEN 8801 AND 8803 ORDER BY 1"
      """
    let before = try run(query).output.split(separator: "\n").dropFirst()
    let whole: Substring = "8803,,,ann,transaction,CN,transaction,6.0,transaction"
    #expect(before == ["8801,,,,,,,,", "8802,,,,,,,,", whole])
    #expect(try run("export transactions --storefront CN").output.contains("\n8803,"))
    #expect(try !run("export transactions --storefront CN").output.contains("\n8801,"))
    #expect(try run("reconcile --period 2023-06").errors.isEmpty)
    let after = try run(query).output.split(separator: "\n").dropFirst()
    #expect(after.first == "8801,R1,transaction-id,bob,order,CN,order,6.0,order")
    let second = try #require(after.dropFirst().first)
    #expect(second.hasPrefix("8802,R2,transaction-id,eve,order,CN,order,"), "\(second)")
    #expect(after.last == whole)
    // A filter acts on what was resolved.
    let exported = try run("export transactions --storefront CN").output
    #expect(exported.contains("\n8801,") && exported.contains(",R1,transaction-id,bob,order,CN,"))
  }

  @Test func `the first four characters of an id are enough where no other has them`() throws {
    try company.folder.write(
      "long.csv",
      "order_id,sku,status,placed_at,storefront,transaction_id\n"
        + "ABCD1234,gems.60,paid,2023-06-10T00:00:00Z,CN,\n"
        + "ABCE1111,gems.60,paid,2023-06-10T00:00:00Z,CN,\n"
        + "ABCE2222,gems.60,paid,2023-06-10T00:00:00Z,CN,\n")
    _ = try company.folder.importing("long.csv")
    try company.folder.write(
      "told.csv",
      "transaction_id,sku,purchased_at,storefront\n"
        + "510000000000001,gems.60,2023-06-10T00:00:00Z,CN\n")
    _ = try company.folder.importing("told.csv")
    #expect(try run("explain ABCD").output.contains("order ABCD1234: "))
    #expect(try run("explain 5100").output.contains("transaction 510000000000001: "))
    let several = try run("explain ABCE")
    #expect(several.status == 2 && several.errors.contains("ABCE1111, ABCE2222"))
    let short = try run("explain ABD")
    #expect(short.status == 2 && short.errors.contains("nothing in the ledger"))
    let found = try run("export findings --period 2023-06 --code not-in-report").output
    #expect(try run("reconcile --period 2023-06").errors.isEmpty)
    let id = try #require(found.split(separator: "\n").last).prefix(4)
    #expect(try run("explain \(id)").output.contains("not-in-report"))
    #expect(try run("finding assign \(id) --to bob").output.contains("assigned"))
  }

  @Test func `SQL reads, in every form`() throws {
    let query = "sql \"SELECT order_id, quantity FROM v_order WHERE user_id = 'ann'\""
    #expect(
      try run(query).output == """
        order_id  quantity
        --------  --------
        U1               1
        U2               1

        """)
    #expect(try run(query + " --format csv").output == "order_id,quantity\nU1,1\nU2,1\n")
    #expect(
      try run(query + " --format json").output
        == "[\n  {\"order_id\":\"U1\",\"quantity\":1},\n  {\"order_id\":\"U2\",\"quantity\":1}\n]\n"
    )
    let refused = try run("sql \"DELETE FROM order_row\"")
    #expect(refused.status == 2 && refused.errors.contains("change something"))
    #expect(try run("sql").output.contains("v_order  the company's orders"))
  }

  @Test func `each column of each view is described`() throws {
    let there = try run(
      """
      sql --format csv "select m.name || ' ' || c.name as line from sqlite_temp_master m
      join pragma_table_info(m.name) c where m.type = 'view' order by m.name, c.cid"
      """)
    let told = try JSONSerialization.jsonObject(with: Data(run("sql --format json").output.utf8))
    let views = try #require((told as? [String: [[String: Any]]])?["views"])
    let lines = views.sorted { "\($0["name"]!)" < "\($1["name"]!)" }.flatMap { view in
      (view["columns"] as? [[String: String]] ?? []).map { "\(view["name"]!) \($0["name"]!)" }
    }
    #expect("line\n" + lines.joined(separator: "\n") + "\n" == there.output)
  }

  @Test func `mask_users hides users everywhere and the same way`() throws {
    try company.folder.write("tieout.toml", "mask_users = true\n")
    let exported = try run("export orders --since 2023-06-30")
    let masked = String(try #require(exported.output.firstMatch(of: /user-[0-9a-f]{12}/)).0)
    #expect(exported.output.contains(",\(masked),") && !exported.output.contains(",ann,"))
    let asked = try run(
      "sql --format csv \"SELECT DISTINCT user_id FROM v_order WHERE order_id > 'P'\"")
    #expect(asked.output == "user_id\n\(masked)\n")
  }
}
