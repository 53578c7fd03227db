import Billing
import Conclusions
import Testing

@testable import Matching

/// Goal: a refund that Apple took back ties in whatever form its sales reports have it, and the
/// bridge says what they have. Method: one purchase, refunded and given back, and each form.
@Suite struct ReversedRefundTests {
  private func world(
    refunded: String = "2023-06-12T20:00:00", reversed: String = "2023-06-20T20:00:00",
    at time: String = "2023-06-10T12:00:30", _ rows: (inout World) -> Void = { _ in }
  ) -> World {
    World {
      $0.reports()
      $0.order("O1", at: time, transaction: "T1")
      $0.signed("T1", at: time, revoked: refunded, told: later(refunded, 600))
      $0.transaction("T1", at: time, told: reversed) {
        ($0.factSource, $0.isRefundReversed) = (.signed, true)
      }
      rows(&$0)
    }
  }

  /// What the ledger puts into its bridges.
  private func ledger(_ world: World) -> [String] {
    Set(
      world.tieOut().bridges.flatMap(\.steps).filter { $0.cause == .ledger }
        .map { "\($0.units ?? 0) \($0.amount.text)" }
    ).sorted()
  }

  @Test func aReportWithoutEitherTies() {
    let none = world { $0.sale() }
    #expect(none.tieOut().lines == [])
    #expect(ledger(none) == ["1 30.00"])
    #expect(none.tieOut().sales.refunds().map(\.line.isReported) == [false])
  }

  @Test func aReportOfTheRefundAloneTies() {
    let refund = world {
      $0.sale()
      $0.sale(on: "2023-06-12", units: -1)
    }
    #expect(refund.tieOut().lines == [])
    #expect(refund.tieOut().sales.matchedUnits == 2)
    #expect(ledger(refund) == [])
    #expect(refund.tieOut().sales.refunds().map(\.line.isReported) == [true])
  }

  @Test(arguments: ["2023-06-19", "2023-06-20", "2023-06-21"])
  func aReportOfBothTies(day: String) {
    let both = world {
      $0.sale()
      $0.sale(on: "2023-06-12", units: -1)
      $0.sale(on: day)
    }
    #expect(both.tieOut().lines == [])
    #expect(both.tieOut().sales.matchedUnits == 3)
    #expect(ledger(both) == ["1 30.00"])
    #expect(both.tieOut().sales.unmatchedUnits == 0)
    // One unit comes back, another is a sale.
    let twice = world {
      $0.sale()
      $0.sale(on: day, units: 2)
    }
    #expect(twice.tieOut().lines == ["not-in-ledger CN CNY \(day) gems 1 30.00"])
  }

  @Test func onlyTheTransactionsOwnPriceAndDaysComeBack() {
    for (day, price) in [("2023-06-24", "30.00"), ("2023-06-20", "12.00")] {
      let other = world {
        $0.sale()
        $0.sale(on: day, price: price)
      }
      #expect(
        other.tieOut().lines(.notInLedger) == ["not-in-ledger CN CNY \(day) gems 1 \(price)"])
    }
  }

  /// A purchase and a refund of earlier months come back in this one.
  @Test func aReversalOfAnEarlierMonthTies() {
    let earlier = world(refunded: "2023-04-12T20:00:00", at: "2023-04-02T12:00:00") {
      $0.sale(on: "2023-06-20")
    }
    #expect(earlier.tieOut().lines == [])
    let silent = world(refunded: "2023-04-12T20:00:00", at: "2023-04-02T12:00:00")
    #expect(silent.tieOut().lines == [])
  }

  @Test func aRefundThatStandsIsStillHeldAgainstTheReport() {
    let stands = World {
      $0.reports()
      $0.pair("1", revoked: "2023-06-12T20:00:00")
      $0.sale()
    }
    #expect(
      stands.tieOut().lines == ["refund-not-in-report CN CNY 2023-06-12 gems 1 30.00 | T1"])
  }
}
