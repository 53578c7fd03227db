import Billing

/// A product in a storefront.
struct SubscriptionCellKey: Hashable, Comparable {
  var storefront: Storefront?
  var sku: String

  static func < (left: Self, right: Self) -> Bool {
    (left.storefront?.code ?? "", left.sku) < (right.storefront?.code ?? "", right.sku)
  }
}

/// What Apple's reports have of a product in a storefront; days are places in `SubscriptionDays`.
struct ReportedCell {
  /// By kind and day.
  var events: [[Int64]]
  var active: [Int64]
  var sales: [SubscriberSale] = []
  /// Rows of events, by day.
  var eventRows: [Int: [Source]] = [:]
  var activeRows: [Int: [Source]] = [:]

  init(days: Int) {
    events = Array(
      repeating: Array(repeating: 0, count: days), count: SubscriptionEventKind.allCases.count)
    active = Array(repeating: 0, count: days)
  }
}

/// Apple's side of the subscription tie-out.
struct ReportedSubscriptions {
  private(set) var cells: [SubscriptionCellKey: ReportedCell] = [:]
  /// Products that neither the catalogue nor another report names, with what the reports have.
  private(set) var unknown: [String: UnknownSubscription] = [:]
  /// Events that the ledger cannot tell, by name.
  private(set) var untold: [String: Int64] = [:]
  private let facts: SubscriptionFacts
  private let first: Day
  private let count: Int
  private let skus: SubscriptionSKUs
  /// Vendors of each product, and by kind of report the days of each vendor.
  private var vendors: [SubscriptionReport.Kind: [String: Set<Int>]] = [:]
  private var vendorsOf: [String: Set<String>] = [:]

  struct UnknownSubscription {
    var name: String
    var rows: [Source] = []
    var day: Day
    /// What the three kinds of reports have of it; an active subscription is counted each day.
    var events: Int64 = 0
    var sales: Int64 = 0
    var active: [Int: Int64] = [:]

    /// How many units are told: events alone, because purchases are among them; else purchases,
    /// else the most that were active on one day.
    var units: Int64 { events > 0 ? events : sales > 0 ? sales : active.values.max() ?? 0 }
  }

  /// Adds up the rows of all reports.
  ///
  /// - Parameters:
  ///   - first: the day of place 0.
  ///   - count: of days.
  init(_ facts: SubscriptionFacts, first: Day, count: Int, _ skus: SubscriptionSKUs) {
    (self.facts, self.first, self.count, self.skus) = (facts, first, count, skus)
    for report in facts.reports {
      guard let day = place(report.day) else { continue }
      vendors[report.kind, default: [:]][report.vendor, default: []].insert(day)
    }
    addSubscriptions()
    addEvents()
    addSubscribers()
  }

  /// The place of a day; nil for one that is not among them.
  private func place(_ day: Day) -> Int? {
    let index = first.distance(to: day)
    return index >= 0 && index < count ? index : nil
  }

  /// Whether those reports of a kind and day are loaded that may name a product: of each vendor
  /// that is known to sell it or, where none is, of every vendor that has such reports.
  ///
  /// - Parameter day: its place.
  func isKnown(_ day: Int, _ kind: SubscriptionReport.Kind, _ sku: String) -> Bool {
    guard let loaded = vendors[kind] else { return false }
    let needed = (vendorsOf[sku] ?? []).filter { loaded[$0] != nil }
    let asked = needed.isEmpty ? Set(loaded.keys) : needed
    return asked.allSatisfy { loaded[$0]!.contains(day) }
  }

  /// Whether any report of a kind is loaded.
  func hasReports(_ kind: SubscriptionReport.Kind) -> Bool { vendors[kind] != nil }

