internal import Billing

/// Reads prices as the App Store Connect API answers them, page by page: the price points that a
/// product may have (`pricePoints`), what one of them comes to in other storefronts
/// (`equalizations`), and the prices that a product has (`manualPrices`, `automaticPrices`, a
/// subscription's `prices`), whose points stand beside them. By Apple's documentation of the API,
/// stored on 2026-11-22.
///
/// A list with one price per storefront is its product's own, where somebody says of which product;
/// any other price is the tier that the price point is.
struct PricePointsReader: TapeReader {
  private let product: String?
  private let day: Day?
  private let storefronts: StorefrontLookup
  private let prices: PriceLookup
  private var rows: [(line: Int32, TierPrice)] = []
  /// Rows that say what is paid after a subscriber's first year.
  private var later: [(line: Int32, TierPrice)] = []
  private var pages: [ConnectPage] = []
  private var account = PointCommissions()
  private var territories: [String: Territory] = [:]
  private var isOwnList = false
  private var priceCount = 0

  private struct Territory {
    var storefront: Storefront
    var currency: Currency
  }

  private let fields = ObjectFields<AnswerKey>()
  private let links = ObjectFields<LinkKey>()
  private let meta = ObjectFields<MetaKey>()
  private let paging = ObjectFields<PagingKey>()
  private let resource = ObjectFields<ResourceKey>()
  private let attributes = ObjectFields<PriceKey>()
  private let relations = ObjectFields<RelationKey>()
  private let relation = ObjectFields<RelationDataKey>()

  /// - Parameters:
  ///   - product: the SKU that a list of one price per storefront is of.
  ///   - day: from which the prices hold; without one they are prices of no known day.
  init(product: String?, day: Day?, _ storefronts: StorefrontLookup, _ prices: PriceLookup) {
    let isName =
      product.map { name in
        !Self.listNames.contains { name.lowercased().hasPrefix($0) }
      } ?? false
    self.product = isName ? product : nil
    (self.day, self.storefronts, self.prices) = (day, storefronts, prices)
  }

  /// How names of files begin that name the list and no product.
  private static let listNames = [
    "pricepoints", "price-points", "equalizations", "prices", "manualprices", "automaticprices",
  ]

  var pending: Int { rows.count + later.count }

  /// Reads a page of prices; returns how many there are, those after a subscriber's first year too.
  mutating func read(_ tape: JSONTape, line: Int) throws(RecordDiagnostic) -> Int {
    try fields.find(tape, 0)
    let (data, included) = (fields[.data], fields[.included])
    let page = try page(tape, elements: data, line: line)
    let points = try readIncluded(tape, included)
    let elements = tape.kind(of: data) == .object ? [data] : tape.elements(of: data)
    var isOwn = product != nil
    if isOwn { isOwn = !(try hasChoice(tape, elements)) }
    var found: [(line: Int32, TierPrice)] = []
    var foundLater: [(line: Int32, TierPrice)] = []
    var (place, elementLine) = (0, line)
    for element in elements {
      // Elements follow one another: lines are counted on.
      let start = tape.place(of: element)
      elementLine += lineEnds(tape.base, place, start)
      place = start
      let number = Int32(truncatingIfNeeded: elementLine)
      guard let price = try price(tape, element, points, isOwn: isOwn) else { continue }
      found.append((number, price.row))
      if let later = price.later { foundLater.append((number, later)) }
    }
    pages.append(page)
    isOwnList = isOwn
    priceCount += found.count
    rows += found
    later += foundLater
    return found.count + foundLater.count
  }

  /// What the page on the tape says of itself: its address, the next one's, and how many pages
  /// there are.
  private func page(
    _ tape: JSONTape, elements data: Int32, line: Int
  ) throws(RecordDiagnostic) -> ConnectPage {
    guard data >= 0 else {
      throw RecordDiagnostic(
        nil, "kind", "@company.this-record-is-no-price-page", offset: tape.place(of: 0),
        help: "@company.save-the-whole-answer")
    }
    let (linkNode, metaNode) = (fields[.links], fields[.meta])
    try links.find(tape, linkNode)
    try meta.find(tape, metaNode)
    try paging.find(tape, meta[.paging])
    let count = tape.kind(of: data) == .object ? 1 : tape.elements(of: data).count
    return ConnectPage(
      own: word(tape, links[.own]), next: word(tape, links[.next]), count: count,
      total: plainNumber(word(tape, paging[.total])),
      limit: plainNumber(word(tape, paging[.limit])), line: line)
  }

