package import Billing
import GRDB

extension Ledger {
  /// The times of all movements of coins that are loaded, as seconds since 1970; nil without any.
  package func coinMovementTimes() throws -> ClosedRange<Int64>? {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT min(first_at), max(last_at) FROM \(blockTimes) WHERE kind = 'coin_movements'
        """)
      guard try select.step(), !select.isNull(0) else { return nil }
      return select.int64(0)...max(select.int64(0), select.int64(1))
    }
  }

  /// The coins that movements name, ascending; empty is one without a name.
  package func coinNames() throws -> [String] {
    try read { db in
      Set(try TermsDictionary<CoinMovementTerms>.all(db).map(\.coin)).sorted()
    }
  }

  /// Whether some row of the ledger fills each of the columns that checks of coins need.
  package func toldOfCoins() throws -> ToldOfCoins {
    try read { db in
      /// Whether a query with this text after `FROM` gives any row.
      func has(_ rows: String) throws -> Bool {
        let select = try RawStatement(db, "SELECT EXISTS (SELECT 1 FROM \(rows))")
        return try select.step() && select.int64(0) == 1
      }
      // Movements without users are sums of days, which are few.
      return ToldOfCoins(
        sold: try has("product WHERE coins IS NOT NULL")
          || has("order_terms WHERE coins IS NOT NULL"),
        origins: try has("coin_movement_terms WHERE origin IS NOT NULL"),
        users: try has("coin_movement_row WHERE user_id IS NOT NULL"),
        channels: Set(
          try TermsDictionary<OrderTerms>.all(db).filter { !$0.isApple }.map(\.channel)
        ).sorted())
    }
  }

  /// All terms of movements of coins; movements name them by their index.
  package func coinMovementTerms() throws -> [CoinMovementTerms] {
    try read { try TermsDictionary<CoinMovementTerms>.all($0) }
  }

  /// Calls `movement` on each movement of the range (seconds since 1970), file after file and each
  /// in its order. Of those that several files have alike, it is called on as many as the file has
  /// that has most of them; what names an order or a transaction counts once, however often a file
  /// has it word for word. Sums of a day that a later file has again are that file's.
  ///
  /// - Parameter begin: is called before with all terms, which movements name by their index; where
  ///   no block has rows of these times, nothing is called.
  package func forEachCoinMovement(
    in times: ClosedRange<Int64>, begin: ([CoinMovementTerms]) -> Void,
    movement: (CoinMovementEntry) -> Void
  ) throws {
    try read { db in
      let slices = try TimeSlice.slices(of: times, .coinMovements, divides: true, db)
      if slices.isEmpty { return }
      let all = try TermsDictionary<CoinMovementTerms>.all(db)
      let same = Self.firstOfEqual(all)
      begin(all)
      for slice in slices {
        let shared = slice.shared
        var copies = RowCopies()
        let summed = try shared.map { try Self.summed(slice, $0, same, db) } ?? [:]
        for source in slice.sources {
          copies.beginFile()
          let ranges = try RowRanges(.coinMovements, touching: slice.times, of: [source], db)
          try ranges.forEach(db, Self.coinColumns, from: .coinMovements) { row in
            guard slice.times.contains(row.int64(2)) else { return }
            let entry = CoinMovementEntry(reading: row, same)
            if entry.namesPurchase, copies.isRepeated(entry.digest) { return }
            if shared?.contains(entry.at) == true {
              if entry.isSum {
                if summed[entry.sumDigest] != source { return }
              } else if copies.isCopy(entry.digest) {
                return
              }
            }
            movement(entry)
          }
        }
      }
    }
  }

  /// For each day's sum of coins that several files may have, the number of the file whose sum
  /// counts: the one imported last. By a digest of what it is a sum of (`sumDigest`).
  ///
  /// - Parameters:
  ///   - slice: the files that are read.
  ///   - shared: times that two files of the slice have rows near; seconds since 1970.
  ///   - same: for each of the terms the first index of equal ones.
  private static func summed(
    _ slice: TimeSlice, _ shared: ClosedRange<Int64>, _ same: [Int32], _ db: Database
  ) throws -> [UInt64: Int64] {
    var latest: [UInt64: Int64] = [:]
    for source in slice.sources.sorted() {
      let ranges = try RowRanges(.coinMovements, touching: shared, of: [source], db)
      try ranges.forEach(db, coinColumns, from: .coinMovements) { row in
        guard row.isNull(5), row.isNull(6), row.isNull(7), shared.contains(row.int64(2)) else {
          return
        }
        latest[CoinMovementEntry(reading: row, same).sumDigest] = source
      }
    }
    return latest
  }

  /// When the openings begin that count for what follows `limit`: those of the last day that has
  /// any, and of the two days before it, because one night's export may name two dates. Seconds
  /// since 1970; nil where there are none.
  ///
  /// - Parameters:
  ///   - limit: seconds since 1970; later openings are of users who came later.
  ///   - moment: when a row happened, by its time and whether that is only a day.
  package func lastOpening(
    until limit: Int64, moment: (Int64, Bool) -> Int64
  ) throws -> Int64? {
    try read { db in
      let all = try TermsDictionary<CoinMovementTerms>.all(db)
      let isOpening = all.map { $0.movement == .opening }
      guard isOpening.contains(true) else { return nil }
      var earliest: [Int64: Int64] = [:]
      let ranges = try RowRanges(.coinMovements, touching: .min...limit + 2 * 86_400, db)
      try ranges.forEach(db, "terms_id, at, is_day", from: .coinMovements) { row in
        guard isOpening[Int(row.int32(1)) - 1] else { return }
        let at = moment(row.int64(2), row.int64(3) == 1)
        if at > limit { return }
        earliest[at / 86_400] = min(earliest[at / 86_400] ?? .max, at)
      }
      guard let last = earliest.keys.max() else { return nil }
      return earliest.filter { $0.key >= last - 2 }.values.min()
    }
  }

  /// Calls `balance` on each balance of the days. Of several balances of a user, coin and day the
  /// one imported last comes last.
  package func forEachCoinBalance(
    on days: ClosedRange<Day>,
    _ balance: (CoinBalanceEntry) -> Void
  ) throws {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT first_row, last_row FROM \(BlockTables.coinBalances.table.blocks)
        WHERE first_day <= ? AND last_day >= ? ORDER BY first_row
        """, Int64(days.upperBound.number), Int64(days.lowerBound.number))
      let columns = ["day", "paid", "free", "user_id", "coin"]
      let rows = try BlockScan(db, columns, of: .coinBalances)
      while try select.step() {
        try rows.forEach(select.int64(0)...select.int64(1)) { row in
          guard days.contains(row.day(1)) else { return }
          balance(
            CoinBalanceEntry(
              row: row.id(), day: row.day(1), user: row.key(4), coin: row.text(5),
              paid: row.int64(2), free: row.int64(3)))
        }
      }
    }
  }

  /// The items of the game, which coins buy; of an item that several files have, the last one's.
  package func gameItems() throws -> [GameItem] {
    try read { try Self.gameItems($0) }
  }

  /// The users that orders name, in the order of `rows`; an empty key for an order that names none.
  package func users(ofOrders rows: [OrderRow.ID]) throws -> [IDKey] {
    guard let first = rows.min(), let last = rows.max() else { return [] }
    let wanted = Set(rows)
    var users: [OrderRow.ID: IDKey] = [:]
    try read { db in
      try BlockScan(db, ["user_id"], of: .orders).forEach(
        Int64(first.number)...Int64(last.number)
      ) { row in
        let id: OrderRow.ID = row.id()
        if wanted.contains(id) { users[id] = row.key(1) }
      }
    }
    return rows.map { users[$0] ?? .none }
  }

  /// After `id`.
  private static let coinColumns =
    "terms_id, at, is_day, coins, user_id, order_id, transaction_id"

  /// For each of the terms the index of the first that are equal: in a large dictionary equal terms
  /// may have several numbers.
  private static func firstOfEqual(_ all: [CoinMovementTerms]) -> [Int32] {
    var first: [CoinMovementTerms: Int32] = [:]
    return all.enumerated().map { index, terms in
      let known = first[terms] ?? Int32(index)
      first[terms] = known
      return known
    }
  }
}

