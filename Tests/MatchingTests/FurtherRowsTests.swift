import Billing
import Support
import Testing

@testable import Matching

/// Goal: each position has the rows that were merged into it, whichever have none. Method: a plain
/// search over drawn rows; positions at the edges of the words that mark them.
@Suite struct FurtherRowsTests {
  private typealias Rows = FurtherRows<OrderRow>

  private func rows(_ merged: [(row: Int, kept: Int32)], of count: Int) -> Rows {
    Rows(merged.map { (OrderRow.ID($0.row), $0.kept) }, of: count)
  }

  @Test("each position has its own, in their order", arguments: [64, 65, 128, 129, 1000])
  func eachPositionHasItsOwn(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    for _ in 0..<4 {
      let merged = (0..<Int.random(in: 1...count, using: &random)).map { number in
        (row: number, kept: Int32.random(in: 0..<Int32(count), using: &random))
      }
      let rows = rows(merged, of: count)
      #expect(!rows.isEmpty)
      for position in 0..<count {
        let own = merged.filter { $0.kept == position }.map { OrderRow.ID($0.row) }
        #expect(Array(rows[position]) == own, "position \(position) of \(merged)")
        #expect(rows.hasRows(of: position) == !own.isEmpty)
      }
    }
  }

  @Test("the first and the last position of a word are told apart from their neighbours")
  func neighboursAreToldApart() {
    let rows = rows([(1, 63), (2, 64), (3, 63), (4, 127), (5, 128)], of: 129)
    let found = (0..<129).filter { rows.hasRows(of: $0) }
    #expect(found == [63, 64, 127, 128])
    #expect(Array(rows[63]) == [OrderRow.ID(1), OrderRow.ID(3)])
    #expect(Array(rows[128]) == [OrderRow.ID(5)])
  }

  @Test("where none was merged no position has any")
  func noneHasAny() {
    for rows in [Rows(), rows([], of: 7)] {
      #expect(rows.isEmpty && !rows.hasRows(of: 6) && rows[6].isEmpty)
    }
  }
}