  /// Keeps the storefronts that stand beside the prices, and returns the parts of the price points
  /// there, by their ids.
  private mutating func readIncluded(
    _ tape: JSONTape, _ list: Int32
  ) throws(RecordDiagnostic) -> [String: Int32] {
    var points: [String: Int32] = [:]
    for element in tape.elements(of: list) {
      try resource.find(tape, element)
      let id = word(tape, resource[.id])
      guard word(tape, resource[.type]) == "territories" else {
        points[id] = element
        continue
      }
      try attributes.find(tape, resource[.attributes])
      let currency = word(tape, attributes[.currency])
      guard let storefront = storefronts.storefront(id), let known = Currency(currency) else {
        throw RecordDiagnostic(
          nil, "storefront", "@company.territory-is-none \(id) \(currency)",
          offset: tape.place(of: element), help: "@company.save-the-whole-answer")
      }
      territories[id] = Territory(storefront: storefront, currency: known)
    }
    return points
  }

  /// Whether a storefront has several prices to choose from on the page.
  private func hasChoice(
    _ tape: JSONTape, _ elements: [Int32]
  ) throws(RecordDiagnostic) -> Bool {
    if pages.last?.list.contains("/pricePoints") ?? false { return true }
    let own = word(tape, links[.own])
    if own.contains("/pricePoints?") || own.hasSuffix("/pricePoints") { return true }
    var seen: Set<String> = []
    for element in elements {
      try resource.find(tape, element)
      guard word(tape, resource[.type]).hasSuffix("PricePoints") else { return false }
      let territory = try territory(tape, resource[.relationships])
      if let territory, !seen.insert(territory).inserted { return true }
    }
    return false
  }

  /// The price that an element of the page is, and the one after a subscriber's first year (nil
  /// where there is none); nil altogether for a price that only earlier subscribers still pay.
  ///
  /// - Parameters:
  ///   - points: by its id, each price point that stands beside the prices: its part of the tape.
  ///   - isOwn: whether it is the product's own price, and no point to choose.
  private func price(
    _ tape: JSONTape, _ element: Int32, _ points: [String: Int32], isOwn: Bool
  ) throws(RecordDiagnostic) -> (row: TierPrice, later: TierPrice?)? {
    try resource.find(tape, element)
    let type = word(tape, resource[.type])
    guard type.hasSuffix("PricePoints") || type.hasSuffix("Prices") else {
      throw RecordDiagnostic(
        nil, "kind", "@company.element-is-no-price \(type)", offset: tape.place(of: element),
        help: "@company.save-the-whole-answer")
    }
    var relationships = resource[.relationships]
    var (begin, end) = (day, Day?.none)
    var place = element
    var named = try territory(tape, relationships)
    if type.hasSuffix("Prices") {
      try attributes.find(tape, resource[.attributes])
      // What subscribers of before go on paying is no price of the product.
      if word(tape, attributes[.preserved]) == "true" { return nil }
      begin = isoDay(trimmed(tape.text(attributes[.startDate]))) ?? day
      end = isoDay(trimmed(tape.text(attributes[.endDate]))).map { $0.advanced(by: -1) }
      try relations.find(tape, relationships)
      let point = RelationKey.points.lazy.map { relations[$0] }.first { $0 >= 0 }
      let id = try relatedID(tape, point ?? -1)
      guard let found = id.flatMap({ points[$0] }) else {
        throw RecordDiagnostic(
          nil, "price", "@company.point-is-not-on-the-page", offset: tape.place(of: element),
          help: "@company.ask-with-include")
      }
      place = found
      try resource.find(tape, found)
      relationships = resource[.relationships]
      if named == nil { named = try territory(tape, relationships) }
    }
    let point = PointID(tape.text(resource[.id]))
    try attributes.find(tape, resource[.attributes])
    guard let name = named ?? point?.territory else {
      throw RecordDiagnostic(
        nil, "storefront", "@company.price-names-no-storefront", offset: tape.place(of: place),
        help: "@company.ask-with-include")
    }
    guard let territory = territories[name] else {
      throw RecordDiagnostic(
        nil, "currency", "@company.currency-of-storefront-is-not-on-the-page \(name)",
        offset: tape.place(of: place), help: "@company.ask-with-include")
    }
    guard let price = try amount(tape, attributes[.customerPrice], "customerPrice") else {
      throw RecordDiagnostic(
        nil, "amount", "@company.price-point-has-no-price", offset: tape.place(of: place),
        help: "@company.save-the-whole-answer")
    }
    let number = point?.number ?? "\(decimalText(micros: price)) \(territory.currency)"
    let tier = isOwn ? TierPrice.ownTier(of: product ?? "") : TierPrice.pointTier(number)
    let row = TierPrice(
      table: type.hasPrefix("subscription") ? .subscription : .iap, tier: tier,
      storefront: territory.storefront, currency: territory.currency, price: price,
      proceeds: try amount(tape, attributes[.proceeds], "proceeds"), effectiveFrom: begin,
      effectiveTo: end)
    guard let second = try amount(tape, attributes[.proceedsYear2], "proceedsYear2") else {
      return (row, nil)
    }
    var later = row
    (later.tier, later.proceeds) = (TierPrice.afterOneYear(tier), second)
    return (row, later)
  }

