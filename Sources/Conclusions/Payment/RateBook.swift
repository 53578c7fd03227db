package import Billing

/// Exchange rates by day; the last one on or before a day counts.
package struct RateBook: Sendable {
  private struct CurrencyPair: Hashable {
    var base: Currency
    var quote: Currency
  }

  private let rates: [CurrencyPair: [ExchangeRate]]

  /// Rates by currencies, ascending by day.
  package init(_ all: [ExchangeRate]) {
    rates = Dictionary(grouping: all) { CurrencyPair(base: $0.base, quote: $0.quote) }
      .mapValues { $0.sorted { $0.date < $1.date } }
  }

  /// The last rate loaded for a day or before it, which says how much of `quote` one of `base` is;
  /// nil where none is loaded.
  private func last(_ base: Currency, _ quote: Currency, on day: Day) -> ExchangeRate? {
    rates[CurrencyPair(base: base, quote: quote)]?.last { $0.date <= day }
  }

  /// How much of `to` one of `from` is on a day; nil where no rate is loaded.
  package func rate(from: Currency, to: Currency, on day: Day) -> CurrencyRate? {
    dated(from: from, to: to, on: day)?.rate
  }

  /// How much of `to` one of `from` is on a day, and whose day's rate that is: quoted, else the
  /// inverse, else crossed over a currency that both are quoted in; nil where nothing is loaded.
  package func dated(from: Currency, to: Currency, on day: Day) -> DatedRate? {
    if from == to { return DatedRate(rate: .one, day: day) }
    if let direct = last(from, to, on: day) {
      return DatedRate(rate: CurrencyRate(direct.rate), day: direct.date)
    }
    if let inverse = last(to, from, on: day), inverse.rate.digits > 0 {
      return DatedRate(rate: CurrencyRate(nil, over: inverse.rate), day: inverse.date)
    }
    let bases = Set(rates.keys.filter { $0.quote == from }.map(\.base))
    for base in bases.sorted() {
      guard let source = last(base, from, on: day), source.rate.digits > 0,
        let target = last(base, to, on: day)
      else { continue }
      return DatedRate(
        rate: CurrencyRate(target.rate, over: source.rate), day: min(source.date, target.date))
    }
    return nil
  }
}

/// An exchange rate, and whose day's it is.
package struct DatedRate: Hashable, Sendable {
  package var rate: CurrencyRate
  /// Of two that it is made from, the older one's.
  package var day: Day

  package init(rate: CurrencyRate, day: Day) {
    self.rate = rate
    self.day = day
  }

  /// Days after which an exchange rate is too old to be used.
  package static let mostDays = 7

  /// Whether it is too old to be used on a day.
  package func isStale(on day: Day) -> Bool { self.day.distance(to: day) > Self.mostDays }
}
