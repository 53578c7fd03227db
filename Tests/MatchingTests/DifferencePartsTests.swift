import Billing
import Conclusions
import Matching
import Support
import Testing

/// "Explained" means proven: what a finding only locates is open, in each bridge and in sum.
struct DifferencePartsTests {
  struct Example: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// To what customers paid, then over the whole bridge; both in CNY.
    var parts: [String]
    var build: @Sendable (inout World) -> Void
  }

  static let examples = [
    Example(testDescription: "nothing differs", parts: ["0 0 0", "-9.37 0 0"]) {
      $0.booked("1")
    },
    Example(testDescription: "a loss that Apple alone has", parts: ["0 30 0", "-18.74 30 0"]) {
      $0.booked("1")
      $0.sale()
    },
    Example(testDescription: "a sale that Apple lacks", parts: ["0 -30 0", "-9.37 -30 0"]) {
      $0.booked("1")
      $0.pair("2")
    },
    Example(testDescription: "a loss in the price", parts: ["0 -18 0", "-3.75 -18 0"]) {
      $0.pair("1")
      $0.sale(price: "12.00")
    },
    Example(testDescription: "a loss in the proceeds", parts: ["0 0 0", "-9.37 -5.63 0"]) {
      $0.pair("1")
      $0.sale(proceeds: "15.00")
    },
    Example(testDescription: "a refund that Apple lacks", parts: ["0 30 0", "-9.37 30 0"]) {
      $0.pair("1", revoked: "2023-06-12T12:00:00")
      $0.sale()
    },
    Example(testDescription: "a part of a refund", parts: ["20 0 0", "13.75 0 0"]) {
      $0.pair("1", revoked: "2023-06-12T12:00:00")
      $0.sale()
      $0.sale(on: "2023-06-12", units: -1, price: "10.00")
    },
    Example(testDescription: "an unknown SKU", parts: ["0 30 0", "-9.37 30 0"]) {
      $0.sale("ghost")
    },
    Example(testDescription: "an app", parts: ["30 0 0", "20.63 0 0"]) {
      $0.sale("app", type: "1F")
    },
  ]

  @Test(arguments: examples) func theThreeComeToTheDifference(_ example: Example) throws {
    let world = World { world in
      world.reports()
      example.build(&world)
    }
    let bridges = world.tieOut().bridges
    let own = try #require(bridges.last(where: { $0.storefront != "ALL" }))
    #expect([own.parts(to: .reportedGross), own.parts()].map(told) == example.parts)
    #expect(own.isExplained == (own.open.isZero && own.unexplained.isZero))
    for bridge in bridges { expectToAddUp(bridge) }
  }

  private func told(_ parts: DifferenceParts) -> String {
    [parts.explained, parts.open, parts.unexplained].map { decimalText(micros: $0.micros) }
      .joined(separator: " ")
  }

  private func expectToAddUp(_ bridge: Bridge) {
    let parts = bridge.parts()
    let totals = bridge.steps.filter(\.isTotal).map(\.amount)
    #expect(
      totals[0] + parts.explained + parts.open + parts.unexplained == totals[totals.count - 1])
  }

  /// Units moved out of the month: as many near the boundary prove it, fewer leave it open.
  @Test(arguments: [("06:50:00", true), ("05:00:00", false)])
  func timingIsExplainedAsFarAsItIsProven(time: String, isProven: Bool) throws {
    let world = World { world in
      world.reports()
      world.pair("edge", at: "2023-07-01T\(time)")
      world.sale(on: "2023-07-01")
      world.booked("next", at: "2023-07-01T20:00:00", on: "2023-07-01")
      for day in 10..<20 {
        world.booked("\(day)", at: "2023-06-\(day)T20:00:00", on: "2023-06-\(day)")
      }
    }
    let bridge = try #require(world.tieOut().bridges.last(where: { $0.storefront != "ALL" }))
    let timing = try #require(bridge.steps.first { $0.cause == .timing })
    #expect(timing.amount.micros == -30_000_000)
    #expect(timing.open.micros == (isProven ? 0 : -30_000_000))
    #expect(bridge.isExplained == isProven)
    #expect(bridge.parts(to: .reportedGross).unexplained.isZero)
  }

  /// A cause that is none of a total, a remainder or proven by itself is never explained unsaid.
  @Test func eachCauseHasItsStanding() {
    let open = BridgeCause.allCases.filter { $0.standing == .open }.map(\.rawValue)
    #expect(
      open == [
        "inputs-insufficient", "report-missing", "not-in-ledger", "not-in-report",
        "refund-not-in-ledger", "refund-not-in-report", "unknown-sku", "price",
        "proceeds-difference", "settlement-difference",
      ])
    let step = BridgeStep(cause: .price, units: nil, amount: Money(micros: 7, Currency("CNY")!))
    #expect(step.open == step.amount)
  }
}
