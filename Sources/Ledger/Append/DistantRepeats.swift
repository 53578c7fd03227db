import Billing
import GRDB

/// Orders of one file that earlier rows of other times have with other content.
package struct DistantRepeats: Sendable {
  /// As given to `import`.
  package var file: String
  package var repeated: RepeatedRows
}

extension Ledger {
  /// The number of the newest run of ids, from which on ``distantRepeats(after:pagesAtOnce:)``
  /// looks; 0 where there is none.
  package func lastIDRun() throws -> Int64 {
    try read { try Int64.fetchOne($0, sql: "SELECT ifnull(max(id), 0) FROM id_run")! }
  }

  /// Orders of newly imported files whose ids rows of quite other times have too, file by file in
  /// the order of names: those of the same time are compared when their file is read.
  ///
  /// It goes through the ids of all orders at most twice, whatever the number of files, and holds
  /// some millions of the new ones at a time. Each new row is held against the row before it alone,
  /// as that was against its own: shops that number their orders anew each day stay linear.
  ///
  /// - Parameters:
  ///   - run: the newest run of ids before these files were imported.
  ///   - pagesAtOnce: pages of new ids that are held at a time.
  package func distantRepeats(
    after run: Int64, pagesAtOnce: Int = 8192
  ) throws -> [DistantRepeats] {
    try read { db in
      let runs = try OrderRuns(db, pagesAtOnce: pagesAtOnce)
      let pairs = try runs.apartPairs(after: run, db)
      if pairs.isEmpty { return [] }
      let files = try RawStatement(
        db,
        """
        SELECT last_row, file FROM source WHERE kind = 'orders' AND first_row IS NOT NULL
        ORDER BY first_row
        """)
      var byFile: [String: [(old: Int32, new: Int32)]] = [:]
      var isInFile = try files.step()
      for pair in pairs.sorted(by: { $0.new < $1.new }) {
        while isInFile, files.int64(0) < pair.new { isInFile = try files.step() }
        if isInFile { byFile[files.text(1), default: []].append(pair) }
      }
      return try byFile.sorted { $0.key < $1.key }.map { file, pairs in
        DistantRepeats(
          file: file, repeated: try RepeatSearch.orders(pairs, db))
      }
    }
  }
}

/// All runs of orders' ids.
private struct OrderRuns {
  private struct Entry {
    var key: UInt64
    var row: Int32
    var run: Int32
  }

  private var runs: [StoredRun] = []
  private let pagesAtOnce: Int

  /// Finds all runs of orders' ids; their pages are read later.
  ///
  /// - Parameter pagesAtOnce: how many pages of new ids are held in memory at a time.
  init(_ db: Database, pagesAtOnce: Int) throws {
    self.pagesAtOnce = pagesAtOnce
    let select = try RawStatement(
      db, "SELECT \(StoredRun.columns) FROM id_run WHERE key = ? ORDER BY id")
    select.bind(IDColumn.order.rawValue, at: 1)
    while try select.step() { runs.append(try StoredRun(select)) }
  }

  /// Pairs of rows that have the same id in runs whose times do not touch.
  ///
  /// - Parameter last: the number of a run; the newer row of a pair is in one that came after it.
  func apartPairs(after last: Int64, _ db: Database) throws -> [(old: Int32, new: Int32)] {
    let new = runs.indices.filter { runs[$0].id > last }
    guard !new.isEmpty, runs.count > 1 else { return [] }
    let fences = new.flatMap { runs[$0].fences }.sorted()
    var bounds = stride(from: 0, to: fences.count, by: pagesAtOnce).map { fences[$0] }
    bounds[0] = 0
    let touching = runsThatTouch(new)
    let others = runs.indices.filter { !touching.contains($0) }
    var pairs: [(old: Int32, new: Int32)] = []
    let pages = try RawStatement(db, StoredRun.pageQuery)
    for (place, lower) in bounds.enumerated() {
      let keys = lower..<(place + 1 < bounds.count ? bounds[place + 1] : .max)
      // Two runs that touch are never apart.
      if keys.isEmpty || pageCount(others, keys) == 0 { continue }
      let filter = try filter(others, besides: touching, keys, pages)
      var mine: [Entry] = []
      for index in new {
        let isApart = !touching.contains(index)
        try read(index, keys, pages) { entry in
          if isApart || filter?.mayHave(entry.key) ?? true { mine.append(entry) }
        }
      }
      mine.sort { ($0.key, $0.row) < ($1.key, $1.row) }
      var before = [Int32?](repeating: nil, count: mine.count)
      for index in runs.indices where runs[index].id <= last {
        var first = 0
        try read(index, keys, pages) { entry in
          while first < mine.count, mine[first].key < entry.key { first += 1 }
          if first < mine.count, mine[first].key == entry.key, areApart(entry, mine[first]) {
            before[first] = entry.row
          }
        }
      }
      for place in mine.indices {
        if place > 0, mine[place].key == mine[place - 1].key, areApart(mine[place - 1], mine[place])
        {
          before[place] = mine[place - 1].row
        }
        if let old = before[place] { pairs.append((old, mine[place].row)) }
      }
    }
    return pairs
  }

