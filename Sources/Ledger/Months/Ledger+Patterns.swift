package import Billing
import GRDB

extension Ledger {
  /// How many orders placed in the range each of `users` has: one pass over the rows of the blocks
  /// that touch it.
  package func orderCounts(ofUsers users: [String], placed: ClosedRange<Instant>) throws
    -> [String: Int]
  {
    let names = Dictionary(
      users.map { (IDKey($0).raw, $0) }, uniquingKeysWith: { first, _ in first })
    var counts = Dictionary(users.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
    let times = placed.lowerBound.seconds...placed.upperBound.seconds
    try read { db in
      let ranges = try RowRanges(.orders, touching: times, db)
      try ranges.forEach(db, "placed_at, user_id", from: .orders) { row in
        guard let name = names[row.key(2).raw], times.contains(row.int64(1)) else { return }
        counts[name]! += 1
      }
    }
    return counts
  }

  /// The name and the first row of each file whose rows are in a table, ascending.
  package func firstRows<Table>(
    of table: FactRowTable<Table>
  ) throws -> [(firstRow: RowID<Table>, name: String)] {
    try read { try FileOfRow(table, $0).files }
  }
}
