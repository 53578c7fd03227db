import Billing

extension FaultPlanner {
  /// A user who replays receipts that others paid for, and has orders without any receipt, on many
  /// days; some of his purchases are honest.
  mutating func forge() {
    let user = store.newUser()
    let replays = store.random.within(9...16)
    for _ in 0..<replays { replay(for: user) }
    let forged = store.random.within(9...14)
    for number in 0..<forged {
      let place = anyPlace()
      var order = pair(place).order
      order.user = user
      if number % 2 == 0 { order.transaction = 0 }
      add([order], [])
      expect(
        .orderWithoutTransaction, place, on: businessDay(order.placed), units: 1,
        amount: -(order.price ?? 0), orders: [order])
    }
    for _ in 0..<store.random.within(2...6) {
      let place = anyPlace()
      let (order, transaction) = store.purchase(
        at: place.instant, market: place.market, item: place.item, user: user)
      add([order], [transaction])
    }
    for (code, findings) in [
      (FindingCode.transactionReused, replays), (.orderWithoutTransaction, forged),
    ] {
      plan.patterns.append(
        ExpectedPattern(
          code: code, dimension: .user, value: Names.user(user), findings: findings))
    }
  }

  private mutating func replay(for user: UInt32) {
    let place = anyPlace()
    var (order, transaction) = pair(place)
    transaction.order = 0
    var replay = order
    replay.number = store.nextOrder()
    replay.user = user
    let later = Int64(store.random.within(900...7200))
    replay.placed += later
    replay.paid += later
    replay.fulfilled = replay.paid + 30
    add([order, replay], [transaction])
    expect(
      .transactionReused, place, on: businessDay(place.instant), orders: [order, replay],
      transactions: [transaction])
  }

  /// Anywhere on the period's inner days.
  private func anyPlace() -> Place {
    let period = store.parameters.period
    let market = store.random.index(cumulative: store.marketWeights)
    let day = period.first.advanced(by: store.random.within(2...period.dayCount - 4))
    let instant = day.startUTC.seconds + Int64(store.random.within(600...78_000))
    return Place(
      market: market, item: store.random.pick(Array(Shelf.gems)),
      day: store.calendars[market].day(of: instant), instant: instant)
  }
}
