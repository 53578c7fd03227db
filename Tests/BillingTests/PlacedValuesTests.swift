import Billing
import Support
import Synchronization
import Testing

/// Values that are made on several threads and put in order without a copy.
struct PlacedValuesTests {
  /// Lives as long as somebody holds it.
  private final class Held: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test func `those asked for come in order, the others go`() {
    let held = Mutex((0..<100).map(Held.init))
    weak let left = held.withLock { $0[7] }
    var values = [Held](places: 100) { values in
      _ = inThreads(4) { part in
        for place in part * 25..<(part + 1) * 25 {
          values.put(held.withLock { $0[place] }, at: place)
        }
      }
    }
    held.withLock { $0 = [] }
    let places = (0..<100).reversed().filter { $0 != 7 }
    values.keep(places)
    #expect(values.map(\.number) == places)
    #expect(left == nil)
  }

  @Test func `any order can be kept`() {
    var random = SplitMix64(seed: 3)
    for count in 0..<40 {
      for _ in 0..<20 {
        let all = (0..<count).shuffled(using: &random)
        let kept = Array(all.prefix(Int.random(in: 0...count, using: &random)))
        var values = (0..<count).map { "number \($0)" }
        values.keep(kept)
        #expect(values == kept.map { "number \($0)" })
      }
    }
  }

  @Test func `of none there is none`() {
    #expect([Held](places: 0) { _ in }.isEmpty)
  }
}
