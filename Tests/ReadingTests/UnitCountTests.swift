import Billing
import Testing

@testable import Reading

/// Purchases that were counted elsewhere, from text to rows, and rows handed over beside them.
@Suite struct UnitCountTests {
  private static let header = """
    counted_period,counted,at,count,seconds,name,order_sku,order_status,order_unit_price,\
    order_currency,transaction_sku,transaction_quantity,transaction_storefront
    """

  private func rows(_ outcome: Outcome) -> [PurchaseCountRow] {
    outcome.blocks.flatMap { block -> [PurchaseCountRow] in
      if case .unitCounts(let rows) = block.rows { rows } else { [] }
    }
  }

  @Test func countsRead() throws {
    let outcome = try read(
      """
      \(Self.header)
      2023-06,sold,1685577600,12,,,gems.60,fulfilled,6.00,CNY,gems.60,1,CN
      2023-06,sold,1685578500,3,,,gems.60,fulfilled,6.00,CNY,gems.60,1,CN
      2023-06,placed,1685577600,15,,,,,,,,,
      2023-06,fulfilled,1685577600,15,42,,,,,,,,
      2023-06,user,1685577600,0,,u1,,,,,,,
      2023-06,asked,1685577600,0,900,CN gems.60,,,,,,,

      """)
    #expect(outcome.reading.kind == .unitCounts && outcome.reading.rows == 6)
    #expect(outcome.reading.countedPeriod == "2023-06")
    #expect(outcome.reading.begin == Day("2023-06-01") && outcome.reading.end == Day("2023-06-30"))
    let found = rows(outcome)
    #expect(found.map(\.counted) == [.sold, .sold, .placed, .fulfilled, .user, .asked])
    #expect(found.map(\.count) == [12, 3, 15, 15, 0, 0])
    #expect(found.map(\.terms) == [1, 1, 0, 0, 0, 0])
    #expect(found.map(\.transactionTerms) == [1, 1, 0, 0, 0, 0])
    #expect(found.map(\.seconds) == [nil, nil, nil, 42, nil, 900])
    let orders = outcome.blocks.flatMap(\.newOrderTerms)
    #expect(orders.map(\.unitPrice) == [6_000_000] && orders.map(\.status) == [.fulfilled])
    let transactions = outcome.blocks.flatMap(\.newTransactionTerms)
    #expect(transactions.map(\.saidQuantity) == [1])
  }

  @Test(
    arguments: [
      ("2023-06,sold,1685577600,0,,,a,fulfilled,,,a,1,CN", "count is not a whole number"),
      ("2023-06,sold,1685577600,1,,,a,done,,,a,1,CN", "order_status is not a known value"),
      ("2023-06,sold,1685577600,1,,,,fulfilled,,,a,1,CN", "order_sku is blank"),
      ("2023-06,sold,,1,,,a,fulfilled,,,a,1,CN", "at is blank"),
      ("2023-06,gone,1685577600,1,,,,,,,,,", "counted is not a known value"),
      ("2023-06,fulfilled,1685577600,1,soon,,,,,,,,", "seconds is not a whole number of seconds"),
      ("2023-06,user,1685577600,1,,,,,,,,,", "name is blank"),
      ("June,placed,1685577600,1,,,,,,,,,", "counted_period is not a period"),
      (",placed,1685577600,1,,,,,,,,,", "counted_period is blank"),
      ("2023-06,placed,1685577600,3000000000,,,,,,,,,", "count is not a possible number"),
      ("2023-06,placed,1685577600,10000001,,,,,,,,,", "count is not a possible number"),
    ]
  )
  func `a row that cannot be understood says why`(row: String, message: String) throws {
    let outcome = try read("\(Self.header)\n\(row)\n")
    #expect(outcome.reading.rejected == 1 && outcome.reading.rows == 0)
    let told = try #require(outcome.reading.diagnostics.first)
    #expect(told.location.line == 2)
    #expect(told.message.english.contains(message), "\(told.message.english)")
  }

  /// Rows that stand beside counts name their period, and all the same one.
  @Test func `rows handed over belong to one period`() throws {
    let header = "order_id,sku,status,placed_at,counted_period"
    let row = "gems.60,paid,2023-06-01T00:00:00Z"
    let outcome = try read("\(header)\nO1,\(row),2023-06\nO2,\(row),2023-06\n")
    #expect(outcome.reading.kind == .orders && outcome.reading.rows == 2)
    #expect(outcome.reading.countedPeriod == "2023-06")
    let mixed = try read("\(header)\nO1,\(row),2023-06\nO2,\(row),2023-07\n")
    #expect(mixed.reading.rejected == 1)
    let plain = try read("order_id,sku,status,placed_at\nO1,\(row)\n")
    #expect(plain.reading.countedPeriod.isEmpty)
  }
}
