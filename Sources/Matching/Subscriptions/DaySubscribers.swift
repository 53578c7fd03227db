package import Billing

/// What Apple's subscriber report of a day has of a product in a storefront; it names no
/// transaction.
package struct DaySubscribers: Sendable {
  /// Rows at one price, at most a hundred.
  package private(set) var places: [Source] = []
  package private(set) var units: Int64 = 0
  /// Of a unit, as far as the rows tell them, each once, ascending.
  package private(set) var prices: [Money] = []
  package private(set) var proceeds: [Money] = []

  /// Adds up the rows of the subscriber report that a product has in a storefront on a day.
  ///
  /// - Parameters:
  ///   - facts: of that day, subscriber reports alone.
  ///   - price: of a unit; nil takes rows of any.
  ///   - sold: products of the sales reports, which tell Apple's identifiers beside the catalogue.
  package init(
    _ facts: SubscriptionFacts, of sku: String, in storefront: Storefront, isRefund: Bool,
    at price: Money?, products: [Product], sold: [SalesProduct], terms: [TransactionTerms]
  ) {
    let skus = SubscriptionSKUs(products, sold: sold, terms: terms)
    var (prices, proceeds): (Set<Money>, Set<Money>) = ([], [])
    for reported in facts.subscribers {
      let (row, terms) = (reported.row, facts.subscriberTerms[Int(reported.row.terms)])
      let report = facts.reports[reported.report]
      guard row.units > 0, terms.isRefund == isRefund, row.day == report.day,
        terms.circumstance.storefront == storefront, skus.sku(terms.product) == sku
      else { continue }
      let told = terms.price.customerPrice.flatMap { micros in
        terms.price.customerCurrency.map { Money(micros: abs(micros), $0) }
      }
      if let price, told != price { continue }
      units += Int64(row.units)
      if places.count < Rules.namedRows {
        places.append(Source(file: report.file, line: Int(row.line)))
      }
      if let told { prices.insert(told) }
      if let micros = terms.price.proceeds, let currency = terms.price.proceedsCurrency {
        proceeds.insert(Money(micros: abs(micros), currency))
      }
    }
    /// Amounts in ascending order, by currency first.
    func ascending(_ all: Set<Money>) -> [Money] {
      all.sorted { ($0.currency, $0.micros) < ($1.currency, $1.micros) }
    }
    (self.prices, self.proceeds) = (ascending(prices), ascending(proceeds))
  }
}