  /// The places of the days of which a report of a kind is loaded, by vendor.
  func days(_ kind: SubscriptionReport.Kind) -> [(vendor: String, days: Set<Int>)] {
    (vendors[kind] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The cell that a row of a report is of, by its product and storefront; nil where the product is
  /// not known, which is then noted.
  ///
  /// - Parameters:
  ///   - report: its index.
  ///   - place: of the row's day.
  ///   - addFigures: adds what the row has to what is noted.
  private mutating func key(
    _ product: SubscriptionProduct, _ storefront: Storefront?, _ report: Int, _ line: Int32,
    on place: Int, _ addFigures: (inout UnknownSubscription) -> Void
  ) -> SubscriptionCellKey? {
    guard let sku = skus.sku(product) else {
      // The days beside the period are other periods'.
      guard place > 0, place < self.count - 1 else { return nil }
      let day = first.advanced(by: place)
      let id = product.id.isEmpty ? product.name : product.id
      var known = unknown[id] ?? UnknownSubscription(name: product.name, day: day)
      addFigures(&known)
      known.day = min(known.day, day)
      if known.rows.count < Rules.namedRows { known.rows.append(source(report, line)) }
      unknown[id] = known
      return nil
    }
    vendorsOf[sku, default: []].insert(facts.reports[report].vendor)
    return SubscriptionCellKey(storefront: storefront, sku: sku)
  }

  /// Adds the rows of subscription reports: how many subscriptions are active at each day's end.
  private mutating func addSubscriptions() {
    for reported in facts.subscriptions {
      let terms = facts.subscriptionTerms[Int(reported.row.terms)]
      guard let day = place(facts.reports[reported.report].day) else { continue }
      let active = SubscriptionFigure.allCases.filter(\.isActive)
        .reduce(Int64(0)) { $0 + Int64(reported.row[$1] ?? 0) }
      guard
        let key = key(
          terms.product, terms.circumstance.storefront, reported.report, reported.row.line, on: day,
          { $0.active[day, default: 0] += active })
      else { continue }
      cells[key, default: ReportedCell(days: count)].active[day] += active
      cells[key]!.activeRows[day, default: []].append(source(reported.report, reported.row.line))
    }
  }

  /// Adds the rows of event reports; those of which the ledger has nothing go to ``untold``.
  private mutating func addEvents() {
    let kinds = facts.eventTerms.map { SubscriptionEventKind(event: $0.event) }
    for reported in facts.events {
      let (row, terms) = (reported.row, facts.eventTerms[Int(reported.row.terms)])
      guard let day = place(row.day) else { continue }
      guard
        let key = key(
          terms.product, terms.circumstance.storefront, reported.report, row.line, on: day,
          { $0.events += Int64(row.quantity) })
      else { continue }
      guard let kind = kinds[Int(row.terms)] else {
        untold[terms.event, default: 0] += Int64(row.quantity)
        continue
      }
      cells[key, default: ReportedCell(days: count)].events[kind.rawValue][day] +=
        Int64(row.quantity)
      cells[key]!.eventRows[day, default: []].append(source(reported.report, row.line))
    }
  }

  /// Adds the rows of subscriber reports: purchases and refunds with their prices.
  private mutating func addSubscribers() {
    for (index, reported) in facts.subscribers.enumerated() {
      let (row, terms) = (reported.row, facts.subscriberTerms[Int(reported.row.terms)])
      guard let day = place(row.day) else { continue }
      guard
        let key = key(
          terms.product, terms.circumstance.storefront, reported.report, row.line, on: day,
          { $0.sales += Int64(row.units) })
      else { continue }
      let price = terms.price
      // A refund of a part of the price has no units.
      guard row.units > 0 else { continue }
      cells[key, default: ReportedCell(days: count)].sales.append(
        SubscriberSale(
          day: day, isRefund: terms.isRefund, units: Int64(row.units),
          price: price.customerPrice.map { abs($0) }, currency: price.customerCurrency,
          proceeds: price.proceeds, proceedsCurrency: price.proceedsCurrency, row: index))
    }
  }

  /// The file and line of a row.
  ///
  /// - Parameter report: its index.
  private func source(_ report: Int, _ line: Int32) -> Source {
    Source(file: facts.reports[report].file, line: Int(line))
  }

  /// The file and line of a row of the subscriber report, named by its index.
  func place(ofSubscriber row: Int) -> Source {
    source(facts.subscribers[row].report, facts.subscribers[row].row.line)
  }
}

/// SKUs by what subscription reports call a product: Apple's identifier, else its name.
struct SubscriptionSKUs {
  private var byID: [String: String] = [:]
  /// Of products whose identifier no source tells; nil for a name that several have.
  private var byName: [String: String?] = [:]

  /// Learns which SKUs stand behind the identifiers and names that reports have of products.
  ///
  /// - Parameters:
  ///   - products: of the catalogue, which go before the sales reports' own.
  ///   - sold: of the sales reports, with their names there.
  ///   - terms: of transactions, which may name Apple's identifier.
  init(_ products: [Product], sold: [SalesProduct], terms: [TransactionTerms]) {
    let sold = sold.filter(\.type.isInApp)
    for terms in terms where !terms.itemID.isEmpty { byID[terms.itemID] = terms.sku }
    for product in sold where !product.appleIdentifier.isEmpty {
      byID[product.appleIdentifier] = product.sku
    }
    for product in products where !product.appleIdentifier.isEmpty {
      byID[product.appleIdentifier] = product.sku
    }
    let identified = Set(byID.values)
    let names =
      products.map { ($0.name, $0.sku) } + sold.map { ($0.title, $0.sku) }
      + products.map { (AppProduct($0.sku).sku, $0.sku) }
      + terms.map { (AppProduct($0.sku).sku, $0.sku) }
    for (name, sku) in names where !name.isEmpty && !identified.contains(sku) {
      let known = byName[name] ?? sku
      byName[name] = .some(known == sku ? sku : nil)
    }
  }

  /// The SKU of a product that a report names; nil where it is not known, or several have its name.
  func sku(_ product: SubscriptionProduct) -> String? {
    byID[product.id] ?? byName[product.name] ?? nil
  }
}
