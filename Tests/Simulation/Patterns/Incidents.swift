import Billing

/// What befalls ordinary trade: orders that an outage loses, prices of a spoiled version, report
/// days that begin elsewhere.
final class Incidents {
  private let store: Store
  private var outages: [Outage] = []
  private var spoils = false
  private var boundaries: [Boundary] = []
  private(set) var expected: [ExpectedFinding] = []

  /// Orders that a failing server keeps from being fulfilled, and how many of them the period has.
  private(set) var failed: Set<UInt64> = []
  private var unserved = 0

  /// How many orders a spoiled version placed.
  private var spoiled = 0

  /// Purchases from a moment on, until so many were hit.
  private struct Outage {
    var begins: Int64
    var rest: Int
    /// The order is lost; else it stays created.
    var losesOrder: Bool
    var hit: ClosedRange<Int64>?
    var hits = 0
  }

  /// Report days of a storefront that end some seconds earlier than the calendar says.
  private struct Boundary {
    var market: Int
    var days: ClosedRange<Day>
    var seconds: Int64
  }

  /// Products whose prices a spoiled version swaps.
  private static let swapped = [1, 2, 4]

  init(_ store: Store) {
    self.store = store
    let period = store.parameters.period
    for pattern in store.parameters.patterns {
      switch pattern {
      case .outage:
        let day = period.first.advanced(by: store.random.within(3...period.dayCount - 6))
        outages.append(
          Outage(
            begins: day.startUTC.seconds + Int64(store.random.below(86_400)),
            rest: store.random.within(14...32), losesOrder: store.random.chance(500)))
      case .wrongTier: spoils = true
      case .boundary:
        // A small storefront's day is too uncertain for anything to be said of it.
        let largest = store.markets.indices.sorted {
          (store.markets[$1].weight, $0) < (store.markets[$0].weight, $1)
        }.prefix(3)
        let first = period.first.advanced(by: period.dayCount * 6 / 10)
        boundaries.append(
          Boundary(
            market: store.random.pick(Array(largest)), days: first...period.last,
            seconds: Int64(store.random.within(7...10) * 3600)))
      case .forger: break
      }
    }
  }

  /// Changes an ordinary purchase; whether its order is still there.
  func befall(_ order: inout OrderRecord, _ transaction: inout TransactionRecord) -> Bool {
    guard order.quantity == 1 else { return true }
    if let outage = outages.indices.first(where: {
      outages[$0].rest > 0 && outages[$0].begins <= transaction.purchased
    }) {
      return fall(into: outage, &order, &transaction)
    }
    if store.parameters.events?.hasFailingServer == true, fail(&order, &transaction) { return true }
    if spoils, order.status == .fulfilled { spoil(&order, &transaction) }
    return true
  }

  /// One in eight of the orders that the failing server has to verify.
  private func fail(_ order: inout OrderRecord, _ transaction: inout TransactionRecord) -> Bool {
    guard EventFile.server(of: order.number) == EventFile.failingServer,
      mixed(order.number &+ 0xFA11) % 8 == 0
    else { return false }
    leaveCharged(&order, &transaction)
    transaction.order = order.number
    failed.insert(order.number)
    if expect(.chargedNotFulfilled, transaction) { unserved += 1 }
    return true
  }

  /// The order does not know that it was paid.
  private func leaveCharged(_ order: inout OrderRecord, _ transaction: inout TransactionRecord) {
    let user = store.newUser()
    (order.user, transaction.user) = (user, user)
    (order.token, transaction.token) = (0, 0)
    transaction.statesPrice = true
    transaction.revoked = 0
    order.leave(.created)
    (order.channel, order.transaction) = (.apple, 0)
  }

  private func fall(
    into outage: Int, _ order: inout OrderRecord, _ transaction: inout TransactionRecord
  ) -> Bool {
    let losesOrder = outages[outage].losesOrder
    leaveCharged(&order, &transaction)
    transaction.order = losesOrder ? 0 : order.number
    let moment = losesOrder ? transaction.purchased : order.placed
    outages[outage].rest -= 1
    outages[outage].hits += 1
    let hit = outages[outage].hit ?? moment...moment
    outages[outage].hit = min(hit.lowerBound, moment)...max(hit.upperBound, moment)
    expect(losesOrder ? .transactionWithoutOrder : .chargedNotFulfilled, transaction)
    return !losesOrder
  }

  private func spoil(_ order: inout OrderRecord, _ transaction: inout TransactionRecord) {
    let parameters = store.parameters
    guard let place = Self.swapped.firstIndex(of: order.item),
      parameters.appVersion(of: order.user, at: order.placed)
        == SimulationParameters.spoiledVersion
    else { return }
    let other = Self.swapped[(place + 1) % Self.swapped.count]
    order.price = store.markets[order.market].prices[other]
    transaction.statesPrice = true
    if expect(.priceMismatch, transaction) { spoiled += 1 }
  }

  /// Whether the purchase lies in the period.
  @discardableResult
  private func expect(_ code: FindingCode, _ transaction: TransactionRecord) -> Bool {
    let market = store.markets[transaction.market]
    let day = Instant(seconds: transaction.purchased).day()
    guard store.parameters.period.contains(day) else { return false }
    expected.append(
      ExpectedFinding(
        code: code, storefront: market.storefront, date: day,
        sku: store.stock.items[transaction.item].sku, units: 1,
        amount: code == .priceMismatch ? nil : transaction.price, currency: market.currency,
        transactionIDs: ["\(transaction.number)"]))
    return true
  }

  /// The day on which Apple reports a purchase.
  func reportDay(_ transaction: TransactionRecord, _ calendar: ReportCalendar) -> Day {
    let day = calendar.day(of: transaction.purchased)
    guard transaction.isBillable,
      let boundary = boundaries.first(where: {
        $0.market == transaction.market && $0.days.contains(day)
      })
    else { return day }
    return calendar.day(of: transaction.purchased + boundary.seconds)
  }

  var patterns: [ExpectedPattern] {
    let times = outages.compactMap { outage in
      outage.hit.map {
        ExpectedPattern(
          code: outage.losesOrder ? .transactionWithoutOrder : .chargedNotFulfilled,
          dimension: .time,
          span: Instant(seconds: $0.lowerBound)...Instant(seconds: $0.upperBound),
          findings: outage.hits)
      }
    }
    let version = ExpectedPattern(
      code: .priceMismatch, dimension: .appVersion, value: SimulationParameters.spoiledVersion,
      findings: spoiled)
    let moved = boundaries.map {
      ExpectedPattern(
        code: .notInReport, dimension: .boundary,
        value: store.markets[$0.market].storefront.code)
    }
    let server = ExpectedPattern(
      code: .chargedNotFulfilled, dimension: .server, value: "\(EventFile.failingServer) (verify)",
      findings: unserved)
    return times + (unserved > 0 ? [server] : []) + (spoiled > 0 ? [version] : []) + moved
  }
}
