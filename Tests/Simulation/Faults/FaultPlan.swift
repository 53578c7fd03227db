import Billing

/// Units that Apple reports of one kind on one day.
typealias Booking = (units: Int, key: SaleKey, day: Day)

/// Rows that stand beside ordinary trade, and what Apple reports of them.
struct Deposit {
  var orders: [OrderRecord] = []
  var transactions: [(record: TransactionRecord, sold: SaleTerms?)] = []
  /// What Apple reports whatever the transactions say.
  var bookings: [Booking] = []
  /// Transactions that a second export has too.
  var again: [TransactionRecord] = []
  /// Rows of the company's table and messages of Apple, where the deposit's transactions are to be
  /// read in these and nowhere else.
  var rows: [TransactionRecord] = []
  var messages: [SimulatedMessage] = []

  /// The first moment that the stream needs to know of it.
  var instant: Int64 {
    let instants =
      orders.map(\.placed) + transactions.map(\.record.purchased)
      + bookings.map { $0.day.startUTC.seconds - 86_400 }
    return instants.min() ?? .min
  }
}

/// The faults of a month: what they add to the files, and what has to be found.
struct FaultPlan {
  var deposits: [Deposit] = []
  var expected: [ExpectedFinding] = []
  var patterns: [ExpectedPattern] = []
  /// Units that the ledger has more than the reports because of faults.
  var residual: [UnitKey: Int] = [:]
  /// Days whose report Apple never made.
  var missingDays: Set<Day> = []
  /// Days whose report was downloaded twice and had changed.
  var restatedDays: Set<Day> = []
  /// By day.
  var taxChanges: [TaxChange] = []
  var termsChanges: [TermsChange] = []
}

/// A product in a storefront on a day: at most one fault happens there.
struct FaultPlace {
  var market: Int
  var item: Int
  /// Apple's report day.
  var day: Day
  /// About the middle of the report day, further from its ends than sales are ever moved.
  var instant: Int64
}

/// Gives each fault a place of its own, so that each has its own finding.
struct Places {
  /// As sales; a product, a storefront and a day.
  private var taken: Set<UnitKey> = []
  private var reserved: Set<Day> = []
  private let store: Store
  /// Storefronts with enough trade to show where their day ends.
  private let markets: [Int]

  init(store: Store) {
    self.store = store
    let busy = store.markets.indices.filter { store.expectedUnits($0) >= 140 }
    let busiest = store.markets.indices.max { store.markets[$0].weight < store.markets[$1].weight }
    markets = busy.isEmpty ? [busiest ?? 0] : busy
  }

  /// A day that no fault touches; the days around it too when a whole report is missing.
  mutating func takeDay(around: Int) -> Day {
    let period = store.parameters.period
    for _ in 0..<2000 {
      let day = period.first.advanced(by: store.random.within(6...max(6, period.dayCount - 5)))
      let days = (-around...around).map { day.advanced(by: $0) }
      guard !reserved.contains(where: days.contains) else { continue }
      reserved.formUnion(days)
      return day
    }
    preconditionFailure("the period has no day left for a fault")
  }

  /// A storefront with enough trade.
  func takeMarket(where suits: (Market) -> Bool) -> Market {
    let suited = markets.map { store.markets[$0] }.filter(suits)
    precondition(!suited.isEmpty, "the month has no storefront left for a fault")
    return store.random.pick(suited)
  }

  /// - Parameter margin: days on either side that no other fault gets, so that units missing on one
  ///   day and units too many on the next are never taken for moved ones.
  mutating func take(
    _ items: [Int] = Array(Stock.gems), markets: [Int]? = nil, days: Int = 1, margin: Int = 1,
    where suits: (FaultPlace) -> Bool = { _ in true }
  ) -> FaultPlace {
    let period = store.parameters.period
    precondition(period.dayCount >= 12, "faults need a period of twelve days")
    for _ in 0..<5000 {
      let market = store.random.pick(markets ?? self.markets)
      let item = store.random.pick(items)
      let day = period.first.advanced(by: store.random.within(2...period.dayCount - 4))
      let span = (-margin...days - 1 + margin).map { day.advanced(by: $0) }
      guard !span.contains(where: reserved.contains) else { continue }
      let keys = span.map { UnitKey(day: $0, market: market, item: item, isRefund: false) }
      guard !keys.contains(where: taken.contains) else { continue }
      let instant =
        store.calendars[market].start(of: day) + 43_200 + Int64(store.random.within(-5400...5400))
      let place = FaultPlace(market: market, item: item, day: day, instant: instant)
      guard suits(place) else { continue }
      taken.formUnion(keys)
      return place
    }
    preconditionFailure("the month has no place left for a fault")
  }
}
