import Billing
import Conclusions
import Matching
import Support
import Testing
import Workflow

/// Goal: no list of a reconciliation ends before its last row. Method: a month with more refunds,
/// and more chains of renewals, than any list was ever cut to.
@Suite struct WholeListTests {
  private static let count = 5_003

  @Test func everyRefundAndEveryChainIsListed() throws {
    let folder = try TemporaryFolder()
    // Half are one-time purchases that were refunded, half are renewals; users repeat.
    let rows = (0..<2 * Self.count).map { index in
      let bought = 1_685_600_000 + index * 120
      let id = 10_000 + index
      return index < Self.count
        ? "\(id),gems.60,\(bought),6.00,CNY,CN,\(bought + 3_600),,,u\(index % 700)\n"
        : "\(id),vip.month,\(bought),30.00,CNY,CN,,\(9_000_000 + index),\(bought + 2_592_000),\n"
    }
    _ = try folder.write(
      "transactions.csv",
      "transaction_id,sku,purchased_at,unit_price,currency,storefront,revoked_at,"
        + "original_transaction_id,expires_at,user_id\n" + rows.joined())
    _ = try folder.importing("transactions.csv")
    let month = try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
        asOf: Day("2023-07-05")!))
    #expect(month.refunds.count == Self.count)
    #expect(Set(month.refunds.map(\.transactionID)).count == Self.count)
    #expect(month.refunds.reduce(0) { $0 + ($1.amount ?? 0) } == Int64(Self.count) * 6_000_000)
    #expect(month.subscriptions.count == Self.count)
    #expect(
      month.subscriptionCounts.reduce(0) { $0 + $1.chains } == month.subscriptions.count)
  }
}
