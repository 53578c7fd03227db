package import Billing
import GRDB

extension Ledger {
  /// The terms of orders of other channels, and how many orders have them, placed from the first
  /// instant up to, not including, the last. Of an order that several files have, the furthest
  /// status counts.
  package func channelOrders(placed: Range<Instant>) throws -> [(terms: OrderTerms, orders: Int)] {
    try read { db in
      let terms = try sharedSKUs(db).named(TermsDictionary<OrderTerms>.all(db))
      let furthest = try Self.furthestTerms(terms, placed: placed, db)
      var counts: [Int: Int] = [:]
      for index in furthest.values { counts[index, default: 0] += 1 }
      return counts.sorted { $0.key < $1.key }.map { (terms[$0.key], $0.value) }
    }
  }

  /// For each order of another channel, by its id's key, the index among `terms` of those with the
  /// furthest status.
  private static func furthestTerms(
    _ terms: [OrderTerms], placed: Range<Instant>, _ db: Database
  ) throws -> [IDKey: Int] {
    guard terms.contains(where: { !$0.isApple }) else { return [:] }
    let times = placed.lowerBound.seconds...(placed.upperBound.seconds - 1)
    var furthest: [IDKey: Int] = [:]
    let ranges = try RowRanges(.orders, touching: times, db)
    try ranges.forEach(db, "terms_id, order_id, placed_at", from: .orders) { row in
      let index = Int(row.int64(1)) - 1
      guard !terms[index].isApple, times.contains(row.int64(3)) else { return }
      let key = row.key(2)
      if let known = furthest[key], terms[known].status >= terms[index].status { return }
      furthest[key] = index
    }
    return furthest
  }
}
