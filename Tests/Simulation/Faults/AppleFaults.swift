import Billing

/// Faults that lie between what the company wrote down and what Apple's messages say, and oddities
/// of Apple's messages that are none.
package enum AppleFault: String, Hashable, Sendable, CaseIterable {
  /// The company's table has another purchase time than the signed payload, on another day.
  case purchaseTime = "purchase-time"
  /// Only a notification has a refund.
  case refundNotified = "refund-notified"
  /// A refund that Apple took back: nothing is to be found.
  case refundReversed = "refund-reversed"
  /// The receipt is for another app's product with the same SKU.
  case itemID = "item-id"
  /// Receipts of two users have one subscription.
  case sharedSubscription = "shared-subscription"
  /// Signed renewals with one missing between them.
  case renewalGap = "renewal-gap"
  /// As `renewalGap`, but Apple said in between that billing had failed: nothing is to be found.
  case billingRetry = "billing-retry"
  /// A purchase restored under a new transaction id, which is no sale: nothing is to be found.
  case restoredPurchase = "restored-purchase"
  /// A monthly subscription that renews every five minutes, as only the sandbox does, and no
  /// message names the environment: no money, and nothing is to be found.
  case compressedRenewals = "compressed-renewals"
  /// A commitment of twelve instalments with one missing between two others.
  case instalmentMissing = "instalment-missing"
  /// A commitment whose next instalment was due and never came.
  case instalmentsEnd = "instalments-end"
  /// A commitment paid to its twelfth instalment: nothing is to be found.
  case instalmentsPaid = "instalments-paid"
  /// Items of Advanced Commerce with half the tax of their storefront.
  case taxTold = "tax-told"
  /// The same with the storefront's tax: nothing is to be found.
  case taxRight = "tax-right"
  /// A server's log has what another app sold: only an order that claims some of it is to be found.
  case otherApp = "other-app"
}

extension FaultPlanner {
  mutating func injectAppleFaults() {
    let counters = store.beginApart()
    let faults = store.parameters.appleFaults
    inTurn(AppleFault.allCases) {
      faults[$0] ?? 0
    } make: { planner, fault, number throws(NoRoom) in
      try planner.inject(fault, number)
    }
    store.endApart(counters)
  }

  private mutating func inject(_ fault: AppleFault, _ number: Int) throws(NoRoom) {
    switch fault {
    case .purchaseTime: try contradictPurchaseTime()
    case .refundNotified: try notifyOfRefund(number)
    case .refundReversed: try reverseRefund(number)
    case .itemID: try sellForeignItem()
    case .sharedSubscription: try showToTwoUsers()
    case .renewalGap: try loseSignedRenewal()
    case .billingRetry: try explainGap(number)
    case .restoredPurchase: try number % 2 == 0 ? restorePeriod() : restorePurchase()
    case .compressedRenewals: try renewEveryFiveMinutes()
    case .instalmentMissing: try loseInstalment()
    case .instalmentsEnd: try payInstalments(2, isWhole: false)
    case .instalmentsPaid: try payInstalments(12, isWhole: true)
    case .taxTold: try tellTax(number, isRight: false)
    case .taxRight: try tellTax(number, isRight: true)
    case .otherApp: try logOtherApp(isClaimed: number % 2 == 0)
    }
  }

  /// A purchase that nothing but the deposit's own rows and messages has.
  private func apartPair(_ place: FaultPlace) -> Purchase {
    var purchase = pair(place)
    purchase.transaction.source = .deposit
    return purchase
  }

  /// Signed minutes before Apple's day ends, and seven minutes later by the company's table: the
  /// sale is Apple's of the earlier day.
  private mutating func contradictPurchaseTime() throws(NoRoom) {
    var place = try places.take(days: 2)
    place.instant =
      store.calendars[place.market].start(of: place.day.advanced(by: 1))
      - Int64(store.random.within(60...200))
    let (order, transaction) = apartPair(place)
    var moved = transaction
    moved.purchased += 420
    deposit(
      [order], [(transaction, store.saleTerms())], rows: [moved],
      messages: [message(transaction, .notificationV2, after: 4)])
    expect(.sourcesContradict, place, transactions: [transaction])
  }

