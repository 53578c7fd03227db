import Billing
import Conclusions
import Support
import Testing

@testable import Matching

@Suite struct SubscriptionTieOutTests {
  @Test(
    arguments: [
      ("Subscribe", .start), ("Start Introductory Offer", .offer), ("Start Free Trial", .offer),
      ("Start Promotional Offer", .offer), ("Start Offer Code", .offer), ("Renew", .renewal),
      ("Renewal from Billing Retry", .renewal), ("Paid Subscription from Free Trial", .renewal),
      ("Upgrade", .renewal), ("Crossgrade from Billing Retry", .renewal),
      ("Reactivate with Downgrade", .renewal), ("Reactivate to Introductory Offer", .offer),
      ("Reactivate with Upgrade to Introductory Offer", .offer), ("Cancel", .cancellation),
      ("Refund", .refund), ("Canceled from Billing Retry", nil), ("Opt-In", nil),
      ("Billing Retry from Paid Subscription", nil), ("Canceled After Renewal Extension", nil),
      ("", nil), ("续订", nil),
    ] as [(String, SubscriptionEventKind?)])
  func eventsAreKnownByTheirNames(name: String, kind: SubscriptionEventKind?) {
    #expect(SubscriptionEventKind(event: name) == kind)
  }

  // MARK: - Days

  private func own(_ count: Int64, optional: Int64 = 0, start: Int64 = 0, end: Int64 = 0) -> OwnDay
  {
    OwnDay(count: count, optional: optional, nearStart: start, nearEnd: end)
  }

  @Test func onlyWhatIsNearABoundaryMoves() {
    let moved = UnexplainedDays([4, 6], [own(5, end: 1), own(5)])
    #expect(moved.left == [0, 0] && moved.moved == 1)
    #expect(UnexplainedDays([4, 6], [own(5), own(5)]).left == [-1, 1])
    #expect(UnexplainedDays([3, 7], [own(5, end: 1), own(5)]).left == [-1, 1])
    let back = UnexplainedDays([6, 4], [own(5), own(5, start: 1)])
    #expect(back.left == [0, 0])
    // Near the wrong end explains nothing.
    #expect(UnexplainedDays([6, 4], [own(5, end: 1), own(5)]).left == [1, -1])
  }

  @Test func aDayWithoutReportIsNotZero() {
    #expect(UnexplainedDays([nil, 5, nil], [own(3), own(5), own(9)]).left == [0, 0, 0])
    // What lacks may stand on the unknown day, as far as it is near it.
    #expect(UnexplainedDays([5, nil], [own(7, end: 1), own(0)]).left == [-1, 0])
    #expect(UnexplainedDays([nil, 7], [own(5, end: 1), own(5)]).left == [0, 1])
  }

  @Test func whatIsNotCertainNeedNotBeThere() {
    #expect(UnexplainedDays([3], [own(5, optional: 2)]).left == [0])
    #expect(UnexplainedDays([2], [own(5, optional: 2)]).left == [-1])
    #expect(UnexplainedDays([6], [own(5, optional: 2)]).left == [1])
  }

  // MARK: - Events

  /// Two chains that renew in June, and one that begins then.
  private func june(_ change: (inout World) -> Void = { _ in }) -> ReportedWorld {
    var reported = ReportedWorld { world in
      world.chain("A", from: 4, periods: 3)
      world.chain("B", from: 5, day: 20, periods: 2)
      world.chain("C", from: 6, day: 3, periods: 1)
      change(&world)
    }
    reported.report(.event)
    reported.event("Renew", on: "2023-06-15")
    reported.event("Renew", on: "2023-06-20")
    reported.event("Subscribe", on: "2023-06-03")
    return reported
  }

  @Test func whatAgreesHasNoFinding() throws {
    let tieOut = june().tieOut()
    #expect(tieOut.findings.isEmpty && tieOut.notes.isEmpty)
    let line = try #require(tieOut.lines.first)
    #expect(tieOut.lines.count == 1 && line.sku == "monthly" && line.days == 30)
    #expect(line.starts == ComparedCount(apple: 1, ledger: 1))
    #expect(line.renewals == ComparedCount(apple: 2, ledger: 2))
    #expect(line.cancellations == ComparedCount(apple: 0, ledger: 0))
    // Of what no report is loaded nobody knows anything.
    #expect(line.active == nil && line.subscribers == nil && line.proceeds == [])
  }

