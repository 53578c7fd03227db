import Billing

extension FaultPlanner {
  /// A user who replays receipts that others paid for, and has orders without any receipt, on many
  /// days; some of his purchases are honest.
  mutating func forge() throws(NoRoom) {
    guard store.parameters.period.dayCount >= Places.shortestPeriod else { throw NoRoom() }
    let user = store.newUser()
    let replays = store.random.within(9...16)
    for _ in 0..<replays { replay(at: anyPlace(), by: user) }
    let forged = store.random.within(9...14)
    for number in 0..<forged {
      // Beside a unit that Apple counts on another day, nobody can tell an unpaid order from one
      // whose receipt was lost.
      var place = anyPlace()
      for _ in 0..<100 where !places.share(place) { place = anyPlace() }
      forgeOrder(number, at: place, by: user)
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
          code: code, dimension: .user, value: Names.user(user).string, findings: findings))
    }
  }

  /// Anywhere on the period's inner days.
  private func anyPlace() -> FaultPlace {
    let period = store.parameters.period
    let market = store.random.index(cumulative: store.marketWeights)
    let day = period.first.advanced(by: store.random.within(2...period.dayCount - 4))
    let instant = day.startUTC.seconds + Int64(store.random.within(600...78_000))
    return FaultPlace(
      market: market, item: store.random.pick(Array(Stock.gems)),
      day: store.calendars[market].day(of: instant), instant: instant)
  }
}
