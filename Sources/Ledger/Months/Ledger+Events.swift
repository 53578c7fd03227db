package import Billing
import GRDB

extension Ledger {
  /// Calls `event` on each event of the range; of those that several files have alike, only on as
  /// many as the file has that has most of them. Of other times only what shares a block with them
  /// is read.
  ///
  /// - Parameter begin: is called before with all terms, which events name by their index; where no
  ///   block has rows of these times, nothing is called.
  package func forEachEvent(
    in range: ClosedRange<Instant>, begin: ([PurchaseEventTerms]) -> Void,
    event: (PurchaseEventEntry) -> Void
  ) throws {
    try read { db in
      let times = range.lowerBound.seconds...range.upperBound.seconds
      let slices = try TimeSlice.slices(of: times, .events, db)
      if slices.isEmpty { return }
      let all = try TermsDictionary<PurchaseEventTerms>.all(db)
      // Of a large dictionary equal terms may have several numbers.
      var first: [PurchaseEventTerms: Int] = [:]
      let same = all.enumerated().map { index, terms in
        let known = first[terms] ?? index
        first[terms] = known
        return known
      }
      first = [:]
      begin(all)
      for slice in slices {
        let shared = slice.shared
        var copies = RowCopies()
        for source in slice.sources {
          copies.beginFile()
          let ranges = try RowRanges(.events, touching: slice.times, of: [source], db)
          try ranges.forEach(db, Self.eventColumns, from: .events) { row in
            guard slice.times.contains(row.int64(2)) else { return }
            let entry = PurchaseEventEntry(
              terms: same[Int(row.int32(1)) - 1], at: row.int64(2),
              duration: row.isNull(3) ? nil : row.int64(3), order: row.key(4),
              transaction: row.key(5), user: row.key(6))
            if shared?.contains(entry.at) == true, copies.isCopy(entry.digest) { return }
            event(entry)
          }
        }
      }
    }
  }

  /// The events that name one of the orders or transactions, ascending by row; where a key stands
  /// for several ids, those of others may be among them.
  package func events(
    ofOrders orders: [String], transactions: [String]
  ) throws -> [PurchaseEventRow.ID] {
    /// The raw keys by which ids are looked up, ascending, each once.
    func keys(_ ids: [String]) -> [UInt64] {
      ids.map { IDKey($0).raw }.filter { $0 > 0 }.sortedOnce()
    }
    // Nothing is outside of the one moment before all.
    let none = Int64.min...Int64.min
    return try read { db in
      try
        (IDLookup.rows(.eventOrder, keys: keys(orders), outside: none, db)
        + IDLookup.rows(.eventTransaction, keys: keys(transactions), outside: none, db))
        .sortedOnce()
    }
  }

  private static let eventColumns = "terms_id, at, duration_ms, order_id, transaction_id, user_id"
}

extension PurchaseEventEntry {
  /// A digest of all that it says.
  fileprivate var digest: UInt64 {
    let parts = (
      UInt64(terms), at, duration ?? -1, order.raw, transaction.raw, user.raw
    )
    return withUnsafeBytes(of: parts) { hash64($0) }
  }
}
