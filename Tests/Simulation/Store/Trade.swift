import Billing

/// Ordinary trade: what customers do on a day without faults.
struct Trade {
  /// What one customer comes for.
  enum Visit: UInt8 {
    case consumable, abandoned, otherChannel, newSubscription, trial, introductory, renewal
    case longRenewal, preservedRenewal, seasonPass, nonConsumable, restore, familyShared, sandbox
    case earlierRefund
  }

  struct Slot {
    var instant: Int64
    var market: Int
    var visit: Visit
  }

  let store: Store
  let recorder: Recorder
  private let incidents: Incidents
  /// Visits of 200 customers, in random order.
  private let mix: [Visit]
  private let dayShares: [Int]
  private var visited = 0

  /// Share of purchases in each local hour.
  private static let hours = cumulative([
    30, 20, 12, 8, 7, 9, 16, 28, 38, 44, 48, 56, 74, 60, 50, 48, 52, 62, 70, 86, 104, 112, 94, 60,
  ])
  private static let regularMix: [(visit: Visit, count: Int)] = [
    (.consumable, 148), (.abandoned, 8), (.otherChannel, 4), (.newSubscription, 8), (.trial, 4),
    (.introductory, 3), (.renewal, 13), (.longRenewal, 1), (.preservedRenewal, 1),
    (.seasonPass, 4), (.nonConsumable, 2), (.restore, 1), (.familyShared, 1), (.sandbox, 1),
    (.earlierRefund, 1),
  ]

  init(store: Store, recorder: Recorder, incidents: Incidents) {
    self.store = store
    self.recorder = recorder
    self.incidents = incidents
    var mix = Self.regularMix.flatMap { Array(repeating: $0.visit, count: $0.count) }
    precondition(mix.count == 200)
    store.random.shuffle(&mix)
    self.mix = mix
    let first = store.parameters.period.first.advanced(by: -2)
    dayShares = cumulative(
      (0..<store.parameters.period.dayCount + 4).map {
        let weekday = first.advanced(by: $0).weekday
        return weekday == 0 || weekday == 6 ? 125 : weekday == 5 ? 110 : 100
      })
  }

  /// Visits on the `index`th day of trade, by time.
  mutating func slots(_ index: Int) -> [Slot] {
    let total = dayShares[dayShares.count - 1]
    let before = index == 0 ? 0 : dayShares[index - 1]
    let orders = store.parameters.orders
    let count = orders * dayShares[index] / total - orders * before / total
    let start = store.opens + Int64(index) * 86_400
    var slots = (0..<count).map { _ in slot(onDayFrom: start) }
    slots.sort { ($0.instant, $0.market) < ($1.instant, $1.market) }
    return slots
  }

  private mutating func slot(onDayFrom start: Int64) -> Slot {
    let market = store.random.index(cumulative: store.marketWeights)
    visited += 1
    let visit = mix[visited % mix.count]
    let day = Instant(seconds: start).day()
    if visited % 25 == 0 {
      // Near the boundary, so that even a small month shows where it lies.
      let boundary = store.calendars[market].start(of: day)
      let second = (boundary - start + Int64(store.random.within(-2700...2699))) % 86_400
      return Slot(
        instant: start + (second + 86_400) % 86_400, market: market, visit: visit)
    }
    let hour = store.random.index(cumulative: Self.hours)
    let local = Int64(hour * 3600 + store.random.below(3600))
    let offset = Int64(localOffset(market, start))
    let second = ((local - offset) % 86_400 + 86_400) % 86_400
    return Slot(instant: start + second, market: market, visit: visit)
  }

  private func localOffset(_ market: Int, _ instant: Int64) -> Int32 {
    switch store.markets[market].region {
    case .americas: -5 * 3600
    case .europe: 3600
    case .japan, .australia: 9 * 3600
    case .asia: 8 * 3600
    }
  }

  func take(_ slot: Slot) throws {
    switch slot.visit {
    case .consumable: try buyConsumable(slot)
    case .abandoned: try abandon(slot)
    case .otherChannel: try buyElsewhere(slot)
    case .newSubscription: try subscribe(slot)
    case .trial: try startTrial(slot)
    case .introductory: try subscribeIntroductory(slot)
    case .renewal: try renew(slot, periods: 1 + store.random.below(2))
    case .longRenewal: try renew(slot, periods: 12 + store.random.below(3))
    case .preservedRenewal: try renew(slot, periods: 4, preserved: true)
    case .seasonPass: try buyOnce(slot, Stock.seasonPass)
    case .nonConsumable: try buyOnce(slot, Stock.removeAds)
    case .restore: try buyOnce(slot, Stock.removeAds, restores: true)
    case .familyShared: try shareWithFamily(slot)
    case .sandbox: try test(slot)
    case .earlierRefund: try refundEarlierPurchase(slot)
    }
  }
}

extension Trade {
  /// Writes an order and its transaction, which Apple reports as `terms` say, or does not report.
  func record(_ purchase: Purchase, sold terms: SaleTerms?) throws {
    try recorder.order(purchase.order)
    try recorder.transaction(purchase.transaction, sold: terms)
  }

