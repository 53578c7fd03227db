import Billing
import Synchronization
import Testing

/// Goal: what several threads ask for is read once, and all get the same of it, an error too.
/// Method: as many threads as there are processors ask, again and again.
@Suite struct ReadOnDemandTests {
  @Test func `whoever asks gets what was read once`() throws {
    for _ in 0..<200 {
      let times = Mutex(0)
      let value = ReadOnDemand {
        times.withLock { times in
          times += 1
          return times
        }
      }
      let seen = inThreads(8) { _ in try? value.value() }
      #expect(seen == Array(repeating: 1, count: 8))
    }
  }

  private struct Broken: Error {}

  @Test func `an error is told to all`() {
    let times = Mutex(0)
    let value = ReadOnDemand { () throws -> Int in
      times.withLock { $0 += 1 }
      throw Broken()
    }
    #expect(throws: Broken.self) { try value.value() }
    #expect(throws: Broken.self) { try value.value() }
    #expect(times.withLock { $0 } == 1)
  }
}
