import Billing

/// Rows that were merged into others, by the position of the one that is kept. Lists of their own
/// for each would take many times the room. Most positions have no further rows, so that where
/// these begin is kept for the others alone.
package struct FurtherRows<Table>: Sendable {
  /// A bit for each position, set where it has rows; empty where none has.
  private var marks: [UInt64] = []
  /// For each word of `marks`, how many bits are set in those before it.
  private var before: [Int32] = []
  /// Where the rows of each position that has some begin, and where the last end.
  private var starts: [Int32] = []
  private var rows: [RowID<Table>] = []

  /// No row was merged into another.
  init() {}

  /// Puts merged rows together by the position of the row that is kept.
  ///
  /// - Parameters:
  ///   - merged: rows with the positions that they were merged into; those of one position stay in
  ///     their order.
  ///   - count: of all positions.
  init(_ merged: [(row: RowID<Table>, kept: Int32)], of count: Int) {
    if merged.isEmpty { return }
    marks = Array(repeating: 0, count: (count + 63) / 64)
    for (_, kept) in merged { marks[Int(kept) / 64] |= 1 << UInt64(kept % 64) }
    var marked: Int32 = 0
    before = marks.map { word in
      defer { marked += Int32(word.nonzeroBitCount) }
      return marked
    }
    starts = Array(repeating: 0, count: Int(marked) + 1)
    for (_, kept) in merged { starts[place(of: Int(kept))! + 1] += 1 }
    for place in 0..<Int(marked) { starts[place + 1] += starts[place] }
    rows = Array(repeating: merged[0].row, count: merged.count)
    // Each start moves on to the next one's place, and is put back from there.
    for (row, kept) in merged {
      let place = place(of: Int(kept))!
      rows[Int(starts[place])] = row
      starts[place] += 1
    }
    for place in stride(from: Int(marked), to: 0, by: -1) { starts[place] = starts[place - 1] }
    starts[0] = 0
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Whether rows were merged into the one at a position.
  func hasRows(of position: Int) -> Bool { place(of: position) != nil }

  /// The rows that were merged into the one at a position; empty where none were.
  subscript(position: Int) -> ArraySlice<RowID<Table>> {
    guard let place = place(of: position) else { return [] }
    return rows[Int(starts[place])..<Int(starts[place + 1])]
  }

  /// The number of a position among those that have rows, from 0; nil where it has none.
  private func place(of position: Int) -> Int? {
    if marks.isEmpty { return nil }
    let (word, bit) = (marks[position / 64], UInt64(1) << UInt64(position % 64))
    if word & bit == 0 { return nil }
    return Int(before[position / 64]) + (word & (bit - 1)).nonzeroBitCount
  }
}