  /// The company's table was exported before Apple took the money back.
  private mutating func notifyOfRefund(_ number: Int) throws(NoRoom) {
    let place = try places.take(margin: 0)
    var (order, transaction) = apartPair(place)
    order.move(by: -2 * 86_400)
    transaction.move(by: -2 * 86_400)
    transaction.revoked = place.instant
    deposit(
      [order], [(transaction, store.saleTerms())],
      rows: [transaction.known(at: transaction.purchased)],
      messages: [
        message(
          transaction, number % 2 == 0 ? .notificationV2 : .notificationV1,
          after: 2 * 86_400 + 900, .refund)
      ])
    expect(.refundNotReversed, place, orders: [order], transactions: [transaction])
  }

  /// Apple gave the money back and took it again a day later: the order stands rightly, whether its
  /// reports have the refund alone, both, or neither.
  private mutating func reverseRefund(_ number: Int) throws(NoRoom) {
    let place = number % 3 == 0 ? try places.take(margin: 0) : try places.take(days: 3)
    let (order, transaction) = apartPair(place)
    var refunded = transaction
    refunded.revoked = transaction.purchased + 86_400
    var sold = [(number % 3 == 2 ? transaction : refunded, store.saleTerms())]
    if number % 3 == 1 {
      // A unit that nothing but the report of that day has.
      var returned = apartPair(place).transaction
      returned.purchased = transaction.purchased + 2 * 86_400
      sold.append((returned, store.saleTerms()))
    }
    deposit(
      [order], sold,
      messages: [
        message(transaction, .notificationV2, after: 6),
        message(refunded, .notificationV2, after: 86_400 + 600, .refund),
        message(transaction, .notificationV2, after: 2 * 86_400, .refundReversed),
      ])
  }

  private mutating func logOtherApp(isClaimed: Bool) throws(NoRoom) {
    let place = try places.take(margin: 0)
    var (order, transaction) = apartPair(place)
    transaction.isForeign = true
    transaction.order = 0
    deposit(
      isClaimed ? [order] : [], [(transaction, nil)],
      messages: [message(transaction, .notificationV2, after: 6)])
    if isClaimed { expect(.bundleMismatch, place, orders: [order], transactions: [transaction]) }
  }

  private mutating func sellForeignItem() throws(NoRoom) {
    let place = try places.take(margin: 0)
    var (order, transaction) = apartPair(place)
    transaction.order = 0
    var receipt = message(transaction, .oldReceipt, after: 5)
    receipt.itemID = 1_987_654_321
    deposit([order], [(transaction, store.saleTerms())], messages: [receipt])
    expect(.productMismatch, place, orders: [order], transactions: [transaction])
  }

  /// Nobody but the receipts says whose the periods are.
  private mutating func showToTwoUsers() throws(NoRoom) {
    let place = try takeMonthly()
    var (order, original) = subscription(place, months: 1)
    var renewal = store.renewal(of: original, price: original.price)
    var second = pair(place).order
    second.transaction = renewal.number
    renewal.user = store.newUser()
    (order.user, second.user) = (0, 0)
    (original.source, renewal.source) = (.deposit, .deposit)
    let chain = [original, renewal]
    add([order, second], chain: chain, messages: chain.map { message($0, .receipt, after: 5) })
    expect(.subscriptionShared, place, transactions: [renewal])
  }

  private mutating func loseSignedRenewal() throws(NoRoom) {
    let place = try takeMonthly()
    let (order, periods) = chainWithGap(at: place, source: .deposit)
    add([order], chain: periods, messages: periods.map { message($0, .history, after: 7200) })
    expect(.renewalGap, place, transactions: [periods[2]])
  }

  /// Apple could not collect for a month: a receipt says so, or a notification.
  private mutating func explainGap(_ number: Int) throws(NoRoom) {
    let (order, periods) = chainWithGap(at: try takeMonthly(), source: .deposit)
    let retry = message(
      periods[1], number % 2 == 0 ? .receipt : .notificationV2,
      after: periods[1].expires - periods[1].purchased + 3 * 86_400, .billingRetry)
    let messages = periods.map { message($0, .notificationV2, after: 6) } + [retry]
    add([order], chain: periods, messages: messages)
  }

  /// The same period under another transaction id, in a new device's receipt.
  private mutating func restorePeriod() throws(NoRoom) {
    var (order, original) = subscription(try takeMonthly())
    original.source = .deposit
    let restored = store.restore(of: original, after: 0)
    deposit(
      [order], [(original, store.saleTerms(standing: .new)), (restored, nil)],
      messages: [
        message(original, .history, after: 3600), message(restored, .receipt, after: 86_400),
      ])
  }

