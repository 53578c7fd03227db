import Billing

/// Faults between the company's table and Apple's messages.
extension FaultPlanner {
  mutating func injectAppleFaults() {
    let all = AppleFault.allCases.map { ($0, store.parameters.appleFaults[$0] ?? 0) }
    let counters = store.beginApart()
    for (fault, count) in all {
      for number in 0..<count { inject(fault, number) }
    }
    store.endApart(counters)
  }

  private mutating func inject(_ fault: AppleFault, _ number: Int) {
    switch fault {
    case .purchaseTime: contradictPurchaseTime()
    case .refundNotified: notifyOfRefund(number)
    case .refundReversed: reverseRefund()
    case .itemID: sellForeignItem()
    case .sharedSubscription: tellOfTwoUsers()
    case .renewalGap: loseSignedRenewal()
    case .billingRetry: explainGap(number)
    case .restoredPurchase: number % 2 == 0 ? restorePeriod() : restorePurchase()
    case .compressedRenewals: renewEveryFiveMinutes()
    }
  }

  /// Signed minutes before Apple's day ends, and seven minutes later by the company's table: the
  /// sale is Apple's of the earlier day.
  private mutating func contradictPurchaseTime() {
    var place = places.take(days: 2)
    place.instant =
      store.calendars[place.market].start(of: place.day.advanced(by: 1))
      - Int64(store.random.within(60...200))
    var (order, transaction) = pair(place)
    transaction.teller = .deposit
    var moved = transaction
    moved.purchased += 420
    add(
      [order], [(transaction, store.saleTerms())], rows: [moved],
      told: [told(transaction, .notificationV2, after: 4)])
    expect(
      .sourcesContradict, place, on: businessDay(place.instant), transactions: [transaction])
  }

