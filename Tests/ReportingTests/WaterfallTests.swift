import Billing
import Testing

@testable import Reporting
@testable import Conclusions

@Suite struct WaterfallTests {
  private static let eur = Currency("EUR")!

  private func bridge(_ steps: [(BridgeCause, Int64)], storefront: String = "DE") -> Bridge {
    Bridge(
      storefront: storefront, currency: Self.eur,
      steps: steps.map {
        BridgeStep(cause: $0.0, units: nil, amount: Money(micros: $0.1, Self.eur))
      })
  }

  @Test func barsStandOnTheStepBefore() {
    let bars = Waterfall(
      bridge([(.ledger, 100), (.timing, 0), (.notInReport, -30), (.apps, 5), (.reportedGross, 75)])
    ).bars
    #expect(bars.map(\.cause) == [.ledger, .notInReport, .apps, .reportedGross])
    #expect(bars.map(\.amount) == [100, -30, 5, 75])
    #expect(bars.map(\.groundAbove) == [0, 70, 70, 0])
    #expect(bars.map(\.above) == [100, 30, 5, 75])
    #expect(bars.allSatisfy { $0.below == 0 && $0.groundBelow == 0 })
  }

  @Test func aBarThatCrossesZeroHasTwoParts() {
    let bars = Waterfall(
      bridge([(.ledger, 20), (.refundNotInLedger, -50), (.apps, -10), (.reportedGross, -40)])
    ).bars
    #expect(bars.map(\.above) == [20, 20, 0, 0])
    #expect(bars.map(\.below) == [0, -30, -10, -40])
    #expect(bars.map(\.groundBelow) == [0, 0, -30, 0])
  }

  @Test func theSummaryBridgeIsShownElseTheLargest() {
    #expect(SampleMonth.reconciliation.mainBridge?.storefront == "ALL")
    #expect(SampleMonth.withoutRates.mainBridge?.storefront == "CN")
    #expect(SampleMonth.empty.mainBridge == nil)
  }
}
