package import Billing

/// A commission and a tax of the documents that give a row's proceeds to the minor unit.
package struct ProceedsFit: Hashable, Sendable {
  /// Millionths of the net price.
  package let commission: Int64
  /// Inside the price, millionths of the net price; zero for none.
  package let tax: Int64
}

extension PriceBook {
  /// Combinations that would explain proceeds which the day's rule does not: each commission that
  /// Apple's documents have for the storefront on that day, with each tax that the table has for it
  /// on any day, and without one. Those with the least tax come first.
  package func fits(
    storefront: Storefront, platform: Platform?, currency: Currency, price: Int64, proceeds: Int64,
    day: Day
  ) -> [ProceedsFit] {
    let classes = CommissionClass.allCases.map {
      commission($0, storefront: storefront, platform: platform, day: day)
    }
    let rates = Set(classes + [Self.standardRate, Self.reducedRate])
    let rules = taxes.rules(concerning: storefront).filter {
      $0.deducted == 0 && $0.currency == currency
    }
    let found = rates.flatMap { rate in
      var bases = rules.map { rule in
        var basis = PriceBasis(commission: rate)
        basis.follow(rule)
        return basis
      }
      bases.append(PriceBasis(commission: rate))
      return bases.filter { $0.proceeds(of: price, unit: currency.minorUnit) == proceeds }
        .map { ProceedsFit(commission: rate, tax: $0.inside) }
    }
    return Set(found).sorted { ($0.tax, $1.commission) < ($1.tax, $0.commission) }
  }
}
