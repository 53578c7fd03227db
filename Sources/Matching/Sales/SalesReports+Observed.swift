import Billing
package import Pricing

extension SalesReports {
  /// The period's sales of in-app products, free ones left out and refunds taken off.
  package var observedSales: ObservedSales {
    ObservedSales(
      groups.groups.indices.lazy.compactMap { index -> ObservedSale? in
        let group = groups.groups[index]
        guard group.type == .covered, group.units != 0, group.price != 0, isCounted(index),
          let currency = group.currency
        else { return nil }
        return ObservedSale(
          storefront: group.terms.storefront, sku: groups.skus[Int(group.sku)],
          currency: currency, price: group.price,
          proceedsCurrency: group.terms.proceedsCurrency ?? currency,
          isAfterOneYear: group.isAfterOneYear, units: group.units, gross: group.gross,
          proceeds: group.proceeds)
      })
  }
}
