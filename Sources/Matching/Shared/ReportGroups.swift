import Billing
import Pricing

/// Rows of the current sales reports that say the same of product, money and circumstances on the
/// same day, together. It holds no text, so that copies cost nothing.
struct ReportGroup {
  /// What a product type means for money.
  enum TypeClass { case covered, app, other }

  private let own: Own
  private let shared: Shared
  /// Index into `ReportGroups.skus`.
  let sku: Int32

  fileprivate init(_ own: Own, _ shared: Shared, sku: Int32) {
    (self.own, self.shared, self.sku) = (own, shared, sku)
  }

  /// What a group has for itself; there are nearly as many groups as rows.
  fileprivate struct Own {
    /// Signed as printed.
    var units: Int64 = 0
    var series: Int32
    let product: Int32
    let begin: Day
    let end: Day
    var rowCount: Int32 = 0
    var zeroRowCount: Int32 = 0

    /// Adds a row's units to the group.
    mutating func add(_ row: SalesEntry) {
      rowCount += 1
      units += Int64(row.units)
      if row.units == 0 { zeroRowCount += 1 }
    }
  }

  /// What all groups of a series have in common.
  fileprivate struct Shared {
    let terms: SalesTerms
    let type: TypeClass
    let told: Circumstances
    let alike: Int32

    /// What a row says that is the same in all groups of its series.
    ///
    /// - Parameters:
    ///   - terms: all that the facts have.
    ///   - alike: number of the row's product, the same for products that are judged alike.
    init(_ row: SalesEntry, _ terms: [SalesTerms], _ codes: Codes, alike: Int32) {
      self.terms = terms[Int(row.terms)]
      type = codes.types[Int(row.product)]
      told = codes.circumstances[Int(row.condition)]
      self.alike = alike
    }
  }

  /// What a group has of the condition of its rows.
  struct Circumstances {
    /// `Proceeds Reason` is `Rate After One Year`.
    let isAfterOneYear: Bool
    /// `Preserved Pricing` is `Yes`.
    let isPreserved: Bool
    /// What the row's device runs; nil where it does not tell.
    let platform: Platform?
    /// An offer or a promotion decided the price.
    let isOffer: Bool

    /// What a row's condition says of its price and its device.
    init(_ condition: SalesCondition) {
      isAfterOneYear = condition.proceedsReason == "Rate After One Year"
      isPreserved = condition.preservedPricing == "Yes"
      platform = Platform(device: condition.device)
      isOffer = !condition.orderType.isEmpty || !condition.promoCode.isEmpty
    }
  }

  /// Signed as printed.
  var units: Int64 { own.units }
  var terms: SalesTerms { shared.terms }
  var type: TypeClass { shared.type }
  var told: Circumstances { shared.told }
  /// Index into `ReportGroups.products`.
  var product: Int32 { own.product }
  /// Products that are judged alike have the same.
  var alike: Int32 { shared.alike }
  /// Groups have the same series that differ only by day, units, and by what judges nothing of
  /// their products.
  var series: Int32 { own.series }
  /// The first day of its rows.
  var begin: Day { own.begin }
  /// The last day of its rows.
  var end: Day { own.end }
  /// How many rows it has.
  var rows: Int64 { Int64(own.rowCount) }
  /// Rows with zero units.
  var zeroRows: Int64 { Int64(own.zeroRowCount) }
  var isAfterOneYear: Bool { told.isAfterOneYear }
  var isPreserved: Bool { told.isPreserved }
  var platform: Platform? { told.platform }
  var isOffer: Bool { told.isOffer }

  /// Storefront, platform, SKU and year of subscription: what decides which terms its rows have.
  func scope(sku: String) -> TermsScope {
    TermsScope(terms.storefront, platform: platform, sku: sku, isAfterOneYear: isAfterOneYear)
  }

  var isRefund: Bool { units < 0 }
  /// What the customer paid or got back per unit, without sign; micro-units.
  var price: Int64 { abs(terms.customerPrice) }
  /// Units times price, signed by the units; zero-unit rows are one credit each. Micro-units.
  var gross: Int64 { price.multipliedExactly(by: units) - price.multipliedExactly(by: zeroRows) }
  /// Units times Apple's proceeds per unit, signed by the units; zero-unit rows are one credit
  /// each. Micro-units.
  var proceeds: Int64 {
    let each = abs(terms.proceeds)
    return each.multipliedExactly(by: units) - each.multipliedExactly(by: zeroRows)
  }
  /// The currency of the price; Apple may leave it blank on free rows.
  var currency: Currency? { terms.customerCurrency ?? terms.proceedsCurrency }
}

