import Billing

/// Rows of the current sales reports that say the same of product, money and circumstances on the
/// same day, together.
struct ReportGroup {
  var product: SalesProduct
  var terms: SalesTerms
  var condition: SalesCondition
  var begin: Day
  var end: Day
  /// Signed as printed.
  var units: Int64
  /// Rows with zero units.
  var zeroRows: Int64

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
}

extension ReportGroup {
  /// By all that tells groups apart; only what is the same is left unordered.
  fileprivate static func isOrderedBefore(_ left: ReportGroup, _ right: ReportGroup) -> Bool {
    let (a, b) = (left.terms, right.terms)
    if a.storefront != b.storefront { return a.storefront < b.storefront }
    if left.begin != right.begin { return left.begin < right.begin }
    if left.product.sku != right.product.sku { return left.product.sku < right.product.sku }
    if a.customerPrice != b.customerPrice { return a.customerPrice < b.customerPrice }
    if a.proceeds != b.proceeds { return a.proceeds < b.proceeds }
    if left.units.signum() != right.units.signum() { return left.units < right.units }
    if left.end != right.end { return left.end < right.end }
    return (left.product.type.code, left.currencies, left.circumstances, left.units)
      < (right.product.type.code, right.currencies, right.circumstances, right.units)
  }

  private var currencies: String {
    (terms.customerCurrency?.code ?? "") + "/" + (terms.proceedsCurrency?.code ?? "")
  }

  private var circumstances: String {
    [
      condition.proceedsReason, condition.preservedPricing, condition.orderType,
      condition.promoCode,
    ].joined(separator: "\u{1F}")
  }
}

/// Groups of all rows, and the way back from a group to its rows.
struct ReportGroups {
  private(set) var groups: [ReportGroup] = []
  private var index: [Key: Int32] = [:]
  private var productCodes: [Int32] = []
  private var conditionCodes: [Int32] = []
  private let firstDay: Day

  /// - Parameter reach: rows that begin outside are left out.
  init(_ facts: MonthFacts, reach: ClosedRange<Day>) {
    firstDay = reach.lowerBound
    productCodes = Self.codes(facts.salesProducts) { [$0.sku, $0.type.code] }
    conditionCodes = Self.codes(facts.salesConditions) {
      [$0.proceedsReason, $0.preservedPricing, $0.orderType, $0.promoCode]
    }
    for row in facts.sales where reach.contains(row.begin) {
      let key = key(of: row)
      if let known = index[key] {
        add(row, to: Int(known))
        continue
      }
      index[key] = Int32(groups.count)
      groups.append(
        ReportGroup(
          product: facts.salesProducts[Int(row.product)], terms: facts.salesTerms[Int(row.terms)],
          condition: facts.salesConditions[Int(row.condition)], begin: row.begin, end: row.end,
          units: 0, zeroRows: 0))
      add(row, to: groups.count - 1)
    }
    arrange()
  }

  /// The same value gets the same code.
  private static func codes<Value>(_ values: [Value], _ key: (Value) -> [String]) -> [Int32] {
    var codes: [[String]: Int32] = [:]
    return values.map { value in
      let key = key(value)
      if let known = codes[key] { return known }
      let code = Int32(codes.count)
      codes[key] = code
      return code
    }
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

  private mutating func add(_ row: SalesEntry, to group: Int) {
    groups[group].units += Int64(row.units)
    if row.units == 0 { groups[group].zeroRows += 1 }
  }

  /// Sorts the groups by what they say, so that the order of rows decides nothing.
  private mutating func arrange() {
    let order = groups.indices.sorted { ReportGroup.isOrderedBefore(groups[$0], groups[$1]) }
    var place = [Int32](repeating: 0, count: groups.count)
    for (new, old) in order.enumerated() { place[old] = Int32(new) }
    groups = order.map { groups[$0] }
    index = index.mapValues { place[Int($0)] }
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
