package import Billing
package import Conclusions
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

  /// What Apple's rows of the period add up to per day, storefront, currencies and kind of revenue,
  /// which decide the accounts; ascending by day, then in the order of outputs. A row of several
  /// days stands on the last of them in the period.
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

  /// Stops the program where the lines of products do not add up to the bridge. Its steps of apps
  /// and of partial refunds are left out: lines have none of their own.
  private func expectSameMoney(_ products: [ProductProceeds]) {
    var sums = BridgeSteps()
    for product in products {
      let net = product.net
      /// Adds money of the product to a step of its storefront.
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
  /// By number of name, the latest line of the storefront at hand, and by line the one of its name
  /// before it; -1 is none.
  private var latest: [Int32]
  private var earlier: [Int32] = []
  /// By line of the storefront at hand, the number of its name.
  private var nameOf: [Int32] = []

  /// Numbers the names of the reports' products; there are no lines yet.
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

  /// Adds a group's units and money to the line of its product, currencies and seller, which it
  /// begins where the storefront at hand has none yet.
  ///
  /// - Parameters:
  ///   - quote: what the rule gives for one unit.
  ///   - currency: of the customer price.
  ///   - entity: the company of Apple's that sold.
  mutating func add(
    _ group: ReportGroup, _ quote: SalesReports.Quote, _ currency: Currency, _ entity: String
  ) {
    let paid = group.terms.proceedsCurrency ?? currency
    let nameNumber = Int(numbers[Int(group.product)])
    var line = Int(latest[nameNumber])
    while line >= 0,
      all[first + line].currency != currency || all[first + line].proceedsCurrency != paid
        || all[first + line].entity != entity
    {
      line = Int(earlier[line])
    }
    if line < 0 {
      line = earlier.count
      earlier.append(latest[nameNumber])
      latest[nameNumber] = Int32(line)
      let (name, none) = (
        names[Int(group.product)], ProductProceeds.Part(currency, proceedsCurrency: paid)
      )
      nameOf.append(Int32(nameNumber))
      all.append(
        ProductProceeds(
          storefront: group.terms.storefront, entity: entity, app: name.app,
          sku: groups.skus[Int(name.sku)], kind: name.kind, sold: none, refunded: none))
    }
    all[first + line].add(group, quote)
  }

  /// Puts the lines of the storefront at hand in the order of outputs; those added next are of
  /// another one. What is sorted are numbers, because lines are large values.
  mutating func endStorefront() {
    let lines = Array(all[first...])
    let keys = sortedByKey(count: lines.count) { line in
      UInt64(lines[line].currency.packed) << 48 | UInt64(lines[line].proceedsCurrency.packed) << 32
        | UInt64(skus[Int(nameOf[line])])
    }
    for (place, key) in keys.enumerated() { all[first + place] = lines[Int(key.index)] }
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
  /// Adds a group's units and money to what was sold, or to what was refunded.
  ///
  /// - Parameter quote: what the rule gives for one unit.
  fileprivate mutating func add(_ group: ReportGroup, _ quote: SalesReports.Quote) {
    // A row without units is a credit of one.
    let quotedUnits = group.units - group.zeroRows
    if group.units > 0 {
      sold.add(group, quote, quotedUnits)
    } else {
      refunded.add(group, quote, quotedUnits)
    }
  }
}

extension ProductProceeds.Part {
  /// Adds a group's units and money.
  ///
  /// - Parameters:
  ///   - quote: what the rule gives for one unit.
  ///   - quotedUnits: the units, with their sign, that the quote is multiplied by.
  fileprivate mutating func add(
    _ group: ReportGroup, _ quote: SalesReports.Quote, _ quotedUnits: Int64
  ) {
    units += group.units
    gross.micros += group.gross
    tax.micros += quote.tax.multipliedExactly(by: quotedUnits)
    commission.micros += quote.commission.multipliedExactly(by: quotedUnits)
    proceeds.micros += group.proceeds
  }
}

extension MatchingContext {
  /// The kind of revenue that a product's sales are booked as: by the catalogue, else by Apple's
  /// product type alone.
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

  /// Learns which bundle belongs to which parent SKU from products that the catalogue has.
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

  /// The app's bundle by the catalogue, else the one bundle that other products of the same app
  /// have, else the SKU of the app.
  func app(of product: ReportProduct) -> String {
    if let bundle = catalogue.bundle(of: product.sku) { return bundle }
    let parent = product.type.isInApp ? product.parent : product.sku
    return bundleOfParent[parent] ?? parent
  }
}

extension SalesReports {
  /// Notes on reports of more than a day within which Apple's seller changed, one per report and
  /// change, with its storefronts: all of the report stands with the seller of its first day,
  /// because its rows have no day of their own. Where daily reports are loaded, longer ones do not
  /// count, and each day has its seller.
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
