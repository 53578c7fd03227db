import Billing

/// Faults inside subscription chains, and the oddities that are none.
extension FaultPlanner {
  static let plans = [Shelf.monthly, Shelf.monthlyPlus]

  /// The original's order is one user's, a renewal fulfilled another user's order.
  mutating func shareSubscription() {
    let place = takeMonthly()
    let (order, original) = store.subscription(
      at: adding(months: -1, to: place.instant), market: place.market, item: place.item)
    var renewal = store.renewal(of: original, price: original.price)
    let stranger = store.newUser()
    renewal.user = stranger
    var second = pair(place).order
    second.user = stranger
    second.transaction = renewal.number
    plan.deposits.append(
      Deposit(
        orders: [order, second],
        transactions: [
          (original, store.saleTerms(standing: .new)),
          (renewal, store.saleTerms(standing: .renewal)),
        ]))
    expect(
      .subscriptionShared, place, on: businessDay(place.instant), transactions: [renewal])
  }

  /// The renewal of last month is missing, and this month's goes on in step.
  mutating func loseRenewal() {
    let place = takeMonthly()
    let (order, original) = store.subscription(
      at: adding(months: -3, to: place.instant), market: place.market, item: place.item)
    let first = store.renewal(of: original, price: original.price)
    let missing = store.renewal(of: first, price: original.price)
    let last = store.renewal(of: missing, price: original.price)
    plan.deposits.append(
      Deposit(
        orders: [order],
        transactions: [
          (original, store.saleTerms(standing: .new)),
          (first, store.saleTerms(standing: .renewal)),
          (last, store.saleTerms(standing: .renewal)),
        ]))
    expect(.renewalGap, place, on: businessDay(place.instant), transactions: [last])
  }

  /// A second trial in the same group, six days after the first.
  mutating func reuseTrial() {
    let place = places.take([Shelf.monthlyPlus], margin: 0)
    let user = store.newUser()
    let first = trial(
      at: place.instant - 6 * 86_400, market: place.market, item: Shelf.monthly, user: user)
    let second = trial(
      at: place.instant, market: place.market, item: place.item, user: user)
    var terms = store.saleTerms(standing: .new)
    terms.offer = .trial
    plan.deposits.append(
      Deposit(
        orders: [first.order, second.order],
        transactions: [(first.transaction, terms), (second.transaction, terms)]))
    expect(
      .offerReused, place, on: businessDay(place.instant), transactions: [second.transaction])
  }

  private func trial(
    at instant: Int64, market: Int, item: Int, user: UInt32
  ) -> (order: OrderRecord, transaction: TransactionRecord) {
    var (order, transaction) = store.subscription(at: instant, market: market, item: item)
    order.user = user
    transaction.user = user
    transaction.isTrial = true
    transaction.expires = instant + 3 * 86_400
    order.price = 0
    transaction.price = 0
    return (order, transaction)
  }

  mutating func takeMonthly() -> Place {
    places.take(Self.plans, margin: 0) { hasMonthlyDay($0.instant) }
  }

  /// What looks odd and is right: no finding follows from it.
  mutating func addCuriosities() {
    guard store.parameters.orders >= 1000, store.parameters.period.dayCount >= 12 else { return }
    for _ in 0..<2 { traceBack() }
    lapse()
    upgrade()
  }

  /// A transaction that names nobody, with one order that it can only belong to.
  private mutating func traceBack() {
    let place = places.take([Shelf.starter], margin: 1)
    var (order, transaction) = pair(place)
    order.transaction = 0
    transaction.order = 0
    transaction.user = 0
    add([order], [transaction])
  }

  /// Cancelled, and taken up again seventeen days later.
  private mutating func lapse() {
    let place = places.take(Self.plans, margin: 0) { hasMonthlyDay($0.instant - 17 * 86_400) }
    let (order, original) = store.subscription(
      at: adding(months: -1, to: place.instant - 17 * 86_400), market: place.market,
      item: place.item)
    var resumed = store.renewal(of: original, price: original.price)
    resumed.purchased = place.instant
    resumed.expires = monthlyExpiry(place.instant)
    plan.deposits.append(
      Deposit(
        orders: [order],
        transactions: [
          (original, store.saleTerms(standing: .new)),
          (resumed, store.saleTerms(standing: .renewal)),
        ]))
  }

  /// Moved to the dearer plan after five days: the first period was revoked, not refunded.
  private mutating func upgrade() {
    let place = places.take([Shelf.monthlyPlus], margin: 0)
    var (order, cheaper) = store.subscription(
      at: place.instant - 5 * 86_400, market: place.market, item: Shelf.monthly)
    order.fulfilled = order.paid + 20
    cheaper.revoked = place.instant
    cheaper.isUpgraded = true
    var dearer = store.renewal(
      of: cheaper, price: store.markets[place.market].price(.five))
    dearer.item = Shelf.monthlyPlus
    dearer.purchased = place.instant
    dearer.expires = monthlyExpiry(place.instant)
    dearer.revoked = 0
    dearer.isUpgraded = false
    plan.deposits.append(
      Deposit(
        orders: [order],
        transactions: [
          (cheaper, store.saleTerms(standing: .new)),
          (dearer, store.saleTerms(standing: .new)),
        ]))
  }
}
