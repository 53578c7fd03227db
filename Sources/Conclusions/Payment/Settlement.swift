import Pricing
package import Billing

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
  /// What payments likely lack because Apple set invoices off.
  package var offsets: [InvoiceOffset] = []
  /// What changed of payments of closed months, each with its month.
  package var changes: [RegionPayment] = []
  /// Payments, mostly of earlier months, that reached the bank on a day of this one.
  package var paidInMonth: [RegionPayment] = []
  /// What of `lines` was carried in, by currency and day of sale; in micro-units.
  package var carriedIn: [Currency: [Day: Int64]] = [:]

  /// Whether what was carried is estimated, because no detail of the month is loaded.
  package var isEstimated = false
  /// What the same estimate comes to in past months whose detail is loaded.
  package var carryTrials: [CarryTrial] = []
  /// Regions of which nobody knows what they settled; they have no line.
  package var missing: [MissingRegion] = []
  /// The month's own payments, and what changed of those before.
  package var allPayments: [RegionPayment] { payments + changes }

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
package struct SettlementLine: Hashable, Sendable {
  /// Apple's financial region; empty where none is known.
  package var region: String
  package var storefront: Storefront
  /// Proceeds of the month's days by the sales reports.
  package var reported: Money
  /// Sold before the month and settled in it.
  package var carryIn: Money
  /// Sold in the month and not settled in it: zero or less, but for returns.
  package var carryOut: Money
  /// What findings of level 3 come to.
  package var difference: Money
  /// By the financial report, or the detail where only that is loaded.
  package var settled: Money
  /// Units settled, returns taken off.
  package var units: Int64

  package init(
    region: String, storefront: Storefront, reported: Money, carryIn: Money, carryOut: Money,
    difference: Money, settled: Money, units: Int64
  ) {
    self.region = region
    self.storefront = storefront
    self.reported = reported
    self.carryIn = carryIn
    self.carryOut = carryOut
    self.difference = difference
    self.settled = settled
    self.units = units
  }
  package var currency: Currency { settled.currency }
  /// What is settled beyond all that is named: a remainder.
  package var unexplained: Money { settled - reported - carryIn - carryOut - difference }
}

/// Units of one product and fiscal month that were not settled when the month of their sale was.
package struct OpenItem: Hashable, Sendable {
  package var storefront: Storefront
  package var sku: String
  package var soldIn: FiscalMonth
  /// Days of the oldest and the newest sale.
  package var first: Day
  package var last: Day
  /// Returns taken off.
  package var units: Int64
  /// At the partner share of the sales report.
  package var amount: Money
  package var currency: Currency { amount.currency }
  /// Nil while it is open.
  package var settledIn: FiscalMonth?
  /// Fiscal months between the sale and the settlement, or the reconciled month while it is open.
  package var age: Int

  package init(
    storefront: Storefront, sku: String, soldIn: FiscalMonth, first: Day, last: Day, units: Int64,
    amount: Money, settledIn: FiscalMonth? = nil, age: Int
  ) {
    self.storefront = storefront
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

/// A region of which no financial report of the month is loaded, though it has money: nobody knows
/// what it settled.
package struct MissingRegion: Hashable, Sendable {
  /// Apple's code; the storefront's where no region of it is known.
  package var region: String
  /// What Apple has earned there by the payments summary, else by the detail; nil where neither
  /// tells.
  package var earned: Money?
  /// Proceeds of the month's days by the sales reports.
  package var reported: Money
  /// Whether a payments summary of the month is loaded and has nothing of the region: then Apple
  /// settled nothing of it so far, by all that is known.
  package var isUnpaid: Bool

  package init(region: String, earned: Money? = nil, reported: Money, isUnpaid: Bool) {
    self.region = region
    self.earned = earned
    self.reported = reported
    self.isUnpaid = isUnpaid
  }
  package var currency: Currency { reported.currency }

  /// The region's name with its currency: `Euro-Zone (EUR)`.
  package var name: Wording {
    let name = FinanceRegionTable.builtIn.name(of: region) ?? Wording(verbatim: region)
    return "\(name) (\(currency))"
  }
}

/// The estimate of what was carried, made of a past month as if its detail were not loaded, beside
/// the figure of the detail: how far the estimate may be off.
package struct CarryTrial: Hashable, Sendable {
  package var month: FiscalMonth
  /// Into the month and out of it, each without its sign, by currency.
  package var estimated: [Money]
  /// The same by the detail.
  package var told: [Money]

  package init(month: FiscalMonth, estimated: [Money], told: [Money]) {
    self.month = month
    self.estimated = estimated
    self.told = told
  }
}
