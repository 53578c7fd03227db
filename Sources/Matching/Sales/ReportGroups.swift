import Billing
import Pricing

/// Rows of the current sales reports that say the same of product, money and circumstances on the
/// same day, together. It holds no text, so that copies cost nothing.
struct ReportGroup {
  /// What a product type means for money.
  enum TypeClass { case covered, app, other }

  /// Index into `ReportGroups.skus`.
  var sku: Int32
  /// Index into `ReportGroups.products`.
  var product: Int32
  /// Groups that differ only by day and units have the same series.
  var series: Int32
  var type: TypeClass
  var terms: SalesTerms
  /// `Proceeds Reason` is `Rate After One Year`.
  var isAfterOneYear: Bool
  /// `Preserved Pricing` is `Yes`.
  var isPreserved: Bool
  /// What the row's device runs; nil where it does not tell.
  var platform: Platform?
  /// An offer or a promotion decided the price.
  var isOffer: Bool
  var begin: Day
  var end: Day
  var rows: Int64 = 0
  /// Signed as printed.
  var units: Int64 = 0
  /// Rows with zero units.
  var zeroRows: Int64 = 0

  /// What decides the terms of its rows.
  func scope(sku: String) -> TermsScope {
    TermsScope(terms.storefront, platform: platform, sku: sku, isAfterOneYear: isAfterOneYear)
  }

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

/// What rows say of a product that money is booked by.
struct ReportProduct: Hashable, Comparable {
  var sku: String
  var type: ProductType
  /// On in-app rows, the SKU of the app.
  var parent: String
  var subscriptionPeriod: String

  init(_ product: SalesProduct) {
    sku = product.sku
    type = product.type
    parent = product.parent
    subscriptionPeriod = product.subscriptionPeriod
  }

  static func < (left: Self, right: Self) -> Bool {
    (left.sku, left.type.code, left.parent, left.subscriptionPeriod)
      < (right.sku, right.type.code, right.parent, right.subscriptionPeriod)
  }
}

/// Groups of all rows, ascending by what they say, and the way back from a group to its rows.
struct ReportGroups {
  private(set) var groups: [ReportGroup] = []
  /// SKUs of the reports, ascending.
  private(set) var skus: [String] = []
  /// Products of the reports, ascending.
  private(set) var products: [ReportProduct] = []
  private(set) var seriesCount = 0
  /// By row its place among the groups; negative for one that was left out.
  private var groupOfRow: [Int32] = []

  /// - Parameter reach: rows that begin outside are left out.
  init(_ facts: MonthFacts, reach: ClosedRange<Day>) {
    let codes = Codes(facts)
    skus = codes.skus
    products = codes.products
    var index = NumberTable<Key>(room: facts.sales.count)
    var series = NumberTable<SeriesKey>()
    var begun: [Begun] = []
    begun.reserveLarge(facts.sales.count)
    groupOfRow = Array(large: -1, count: facts.sales.count)
    for (number, row) in facts.sales.enumerated() where reach.contains(row.begin) {
      let key = codes.key(of: row)
      let place = index.number(of: key)
      if place == begun.count {
        let ofSeries = series.number(of: SeriesKey(key))
        begun.append(Begun(row: Int32(number), series: Int32(ofSeries)))
      }
      groupOfRow[number] = Int32(place)
      begun[place].add(row)
    }
    seriesCount = series.keys.count
    let order = Self.order(index.keys, facts.salesTerms)
    var places = [Int32](large: 0, count: order.count)
    for (new, old) in order.enumerated() { places[old] = Int32(new) }
    for row in groupOfRow.indices where groupOfRow[row] >= 0 {
      groupOfRow[row] = places[Int(groupOfRow[row])]
    }
    groups.reserveLarge(order.count)
    for place in order { groups.append(codes.group(begun[place], facts)) }
  }

  /// A group while its rows are counted: small, because each row looks for its own.
  fileprivate struct Begun {
    /// The place of its first row.
    let row: Int32
    let series: Int32
    var rows: Int32 = 0
    var zeroRows: Int32 = 0
    var units: Int64 = 0

    init(row: Int32, series: Int32) { (self.row, self.series) = (row, series) }

    mutating func add(_ row: SalesEntry) {
      rows += 1
      units += Int64(row.units)
      if row.units == 0 { zeroRows += 1 }
    }
  }

  fileprivate struct Key: CodeKey {
    var product: Int32
    var condition: Int32
    var terms: Int32
    /// The first day, and whether the row is a sale, a refund or a credit.
    var dayAndSign: Int32
    var end: Int32

    /// The first day's number.
    var begin: Int32 { (dayAndSign - (dayAndSign % 3 + 3) % 3) / 3 }

    var mixed: UInt64 {
      let what = mix(joined(product, condition), joined(terms, dayAndSign))
      return mix(what, UInt64(UInt32(bitPattern: end)))
    }
  }

  private struct SeriesKey: CodeKey {
    var productAndCondition: Int64
    var termsAndSign: Int64

    init(_ key: Key) {
      productAndCondition = Int64(key.product) << 32 | Int64(key.condition)
      termsAndSign = Int64(key.terms) * 3 + Int64((key.dayAndSign % 3 + 3) % 3)
    }

    var mixed: UInt64 {
      mix(UInt64(bitPattern: productAndCondition), UInt64(bitPattern: termsAndSign))
    }
  }

