import Billing
import Conclusions
import Support
import Testing

@testable import Matching

@Suite struct PurchaseFlowTests {
  @Test(arguments: 0..<20) func percentilesAreThoseOfTheSortedDelays(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var histogram = DelayHistogram(days: 2)
    var delays: [Int64] = []
    for _ in 0..<Int(1 + random.next() % 300) {
      // Some beyond what is counted by the second.
      let delay = Int64(random.next() % 9 == 0 ? random.next() % 500_000 : random.next() % 4000)
      delays.append(delay)
      histogram.add(delay, on: 1)
    }
    delays.sort()
    for percent in [50, 95] {
      let rank = (delays.count * percent + 99) / 100
      #expect(histogram.percentile(percent, on: 1) == delays[rank - 1])
    }
    #expect(histogram.percentile(50, on: 0) == nil)
  }

  /// Days of a month that differ by the weekday and by chance.
  private func days(_ seed: UInt64, scale: Int) -> [FlowDay] {
    var random = SplitMix64(seed: seed)
    func about(_ count: Int) -> Int {
      let spread = Int(Double(count).squareRoot())
      return max(0, count - spread + Int(random.next() % UInt64(2 * spread + 1)))
    }
    return (0..<30).map { number in
      var day = FlowDay(day: Day("2023-06-01")!.advanced(by: number))
      let weekend = number % 7 < 2 ? 125 : 100
      day.orders = about(scale * weekend / 100)
      day.transactions = about(scale * weekend / 100)
      day.purchases = day.transactions
      day.unfulfilled = about(scale / 150)
      day.medianDelay = 180 + Int64(about(20))
      day.lateDelay = 600 + Int64(about(90))
      day.sandbox = about(scale / 100)
      day.refunds = about(scale / 60)
      return day
    }
  }

  @Test(arguments: [(UInt64(1), 6), (2, 60), (3, 600), (4, 6000), (5, 170_000)])
  func ordinaryDaysDoNotStandOut(seed: UInt64, scale: Int) {
    #expect(days(seed, scale: scale).markingOutliers().flatMap(\.marks) == [])
  }

  @Test func aDayStandsOutByItsOwnFigure() {
    var month = days(7, scale: 600)
    month[3].unfulfilled = 120
    month[9].medianDelay = 4000
    month[9].lateDelay = 20_000
    month[12].orders = 200
    month[20].refunds = 90
    let marked = month.markingOutliers()
    let found = marked.enumerated().flatMap { index, day in
      day.marks.map { "\(index) \($0.measure.rawValue)" }
    }
    #expect(
      found == ["3 unfulfilled", "9 median_delay", "9 p95_delay", "12 orders", "20 refunds"])
    #expect(marked[3].marks[0].value > 190_000 && marked[3].marks[0].usual < 10_000)
  }

  /// Of two orders one more or less is nothing.
  @Test func smallDaysDoNotCryWolf() {
    var month = days(8, scale: 2)
    month[5].unfulfilled = 3
    month[5].orders = 9
    month[6].refunds = 4
    #expect(month.markingOutliers().flatMap(\.marks) == [])
  }
}
