/// What levels 3 and 4 concluded for one fiscal month.
package struct Settlement: Sendable {
  package var month: FiscalMonth
  /// Ascending by region, storefront and currency.
  package var lines: [SettlementLine]
  /// Sold and not settled in the same fiscal month; the oldest first.
  package var openItems: [OpenItem]
  /// One per region and currency; empty where no payments summary is loaded.
  package var payments: [RegionPayment]
  package var payouts: [BankPayout]
  /// Payments, mostly of earlier months, that reached the bank on a day of this one.
  package var paidInMonth: [RegionPayment] = []

  package init(
    month: FiscalMonth, lines: [SettlementLine] = [], openItems: [OpenItem] = [],
    payments: [RegionPayment] = [], payouts: [BankPayout] = []
  ) {
    self.month = month
    self.lines = lines
    self.openItems = openItems
    self.payments = payments
    self.payouts = payouts
  }
}

/// From what Apple reported as sold to what it settled, in one storefront and currency of proceeds.
/// Micro-units.
package struct SettlementLine: Hashable, Sendable {
  /// Apple's financial region; empty where none is known.
  package var region: String
  package var storefront: Storefront
  package var currency: Currency
  /// Proceeds of the month's days by the sales reports.
  package var reported: Int64
  /// Sold before the month and settled in it.
  package var carryIn: Int64
  /// Sold in the month and not settled in it: zero or less, but for returns.
  package var carryOut: Int64
  /// What findings of level 3 come to.
  package var difference: Int64
  /// By the financial report, or the detail where only that is loaded.
  package var settled: Int64
  /// Units settled, returns taken off.
  package var units: Int64

  package init(
    region: String, storefront: Storefront, currency: Currency, reported: Int64, carryIn: Int64,
    carryOut: Int64, difference: Int64, settled: Int64, units: Int64
  ) {
    self.region = region
    self.storefront = storefront
    self.currency = currency
    self.reported = reported
    self.carryIn = carryIn
    self.carryOut = carryOut
    self.difference = difference
    self.settled = settled
    self.units = units
  }
}

/// Units of one product and fiscal month that were not settled when the month of their sale was.
package struct OpenItem: Hashable, Sendable {
  package var storefront: Storefront
  package var currency: Currency
  package var sku: String
  package var soldIn: FiscalMonth
  /// Days of the oldest and the newest sale.
  package var first: Day
  package var last: Day
  /// Returns taken off.
  package var units: Int64
  /// At the partner share of the sales report, micro-units.
  package var amount: Int64
  /// Nil while it is open.
  package var settledIn: FiscalMonth?
  /// Fiscal months between the sale and the settlement, or the reconciled month while it is open.
  package var age: Int

  package init(
    storefront: Storefront, currency: Currency, sku: String, soldIn: FiscalMonth, first: Day,
    last: Day, units: Int64, amount: Int64, settledIn: FiscalMonth?, age: Int
  ) {
    self.storefront = storefront
    self.currency = currency
    self.sku = sku
    self.soldIn = soldIn
    self.first = first
    self.last = last
    self.units = units
    self.amount = amount
    self.settledIn = settledIn
    self.age = age
  }
}

/// From what Apple settled in a region to what it paid: `payment_bridge`.
package struct RegionPayment: Hashable, Sendable {
  /// Apple's code, else the label as printed.
  package var region: String
  package var currency: Currency
  /// Nil where the region's financial report is not loaded; micro-units, as all amounts.
  package var settled: Int64?
  package var earned: Int64
  /// What the findings `payment-differs` of the region come to.
  package var difference: Int64
  package var adjustment: Int64
  package var withholding: Int64
  package var inputTax: Int64
  package var carriedBalance: Int64
  package var owed: Int64
  /// Micro-units of `bankCurrency`; nil while it is not paid.
  package var paid: Int64?
  package var bankCurrency: Currency?
  /// The day of the payout; nil while it is not paid.
  package var paidOn: Day?

  package init(
    region: String, currency: Currency, settled: Int64?, earned: Int64, difference: Int64,
    adjustment: Int64, withholding: Int64, inputTax: Int64, carriedBalance: Int64, owed: Int64,
    paid: Int64?, bankCurrency: Currency?
  ) {
    self.region = region
    self.currency = currency
    self.settled = settled
    self.earned = earned
    self.difference = difference
    self.adjustment = adjustment
    self.withholding = withholding
    self.inputTax = inputTax
    self.carriedBalance = carriedBalance
    self.owed = owed
    self.paid = paid
    self.bankCurrency = bankCurrency
  }

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

/// Money that reached, or will reach, the bank for a fiscal month.
package struct BankPayout: Hashable, Sendable {
  package var account: String
  package var currency: Currency
  /// As the payout line says, micro-units.
  package var amount: Int64
  /// The sum of the regions' proceeds.
  package var regions: Int64
  package var day: Day
  /// Whether the day is the usual one, 33 days after the month, because the file does not tell.
  package var isDayEstimated: Bool

  package init(
    account: String, currency: Currency, amount: Int64, regions: Int64, day: Day,
    isDayEstimated: Bool
  ) {
    self.account = account
    self.currency = currency
    self.amount = amount
    self.regions = regions
    self.day = day
    self.isDayEstimated = isDayEstimated
  }
}