  /// Groups by what they say, so that the order of rows decides nothing.
  private static func order(_ keys: [Key], _ terms: [SalesTerms]) -> [Int] {
    let sorted = sortedByKey(count: keys.count) { place in
      let day = UInt64(UInt16(truncatingIfNeeded: keys[place].begin))
      return UInt64(terms[Int(keys[place].terms)].storefront.packed) << 48 | day << 32
        | UInt64(UInt32(bitPattern: keys[place].product))
    }
    var order = sorted.map { Int($0.index) }
    for run in runs(of: sorted) {
      order[run].sort { isOrderedBefore(keys[$0], keys[$1], terms) }
    }
    return order
  }

  /// For groups of one storefront, day and product.
  private static func isOrderedBefore(_ a: Key, _ b: Key, _ terms: [SalesTerms]) -> Bool {
    let (s, t) = (terms[Int(a.terms)], terms[Int(b.terms)])
    if s.customerPrice != t.customerPrice { return s.customerPrice < t.customerPrice }
    if s.proceeds != t.proceeds { return s.proceeds < t.proceeds }
    if a.condition != b.condition { return a.condition < b.condition }
    if s.customerCurrency != t.customerCurrency {
      return (s.customerCurrency?.packed ?? 0) < (t.customerCurrency?.packed ?? 0)
    }
    if s.proceedsCurrency != t.proceedsCurrency {
      return (s.proceedsCurrency?.packed ?? 0) < (t.proceedsCurrency?.packed ?? 0)
    }
    return (a.end, a.dayAndSign) < (b.end, b.dayAndSign)
  }

  /// The rows of the wanted groups, at most `limit` each, ascending.
  ///
  /// - Parameter sales: those that the groups were made of.
  func rows(of wanted: Set<Int>, in sales: [SalesEntry], limit: Int = Rules.namedRows) -> [Int:
    [SalesRow.ID]]
  {
    precondition(sales.count == groupOfRow.count, "the rows that the groups were made of")
    var isWanted = [Bool](repeating: false, count: groups.count)
    for group in wanted { isWanted[group] = true }
    var rows: [Int: [SalesRow.ID]] = [:]
    for (row, group) in zip(sales, groupOfRow) where group >= 0 && isWanted[Int(group)] {
      if rows[Int(group), default: []].count < limit {
        rows[Int(group), default: []].append(row.row)
      }
    }
    return rows
  }
}

/// Two codes as one word.
@inline(__always)
private func joined(_ first: Int32, _ second: Int32) -> UInt64 {
  UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))
}

/// Numbers for what rows say, ascending with the texts: equal texts have equal numbers, and the
/// order in which the ledger came to know them decides nothing.
private struct Codes {
  let skus: [String]
  let products: [ReportProduct]
  private let skuOf: [Int32]
  private let productOf: [Int32]
  private let conditionOf: [Int32]
  /// By code of the ledger, without texts: there are as many groups as rows.
  private let types: [ReportGroup.TypeClass]
  private let circumstances: [Circumstances]

  /// What a group has of a condition.
  private struct Circumstances {
    let isAfterOneYear: Bool
    let isPreserved: Bool
    let platform: Platform?
    let isOffer: Bool

    init(_ condition: SalesCondition) {
      isAfterOneYear = condition.proceedsReason == "Rate After One Year"
      isPreserved = condition.preservedPricing == "Yes"
      platform = Platform(device: condition.device)
      isOffer = !condition.orderType.isEmpty || !condition.promoCode.isEmpty
    }
  }

  init(_ facts: MonthFacts) {
    types = facts.salesProducts.map {
      $0.type.isCovered ? .covered : $0.type.isApp ? .app : .other
    }
    circumstances = facts.salesConditions.map(Circumstances.init)

    (skuOf, skus) = Self.ranks(facts.salesProducts.map(\.sku))
    (productOf, products) = Self.ranks(facts.salesProducts.map(ReportProduct.init))
    conditionOf =
      Self.ranks(
        facts.salesConditions.map {
          [
            $0.proceedsReason, $0.preservedPricing, $0.orderType, $0.promoCode,
            Platform(device: $0.device)?.rawValue ?? "",
          ]
          .joined(separator: "\u{1F}")
        }
      ).0
  }

  private static func ranks<Value: Hashable & Comparable>(
    _ values: [Value]
  ) -> ([Int32], [Value]) {
    let ascending = Set(values).sorted()
    var ranks: [Value: Int32] = [:]
    for (rank, value) in ascending.enumerated() { ranks[value] = Int32(rank) }
    return (values.map { ranks[$0]! }, ascending)
  }

  func key(of row: SalesEntry) -> ReportGroups.Key {
    ReportGroups.Key(
      product: productOf[Int(row.product)], condition: conditionOf[Int(row.condition)],
      terms: row.terms, dayAndSign: row.begin.number * 3 + row.units.signum() + 1,
      end: row.end.number)
  }

  func group(_ begun: ReportGroups.Begun, _ facts: MonthFacts) -> ReportGroup {
    let row = facts.sales[Int(begun.row)]
    let told = circumstances[Int(row.condition)]
    return ReportGroup(
      sku: skuOf[Int(row.product)], product: productOf[Int(row.product)],
      series: begun.series, type: types[Int(row.product)], terms: facts.salesTerms[Int(row.terms)],
      isAfterOneYear: told.isAfterOneYear, isPreserved: told.isPreserved, platform: told.platform,
      isOffer: told.isOffer, begin: row.begin, end: row.end, rows: Int64(begun.rows),
      units: begun.units, zeroRows: Int64(begun.zeroRows))
  }
}
