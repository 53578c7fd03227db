import Billing
import Conclusions
import Languages
import Matching
import Support
import Testing
import Workflow

/// Goal: an ID that stands for nothing is one finding, and its orders find their transactions; an
/// ID that a transaction has stays a reused one. Method: a small month of plain tables, some of
/// whose orders name the same ID.
@Suite struct RepeatedIDTests {
  private static let header = "order_id,sku,status,placed_at,user_id,transaction_id\n"
  private static let bought = "transaction_id,sku,purchased_at,user_id,environment\n"

  /// Orders a minute apart, each with a transaction ten seconds later.
  ///
  /// - Parameter id: what an order names, by its number; nil for its own transaction.
  private static func month(
    _ count: Int, extra: String = "", _ id: (Int) -> String?
  ) -> [String: String] {
    let begin = 1_686_571_200
    let orders = (0..<count).map { number in
      let own = id(number) ?? "\(10_000 + number)"
      return "O\(number),gems.60,fulfilled,\(begin + 600 * number),u\(number),\(own)\n"
    }
    let transactions = (0..<count).map { number in
      "\(10_000 + number),gems.60,\(begin + 600 * number + 10),u\(number),Production\n"
    }
    return [
      "orders.csv": header + orders.joined(),
      "transactions.csv": bought + transactions.joined() + extra,
    ]
  }

  private func reconciled(
    _ files: [String: String], _ check: (Reconciliation, TemporaryFolder) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write("in/" + name, text) }
    let summary = try folder.importing("in")
    #expect(summary.errorCount == 0, "\(summary.text)")
    try check(
      try reconcile(
        ReconcileRequest(
          ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
          asOf: Day("2023-07-05")!)), folder)
  }

  private func codes(_ result: Reconciliation) -> [String] {
    result.findings.filter { $0.code.level == 1 }.map(\.code.rawValue)
  }

  @Test(arguments: ["0", "unknown", "-", "IOS_PAY"]) func `its orders are traced back`(
    _ id: String
  ) throws {
    try reconciled(Self.month(200) { $0 % 5 == 0 ? id : nil }) { result, _ in
      #expect(codes(result) == ["id-repeated"])
      let finding = try #require(result.findings.first { $0.code == .idRepeated })
      #expect(finding.severity == .error && !finding.orderIDs.isEmpty)
      #expect(finding.explanation.english.contains("40 orders have the transaction ID \"\(id)\""))
    }
  }

  /// Nineteen of few orders, and twenty of two thousand.
  @Test(arguments: [(100, 19), (2000, 20)]) func `few orders with one ID stay what they are`(
    _ count: Int, _ naming: Int
  ) throws {
    try reconciled(Self.month(count) { $0 < naming ? "0" : nil }) { result, _ in
      #expect(Set(codes(result)) == ["order-without-transaction", "transaction-without-order"])
    }
  }

  @Test(arguments: ["12000", "77"]) func `an ID that a transaction has is reused, and none traced`(
    _ id: String
  ) throws {
    // Of this month, and of one long before.
    let at = id == "77" ? 1_672_531_200 : 1_686_571_200
    let extra = "\(id),gems.60,\(at),nobody,Production\n"
    try reconciled(Self.month(200, extra: extra) { $0 % 5 == 0 ? id : nil }) { result, _ in
      #expect(!codes(result).contains("id-repeated"))
      #expect(codes(result).count { $0 == "transaction-without-order" } == 40)
    }
  }

  @Test func `two such IDs are two findings`() throws {
    try reconciled(Self.month(200) { $0 % 4 == 0 ? "0" : $0 % 4 == 1 ? "x" : nil }) { result, _ in
      #expect(codes(result) == ["id-repeated", "id-repeated"])
    }
  }

  @Test func `explain follows the rule once the month was reconciled`() throws {
    // The last order finds no transaction.
    var files = Self.month(200) { $0 % 5 == 0 ? "none_yet" : nil }
    files["orders.csv"]! += "LAST,gems.60,fulfilled,1686996000,u9,none_yet\n"
    try reconciled(files) { result, folder in
      #expect(codes(result).sorted() == ["id-repeated", "order-without-transaction"])
      #expect(recordFindings(of: result, in: folder.ledger) == nil)
      func told(_ id: String) throws -> String {
        let request = ExplainRequest(
          ledgerPath: folder.ledger, id: id, settings: Settings(), asOf: Day("2023-07-05")!)
        return text(of: try explain(request))
      }
      for id in ["O5", "10005"] {
        let text = try told(id)
        #expect(text.contains("order O5 has transaction 10005 by back-tracing"), "\(text)")
      }
      #expect(try told("LAST").contains("is in many orders"))
    }
  }
}