  /// The id of the territory that a resource is related to; nil where it names none.
  private func territory(
    _ tape: JSONTape, _ relationships: Int32
  ) throws(RecordDiagnostic) -> String? {
    try relations.find(tape, relationships)
    return try relatedID(tape, relations[.territory])
  }

  /// The id of the resource in a relation; nil where it names none.
  private func relatedID(_ tape: JSONTape, _ node: Int32) throws(RecordDiagnostic) -> String? {
    guard node >= 0 else { return nil }
    try relation.find(tape, node)
    let data = relation[.data]
    guard data >= 0 else { return nil }
    try relation.find(tape, data)
    let id = word(tape, relation[.id])
    return id.isEmpty ? nil : id
  }

  /// An amount in micro-units; nil when blank.
  private func amount(
    _ tape: JSONTape, _ node: Int32, _ name: String
  ) throws(RecordDiagnostic) -> Int64? {
    let text = trimmed(tape.text(node))
    if text.isEmpty { return nil }
    guard let amount = micros(decimal: text), amount >= 0 else {
      throw RecordDiagnostic(
        nil, "amount", "@company.is-no-amount-of-apple \(name) \(shown(text))",
        offset: tape.place(of: node), help: "@company.save-the-whole-answer")
    }
    return amount
  }

  /// The trimmed text of a part; empty for no part (−1).
  private func word(_ tape: JSONTape, _ node: Int32) -> String {
    String(decoding: trimmed(tape.text(node)), as: UTF8.self)
  }

  mutating func takeBlock() -> FactBlock {
    defer { (rows, later) = ([], []) }
    account.infer(&rows, &later, on: day, prices)
    return FactBlock(rows: .tiers(rows + later))
  }

  /// The day and the product of the prices and the pages that they were on, with warnings about
  /// what is not known of them.
  func summary(_ log: ReadingLog) -> RowSummary {
    account.warn(log)
    if day == nil {
      log.warn(
        "date", "@company.prices-are-of-no-known-day", help: "@company.give-their-first-day")
    }
    if product != nil, !isOwnList, priceCount > 0 {
      log.warn(
        "product", "@company.these-are-choices-and-no-prices \(product ?? "")",
        help: "@company.save-its-own-prices")
    }
    return RowSummary(
      begin: day, end: day, tallies: priceCount > 0 ? [tally] : [],
      identity: day.map { "\(isOwnList ? product ?? "" : "") \($0)" } ?? "",
      product: isOwnList ? product : nil, pages: pages)
  }

