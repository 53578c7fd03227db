import Billing

extension SalesReports {
  /// Rows that become one finding.
  private struct TypeKey: Hashable {
    var type: String
    var sku: String
    var storefront: Storefront
    var currency: Currency?

    var order: [String] { [storefront.code, sku, type, currency?.code ?? ""] }
  }

  /// What they come to.
  private struct Typed {
    var units: Int64 = 0
    var amount: Int64 = 0
    var day: Day
    var groups: [Int] = []
  }

  /// Findings of rows of a product type that is not known, which count as units: one per type, SKU,
  /// storefront and currency, with indices of the groups that are their evidence.
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
