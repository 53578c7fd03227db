import Billing
import Testing

@testable import Matching

/// Goal: what runs into a month is what all of its sources come to. Method: a year that was bought
/// before, told by several of them.
@Suite struct RunningPeriodTests {
  /// The company's table has a year; Apple's payloads say what became of it.
  @Test func allSourcesOfAPeriodThatRunsCount() {
    func active(_ apple: Int32, told: [(String?, String, (inout TransactionTerms) -> Void)])
      -> [String]
    {
      var running = MonthFacts()
      var reported = ReportedWorld { world in
        world.transaction(
          "Y", sku: "yearly", at: "2022-10-01T20:00:00", kind: .autoRenewable, original: "Y",
          item: "YW", expires: "2023-10-01T20:00:00")
        for (revoked, moment, change) in told {
          world.transaction(
            "Y", sku: "yearly", at: "2022-10-01T20:00:00", kind: .autoRenewable, original: "Y",
            item: "YW", expires: "2023-10-01T20:00:00", revoked: revoked, told: moment
          ) {
            $0.factSource = .signed
            change(&$0)
          }
        }
        running.transactions = world.facts.transactions
        running.chainDetails = world.facts.chainDetails
        running.observations = world.facts.observations
        world.facts.transactions = []
        world.facts.chainDetails = []
        world.facts.observations = []
      }
      reported.earlier = running
      reported.report(.subscription)
      if apple > 0 {
        reported.active(apple, on: Day("2023-05-31")!...Day("2023-07-01")!, of: "yearly")
      }
      return reported.lines()
    }
    #expect(active(1, told: []) == [])
    let upgraded =
      ("2023-05-10T20:00:00", "2023-05-10T20:10:00", { $0.isUpgraded = true })
      as (String?, String, (inout TransactionTerms) -> Void)
    #expect(active(0, told: [upgraded]) == [])
    let refunded =
      ("2023-05-10T20:00:00", "2023-05-10T20:10:00", { _ in })
      as (String?, String, (inout TransactionTerms) -> Void)
    #expect(active(0, told: [refunded]) == [])
    // Apple took the refund back.
    let reversed =
      (nil, "2023-05-20T20:00:00", { $0.isRefundReversed = true })
      as (String?, String, (inout TransactionTerms) -> Void)
    #expect(active(1, told: [refunded, reversed]) == [])
  }
}
