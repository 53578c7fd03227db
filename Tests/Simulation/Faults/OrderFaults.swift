import Billing

/// Faults between an order and its transaction. Apple reports the transactions as they are, so
/// nothing differs at level 2.
extension FaultPlanner {
  /// Apple charged, and the company has no order.
  mutating func loseOrder() {
    let place = places.take(margin: 0)
    var transaction = pair(place).transaction
    transaction.order = 0
    add([], [transaction])
    expect(
      .transactionWithoutOrder, place, on: businessDay(place.instant), units: 1,
      amount: transaction.price, transactions: [transaction])
  }

  /// Apple charged, and the order stays created, or is cancelled.
  mutating func leaveUnfulfilled(_ number: Int) {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    order.status = number % 2 == 0 ? .created : .cancelled
    (order.paid, order.fulfilled, order.coins) = (0, 0, nil)
    if number % 3 == 0 { order.transaction = 0 } else { transaction.order = 0 }
    add([order], [transaction])
    expect(
      .chargedNotFulfilled, place, on: businessDay(place.instant), units: 1,
      amount: transaction.price, orders: [order], transactions: [transaction])
  }

  /// Fulfilled for nothing: no transaction id, or one that Apple never gave.
  mutating func forgeOrder(_ number: Int) {
    let place = places.take(margin: 0)
    var order = pair(place).order
    if number % 2 == 0 { order.transaction = 0 }
    add([order], [])
    expect(
      .orderWithoutTransaction, place, on: businessDay(order.placed), units: 1,
      amount: -(order.price ?? 0), orders: [order])
  }

  /// One receipt replayed for a second order.
  mutating func reuseTransaction() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    transaction.order = 0
    var replay = order
    replay.number = store.nextOrder()
    replay.user = store.newUser()
    replay.placed += 1500
    replay.paid += 1500
    replay.fulfilled = replay.paid + 30
    add([order, replay], [transaction])
    expect(
      .transactionReused, place, on: businessDay(place.instant), orders: [order, replay],
      transactions: [transaction])
  }

  mutating func fulfilFromSandbox() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    transaction.number = store.nextSandboxTransaction()
    transaction.original = transaction.number
    transaction.isSandbox = true
    order.transaction = transaction.number
    add([order], [transaction], sold: false)
    expect(
      .sandboxFulfilled, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  mutating func fulfilFromForeignBundle() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    transaction.isForeign = true
    transaction.order = 0
    add([order], [transaction], sold: false)
    expect(
      .bundleMismatch, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  /// The order is for another product of the same price; the finding names Apple's.
  mutating func fulfilOtherProduct() {
    let place = places.take([Shelf.chest], margin: 0)
    var (order, transaction) = pair(place)
    order.item = Shelf.gems.lowerBound + PriceTier.five.rawValue
    transaction.order = 0
    add([order], [transaction])
    expect(
      .productMismatch, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  mutating func fulfilOtherQuantity() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    transaction.quantity = 2
    order.coins = nil
    add([order], [transaction])
    expect(
      .quantityMismatch, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  /// Apple took the money back two days later, and the order stands.
  mutating func keepRefundedOrder() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    let earlier: Int64 = 2 * 86_400
    move(&order, &transaction, by: -earlier)
    transaction.revoked = place.instant
    add([order], [transaction])
    expect(
      .refundNotReversed, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  mutating func orderAtOtherPrice() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    order.price = store.markets[place.market].prices[(place.item + 1) % PriceTier.allCases.count]
    add([order], [transaction])
    expect(
      .priceMismatch, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  mutating func grantOtherCoins() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    order.coins = (order.coins ?? 0) * 10
    add([order], [transaction])
    expect(
      .coinsMismatch, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  mutating func placeAfterPurchase() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    order.placed = place.instant + 1200
    order.paid = order.placed + 5
    order.fulfilled = order.placed + 60
    add([order], [transaction])
    expect(
      .purchaseBeforeOrder, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  mutating func refundWithoutApple() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    order.status = .refunded
    add([order], [transaction])
    expect(
      .refundedNotByApple, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  /// Family members pay nothing, and Apple reports nothing.
  mutating func fulfilFromFamily() {
    let place = places.take([Shelf.removeAds], margin: 0)
    var (order, transaction) = pair(place)
    transaction.isFamilyShared = true
    transaction.tellsPrice = false
    transaction.order = 0
    add([order], [transaction], sold: false)
    expect(
      .familySharedFulfilled, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  mutating func fulfilLate() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    order.fulfilled = place.instant + 3 * 3600
    add([order], [transaction])
    expect(
      .lateFulfilment, place, on: businessDay(place.instant), orders: [order],
      transactions: [transaction])
  }

  /// A second export tells another purchase time of one transaction, and the same of another.
  mutating func contradictSources() {
    let place = places.take(margin: 0)
    var (order, transaction) = pair(place)
    transaction.teller = .company
    let other = places.take(margin: 0)
    var (agreed, agreedTransaction) = pair(other)
    agreedTransaction.teller = .company
    add([order, agreed], [transaction, agreedTransaction])
    var moved = transaction
    moved.purchased += 420
    plan.deposits[plan.deposits.count - 1].again = [moved, agreedTransaction]
    expect(
      .sourcesContradict, place, on: businessDay(place.instant), transactions: [transaction])
  }

  func move(
    _ order: inout OrderRecord, _ transaction: inout TransactionRecord, by seconds: Int64
  ) {
    order.placed += seconds
    order.paid += seconds
    order.fulfilled += seconds
    transaction.purchased += seconds
    transaction.began += seconds
    if transaction.expires != 0 { transaction.expires += seconds }
  }
}
