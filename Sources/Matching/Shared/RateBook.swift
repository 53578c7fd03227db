package import Billing

/// Exchange rates by day; the last one on or before a day counts.
package struct RateBook: Sendable {
  private struct Pair: Hashable {
    var base: Currency
    var quote: Currency
  }

  private let rates: [Pair: [ExchangeRate]]

  package init(_ all: [ExchangeRate]) {
    rates = Dictionary(grouping: all) { Pair(base: $0.base, quote: $0.quote) }
      .mapValues { $0.sorted { $0.date < $1.date } }
  }

  private func last(_ base: Currency, _ quote: Currency, on day: Day) -> ExchangeRate? {
    rates[Pair(base: base, quote: quote)]?.last { $0.date <= day }
  }

  /// `to` for one `from`, micro-units; nil where nothing is loaded.
  package func rate(from: Currency, to: Currency, on day: Day) -> Int64? {
    dated(from: from, to: to, on: day)?.rate
  }

  /// `to` for one `from`: quoted, else the inverse, else crossed over a currency that both are
  /// quoted in; nil where nothing is loaded.
  package func dated(from: Currency, to: Currency, on day: Day) -> DatedRate? {
    if from == to { return DatedRate(rate: 1_000_000, day: day) }
    if let direct = last(from, to, on: day) {
      return DatedRate(rate: direct.rate, day: direct.date)
    }
    if let inverse = last(to, from, on: day), inverse.rate > 0 {
      let rate = roundedHalfUp(
        1_000_000_000_000, dividedBy: Int128(inverse.rate), toMultipleOf: 1)
      return DatedRate(rate: rate, day: inverse.date)
    }
    let bases = Set(rates.keys.filter { $0.quote == from }.map(\.base))
    for base in bases.sorted() {
      guard let source = last(base, from, on: day), source.rate > 0,
        let target = last(base, to, on: day)
      else { continue }
      let rate = roundedHalfUp(
        Int128(target.rate) * 1_000_000, dividedBy: Int128(source.rate), toMultipleOf: 1)
      return DatedRate(rate: rate, day: min(source.date, target.date))
    }
    return nil
  }
}

/// An exchange rate, and whose day's it is.
package struct DatedRate: Hashable, Sendable {
  /// Micro-units.
  package var rate: Int64
  /// Of two that it is made from, the older one's.
  package var day: Day

  package init(rate: Int64, day: Day) {
    self.rate = rate
    self.day = day
  }

  /// Whether it is too old to be used on a day.
  package func isStale(on day: Day) -> Bool { self.day.distance(to: day) > Rules.rateAge }
}
