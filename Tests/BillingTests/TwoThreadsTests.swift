import Billing
import Dispatch
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

  @Test func eachOfSixAnswersItsOwn() {
    let seen = Self.$reader.withValue("ann") {
      inThreads(
        { "1 \(Self.reader)" }, { 2 }, { [Self.reader] }, { inThreads(3) { $0 } }, { 5 }, { "6" })
    }
    #expect(seen.0 == "1 ann" && seen.1 == 2 && seen.2 == ["ann"] && seen.3 == [0, 1, 2])
    #expect(seen.4 == 5 && seen.5 == "6")
  }

  /// What the second closure captured is not held any more once both have answered: a list that is
  /// changed then would be copied.
  @Test func whatWasCapturedIsLetGoBeforeTheAnswer() {
    for round in 0..<2000 {
      var list = Array(repeating: round, count: 3)
      let (_, sum) = inTwoThreads({}, { [list] in list.reduce(0, +) })
      let place = list.withUnsafeBufferPointer { $0.baseAddress }
      list[0] = sum
      #expect(list.withUnsafeBufferPointer { $0.baseAddress } == place)
    }
  }

  /// Tells when it is given back.
  private final class Told: Sendable {
    let signal = DispatchSemaphore(value: 0)
  }

  private final class Large: Sendable {
    let told: Told
    init(_ told: Told) { self.told = told }
    deinit { told.signal.signal() }
  }

  @Test func whatIsLetGoIsGivenBack() {
    let told = Told()
    freeInBackground(Large(told))
    told.signal.wait()
  }

  /// Fewer than there are processors, and many more.
  @Test(arguments: [0, 1, 2, 1000]) func answersComeInOrder(_ count: Int) {
    let seen = Self.$reader.withValue("ann") { inThreads(count) { "\($0) \(Self.reader)" } }
    #expect(seen == (0..<count).map { "\($0) ann" })
    #expect(coreCount > 0)
  }
}
