package import Billing

/// How what Apple owes in one currency came about: in a fiscal month as Apple sees it, in a
/// calendar month as its account has it.
package struct ReceivableLine: Hashable, Sendable {
  /// In the currency itself; its exchange is zero.
  package var own: ReceivableMovement
  /// In base currency; nil where a rate is missing.
  package var base: ReceivableMovement?
  /// Base currency for one of `currency` on the month's last day; nil where none is loaded.
  package var rate: CurrencyRate?
  package var currency: Currency { own.opening.currency }

  package init(own: ReceivableMovement, base: ReceivableMovement?, rate: CurrencyRate?) {
    self.own = own
    self.base = base
    self.rate = rate
  }
}

/// From one month's end to the next, all in one currency.
package struct ReceivableMovement: Hashable, Sendable {
  package var opening: Money
  /// What Apple reported as sold.
  package var proceeds: Money
  package var settlementDifference: Money
  package var paymentDifference: Money
  package var adjustment: Money
  package var inputTax: Money
  /// Negative where tax is withheld.
  package var withholding: Money
  /// What payments that reached the bank in the month were owed for; in base currency what the
  /// bank got. Positive.
  package var paid: Money
  /// Gain, or loss where negative: what the amounts above came to at other rates.
  package var exchange: Money

  /// Nothing owed and nothing moved.
  package init(_ currency: Currency) {
    let none = Money.zero(currency)
    (opening, proceeds, settlementDifference) = (none, none, none)
    (paymentDifference, adjustment, inputTax) = (none, none, none)
    (withholding, paid, exchange) = (none, none, none)
  }

  /// What is owed when the month ends.
  package var closing: Money {
    opening + proceeds + settlementDifference + paymentDifference + adjustment + inputTax
      + withholding - paid + exchange
  }

  /// Whether nothing was owed and nothing moved.
  package var isZero: Bool { self == ReceivableMovement(opening.currency) }
}

/// What Apple owes in one currency at some moment.
package struct ReceivableBalance: Hashable, Sendable {
  package var amount: Money
  /// In base currency, as it stands in the books; nil where the rate of the day before is to be
  /// taken.
  package var base: Money?
  package var currency: Currency { amount.currency }

  package init(amount: Money, base: Money?) {
    self.amount = amount
    self.base = base
  }
}
