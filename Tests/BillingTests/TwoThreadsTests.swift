import Billing
import Testing

/// What runs on a second thread knows what its caller knows.
struct TwoThreadsTests {
  @TaskLocal static var reader = "nobody"

  @Test func bothSidesSeeTheCallersTaskLocals() {
    let seen = Self.$reader.withValue("ann") {
      inTwoThreads({ Self.reader }, { inTwoThreads({ Self.reader }, { Self.reader }) })
    }
    #expect(seen.0 == "ann" && seen.1 == ("ann", "ann"))
    #expect(inTwoThreads({ Self.reader }, { Self.reader }) == ("nobody", "nobody"))
  }

  /// More than there are processors: each must have a thread that may wait.
  @Test func callsMayBeNested() {
    @Sendable func count(_ depth: Int) -> Int {
      if depth == 0 { return 1 }
      let (a, b) = inTwoThreads({ count(depth - 1) }, { count(depth - 1) })
      return a + b
    }
    #expect(count(6) == 64)
  }

  /// Fewer than there are processors, and many more.
  @Test(arguments: [0, 1, 2, 1000]) func answersComeInOrder(_ count: Int) {
    let seen = Self.$reader.withValue("ann") { inThreads(count) { "\($0) \(Self.reader)" } }
    #expect(seen == (0..<count).map { "\($0) ann" })
    #expect(coreCount > 0)
  }
}
