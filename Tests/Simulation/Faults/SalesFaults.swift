import Billing

/// Faults between the ledger and Apple's sales reports. Orders and transactions agree, so nothing
/// differs at level 1.
extension FaultPlanner {
  /// Apple's row of a sale at `place`.
  private func key(_ place: FaultPlace, price: Int64? = nil) -> SaleKey {
    let market = store.markets[place.market]
    let price = price ?? store.price(of: place.item, in: place.market, at: place.instant)
    return SaleKey(
      market: place.market, item: place.item, price: price,
      proceeds: plan.proceeds(
        price, market, on: place.day, sku: store.stock.items[place.item].sku))
  }

  /// A purchase of two days ago, of which Apple's day at `place` has to have a refund.
  private func earlierPair(_ place: FaultPlace) -> Purchase {
    var purchase = pair(place)
    purchase.order.move(by: -2 * 86_400)
    purchase.transaction.move(by: -2 * 86_400)
    return purchase
  }

  /// Apple reports a sale that neither table knows.
  mutating func loseFromLedger() throws(NoRoom) {
    let place = try places.take()
    let key = key(place)
    deposit(bookings: [(1, key, place.day)])
    surplus(-1, place, on: place.day)
    expect(.notInLedger, place, on: place.day, units: 1, amount: key.price)
  }

  mutating func loseFromReport() throws(NoRoom) {
    let place = try places.take()
    let (order, transaction) = pair(place)
    add([order], [transaction], sold: false)
    surplus(1, place, on: place.day)
    expect(
      .notInReport, place, on: place.day, units: 1, amount: -transaction.price,
      transactions: [transaction])
  }

  /// Apple reports a refund of a sale of two days ago, and the transaction does not have it.
  mutating func loseRefundFromLedger() throws(NoRoom) {
    let place = try places.take()
    let (order, transaction) = earlierPair(place)
    add([order], [transaction])
    var refund = key(place)
    refund.isRefund = true
    deposit(bookings: [(-1, refund, place.day)])
    surplus(-1, place, on: place.day, isRefund: true)
    expect(.refundNotInLedger, place, on: place.day, units: 1, amount: -refund.price)
  }

  /// The transaction was revoked, and Apple's report has no refund.
  mutating func loseRefundFromReport() throws(NoRoom) {
    let place = try places.take()
    var (order, transaction) = earlierPair(place)
    order.status = .refunded
    transaction.revoked = place.instant
    let day = store.calendars[place.market].day(of: transaction.purchased)
    deposit([order], [(transaction, nil)], bookings: [(1, key(place), day)])
    surplus(1, place, on: place.day, isRefund: true)
    expect(
      .refundNotInReport, place, on: place.day, units: 1, amount: transaction.price,
      transactions: [transaction])
  }

  /// Two sales in the last minutes of a day that Apple booked on the next one; every second time
  /// from the day before the period into its first.
  mutating func bookOnNextDay(_ number: Int) throws(NoRoom) {
    let first = store.parameters.period.first
    let atEdge = number % 2 == 1
    var place = try places.take(days: 2) { !atEdge || $0.day == first.advanced(by: 2) }
    if atEdge { place.day = first.advanced(by: -1) }
    let next = place.day.advanced(by: 1)
    let boundary = store.calendars[place.market].start(of: next)
    let sales = [60...200, 201...400].map {
      pair(place, at: boundary - Int64(store.random.within($0)))
    }
    let transactions = sales.map(\.transaction)
    deposit(
      sales.map(\.order), transactions.map { ($0, nil) }, bookings: [(2, key(place), next)])
    surplus(2, place, on: place.day)
    surplus(-2, place, on: next)
    expect(.timing, place, on: next, units: 2, transactions: transactions)
    showBoundary(place.market)
  }

  /// Ordinary sales close to the boundary on other days: they show where it lies, whatever the
  /// moved ones suggest.
  private mutating func showBoundary(_ market: Int) {
    let days = store.parameters.period.dayCount
    for number in 0..<16 {
      let day = store.parameters.period.first.advanced(by: store.random.below(days))
      let boundary = store.calendars[market].start(of: day)
      let distance = Int64(store.random.within(30...850))
      let place = FaultPlace(
        market: market, item: store.random.pick(Array(Stock.gems)), day: day,
        instant: number % 2 == 0 ? boundary - distance : boundary + distance)
      let (order, transaction) = pair(place)
      add([order], [transaction])
    }
  }