/// Groups, each put together of what is its own and what its series has in common.
struct ReportGroupList: RandomAccessCollection, Sendable {
  private var own: [ReportGroup.Own] = []
  private var shared: [ReportGroup.Shared] = []
  private var skuOfProduct: [Int32] = []

  var startIndex: Int { 0 }
  var endIndex: Int { own.count }
  var seriesCount: Int { shared.count }

  /// The group at a place.
  @inline(__always)
  subscript(place: Int) -> ReportGroup {
    let own = own[place]
    return ReportGroup(own, shared[Int(own.series)], sku: skuOfProduct[Int(own.product)])
  }

  /// No groups yet.
  ///
  /// - Parameters:
  ///   - skuOfProduct: index of the SKU, by product.
  ///   - room: for so many groups; it costs nothing until then.
  fileprivate init(skuOfProduct: [Int32], room: Int) {
    self.skuOfProduct = skuOfProduct
    own.reserveCapacity(room)
  }

  /// Begins a group for rows like this one, which is not added yet.
  ///
  /// - Parameters:
  ///   - series: number of the group's series; one that is not there yet, the next, begins with it.
  ///   - alike: number of the row's product, the same for products that are judged alike.
  fileprivate mutating func begin(
    with row: SalesEntry, series: Int, _ terms: [SalesTerms], _ codes: Codes, alike: Int32
  ) {
    if series == shared.count {
      shared.append(ReportGroup.Shared(row, terms, codes, alike: alike))
    }
    own.append(
      ReportGroup.Own(
        series: Int32(series), product: codes.product(of: row), begin: row.begin, end: row.end))
  }

  /// Parts each series by product, where a product is judged apart.
  ///
  /// - Parameter isApart: by product.
  fileprivate mutating func setApart(_ isApart: [Bool]) {
    var (pairs, all) = (PairTable(), [ReportGroup.Shared]())
    for place in own.indices {
      let (series, product) = (own[place].series, own[place].product)
      let number = pairs.number(series, isApart[Int(product)] ? product : -1)
      if number == all.count { all.append(shared[Int(series)]) }
      own[place].series = Int32(number)
    }
    shared = all
  }

  /// Adds a row to the group that was begun last.
  fileprivate mutating func add(_ row: SalesEntry) { own[own.count - 1].add(row) }
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
  private(set) var groups: ReportGroupList
  /// SKUs of the reports, ascending.
  private(set) var skus: [String] = []
  /// Products of the reports, ascending.
  private(set) var products: [ReportProduct] = []
  /// Index into `skus` by product.
  let skuOfProduct: [Int32]
  var seriesCount: Int { groups.seriesCount }
  /// By row its place among the groups; negative for one that was left out.
  private var groupOfRow: [Int32] = []

  /// Puts rows of sales reports into groups, in an order that does not depend on theirs.
  ///
  /// - Parameters:
  ///   - reach: rows that begin outside are left out.
  ///   - alike: numbers of products, the same for those that are judged alike.
  init(
    _ facts: MonthFacts, reach: ClosedRange<Day>,
    alike numbersOf: ([ReportProduct]) -> [Int32] = { $0.indices.map(Int32.init) }
  ) {
    let codes = Codes(facts)
    skus = codes.skus
    products = codes.products
    skuOfProduct = codes.skuOfProduct
    groups = ReportGroupList(skuOfProduct: codes.skuOfProduct, room: facts.sales.count)
    let numbers = numbersOf(products)
    // Lists by themselves: a closure that asked the facts for one would copy them each time.
    let (sales, terms) = (facts.sales, facts.salesTerms)
    groupOfRow = Array(repeating: -1, count: sales.count)
    var series = NumberTable<SeriesKey>()
    let sorted = Self.sorted(sales, terms, codes, reach)
    var alike: [(key: Key, row: Int)] = []
    for (place, item) in sorted.enumerated() {
      let row = Int(item.index)
      alike.append((codes.key(of: sales[row]), row))
      if place + 1 < sorted.count, sorted[place + 1].key == item.key { continue }
      if alike.count > 1 { alike.sort { Self.isOrderedBefore($0.key, $1.key, terms) } }
      var last: Key?
      for (key, row) in alike {
        if last != key {
          let own = numbers[Int(key.product)]
          let number = series.number(of: SeriesKey(key, alike: own))
          groups.begin(with: sales[row], series: number, terms, codes, alike: own)
          last = key
        }
        groupOfRow[row] = Int32(groups.count - 1)
        groups.add(sales[row])
      }
      alike.removeAll(keepingCapacity: true)
    }
  }

