import Billing

/// Rows that were merged into others, by the position of the one that is kept. Lists of their own
/// for each would take many times the room.
package struct FurtherRows<Table>: Sendable {
  /// Where the rows of each position begin, and where the last end; empty where there are none.
  private var starts: [Int32] = []
  private var rows: [RowID<Table>] = []

  init() {}

  /// - Parameters:
  ///   - merged: rows with the positions that they were merged into; those of one position stay in
  ///     their order.
  ///   - count: of all positions.
  init(_ merged: [(row: RowID<Table>, kept: Int32)], of count: Int) {
    if merged.isEmpty { return }
    starts = Array(large: 0, count: count + 1)
    for (_, kept) in merged { starts[Int(kept) + 1] += 1 }
    for position in 0..<count { starts[position + 1] += starts[position] }
    rows = Array(large: merged[0].row, count: merged.count)
    // Each start moves on to the next one's place, and is put back from there.
    for (row, kept) in merged {
      rows[Int(starts[Int(kept)])] = row
      starts[Int(kept)] += 1
    }
    for position in stride(from: count, to: 0, by: -1) { starts[position] = starts[position - 1] }
    starts[0] = 0
  }

  var isEmpty: Bool { rows.isEmpty }

  /// Whether rows were merged into a position's.
  func hasRows(of position: Int) -> Bool {
    !starts.isEmpty && starts[position] < starts[position + 1]
  }

  subscript(position: Int) -> ArraySlice<RowID<Table>> {
    starts.isEmpty ? [] : rows[Int(starts[position])..<Int(starts[position + 1])]
  }
}