  /// The company's table was exported before Apple took the money back.
  private mutating func notifyOfRefund(_ number: Int) {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    move(&order, &transaction, by: -2 * 86_400)
    transaction.revoked = place.instant
    transaction.teller = .deposit
    var refund = told(
      transaction, number % 2 == 0 ? .notificationV2 : .notificationV1, after: 2 * 86_400 + 900)
    refund.event = .refund
    add(
      [order], [(transaction, store.saleTerms())],
      rows: [transaction.known(at: transaction.purchased)], told: [refund])
    expect(
      .refundNotReversed, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  /// Apple gave the money back, which its report of that day has, and took it again a day later,
  /// which no report counts in units: the order stands rightly.
  private mutating func reverseRefund() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    transaction.teller = .deposit
    let bought = told(transaction, .notificationV2, after: 6)
    var refunded = transaction
    refunded.revoked = transaction.purchased + 86_400
    var refund = told(refunded, .notificationV2, after: 86_400 + 600)
    refund.event = .refund
    var reversal = told(transaction, .notificationV2, after: 2 * 86_400)
    reversal.event = .refundReversed
    add([order], [(refunded, store.saleTerms())], told: [bought, refund, reversal])
  }

  private mutating func sellForeignItem() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    transaction.order = 0
    transaction.teller = .deposit
    var receipt = told(transaction, .oldReceipt, after: 5)
    receipt.itemID = 1_987_654_321
    add([order], [(transaction, store.saleTerms())], told: [receipt])
    expect(
      .productMismatch, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  /// Nobody but the receipts says whose the periods are.
  private mutating func tellOfTwoUsers() {
    let place = takeMonthly()
    var (order, original) = store.subscription(
      at: adding(months: -1, to: place.instant), market: place.market, item: place.item)
    var renewal = store.renewal(of: original, price: original.price)
    var second = pair(place).order
    second.transaction = renewal.number
    renewal.user = store.newUser()
    (order.user, second.user) = (0, 0)
    (original.teller, renewal.teller) = (.deposit, .deposit)
    add(
      [order, second],
      [
        (original, store.saleTerms(standing: .new)), (renewal, store.saleTerms(standing: .renewal)),
      ],
      told: [told(original, .receipt, after: 5), told(renewal, .receipt, after: 5)])
    expect(
      .subscriptionShared, place, on: businessDay(place.instant), transactions: [renewal])
  }

  private mutating func loseSignedRenewal() {
    let place = takeMonthly()
    let chain = chainWithGap(at: place)
    add(chain, told: chain.periods.map { told($0, .history, after: 7200) })
    expect(.renewalGap, place, on: businessDay(place.instant), transactions: [chain.periods[2]])
  }

  /// Apple could not collect for a month: a receipt says so, or a notification.
  private mutating func explainGap(_ number: Int) {
    let place = takeMonthly()
    let chain = chainWithGap(at: place)
    var retry = told(
      chain.periods[1], number % 2 == 0 ? .receipt : .notificationV2,
      after: chain.periods[1].expires - chain.periods[1].purchased + 3 * 86_400)
    retry.event = .billingRetry
    add(chain, told: chain.periods.map { told($0, .notificationV2, after: 6) } + [retry])
  }

  /// The same period under another transaction id, told by a new device's receipt.
  private mutating func restorePeriod() {
    let place = takeMonthly()
    var (order, original) = store.subscription(
      at: place.instant, market: place.market, item: place.item)
    original.teller = .deposit
    var restored = original
    restored.number = store.nextTransaction()
    restored.isRestore = true
    add(
      [order], [(original, store.saleTerms(standing: .new)), (restored, nil)],
      told: [told(original, .history, after: 3600), told(restored, .receipt, after: 86_400)])
  }

  private mutating func restorePurchase() {
    let place = places.take([Shelf.removeAds], margin: 0)
    var (order, original) = pair(place)
    original.order = 0
    original.teller = .deposit
    var restored = original
    restored.number = store.nextTransaction()
    restored.purchased += 2 * 86_400
    restored.isRestore = true
    add(
      [order], [(original, store.saleTerms()), (restored, nil)],
      told: [told(original, .oldReceipt, after: 5), told(restored, .notificationV2, after: 5)])
    let key = SaleKey(
      market: place.market, item: place.item, price: 0, proceeds: 0, isWithoutMoney: true)
    let day = store.calendars[place.market].day(of: restored.purchased)
    plan.deposits[plan.deposits.count - 1].bookings = [(units: 1, key: key, day: day)]
  }

  private mutating func renewEveryFiveMinutes() {
    let place = places.take([Shelf.monthly], margin: 0)
    var (_, period) = store.subscription(
      at: place.instant, market: place.market, item: place.item)
    period.number = store.nextSandboxTransaction()
    period.original = period.number
    period.isSandbox = true
    period.teller = .deposit
    period.expires = period.purchased + 300
    var deposit = Deposit()
    for _ in 0..<6 {
      deposit.transactions.append((period, nil))
      var receipt = told(period, .oldReceipt, after: 10)
      receipt.hidesEnvironment = true
      deposit.tellings.append(receipt)
      period = store.renewal(of: period, price: period.price)
      period.number = store.nextSandboxTransaction()
      period.expires = period.purchased + 300
    }
    plan.deposits.append(deposit)
  }
}

extension FaultPlanner {
  private typealias Chain = (order: OrderRecord, periods: [TransactionRecord])

  /// Three periods, with one missing before the last.
  private func chainWithGap(at place: Place) -> Chain {
    var (order, original) = store.subscription(
      at: adding(months: -3, to: place.instant), market: place.market, item: place.item)
    original.teller = .deposit
    let first = store.renewal(of: original, price: original.price)
    let missing = store.renewal(of: first, price: original.price)
    return (order, [original, first, store.renewal(of: missing, price: original.price)])
  }

  private mutating func add(_ chain: Chain, told: [Telling]) {
    let sales = chain.periods.map { period in
      (
        period,
        Optional(store.saleTerms(standing: period.number == period.original ? .new : .renewal))
      )
    }
    add([chain.order], sales, told: told)
  }

  private mutating func add(
    _ orders: [OrderRecord], _ sales: [(TransactionRecord, SaleTerms?)],
    rows: [TransactionRecord] = [], told: [Telling]
  ) {
    plan.deposits.append(
      Deposit(
        orders: orders, transactions: sales.map { (record: $0.0, sold: $0.1) }, rows: rows,
        tellings: told))
  }

  /// A message of its own, so many seconds after the purchase.
  private func told(
    _ transaction: TransactionRecord, _ form: AppleForm, after seconds: Int64
  ) -> Telling {
    var telling = Telling(form: form, at: transaction.purchased + seconds, subject: transaction)
    telling.goesOn = true
    if form.isReceipt {
      telling.order = transaction.order
      telling.user = transaction.user
      telling.needsWrapper = true
    }
    return telling
  }
}
