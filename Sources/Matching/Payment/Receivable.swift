package import Billing
package import Conclusions

/// Rolls what Apple owes from the beginning of a fiscal month to its end.
package struct Receivable: Sendable {
  private let month: FiscalMonth
  private let base: Currency
  private let rates: RateBook
  private var movements: [Currency: ReceivableMovement] = [:]
  /// In base currency, where it is not simply the amount at the month's last rate; nil where a rate
  /// is missing.
  private var openingInBase: [Currency: Money?] = [:]
  private var paidInBase: [Currency: Money?] = [:]

  /// Begins with what was owed before the month.
  ///
  /// - Parameters:
  ///   - opening: what was owed before the month's first day; a currency that is missing has none.
  ///   - rates: with those of the day before the month and of every payment's day.
  package init(
    _ month: FiscalMonth, base: Currency, opening: [ReceivableBalance], rates: RateBook
  ) {
    self.month = month
    self.base = base
    self.rates = rates
    for balance in opening {
      movements[balance.currency, default: ReceivableMovement(balance.currency)].opening +=
        balance.amount
      let converted =
        balance.base ?? convert(balance.amount, on: month.first.advanced(by: -1))
      openingInBase[balance.currency] = converted
    }
  }

  /// What Apple owes of each currency, ascending: what was sold and settled, with what of closed
  /// months is booked here, and what was paid.
  package func lines(
    proceeds: [ProceedsLine], settlement: Settlement?, booked: [BookedChange]
  ) -> [ReceivableLine] {
    var sums = self
    for line in proceeds {
      sums.add(line.proceeds, \.proceeds)
    }
    for line in settlement?.lines ?? [] {
      sums.add(line.difference, \.settlementDifference)
    }
    for change in booked where change.cause == .settlementDifference {
      sums.add(change.amount, \.settlementDifference)
    }
    for payment in settlement?.payments ?? [] where payment.paid == nil {
      sums.addChanges(of: payment)
    }
    for payment in settlement?.paidInMonth ?? [] { sums.add(payment) }
    return sums.movements.filter { !$0.value.isZero }.map { sums.line($0.key, $0.value) }
      .sorted { $0.currency < $1.currency }
  }

  /// Adds an amount to one part of its currency's movement.
  private mutating func add(_ amount: Money, _ part: WritableKeyPath<ReceivableMovement, Money>) {
    movements[amount.currency, default: ReceivableMovement(amount.currency)][keyPath: part] +=
      amount
  }

  /// Adds what a payment changes beside what was settled: its difference, correction, input tax and
  /// withheld tax.
  private mutating func addChanges(of payment: RegionPayment) {
    add(payment.difference, \.paymentDifference)
    add(payment.adjustment, \.adjustment)
    add(payment.inputTax, \.inputTax)
    add(payment.withholding, \.withholding)
  }

  /// Adds a payment that Apple made in the month, in base currency, too.
  private mutating func add(_ payment: RegionPayment) {
    addChanges(of: payment)
    add(payment.owed, \.paid)
    guard let paid = payment.paid else { return }
    let inBase = convert(paid, on: payment.paidOn ?? month.last)
    let before = paidInBase[payment.currency] ?? .zero(base)
    paidInBase[payment.currency] = .some(
      before.flatMap { before in inBase.map { before + $0 } })
  }

  /// An amount in base currency at the rate of a day; nil where no rate is loaded.
  private func convert(_ amount: Money, on day: Day) -> Money? {
    rates.rate(from: amount.currency, to: base, on: day)
      .map { amount.converted(at: $0, to: base) }
  }

  /// The line of a currency, in base currency, too, where all rates are loaded.
  private func line(_ currency: Currency, _ own: ReceivableMovement) -> ReceivableLine {
    let rate = rates.rate(from: currency, to: base, on: month.last)
    return ReceivableLine(
      own: own, base: rate.flatMap { inBase(own, currency, rate: $0) }, rate: rate)
  }

  /// A currency's movement in base currency; nil where a rate is missing. What was owed before and
  /// what was paid have rates of their own, and what is left over is the gain or loss of exchange.
  ///
  /// - Parameter rate: of the month's last day.
  private func inBase(
    _ own: ReceivableMovement, _ currency: Currency, rate: CurrencyRate
  ) -> ReceivableMovement? {
    if currency == base { return own }
    guard let opening = openingInBase[currency] ?? .zero(base),
      let paid = paidInBase[currency] ?? .zero(base)
    else { return nil }
    /// An amount at the rate of the month's last day.
    func converted(_ amount: Money) -> Money { amount.converted(at: rate, to: base) }
    var movement = ReceivableMovement(base)
    movement.opening = opening
    movement.proceeds = converted(own.proceeds)
    movement.settlementDifference = converted(own.settlementDifference)
    movement.paymentDifference = converted(own.paymentDifference)
    movement.adjustment = converted(own.adjustment)
    movement.inputTax = converted(own.inputTax)
    movement.withholding = converted(own.withholding)
    movement.paid = paid
    movement.exchange = converted(own.closing) - movement.closing
    return movement
  }
}
