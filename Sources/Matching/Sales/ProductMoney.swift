import Billing
import Pricing

extension SalesReports {
  /// What Apple's rows of the period add up to, per storefront, currencies, entity, app and SKU;
  /// sorted.
  ///
  /// - Postcondition: they add up to the bridge's steps.
  package func productProceeds() -> [ProductProceeds] {
    var products: [ProductProceeds] = []
    var numbers: [ProductName: Int] = [:]
    // All groups of a series and season have one line, which is looked up once.
    var lineOfPlace = [Int32](repeating: -1, count: groups.seriesCount * seasons.count)
    let apps = AppNames(groups.products, context.catalogue)
    for (index, group) in groups.groups.enumerated() where isCounted(index) {
      guard let currency = currency(of: group), let quote = knownQuote(group) else { continue }
      let place = place(of: group)
      if lineOfPlace[place] < 0 {
        let line = line(of: group, currency, apps)
        let name = ProductName(line)
        let number = numbers[name, default: products.count]
        if number == products.count {
          numbers[name] = number
          products.append(line)
        }
        lineOfPlace[place] = Int32(number)
      }
      products[Int(lineOfPlace[place])].add(group, quote)
    }
    let sorted = Self.sorted(products)
    expectSameMoney(sorted)
    return sorted
  }

  /// The same by the last of each row's days in the period and by what decides its accounts; by
  /// day, then in the order of outputs.
  package func dayProceeds() -> [DayProceeds] {
    struct Key: Hashable {
      var day: Day
      var storefront: Storefront
      var currency: Currency
      var paid: Currency
      var kind: RevenueKind
    }
    var lines: [Key: ProductProceeds] = [:]
    for (index, group) in groups.groups.enumerated() where isCounted(index) {
      guard let currency = currency(of: group), let quote = knownQuote(group) else { continue }
      let key = Key(
        day: min(max(group.end, context.period.first), context.period.last),
        storefront: group.terms.storefront, currency: currency,
        paid: group.terms.proceedsCurrency ?? currency,
        kind: context.revenueKind(of: groups.products[Int(group.product)]))
      let none = ProductProceeds.Part(key.currency, proceedsCurrency: key.paid)
      lines[
        key,
        default: ProductProceeds(
          storefront: key.storefront, entity: "", app: "", sku: "", kind: key.kind, sold: none,
          refunded: none)
      ].add(group, quote)
    }
    return lines.map { DayProceeds(day: $0.key.day, proceeds: $0.value) }.sorted { left, right in
      left.day == right.day
        ? ProductProceeds.isOrderedBefore(left.proceeds, right.proceeds) : left.day < right.day
    }
  }

  /// In the order of outputs: what is sorted are numbers, because lines are large values.
  private static func sorted(_ products: [ProductProceeds]) -> [ProductProceeds] {
    let skus = Set(products.map(\.sku)).sorted()
    let ranks = Dictionary(uniqueKeysWithValues: skus.enumerated().map { ($1, UInt64($0)) })
    let keys = products.enumerated().map { index, line in
      (place: ProductName(line).place, sku: ranks[line.sku]!, index: index)
    }
    return keys.sorted { left, right in
      if left.place != right.place { return left.place < right.place }
      if left.sku != right.sku { return left.sku < right.sku }
      return ProductProceeds.isOrderedBefore(products[left.index], products[right.index])
    }.map { products[$0.index] }
  }

  private func line(
    of group: ReportGroup, _ currency: Currency, _ apps: AppNames
  ) -> ProductProceeds {
    let product = groups.products[Int(group.product)]
    let storefront = group.terms.storefront
    let none = ProductProceeds.Part(
      currency, proceedsCurrency: group.terms.proceedsCurrency ?? currency)
    return ProductProceeds(
      storefront: storefront,
      entity: context.storefronts.legalEntity(of: storefront, on: group.begin) ?? "",
      app: apps.app(of: product), sku: product.sku, kind: context.revenueKind(of: product),
      sold: none, refunded: none)
  }

  private func expectSameMoney(_ products: [ProductProceeds]) {
    var sums = BridgeSteps()
    for product in products {
      let net = product.net
      func add(_ cause: BridgeCause, _ amount: Money) {
        sums.add(cause, product.storefront, amount.currency, units: 0, amount: amount.micros)
      }
      add(.reportedGross, net.gross)
      add(.tax, -net.tax)
      add(.commission, -net.commission)
      if let difference = product.proceedsDifference {
        add(.proceedsDifference, difference)
      } else {
        add(.exchange, -net.expectedProceeds)
        add(.exchange, net.proceeds)
      }
      add(.reportedProceeds, net.proceeds)
    }
    let added = sums.sums
    for (key, steps) in bridge.sums {
      for (cause, sum) in steps where cause != .apps && cause != .partialRefund {
        precondition(
          added[key]?[cause]?.amount == sum.amount, "products do not add up to the bridge")
      }
    }
  }
}

/// What tells one line of proceeds from another.
private struct ProductName: Hashable {
  /// Storefront, currency and currency of the proceeds.
  var place: UInt64
  var kind: RevenueKind
  var sku: String
  var app: String
  var entity: String

  init(_ line: ProductProceeds) {
    place =
      UInt64(line.storefront.packed) << 32 | UInt64(line.currency.packed) << 16
      | UInt64(line.proceedsCurrency.packed)
    kind = line.kind
    sku = line.sku
    app = line.app
    entity = line.entity
  }
}

extension ProductProceeds {
  fileprivate mutating func add(_ group: ReportGroup, _ quote: SalesReports.Quote) {
    let signed = group.units - group.zeroRows
    if group.units > 0 {
      sold.add(group, quote, signed)
    } else {
      refunded.add(group, quote, signed)
    }
  }
}

extension ProductProceeds.Part {
  fileprivate mutating func add(
    _ group: ReportGroup, _ quote: SalesReports.Quote, _ signed: Int64
  ) {
    units += group.units
    gross.micros += group.gross
    tax.micros += quote.tax.multipliedExactly(by: signed)
    commission.micros += quote.commission.multipliedExactly(by: signed)
    proceeds.micros += group.proceeds
  }
}

extension MatchingContext {
  /// By the catalogue, else by what Apple's type alone tells.
  func revenueKind(of product: ReportProduct) -> RevenueKind {
    if product.type.isApp { return .apps }
    if let kind = catalogue.kind(product.sku) { return RevenueKind(kind) }
    if product.type.code.hasPrefix("IAY") { return .autoRenewable }
    return product.type.code.hasPrefix("IA9") ? .nonRenewing : .unknown
  }
}

/// Which app a product belongs to, from the catalogue and from what Apple's rows name as parent.
private struct AppNames {
  private let catalogue: CatalogueBook
  /// By the SKU of an app, the one bundle that its products have.
  private let bundleOfParent: [String: String]

  init(_ products: [ReportProduct], _ catalogue: CatalogueBook) {
    var bundles: [String: Set<String>] = [:]
    for product in products where !product.parent.isEmpty {
      if let bundle = catalogue.bundle(of: product.sku) {
        bundles[product.parent, default: []].insert(bundle)
      }
    }
    self.catalogue = catalogue
    bundleOfParent = bundles.compactMapValues { $0.count == 1 ? $0.first : nil }
  }

  func app(of product: ReportProduct) -> String {
    if let bundle = catalogue.bundle(of: product.sku) { return bundle }
    let parent = product.type.isInApp ? product.parent : product.sku
    return bundleOfParent[parent] ?? parent
  }
}
