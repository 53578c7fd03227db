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

  /// `to` for one `from`, micro-units: quoted, else the inverse, else crossed over a currency that
  /// both are quoted in on the same day; nil where nothing is loaded.
  package func rate(from: Currency, to: Currency, on day: Day) -> Int64? {
    if from == to { return 1_000_000 }
    if let direct = last(from, to, on: day) { return direct.rate }
    if let inverse = last(to, from, on: day), inverse.rate > 0 {
      return roundedHalfUp(
        1_000_000_000_000, dividedBy: Int128(inverse.rate), toMultipleOf: 1)
    }
    let bases = Set(rates.keys.filter { $0.quote == from }.map(\.base))
    for base in bases.sorted() {
      guard let source = last(base, from, on: day), source.rate > 0,
        let target = last(base, to, on: day)
      else { continue }
      return roundedHalfUp(
        Int128(target.rate) * 1_000_000, dividedBy: Int128(source.rate), toMultipleOf: 1)
    }
    return nil
  }
}
