package import Billing

/// What the journal of a calendar month rests on beside the month's own sales.
package struct MonthBooks: Sendable {
  /// What the accounts stood at when the month began.
  package var opening: [AccountBalance]
  /// Whether no close before carried balances on: what was deferred before is then booked as an
  /// opening.
  package var isFirst: Bool
  /// What of fiscal months is booked in this one, ascending by day.
  package var settled: [SettledAmount]
  package var rates: MonthRates
  /// How coins rolled in the close before; empty where it valued none.
  package var coins: [CoinRoll] = []

  package init(
    opening: [AccountBalance], isFirst: Bool, settled: [SettledAmount], rates: MonthRates
  ) {
    self.opening = opening
    self.isFirst = isFirst
    self.settled = settled
    self.rates = rates
  }
}

/// What one account stands at in one currency.
package struct AccountBalance: Hashable, Sendable {
  package var account: AccountRole
  package var amount: Money
  /// In base currency, as it was booked; nil where a rate was missing.
  package var cost: Int64?
  /// What revaluations added to the cost, in base currency.
  package var revaluation: Int64

  package init(account: AccountRole, amount: Money, cost: Int64?, revaluation: Int64 = 0) {
    self.account = account
    self.amount = amount
    self.cost = cost
    self.revaluation = revaluation
  }

  /// Adds an amount to the balance, and returns by how much the cost moves: what increases a
  /// balance counts at the rate, what reduces it takes a proportionate part of the cost with it,
  /// all of it with the last.
  ///
  /// - Parameters:
  ///   - micros: of the balance's currency.
  ///   - rate: base currency for one.
  /// - Returns: micro-units of base currency; nil where the cost is not known.
  package mutating func move(_ micros: Int64, rate: Fraction?, in base: Currency) -> Int64? {
    let before = amount.micros
    amount.micros += micros
    /// An amount in base currency at the rate; nil where there is no rate.
    func rated(_ micros: Int64) -> Int64? {
      if amount.currency == base { return micros }
      return rate.map { $0.micros(of: micros, toMultipleOf: base.minorUnit) }
    }
    guard let stood = cost else { return nil }
    let moved: Int64?
    if before == 0 || (before > 0) == (micros > 0) {
      moved = rated(micros)
    } else if micros.magnitude >= before.magnitude {
      let rest = micros + before
      moved = rest == 0 ? -stood : rated(rest).map { $0 - stood }
    } else {
      let unit = amount.currency == base ? 1 : base.minorUnit
      let sign: Int128 = before < 0 ? -1 : 1
      moved = roundedHalfUp(
        Int128(stood) * Int128(micros) * sign, dividedBy: Int128(before) * sign,
        toMultipleOf: unit)
    }
    cost = moved.map { stood + $0 }
    return moved
  }
}

/// Exchange rates into base currency as a month books them.
package struct MonthRates: Sendable {
  package let base: Currency
  private let period: Period
  private let book: RateBook

  package init(_ book: RateBook, base: Currency, period: Period) {
    self.base = base
    self.period = period
    self.book = book
  }

  /// How much base currency one unit of `currency` is worth on a day; nil where no rate is loaded.
  package func rate(_ currency: Currency, on day: Day) -> CurrencyRate? {
    book.rate(from: currency, to: base, on: day)
  }

  /// How much base currency one unit of `currency` is worth on a day, with the day that the rate is
  /// of; nil where no rate is loaded.
  package func dated(_ currency: Currency, on day: Day) -> DatedRate? {
    book.dated(from: currency, to: base, on: day)
  }

  /// The mean of how much base currency one unit of `currency` is worth on the month's days; nil
  /// where no day has a rate. Quotes are added exactly, inverse and crossed rates to as many places
  /// as a quote may have.
  package func average(_ currency: Currency) -> Fraction? {
    if currency == base { return .one }
    var (sum, count): (Int128, Int128) = (0, 0)
    var day = period.first
    while day <= period.last {
      if let rate = rate(currency, on: day) {
        (sum, count) = (sum + rate.value.amount(1, scale: Self.scale), count + 1)
      }
      day = day.advanced(by: 1)
    }
    return count == 0 ? nil : Fraction(sum, over: count * Self.scale)
  }

  private static let scale = powerOfTen(DecimalRate.mostPlaces)
}
