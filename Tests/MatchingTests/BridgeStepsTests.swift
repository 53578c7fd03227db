import Billing
import Conclusions
import Testing

@testable import Matching

/// Steps add up as a dictionary would add them, in whatever order storefronts, currencies and
/// causes come: the place that was used last is kept, and must be no other's.
struct BridgeStepsTests {
  private typealias Key = BridgeSteps.Key

  private static let storefronts = [Storefront("CN"), Storefront("US"), nil]
  private static let currencies = [Currency("CNY")!, Currency("USD")!]
  private static let causes: [BridgeCause] = [.ledger, .tax, .exchange, .reportedGross]

  @Test(arguments: [1, 5, 7, 11]) func stepsAddUpInAnyOrder(_ stride: Int) {
    var steps = BridgeSteps()
    var units: [Key: [BridgeCause: Int64]] = [:]
    var amounts: [Key: [BridgeCause: Int64]] = [:]
    for number in 0..<240 {
      let turn = number * stride
      let storefront = Self.storefronts[turn % 3]
      let key = Key(storefront: storefront, currency: Self.currencies[turn / 3 % 2])
      let cause = Self.causes[turn / 6 % 4]
      let (more, amount) = (Int64(number % 9 - 4), Int64(number) * 1_000_003 - 7)
      steps.add(cause, storefront, key.currency, units: more, amount: amount)
      units[key, default: [:]][cause, default: 0] += more
      amounts[key, default: [:]][cause, default: 0] += amount
    }
    #expect(steps.sums.mapValues { $0.mapValues(\.units) } == units)
    #expect(steps.sums.mapValues { $0.mapValues(\.amount) } == amounts)
    for cause in Self.causes {
      #expect(steps.units(of: cause) == units.values.reduce(0) { $0 + ($1[cause] ?? 0) })
    }
  }

  @Test func nothingAddedIsNothing() {
    let steps = BridgeSteps()
    #expect(steps.sums.isEmpty && steps.units(of: .tax) == 0 && steps.parts(of: .tax).isEmpty)
  }
}
