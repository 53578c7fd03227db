package import Billing

extension MatchTable {
  /// Orders of other channels than Apple's, placed from the first instant up to, not including, the
  /// last: their terms, and how many orders have them.
  package func channelOrders(placed: Range<Instant>) -> [(terms: OrderTerms, orders: Int)] {
    guard isApple.contains(false) else { return [] }
    var counts: [Int32: Int] = [:]
    for (index, order) in orders.enumerated()
    where !isApple[Int(order.terms)] && transactionOf[index] != .merged
      && placed.contains(Instant(seconds: Int64(order.placedAt)))
    {
      counts[order.terms, default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { (orderTerms[Int($0.key)], $0.value) }
  }
}
