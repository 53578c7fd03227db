import Synchronization
import Testing

@testable import Billing

struct DoubleBufferTests {
  private struct Broken: Error {}

  private final class Number: Sendable { let value = Atomic(0) }

  /// What is in a place stays there while it is used, and comes in order.
  @Test func whatIsUsedIsNotFilledAgain() throws {
    for count in [1, 2, 3, 1000] {
      let turns = DoubleBuffer()
      let numbers = [Number(), Number()]
      let next = Number()
      var seen: [Int] = []
      try turns.using {
        for turn in 0..<count {
          turns.waitForNext()
          if turn > 0 { turns.giveBack() }
          for _ in 0..<50 {
            let value = numbers[turn & 1].value.load(ordering: .relaxed)
            if seen.count == turn { seen.append(value) }
            if value != seen[turn] { seen[turn] = -1 }
          }
        }
      } filling: { place in
        let number = next.value.add(1, ordering: .relaxed).newValue
        numbers[place].value.store(number, ordering: .relaxed)
        return number < count
      }
      #expect(seen == Array(1...count))
    }
  }

  /// Who leaves early, by an error too, leaves nobody behind who fills a place.
  @Test func whoLeavesLeavesNobodyBehind() {
    for used in 0..<5 {
      let turns = DoubleBuffer()
      let (begun, ended) = (Number(), Number())
      #expect(throws: Broken.self) {
        try turns.using {
          for turn in 0..<used {
            turns.waitForNext()
            if turn > 0 { turns.giveBack() }
          }
          throw Broken()
        } filling: { _ in
          begun.value.add(1, ordering: .sequentiallyConsistent)
          // Long enough that one that nobody waited for would be under way.
          var sum = 0
          for number in 0..<200_000 { sum ^= number }
          ended.value.add(sum < 0 ? 2 : 1, ordering: .sequentiallyConsistent)
          return true
        }
      }
      let count = begun.value.load(ordering: .sequentiallyConsistent)
      #expect(count == ended.value.load(ordering: .sequentiallyConsistent))
      #expect(count <= used + 2)
    }
  }
}
