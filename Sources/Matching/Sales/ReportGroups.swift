import Billing

/// Rows of the current sales reports that say the same of product, money and circumstances on the
/// same day, together.
struct ReportGroup {
  var sku: String
  /// Of all SKUs of the reports, ascending by text.
  var skuRank: Int32
  var type: TypeClass
  var terms: SalesTerms
  /// `Rate After One Year` or blank.
  var proceedsReason: String
  /// `Preserved Pricing` is `Yes`.
  var isPreserved: Bool
  /// An offer or a promotion decided the price.
  var isOffer: Bool
  var begin: Day
  var end: Day
  /// Signed as printed.
  var units: Int64 = 0
  /// Rows with zero units.
  var zeroRows: Int64 = 0

  /// What a product type means for money.
  enum TypeClass { case covered, app, other }

  var isRefund: Bool { units < 0 }
  /// What the customer paid or got back per unit, without sign.
  var price: Int64 { abs(terms.customerPrice) }
  /// Units times price, signed by the units; zero-unit rows are one credit each.
  var gross: Int64 { price.multipliedExactly(by: units) - price.multipliedExactly(by: zeroRows) }
  var proceeds: Int64 {
    let each = abs(terms.proceeds)
    return each.multipliedExactly(by: units) - each.multipliedExactly(by: zeroRows)
  }
  /// The currency of the price; Apple may leave it blank on free rows.
  var currency: Currency? { terms.customerCurrency ?? terms.proceedsCurrency }

  init(
    _ row: SalesEntry, _ product: SalesProduct, rank: Int32, _ terms: SalesTerms,
    _ condition: SalesCondition
  ) {
    sku = product.sku
    skuRank = rank
    type = product.type.isCovered ? .covered : product.type.isApp ? .app : .other
    self.terms = terms
    proceedsReason = condition.proceedsReason
    isPreserved = condition.preservedPricing == "Yes"
    isOffer = !condition.orderType.isEmpty || !condition.promoCode.isEmpty
    begin = row.begin
    end = row.end
  }
}

/// Groups of all rows, and the way back from a group to its rows.
struct ReportGroups {
  private(set) var groups: [ReportGroup] = []
  private var index: [Key: Int32] = [:]
  private let productCodes: [Int32]
  private let conditionCodes: [Int32]
  private let firstDay: Day

  /// - Parameter reach: rows that begin outside are left out.
  init(_ facts: MonthFacts, reach: ClosedRange<Day>) {
    firstDay = reach.lowerBound
    productCodes = Self.ranks(facts.salesProducts.map { "\($0.sku)\u{1F}\($0.type.code)" })
    let skuRanks = Self.ranks(facts.salesProducts.map(\.sku))
    conditionCodes = Self.ranks(
      facts.salesConditions.map {
        [$0.proceedsReason, $0.preservedPricing, $0.orderType, $0.promoCode]
          .joined(separator: "\u{1F}")
      })
    var keys: [Key] = []
    for row in facts.sales where reach.contains(row.begin) {
      let key = key(of: row)
      let group: Int
      if let known = index[key] {
        group = Int(known)
      } else {
        group = groups.count
        index[key] = Int32(group)
        keys.append(key)
        groups.append(
          ReportGroup(
            row, facts.salesProducts[Int(row.product)], rank: skuRanks[Int(row.product)],
            facts.salesTerms[Int(row.terms)], facts.salesConditions[Int(row.condition)]))
      }
      groups[group].units += Int64(row.units)
      if row.units == 0 { groups[group].zeroRows += 1 }
      groups[group].end = max(groups[group].end, row.end)
    }
    arrange(keys)
  }

  /// Codes that ascend with the values: equal values have equal ones, and the order in which the
  /// ledger came to know the values decides nothing.
  private static func ranks(_ values: [String]) -> [Int32] {
    var ranks: [String: Int32] = [:]
    for (rank, value) in Set(values).sorted().enumerated() { ranks[value] = Int32(rank) }
    return values.map { ranks[$0]! }
  }

  private struct Key: Hashable {
    var product: Int32
    var condition: Int32
    var terms: Int32
    /// The day, and whether the row is a sale, a refund or a credit.
    var dayAndSign: Int32
    var end: Int32
  }

  private func key(of row: SalesEntry) -> Key {
    Key(
      product: productCodes[Int(row.product)], condition: conditionCodes[Int(row.condition)],
      terms: row.terms, dayAndSign: row.begin.number * 3 + row.units.signum() + 1,
      end: row.end.number)
  }

  /// Sorts the groups by what they say.
  private mutating func arrange(_ keys: [Key]) {
    let groups = groups
    let order = groups.indices.sorted { left, right in
      let (a, b) = (groups[left], groups[right])
      if a.terms.storefront != b.terms.storefront { return a.terms.storefront < b.terms.storefront }
      if a.begin != b.begin { return a.begin < b.begin }
      if keys[left].product != keys[right].product {
        return keys[left].product < keys[right].product
      }
      if a.terms.customerPrice != b.terms.customerPrice {
        return a.terms.customerPrice < b.terms.customerPrice
      }
      if a.terms.proceeds != b.terms.proceeds { return a.terms.proceeds < b.terms.proceeds }
      if keys[left].condition != keys[right].condition {
        return keys[left].condition < keys[right].condition
      }
      if a.currency != b.currency { return (a.currency?.packed ?? 0) < (b.currency?.packed ?? 0) }
      if a.terms.proceedsCurrency != b.terms.proceedsCurrency {
        return (a.terms.proceedsCurrency?.packed ?? 0) < (b.terms.proceedsCurrency?.packed ?? 0)
      }
      if a.end != b.end { return a.end < b.end }
      return keys[left].dayAndSign < keys[right].dayAndSign
    }
    var place = [Int32](repeating: 0, count: groups.count)
    for (new, old) in order.enumerated() { place[old] = Int32(new) }
    self.groups = order.map { groups[$0] }
    for (old, key) in keys.enumerated() { index[key] = place[old] }
  }

  /// The rows of the wanted groups, at most `limit` each, ascending.
  func rows(of wanted: Set<Int>, in sales: [SalesEntry], limit: Int = 100) -> [Int: [RowID]] {
    guard !wanted.isEmpty else { return [:] }
    var rows: [Int: [RowID]] = [:]
    for row in sales {
      guard row.begin >= firstDay, let group = index[key(of: row)].map(Int.init),
        wanted.contains(group)
      else { continue }
      if rows[group, default: []].count < limit { rows[group, default: []].append(row.row) }
    }
    return rows
  }
}
