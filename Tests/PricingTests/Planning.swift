import Billing
import Pricing
import Support

/// A small world to plan in: prices by storefront, sales, and worths in CNY.
struct PlanWorld {
  var book = plainBook
  var worths: [String: String] = ["CNY": "1", "USD": "7.1", "JPY": "0.05", "EUR": "7.7"]
  var sales: [(shop: String, currency: String, price: String, proceeds: String, units: Int32)] = []
  var commission: Int64?

  func offer(_ code: String, _ currency: String, _ price: String, coins: Int64? = nil) -> Offer {
    Offer(storefront: shop(code), currency: money(currency), price: amount(price), coins: coins)
  }

  var observed: ObservedSales {
    var facts = MonthFacts()
    facts.salesProducts = [SalesProduct(sku: "gems", type: ProductType("IA1"))]
    facts.salesConditions = [SalesCondition()]
    for (index, sale) in sales.enumerated() {
      facts.salesTerms.append(
        SalesTerms(
          storefront: shop(sale.shop), customerCurrency: money(sale.currency),
          customerPrice: amount(sale.price) * (sale.units < 0 ? -1 : 1),
          proceedsCurrency: money(sale.currency), proceeds: amount(sale.proceeds)))
      facts.sales.append(
        SalesEntry(
          row: RowID(index), units: sale.units, begin: day("2023-06-10"), end: day("2023-06-10"),
          product: 0, terms: Int32(index), condition: 0))
    }
    return ObservedSales(facts, period: Period("2023-06")!)
  }

  func plan(
    _ groups: [(String, [Offer])], rate: String = "100", fee: String = "0",
    target: PlanTarget = .equalNet, step: Int64 = 1, floor: String? = nil
  ) -> RatePlan {
    let channel = ChannelTerms(
      currency: money("CNY"), rate: amount(rate), costs: ChannelCosts(fee: amount(fee)), worth: .one
    )
    let frame = RatePlan(
      day: day("2023-06-30"), baseCurrency: money("CNY"), channel: channel, target: target,
      rounding: PlanRounding(step: step, floor: floor.map(amount)),
      expectedDeduction: 300_000...330_000, period: sales.isEmpty ? nil : Period("2023-06"),
      threshold: 100_000)
    let worths = worths
    let planner = RatePlanner(
      book: book, commission: commission, observed: sales.isEmpty ? nil : observed
    ) { currency in worths[currency.code].map(CurrencyRate.init(given:)) }
    return planner.plan(groups.map { .init(name: $0.0, offers: $0.1) }, frame: frame)
  }

  /// The plan of one price in mainland China.
  func china(
    _ price: String = "30.00", rate: String = "100", fee: String = "0",
    target: PlanTarget = .equalNet, step: Int64 = 1, floor: String? = nil
  ) -> RatePlan.PlannedRate {
    plan(
      [("CN", [offer("CN", "CNY", price)])], rate: rate, fee: fee, target: target, step: step,
      floor: floor
    ).rows[0].rate!
  }
}
