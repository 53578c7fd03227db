import Billing
import Conclusions
import Testing

@testable import Matching
@testable import Workflow

/// Goal: what a chain brings is stated less its refunds, as its amount is, or not at all. Method:
/// one chain, and what a subscriber report tells of its rows.
@Suite struct ChainProceedsTests {
  private static let (bought, earlier) = (TransactionRow.ID(1), TransactionRow.ID(2))

  private func told(_ micros: Int64, _ currency: String = "CNY") -> SubscriberProceeds {
    SubscriberProceeds(
      day: Day("2023-06-12")!, proceeds: Money(micros: micros, Currency(currency)!))
  }

  private func proceeds(
    bought: Int = 1, refunded: [TransactionRow.ID], _ told: (inout ToldProceeds) -> Void
  ) -> String? {
    var proceeds = ToldProceeds()
    told(&proceeds)
    let day = Day("2023-06-12")!
    var line = SubscriptionLine(
      sku: "monthly", subscriptionGroup: "", originalTransactionID: "", user: "", state: .refunded,
      firstBoughtOn: day, lastBoughtOn: day, nextSKU: "", boughtInPeriod: bought)
    line.add(
      proceeds,
      of: UnresolvedSubscription(
        line: line, transactions: [Self.bought], others: [], refunded: refunded, orders: []))
    return line.proceeds.map { "\($0.text) \($0.currency)" }
  }

  @Test func aRefundTakesItsProceedsBack() {
    let whole = proceeds(refunded: [Self.bought]) {
      $0.purchases[Self.bought] = told(20_610_000)
      $0.refunds[Self.bought] = told(-20_610_000)
    }
    #expect(whole == "0.00 CNY")
    // Of a period that was bought in another month.
    let other = proceeds(bought: 0, refunded: [Self.earlier]) {
      $0.refunds[Self.earlier] = told(-20_610_000)
    }
    #expect(other == "-20.61 CNY")
  }

  @Test func whatIsNotToldIsNoFigure() {
    #expect(
      proceeds(refunded: [Self.bought]) { $0.purchases[Self.bought] = told(20_610_000) } == nil)
    #expect(
      proceeds(refunded: [Self.earlier]) {
        $0.purchases[Self.bought] = told(20_610_000)
        $0.refunds[Self.earlier] = told(-3_000_000, "USD")
      } == nil)
    #expect(
      proceeds(refunded: []) { $0.purchases[Self.bought] = told(20_610_000) } == "20.61 CNY")
  }
}
