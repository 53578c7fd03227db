package import Billing
import Pricing

extension SalesReports {
  /// What Apple's rows of the period add up to, per storefront, currencies, entity, app and SKU;
  /// sorted.
  ///
  /// - Postcondition: they add up to the bridge's steps.
  package func productProceeds() -> [ProductProceeds] {
    var lines = ProductLines(groups, context)
    // The company of Apple's that sells in the storefront at hand, by season.
    var entities: [String?] = []
    var storefront: Storefront?
    for (index, group) in groups.groups.enumerated() where isCounted(index) {
      guard let currency = currency(of: group), let quote = knownQuote(group) else { continue }
      if group.terms.storefront != storefront {
        storefront = group.terms.storefront
        entities = Array(repeating: nil, count: seasons.count)
        lines.endStorefront()
      }
      let season = seasons.season(of: group.begin)
      let entity =
        entities[season] ?? context.storefronts.legalEntity(
          of: group.terms.storefront, on: group.begin) ?? ""
      entities[season] = entity
      lines.add(group, quote, currency, entity)
    }
    lines.endStorefront()
    expectSameMoney(lines.all)
    return lines.all
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

/// Lines of proceeds, one storefront after the other.
private struct ProductLines {
  private struct Name: Hashable {
    var sku: Int32
    var app: String
    var kind: RevenueKind
  }

  private let groups: ReportGroups
  private(set) var all: [ProductProceeds] = []
  /// What lines call a product, by its number.
  private let names: [Name]
  /// The same as numbers: products that share all of it share lines.
  private let numbers: [Int32]
  /// SKUs by number of name.
  private let skus: [Int32]
  /// Where the lines of the storefront at hand begin.
  private var first = 0
  /// By name the latest of them, and by line the one of its name before it; -1 is none.
  private var latest: [Int32]
  private var earlier: [Int32] = []
  private var nameOf: [Int32] = []

  init(_ groups: ReportGroups, _ context: MatchingContext) {
    self.groups = groups
    let apps = AppNames(groups.products, context.catalogue)
    names = zip(groups.products, groups.skuOfProduct).map { product, sku in
      Name(sku: sku, app: apps.app(of: product), kind: context.revenueKind(of: product))
    }
    var known: [Name: Int32] = [:]
    numbers = names.map { name in
      let number = known[name] ?? Int32(known.count)
      known[name] = number
      return number
    }
    var skus = [Int32](repeating: 0, count: known.count)
    for (name, number) in known { skus[Int(number)] = name.sku }
    self.skus = skus
    latest = Array(repeating: -1, count: known.count)
  }

  mutating func add(
    _ group: ReportGroup, _ quote: SalesReports.Quote, _ currency: Currency, _ entity: String
  ) {
    let paid = group.terms.proceedsCurrency ?? currency
    let name = Int(numbers[Int(group.product)])
    var line = Int(latest[name])
    while line >= 0,
      all[first + line].currency != currency || all[first + line].proceedsCurrency != paid
        || all[first + line].entity != entity
    {
      line = Int(earlier[line])
    }
    if line < 0 {
      line = earlier.count
      earlier.append(latest[name])
      latest[name] = Int32(line)
      let (told, none) = (
        names[Int(group.product)], ProductProceeds.Part(currency, proceedsCurrency: paid)
      )
      nameOf.append(Int32(name))
      all.append(
        ProductProceeds(
          storefront: group.terms.storefront, entity: entity, app: told.app,
          sku: groups.skus[Int(told.sku)], kind: told.kind, sold: none, refunded: none))
    }
    all[first + line].add(group, quote)
  }

  /// Puts its lines in the order of outputs: what is sorted are numbers, because lines are large
  /// values.
  mutating func endStorefront() {
    let own = Array(all[first...])
    let keys = sortedByKey(count: own.count) { line in
      UInt64(own[line].currency.packed) << 48 | UInt64(own[line].proceedsCurrency.packed) << 32
        | UInt64(skus[Int(nameOf[line])])
    }
    for (place, key) in keys.enumerated() { all[first + place] = own[Int(key.index)] }
    var from = 0
    for place in keys.indices
    where place + 1 == keys.count || keys[place + 1].key != keys[place].key {
      if from < place {
        all[first + from...first + place].sort(by: ProductProceeds.isOrderedBefore)
      }
      from = place + 1
    }
    for name in nameOf { latest[Int(name)] = -1 }
    (first, earlier, nameOf) = (all.count, [], [])
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

extension SalesReports {
  /// Says of which reports of more than a day all stands with the seller of their first day, though
  /// another one sold on the last: their rows have no day of their own. Where daily reports are
  /// loaded, longer ones do not count, and each day has its seller.
  package var sellerNotes: [Wording] {
    struct Span: Hashable {
      var begin: Day
      var end: Day
      var storefront: Storefront
    }
    var sellers: [Span: (first: String, last: String)] = [:]
    for (index, group) in groups.groups.enumerated()
    where group.begin < group.end && isCounted(index) {
      let storefront = group.terms.storefront
      guard let first = context.storefronts.legalEntity(of: storefront, on: group.begin),
        let last = context.storefronts.legalEntity(of: storefront, on: group.end), first != last
      else { continue }
      sellers[Span(begin: group.begin, end: group.end, storefront: storefront)] = (first, last)
    }
    struct Change: Hashable {
      var begin: Day
      var end: Day
      var first: String
      var last: String
    }
    let changes = Dictionary(grouping: sellers) {
      Change(begin: $0.key.begin, end: $0.key.end, first: $0.value.first, last: $0.value.last)
    }
    return changes.sorted {
      ($0.key.begin, $0.key.end, $0.key.last) < ($1.key.begin, $1.key.end, $1.key.last)
    }.map { change, spans in
      let places = spans.map(\.key.storefront.code).sorted().asList
      return """
        @sales.apple-report-of-to-does \(change.begin) \(change.end) \(places) \(change.first) \
        \(change.last) \(change.first)
        """
    }
  }
}
