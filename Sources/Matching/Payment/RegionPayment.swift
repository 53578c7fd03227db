package import Billing

/// From what Apple settled in a region to what it paid: `payment_bridge`.
package struct RegionPayment: Hashable, Sendable {
  /// Apple's code, else the label as printed.
  package var region: String
  package var currency: Currency
  /// Nil where the region's financial report is not loaded; micro-units, as all amounts.
  package var settled: Int64?
  package var earned: Int64 = 0
  /// What the findings `payment-differs` of the region come to.
  package var difference: Int64 = 0
  package var adjustment: Int64 = 0
  package var withholding: Int64 = 0
  package var inputTax: Int64 = 0
  package var carriedBalance: Int64 = 0
  package var owed: Int64 = 0
  /// Micro-units of `bankCurrency`; nil while it is not paid.
  package var paid: Int64?
  package var bankCurrency: Currency?
  /// The day of the payout; nil while it is not paid.
  package var paidOn: Day?

  /// A step on the way from what was settled to what was paid.
  package struct Step: Hashable, Sendable {
    /// As scripts know it.
    package var cause: String
    /// Micro-units of `currency`; nil for the exchange, which is a rate.
    package var amount: Int64?
    package var currency: Currency
    package var isTotal: Bool
    /// Of the exchange: bank currency for one of the region's, micro-units.
    package var rate: Int64?
  }

  /// From `settled` to `owed`, and on to `paid` where Apple paid.
  package var steps: [Step] {
    func step(_ cause: String, _ amount: Int64?, isTotal: Bool = false) -> Step {
      Step(cause: cause, amount: amount, currency: currency, isTotal: isTotal)
    }
    var steps = [step("settled", settled ?? earned, isTotal: true)]
    if difference != 0 { steps.append(step("payment-difference", difference)) }
    steps += [
      step("adjustment", adjustment), step("withholding", withholding),
      step("input-tax", inputTax), step("carried-balance", carriedBalance),
      step("unexplained", unexplained), step("owed", owed, isTotal: true),
    ]
    guard let paid, let bankCurrency else { return steps }
    steps.append(
      Step(
        cause: "exchange", amount: nil, currency: bankCurrency, isTotal: false,
        rate: effectiveRate))
    steps.append(Step(cause: "paid", amount: paid, currency: bankCurrency, isTotal: true))
    return steps
  }

  /// Owed less all that is named; a remainder.
  package var unexplained: Int64 {
    owed - ((settled ?? earned) + difference + adjustment + withholding + inputTax + carriedBalance)
  }

  /// Bank currency for one of `currency`, micro-units: what was paid by what was owed, never the
  /// printed rate; nil where either is missing.
  package var effectiveRate: Int64? {
    guard let paid, owed != 0 else { return nil }
    let (top, bottom) = owed < 0 ? (-paid, -owed) : (paid, owed)
    return roundedHalfUp(Int128(top) * 1_000_000, dividedBy: Int128(bottom), toMultipleOf: 1)
  }
}

extension RegionPayment {
  /// Nothing settled and nothing owed, yet.
  package init(region: String, currency: Currency) {
    self.init(region: region, currency: currency, settled: 0)
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
}
