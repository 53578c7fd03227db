import Billing
import Testing

@testable import Reading

/// A small generator with a fixed seed: the same tables in every run.
private struct Dice {
  var state: UInt64
  mutating func roll(_ sides: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % sides
  }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }
}

@Suite struct QuotingTests {
  /// Whatever a table's writer quotes, the same values come back.
  @Test(arguments: 1...40)
  func quotedTablesComeBack(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let pieces = ["a", "7", "宝", ",", "\"", "\n", "\r\n", "x y", ";", "💎", "'", "\t"]
    var expected: [[String]] = []
    var text = "order_id,user_id,sku,status,placed_at,app_account_token\n"
    for index in 0..<30 {
      func value() -> String {
        let middle = (0..<dice.roll(9)).map { _ in dice.pick(pieces) }.joined()
        return "v\(middle)v"
      }
      let values = ["O\(index)", value(), value(), "paid", "1685577600", value()]
      expected.append([values[0], values[1], values[2], values[5]])
      text += values.map { value in
        let mustQuote = value.contains { $0.isNewline || $0 == "," || $0 == "\"" }
        return mustQuote || dice.roll(3) == 0
          ? "\"" + value.replacing("\"", with: "\"\"") + "\""
          : value
      }.joined(separator: ",")
      text += dice.pick(["\n", "\r\n"])
    }
    for (chunk, block) in [(Int.max, 1 << 19), (5, 64)] {
      let outcome = try read(
        Array(text.utf8), chunk: chunk, limits: ReadingLimits(blockSize: block))
      #expect(outcome.reading.rejected == 0)
      let found = outcome.orders.map { order in
        [
          order.text(order.row.orderID), order.text(order.row.userID), order.terms.sku,
          order.text(order.row.appAccountToken),
        ]
      }
      #expect(found == expected)
    }
  }

  /// Three spellings of the same terms are the same terms, whose rows add up.
  @Test func quotedAndPlainTermsAreOneValue() throws {
    let outcome = try read(
      """
      order_id,sku,status,placed_at,unit_price,currency
      1,a,paid,1685577600,1.50,CNY
      2,"a",paid,1685577600,1.50,"CNY"
      3, a ,paid,1685577600,1.5,CNY
      """)
    #expect(Set(outcome.blocks[0].newOrderTerms).count == 1)
    #expect(outcome.orders.map(\.row.terms) == [0, 1, 2])
    #expect(outcome.orders.allSatisfy { $0.terms == outcome.orders[0].terms })
    #expect(outcome.reading.totals.map(\.units) == [3])
  }

  /// A comma inside a value does not make two different rows look alike.
  @Test func dividersAreNotData() throws {
    let outcome = try read(
      """
      order_id,sku,channel,status,placed_at
      1,"a,b",c,paid,1685577600
      2,a,"b,c",paid,1685577600
      3,"a,b",c,paid,1685577600
      """)
    #expect(outcome.orders.map(\.terms.sku) == ["a,b", "a", "a,b"])
    #expect(outcome.orders.map(\.row.terms) == [0, 1, 0])
  }

  @Test func manyDistinctTermsKeepTheirCodes() throws {
    var text = "order_id,sku,status,placed_at\n"
    for index in 0..<5000 { text += "\(index),sku-\(index % 2500),paid,1685577600\n" }
    let outcome = try read(Array(text.utf8), limits: ReadingLimits(rowsPerBlock: 700))
    #expect(outcome.orders.map(\.terms.sku) == (0..<5000).map { "sku-\($0 % 2500)" })
    #expect(outcome.blocks.reduce(0) { $0 + $1.newOrderTerms.count } == 2500)
  }
}
