import Billing
import Conclusions
import Foundation
import Matching
import Pricing

/// A small company and its store, written down row by row.
struct World {
  var facts = MonthFacts()
  var settings = Settings()
  var period = Period("2023-06")!
  var asOf = Day("2023-07-10")!
  private(set) var orderNames: [String] = []
  private(set) var transactionNames: [String] = []
  private var orderDetails: [OrderDetail] = []
  private var transactionDetails: [TransactionDetail] = []

  init(_ build: (inout World) -> Void = { _ in }) {
    facts.products = Shelf.products
    facts.tiers = Shelf.tiers
    build(&self)
  }

  /// An order; one that is created or cancelled was never fulfilled unless it says so.
  mutating func order(
    _ id: String, sku: String = "gems", at time: String = "2023-06-10T12:00:00",
    _ status: OrderStatus = .fulfilled, transaction: String = "", price: String? = "30.00",
    currency: String? = "CNY", storefront: String? = "CN", quantity: Int32 = 1,
    fulfilledAfter: UInt32? = 60, saysFulfilled: Bool? = nil, user: String = "", token: String = "",
    bundle: String = "",
    channel: String = "", coins: Int64? = nil, version: String = "", device: String = ""
  ) {
    let terms = OrderTerms(
      sku: sku, status: status, quantity: quantity, unitPrice: price.map(amount),
      currency: currency.map { Currency($0)! }, storefront: storefront.map { Storefront($0)! },
      bundleID: bundle, channel: channel, coins: coins, appVersion: version, device: device)
    let row = OrderRow.ID(orderNames.count + 1)
    let placed = seconds(time)
    let isFulfilled = saysFulfilled ?? (status != .created && status != .cancelled)
    facts.orders.append(
      OrderEntry(
        row: row, terms: code(terms, &facts.orderTerms), key: IDKey(id),
        transaction: IDKey(transaction), placedAt: placed,
        fulfilledAt: isFulfilled ? fulfilledAfter.map { placed + $0 } ?? 0 : 0))
    orderNames.append(id)
    orderDetails.append(OrderDetail(row: row, user: IDKey(user), token: IDKey(token)))
  }

  mutating func transaction(
    _ id: String, sku: String = "gems", at time: String = "2023-06-10T12:00:30",
    price: String? = "30.00", currency: String? = "CNY", storefront: String? = "CN",
    order: String = "", quantity: Int32 = 1, kind: ProductKind? = nil, original: String = "",
    item: String = "", expires: String? = nil, revoked: String? = nil, user: String = "",
    token: String = "", bundle: String = "", trial: Bool = false, intro: Bool = false,
    upgraded: Bool = false, family: Bool = false, sandbox: Bool = false, reason: String = "",
    told: String? = nil, receiptSize: Int32 = 0, _ more: (inout TransactionTerms) -> Void = { _ in }
  ) {
    var terms = TransactionTerms(
      sku: sku, bundleID: bundle, kind: kind, quantity: quantity, unitPrice: price.map(amount),
      currency: currency.map { Currency($0)! }, storefront: storefront.map { Storefront($0)! },
      isTrial: trial, isIntro: intro, isUpgraded: upgraded,
      ownership: family ? .familyShared : .purchased,
      environment: sandbox ? .sandbox : .production, revocationReason: reason)
    more(&terms)
    let row = TransactionRow.ID(transactionNames.count + 1)
    if told != nil || receiptSize > 0 {
      facts.observations.append(
        TransactionObservation(row: row, at: told.map(seconds) ?? 0, receiptSize: receiptSize))
    }
    let entry = TransactionEntry(
      row: row, terms: code(terms, &facts.transactionTerms), key: IDKey(id), order: IDKey(order),
      purchasedAt: seconds(time), revokedAt: revoked.map(seconds) ?? 0)
    facts.transactions.append(entry)
    transactionNames.append(id)
    let detail = TransactionDetail(
      row: row, original: IDKey(original), webOrderLineItem: IDKey(item), token: IDKey(token),
      user: IDKey(user), expiresAt: expires.map(seconds) ?? 0)
    transactionDetails.append(detail)
    // As the ledger decides which rows may belong to a chain.
    let known = kind ?? facts.products.first { $0.sku == sku }?.kind
    if known != .consumable || !item.isEmpty || expires != nil
      || (!original.isEmpty && original != id)
    {
      facts.chainDetails.append(detail)
    }
  }