  /// How many prices there are, of what product, and after which commission their proceeds are.
  private var tally: Tally {
    let what: Wording = isOwnList ? "@company.prices-of \(product ?? "")" : "@company.price-points"
    return Tally(what: "\(what)\(account.words)", count: priceCount)
  }
}

/// What the id of a price point says: the storefront, and which of its prices it is. Apple writes
/// `{"s":"6446671421","t":"USA","p":"10010"}` in base64.
private struct PointID {
  let territory: String?
  let number: String?

  /// Reads the id in base64; nil where it is none of that form.
  init?(_ id: UnsafeRawBufferPointer) {
    guard let bytes = id.base64URL, bytes.first == 0x7B else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    /// The value of a member of the JSON text; nil where it has none or a blank one.
    func member(_ key: String) -> String? {
      guard let start = text.firstRange(of: "\"\(key)\":\"")?.upperBound else { return nil }
      let value = text[start...].prefix { $0.isLetter || $0.isNumber }
      return value.isEmpty ? nil : String(value)
    }
    (territory, number) = (member("t"), member("p"))
  }
}

private enum AnswerKey: Int, CamelCaseKey { case data, included, links, meta }

private enum LinkKey: Int, CaseIterable, JSONKey {
  case own, next
  var name: String { self == .own ? "self" : "next" }
}

private enum MetaKey: Int, CamelCaseKey { case paging }
private enum PagingKey: Int, CamelCaseKey { case total, limit }
private enum ResourceKey: Int, CamelCaseKey { case type, id, attributes, relationships }

private enum PriceKey: Int, CamelCaseKey {
  case customerPrice, proceeds, proceedsYear2, currency, startDate, endDate, preserved
}

private enum RelationKey: Int, CamelCaseKey {
  case territory, subscriptionPricePoint, inAppPurchasePricePoint, appPricePoint
  static let points: [RelationKey] = [
    .subscriptionPricePoint, .inAppPurchasePricePoint, .appPricePoint,
  ]
}

private enum RelationDataKey: Int, CamelCaseKey { case data, id }

/// The commissions of an account that pages of price points show: of all purchases, and of
/// subscriptions after their first year.
private struct PointCommissions {
  private var first: Int64?
  private var second: Int64?
  private var known = 0
  private var odd: [TierPrice] = []
  private var isBegun = false

  /// Says of each row at which commission its proceeds hold. In the Small Business Program those of
  /// the second year are paid like the first.
  ///
  /// - Parameters:
  ///   - later: rows of what is paid after a subscriber's first year.
  ///   - day: of rows that say none.
  mutating func infer(
    _ rows: inout [(line: Int32, TierPrice)], _ later: inout [(line: Int32, TierPrice)],
    on day: Day?, _ prices: PriceLookup
  ) {
    isBegun = isBegun || !rows.isEmpty
    first = infer(&rows, on: day, prices, before: first)
    second = infer(&later, on: day, prices, before: second)
  }

  /// The commission at which the proceeds of most rows hold, in millionths, else `before`; each row
  /// is given its own.
  private mutating func infer(
    _ rows: inout [(line: Int32, TierPrice)], on day: Day?, _ prices: PriceLookup, before: Int64?
  ) -> Int64? {
    guard !rows.isEmpty else { return before }
    // Without a day the newest taxes are the likeliest.
    let found = AccountCommission(
      rows.map(\.1), on: day ?? Day("2100-01-01")!, prices, before: before)
    for index in rows.indices {
      rows[index].1.commission = found.commission(of: index)
      if rows[index].1.commission == nil { rows[index].1.proceeds = nil }
    }
    known += found.known
    odd += found.oddRows.prefix(max(0, 21 - odd.count))
    return found.rate
  }

  /// Adds a warning about rows that no documented commission explains to the log.
  func warn(_ log: ReadingLog) {
    if isBegun { AccountCommission.warn(log, rate: first, known: known, odd: odd) }
  }

  /// The commissions after which the proceeds are, as the end of a text about the prices.
  var words: Wording {
    guard let first else { return "@company.without-proceeds" }
    guard let second, second != first else {
      return "@company.after-commission \(exactPercent(first))"
    }
    return "@company.after-commissions \(exactPercent(first)) \(exactPercent(second))"
  }
}
