package import Billing
import GRDB

extension Ledger {
  /// Transaction ids that orders name and that the last reconciliation of a period that has `day`
  /// took to stand for nothing; chosen as that of ``recordedClocks(on:)``.
  package func recordedRepeatedIDs(on day: Day) throws -> [IDKey] {
    let named = try read { db -> [[String]] in
      guard let run = try Self.run(on: day, db) else { return [] }
      let found = try Int64.fetchAll(
        db,
        sql: """
          SELECT f.number FROM finding_run r
            JOIN finding f ON f.number >= r.first_finding AND f.number < r.end_finding
          WHERE r.id = ? AND f.code = ? ORDER BY f.number
          """, arguments: [run.id, FindingCode.idRepeated.rawValue])
      return try found.map { number in
        try String.fetchAll(
          db, sql: "SELECT order_id FROM finding_order WHERE finding = ?", arguments: [number])
      }
    }
    return try named.compactMap { orders in
      // Orders of other apps may have the same ids: what most of them name is the one.
      let rows = try self.orders(
        keys: orders.map { IDKey($0) }, claiming: [],
        outside: Instant(seconds: -2)...Instant(seconds: -1))
      let counts = Dictionary(grouping: rows.map(\.transaction).filter { !$0.isNone }) { $0 }
      return counts.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.key
    }
  }
}