  /// A transaction as a verifyReceipt response tells it, which came in with an order.
  mutating func receipt(
    _ id: String, sku: String = "gems", at time: String = "2023-06-10T12:00:30",
    order: String = "", of size: Int32 = 1, told: String? = "2023-06-10T12:01:00",
    original: String = "", item: String = "", expires: String? = nil, revoked: String? = nil,
    user: String = "", _ more: (inout TransactionTerms) -> Void = { _ in }
  ) {
    transaction(
      id, sku: sku, at: time, price: nil, currency: nil, storefront: nil, order: order,
      original: original, item: item, expires: expires, revoked: revoked, user: user, told: told,
      receiptSize: order.isEmpty ? 0 : size
    ) { terms in
      terms.factSource = .receipt
      (terms.ownership, terms.environment) = (nil, nil)
      more(&terms)
    }
  }

  /// A transaction as a signed payload tells it.
  mutating func signed(
    _ id: String, at time: String = "2023-06-10T12:00:30", revoked: String? = nil,
    told: String = "2023-06-11T00:00:00"
  ) {
    transaction(id, at: time, revoked: revoked, told: told) { $0.factSource = .signed }
  }

  /// What Apple told of a chain's next renewal.
  mutating func renewal(
    of original: String, told: String, _ terms: RenewalTerms, grace: String? = nil
  ) {
    facts.renewals.append(
      RenewalEntry(
        original: IDKey(original), terms: code(terms, &facts.renewalTerms),
        observedAt: seconds(told),
        graceExpiresAt: grace.map(seconds) ?? 0))
  }

  /// An instalment of a commitment that ends in a year, of a month from `time`.
  mutating func instalment(
    _ number: Int32, of original: String = "T1", at time: String, to expires: String,
    revoked: String? = nil
  ) {
    let id = number == 1 ? original : "\(original)-\(number)"
    transaction(
      id, sku: "monthly", at: time, kind: .autoRenewable, original: original, expires: expires,
      revoked: revoked)
    let entry = facts.transactions[facts.transactions.count - 1]
    facts.instalments.append(
      Instalment(
        row: entry.row, terms: entry.terms, key: entry.key, original: IDKey(original),
        number: number, total: 12, purchasedAt: entry.purchasedAt, expiresAt: seconds(expires),
        revokedAt: entry.revokedAt, commitmentEndsAt: seconds("2024-01-15T12:00:00")))
  }

  /// An order with its transaction, half a minute apart.
  mutating func pair(
    _ number: String, sku: String = "gems", at time: String = "2023-06-10T12:00:00",
    price: String? = "30.00", currency: String? = "CNY", storefront: String? = "CN",
    quantity: Int32 = 1, revoked: String? = nil, status: OrderStatus? = nil
  ) {
    order(
      "O" + number, sku: sku, at: time, status ?? (revoked == nil ? .fulfilled : .refunded),
      transaction: "T" + number, price: price, currency: currency, storefront: storefront,
      quantity: quantity)
    transaction(
      "T" + number, sku: sku, at: later(time, 30), price: price, currency: currency,
      storefront: storefront, quantity: quantity, revoked: revoked)
  }

  /// A pair whose sides name products differently, or apps.
  mutating func named(
    _ number: String, _ ours: String = "gems", _ theirs: String = "gems", of app: String = "",
    in bundle: String = "", price: String = "30.00"
  ) {
    order("O" + number, sku: ours, transaction: "T" + number, price: price, bundle: app)
    transaction("T" + number, sku: theirs, bundle: bundle)
  }

  /// A row of Apple's report; without proceeds, those of the rule.
  mutating func sale(
    _ sku: String = "gems", on day: String = "2023-06-10", to end: String? = nil, units: Int32 = 1,
    price: String = "30.00", proceeds: String? = nil, storefront: String = "CN",
    currency: String? = "CNY", paidIn: String? = nil, type: String = "IA1", reason: String = "",
    preserved: Bool = false, offer: String = "", parent: String = "", length: String = "",
    device: String = ""
  ) {
    let storefront = Storefront(storefront)!
    let day = Day(day)!
    let customer = currency.map { Currency($0)! }
    let expected = priceBook.expectation(
      of: TermsScope(
        storefront, platform: Platform(device: device), sku: sku,
        isAfterOneYear: reason == CommissionClass.afterOneYearReason),
      currency: customer ?? StorefrontTable.builtIn.currency(of: storefront)!,
      price: amount(price), day: day)
    let terms = SalesTerms(
      storefront: storefront, customerCurrency: customer,
      customerPrice: units > 0 ? amount(price) : -amount(price),
      proceedsCurrency: (paidIn ?? currency).map { Currency($0)! },
      proceeds: proceeds.map(amount) ?? expected.proceeds)
    var condition = SalesCondition()
    condition.proceedsReason = reason
    condition.device = device
    condition.preservedPricing = preserved ? "Yes" : ""
    condition.orderType = offer
    facts.sales.append(
      SalesEntry(
        row: SalesRow.ID(facts.sales.count + 1), units: units, begin: day,
        end: end.map { Day($0)! } ?? day,
        product: code(
          SalesProduct(
            sku: sku, type: ProductType(type), parent: parent, subscriptionPeriod: length),
          &facts.salesProducts),
        terms: code(terms, &facts.salesTerms), condition: code(condition, &facts.salesConditions)))
  }

