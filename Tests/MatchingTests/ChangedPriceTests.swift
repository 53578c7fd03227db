import Billing
import Conclusions
import Pricing
import Testing

@testable import Matching

/// Goal: a price or proceeds that a rule of some day of a row gives are no findings: the night on
/// which a tier changes, reports of weeks and months, and prices that depend on a quantity.
@Suite struct ChangedPriceTests {
  /// A tier of Japan's that rises on 14 June.
  static let rising = [
    tier("5", "1499", to: "2023-06-13"), tier("5", "1799", from: "2023-06-14"),
  ]

  static func tier(
    _ tier: String, _ price: String, from: String? = nil, to: String? = nil,
    in storefront: (String, String) = ("JP", "JPY"), table: TierTable = .iap
  ) -> TierPrice {
    TierPrice(
      table: table, tier: tier, storefront: Storefront(storefront.0)!,
      currency: Currency(storefront.1)!, price: amount(price), proceeds: nil,
      effectiveFrom: from.map { Day($0)! }, effectiveTo: to.map { Day($0)! })
  }

  private func found(_ build: (inout World) -> Void) -> [String] {
    let world = World(build)
    let result = world.tieOut()
    return [FindingCode.priceNotInTier, .proceedsUnexpected, .proceedsOffRule, .proceedsTolerated]
      .flatMap { result.lines($0) }
  }

  @Test func onTheNightOfAChangeBothPricesAreRight() {
    let night = found { world in
      world.facts.tiers = Self.rising
      world.reports()
      for (day, price) in [
        ("2023-06-05", "1499"), ("2023-06-13", "1799"), ("2023-06-13", "1499"),
        ("2023-06-14", "1499"), ("2023-06-14", "1799"), ("2023-06-20", "1799"),
      ] {
        world.sale(on: day, price: price, storefront: "JP", currency: "JPY")
      }
    }
    #expect(night == [])
  }

