import Billing
import Conclusions
import Matching
import Support
import Testing
import Workflow

/// Goal: what a word decides that is not known is never counted as the usual one, and is listed
/// with its money. Method: small months of decoded payloads and a sales report.
@Suite struct UnknownWordMonthsTests {
  private func payload(_ id: Int, _ price: Int, quantity: Int = 1, _ more: String = "") -> String {
    let place = more.contains("environment") ? "" : #","environment":"Production""#
    return """
      {"transactionId":"\(id)","originalTransactionId":"\(id)","bundleId":"com.example",\
      "productId":"gems.60","purchaseDate":1686571200000,"quantity":\(quantity),\
      "signedDate":1686571201000,"storefront":"CHN","price":\(price),"currency":"CNY"\
      \(place)\(more)}
      """ + "\n"
  }

  private func reconciled(_ files: [String: String]) throws -> Reconciliation {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write("in/" + name, text) }
    let summary = try folder.importing("in")
    #expect(summary.errorCount == 0, "\(summary.text)")
    return try reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("2023-06")!, settings: Settings(),
        asOf: Day("2023-07-05")!))
  }

  private func told(_ code: FindingCode, _ result: Reconciliation) -> [String] {
    result.findings.filter { $0.code == code }
      .map { "\($0.units ?? 0) \($0.money?.text ?? "-")" }.sorted()
  }

  /// One buyer of 25 seats, and a member.
  @Test func `an assigned seat is no sale`() throws {
    let result = try reconciled([
      "a.jsonl": payload(1, 150_000, quantity: 25, #","inAppOwnershipType":"PURCHASED""#)
        + payload(2, 6_000, #","inAppOwnershipType":"ASSIGNED""#)
    ])
    #expect(told(.transactionWithoutOrder, result) == ["25 150.00"])
    #expect(told(.wordUnknown, result).isEmpty)
  }

  @Test func `a part of a bundle is no sale, the bundle is one of an unknown type`() throws {
    let result = try reconciled([
      "a.jsonl": payload(1, 15_000, #","type":"Subscription Bundle""#)
        + payload(2, 6_000, #","bundleTransactionId":"1""#)
    ])
    #expect(told(.transactionWithoutOrder, result) == ["1 15.00"])
    #expect(told(.wordUnknown, result) == ["1 15.00"])
  }

  @Test(arguments: [#","inAppOwnershipType":"LENT""#, #","environment":"Moon""#])
  func `what is of an unknown ownership or environment is listed and not sold`(
    _ more: String
  ) throws {
    let result = try reconciled(["a.jsonl": payload(1, 6_000) + payload(2, 12_000, more)])
    #expect(told(.transactionWithoutOrder, result) == ["1 6.00"])
    #expect(told(.wordUnknown, result) == ["1 12.00"])
    let finding = try #require(result.findings.first { $0.code == .wordUnknown })
    #expect(finding.severity == .warning && finding.transactionIDs == ["2"])
  }

  @Test func `an order of an assigned seat or a bundle's part is not held against it`() throws {
    let result = try reconciled([
      "a.jsonl": payload(1, 6_000, #","inAppOwnershipType":"ASSIGNED""#)
        + payload(2, 6_000, #","bundleTransactionId":"9""#),
      "orders.csv":
        "order_id,sku,status,placed_at,transaction_id\n"
        + "A,gems.60,fulfilled,1686571100,1\nB,gems.60,created,1686571100,2\n",
    ])
    let codes = Set(result.findings.map(\.code)).subtracting([.reportMissing])
    #expect(codes.isEmpty, "\(codes)")
  }

  @Test func `rows of an unknown product type count as units and are listed`() throws {
    let report = Inputs.sales(day: 12, units: 3).replacing("\tIA1\t", with: "\t8F\t")
    let result = try reconciled([Inputs.salesName(day: 12): report])
    #expect(told(.wordUnknown, result) == ["3 18.00"])
    #expect(result.proceeds.map(\.unitsSold) == [3])
    #expect(result.findings.contains { $0.code == .notInLedger || $0.code == .unknownSKU })
  }
}