  /// Reports, or recorded days without sales, for each day of a range.
  mutating func reports(_ first: String = "2023-05-31", _ last: String = "2023-07-01") {
    for day in Day(first)!...Day(last)! { report(day, day) }
  }

  mutating func report(_ begin: Day, _ end: Day) {
    facts.coverage.append(
      ReportCoverage(begin: begin, end: end, vendor: "8", file: "\(begin)_\(end).tsv"))
  }

  var priceBook: PriceBook {
    PriceBook(
      developerCountry: settings.developerCountry, smallBusiness: settings.smallBusiness,
      agreements: settings.agreements, programmes: settings.programmes,
      commissions: facts.commissions, overrides: facts.taxes, tiers: facts.tiers)
  }

  var context: MatchingContext {
    MatchingContext(
      period: period, asOf: asOf, settings: settings, catalogue: CatalogueBook(facts.products),
      priceBook: priceBook, tiers: TierBook(facts.tiers), storefronts: .builtIn,
      zones: Zones.byName)
  }

  /// Claims as a reconciliation makes them, with no more details than the book asks for.
  func claims(clocks: [ClockRule] = []) -> (book: MatchTable, details: MatchDetails) {
    let context = context
    var book = MatchTable(
      facts, catalogue: context.catalogue, requiresSigned: settings.requireSigned)
    let rows = book.rowsNeedingDetail()
    precondition(rows.orders == Set(rows.orders).sorted())
    precondition(rows.transactions == Set(rows.transactions).sorted())
    let (orders, transactions) = (Set(rows.orders), Set(rows.transactions))
    let details = MatchDetails(
      orders: orderDetails.filter { orders.contains($0.row) },
      transactions: transactionDetails.filter { transactions.contains($0.row) })
    book.matchWithoutIDs(details, context: context, clocks: clocks)
    return (book, details)
  }

  /// What every row tells.
  var allDetails: MatchDetails {
    MatchDetails(orders: orderDetails, transactions: transactionDetails)
  }

  /// Which order has which transaction: `O1=T1`, sorted.
  func claimed(_ book: MatchTable) -> [String] {
    book.transactions.indices.filter { book.orderOf[$0].isMatched }.map { transaction in
      let order = book.orders[book.orderOf[transaction].position!]
      return orderNames[Int(order.row.number) - 1] + "="
        + transactionNames[Int(book.transactions[transaction].row.number) - 1]
    }.sorted()
  }

  func tieOut() -> TieOut {
    let (book, details) = claims()
    let context = context
    return TieOut(
      world: self, book: book,
      orders: OrderTieOut.findings(book, details: details, renewals: renewals, context: context),
      sales: SalesTieOut(
        book,
        reports: SalesReports(
          facts, context,
          sold: PurchaseDays.areAsked(by: facts.coverage, of: period)
            ? PurchaseDays(
              BillableUnits(beginning: book, context: context), book, facts, context) : nil),
        context: context))
  }

  /// The findings of level 1 alone, each in a line.
  func orderLines() -> [String] {
    let (book, details) = claims()
    return OrderTieOut.findings(book, details: details, renewals: renewals, context: context)
      .map(line).sorted()
  }

  var renewals: RenewalObservations {
    RenewalObservations(
      facts.renewals, terms: facts.renewalTerms, instalments: facts.instalments)
  }

  /// Chains of the period by state, as lists are made of them.
  func survey() -> SubscriptionSurvey {
    let (book, _) = claims()
    var survey = SubscriptionSurvey(
      book, history: ChainHistory([]), renewals: renewals, context: context)
    survey.giveUpDetails()
    return survey
  }

  /// A finding's key, and its rows by name.
  func line(_ finding: UnresolvedFinding) -> String {
    let key: [String] = [
      finding.code.rawValue, finding.storefront?.code ?? "-", finding.currency?.code ?? "-",
      finding.day?.description ?? "-", finding.sku ?? "-", finding.units.map(String.init) ?? "-",
      finding.amount.map { decimalText(micros: $0, minimumDigits: 2) } ?? "-",
    ]
    let orders = Set(finding.orders.map { orderNames[Int($0.number) - 1] }).sorted()
    let transactions = Set(finding.transactions.map { transactionNames[Int($0.number) - 1] })
      .sorted()
    let rows = (orders + transactions).joined(separator: " ")
    return key.joined(separator: " ") + (rows.isEmpty ? "" : " | " + rows)
  }