  /// Chooses new runs, the largest first, whose times all overlap one another, as those of an
  /// export in no order of time do: what is apart in time from a row of these is in another run.
  ///
  /// - Parameter new: indexes of the new runs in ``runs``.
  /// - Returns: such indexes.
  private func runsThatTouch(_ new: [Int]) -> Set<Int> {
    var touching: Set<Int> = []
    var common: ClosedRange<Int64>?
    for index in new.sorted(by: { runs[$0].fences.count > runs[$1].fences.count }) {
      let span = runs[index].span
      guard common?.overlaps(span) ?? true else { continue }
      common = common.map { span.clamped(to: $0) } ?? span
      touching.insert(index)
    }
    return touching
  }

  /// How many pages of the runs with these indexes may have keys of a range.
  private func pageCount(_ indexes: some Sequence<Int>, _ keys: Range<UInt64>) -> Int {
    indexes.reduce(0) { $0 + runs[$1].pages(keys).count }
  }

  /// A filter of the keys, within a range, that the runs `others` have; nil where reading these
  /// runs twice would cost more than holding all keys of the runs `touching`.
  ///
  /// - Parameters:
  ///   - others: indexes of runs in ``runs``, as `touching`.
  ///   - select: a statement of ``StoredRun/pageQuery``.
  private func filter(
    _ others: [Int], besides touching: Set<Int>, _ keys: Range<UInt64>,
    _ select: borrowing RawStatement
  ) throws -> KeyFilter? {
    let count = pageCount(others, keys)
    if count >= pageCount(touching, keys) { return nil }
    var filter = KeyFilter(room: count * IDRun.pageLimit)
    for index in others { try read(index, keys, select) { filter.add($0.key) } }
    return filter
  }

  /// Whether the times of the runs of two entries do not touch.
  private func areApart(_ old: Entry, _ new: Entry) -> Bool {
    !runs[Int(old.run)].span.overlaps(runs[Int(new.run)].span)
  }

  /// Calls `body` with each entry of a run, by its index, that has a key of a range; ascending by
  /// key.
  ///
  /// - Parameter select: a statement of ``StoredRun/pageQuery``.
  private func read(
    _ index: Int, _ keys: Range<UInt64>, _ select: borrowing RawStatement, _ body: (Entry) -> Void
  ) throws {
    for page in runs[index].pages(keys) {
      let entries = try runs[index].entries(ofPage: page, select)
      for entry in entries where keys.contains(entry.key) {
        body(Entry(key: entry.key, row: entry.row, run: Int32(truncatingIfNeeded: index)))
      }
    }
  }
}

extension StoredRun {
  /// The pages that may have keys of a range.
  fileprivate func pages(_ keys: Range<UInt64>) -> Range<Int> {
    guard keys.lowerBound <= lastKey, let first = fences.first, keys.upperBound > first else {
      return 0..<0
    }
    let begin = max(fences.partitioningIndex { $0 >= keys.lowerBound } - 1, 0)
    return begin..<max(fences.partitioningIndex { $0 >= keys.upperBound }, begin)
  }
}

/// Tells of keys that it does not have them; of a few it says in vain that it may.
private struct KeyFilter {
  private var bits: [UInt64]
  private let shift: Int

  /// Makes a filter for so many keys.
  init(room: Int) {
    let width = max(Int.bitWidth - (room * 8).leadingZeroBitCount, 6)
    bits = Array(repeating: 0, count: 1 << (width - 6))
    shift = 64 - width
  }

  /// The bit that stands for a key, and the word that has it: the top bits of a product that hangs
  /// on all bits of the key, 2⁶⁴ by the golden ratio.
  private func place(of key: UInt64) -> (word: Int, bit: UInt64) {
    let number = (key &* 0x9E37_79B9_7F4A_7C15) >> shift
    return (Int(number >> 6), 1 << (number & 63))
  }

  /// Sets the bit that stands for a key.
  mutating func add(_ key: UInt64) {
    let place = place(of: key)
    bits[place.word] |= place.bit
  }

  /// Whether a key may have been added; false for one that certainly was not.
  func mayHave(_ key: UInt64) -> Bool {
    let place = place(of: key)
    return bits[place.word] & place.bit != 0
  }
}
