package import Billing

/// How what Apple owes in one currency came about in a fiscal month.
package struct ReceivableLine: Hashable, Sendable {
  package var currency: Currency
  /// In `currency`; its exchange is zero.
  package var own: ReceivableMovement
  /// In base currency; nil where a rate is missing.
  package var base: ReceivableMovement?
  /// Base currency for one of `currency` on the month's last day, micro-units; nil where none is
  /// loaded.
  package var rate: Int64?
}

/// From one month's end to the next; micro-units.
package struct ReceivableMovement: Hashable, Sendable {
  package var opening: Int64 = 0
  /// What Apple reported as sold.
  package var proceeds: Int64 = 0
  package var settlementDifference: Int64 = 0
  package var paymentDifference: Int64 = 0
  package var adjustment: Int64 = 0
  package var inputTax: Int64 = 0
  /// Negative where tax is withheld.
  package var withholding: Int64 = 0
  /// What payments that reached the bank in the month were owed for; in base currency what the
  /// bank got. Positive.
  package var paid: Int64 = 0
  /// Gain, or loss where negative: what the amounts above came to at other rates.
  package var exchange: Int64 = 0

  package init() {}

  package var closing: Int64 {
    opening + proceeds + settlementDifference + paymentDifference + adjustment + inputTax
      + withholding - paid + exchange
  }

  package var isZero: Bool { self == ReceivableMovement() }
}

/// What Apple owes in one currency at some moment.
package struct ReceivableBalance: Hashable, Sendable {
  package var currency: Currency
  /// Micro-units.
  package var amount: Int64
  /// In base currency, as it stands in the books; nil where the rate of the day before is to be
  /// taken.
  package var base: Int64?

  package init(currency: Currency, amount: Int64, base: Int64?) {
    self.currency = currency
    self.amount = amount
    self.base = base
  }
}