  private func purchase(_ slot: Slot, _ item: Int, quantity: Int = 1, user: UInt32) -> Purchase {
    store.purchase(
      at: slot.instant, market: slot.market, item: item, quantity: quantity, user: user)
  }

  private func buyConsumable(_ slot: Slot) throws {
    let quantity = store.random.chance(40) ? store.random.within(2...5) : 1
    var bought = purchase(slot, store.consumable(), quantity: quantity, user: store.regularUser())
    link(&bought.order, &bought.transaction)
    if store.random.chance(15) { refund(&bought) }
    if bought.order.status == .fulfilled, store.random.chance(5) {
      bought.order.status = .paid
      bought.order.fulfilled = 0
    }
    if incidents.befall(&bought.order, &bought.transaction) { try recorder.order(bought.order) }
    try recorder.transaction(bought.transaction, sold: store.saleTerms())
  }

  /// Takes away some of what ties the two rows; what is left still gives one clear answer.
  private func link(_ order: inout OrderRecord, _ transaction: inout TransactionRecord) {
    let way = store.random.below(100)
    if way < 60 {
      transaction.order = 0
    } else if way >= 80 {
      order.transaction = 0
      if way >= 94 {
        transaction.order = 0
        let user = store.newUser()
        order.user = user
        transaction.user = user
        if way < 98 {
          order.token = store.nextToken()
          transaction.token = order.token
        }
        return
      }
    }
    if store.random.chance(250) {
      order.token = store.nextToken()
      transaction.token = order.token
    }
    if store.random.chance(80) { transaction.statesPrice = false }
    if store.random.chance(50) { transaction.user = 0 }
    if store.random.chance(200) { order.channel = .blank }
  }

  private func refund(_ purchase: inout Purchase) {
    let revoked =
      purchase.transaction.purchased + Int64(store.random.within(86_400...20 * 86_400))
    guard store.trades(at: revoked) else { return }
    purchase.order.status = .refunded
    purchase.transaction.revoked = revoked
  }

  private func abandon(_ slot: Slot) throws {
    var order = purchase(slot, store.consumable(), user: store.regularUser()).order
    order.leave(store.random.chance(500) ? .created : .cancelled)
    order.transaction = 0
    try recorder.order(order)
  }

  private func buyElsewhere(_ slot: Slot) throws {
    var order = purchase(slot, store.consumable(), user: store.regularUser()).order
    order.channel = .web
    order.transaction = 0
    try recorder.order(order)
  }

  private func buyOnce(_ slot: Slot, _ item: Int, restores: Bool = false) throws {
    var bought = purchase(slot, item, user: store.newUser())
    bought.transaction.order = 0
    if !restores, store.random.chance(20) { refund(&bought) }
    try record(bought, sold: store.saleTerms())
    guard restores else { return }
    let later = Int64(store.random.within(86_400...10 * 86_400))
    guard store.trades(at: slot.instant + later) else { return }
    var restored = store.restore(of: bought.transaction, after: later)
    restored.statesPrice = false
    try recorder.transaction(restored, sold: nil)
    let (units, key, day) = store.restoreBooking(restored)
    recorder.book(units, key, on: day)
  }

  private func shareWithFamily(_ slot: Slot) throws {
    var transaction = purchase(slot, Stock.removeAds, user: store.newUser()).transaction
    transaction.order = 0
    transaction.isFamilyShared = true
    transaction.statesPrice = false
    try recorder.transaction(transaction, sold: nil)
  }

  private func test(_ slot: Slot) throws {
    let item = store.consumable()
    var bought = purchase(
      slot, item, user: Names.firstTester + UInt32(store.random.below(2)))
    bought.transaction.moveToSandbox(store.nextSandboxTransaction())
    bought.order.transaction = bought.transaction.number
    try record(bought, sold: nil)
  }

  /// Bought before the store's first day here, taken back now.
  private func refundEarlierPurchase(_ slot: Slot) throws {
    let purchased = store.opens - Int64(store.random.within(86_400...20 * 86_400))
    var bought = store.purchase(
      at: purchased, market: slot.market, item: store.consumable(), user: store.regularUser())
    bought.order.status = .refunded
    bought.transaction.revoked = slot.instant
    try record(bought, sold: store.saleTerms())
  }
}

extension Store {
  /// The same purchase again, so many seconds later, under a number of its own.
  func restore(of transaction: TransactionRecord, after seconds: Int64) -> TransactionRecord {
    var restored = transaction
    restored.number = nextTransaction()
    restored.purchased += seconds
    restored.isRestore = true
    return restored
  }

  /// Apple's row of a restore.
  func restoreBooking(_ restored: TransactionRecord) -> Booking {
    let key = SaleKey(
      market: restored.market, item: restored.item, price: 0, proceeds: 0, isWithoutMoney: true)
    return (1, key, calendars[restored.market].day(of: restored.purchased))
  }
}
