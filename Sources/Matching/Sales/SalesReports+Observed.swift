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

extension SalesReports {
  private struct TypeKey: Hashable {
    var type: String
    var sku: String
    var storefront: Storefront
    var currency: Currency?

    var order: [String] { [storefront.code, sku, type, currency?.code ?? ""] }
  }

  private struct Typed {
    var units: Int64 = 0
    var amount: Int64 = 0
    var day: Day
    var groups: [Int] = []
  }

  /// Rows of a product type that is not known, which count as units.
  func unknownTypes() -> [(finding: UnresolvedFinding, groups: [Int])] {
    let isUnknown = groups.products.map { !$0.type.isKnown }
    guard isUnknown.contains(true) else { return [] }
    var found: [TypeKey: Typed] = [:]
    for (index, group) in groups.groups.enumerated()
    where isUnknown[Int(group.product)] && isCounted(index) {
      let key = TypeKey(
        type: groups.products[Int(group.product)].type.code, sku: groups.skus[Int(group.sku)],
        storefront: group.terms.storefront, currency: currency(of: group))
      var sum = found[key] ?? Typed(day: group.begin)
      sum.units += group.units
      sum.amount += group.gross
      sum.day = min(sum.day, group.begin)
      if sum.groups.count < Rules.namedRows { sum.groups.append(index) }
      found[key] = sum
    }
    return found.sorted { $0.key.order.lexicographicallyPrecedes($1.key.order) }.map { key, sum in
      let units = spoken(units: sum.units)
      let amount = spoken(sum.amount, key.currency)
      let finding = UnresolvedFinding(
        .wordUnknown, storefront: key.storefront, currency: key.currency,
        day: max(sum.day, context.period.first), sku: key.sku, units: sum.units,
        amount: key.currency == nil ? nil : sum.amount,
        explanation: "@word-unknown.counted-as-sold-the-product \(amount) \(units) \(key.type)")
      return (finding, sum.groups)
    }
  }
}