  @Test func aDayFurtherOneOfThemIsWrong() {
    let lines = found { world in
      world.facts.tiers = Self.rising
      world.reports()
      for (day, price) in [
        ("2023-06-12", "1799"), ("2023-06-13", "1799"), ("2023-06-14", "1499"),
        ("2023-06-15", "1499"),
      ] {
        world.sale(on: day, price: price, storefront: "JP", currency: "JPY")
      }
    }
    #expect(
      lines.sorted() == [
        "price-not-in-tier JP JPY 2023-06-12 gems 1 300.00",
        "price-not-in-tier JP JPY 2023-06-15 gems 1 -300.00",
      ])
  }

  /// The catalogue moves a product to another tier.
  @Test func aProductsNewTierHasItsNightToo() {
    let lines = found { world in
      world.facts.tiers = [Self.tier("5", "1499"), Self.tier("10", "1799")]
      var moved = world.facts.products.first { $0.sku == "gems" }!
      (moved.tier, moved.effectiveFrom) = ("10", Day("2023-06-14"))
      world.facts.products.append(moved)
      world.reports()
      world.sale(on: "2023-06-13", price: "1799", storefront: "JP", currency: "JPY")
      world.sale(on: "2023-06-14", price: "1499", storefront: "JP", currency: "JPY")
      world.sale(on: "2023-06-16", price: "1499", storefront: "JP", currency: "JPY")
    }
    #expect(lines == ["price-not-in-tier JP JPY 2023-06-16 gems 1 -300.00"])
  }

  private func month(
    _ rows: [(price: String, proceeds: String)], from: String = "2023-06-01",
    to: String = "2023-06-30"
  ) -> [String] {
    found { world in
      world.facts.tiers = [
        Self.tier("5", "8.99", to: "2023-06-13", in: ("GB", "GBP")),
        Self.tier("5", "10.79", from: "2023-06-14", in: ("GB", "GBP")),
      ]
      world.settings.smallBusiness = [
        Settings.Span(from: Day("2023-06-10")!, to: Day("2023-12-31")!)
      ]
      world.report(Day(from)!, Day(to)!)
      for row in rows {
        world.sale(
          on: from, to: to, price: row.price, proceeds: row.proceeds, storefront: "GB",
          currency: "GBP")
      }
    }
  }

  /// 20% VAT inside and 2% of the commission deducted; 30% until 9 June, 15% from then on.
  @Test func rowsOfAMonthAreRightByTheRulesOfAnyOfItsDays() {
    #expect(month([("8.99", "5.21"), ("8.99", "6.35"), ("10.79", "7.62")]) == [])
    #expect(month([("10.79", "7.62")], from: "2023-06-12", to: "2023-06-18") == [])
  }

  @Test func aMonthsRowThatNoDayExplainsIsWrong() {
    // The higher price came after the lower commission began.
    #expect(month([("10.79", "6.26")]).map { String($0.prefix(9)) } == ["proceeds-"])
    #expect(
      month([("9.99", "5.79")]).map { String($0.prefix(17)) } == ["price-not-in-tier"])
    // No day of the week has the price of the next one.
    #expect(
      month([("10.79", "6.26")], from: "2023-06-05", to: "2023-06-11")
        .map { String($0.prefix(17)) } == ["price-not-in-tier"])
  }

  /// A month's rows, whose units the ledger has on some days: the rules of these hold.
  @Test(
    arguments: [
      ("1499", "2023-06-05", 3, []), ("1799", "2023-06-20", 3, []),
      // At midnight of the rise nothing shows whose day it is.
      ("1499", "2023-06-13", 3, []), ("1799", "2023-06-14", 3, []),
      ("1499", "2023-06-20", 3, ["price-not-in-tier JP JPY 2023-06-01 gems 3 -900.00"]),
      ("1799", "2023-06-05", 3, ["price-not-in-tier JP JPY 2023-06-01 gems 3 900.00"]),
      // Most of its units are not known.
      ("1499", "2023-06-20", 1, []),
    ] as [(String, String, Int, [String])])
  func daysOfPurchasesChooseAMonthsRule(
    _ price: String, _ day: String, _ known: Int, _ lines: [String]
  ) {
    let found = found { world in
      world.facts.tiers = Self.rising
      world.report(Day("2023-06-01")!, Day("2023-06-30")!)
      world.sale(
        on: "2023-06-01", to: "2023-06-30", units: 3, price: price, storefront: "JP",
        currency: "JPY")
      for number in 0..<known {
        world.pair(
          "\(number)", at: "\(day)T12:00:00", price: price, currency: "JPY", storefront: "JP")
      }
    }
    #expect(found == lines)
  }

  /// What the ledger bought before a programme began is not at its commission.
  @Test func daysOfPurchasesChooseAMonthsCommission() {
    func lines(_ day: String) -> [String] {
      found { world in
        world.settings.smallBusiness = [
          Settings.Span(from: Day("2023-06-15")!, to: Day("2023-12-31")!)
        ]
        world.report(Day("2023-06-01")!, Day("2023-06-30")!)
        world.sale(
          on: "2023-06-01", to: "2023-06-30", price: "1200", proceeds: "1020", storefront: "JP",
          currency: "JPY", type: "IA1")
        world.pair("1", at: "\(day)T12:00:00", price: "1200", currency: "JPY", storefront: "JP")
      }.filter { $0.hasPrefix("proceeds-") }
    }
    #expect(lines("2023-06-20") == [])
    #expect(lines("2023-06-05").count == 1)
  }

  /// Where the ledger has prices of seats, everything else about rows is said too.
  @Test func seatsHideNothingElse() {
    let world = World { world in
      world.facts.tiers = [
        Self.tier("5", "30.00", in: ("CN", "CNY"), table: .subscription)
      ]
      world.reports()
      world.pair("1", sku: "monthly", price: "25.00", quantity: 10)
      world.sale("monthly", units: 10, price: "25.00", type: "IAY")
      world.sale("monthly", price: "24.00", type: "IAY")
      world.sale("monthly", price: "24.00", type: "IAX")
      for day in ["2023-06-11", "2023-06-12"] {
        world.sale(
          "loose", on: day, price: "99.99", proceeds: "58.33", storefront: "RS", currency: "EUR")
      }
    }
    let lines = world.tieOut()
    #expect(lines.lines(.priceNotInTier).count == 1)
    #expect(lines.sales.findings.count { $0.code == .taxAsReported } == 1)
  }

  /// One seat costs 30.00; of ten, each costs 25.00.
  @Test func aPriceOfSeveralSeatsIsNoTiers() {
    func world(seats: Int32, sku: String = "monthly", isBought: Bool = true) -> [String] {
      let world = World { world in
        world.facts.tiers = [TierTable.iap, .subscription].flatMap { table in
          ["5", "10"].map {
            Self.tier($0, "30.00", in: ("CN", "CNY"), table: table)
          }
        }
        world.reports()
        if isBought { world.pair("1", sku: sku, price: "25.00", quantity: seats) }
        world.sale(sku, units: seats, price: "25.00", type: sku == "monthly" ? "IAY" : "IA1")
        world.sale(sku, price: "24.00", type: sku == "monthly" ? "IAY" : "IA1")
      }
      let result = world.tieOut()
      return (result.lines(.priceNotInTier) + result.lines(.priceMismatch))
        .map { String($0.prefix { $0 != "|" }) }.map {
          $0.hasSuffix(" ") ? String($0.dropLast()) : $0
        }
    }
    let other = "price-not-in-tier CN CNY 2023-06-10 monthly 1 -6.00"
    #expect(world(seats: 10) == [other])
    #expect(world(seats: 1).count == 2)
    #expect(
      world(seats: 10, isBought: false) == [
        "price-not-in-tier CN CNY 2023-06-10 monthly 11 -56.00"
      ])
    // Several of a consumable cost as much each as one.
    #expect(world(seats: 10, sku: "gems").count == 2)
  }

  @Test func tiersThatEndAreNamed() {
    func untiered(until end: String?) -> [String] {
      let world = World { world in
        world.facts.tiers = [
          Self.tier("5", "4.99", to: end, in: ("DE", "EUR")),
          Self.tier("5", "4.99", in: ("US", "USD")),
        ]
        world.reports()
        world.sale(price: "4.99", storefront: "DE", currency: "EUR")
        world.sale(price: "4.99", storefront: "US", currency: "USD")
      }
      return world.tieOut().sales.basis([]).absences.filter { $0.kind == .tierPrices }
        .flatMap(\.names)
    }
    #expect(untiered(until: "2019-12-31") == ["DE"])
    #expect(untiered(until: "2023-06-20") == [])
    #expect(untiered(until: nil) == [])
  }
}
