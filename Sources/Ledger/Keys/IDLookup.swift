import Billing
import GRDB

/// Finds the rows of ids anywhere in the ledger.
enum IDLookup {
  /// The rows whose id in the index's column is one of `keys`, in no order. Runs whose rows all lie
  /// inside `outside`, or all outside `touching`, are not looked at; of the others, any row may be
  /// among those returned.
  ///
  /// - Parameters:
  ///   - keys: ascending, none twice, without the key of no id.
  ///   - outside: seconds since 1970; so is `touching`.
  static func rows<Table>(
    _ index: IDIndex<Table>, keys: [UInt64], outside: ClosedRange<Int64>,
    touching: ClosedRange<Int64> = Int64.min...Int64.max, _ db: Database
  ) throws -> [RowID<Table>] {
    try entries(index.column, keys: keys, outside: outside, touching: touching, db).map {
      RowID($0.row)
    }
  }

  /// Finds, of the ids of a run, those that rows in stored runs have too: each with the last such
  /// row, ascending by key.
  ///
  /// - Parameters:
  ///   - entries: the run's, ascending by key.
  ///   - span: only stored runs are looked at whose times, in seconds since 1970, touch these.
  static func last(
    _ column: IDColumn, of entries: [IDEntry], span: ClosedRange<Int64>, _ db: Database
  ) throws -> [IDEntry] {
    let touches = try RawStatement(
      db,
      "SELECT EXISTS (SELECT 1 FROM id_run WHERE key = ? AND first_at <= ? AND last_at >= ?)")
    touches.bind(column.rawValue, at: 1)
    touches.bind(span.upperBound, at: 2)
    touches.bind(span.lowerBound, at: 3)
    guard try touches.step(), touches.int64(0) == 1 else { return [] }
    var keys: [UInt64] = []
    keys.reserveCapacity(entries.count)
    for entry in entries where entry.key != keys.last { keys.append(entry.key) }
    // Nothing is outside of the one moment before all.
    var found = try Self.entries(
      column, keys: keys, outside: Int64.min...Int64.min, touching: span, db)
    found.sort { ($0.key, $0.row) < ($1.key, $1.row) }
    return found.indices.filter {
      $0 + 1 == found.count || found[$0 + 1].key != found[$0].key
    }.map { found[$0] }
  }

  /// The entries of `keys` in the stored runs of a column, run after run.
  ///
  /// - Parameters:
  ///   - keys: ascending, none twice, none 0.
  ///   - outside: runs whose rows all lie inside are left out; seconds since 1970.
  ///   - touching: runs whose rows all lie outside are left out.
  private static func entries(
    _ column: IDColumn, keys: [UInt64], outside: ClosedRange<Int64>, touching: ClosedRange<Int64>,
    _ db: Database
  ) throws -> [IDEntry] {
    guard let smallest = keys.first, let largest = keys.last else { return [] }
    precondition(smallest > 0)
    let runs = try RawStatement(
      db,
      """
      SELECT \(StoredRun.columns) FROM id_run
      WHERE key = ?1 AND NOT (first_at >= ?2 AND last_at <= ?3)
        AND first_at <= ?5 AND last_at >= ?4 AND \(countedOut)
      ORDER BY id
      """)
    runs.bind(column.rawValue, at: 1)
    runs.bind(outside.lowerBound, at: 2)
    runs.bind(outside.upperBound, at: 3)
    runs.bind(touching.lowerBound, at: 4)
    runs.bind(touching.upperBound, at: 5)
    let pages = try RawStatement(db, StoredRun.pageQuery)
    var found: [IDEntry] = []
    found.reserveCapacity(keys.count)
    while try runs.step() {
      let run = try StoredRun(runs)
      guard smallest <= run.lastKey, largest >= run.fences[0] else { continue }
      var merge = PageMerge(keys: keys)
      merge.skip(to: run.fences[0])
      while let page = merge.nextPage(of: run) {
        merge.appendMatches(of: try run.entries(ofPage: page, pages), to: &found)
      }
    }
    return found
  }
}

/// Walks ascending keys along the ascending pages of one run.
private struct PageMerge {
  let keys: [UInt64]
  /// The first key whose entries may lie on later pages.
  private var next = 0
  /// The first page that was not looked at.
  private var page = 0

  init(keys: [UInt64]) { self.keys = keys }

  /// Leaves out the keys below `key`.
  mutating func skip(to key: UInt64) {
    next = firstIndex(in: next..<keys.count) { keys[$0] >= key }
  }

  /// The index of the next page that may have an entry of a key, nil when there is none.
  mutating func nextPage(of run: StoredRun) -> Int? {
    let count = run.fences.count
    guard next < keys.count, keys[next] <= run.lastKey, page < count else { return nil }
    // Entries of one key may begin on the page before the first page that starts with it.
    let beyond = firstIndex(in: page..<count) { run.fences[$0] >= keys[next] }
    let found = max(page, beyond - 1)
    page = found + 1
    return found
  }

  /// Appends to `found` those entries of a page, ascending by key, that have one of the keys.
  mutating func appendMatches(of entries: [IDEntry], to found: inout [IDEntry]) {
    var index = 0
    while next < keys.count, index < entries.count {
      let key = keys[next]
      if entries[index].key < key {
        index = firstIndex(in: index..<entries.count) { entries[$0].key >= key }
      } else if entries[index].key > key {
        skip(to: entries[index].key)
      } else {
        found.append(entries[index])
        index += 1
      }
    }
  }
}

/// The first index for which `holds` is true, as it is for all from there on; the end of the range
/// where it is true for none. Looks near the start first, in steps of doubling width.
private func firstIndex(in range: Range<Int>, where holds: (Int) -> Bool) -> Int {
  var low = range.lowerBound
  var step = 1
  while low + step < range.upperBound, !holds(low + step) {
    low += step
    step *= 2
  }
  return (low..<min(low + step, range.upperBound)).partitioningIndex(where: holds)
}
