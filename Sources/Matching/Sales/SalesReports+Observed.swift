import Billing
package import Pricing

extension SalesReports {
  /// The period's sales of in-app products, free ones left out and refunds taken off.
  package var observedSales: ObservedSales {
    // Groups of one series differ only by day and units.
    var sums = [Sum](repeating: Sum(), count: groups.seriesCount)
    for (index, group) in groups.groups.enumerated()
    where group.type == .covered && group.units != 0 && group.price != 0 && isCounted(index) {
      sums[Int(group.series)].add(group, at: index)
    }
    return ObservedSales(sums.lazy.compactMap(sale))
  }

  private struct Sum {
    /// Any group of the series; −1 where it has no sales.
    var group = -1
    var units: Int64 = 0
    var gross: Int64 = 0
    var proceeds: Int64 = 0

    mutating func add(_ other: ReportGroup, at index: Int) {
      group = index
      units += other.units
      gross += other.gross
      proceeds += other.proceeds
    }
  }

  private func sale(_ sum: Sum) -> ObservedSale? {
    guard sum.group >= 0 else { return nil }
    let group = groups.groups[sum.group]
    guard let currency = group.currency else { return nil }
    return ObservedSale(
      storefront: group.terms.storefront, sku: groups.skus[Int(group.sku)], currency: currency,
      price: group.price, proceedsCurrency: group.terms.proceedsCurrency ?? currency,
      isAfterOneYear: group.isAfterOneYear, units: sum.units, gross: sum.gross,
      proceeds: sum.proceeds)
  }
}
