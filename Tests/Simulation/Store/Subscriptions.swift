import Billing

extension Trade {
  private func plan() -> Int {
    store.random.chance(750) ? Stock.monthly : Stock.monthlyPlus
  }

  func subscribe(_ slot: Slot) throws {
    let purchase = store.subscription(at: slot.instant, market: slot.market, item: plan())
    try record(purchase, sold: store.saleTerms(standing: .new))
    try goOn(from: purchase.transaction, paid: 1)
  }

  func startTrial(_ slot: Slot) throws {
    var purchase = store.subscription(at: slot.instant, market: slot.market, item: plan())
    let full = purchase.transaction.price
    (purchase.transaction.price, purchase.order.price) = (0, 0)
    purchase.transaction.isTrial = true
    purchase.transaction.expires = slot.instant + 7 * 86_400
    try record(purchase, sold: store.saleTerms(standing: .new, offer: .trial))
    guard store.random.chance(500), store.trades(at: purchase.transaction.expires) else { return }
    let paid = store.renewal(of: purchase.transaction, price: full)
    try recorder.transaction(paid, sold: store.saleTerms(standing: .renewal))
    try goOn(from: paid, paid: 1)
  }

  func subscribeIntroductory(_ slot: Slot) throws {
    var purchase = store.subscription(
      at: slot.instant, market: slot.market, item: Stock.monthly)
    let full = purchase.transaction.price
    let reduced = store.markets[slot.market].price(.one)
    (purchase.transaction.price, purchase.order.price) = (reduced, reduced)
    purchase.transaction.isIntro = true
    try record(purchase, sold: store.saleTerms(standing: .new, offer: .introductory))
    purchase.transaction.price = full
    try goOn(from: purchase.transaction, paid: 1)
  }

  /// A renewal at the slot, the first one since the store opened here, and the chain before it.
  func renew(_ slot: Slot, periods: Int, preserved: Bool = false) throws {
    guard hasMonthlyDay(slot.instant), adding(months: -1, to: slot.instant) < store.opens else {
      try subscribe(slot)
      return
    }
    var (order, transaction) = store.subscription(
      at: adding(months: -periods, to: slot.instant), market: slot.market,
      item: preserved ? Stock.monthly : plan())
    if preserved {
      transaction.price = store.markets[slot.market].price(.two)
      order.price = transaction.price
    }
    try record((order, transaction), sold: nil)
    for paid in 1...periods {
      transaction = store.renewal(of: transaction, price: transaction.price)
      try recorder.transaction(
        transaction, sold: paid == periods ? terms(paid: paid, preserved: preserved) : nil)
    }
    try goOn(from: transaction, paid: periods + 1, preserved: preserved)
  }

  /// Renewals while the store trades, most of the time.
  private func goOn(
    from transaction: TransactionRecord, paid: Int, preserved: Bool = false
  ) throws {
    var (transaction, paid) = (transaction, paid)
    while hasMonthlyDay(transaction.purchased), store.trades(at: transaction.expires),
      store.random.chance(850)
    {
      transaction = store.renewal(of: transaction, price: transaction.price)
      try recorder.transaction(transaction, sold: terms(paid: paid, preserved: preserved))
      paid += 1
    }
  }

  /// After a year of paid service Apple keeps 15%.
  private func terms(paid: Int, preserved: Bool) -> SaleTerms {
    var terms = store.saleTerms(standing: .renewal)
    terms.afterOneYear = paid >= 12
    terms.isPreserved = preserved
    return terms
  }
}

extension Store {
  func saleTerms(
    standing: SaleTerms.Standing = .once, offer: SaleTerms.Offer = .none
  ) -> SaleTerms {
    SaleTerms(
      standing: standing, offer: offer,
      device: UInt8(random.index(cumulative: SalesReportFiles.deviceWeights)))
  }

  /// What one unit costs then.
  func price(of item: Int, in market: Int, at instant: Int64) -> Int64 {
    let (product, place) = (stock.items[item], markets[market])
    let price = place.price(product.tier)
    guard !product.isSubscription, let day = parameters.priceRises[place.storefront],
      Zone(identifier: place.localZone, around: parameters.period)
        .day(of: Instant(seconds: instant)) >= day
    else { return price }
    return place.raised(price)
  }

  /// An order and its transaction that agree in everything and name each other.
  func purchase(
    at instant: Int64, market: Int, item: Int, quantity: Int = 1, user: UInt32
  ) -> Purchase {
    let product = stock.items[item]
    let price = price(of: item, in: market, at: instant)
    let number = nextTransaction()
    let paid = instant + Int64(random.within(1...20))
    // What coins of several packs mean is nowhere said, so such orders have none.
    let order = OrderRecord(
      number: nextOrder(), user: user, item: item, market: market, quantity: quantity,
      price: price, placed: instant - Int64(random.within(8...240)), paid: paid,
      fulfilled: paid + Int64(random.within(1...30) * random.within(1...30)),
      transaction: number, coins: quantity == 1 ? product.coins : nil)
    let transaction = TransactionRecord(
      number: number, original: number, order: order.number, item: item, market: market,
      quantity: quantity, price: price, purchased: instant, user: user, began: instant)
    return (order, transaction)
  }

  /// The first period of a chain that only its order's transaction id ties.
  func subscription(at instant: Int64, market: Int, item: Int) -> Purchase {
    var (order, transaction) = purchase(at: instant, market: market, item: item, user: newUser())
    transaction.order = 0
    transaction.webOrderLineItem = nextWebOrderLineItem()
    transaction.expires = monthlyExpiry(instant)
    return (order, transaction)
  }

  /// The next period, which begins where the one before ends.
  func renewal(of transaction: TransactionRecord, price: Int64) -> TransactionRecord {
    var next = transaction
    next.number = nextTransaction()
    next.webOrderLineItem = nextWebOrderLineItem()
    next.purchased = transaction.expires
    next.expires = monthlyExpiry(transaction.expires)
    next.price = price
    next.isTrial = false
    next.isIntro = false
    return next
  }
}
