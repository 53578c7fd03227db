import Billing
import Synchronization
import Testing

/// Values that are put in order without a copy.
struct PlacedValuesTests {
  /// Lives as long as somebody holds it.
  private final class Held: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  @Test func `those asked for come in order, the others go`() {
    let values = PlacedValues<Held>(count: 100)
    let held = Mutex((0..<100).map(Held.init))
    weak let left = held.withLock { $0[7] }
    _ = inThreads(4) { part in
      for place in part * 25..<(part + 1) * 25 {
        values.put(held.withLock { $0[place] }, at: place)
      }
    }
    held.withLock { $0 = [] }
    let places = (0..<100).reversed().filter { $0 != 7 }
    let taken = values.take(places)
    #expect(taken.map(\.number) == places)
    #expect(left == nil)
  }

  @Test func `of none there is none`() {
    #expect(PlacedValues<Held>(count: 0).take([]).isEmpty)
  }
}
