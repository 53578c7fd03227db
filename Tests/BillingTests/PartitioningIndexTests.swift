import Billing
import Testing

@Suite struct PartitioningIndexTests {
  @Test func findsTheFirstPlaceWhereItHolds() {
    for count in 0..<20 {
      let numbers = (0..<count).map { $0 / 3 }
      for wanted in -1...8 {
        let found = numbers.partitioningIndex { $0 >= wanted }
        #expect(found == numbers.firstIndex { $0 >= wanted } ?? count)
      }
    }
  }

  @Test func keepsToTheIndicesOfASlice() {
    let numbers = Array(0..<10)[4..<8]
    #expect(numbers.partitioningIndex { $0 >= 6 } == 6)
    #expect(numbers.partitioningIndex { $0 >= 0 } == 4)
    #expect(numbers.partitioningIndex { $0 >= 9 } == 8)
    #expect((Int64(5)..<9).partitioningIndex { $0 * $0 >= 49 } == 7)
  }
}
