import Billing
import Ledger
import Support
import Testing

/// Goal: orders of other channels are counted once each, at their furthest status. Method: two
/// files that tell of some orders twice.
struct ChannelOrderTests {
  private func order(_ id: String, _ status: OrderStatus, _ channel: String, at placed: Int64)
    -> OrderFact
  {
    OrderFact(
      id: id, placed: placed,
      terms: OrderTerms(
        sku: "gems.60", status: status, unitPrice: 6_000_000, currency: Currency("CNY"),
        channel: channel, coins: 600))
  }

  @Test func eachOrderCountsOnce() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    var first = BlockMaker()
    let early = [
      order("A", .created, "web", at: 100), order("B", .fulfilled, "web", at: 150),
      order("C", .fulfilled, "apple", at: 150), order("D", .fulfilled, "", at: 150),
      order("E", .paid, "web", at: 200), order("F", .paid, "web", at: 99),
    ]
    _ = try ledger.load("a.csv", .orders, [first.block(early)])
    var second = BlockMaker()
    let late = [
      order("A", .fulfilled, "web", at: 100), order("B", .paid, "web", at: 150),
      order("G", .cancelled, "web", at: 199), order("H", .paid, "steam", at: 120),
    ]
    _ = try ledger.load("b.csv", .orders, [second.block(late)])
    let found = try ledger.channelOrders(placed: Instant(seconds: 100)..<Instant(seconds: 200))
    let counts = Dictionary(
      uniqueKeysWithValues: found.map { ("\($0.terms.channel) \($0.terms.status.name)", $0.orders) }
    )
    #expect(counts == ["web fulfilled": 2, "web cancelled": 1, "steam paid": 1])
  }

  @Test func withoutOthersThereAreNone() throws {
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    var maker = BlockMaker()
    _ = try ledger.load("a.csv", .orders, [maker.block([order("A", .paid, "apple", at: 5)])])
    let found = try ledger.channelOrders(placed: Instant(seconds: 0)..<Instant(seconds: 9))
    #expect(found.isEmpty)
  }
}