  /// Gives each product of these SKUs series of its own, apart from those of products that were
  /// judged alike: what was found out since the groups were made judges it by itself.
  mutating func setApart(_ skus: Set<String>) {
    if !skus.isEmpty { groups.setApart(products.map { skus.contains($0.sku) }) }
  }

  /// Positions of rows within reach, ascending by storefront, first day and product, so that their
  /// own order decides nothing.
  private static func sorted(
    _ sales: [SalesEntry], _ terms: [SalesTerms], _ codes: Codes, _ reach: ClosedRange<Day>
  ) -> [KeyedIndex] {
    var rows: [KeyedIndex] = []
    rows.reserveCapacity(sales.count)
    for (number, row) in sales.enumerated() where reach.contains(row.begin) {
      let day = UInt64(UInt16(truncatingIfNeeded: row.begin.number))
      let key =
        UInt64(terms[Int(row.terms)].storefront.packed) << 48 | day << 32
        | UInt64(UInt32(bitPattern: codes.product(of: row)))
      rows.append(KeyedIndex(key: key, index: UInt32(number)))
    }
    rows.withUnsafeMutableBufferPointer { sortByKey($0) }
    return rows
  }

  /// What the rows of a group have in common.
  fileprivate struct Key: Equatable {
    var product: Int32
    var condition: Int32
    var terms: Int32
    /// The first day, and whether the row is a sale, a refund or a credit.
    var dayAndSign: Int32
    var end: Int32
  }

  /// What the groups of a series have in common.
  private struct SeriesKey: CodeKey {
    var alikeAndCondition: Int64
    var termsAndSign: Int64

    /// The series that a group is of: groups with products judged alike, and the same condition,
    /// terms and sign, on any day.
    ///
    /// - Parameter alike: number of its product, the same for products that are judged alike.
    init(_ key: Key, alike: Int32) {
      alikeAndCondition = Int64(alike) << 32 | Int64(key.condition)
      termsAndSign = Int64(key.terms) * 3 + Int64((key.dayAndSign % 3 + 3) % 3)
    }

    /// All that the key says, mixed as ``CodeKey`` asks.
    var mixed: UInt64 {
      mix(UInt64(bitPattern: alikeAndCondition), UInt64(bitPattern: termsAndSign))
    }
  }

  /// Whether one group comes before another of the same storefront, day and product: by price,
  /// proceeds and condition, then by currencies, last day and sign.
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
    return (a.end, a.dayAndSign, a.terms) < (b.end, b.dayAndSign, b.terms)
  }

  /// The rows of wanted groups, by group, at most `limit` of each, ascending.
  ///
  /// - Parameters:
  ///   - wanted: the groups' places.
  ///   - sales: those that the groups were made of.
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

/// Numbers for what rows say, ascending with the texts: equal texts have equal numbers, and the
/// order in which the ledger came to know them decides nothing.
private struct Codes {
  let skus: [String]
  let products: [ReportProduct]
  /// By product that is told apart.
  let skuOfProduct: [Int32]
  private let productOf: [Int32]
  private let conditionOf: [Int32]
  /// By code of the ledger, without texts: there are as many groups as rows.
  let types: [ReportGroup.TypeClass]
  let circumstances: [ReportGroup.Circumstances]

  /// Numbers what the facts' rows of sales say.
  init(_ facts: MonthFacts) {
    types = facts.salesProducts.map {
      $0.type.isCovered ? .covered : $0.type.isApp ? .app : .other
    }
    circumstances = facts.salesConditions.map(ReportGroup.Circumstances.init)

    (productOf, products) = Self.ranks(facts.salesProducts.map(ReportProduct.init))
    (skuOfProduct, skus) = Self.ranks(products.map(\.sku))
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

  /// The rank of each value among all, equal values having the same; and all values, each once,
  /// ascending.
  private static func ranks<Value: Hashable & Comparable>(
    _ values: [Value]
  ) -> ([Int32], [Value]) {
    let ascending = Set(values).sorted()
    var ranks: [Value: Int32] = [:]
    for (rank, value) in ascending.enumerated() { ranks[value] = Int32(rank) }
    return (values.map { ranks[$0]! }, ascending)
  }

  /// What decides the group of a row.
  func key(of row: SalesEntry) -> ReportGroups.Key {
    ReportGroups.Key(
      product: productOf[Int(row.product)], condition: conditionOf[Int(row.condition)],
      terms: row.terms, dayAndSign: row.begin.number * 3 + row.units.signum() + 1,
      end: row.end.number)
  }

  /// The number of a row's product.
  func product(of row: SalesEntry) -> Int32 { productOf[Int(row.product)] }
}
