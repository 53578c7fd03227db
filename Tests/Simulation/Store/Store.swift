import Billing

/// The store's standing facts, its id counters and its randomness: what base trade and faults
/// share.
final class Store {
  let parameters: SimulationParameters
  let markets: [Market]
  let calendars: [ReportCalendar]
  let stock: Stock
  /// Running weights of `markets`.
  let marketWeights: [Int]
  /// First second of trade, two days before the period, and the second after the last.
  let opens: Int64
  let closes: Int64
  /// Days that have a sales report: the period and a day on either side.
  let reportDays: ClosedRange<Day>
  /// Users that come back; ids above are drawn once only.
  let regulars: Int
  var random: RandomNumbers {
    get { counters.random }
    _modify { yield &counters.random }
  }

  private var counters: Counters

  /// What the next things get, and what chance does with them.
  struct Counters {
    fileprivate var orders: UInt64 = 0
    fileprivate var transactions: UInt64 = 350_000_000_000_000
    fileprivate var sandboxTransactions: UInt64 = 2_000_000_000_000_000
    fileprivate var webOrderLineItems: UInt64 = 350_000_000_000
    fileprivate var tokens: UInt64 = 0
    fileprivate var users: UInt32
    fileprivate var random: RandomNumbers
  }

  init(_ parameters: SimulationParameters) {
    precondition(parameters.orders > 0, "a month needs orders")
    var random = RandomNumbers(seed: parameters.seed)
    let storefronts = Set(parameters.storefronts)
    let markets = (Market.all + Market.further + Market.taxed + Market.small).filter {
      storefronts.contains($0.storefront)
    }
    precondition(markets.count == parameters.storefronts.count, "a storefront has no prices here")
    let period = parameters.period
    self.parameters = parameters
    self.markets = markets
    calendars = markets.map {
      let own = parameters.ownRules[$0.storefront]
      let usual = ReportCalendar(
        own ?? parameters.dayRule, for: $0, around: period, random: &random)
      guard own == nil, let change = parameters.ruleChange else { return usual }
      let next = ReportCalendar(change.rule, for: $0, around: period, random: &random)
      return usual.zone == next.zone ? usual : usual.changed(to: next, from: change.day)
    }
    stock = Stock(
      furtherProducts: parameters.furtherProducts, hasBestsellers: parameters.hasBestsellers,
      tellsCoins: parameters.coins != nil)
    marketWeights = cumulative(markets.map(\.weight))
    opens = period.first.advanced(by: -2).startUTC.seconds
    closes = period.last.advanced(by: 3).startUTC.seconds
    reportDays = period.first.advanced(by: -1)...period.last.advanced(by: 1)
    regulars = max(20, parameters.orders / 3)
    counters = Counters(users: UInt32(regulars), random: random)
  }

  func nextOrder() -> UInt64 { next(\.orders) }
  func nextTransaction() -> UInt64 { next(\.transactions) }
  func nextSandboxTransaction() -> UInt64 { next(\.sandboxTransactions) }
  func nextWebOrderLineItem() -> UInt64 { next(\.webOrderLineItems) }
  func nextToken() -> UInt64 { next(\.tokens) }
  /// A customer who does nothing else in this world.
  func newUser() -> UInt32 { next(\.users) }

  private func next<Number: BinaryInteger>(
    _ counter: WritableKeyPath<Counters, Number>
  ) -> Number {
    counters[keyPath: counter] += 1
    return counters[keyPath: counter]
  }

  /// From here on ids and chance are of their own, until ``endApart(_:)`` takes back what this
  /// returns: all else comes out as if nothing had happened in between.
  func beginApart() -> Counters {
    let kept = counters
    counters.orders = 5_000_000_000
    counters.transactions += 5_000_000_000
    counters.sandboxTransactions += 5_000_000_000
    counters.webOrderLineItems += 5_000_000_000
    counters.tokens += 1 << 32
    counters.users = 3_000_000_000
    return kept
  }

  func endApart(_ kept: Counters) { counters = kept }

  func regularUser() -> UInt32 { UInt32(1 + random.below(regulars)) }

  /// A product that ordinary customers buy, each as often as its weight says.
  func consumable() -> Int {
    stock.consumables[random.index(cumulative: stock.consumableWeights)]
  }

  /// Customers of one market, as a share of all.
  func expectedUnits(_ market: Int) -> Int {
    parameters.orders * markets[market].weight / marketWeights[marketWeights.count - 1]
  }

  func trades(at instant: Int64) -> Bool { opens <= instant && instant < closes }
}

/// The same time of day, whole calendar months later; the day of the month is 28 at most.
func adding(months: Int, to instant: Int64) -> Int64 {
  let day = Instant(seconds: instant).day()
  let (year, month, number) = day.parts
  precondition(number <= 28, "a monthly chain begins on a day that every month has")
  let count = year * 12 + month - 1 + months
  let moved = Day(year: count / 12, month: count % 12 + 1, day: number)!
  return instant + (moved.startUTC.seconds - day.startUTC.seconds)
}

/// Whether a monthly chain may begin at `instant`.
func hasMonthlyDay(_ instant: Int64) -> Bool { Instant(seconds: instant).day().parts.day <= 28 }

/// The end of a month that begins at `instant`.
func monthlyExpiry(_ instant: Int64) -> Int64 {
  hasMonthlyDay(instant) ? adding(months: 1, to: instant) : instant + 30 * 86_400
}
