import Billing
import Support
import Testing

/// Goal: rows and keys are put in order with none twice, as a set sorted would have them. Method:
/// both ways over lists short and long, in order and shuffled, with and without repetition.
@Suite struct SortedOnceTests {
  @Test(arguments: [0, 1, 2, 24, 25, 300, 5_000], [1, 7, 100_000])
  func `rows are in order, none twice`(count: Int, kinds: Int) {
    var numbers = SplitMix64(seed: UInt64(count + kinds))
    let rows = (0..<count).map { _ in
      OrderRow.ID(Int32(truncatingIfNeeded: numbers.next() % UInt64(kinds)) - 5)
    }
    #expect(rows.sortedOnce() == Set(rows).sorted())
    #expect(rows.sorted().sortedOnce() == Set(rows).sorted())
  }

  @Test func `keys of any size are in order`() {
    let keys: [UInt64] = [.max, 0, 1 << 63, 1 << 32, .max, 1, 0]
    #expect(keys.sortedOnce() == [0, 1, 1 << 32, 1 << 63, .max])
  }
}
