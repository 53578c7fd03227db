import Billing
import Conclusions
import Support
import Testing

@testable import Matching

/// The tax that payloads tell of single sales, against the tax table and their own prices.
struct TaxTests {
  /// A signed purchase in Britain, whose prices have 20% of tax inside since 2011.
  private static func sale(
    _ world: inout World, _ id: String = "1", price: String = "11.99", tax: String?, net: String?,
    code: String = "S01", storefront: String = "GB", currency: String = "GBP", quantity: Int32 = 1,
    at time: String = "2023-06-10T12:00:30", source: FactSource = .signed
  ) {
    world.pair(
      id, at: later(time, -30), price: price, currency: currency, storefront: storefront,
      quantity: quantity)
    world.transaction(
      "T" + id, at: time, price: price, currency: currency, storefront: storefront,
      quantity: quantity, told: "2023-06-11T00:00:00"
    ) { $0.factSource = source }
    let entry = world.facts.transactions[world.facts.transactions.count - 1]
    world.facts.toldTaxes.append(
      ToldTax(
        row: entry.row, terms: entry.terms, key: entry.key, purchasedAt: entry.purchasedAt,
        taxCode: code, tax: tax.map(amount), priceWithoutTax: net.map(amount)))
  }

  private static func found(_ build: (inout World) -> Void) -> [String] {
    let world = World(build)
    let (table, details) = world.claims()
    return OrderTieOut.findings(
      table, details: details, taxes: world.facts.toldTaxes, context: world.context
    ).filter { $0.code == .taxDiffers }.map { "\(world.line($0)): \($0.explanation.english)" }
  }

  @Test func theTablesTaxIsRight() {
    #expect(Self.found { Self.sale(&$0, tax: "2.00", net: "9.99") } == [])
    // Either part tells the other, and rounding may go either way.
    #expect(Self.found { Self.sale(&$0, tax: "2.00", net: nil) } == [])
    #expect(Self.found { Self.sale(&$0, tax: nil, net: "9.99") } == [])
    #expect(Self.found { Self.sale(&$0, price: "0.99", tax: "0.16", net: "0.83") } == [])
    #expect(
      Self.found { Self.sale(&$0, price: "1.19", tax: "0.60", net: "2.97", quantity: 3) } == [])
    // On the eve of a change of the table either rate may be Apple's.
    for (tax, net) in [("4.32", "24.00"), ("4.80", "24.00")] {
      #expect(
        Self.found { world in
          world.period = Period("2023-07")!
          let price = tax == "4.32" ? "28.32" : "28.80"
          Self.sale(
            &world, price: price, tax: tax, net: net, storefront: "TR", currency: "TRY",
            at: "2023-07-24T21:30:00")
        } == [])
    }
  }

  @Test func anotherTaxIsOneFindingForAllSales() {
    let found = Self.found { world in
      for number in 1...3 { Self.sale(&world, "\(number)", tax: "1.09", net: "10.90") }
    }
    #expect(
      found == [
        "tax-differs GB GBP 2023-06-10 gems 3 -3.27 | T1 T2 T3: the signed payload: tax 10.00% "
          + "on 3 sales; the tax table has 20.00% in GB (tax code S01)"
      ])
    let apart = Self.found { world in
      Self.sale(&world, "1", tax: "1.09", net: "10.90")
      Self.sale(&world, "2", tax: "1.09", net: "10.90", code: "S02")
    }
    #expect(apart.count == 2)
  }

  @Test func partsThatDoNotAddUpAreFound() {
    #expect(
      Self.found { Self.sale(&$0, tax: "2.00", net: "8.99", code: "") } == [
        "tax-differs GB GBP 2023-06-10 gems 1 -1.00 | T1: the signed payload: tax and price "
          + "before tax do not add up to the price of 1 sale"
      ])
  }

  /// Where customers pay the tax on top, or the table knows none, nothing can be told.
  @Test func whatTheTableCannotTellIsNotJudged() {
    for (storefront, currency) in [("US", "USD"), ("CN", "CNY"), ("GB", "USD")] {
      #expect(
        Self.found {
          Self.sale(&$0, tax: "3.00", net: "11.99", storefront: storefront, currency: currency)
        } == [], "\(storefront) \(currency)")
    }
    #expect(Self.found { Self.sale(&$0, tax: nil, net: nil) } == [])
  }

  /// An unsigned word takes nothing away from a signed one.
  @Test func theStrongestSourceCounts() {
    let found = Self.found { world in
      Self.sale(&world, tax: "2.00", net: "9.99")
      Self.sale(&world, tax: "0.00", net: "11.99", source: .unsigned)
    }
    #expect(found == [])
    let alone = Self.found { Self.sale(&$0, tax: "0.00", net: "11.99", source: .unsigned) }
    #expect(alone.count == 1 && alone[0].contains("the unsigned payload: tax 0.00%"))
  }

  /// A sale in the Sandbox, or of another month, says nothing of this one.
  @Test func onlySalesOfThePeriodAreJudged() {
    #expect(
      Self.found { Self.sale(&$0, tax: "0.00", net: "11.99", at: "2023-05-20T12:00:00") } == [])
  }

  /// A status that no renewal came with is the chain's state, and leaves what was said of the
  /// renewal.
  @Test func aStatusAloneIsKept() {
    let world = World { world in
      world.transaction(
        "T1", sku: "monthly", at: "2023-06-01T12:00:00", kind: .autoRenewable,
        expires: "2023-07-01T12:00:00")
      world.renewal(
        of: "T1", told: "2023-06-05T12:00:00",
        RenewalTerms(factSource: .signed, nextSKU: "yearly", willRenew: false))
      var status = RenewalTerms(factSource: .signed)
      status.status = .expired
      world.renewal(of: "T1", told: "2023-06-20T12:00:00", status)
    }
    let lines = world.survey().chains().map(\.line)
    #expect(lines.map(\.state.wording.english) == ["expired"])
    #expect(lines.map(\.willRenew) == [false] && lines.map(\.nextSKU) == ["yearly"])
  }
}
