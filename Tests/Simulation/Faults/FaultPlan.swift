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
  var trueRates: [TrueRates] = []
  var termsChanges: [TermsChange] = []
  /// In the order in which the room ran out.
  var leftOut: [LeftOutFaults] = []
}

/// The month has no place left for a fault.
struct NoRoom: Error {}

/// A product in a storefront on a day: at most one fault happens there.
struct FaultPlace {
  var market: Int
  var item: Int
  /// Apple's report day.
  var day: Day
  /// About the middle of the report day, further from its ends than sales are ever moved.
  var instant: Int64
}

/// Gives each fault a place of its own, so that each has its own finding; where these run out,
/// faults of which Apple's reports tell nothing share places, as their findings name their rows.
struct Places {
  /// The fewest days of a period in which there is a place.
  static let shortestPeriod = 12

  /// As sales; a product, a storefront and a day.
  private var taken: Set<UnitKey> = []
  /// As `taken`, of faults that can share.
  private var shared: Set<UnitKey> = []
  /// Products of which every place is taken or shared.
  private var crowded: Set<[Int]> = []
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

  /// A day that no fault touches; the days around it too when a whole report is missing. Two thirds
  /// of the period are left to other faults.
  mutating func takeDay(around: Int) throws(NoRoom) -> Day {
    let period = store.parameters.period
    guard (reserved.count + 2 * around + 1) * 3 <= period.dayCount else { throw NoRoom() }
    for _ in 0..<2000 {
      let day = period.first.advanced(by: store.random.within(6...max(6, period.dayCount - 5)))
      let days = (-around...around).map { day.advanced(by: $0) }
      guard !reserved.contains(where: days.contains) else { continue }
      reserved.formUnion(days)
      return day
    }
    throw NoRoom()
  }

  /// A storefront with enough trade.
  func takeMarket(where suits: (Market) -> Bool) throws(NoRoom) -> Market {
    let suited = markets.map { store.markets[$0] }.filter(suits)
    guard !suited.isEmpty else { throw NoRoom() }
    return store.random.pick(suited)
  }

  /// - Parameter margin: days on either side that no other fault gets, so that units missing on one
  ///   day and units too many on the next are never taken for moved ones; zero where Apple's
  ///   reports tell nothing of the fault.
  mutating func take(
    _ items: [Int] = Array(Stock.gems), markets: [Int]? = nil, days: Int = 1, margin: Int = 1,
    where suits: (FaultPlace) -> Bool = { _ in true }
  ) throws(NoRoom) -> FaultPlace {
    let markets = markets ?? self.markets
    guard store.parameters.period.dayCount >= Self.shortestPeriod, !markets.isEmpty else {
      throw NoRoom()
    }
    let canShare = margin == 0
    if !canShare || !crowded.contains(items) {
      let place = draw(items, markets, -margin...days - 1 + margin, where: suits) { keys in
        !keys.contains { taken.contains($0) || shared.contains($0) }
      }
      if let (place, keys) = place {
        if canShare { shared.formUnion(keys) } else { taken.formUnion(keys) }
        return place
      }
      guard canShare else { throw NoRoom() }
      crowded.insert(items)
    }
    let place = draw(items, markets, 0...days - 1, where: suits) { keys in
      !keys.contains(where: taken.contains)
    }
    guard let place else { throw NoRoom() }
    return place.0
  }

  /// Takes a place, with a day on either side, for what other faults may share with; false where
  /// one is there that Apple's reports tell of.
  mutating func share(_ place: FaultPlace) -> Bool {
    let keys = (-1...1).map {
      UnitKey(
        day: place.day.advanced(by: $0), market: place.market, item: place.item, isRefund: false)
    }
    guard !keys.contains(where: taken.contains) else { return false }
    shared.formUnion(keys)
    return true
  }

  /// - Parameter span: the days that the fault needs, counted from its own.
  private func draw(
    _ items: [Int], _ markets: [Int], _ span: ClosedRange<Int>,
    where suits: (FaultPlace) -> Bool, isFree: ([UnitKey]) -> Bool
  ) -> (FaultPlace, [UnitKey])? {
    let period = store.parameters.period
    for _ in 0..<5000 {
      let market = store.random.pick(markets)
      let item = store.random.pick(items)
      let day = period.first.advanced(by: store.random.within(2...period.dayCount - 4))
      let days = span.map { day.advanced(by: $0) }
      guard !days.contains(where: reserved.contains) else { continue }
      let keys = days.map { UnitKey(day: $0, market: market, item: item, isRefund: false) }
      guard isFree(keys) else { continue }
      let spread = store.parameters.spreadsFaults ? 21_600 : 5400
      let noon = store.calendars[market].start(of: day) + 43_200
      let instant = noon + Int64(store.random.within(-spread...spread))
      let place = FaultPlace(market: market, item: item, day: day, instant: instant)
      if suits(place) { return (place, keys) }
    }
    return nil
  }
}