  @Test func aRenewalThatTheLedgerLacksIsOneFinding() {
    var reported = june()
    reported.event("Renew", on: "2023-06-10", 2)
    #expect(reported.lines() == ["subscription-events-differ CN - 2023-06-10 monthly 2 -"])
    let finding = reported.tieOut().findings[0]
    #expect(
      finding.explanation.english == "2 renewals in Apple's event report, 0 in the ledger")
    #expect(finding.places.map(\.file) == ["event_2023-06-10"])
  }

  /// Its chain seems to lapse in the ledger: that is the same cause, and names the chain.
  @Test func aLostRenewalNamesTheChainThatSeemsToEnd() {
    var reported = june { $0.chain("D", from: 5, day: 10, periods: 1) }
    reported.event("Renew", on: "2023-06-10")
    #expect(
      reported.lines() == ["subscription-events-differ CN - 2023-06-10 monthly 1 - | D"])
  }

  @Test func aRenewalThatAppleLacksNamesItsTransaction() {
    var reported = june { $0.chain("D", from: 5, day: 10, periods: 2) }
    #expect(
      reported.lines() == ["subscription-events-differ CN - 2023-06-10 monthly 1 - | D.1"])
    reported.event("Cancel", on: "2023-06-10")
    #expect(
      reported.lines() == ["subscription-events-differ CN - 2023-06-10 monthly 1 - | D.1"])
  }

  @Test func anEventOnTheDayAfterIsToldOnce() {
    var reported = ReportedWorld { $0.chain("A", from: 5, day: 12, periods: 2) }
    reported.report(.event)
    reported.event("Renew", on: "2023-06-13")
    #expect(reported.lines() == ["subscription-events-differ CN - 2023-06-12 monthly 1 - | A.1"])
    #expect(
      reported.tieOut().findings[0].explanation.english
        == "0 renewals in Apple's event report, 1 in the ledger; at Apple the rest is on 2023-06-13"
    )
  }

  /// Apple may call a renewal otherwise; the purchase is there.
  @Test func anotherNameIsNoDifference() {
    var reported = ReportedWorld { world in
      world.chain("A", from: 5, day: 12, periods: 2, trial: true)
      world.chain("B", from: 6, day: 14, periods: 1, trial: true)
    }
    reported.report(.event)
    reported.event("Paid Subscription from Free Trial", on: "2023-06-12")
    reported.event("Subscribe", on: "2023-06-14")
    #expect(reported.lines() == [])
  }

  @Test func nearMidnightIsTheBoundary() throws {
    // Pacific midnight is 07:00 UTC in June.
    var reported = ReportedWorld {
      $0.chain("A", from: 5, day: 12, time: "06:50:00", periods: 2)
    }
    reported.report(.event)
    reported.event("Renew", on: "2023-06-12")
    #expect(reported.lines() == [])
    #expect(reported.tieOut().lines[0].moved == 1)
    var far = ReportedWorld { $0.chain("A", from: 5, day: 12, time: "04:00:00", periods: 2) }
    far.report(.event)
    far.event("Renew", on: "2023-06-11")
    #expect(far.lines() == [])
    #expect(far.tieOut().lines[0].moved == 0)
  }

  /// Nothing says that these reports are cut as the sales reports are.
  @Test func daysOfTheirOwnAreFoundAndTold() {
    var reported = ReportedWorld { world in
      for day in stride(from: 5, through: 25, by: 2) {
        world.chain("A\(day)", from: 5, day: day, time: "03:00:00", periods: 2)
      }
    }
    reported.report(.event)
    for day in stride(from: 5, through: 25, by: 2) {
      reported.event("Renew", on: "2023-06-\(padded(day, 2))")
    }
    let tieOut = reported.tieOut()
    #expect(tieOut.findings.isEmpty)
    #expect(tieOut.notes.count == 1)
    #expect(tieOut.notes.first?.english.contains("begin at midnight") == true)
  }

  @Test func aDayWithoutReportIsToldAndSaysNothing() {
    var reported = ReportedWorld { world in
      world.chain("A", from: 5, day: 12, periods: 2)
      world.chain("B", from: 5, day: 20, periods: 2)
    }
    reported.report(.event, without: ["2023-06-12"])
    reported.event("Renew", on: "2023-06-20")
    #expect(reported.lines() == ["subscription-report-missing - - 2023-06-12 - 1 -"])
    #expect(reported.tieOut().lines.map(\.days) == [29])
    #expect(reported.tieOut().lines[0].renewals == ComparedCount(apple: 1, ledger: 1))
    // What is not due yet is not missing.
    reported.world.asOf = Day("2023-06-13")!
    #expect(reported.lines() == [])
  }

  @Test func oneVendorsMissingDaySaysNothingOfTheOthers() {
    var reported = june()
    reported.report(.event, vendor: "9", without: ["2023-06-15"])
    reported.event("Renew", on: "2023-06-16", of: "yearly", vendor: "9")
    reported.world.transaction(
      "Y.1", sku: "yearly", at: "2023-06-16T20:00:00", kind: .autoRenewable, original: "Y",
      item: "YW", expires: "2024-06-16T20:00:00")
    reported.world.transaction(
      "Z.1", sku: "yearly", at: "2023-06-15T20:00:00", kind: .autoRenewable, original: "Z",
      item: "ZW", expires: "2024-06-15T20:00:00")
    #expect(reported.lines() == ["subscription-report-missing - - 2023-06-15 - 1 -"])
  }

  @Test func eventDatesBesideTheReportsDayCount() {
    var reported = ReportedWorld { $0.chain("A", from: 5, day: 12, periods: 2) }
    reported.report(.event)
    reported.event("Renew", on: "2023-06-12", in: "2023-06-13")
    #expect(reported.lines() == [])
  }

  @Test func unknownProductsAreTold() {
    var reported = june()
    reported.event("Renew", on: "2023-06-09", 3, of: "weekly")
    reported.event("Refund", on: "2023-06-11", 1, of: "weekly")
    #expect(reported.lines() == ["subscription-unknown - - 2023-06-09 weekly 4 -"])
  }

  /// What is active is counted anew each day, and what is bought is an event too.
  @Test func unknownProductsCountNothingTwice() {
    var reported = june()
    reported.report(.subscription)
    reported.report(.subscriber)
    func units(_ reported: ReportedWorld) -> [Int64?] {
      reported.tieOut().findings.filter { $0.code == .subscriptionUnknown }.map(\.units)
    }
    reported.active(1000, on: Self.all, of: "weekly")
    reported.active(1001, on: Day("2023-06-09")!...Day("2023-06-09")!, of: "weekly")
    // One day has both rows.
    #expect(units(reported) == [2001])
    reported.subscriber(on: "2023-06-09", price: "30.00", proceeds: "20.61", of: "weekly")
    reported.subscriber(on: "2023-07-01", price: "30.00", proceeds: "20.61", of: "weekly")
    #expect(units(reported) == [1])
    reported.event("Renew", on: "2023-05-31", 7, of: "weekly")
    reported.event("Renew", on: "2023-06-09", 3, of: "weekly")
    #expect(units(reported) == [3])
  }

  @Test func unknownProductsOfOneNameAreTwo() {
    var reported = june()
    reported.event("Renew", on: "2023-06-09", of: "weekly#7001")
    reported.event("Renew", on: "2023-06-09", of: "weekly#7002")
    let findings = reported.tieOut().findings
    #expect(findings.map(\.units) == [1, 1])
    #expect(findings.map(\.documents) == [["7001"], ["7002"]])
  }

  @Test func whatTransactionsDoNotTellIsNamed() {
    var reported = june()
    reported.event("Opt-In", on: "2023-06-09", 3)
    reported.event("Billing Retry from Paid Subscription", on: "2023-06-10")
    let tieOut = reported.tieOut()
    #expect(tieOut.findings.isEmpty)
    #expect(
      tieOut.notes.map(\.english) == [
        "Events in Apple's subscription reports without a counterpart in transactions, not "
          + "compared: Billing Retry from Paid Subscription (1), Opt-In (3)"
      ])
  }

  @Test func aLapseIsACancellationWhereAppleSaidSo() {
    func world(told: Bool) -> ReportedWorld {
      var reported = june { world in
        world.chain("D", from: 5, day: 10, periods: 1)
        if told {
          world.renewal(
            of: "D", told: "2023-06-01T00:00:00",
            RenewalTerms(factSource: .signed, willRenew: false))
        }
      }
      reported.world.asOf = Day("2023-07-10")!
      return reported
    }
    // Nobody knows whether the customer turned it off or the money failed.
    #expect(world(told: false).lines() == [])
    #expect(
      world(told: true).lines() == ["subscription-events-differ CN - 2023-06-10 monthly 1 - | D"])
    var counted = world(told: true)
    counted.event("Cancel", on: "2023-06-10")
    #expect(counted.lines() == [])
    counted.event("Cancel", on: "2023-06-11")
    #expect(counted.lines() == ["subscription-events-differ CN - 2023-06-11 monthly 1 -"])
  }

  /// One renewal that is lacking ends one chain, not those of three days.
  @Test func oneLackingRenewalExplainsOneCancellation() {
    var reported = june { world in
      for day in 9...11 {
        world.chain("D\(day)", from: 5, day: day, periods: 1)
        world.renewal(
          of: "D\(day)", told: "2023-06-01T00:00:00",
          RenewalTerms(factSource: .signed, willRenew: false))
      }
    }
    reported.world.asOf = Day("2023-07-20")!
    reported.event("Renew", on: "2023-06-10")
    let differ = reported.tieOut().findings
    #expect(differ.map(\.code) == Array(repeating: .subscriptionEventsDiffer, count: differ.count))
    #expect(differ.reduce(0) { $0 + ($1.units ?? 0) } == 3)
  }

  @Test func refundsAreCountedAndReversedOnesAreNot() {
    func world(_ change: @escaping (inout TransactionTerms) -> Void) -> ReportedWorld {
      june { world in
        world.transaction(
          "D", sku: "monthly", at: "2023-06-05T20:00:00", kind: .autoRenewable, original: "D",
          item: "DW", expires: "2023-07-05T20:00:00", revoked: "2023-06-09T20:00:00", change)
      }
    }
    var plain = world { _ in }
    plain.event("Subscribe", on: "2023-06-05")
    #expect(plain.lines() == ["subscription-events-differ CN - 2023-06-09 monthly 1 - | D"])
    plain.event("Refund", on: "2023-06-09")
    #expect(plain.lines() == [])
    var reversed = world { $0.isRefundReversed = true }
    reversed.event("Subscribe", on: "2023-06-05")
    #expect(reversed.lines() == [])
    // Whether Apple counts a part of the price nobody says.
    var prorated = world { ($0.revocationType, $0.revocationPercentage) = (.prorated, 50_000) }
    prorated.event("Subscribe", on: "2023-06-05")
    #expect(prorated.lines() == [])
    prorated.event("Refund", on: "2023-06-09")
    #expect(prorated.lines() == [])
  }

  @Test func sandboxFamilyAndRestoresAreNotCounted() {
    #expect(
      june { world in
        world.transaction(
          "S", sku: "monthly", at: "2023-06-05T20:00:00", kind: .autoRenewable, original: "S",
          item: "SW", expires: "2023-07-05T20:00:00", sandbox: true)
        world.transaction(
          "F", sku: "monthly", at: "2023-06-05T20:00:00", kind: .autoRenewable, original: "F",
          item: "FW", expires: "2023-07-05T20:00:00", family: true)
        // The same period of B, told again under another number.
        world.transaction(
          "R", sku: "monthly", at: "2023-06-22T20:00:00", kind: .autoRenewable, original: "B",
          item: "BW1", expires: "2023-07-20T20:00:00")
      }.lines() == [])
  }

  // MARK: - Active subscriptions

  private static let all = Day("2023-05-31")!...Day("2023-07-01")!

  private func active(_ counts: [(Int32, ClosedRange<Day>)]) -> ReportedWorld {
    var reported = ReportedWorld { world in
      world.chain("A", from: 4, periods: 4)
      world.chain("B", from: 5, day: 20, periods: 1)
    }
    reported.report(.subscription)
    for (count, days) in counts { reported.active(count, on: days) }
    return reported
  }

  @Test func activeSubscriptionsAreThoseWhosePeriodSpansTheDaysEnd() throws {
    let reported = active([
      (2, Day("2023-05-31")!...Day("2023-06-19")!), (1, Day("2023-06-20")!...Day("2023-07-01")!),
    ])
    #expect(reported.lines() == [])
    #expect(reported.tieOut().lines[0].active == ComparedCount(apple: 1, ledger: 1))
  }

  @Test func aDifferenceIsToldOnTheDayOnWhichItArises() {
    let reported = active([
      (2, Day("2023-05-31")!...Day("2023-06-09")!), (4, Day("2023-06-10")!...Day("2023-06-19")!),
      (3, Day("2023-06-20")!...Day("2023-06-24")!), (1, Day("2023-06-25")!...Day("2023-07-01")!),
    ])
    #expect(reported.lines() == ["subscriptions-differ CN - 2023-06-10 monthly 2 -"])
    #expect(
      reported.tieOut().findings[0].explanation.english
        == "active subscriptions at the end of 2023-06-10: 4 at Apple, 2 in the ledger; "
        + "difference changed by 2 that day")
  }

  /// A ledger that begins this month lacks what began before: told once, and no fault of a day's.
  @Test func whatTheLedgerNeverHadIsAnInfo() {
    let reported = active([
      (502, Day("2023-05-31")!...Day("2023-06-19")!),
      (501, Day("2023-06-20")!...Day("2023-07-01")!),
    ])
    #expect(reported.lines() == ["info subscriptions-differ CN - 2023-06-01 monthly 500 -"])
  }

  @Test func aLostRenewalIsNotToldTwice() {
    var reported = active([(2, Self.all)])
    reported.report(.event)
    reported.event("Renew", on: "2023-06-15")
    reported.event("Renew", on: "2023-06-20")
    #expect(
      reported.lines() == ["subscription-events-differ CN - 2023-06-20 monthly 1 - | B"])
  }

  /// Apple's trial is the ledger's start: the same purchase moves no number of active ones.
  @Test func anotherNameExplainsNoActiveOnes() {
    var reported = ReportedWorld { world in
      world.chain("A", from: 4, periods: 4)
      world.chain("B", from: 6, day: 14, periods: 1, trial: true)
    }
    reported.report(.event)
    reported.event("Renew", on: "2023-06-15")
    reported.event("Subscribe", on: "2023-06-14")
    reported.report(.subscription)
    reported.active(1, on: Day("2023-05-31")!...Day("2023-06-13")!)
    reported.active(3, on: Day("2023-06-14")!...Day("2023-07-01")!)
    #expect(reported.lines() == ["subscriptions-differ CN - 2023-06-14 monthly 1 -"])
  }

  /// A renewal that the ledger lacks explains one active subscription, once.
  @Test func oneEventExplainsOneActiveOne() {
    var reported = active([
      (2, Day("2023-05-31")!...Day("2023-06-20")!), (3, Day("2023-06-21")!...Day("2023-07-01")!),
    ])
    reported.report(.event)
    reported.event("Renew", on: "2023-06-15")
    reported.event("Renew", on: "2023-06-20")
    #expect(
      reported.lines() == [
        "subscription-events-differ CN - 2023-06-20 monthly 1 - | B",
        "subscriptions-differ CN - 2023-06-21 monthly 1 -",
      ])
  }

  /// What stood before the first day and what arises on it are two things.
  @Test func theOpeningAndTheFirstDayAreToldApart() {
    let reported = active([
      (5, Day("2023-05-31")!...Day("2023-05-31")!), (8, Day("2023-06-01")!...Day("2023-06-19")!),
      (7, Day("2023-06-20")!...Day("2023-07-01")!),
    ])
    #expect(
      reported.lines() == [
        "info subscriptions-differ CN - 2023-06-01 monthly 3 -",
        "subscriptions-differ CN - 2023-06-01 monthly 3 -",
      ])
    #expect(Set(reported.tieOut().findings.map(\.documents)).count == 2)
  }

  /// A year that was bought before the facts that are read.
  @Test func periodsThatBeganBeforeAreActive() {
    var reported = active([
      (2, Day("2023-05-31")!...Day("2023-06-19")!), (1, Day("2023-06-20")!...Day("2023-07-01")!),
    ])
    reported.active(1, on: Self.all, of: "yearly")
    #expect(reported.lines() == ["info subscriptions-differ CN - 2023-06-01 yearly 1 -"])
    reported.world.facts.transactionTerms.append(
      TransactionTerms(
        sku: "yearly", kind: .autoRenewable, storefront: Storefront("CN")!))
    let terms = Int32(reported.world.facts.transactionTerms.count - 1)
    let row = TransactionRow.ID(9_999)
    reported.earlier.transactions = [
      TransactionEntry(
        row: row, terms: terms, key: IDKey("Y"), order: .none,
        purchasedAt: seconds("2022-10-01T20:00:00"), revokedAt: 0)
    ]
    reported.earlier.chainDetails = [
      TransactionDetail(
        row: row, original: IDKey("Y"), webOrderLineItem: IDKey("YW"), token: .none, user: .none,
        expiresAt: seconds("2023-10-01T20:00:00"))
    ]
    #expect(reported.lines() == [])
  }

  @Test func anUpgradeCountsOnce() {
    var reported = ReportedWorld { world in
      world.transaction(
        "A", sku: "monthly", at: "2023-06-05T20:00:00", kind: .autoRenewable, original: "A",
        item: "W1", expires: "2023-07-05T20:00:00", revoked: "2023-06-09T20:00:00", upgraded: true)
      world.transaction(
        "A.1", sku: "yearly", at: "2023-06-09T20:00:00", kind: .autoRenewable, original: "A",
        item: "W2", expires: "2024-06-09T20:00:00")
    }
    reported.report(.event)
    reported.report(.subscription)
    reported.event("Subscribe", on: "2023-06-05")
    reported.event("Upgrade", on: "2023-06-09", of: "yearly")
    reported.active(1, on: Day("2023-06-05")!...Day("2023-06-08")!)
    reported.active(1, on: Day("2023-06-09")!...Day("2023-07-01")!, of: "yearly")
    #expect(reported.lines() == [])
  }

  // MARK: - Subscribers

  private func sold(_ rows: (inout ReportedWorld) -> Void) -> ReportedWorld {
    var reported = ReportedWorld { world in
      world.chain("A", from: 5, day: 12, periods: 2)
      world.chain("B", from: 5, day: 12, time: "21:00:00", periods: 2)
    }
    reported.report(.subscriber)
    rows(&reported)
    return reported
  }

  private func proceeds(_ reported: ReportedWorld) -> [String] {
    reported.tieOut().proceeds.purchases.sorted { $0.key < $1.key }.map {
      "\($0.value.day) \($0.value.proceeds.map { "\($0.text) \($0.currency)" } ?? "-")"
    }
  }

  @Test func renewalsGetTheirProceedsAndTheirDay() {
    let reported = sold { world in
      for _ in 1...2 { world.subscriber(on: "2023-06-12", price: "30.00", proceeds: "20.61") }
    }
    #expect(reported.lines() == [])
    #expect(proceeds(reported) == ["2023-06-12 20.61 CNY", "2023-06-12 20.61 CNY"])
    #expect(reported.tieOut().lines[0].proceeds.map(\.text) == ["41.22"])
    #expect(reported.tieOut().lines[0].subscribers == ComparedCount(apple: 2, ledger: 2))
  }

  /// The report prints what it takes back as a positive number.
  @Test func refundsTakeTheirProceedsBack() {
    var reported = sold { world in
      for _ in 1...2 { world.subscriber(on: "2023-06-12", price: "30.00", proceeds: "20.61") }
      world.subscriber(on: "2023-06-05", price: "30.00", proceeds: "20.61")
      world.subscriber(on: "2023-06-09", price: "30.00", proceeds: "20.61", isRefund: true)
    }
    reported.world.transaction(
      "D", sku: "monthly", at: "2023-06-05T20:00:00", kind: .autoRenewable, original: "D",
      item: "DW", expires: "2023-07-05T20:00:00", revoked: "2023-06-09T20:00:00")
    #expect(reported.lines() == [])
    let told = reported.tieOut().proceeds
    #expect(told.purchases.count == 3)
    #expect(told.refunds.values.map { $0.proceeds?.text } == ["-20.61"])
    #expect(told.refunds.keys.allSatisfy { told.purchases[$0]?.proceeds?.text == "20.61" })
  }

  /// Which of two equal rows is whose nobody can tell: the sum is known, the part is not.
  @Test func unequalProceedsOfEqualRowsAreNobodys() {
    let reported = sold { world in
      world.subscriber(on: "2023-06-12", price: "30.00", proceeds: "20.61")
      world.subscriber(on: "2023-06-12", price: "30.00", proceeds: "25.02")
    }
    #expect(reported.lines() == [])
    #expect(proceeds(reported) == ["2023-06-12 -", "2023-06-12 -"])
    #expect(reported.tieOut().lines[0].proceeds.map(\.text) == ["45.63"])
  }

  @Test func rowsWithoutTransactionAndTheOtherWayRound() {
    let missing = sold { $0.subscriber(on: "2023-06-12", price: "30.00", proceeds: "20.61") }
    #expect(missing.lines() == ["subscriber-differs CN - 2023-06-12 monthly 1 - | B.1"])
    let further = sold { world in
      for _ in 1...3 { world.subscriber(on: "2023-06-12", price: "30.00", proceeds: "20.61") }
    }
    #expect(further.lines() == ["subscriber-differs CN - 2023-06-12 monthly 1 -"])
    let none = sold { _ in }
    #expect(none.lines() == ["subscriber-differs CN - 2023-06-12 monthly 2 - | A.1 B.1"])
  }

  @Test func anotherPriceIsTold() {
    let reported = sold { world in
      world.subscriber(on: "2023-06-12", price: "30.00", proceeds: "20.61")
      world.subscriber(on: "2023-06-12", price: "25.00", proceeds: "17.18")
    }
    #expect(reported.lines() == ["subscriber-differs CN - 2023-06-12 monthly 1 - | B.1"])
    #expect(
      reported.tieOut().findings[0].explanation.english
        == "a purchase is at 25.00 CNY in Apple's subscriber report, at 30.00 CNY here")
  }

  @Test func creditsWithoutUnitsAreNoPurchases() {
    let reported = sold { world in
      for _ in 1...2 { world.subscriber(on: "2023-06-12", price: "30.00", proceeds: "20.61") }
      world.subscriber(
        on: "2023-06-14", price: "12.00", proceeds: "8.00", isRefund: true, units: 0)
    }
    #expect(reported.lines() == [])
  }

  /// Apple's further cancellations say nothing of purchases that its subscriber report lacks.
  @Test func onlyPurchasesExplainLackingPurchases() {
    var reported = sold { _ in }
    reported.report(.event)
    reported.event("Renew", on: "2023-06-12", 2)
    reported.event("Cancel", on: "2023-06-12", 3)
    #expect(
      reported.lines() == [
        "subscriber-differs CN - 2023-06-12 monthly 2 - | A.1 B.1",
        "subscription-events-differ CN - 2023-06-12 monthly 3 -",
      ])
  }

  @Test func whatBothReportsLackIsOneFinding() {
    var reported = sold { $0.subscriber(on: "2023-06-12", price: "30.00", proceeds: "20.61") }
    reported.report(.event)
    reported.event("Renew", on: "2023-06-12")
    #expect(
      reported.lines() == ["subscription-events-differ CN - 2023-06-12 monthly 1 - | A.1 B.1"])
  }
}