  /// The same facts in another order; rows keep their names.
  func shuffled(_ random: inout some RandomNumberGenerator) -> World {
    var other = self
    func renumbered(_ count: Int) -> [Int] { Array(0..<count).shuffled(using: &random) }
    let orders = renumbered(facts.orders.count)
    other.facts.orders = orders.enumerated().map { place, old in
      var entry = facts.orders[old]
      entry.row = RowID(place + 1)
      return entry
    }
    other.orderNames = orders.map { orderNames[$0] }
    other.orderDetails = orders.enumerated().map { place, old in
      var detail = orderDetails[old]
      detail.row = RowID(place + 1)
      return detail
    }
    let transactions = renumbered(facts.transactions.count)
    let chained = Set(facts.chainDetails.map(\.row))
    other.facts.transactions = []
    other.transactionDetails = []
    other.facts.chainDetails = []
    other.facts.observations = []
    let observations = Dictionary(uniqueKeysWithValues: facts.observations.map { ($0.row, $0) })
    for (place, old) in transactions.enumerated() {
      var (entry, detail) = (facts.transactions[old], transactionDetails[old])
      let isChained = chained.contains(entry.row)
      if var observation = observations[entry.row] {
        observation.row = RowID(place + 1)
        other.facts.observations.append(observation)
      }
      entry.row = RowID(place + 1)
      detail.row = entry.row
      other.facts.transactions.append(entry)
      other.transactionDetails.append(detail)
      if isChained { other.facts.chainDetails.append(detail) }
    }
    let places = Dictionary(
      uniqueKeysWithValues: transactions.enumerated().map { (Int32($1 + 1), $0 + 1) })
    for place in other.facts.instalments.indices {
      let row = other.facts.instalments[place].row
      other.facts.instalments[place].row = RowID(places[row.number]!)
    }
    other.transactionNames = transactions.map { transactionNames[$0] }
    other.facts.sales.shuffle(using: &random)
    for place in other.facts.sales.indices { other.facts.sales[place].row = RowID(place + 1) }
    other.facts.coverage.shuffle(using: &random)
    other.facts.products.shuffle(using: &random)
    return other
  }

  private func code<Value: Equatable>(_ value: Value, _ all: inout [Value]) -> Int32 {
    if let known = all.firstIndex(of: value) { return Int32(known) }
    all.append(value)
    return Int32(all.count - 1)
  }
}

/// Both levels of a world.
struct TieOut {
  let world: World
  let book: MatchTable
  let orders: [UnresolvedFinding]
  let sales: SalesTieOut

  var findings: [UnresolvedFinding] { orders + sales.findings }
  var bridges: [Bridge] { sales.bridges(rates: RateBook(world.facts.rates)) }

  /// Each finding in a line, sorted: its key, and its rows by name.
  var lines: [String] { findings.map(world.line).sorted() }

  func lines(_ codes: FindingCode...) -> [String] {
    findings.filter { codes.contains($0.code) }.map(world.line).sorted()
  }

  /// All that comes out, as text: for comparing runs.
  var everything: String {
    let steps = bridges.map { bridge in
      "\(bridge.storefront) \(bridge.currency) "
        + bridge.steps.map { "\($0.cause.rawValue):\($0.units ?? 0):\($0.amount.micros)" }
        .joined(separator: " ")
    }
    let words = findings.map { world.line($0) + " — " + $0.explanation.english }.sorted()
    let proceeds = sales.reports.proceedsLines(rates: RateBook(world.facts.rates)).map { "\($0)" }
    return
      (words + steps + proceeds + sales.dayBoundaries.map { "\($0)" }
      + ["\(sales.matchedUnits) \(sales.unmatchedUnits)"]).joined(separator: "\n")
  }
}

func amount(_ text: String) -> Int64 { micros(decimal: text)! }

/// Seconds of `2023-06-10T12:00:00`, UTC.
func seconds(_ text: String) -> UInt32 {
  let parts = text.split(separator: "T")
  let time = parts[1].split(separator: ":").map { Int64($0)! }
  return UInt32(
    Day(parts[0])!.startUTC.seconds + time[0] * 3600 + time[1] * 60 + time[2])
}

func text(_ seconds: UInt32) -> String {
  String(Instant(seconds: Int64(seconds)).description.dropLast())
}

func later(_ time: String, _ more: Int64) -> String { text(UInt32(Int64(seconds(time)) + more)) }
