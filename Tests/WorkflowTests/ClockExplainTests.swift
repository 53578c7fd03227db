import Billing
import Conclusions
import Foundation
import Matching
import Support
import Testing
import Workflow

/// An order whose times a wrong clock told is explained as it was reconciled.
@Suite struct ClockExplainTests {
  private let folder: TemporaryFolder

  /// Sixty purchases of June, an hour or so apart, whose orders are told nine hours late; the last
  /// order and the last purchase name each other nowhere.
  init() throws {
    folder = try TemporaryFolder()
    let start = Day("2023-06-05")!.startUTC.seconds
    func time(_ seconds: Int64) -> String { "\(Instant(seconds: seconds))" }
    var orders =
      "order_id,sku,status,placed_at,fulfilled_at,transaction_id,unit_price,currency,storefront\n"
    var transactions = "transaction_id,sku,purchased_at,unit_price,currency,storefront\n"
    for number in 0..<60 {
      let at = start + Int64(number) * 4001
      let placed = at + 9 * 3600
      orders += "O\(number),gems.60,fulfilled,\(time(placed)),\(time(placed + 60)),"
      orders += number == 59 ? "" : "\(7000 + number)"
      orders += ",6.00,CNY,CN\n"
      transactions += "\(7000 + number),gems.60,\(time(at + 30)),6.00,CNY,CN\n"
    }
    try folder.write("orders.csv", orders)
    try folder.write("transactions.csv", transactions)
    _ = try folder.importing("orders.csv", "transactions.csv")
  }

  private func story(_ id: String) throws -> Explanation {
    let request = ExplainRequest(
      ledgerPath: folder.ledger, id: id, settings: Settings(), asOf: Day("2023-07-05")!)
    return try #require(try explain(request).first)
  }

  @Test func matchesAreThoseOfTheReconciliation() throws {
    let before = try story("O59")
    #expect(before.decisions.first?.rule == nil && before.notes.allSatisfy(isNotCorrected))
    let result = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
        asOf: Day("2023-07-05")!))
    #expect(result.findings.contains { $0.code == .clockOff })
    #expect(!result.findings.contains { $0.orderIDs.contains("O59") && $0.code != .clockOff })
    #expect(recordFindings(of: result, in: folder.ledger) == nil)
    let after = try story("O59")
    #expect(after.decisions.first?.rule == .backTracing)
    #expect(after.decisions.first?.transaction == "7059")
    #expect(after.decisions.first?.text.english.contains("30 s before the purchase") == true)
    #expect(!after.notes.allSatisfy(isNotCorrected))
    let purchase = try story("7059")
    #expect(purchase.decisions.first?.order == "O59")
  }

  private func isNotCorrected(_ note: Wording) -> Bool {
    !note.english.contains("corrected times")
  }
}
