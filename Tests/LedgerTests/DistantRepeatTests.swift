import Billing
import Ledger
import Support
import Testing

/// Orders that quite other times told before are found whatever files there are: exports that
/// overlap, months apart, numbers that begin again, some of it imported before.
struct DistantRepeatTests {
  private struct Told {
    var file: Int
    var id: Int
    var placed: Int64
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `each row is held against the one before it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let scratch = try TemporaryFolder()
    let ledger = try Ledger(path: scratch.ledger, mode: .readWrite)
    let fileCount = Int.random(in: 2...6, using: &random)
    let known = Int.random(in: 0..<fileCount, using: &random)
    let ids = [20, 400, 5_000].randomElement(using: &random)!
    // Mostly of one time, so that most files overlap.
    let months = [0, 0, 0, 0, 1, 2].shuffled(using: &random)
    var rows: [Told] = []
    for file in 0..<fileCount {
      let start = Int64(months[file]) * 90 * 86_400
      for _ in 0..<Int.random(in: 1...700, using: &random) {
        rows.append(
          Told(
            file: file, id: .random(in: 0..<ids, using: &random),
            placed: start + .random(in: 1..<20 * 86_400, using: &random)))
      }
    }
    var last: Int64 = 0
    for file in 0..<fileCount {
      if file == known { last = try ledger.lastIDRun() }
      try ledger.load(
        "\(file)",
        rows.filter { $0.file == file }.map { OrderFact(id: "R\($0.id)", placed: $0.placed) })
    }
    let pages = [1, 2, 8192].randomElement(using: &random)!
    let found = try ledger.distantRepeats(after: last, pagesAtOnce: pages)
    let counts = Dictionary(uniqueKeysWithValues: found.map { ($0.file, $0.repeated.conflicting) })
    #expect(counts == expected(rows, knownFiles: known))
  }

  /// Of each file how many rows are of a time apart from that of the row before of their id; of
  /// what was imported earlier, the last one that is apart counts.
  private func expected(_ rows: [Told], knownFiles: Int) -> [String: Int] {
    let spans = Dictionary(grouping: rows, by: \.file).mapValues { rows in
      rows.map(\.placed).min()!...rows.map(\.placed).max()!
    }
    var counts: [String: Int] = [:]
    for told in Dictionary(grouping: rows, by: \.id).values {
      func areApart(_ row: Told, _ other: Told) -> Bool {
        !spans[row.file]!.overlaps(spans[other.file]!)
      }
      let new = told.filter { $0.file >= knownFiles }
      for (place, row) in new.enumerated() {
        let isRepeated =
          place > 0
          ? areApart(new[place - 1], row)
          : told.contains { $0.file < knownFiles && areApart($0, row) }
        if isRepeated { counts["\(row.file)", default: 0] += 1 }
      }
    }
    return counts
  }
}
