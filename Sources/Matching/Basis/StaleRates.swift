import Billing
package import Conclusions

extension Reconciliation {
  /// One finding per currency of which money is converted at a rate that is older than a week on
  /// the day for which it is used: what Apple reports, at the end of the period, and in a calendar
  /// month each amount that is booked on a day of its own.
  package func staleRates(_ book: RateBook) -> [UnresolvedFinding] {
    var found: [Currency: StaleRate] = [:]
    /// Adds an amount that is converted on a day to those at stale rates, if its rate is stale.
    func addIfStale(_ amount: Money, on day: Day) {
      guard !amount.isZero,
        let rate = book.dated(from: amount.currency, to: baseCurrency, on: day),
        rate.isStale(on: day)
      else { return }
      let own = StaleRate(rate: rate, on: day, money: .zero(amount.currency))
      var stale = found[amount.currency] ?? own
      if own.age > stale.age { (stale.rate, stale.on) = (rate, day) }
      stale.money += amount.magnitude
      found[amount.currency] = stale
    }
    for line in proceeds { addIfStale(line.proceeds, on: period.last) }
    for settled in books?.settled ?? [] { addIfStale(settled.amount, on: settled.bookedOn) }
    for line in receivable where found[line.currency] == nil {
      addIfStale(line.own.closing, on: period.last)
    }
    return found.sorted { $0.key < $1.key }.map { currency, stale in
      UnresolvedFinding(
        .rateStale, currency: currency, day: stale.on,
        explanation: """
          @rate-stale.is-converted-into \(spoken(stale.money)) \(baseCurrency) \
          \(stale.rate.rate.text) \(stale.rate.day) \(stale.age) \(stale.on)
          """)
    }
  }
}

/// A currency's oldest rate that is too old for its day, and the money converted at such rates.
private struct StaleRate {
  var rate: DatedRate
  /// The day for which it is the oldest.
  var on: Day
  /// All that is converted at rates that are too old, without signs.
  var money: Money
  /// Days from the rate's day to that for which it is used.
  var age: Int { rate.day.distance(to: on) }
}
