import Billing
import Conclusions

extension Reconciliation {
  /// One finding per currency in which Apple would owe less than nothing at the period's end, by
  /// more than refunds, adjustments, taxes and carried balances come to.
  package func negativeReceivables() -> [UnresolvedFinding] {
    if openingBasis == .monthOnly { return [] }
    return receivable.compactMap { line in
      let (closing, explained) = (line.own.closing, loweredReceivable(line.own))
      guard closing.micros < 0, closing.magnitude.micros > explained.micros else { return nil }
      return UnresolvedFinding(
        .receivableNegative, currency: closing.currency, day: period.last, amount: closing.micros,
        explanation:
          "@receivable-negative.owed-by-apple \(spoken(closing)) \(period) \(spoken(explained))")
    }
  }

  /// How much may rightly bring a receivable below zero: refunds, adjustments, taxes, carried
  /// balances, and what was below zero before.
  ///
  /// - Parameter own: how the receivable moved in the period, in its own currency.
  private func loweredReceivable(_ own: ReceivableMovement) -> Money {
    let currency = own.opening.currency
    var sum = products.filter { $0.proceedsCurrency == currency }
      .sum(in: currency, \.refunded.proceeds.magnitude)
    for part in [own.adjustment, own.inputTax, own.withholding] { sum += part.magnitude }
    // What was below zero before has a finding, or a reason, of its own.
    if own.opening.micros < 0 { sum += own.opening.magnitude }
    for payment in settlement?.paidInMonth ?? [] where payment.currency == currency {
      sum += payment.carriedBalance.magnitude
    }
    return sum
  }
}
