import Support
import Testing

@testable import Matching

struct SlotCountsTests {
  /// Whatever is counted where, a flat table has the same.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func countsAsAFlatTableDoes(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let (rows, width) = (
      Int.random(in: 1...6, using: &random), Int.random(in: 1...70, using: &random)
    )
    var flat = [Int64](repeating: 0, count: rows * width)
    var (counts, other) = (SlotCounts(width: width), SlotCounts(width: width, rows: rows))
    for _ in 0..<rows { counts.addRows() }
    for _ in 0..<Int.random(in: 0...60, using: &random) {
      let row = Int.random(in: 0..<rows, using: &random)
      let place = Int.random(in: 0..<width, using: &random)
      let units = Int64.random(in: -3...3, using: &random)
      flat[row * width + place] += units
      counts.add(units, row: row, place: place)
      if row > 0 { other.add(units, row: row, place: place) }
    }
    for row in 0..<rows {
      let own = Array(flat[row * width..<(row + 1) * width])
      #expect((0..<width).map { counts[row, $0] } == own)
      let places = counts.places(of: row)
      #expect(places == places.sorted() && places.allSatisfy { $0 < width })
      #expect(own.indices.allSatisfy { own[$0] == 0 || places.contains($0) })
      #expect(counts.agrees(with: other, row: row) == (row > 0 || own.allSatisfy { $0 == 0 }))
      #expect(other.agrees(with: counts, row: row) == (row > 0 || own.allSatisfy { $0 == 0 }))
    }
  }
}