  private mutating func restorePurchase() throws(NoRoom) {
    var (order, original) = apartPair(try places.take([Stock.removeAds], margin: 0))
    original.order = 0
    let restored = store.restore(of: original, after: 2 * 86_400)
    deposit(
      [order], [(original, store.saleTerms()), (restored, nil)],
      bookings: [store.restoreBooking(restored)],
      messages: [
        message(original, .oldReceipt, after: 5), message(restored, .notificationV2, after: 5),
      ])
  }

  private mutating func renewEveryFiveMinutes() throws(NoRoom) {
    var period = subscription(try places.take([Stock.monthly], margin: 0)).transaction
    period.source = .deposit
    period.moveToSandbox(store.nextSandboxTransaction())
    period.expires = period.purchased + 300
    var periods: [TransactionRecord] = []
    for _ in 0..<6 {
      periods.append(period)
      period = store.renewal(of: period, price: period.price)
      period.number = store.nextSandboxTransaction()
      period.expires = period.purchased + 300
    }
    let messages = periods.map { period in
      var receipt = message(period, .oldReceipt, after: 10)
      receipt.hidesEnvironment = true
      return receipt
    }
    deposit([], periods.map { ($0, nil) }, messages: messages)
  }

  // MARK: What payloads of later years tell

  /// The fourth instalment follows the second.
  private mutating func loseInstalment() throws(NoRoom) {
    let place = try takeMonthly()
    var (order, periods) = chainWithGap(at: place, source: .deposit)
    commit(&periods, numbers: [1, 2, 4])
    add([order], chain: periods, messages: periods.map { message($0, .history, after: 7200) })
    expect(.renewalGap, place, units: 1, transactions: [periods[1], periods[2]])
  }

  /// So many instalments, the last one charged in the period, or ended in it.
  private mutating func payInstalments(_ count: Int, isWhole: Bool) throws(NoRoom) {
    let place = try takeMonthly()
    var (order, period) = subscription(place, months: isWhole ? count - 1 : count)
    period.source = .deposit
    var periods = [period]
    while periods.count < count {
      period = store.renewal(of: period, price: period.price)
      periods.append(period)
    }
    commit(&periods, numbers: Array(1...UInt8(count)))
    add([order], chain: periods, messages: periods.map { message($0, .history, after: 7200) })
    if !isWhole { expect(.renewalGap, place, units: 1, transactions: [period]) }
  }

  private func commit(_ periods: inout [TransactionRecord], numbers: [UInt8]) {
    let end = adding(months: 12, to: periods[0].purchased)
    for (index, number) in numbers.enumerated() {
      periods[index].instalment = number
      periods[index].committedUntil = end
    }
  }

  /// The tax inside of the prices of Britain, Germany and Australia, in June 2023, in per cent.
  private static let taxes = ["GB": 20, "DE": 19, "AU": 10]

  private mutating func tellTax(_ number: Int, isRight: Bool) throws(NoRoom) {
    let markets = store.markets.indices.filter {
      Self.taxes[store.markets[$0].storefront.code] != nil
    }
    let place = try places.take(markets: markets, margin: 0)
    var (order, transaction) = apartPair(place)
    let rate = Self.taxes[store.markets[place.market].storefront.code]!
    transaction.toldTax = isRight ? rate * 10 : rate * 5
    transaction.taxCode = "S\(isRight ? 1 : 0)-\(number)"
    deposit(
      [order], [(transaction, store.saleTerms())],
      messages: [message(transaction, .notificationV2, after: 6)])
    if !isRight { expect(.taxDiffers, place, units: 1, transactions: [transaction]) }
  }

  /// A message of its own, so many seconds after the purchase.
  private func message(
    _ transaction: TransactionRecord, _ form: AppleForm, after seconds: Int64,
    _ event: SimulatedMessage.Event = .purchase
  ) -> SimulatedMessage {
    var message = SimulatedMessage(
      form: form, at: transaction.purchased + seconds, subject: transaction, event: event)
    message.goesOn = true
    if form.isReceipt {
      message.order = transaction.order
      message.user = transaction.user
      message.needsWrapper = true
    }
    return message
  }
}
