import Billing
import Support
import Testing

@testable import Ledger
@testable import Matching
@testable import Workflow

/// Goal: a month knows of refunds of other months that Apple took back in it, and of no others.
@Suite struct EarlierReversalTests {
  /// A notification that was saved decoded, of a purchase and its day.
  private func notification(_ type: String, of id: String, _ bought: String, at day: String)
    -> String
  {
    func milliseconds(_ day: String) -> Int64 { (Day(day)!.startUTC.seconds + 43_200) * 1000 }
    return """
      {"notificationType":"\(type)","notificationUUID":"N\(id)\(type)",\
      "signedDate":\(milliseconds(day)),"data":{"bundleId":"com.example",\
      "environment":"Production","signedTransactionInfo":{"transactionId":"\(id)",\
      "originalTransactionId":"\(id)","productId":"gems","bundleId":"com.example",\
      "environment":"Production","purchaseDate":\(milliseconds(bought)),"quantity":1,\
      "type":"Consumable","storefront":"CHN","signedDate":\(milliseconds(day))}}}

      """
  }

  @Test func aReversalBringsItsTransaction() throws {
    let folder = try TemporaryFolder()
    let paths = [
      try folder.write(
        "transactions.csv",
        """
        transaction_id,sku,kind,purchased_at,revoked_at,unit_price,currency,storefront
        100,gems,consumable,2023-04-02T12:00:00Z,2023-04-12T12:00:00Z,30.00,CNY,CN
        101,gems,consumable,2023-04-02T12:00:00Z,2023-04-12T12:00:00Z,30.00,CNY,CN
        102,gems,consumable,2023-04-02T12:00:00Z,2023-04-12T12:00:00Z,30.00,CNY,CN

        """),
      try folder.write(
        "notifications.jsonl",
        notification("REFUND_REVERSED", of: "100", "2023-04-02", at: "2023-06-20")
          + notification("REFUND_REVERSED", of: "101", "2023-04-02", at: "2023-05-20")),
    ]
    _ = try importFiles(
      ImportRequest(
        paths: paths, ledgerPath: folder.ledger, importedAt: Instant(seconds: 1_688_500_000)))
    func reversed(_ period: String) throws -> [String] {
      let period = Period(period)!
      return try Ledger.reading(folder.ledger) { ledger in
        var facts = try ledger.facts(
          purchases: purchaseWindow(period), reportDays: reportDays(period))
        try addEarlierSales(to: &facts, ledger, period)
        let table = MatchTable(
          facts, catalogue: CatalogueBook(facts.products), requiresSigned: false)
        let kept = table.transactions.indices.filter { table.orderOf[$0] != .merged }
        for index in kept {
          #expect(table.terms(ofTransaction: index).isRefundReversed)
          #expect(table.transactions[index].revokedAt != 0)
        }
        return try ledger.resolveTransactions(kept.map { table.transactions[$0].row }.sorted())
          .map(\.id)
      }
    }
    #expect(try reversed("2023-06") == ["100"])
    #expect(try reversed("2023-05") == ["101"])
    #expect(try reversed("2023-07") == [])
  }
}