  /// Apple sold something that the catalogue does not have.
  mutating func sellUnknownProduct(_ number: Int) throws(NoRoom) {
    let place = try places.take([Stock.relics + number % Stock.relicCount])
    let key = key(place)
    deposit(bookings: [(2, key, place.day)])
    surplus(-2, place, on: place.day)
    expect(.unknownSKU, place, on: place.day, units: 2, amount: key.price * 2)
  }

  /// Apple's row has a price that the tier does not know; the proceeds fit that price.
  mutating func chargeOtherPrice() throws(NoRoom) {
    let place = try places.take()
    let purchase = pair(place)
    let digits = store.markets[place.market].currency.minorDigits
    let step: Int64 = digits == 0 ? 10_000_000 : 110_000
    let key = key(place, price: purchase.transaction.price + step)
    report(purchase, as: key, at: place, .priceNotInTier)
    expect(.priceDiffers, place, on: place.day, units: 1, amount: step)
  }

  /// Apple's row pays this share of the price, in millionths, or takes that much more than the
  /// rule.
  mutating func payOtherProceeds(
    keeping share: Int128? = nil, taking more: Int128 = 0, code: FindingCode
  ) throws(NoRoom) {
    // Of small prices in currencies without cents no proceeds lie inside the band.
    let (plan, store) = (plan, store)
    let place = try places.take(Array(Stock.gems.dropFirst(PriceTier.five.rawValue))) {
      !plan.isOff(store.markets[$0.market].storefront, on: $0.day)
    }
    let purchase = pair(place)
    var key = key(place)
    let paid = share.map { Int128(key.price) * $0 }
    key.proceeds = roundedHalfUp(
      paid ?? Int128(key.proceeds) * 1_000_000 - Int128(key.price) * more, dividedBy: 1_000_000,
      toMultipleOf: store.markets[place.market].currency.minorUnit)
    report(purchase, as: key, at: place, code)
  }

  /// Apple's report has the purchase as `key`, which is to be found.
  private mutating func report(
    _ purchase: Purchase, as key: SaleKey, at place: FaultPlace, _ code: FindingCode
  ) {
    deposit([purchase.order], [(purchase.transaction, nil)], bookings: [(1, key, place.day)])
    expect(code, place, on: place.day, units: 1)
  }

  /// The customer paid in dollars where the store has another currency. The product has no tier,
  /// so that its price is no fault of its own.
  mutating func chargeOtherCurrency() throws(NoRoom) {
    let suited = ["HK", "JP", "CN", "TW", "AU", "DE", "GB", "US"]
    let codes = store.markets.map(\.storefront.code)
    guard let market = suited.lazy.compactMap({ codes.firstIndex(of: $0) }).first else {
      throw NoRoom()
    }
    let currency = Currency(codes[market] == "US" ? "CAD" : "USD")!
    let place = try places.take([Stock.giftbox], markets: [market])
    var (order, transaction) = pair(place)
    let five: Int64 = 5_000_000
    (order.price, order.currency) = (five, currency)
    (transaction.price, transaction.currency) = (five, currency)
    add([order], [transaction])
    expect(.currencyUnexpected, place, on: place.day, currency: currency)
  }

  /// Apple gave back half of a subscription's price: a row of zero units.
  mutating func refundInPart() throws(NoRoom) {
    let place = try places.take([Stock.monthly])
    let market = store.markets[place.market]
    let price = roundedHalfUp(
      Int128(market.price(.three)), dividedBy: 2, toMultipleOf: market.currency.minorUnit)
    var key = key(place, price: price)
    key.terms.standing = .new
    key.isPartialRefund = true
    deposit(bookings: [(0, key, place.day)])
    expect(.partialRefund, place, on: place.day, units: 0)
  }

  /// With so many a day on average, each day's report has rows that can be wrong.
  private static let ordersADay = 5

  /// A day whose whole report is wrong.
  mutating func takeReport(around days: Int, _ code: FindingCode) throws(NoRoom) -> Day {
    let parameters = store.parameters
    guard parameters.orders >= Self.ordersADay * parameters.period.dayCount else { throw NoRoom() }
    let day = try places.takeDay(around: days)
    plan.expected.append(ExpectedFinding(code: code, date: day))
    return day
  }
}
