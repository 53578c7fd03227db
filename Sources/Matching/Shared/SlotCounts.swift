/// Counts by row and place, of which most rows have few: places are kept in runs, and a run exists
/// once something was counted in it.
struct SlotCounts {
  private static let runLength = 8

  /// Places of a row.
  let width: Int
  private let runs: Int
  /// By row and run, where in `counts` the run begins; -1 where nothing was counted.
  private var starts: [Int32] = []
  private var counts: [Int64] = []

  init(width: Int, rows: Int = 0) {
    self.width = width
    runs = (width + Self.runLength - 1) / Self.runLength
    addRows(rows)
  }

  mutating func addRows(_ count: Int = 1) {
    for _ in 0..<count * runs { starts.append(-1) }
  }

  mutating func add(_ count: Int64, row: Int, place: Int) {
    let run = row * runs + place / Self.runLength
    if starts[run] < 0 {
      starts[run] = Int32(counts.count)
      for _ in 0..<Self.runLength { counts.append(0) }
    }
    counts[Int(starts[run]) + place % Self.runLength] += count
  }

  subscript(row: Int, place: Int) -> Int64 {
    let start = starts[row * runs + place / Self.runLength]
    return start < 0 ? 0 : counts[Int(start) + place % Self.runLength]
  }

  /// The places of a row in which anything may have been counted, ascending.
  func places(of row: Int) -> [Int] {
    var places: [Int] = []
    for run in 0..<runs where starts[row * runs + run] >= 0 {
      let first = run * Self.runLength
      places += first..<min(first + Self.runLength, width)
    }
    return places
  }

  /// Whether a row has the same counts as in another table of the width.
  func agrees(with other: SlotCounts, row: Int) -> Bool {
    for run in row * runs..<(row + 1) * runs {
      let (start, otherStart) = (Int(starts[run]), Int(other.starts[run]))
      if start < 0, otherStart < 0 { continue }
      for place in 0..<Self.runLength {
        let count = start < 0 ? 0 : counts[start + place]
        let otherCount = otherStart < 0 ? 0 : other.counts[otherStart + place]
        if count != otherCount { return false }
      }
    }
    return true
  }
}