/// Columns that checks of coins need: whether any row fills them.
package struct ToldOfCoins: Sendable {
  /// How many coins products or orders are for.
  package var sold: Bool
  /// Whether coins of movements were paid for.
  package var origins: Bool
  /// Whose coins moved.
  package var users: Bool
  /// Beside Apple's, those that orders name, ascending.
  package var channels: [String]
}

extension CoinMovementEntry {
  /// The movement of a row of `coinColumns`.
  ///
  /// - Parameter same: for each of the terms the first index of equal ones.
  @inline(__always)
  fileprivate init(reading row: ScannedRow, _ same: [Int32]) {
    self.init(
      terms: same[Int(row.int32(1)) - 1], isDay: row.int64(3) == 1, at: row.int64(2),
      coins: row.int64(4), user: row.key(5), order: row.key(6), transaction: row.key(7),
      row: row.id())
  }

  /// Whether it is a day's sum: it names no user, order or transaction.
  fileprivate var isSum: Bool { user.isNone && !namesPurchase }

  fileprivate var namesPurchase: Bool { !order.isNone || !transaction.isNone }

  /// A digest of all that it says.
  fileprivate var digest: UInt64 {
    let parts = (
      Int64(terms) << 1 | (isDay ? 1 : 0), at, coins, order.raw, transaction.raw, user.raw
    )
    return withUnsafeBytes(of: parts) { hash64($0) }
  }

  /// A digest of what it is a sum of: its terms and its time.
  fileprivate var sumDigest: UInt64 { withUnsafeBytes(of: (Int64(terms), at)) { hash64($0) } }
}
