package import Billing

/// From what Apple settled in a region to what it paid: `payment_bridge`.
package struct RegionPayment: Hashable, Sendable {
  /// Apple's code, else the label as printed.
  package var region: String
  /// Nil where the region's financial report is not loaded.
  package var settled: Money?
  package var earned: Money
  /// What the findings `payment-differs` of the region come to.
  package var difference: Money
  package var adjustment: Money
  package var withholding: Money
  package var inputTax: Money
  package var carriedBalance: Money
  package var owed: Money
  /// Of an earlier month: of a change, which is booked here after its close, or of a payment that
  /// reached the bank in this one; nil for the settled month itself.
  package var month: FiscalMonth?
  /// In the bank's currency; nil while it is not paid.
  package var paid: Money?
  /// What is to be paid, where the summary tells it and Apple has not paid yet.
  package var expected: Money?
  /// The day of the payout; nil while it is not paid.
  package var paidOn: Day?
  /// The currency of all amounts but what was paid.
  package var currency: Currency { owed.currency }
  package var bankCurrency: Currency? { paid?.currency }

  /// Nothing earned and nothing owed, yet.
  package init(region: String, currency: Currency, settled: Money?) {
    let zero = Money.zero(currency)
    self.region = region
    self.settled = settled
    earned = zero
    difference = zero
    adjustment = zero
    withholding = zero
    inputTax = zero
    carriedBalance = zero
    owed = zero
  }

  /// A step on the way from what was settled to what was paid.
  package struct Step: Hashable, Sendable {
    /// As scripts know it.
    package var cause: String
    /// Of `currency`; nil for the exchange, which is a rate.
    package var amount: Money?
    package var currency: Currency
    package var isTotal: Bool
    /// Of the exchange: bank currency for one of the region's.
    package var rate: Fraction?
  }

  /// The steps from `settled` (`earned` where no report is loaded that tells it) to `owed`, and on
  /// to `paid` where Apple paid.
  package var steps: [Step] {
    /// A step of an amount in its own currency.
    func step(_ cause: String, _ amount: Money, isTotal: Bool = false) -> Step {
      Step(cause: cause, amount: amount, currency: amount.currency, isTotal: isTotal)
    }
    var steps = [
      settled.map { step("settled", $0, isTotal: true) } ?? step(Self.earned, earned, isTotal: true)
    ]
    if !difference.isZero { steps.append(step("payment-difference", difference)) }
    steps += [
      step("adjustment", adjustment), step("withholding", withholding),
      step("input-tax", inputTax), step("carried-balance", carriedBalance),
      step("unexplained", unexplained), step("owed", owed, isTotal: true),
    ]
    guard let paid else {
      return steps + (expected.map { [step("expected", $0, isTotal: true)] } ?? [])
    }
    let exchange = Step(
      cause: "exchange", amount: nil, currency: paid.currency, isTotal: false, rate: effectiveRate)
    return steps + [exchange, step("paid", paid, isTotal: true)]
  }

  /// The first step where no financial report tells what was settled.
  package static let earned = "earned"

  /// Owed less all that is named; a remainder.
  package var unexplained: Money {
    owed - ((settled ?? earned) + difference + adjustment + withholding + inputTax + carriedBalance)
  }

  /// Bank currency for one of `currency`: what was paid by what was owed, never the printed rate;
  /// nil where either is missing.
  package var effectiveRate: Fraction? { paid.flatMap(rate(of:)) }

  /// Bank currency for one of `currency`, by a payment that is made or expected; nil where nothing
  /// is owed.
  package func rate(of paid: Money) -> Fraction? {
    owed.isZero ? nil : Fraction(Int128(paid.micros), over: Int128(owed.micros))
  }
}

/// Money that reached, or will reach, the bank for a fiscal month.
package struct BankPayout: Hashable, Sendable {
  package var account: String
  /// As the payout line says.
  package var amount: Money
  /// The sum of the regions' proceeds.
  package var regions: Money
  package var day: Day
  /// Whether the day is the usual one, 33 days after the month, because the file does not tell.
  package var isDayEstimated: Bool
  /// What the bank has of it; nil where no statement has it. Then the day is the bank's.
  package var received: Money?
  /// In how many credits.
  package var creditCount = 1
  /// Who paid by the bank's statement, and from when it bears interest; empty and nil where it does
  /// not say.
  package var payer = ""
  package var valueDay: Day?
  /// Whether a statement that should have it has not.
  package var isLate = false
  /// The days on which the bank credited it and took it back; nil where it did not. Then nothing
  /// was received.
  package var returned: ClosedRange<Day>?
  /// Whether it was paid by the day that the reconciliation counts to; else it is expected.
  package var isPaid = true

  package init(
    account: String, amount: Money, regions: Money, day: Day, isDayEstimated: Bool,
    received: Money? = nil, payer: String = "", valueDay: Day? = nil, isLate: Bool = false,
    isPaid: Bool = true
  ) {
    self.account = account
    self.amount = amount
    self.regions = regions
    self.day = day
    self.isDayEstimated = isDayEstimated
    self.received = received
    self.payer = payer
    self.valueDay = valueDay
    self.isLate = isLate
    self.isPaid = isPaid
  }
}

/// Invoices that a payment was likely lowered by.
package struct InvoiceOffset: Hashable, Sendable {
  /// The region whose line is short, else the account of the payout that is.
  package var place: String
  /// By how much it is short; positive.
  package var amount: Money
  /// On which the payment's difference is booked.
  package var day: Day
  /// Those due first before others.
  package var invoices: [CommissionInvoice.Key]
  /// As its finding has them.
  package var documents: [String]

  package init(
    place: String, amount: Money, day: Day, invoices: [CommissionInvoice.Key], documents: [String]
  ) {
    self.place = place
    self.amount = amount
    self.day = day
    self.invoices = invoices
    self.documents = documents
  }
}
