import Foundation
import Testing

@testable import Matching

/// The bound of the binomial tail against sums of its terms.
@Suite struct ChanceTests {
  /// The tail summed term by term.
  private static func exact(_ hits: Int, _ trials: Int, _ share: Double) -> Double {
    (hits...trials).reduce(0) { sum, count in
      let ways = (0..<count).reduce(1.0) { $0 * Double(trials - $1) / Double($1 + 1) }
      return sum + ways * pow(share, Double(count)) * pow(1 - share, Double(trials - count))
    }
  }

  @Test(arguments: [
    (5, 5, 0.5), (5, 10, 0.1), (9, 12, 0.25), (20, 40, 0.2), (31, 38, 0.02), (40, 41, 0.3),
    (60, 60, 0.9), (70, 200, 0.3),
  ])
  func isAnUpperBoundAndNear(hits: Int, trials: Int, share: Double) {
    let exact = log(Self.exact(hits, trials, share))
    let bound = Chance.logTail(hits: hits, of: trials, share: share)
    #expect(bound >= exact - 1e-9)
    #expect(bound <= exact + 1.5)
  }

  @Test(arguments: [(0, 10, 0.1), (1, 10, 0.1), (5, 10, 0.5), (3, 3, 1.0)])
  func whatIsUsualIsNotUnlikely(hits: Int, trials: Int, share: Double) {
    #expect(Chance.logTail(hits: hits, of: trials, share: share) == 0)
  }

  @Test func factorialsMeetTheirSeries() {
    var sum = 0.0
    for number in 1...200 {
      sum += log(Double(number))
      #expect(abs(Chance.logFactorial(number) - sum) < 1e-9)
    }
  }
}
