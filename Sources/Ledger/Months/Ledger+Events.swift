package import Billing
import GRDB

extension Ledger {
  /// Calls `event` on each event of the range, of those that several files tell alike only on as
  /// many as the file has that has most of them; before, `begin` with what they point into. Of
  /// other times only what shares a block with them is read; where no block does, nothing is
  /// called.
  package func forEachEvent(
    in range: ClosedRange<Instant>, begin: ([PurchaseEventTerms]) -> Void,
    event: (PurchaseEventEntry) -> Void
  ) throws {
    try read { db in
      let times = range.lowerBound.seconds...range.upperBound.seconds
      let slices = try EventSlice.slices(of: times, db)
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
        var copies = slice.sources.count > 1 ? EventCopies() : nil
        for source in slice.sources.sorted() {
          copies?.beginFile()
          let ranges = try RowRanges(.events, touching: slice.times, of: [source], db)
          try ranges.forEach(db, Self.eventColumns, from: .events) { row in
            guard slice.times.contains(row.int64(2)) else { return }
            let entry = PurchaseEventEntry(
              terms: same[Int(row.int32(1)) - 1], at: row.int64(2),
              duration: row.isNull(3) ? nil : row.int64(3), order: row.key(4),
              transaction: row.key(5), user: row.key(6))
            if copies?.isCopy(entry) != true { event(entry) }
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

/// A part of a period, so short that what its files tell can be held against each other.
private struct EventSlice {
  var times: ClosedRange<Int64>
  /// Files that have events near it.
  var sources: Set<Int64> = []

  private static let length: Int64 = 86_400

  /// The days of the range that files may have events of, one after another; the whole range at
  /// once where files are in no order of time, so that none is read again for every day.
  static func slices(of range: ClosedRange<Int64>, _ db: Database) throws -> [EventSlice] {
    let select = try RawStatement(
      db,
      """
      SELECT source_id, first_at, last_at FROM \(blockTimes)
      WHERE kind = 'events' AND first_at <= ? AND last_at >= ?
      """)
    select.bind(range.upperBound, at: 1)
    select.bind(range.lowerBound, at: 2)
    let count = Int((range.upperBound - range.lowerBound) / length) + 1
    var sources: [Set<Int64>] = Array(repeating: [], count: count)
    var (blocks, reads) = (0, 0)
    while try select.step() {
      let from = max(select.int64(1), range.lowerBound) - range.lowerBound
      let to = min(select.int64(2), range.upperBound) - range.lowerBound
      let days = Int(from / length)...Int(to / length)
      for day in days { sources[day].insert(select.int64(0)) }
      blocks += 1
      reads += days.count
    }
    let all = sources.reduce(into: Set()) { $0.formUnion($1) }
    if all.count < 2 || reads > 3 * blocks + count {
      return all.isEmpty ? [] : [EventSlice(times: range, sources: all)]
    }
    return sources.indices.filter { !sources[$0].isEmpty }.map { day in
      let start = range.lowerBound + Int64(day) * length
      return EventSlice(
        times: start...min(start + length - 1, range.upperBound), sources: sources[day])
    }
  }
}

/// How often each event was told, in one file after another.
private struct EventCopies {
  private var told: [UInt64: Int32] = [:]
  private var own: [UInt64: Int32] = [:]

  /// What the last file told counts from now on.
  mutating func beginFile() {
    told.merge(own) { max($0, $1) }
    own = [:]
  }

  /// Whether earlier files told as many like it as this one until now.
  mutating func isCopy(_ event: PurchaseEventEntry) -> Bool {
    let parts = (
      UInt64(event.terms), event.at, event.duration ?? -1, event.order.raw, event.transaction.raw,
      event.user.raw
    )
    let key = withUnsafeBytes(of: parts) { hash64($0) }
    let count = (own[key] ?? 0) + 1
    own[key] = count
    return count <= told[key] ?? 0
  }
}
