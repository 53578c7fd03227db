import Billing

/// Faults inside subscription chains, and the oddities that are none.
extension FaultPlanner {
  static let plans = [Stock.monthly, Stock.monthlyPlus]

  /// The original's order is one user's, a renewal fulfilled another user's order.
  mutating func shareSubscription() throws(NoRoom) {
    let place = try takeMonthly()
    let (order, original) = subscription(place, months: 1)
    var renewal = store.renewal(of: original, price: original.price)
    let stranger = store.newUser()
    renewal.user = stranger
    var second = pair(place).order
    second.user = stranger
    second.transaction = renewal.number
    add([order, second], chain: [original, renewal])
    expect(.subscriptionShared, place, transactions: [renewal])
  }

  /// The renewal of last month is missing, and this month's goes on in step.
  mutating func loseRenewal() throws(NoRoom) {
    let place = try takeMonthly()
    let (order, periods) = chainWithGap(at: place)
    add([order], chain: periods)
    expect(.renewalGap, place, transactions: [periods[2]])
  }

  /// Apple takes back what the second period was paid for; the first, and its order, stand.
  mutating func refundRenewal() throws(NoRoom) {
    let place = try takeMonthly()
    let (order, original) = subscription(place, months: 1)
    var renewal = store.renewal(of: original, price: original.price)
    renewal.revoked = renewal.purchased + 600
    add([order], chain: [original, renewal])
    expect(
      .renewalRefunded, place, amount: -renewal.price, orders: [order], transactions: [renewal])
  }

  /// Three periods, with one missing before the last.
  func chainWithGap(
    at place: FaultPlace, source: TransactionSource = .drawn
  ) -> (order: OrderRecord, periods: [TransactionRecord]) {
    var (order, original) = subscription(place, months: 3)
    original.source = source
    let first = store.renewal(of: original, price: original.price)
    let missing = store.renewal(of: first, price: original.price)
    return (order, [original, first, store.renewal(of: missing, price: original.price)])
  }

  /// A second trial in the same group, six days after the first.
  mutating func reuseTrial() throws(NoRoom) {
    // Offers that were taken before the month are not looked for.
    let first = store.parameters.period.first.advanced(by: 3)
    let place = try places.take([Stock.monthlyPlus], margin: 0) { $0.day >= first }
    let user = store.newUser()
    let trials = [(place.instant - 6 * 86_400, Stock.monthly), (place.instant, place.item)].map {
      trial(at: $0, market: place.market, item: $1, user: user)
    }
    let terms = store.saleTerms(standing: .new, offer: .trial)
    deposit(trials.map(\.order), trials.map { ($0.transaction, terms) })
    expect(.offerReused, place, transactions: [trials[1].transaction])
  }

  private func trial(at instant: Int64, market: Int, item: Int, user: UInt32) -> Purchase {
    var (order, transaction) = store.subscription(at: instant, market: market, item: item)
    (order.user, transaction.user) = (user, user)
    (order.price, transaction.price) = (0, 0)
    transaction.isTrial = true
    transaction.expires = instant + 3 * 86_400
    return (order, transaction)
  }

  mutating func takeMonthly() throws(NoRoom) -> FaultPlace {
    try places.take(Self.plans, margin: 0) { hasMonthlyDay($0.instant) }
  }

  /// What looks odd and is right: no finding follows from it.
  mutating func addCuriosities() {
    guard store.parameters.orders >= 1000, store.parameters.period.dayCount >= 12 else { return }
    for curiosity in Curiosity.allCases {
      inTurn([curiosity]) {
        $0 == .traceBack ? 2 : 1
      } make: { planner, curiosity, _ throws(NoRoom) in
        switch curiosity {
        case .traceBack: try planner.traceBack()
        case .lapse: try planner.lapse()
        case .upgrade: try planner.upgrade()
        }
      }
    }
  }

  private enum Curiosity: String, CaseIterable {
    case traceBack = "order that is traced back"
    case lapse = "subscription taken up again"
    case upgrade = "upgraded subscription"
  }

  /// A transaction that names nobody, with one order that it can only belong to.
  private mutating func traceBack() throws(NoRoom) {
    let place = try places.take([Stock.starter], margin: 1)
    var (order, transaction) = pair(place)
    order.transaction = 0
    transaction.order = 0
    transaction.user = 0
    add([order], [transaction])
  }

  /// Cancelled, and taken up again seventeen days later.
  private mutating func lapse() throws(NoRoom) {
    let pause: Int64 = 17 * 86_400
    let place = try places.take(Self.plans, margin: 0) { hasMonthlyDay($0.instant - pause) }
    let (order, original) = store.subscription(
      at: adding(months: -1, to: place.instant - pause), market: place.market, item: place.item)
    var resumed = store.renewal(of: original, price: original.price)
    resumed.purchased = place.instant
    resumed.expires = monthlyExpiry(place.instant)
    add([order], chain: [original, resumed])
  }

  /// Moved to the dearer plan after five days: the first period was revoked, not refunded.
  private mutating func upgrade() throws(NoRoom) {
    let place = try places.take([Stock.monthlyPlus], margin: 0)
    var (order, cheaper) = store.subscription(
      at: place.instant - 5 * 86_400, market: place.market, item: Stock.monthly)
    order.fulfilled = order.paid + 20
    var dearer = store.renewal(of: cheaper, price: store.markets[place.market].price(.five))
    dearer.item = Stock.monthlyPlus
    dearer.purchased = place.instant
    dearer.expires = monthlyExpiry(place.instant)
    cheaper.revoked = place.instant
    cheaper.isUpgraded = true
    deposit([order], [cheaper, dearer].map { ($0, store.saleTerms(standing: .new)) })
  }
}
