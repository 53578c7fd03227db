package import Billing

/// What Apple reported of one product at one price, refunds taken off.
package struct ObservedSale: Hashable, Sendable {
  package var storefront: Storefront
  package var sku: String
  package var currency: Currency
  /// Per unit, micro-units.
  package var price: Int64
  package var proceedsCurrency: Currency
  /// `Rate After One Year`.
  package var isAfterOneYear: Bool
  package var units: Int64 = 0
  /// All units, micro-units of `currency` and of `proceedsCurrency`.
  package var gross: Int64 = 0
  package var proceeds: Int64 = 0
}

/// The sales of in-app products that reports of a period tell of, free ones left out.
package struct ObservedSales: Sendable {
  /// By storefront, SKU, price.
  package let sales: [ObservedSale]

  /// Adds up sales by storefront, product and price.
  ///
  /// - Parameter sold: sales with their sums, several of which may be of one product and price.
  package init(_ sold: some Sequence<ObservedSale>) {
    var sums: [ObservedSale: ObservedSale] = [:]
    for sale in sold { sums[sale.withoutSums, default: sale.withoutSums].add(sale) }
    sales = sums.values.sorted(by: ObservedSale.isOrderedBefore)
  }

  /// Adds up the rows of sales reports in a period by storefront, product and price.
  ///
  /// - Parameter facts: rows that reach beyond the period are left out, since their days are not
  ///   known one by one.
  package init(_ facts: MonthFacts, period: Period) {
    var sums: [ObservedSale: ObservedSale] = [:]
    for row in facts.sales where row.begin >= period.first && row.end <= period.last {
      let product = facts.salesProducts[Int(row.product)]
      let terms = facts.salesTerms[Int(row.terms)]
      guard product.type.isCovered, row.units != 0, terms.customerPrice != 0,
        let currency = terms.customerCurrency ?? terms.proceedsCurrency
      else { continue }
      let condition = facts.salesConditions[Int(row.condition)]
      let key = ObservedSale(
        storefront: terms.storefront, sku: product.sku, currency: currency,
        price: abs(terms.customerPrice), proceedsCurrency: terms.proceedsCurrency ?? currency,
        isAfterOneYear: condition.proceedsReason == CommissionClass.afterOneYearReason)
      sums[key, default: key].add(Int64(row.units), proceedsEach: abs(terms.proceeds))
    }
    sales = sums.values.sorted(by: ObservedSale.isOrderedBefore)
  }

  /// The storefronts with sales, ascending.
  package var storefronts: [Storefront] { Set(sales.map(\.storefront)).sorted() }

  /// Sales of an offer: of its products where they are known, else at its price.
  package func sales(of offer: Offer) -> [ObservedSale] {
    sales.filter { sale in
      guard sale.storefront == offer.storefront, sale.currency == offer.currency else {
        return false
      }
      return offer.skus.isEmpty && offer.tier.isEmpty
        ? sale.price == offer.price : offer.skus.contains(sale.sku)
    }
  }
}

extension ObservedSale {
  /// What the sale is summed by: its units and amounts are zero.
  fileprivate var withoutSums: ObservedSale {
    var sale = self
    (sale.units, sale.gross, sale.proceeds) = (0, 0, 0)
    return sale
  }

  /// Adds the sums of a sale of the same product and price.
  fileprivate mutating func add(_ other: ObservedSale) {
    units += other.units
    gross += other.gross
    proceeds += other.proceeds
  }

  /// Adds so many units at this sale's price, which bring `proceedsEach` micro-units each.
  fileprivate mutating func add(_ more: Int64, proceedsEach: Int64) {
    units += more
    gross += price.multipliedExactly(by: more)
    proceeds += proceedsEach.multipliedExactly(by: more)
  }

  /// The order of sales: by storefront, SKU, price and currencies, those after a year last.
  fileprivate static func isOrderedBefore(_ left: ObservedSale, _ right: ObservedSale) -> Bool {
    if left.storefront != right.storefront { return left.storefront < right.storefront }
    if left.sku != right.sku { return left.sku < right.sku }
    if left.price != right.price { return left.price < right.price }
    if left.currency != right.currency { return left.currency < right.currency }
    if left.proceedsCurrency != right.proceedsCurrency {
      return left.proceedsCurrency < right.proceedsCurrency
    }
    return !left.isAfterOneYear && right.isAfterOneYear
  }
}
