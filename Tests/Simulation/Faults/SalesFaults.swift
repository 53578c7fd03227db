import Billing

/// Faults between the ledger and Apple's sales reports. Orders and transactions agree, so nothing
/// differs at level 1.
extension FaultPlanner {
  /// Apple's row of a sale at `place`.
  private func key(_ place: Place, price: Int64? = nil, currency: Currency? = nil) -> SaleKey {
    let market = store.markets[place.market]
    let item = store.shelf.items[place.item]
    let price = price ?? market.price(item.tier)
    return SaleKey(
      market: place.market, item: place.item, price: price,
      proceeds: ProceedsRule.proceeds(
        price, in: market, on: place.day, afterOneYear: false, currency: currency,
        changedTax: plan.tax(in: market.storefront, on: place.day)),
      currency: currency)
  }

  private mutating func book(_ units: Int, _ key: SaleKey, on day: Day) {
    plan.deposits.append(Deposit(bookings: [(units: units, key: key, day: day)]))
  }

  /// Apple reports a sale that neither table knows.
  mutating func loseFromLedger() {
    let place = places.take()
    let key = key(place)
    book(1, key, on: place.day)
    surplus(-1, place, on: place.day)
    expect(.notInLedger, place, on: place.day, units: 1, amount: key.price)
  }

  mutating func loseFromReport() {
    let place = places.take()
    let (order, transaction) = pair(place)
    add([order], [transaction], sold: false)
    surplus(1, place, on: place.day)
    expect(
      .notInReport, place, on: place.day, units: 1, amount: -transaction.price,
      transactions: [transaction])
  }

  /// Apple reports a refund of a sale of two days ago, and the transaction does not tell it.
  mutating func loseRefundFromLedger() {
    let place = places.take()
    var (order, transaction) = pair(place)
    move(&order, &transaction, by: -2 * 86_400)
    add([order], [transaction])
    var refund = key(place)
    refund.isRefund = true
    book(-1, refund, on: place.day)
    surplus(-1, place, on: place.day, isRefund: true)
    expect(.refundNotInLedger, place, on: place.day, units: 1, amount: -refund.price)
  }

  /// The transaction was revoked, and Apple's report has no refund.
  mutating func loseRefundFromReport() {
    let place = places.take()
    var (order, transaction) = pair(place)
    move(&order, &transaction, by: -2 * 86_400)
    order.status = .refunded
    transaction.revoked = place.instant
    let day = store.calendars[place.market].day(of: transaction.purchased)
    plan.deposits.append(
      Deposit(
        orders: [order], transactions: [(transaction, nil)],
        bookings: [(units: 1, key: key(place), day: day)]))
    surplus(1, place, on: place.day, isRefund: true)
    expect(
      .refundNotInReport, place, on: place.day, units: 1, amount: transaction.price,
      transactions: [transaction])
  }

  /// Two sales in the last minutes of a day that Apple booked on the next one; every second time
  /// from the day before the period into its first.
  mutating func bookOnNextDay(_ number: Int) {
    let first = store.parameters.period.first
    let atEdge = number % 2 == 1
    var place = places.take(days: 2) { !atEdge || $0.day == first.advanced(by: 2) }
    if atEdge { place.day = first.advanced(by: -1) }
    let next = place.day.advanced(by: 1)
    let boundary = store.calendars[place.market].start(of: next)
    let (order, transaction) = purchase(place, at: boundary - Int64(store.random.within(60...200)))
    let (second, another) = purchase(place, at: boundary - Int64(store.random.within(201...400)))
    plan.deposits.append(
      Deposit(
        orders: [order, second], transactions: [(transaction, nil), (another, nil)],
        bookings: [(units: 2, key: key(place), day: next)]))
    surplus(2, place, on: place.day)
    surplus(-2, place, on: next)
    expect(.timing, place, on: next, units: 2, transactions: [transaction, another])
    showBoundary(place.market)
  }

  /// Ordinary sales close to the boundary on other days: they tell where it lies, whatever the
  /// moved ones suggest.
  private mutating func showBoundary(_ market: Int) {
    let days = store.parameters.period.dayCount
    for number in 0..<16 {
      let day = store.parameters.period.first.advanced(by: store.random.below(days))
      let boundary = store.calendars[market].start(of: day)
      let distance = Int64(store.random.within(30...850))
      let place = Place(
        market: market, item: store.random.pick(Array(Shelf.gems)), day: day, instant: boundary)
      let (order, transaction) = purchase(
        place, at: number % 2 == 0 ? boundary - distance : boundary + distance)
      add([order], [transaction])
    }
  }

