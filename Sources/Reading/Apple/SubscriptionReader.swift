internal import Billing

extension SubscriptionFigure {
  /// The column's name in the report's header, normalised.
  var name: String {
    switch self {
    case .standard: "active standard price subscriptions"
    case .introductoryFreeTrial: "active free trial introductory offer subscriptions"
    case .introductoryPayUpFront: "active pay up front introductory offer subscriptions"
    case .introductoryPayAsYouGo: "active pay as you go introductory offer subscriptions"
    case .promotionalFreeTrial: "free trial promotional offer subscriptions"
    case .promotionalPayUpFront: "pay up front promotional offer subscriptions"
    case .promotionalPayAsYouGo: "pay as you go promotional offer subscriptions"
    case .offerCodeFreeTrial: "free trial offer code subscriptions"
    case .offerCodePayUpFront: "pay up front offer code subscriptions"
    case .offerCodePayAsYouGo: "pay as you go offer code subscriptions"
    case .marketingOptIns: "marketing opt-ins"
    case .billingRetry: "billing retry"
    case .gracePeriod: "grace period"
    case .subscribers: "subscribers"
    case .winBackFreeTrial: "free trial win-back offers"
    case .winBackPayUpFront: "pay up front win-back offers"
    case .winBackPayAsYouGo: "pay as you go win-back offers"
    }
  }
}

/// Reads Apple's subscription report: how many subscriptions there were at a day's end.
struct SubscriptionReader: RowReader {
  private let map: SubscriptionMap
  private var unknown = UnknownWords()
  private let countFields: [Int]
  private var rows: [SubscriptionRow] = []
  private var terms: Interner<SubscriptionTerms>
  /// By `SubscriptionFigure`.
  private var sums = Array(repeating: 0, count: SubscriptionFigure.allCases.count)

  private static let descriptive =
    SubscriptionNames.product + SubscriptionNames.offer.prefix(2) + SubscriptionNames.price
    + SubscriptionNames.circumstance

  init(_ header: Header, storefronts: StorefrontLookup, log: ReadingLog) throws {
    let counts = SubscriptionFigure.allCases.map(\.name)
    map = try SubscriptionMap(
      header, Self.descriptive + counts,
      required: [
        "subscription apple id", "customer price", "developer proceeds", "country", counts[0],
      ], storefronts: storefronts, log: log)
    countFields = map.fields(counts)
    terms = Interner(fields: map.fields(Self.descriptive))
  }

  var pending: Int { rows.count }

  /// Reads a row: how many subscriptions of each sort there were, of one product, price and
  /// storefront.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    var counts: [Int32?] = []
    counts.reserveCapacity(countFields.count)
    for (figure, field) in zip(SubscriptionFigure.allCases, countFields) {
      counts.append(try record.wholeCount(field, figure.name))
    }
    var code = terms.find(record)
    if code < 0 {
      let values = SubscriptionRecord(record: record, map: map)
      unknown.add(values.unknownReason, line: record.line)
      let new = SubscriptionTerms(
        product: values.product, offer: values.offer, price: try values.price(),
        circumstance: try values.circumstance())
      code = terms.insert(new, for: record)
    }
    for (index, count) in counts.enumerated() { sums[index] += Int(count ?? 0) }
    rows.append(SubscriptionRow(line: record.line, terms: code, counts: counts))
    return 1
  }

  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .subscriptions(rows))
    block.newSubscriptionTerms = terms.takeFresh()
    rows = []
    return block
  }

  /// How many subscriptions were active, in billing retry and in their grace period.
  func summary(_ log: ReadingLog) -> RowSummary {
    unknown.warn(log, help: unknownRowsHelp)
    /// What all rows add up to in one figure.
    func sum(_ figure: SubscriptionFigure) -> Int { sums[figure.rawValue] }
    let active = SubscriptionFigure.allCases.filter(\.isActive).map(sum).reduce(0, +)
    let tallies = [
      Tally(what: "@apple.active-subscriptions", count: active),
      Tally(what: "@apple.subscriptions-in-billing-retry", count: sum(.billingRetry)),
      Tally(what: "@apple.subscriptions-in-their-grace-period", count: sum(.gracePeriod)),
    ]
    return RowSummary(tallies: tallies.filter { $0.count != 0 })
  }
}
