import Billing
import Conclusions
import Support
import Testing

@testable import Ledger
@testable import Matching
@testable import Workflow

/// Goal: a renewal's original of another month brings along its order of a third one.
///
/// Taken for granted elsewhere, and broken here: that no further round is needed once rows of other
/// periods were found, so that the period's own rows can be given up.
@Suite struct ThirdMonthTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let paths = [
      try folder.write(
        "transactions.csv",
        """
        transaction_id,original_transaction_id,order_id,sku,kind,purchased_at,revoked_at,unit_price
        100,,O1,gold,auto_renewable,2023-04-10T12:00:00Z,,30.00
        101,100,,gold,auto_renewable,2023-06-10T12:00:00Z,2023-06-20T12:00:00Z,30.00
        102,,O2,gems,consumable,2023-06-11T12:00:00Z,,30.00

        """),
      try folder.write(
        "orders.csv",
        """
        order_id,sku,status,placed_at,unit_price,currency,storefront
        O1,gold,fulfilled,2023-02-10T12:00:00Z,30.00,CNY,CN
        O2,gems,fulfilled,2023-06-11T12:00:00Z,30.00,CNY,CN

        """),
    ]
    _ = try importFiles(
      ImportRequest(
        paths: paths, ledgerPath: folder.ledger, importedAt: Instant(seconds: 1_688_500_000)))
  }

  @Test func `the period's rows are read again for a third round`() throws {
    let period = Period("2023-06")!
    let request = ReconcileRequest(
      ledgerPath: folder.ledger, period: period, settings: Settings(), asOf: Day("2023-07-05")!)
    try Ledger.reading(folder.ledger, connections: 5) { ledger in
      func facts() throws -> MonthFacts {
        var facts = try ledger.facts(
          purchases: purchaseWindow(period), reportDays: reportDays(period))
        try addEarlierSales(to: &facts, ledger, period)
        return facts
      }
      var timesRead = 0
      let first = try facts()
      let matches = try periodMatches(
        ledger, MovedValue(first), ReadOnDemand { first.sales }, matchingContext(request, first)
      ) {
        timesRead += 1
        return try facts()
      }
      #expect(timesRead == 1)
      let table = matches.table
      let ids = try ledger.resolveTransactions(table.transactions.map(\.row).sorted())
      #expect(ids.map(\.id).sorted() == ["100", "101", "102"])
      for index in table.transactions.indices {
        let order = try #require(table.owner(of: index)?.order)
        let ids = try ledger.resolveOrders([table.orders[order].row])
        let id = try ledger.resolveTransactions([table.transactions[index].row])
        #expect(ids.map(\.id) == [id[0].id == "102" ? "O2" : "O1"])
      }
    }
  }

  @Test func `the refund is the order's`() throws {
    let request = ReconcileRequest(
      ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
      asOf: Day("2023-07-05")!)
    let findings = try reconcile(request).findings
    #expect(
      findings.contains { $0.orderIDs == ["O1"] && $0.transactionIDs.contains("101") },
      "\(findings.map { "\($0.code) \($0.orderIDs) \($0.transactionIDs)" })")
  }
}
