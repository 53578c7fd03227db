import Foundation
import Support
import Testing

@testable import Workflow

/// Coins of a small game held against its orders: each fault is found with its order, user or day
/// and its amount, and nothing else is.
@Suite struct CoinTieOutTests {
  private let folder: TemporaryFolder

  /// Seven purchases of 300 gems for 30.00 CNY; Apple takes back those of O4 and O5.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "products.csv", "sku,kind,coins,coin\ngems.300,consumable,300,gems\n")
    let price = "quantity,unit_price,currency,storefront"
    var orders = "order_id,sku,status,placed_at,\(price),user_id,transaction_id\n"
    var transactions = "transaction_id,sku,purchased_at,\(price),order_id,revoked_at\n"
    let paid = "1,30.00,CNY,CN"
    for number in 1...7 {
      let refund = number == 4 || number == 5 ? "2023-06-10T08:00:00Z" : ""
      let status = refund.isEmpty ? "fulfilled" : "refunded"
      let minute = "2023-06-05T12:0\(number)"
      orders +=
        "O\(number),gems.300,\(status),\(minute):00Z,\(paid),u\(number),100000\(number)\n"
      transactions += "100000\(number),gems.300,\(minute):05Z,\(paid),O\(number),\(refund)\n"
    }
    try folder.write("orders.csv", orders)
    try folder.write("transactions.csv", transactions)
  }

  private static let header = "date,movement,coins,user_id,coin,paid,order_id,sku\n"

  /// What all is well with: each order granted, refunds taken back.
  private static func movements(_ change: (inout [String]) -> Void = { _ in }) -> String {
    var rows = (1...7).map {
      "2023-06-05T12:0\($0):09Z,granted,300,u\($0),gems,paid,O\($0),gems.300"
    }
    rows += [4, 5].map { "2023-06-10T09:00:00Z,taken_back,300,u\($0),gems,paid,O\($0)," }
    rows += [
      "2023-06-06T09:00:00Z,granted,20,u1,gems,free,,",
      "2023-06-07T09:00:00Z,spent,120,u1,gems,paid,,",
      "2023-06-20T09:00:00Z,spent,5,u2,gems,paid,,",
    ]
    change(&rows)
    return header + rows.map { $0 + "\n" }.joined()
  }

  private func reconciled(_ movements: String, _ more: [String: String] = [:]) throws -> JSON {
    try folder.write("coins.csv", movements)
    for (name, text) in more { try folder.write(name, text) }
    let run = try CommandLineRun(
      ["import", "products.csv", "orders.csv", "transactions.csv", "coins.csv"]
        + more.keys.filter { $0.hasSuffix(".csv") }.sorted() + ["--ledger", "l.sqlite"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let told = try CommandLineRun(
      [
        "reconcile", "2023-06", "--as-of", "2023-07-05", "--format", "json", "--ledger",
        "l.sqlite",
      ], in: folder)
    return try JSON(told.output)
  }

  /// The parts of the document that are looked at.
  private struct JSON {
    let coins: [String: Any]?
    let findings: [[String: Any]]

    init(_ text: String) throws {
      let all = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
      coins = all["coins"] as? [String: Any]
      findings = (all["findings"] as? [[String: Any]] ?? []).filter {
        ($0["code"] as? String ?? "").hasPrefix("coins-")
      }
    }

    /// What the section of coins says beside its figures.
    var notes: [String] { coins?["notes"] as? [String] ?? [] }

    /// `code order amount`, in the document's order.
    var told: [String] {
      findings.map { finding in
        let orders = (finding["order_ids"] as? [String] ?? []).joined(separator: "+")
        let amount = finding["amount"] as? String ?? "-"
        return "\(finding["code"] ?? "?") \(orders.isEmpty ? "-" : orders) \(amount)"
      }
    }

    func total(_ name: String) -> Int? {
      ((coins?["totals"] as? [[String: Any]])?.first?[name] as? NSNumber)?.intValue
    }
  }

  @Test func `a game whose coins tie has no finding`() throws {
    let all = try reconciled(
      Self.movements(),
      ["left.csv": "date,paid,free,user_id,coin\n2023-06-30,180,20,u1,gems\n"])
    #expect(all.told == [])
    #expect(all.total("sold") == 2100 && all.total("granted") == 2120)
    #expect(all.total("spent") == 125 && all.total("taken_back") == 600)
    #expect(all.total("closing") == 1395 && all.total("paid_left") == 1375)
    #expect(all.total("users") == 7)
    let days = all.coins?["days"] as? [[String: Any]] ?? []
    #expect(days.count == 30)
  }

  @Test func `without movements nothing of it is seen`() throws {
    let run = try CommandLineRun(
      "import", "products.csv", "orders.csv", "transactions.csv", "--ledger", "l.sqlite",
      in: folder)
    #expect(run.status == 0, "\(run.errors)")
    for form in ["json", "text"] {
      let told = try CommandLineRun(
        "reconcile", "2023-06", "--as-of", "2023-07-05", "--format", form, "--ledger", "l.sqlite",
        in: folder)
      #expect(!told.output.lowercased().contains("coins"))
    }
  }

  @Test func `each fault is found with its order`() throws {
    let all = try reconciled(
      Self.movements { rows in
        rows[1] = "2023-06-06T10:00:00Z,spent,0,u2,gems,paid,,"
        rows[2] = "2023-06-05T12:03:09Z,granted,200,u3,gems,paid,O3,gems.300"
        rows.append("2023-06-05T13:00:00Z,granted,300,u6,gems,paid,O6,gems.300")
        rows.append("2023-06-05T13:00:00Z,granted,300,u9,gems,paid,O99,gems.300")
        rows.removeAll { $0.contains("taken_back,300,u4") }
        rows.append("2023-06-12T09:00:00Z,spent,500,u7,gems,paid,,")
        rows.append("2023-06-13T09:00:00Z,granted,400,u7,gems,free,,")
        rows.append("2023-06-14T09:00:00Z,expired,10,u1,gems,paid,,")
        rows.removeAll { $0.contains("spent,5,u2") }
      },
      ["left.csv": "date,paid,free,user_id,coin\n2023-06-30,177,20,u1,gems\n"])
    #expect(
      all.told.sorted()
        == [
          "coins-balance - -", "coins-expired - -", "coins-not-granted O2 30.00",
          "coins-not-granted O3 10.00", "coins-not-taken-back O4 -30.00", "coins-overdrawn - -",
          "coins-without-order - -", "coins-without-order O6 -30.00",
        ].sorted())
  }

  /// Of a subscription without transactions nobody can say what it renewed.
  @Test func `renewals grant coins without an order`() throws {
    let all = try reconciled(
      Self.movements { $0.append("2023-06-12T09:00:00Z,granted,100,u3,gems,paid,,vip") },
      ["vip.csv": "sku,kind,coins,coin\nvip,auto_renewable,100,gems\n"])
    #expect(all.told == [])
    #expect(all.total("granted") == 2220)
  }

  /// Five renewals of 100 gems for 30.00 CNY, on two days; Apple takes back the last one's.
  private static let renewals = {
    let columns = "quantity,unit_price,currency,storefront,original_transaction_id,expires_at"
    let rows = (1...5).map { number in
      let day = number < 3 ? "12" : "13"
      return "200001\(number),vip,2023-06-\(day)T08:00:00Z,1,30.00,CNY,CN,200000\(number),"
        + "2023-07-\(day)T08:00:00Z,\(number == 5 ? "2023-06-15T08:00:00Z" : "")\n"
    }
    return [
      "vip.csv": "sku,kind,coins,coin\nvip,auto_renewable,100,gems\n",
      "renewed.csv": "transaction_id,sku,purchased_at,\(columns),revoked_at\n" + rows.joined(),
    ]
  }()

  private func renewed(_ grants: String) throws -> JSON {
    try reconciled(Self.movements(), Self.renewals.merging(["vip-coins.csv": grants]) { $1 })
  }

  @Test func `renewals that movements name are held against them`() throws {
    let all = try renewed(
      """
      date,movement,coins,user_id,coin,paid,transaction_id
      2023-06-12T08:00:09Z,granted,100,v1,gems,paid,2000011
      2023-06-12T08:00:09Z,granted,50,v2,gems,paid,2000012
      2023-06-13T08:00:09Z,granted,100,v4,gems,paid,2000014
      2023-06-13T09:00:09Z,granted,100,v4,gems,paid,2000014
      2023-06-13T08:00:09Z,granted,100,v5,gems,paid,2000015

      """)
    #expect(
      all.told.sorted() == [
        "coins-not-granted - 15.00", "coins-not-granted - 30.00", "coins-not-taken-back - -30.00",
        "coins-without-order - -30.00",
      ])
    #expect(all.total("sold") == 2600)
  }

  /// Grants that name no transaction are held against the day's renewals of their product.
  @Test func `renewals are held against grants by product and day`() throws {
    let all = try renewed(
      """
      date,movement,coins,user_id,coin,paid,sku
      2023-06-12T08:00:09Z,granted,100,v1,gems,paid,vip
      2023-06-12T08:00:09Z,granted,100,v2,gems,paid,vip
      2023-06-13T08:00:09Z,granted,100,v3,gems,paid,vip
      2023-06-13T08:00:09Z,granted,100,v5,gems,paid,vip
      2023-06-15T08:00:09Z,taken_back,100,v5,gems,paid,vip
      2023-06-20T08:00:09Z,granted,100,v9,gems,paid,vip

      """)
    #expect(all.told == ["coins-without-order - -30.00"])
    #expect(all.total("sold") == 2600)
  }

  /// A stipend by the day, or a game that exports none of it: nothing is held against renewals, and
  /// the report says so.
  @Test(arguments: [false, true])
  func `coins of subscriptions that are granted otherwise are left out`(byDay: Bool) throws {
    let header = "date,movement,coins,user_id,coin,paid,sku\n"
    let stipends = (12...28).map {
      "2023-06-\($0)T09:00:00Z,granted,10,v1,gems,paid,vip\n"
    }
    let none = "2023-06-12T09:00:00Z,granted,1,v1,gems,free,\n"
    let all = try renewed(header + (byDay ? stipends.joined() : none))
    #expect(all.told == [])
    #expect(all.total("sold") == 2100)
    let said = byDay ? "granted in other portions" : "no grant names its product"
    #expect(all.notes.contains { $0.contains("subscription vip") && $0.contains(said) })
  }

  /// What was only begun or cancelled was not sold; what is paid for and not delivered, level 1
  /// names.
  @Test func `coins of an order that nobody paid for are told`() throws {
    let columns = "order_id,sku,status,placed_at,quantity,unit_price,currency,storefront,user_id\n"
    let all = try reconciled(
      Self.movements {
        $0.append("2023-06-12T09:00:00Z,granted,300,u8,gems,paid,O8,gems.300")
      },
      ["begun.csv": columns + "O8,gems.300,created,2023-06-12T08:59:00Z,1,30.00,CNY,CN,u8\n"])
    #expect(all.told == ["coins-without-order O8 -30.00"])
  }

  /// Of refunds that follow one another each takes the coins of its own day, so that the one is
  /// named whose coins are still there.
  @Test func `the refund is named whose coins are still there`() throws {
    let refunds = (1...3).map { "O\($0),1000001\($0),u\($0),2023-06-1\($0)" }
    let price = "1,30.00,CNY,CN"
    var orders = "order_id,sku,status,placed_at,quantity,unit_price,currency,storefront"
    orders += ",user_id,transaction_id\n"
    var transactions = "transaction_id,sku,purchased_at,quantity,unit_price,currency,storefront"
    transactions += ",order_id,revoked_at\n"
    for refund in refunds.map({ $0.split(separator: ",") }) {
      orders += "R\(refund[0]),gems.300,refunded,2023-06-05T12:00:00Z,\(price),\(refund[2]),"
      orders += "\(refund[1])\n"
      transactions += "\(refund[1]),gems.300,2023-06-05T12:00:05Z,\(price),R\(refund[0]),"
      transactions += "\(refund[3])T08:00:00Z\n"
    }
    let all = try reconciled(
      """
      date,movement,coins,coin,paid,sku
      2023-06-05,granted,3000,gems,paid,gems.300
      2023-06-10,taken_back,600,gems,paid,gems.300
      2023-06-12,taken_back,300,gems,paid,gems.300
      2023-06-13,taken_back,300,gems,paid,gems.300
      2023-06-28,spent,10,gems,paid,

      """, ["refunded.csv": orders, "revoked.csv": transactions])
    #expect(all.told == ["coins-not-taken-back RO1 -30.00"])
  }

  /// Two refunds of one product and day: where the coins of one were taken back and nothing says
  /// whose, neither is named; where none were, both are.
  @Test(arguments: [true, false])
  func `a refund among several alike is not blamed`(isTaken: Bool) throws {
    let all = try reconciled(
      """
      date,movement,coins,coin,paid,sku
      2023-06-05,granted,2100,gems,paid,gems.300
      2023-06-\(isTaken ? "10" : "02"),taken_back,300,gems,paid,gems.300
      2023-06-28,spent,10,gems,paid,

      """)
    guard isTaken else {
      // What weighs the same stands in the order of its ID.
      #expect(
        all.told.sorted() == ["coins-not-taken-back O4 -30.00", "coins-not-taken-back O5 -30.00"])
      return
    }
    #expect(all.told == ["coins-not-taken-back - -30.00"])
    let text = all.findings.first?["explanation"] as? String ?? ""
    #expect(text.hasPrefix("2 refunds by Apple on 2023-06-10 take back 600 gems;"), "\(text)")
  }

  /// The same sums without users and orders, on days of the company.
  @Test func `sums by day tie by product`() throws {
    let well = try reconciled(
      """
      date,movement,coins,coin,paid,sku
      2023-06-05,granted,2100,gems,paid,gems.300
      2023-06-10,taken_back,600,gems,paid,
      2023-06-06,granted,20,gems,free,
      2023-06-07,spent,125,gems,paid,

      """)
    #expect(well.told == [])
    #expect(well.total("closing") == 1395 && well.total("sold") == 2100)
  }

  @Test func `sums by day that lack coins are told by day and product`() throws {
    let lacking = try reconciled(
      """
      date,movement,coins,coin,paid,sku
      2023-06-05,granted,1500,gems,paid,gems.300
      2023-06-10,taken_back,600,gems,paid,
      2023-06-20,granted,600,gems,paid,gems.300

      """)
    // Of seven orders two may have been refunded before they were granted.
    #expect(
      lacking.told == [
        "coins-without-order - -60.00"
      ])
  }
}
