import Billing

/// Faults between an order and its transaction. Apple reports the transactions as they are, so
/// nothing differs at level 2.
extension FaultPlanner {
  /// Faults that spoil one purchase, whose finding names both its rows.
  static let spoiling: Set<FindingCode> = [
    .chargedNotFulfilled, .sandboxFulfilled, .bundleMismatch, .productMismatch, .quantityMismatch,
    .refundNotReversed, .priceMismatch, .coinsMismatch, .purchaseBeforeOrder, .refundedNotByApple,
    .familySharedFulfilled, .lateFulfilment,
  ]

  /// Plants the `number`th fault of those in ``spoiling``.
  mutating func spoil(_ code: FindingCode, _ number: Int) throws(NoRoom) {
    let items: [FindingCode: Int] = [
      .productMismatch: Stock.chest, .familySharedFulfilled: Stock.removeAds,
    ]
    let place = try places.take(items[code].map { [$0] } ?? Array(Stock.gems), margin: 0)
    var (order, transaction) = pair(place)
    spoil(&order, &transaction, code, number, at: place)
    add([order], [transaction], sold: transaction.isBillable)
    let isCharge = code == .chargedNotFulfilled
    expect(
      code, place, units: isCharge ? 1 : nil, amount: isCharge ? transaction.price : nil,
      orders: [order], transactions: [transaction])
  }

  private func spoil(
    _ order: inout OrderRecord, _ transaction: inout TransactionRecord, _ code: FindingCode,
    _ number: Int, at place: FaultPlace
  ) {
    switch code {
    case .chargedNotFulfilled:
      order.leave(number % 2 == 0 ? .created : .cancelled)
      if number % 3 == 0 { order.transaction = 0 } else { transaction.order = 0 }
    case .sandboxFulfilled:
      transaction.moveToSandbox(store.nextSandboxTransaction())
      order.transaction = transaction.number
    case .bundleMismatch:
      transaction.isForeign = true
      transaction.order = 0
    case .productMismatch:
      // For another product of the same price; the finding names Apple's.
      order.item = Stock.gems.lowerBound + PriceTier.five.rawValue
      if order.coins != nil { order.coins = store.stock.items[order.item].coins }
      transaction.order = 0
    case .quantityMismatch:
      transaction.quantity = 2
      order.coins = nil
    case .refundNotReversed:
      // Apple took the money back two days later, and the order stands.
      order.move(by: -2 * 86_400)
      transaction.move(by: -2 * 86_400)
      transaction.revoked = place.instant
    case .priceMismatch:
      let prices = store.markets[place.market].prices
      order.price = prices[(place.item + 1) % prices.count]
    case .coinsMismatch: order.coins = (order.coins ?? 0) * 10
    case .purchaseBeforeOrder:
      order.placed = place.instant + 1200
      order.paid = order.placed + 5
      order.fulfilled = order.placed + 60
    case .refundedNotByApple: order.status = .refunded
    case .familySharedFulfilled:
      // Family members pay nothing, and Apple reports nothing.
      transaction.isFamilyShared = true
      transaction.statesPrice = false
      transaction.order = 0
    case .lateFulfilment: order.fulfilled = place.instant + 3 * 3600
    default: preconditionFailure("\(code.rawValue) spoils no purchase")
    }
  }

  /// Apple charged, and the company has no order.
  mutating func loseOrder() throws(NoRoom) {
    let place = try places.take(margin: 0)
    var transaction = pair(place).transaction
    transaction.order = 0
    add([], [transaction])
    expect(
      .transactionWithoutOrder, place, units: 1, amount: transaction.price,
      transactions: [transaction])
  }

  /// Fulfilled for nothing: no transaction id, or one that Apple never gave.
  mutating func forgeOrder(_ number: Int, at place: FaultPlace, by user: UInt32? = nil) {
    var order = pair(place).order
    order.user = user ?? order.user
    if number % 2 == 0 { order.transaction = 0 }
    add([order], [])
    expect(
      .orderWithoutTransaction, place, on: Instant(seconds: order.placed).day(), units: 1,
      amount: -(order.price ?? 0), orders: [order])
  }

  /// One receipt replayed for a second order: soon, by someone unknown, or some day by `user`.
  mutating func replay(at place: FaultPlace, by user: UInt32? = nil) {
    var (order, transaction) = pair(place)
    transaction.order = 0
    var replay = order
    replay.number = store.nextOrder()
    replay.user = user ?? store.newUser()
    let later = user == nil ? 1500 : Int64(store.random.within(900...7200))
    replay.placed += later
    replay.paid += later
    replay.fulfilled = replay.paid + 30
    add([order, replay], [transaction])
    expect(.transactionReused, place, orders: [order, replay], transactions: [transaction])
  }

  /// A second export has another purchase time of one transaction, and the same of another.
  mutating func contradictSources() throws(NoRoom) {
    let place = try places.take(margin: 0)
    var (order, transaction) = pair(place)
    transaction.source = .company
    let other = try places.take(margin: 0)
    var (agreed, agreedTransaction) = pair(other)
    agreedTransaction.source = .company
    add([order, agreed], [transaction, agreedTransaction])
    var moved = transaction
    moved.purchased += 420
    plan.deposits[plan.deposits.count - 1].again = [moved, agreedTransaction]
    expect(.sourcesContradict, place, transactions: [transaction])
  }
}