  private func purchase(
    _ place: Place, at instant: Int64
  ) -> (order: OrderRecord, transaction: TransactionRecord) {
    store.purchase(at: instant, market: place.market, item: place.item, user: store.newUser())
  }

  /// Apple sold something that the catalogue does not have.
  mutating func sellUnknownProduct(_ number: Int) {
    let place = places.take([Shelf.relics + number % Shelf.relicCount])
    let key = key(place)
    book(2, key, on: place.day)
    surplus(-2, place, on: place.day)
    expect(.unknownSKU, place, on: place.day, units: 2, amount: key.price * 2)
  }

  /// Apple's row has a price that the tier does not know; the proceeds fit that price.
  mutating func chargeOtherPrice() {
    let place = places.take()
    let (order, transaction) = pair(place)
    let market = store.markets[place.market]
    let step: Int64 = market.currency.minorDigits == 0 ? 10_000_000 : 110_000
    let key = key(place, price: transaction.price + step)
    report(order, transaction, as: key, on: place.day)
    expect(.priceNotInTier, place, on: place.day, units: 1)
  }

  /// Apple's row pays this share of the price, in millionths.
  mutating func payOtherProceeds(keeping share: Int128, code: FindingCode) {
    // Of small prices in currencies without cents no proceeds lie inside the band.
    let (plan, store) = (plan, store)
    let place = places.take(Array(Shelf.gems.dropFirst(PriceTier.five.rawValue))) {
      plan.tax(in: store.markets[$0.market].storefront, on: $0.day) == nil
    }
    let (order, transaction) = pair(place)
    var key = key(place)
    let unit = store.markets[place.market].currency.minorUnit
    key.proceeds = roundedHalfUp(
      Int128(key.price) * share, dividedBy: 1_000_000, toMultipleOf: unit)
    report(order, transaction, as: key, on: place.day)
    expect(code, place, on: place.day, units: 1)
  }

  private mutating func report(
    _ order: OrderRecord, _ transaction: TransactionRecord, as key: SaleKey, on day: Day
  ) {
    plan.deposits.append(
      Deposit(
        orders: [order], transactions: [(transaction, nil)],
        bookings: [(units: transaction.quantity, key: key, day: day)]))
  }

  /// The customer paid in dollars where the store has another currency. The product has no tier,
  /// so that its price is no fault of its own.
  mutating func chargeOtherCurrency() {
    let suited = ["HK", "JP", "CN", "TW", "AU", "DE", "GB", "US"]
    let codes = store.markets.map(\.storefront.code)
    guard let market = suited.lazy.compactMap({ codes.firstIndex(of: $0) }).first else {
      preconditionFailure("no storefront for a foreign currency")
    }
    let currency = Currency(codes[market] == "US" ? "CAD" : "USD")!
    let place = places.take([Shelf.giftbox], markets: [market])
    var (order, transaction) = pair(place)
    let five: Int64 = 5_000_000
    (order.price, order.currency) = (five, currency)
    (transaction.price, transaction.currency) = (five, currency)
    add([order], [transaction])
    expect(.currencyUnexpected, place, on: place.day, currency: currency)
  }

  /// Apple gave back half of a subscription's price: a row of zero units.
  mutating func refundInPart() {
    let place = places.take([Shelf.monthly])
    let market = store.markets[place.market]
    let price = roundedHalfUp(
      Int128(market.price(.three)), dividedBy: 2, toMultipleOf: market.currency.minorUnit)
    var key = key(place, price: price)
    key.standing = .new
    key.isPartialRefund = true
    book(0, key, on: place.day)
    expect(.partialRefund, place, on: place.day, units: 0)
  }

  mutating func loseReport() {
    let day = places.takeDay(around: 1)
    plan.missingDays.insert(day)
    plan.expected.append(ExpectedFinding(code: .reportMissing, date: day))
  }

  mutating func restateReport() {
    let day = places.takeDay(around: 0)
    plan.restatedDays.insert(day)
    plan.expected.append(ExpectedFinding(code: .reportRestated, date: day))
  }
}
