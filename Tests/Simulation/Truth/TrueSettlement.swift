package import Billing

/// What levels 3 and 4 have to find in one fiscal month of a simulated world.
package struct TrueSettlement: Hashable, Sendable {
  package var month: FiscalMonth
  /// In the order of storefront and currency.
  package var storefronts: [TrueStorefrontSettlement] = []
  /// In the order of region and currency.
  package var regions: [TrueRegionPayment] = []
  package var payout: TruePayout
  package var findings: [TrueSettlementFinding] = []
}

/// A storefront's way from its sales reports to the financial report; micro-units of `currency`.
///
/// Settled = reported + carry in + carry out + difference, each with its own sign.
package struct TrueStorefrontSettlement: Hashable, Sendable {
  package var storefront: Storefront
  /// Of the proceeds.
  package var currency: Currency
  package var reportedProceeds: Int64
  /// Sold before the month, settled in it.
  package var carryIn: Int64
  /// Sold in the month, settled later or never: the opposite of what it is worth.
  package var carryOut: Int64
  /// What the injected faults made.
  package var difference: Int64
  package var settled: Int64
}

/// A region's line of the payments summary beside what its financial report settled; micro-units
/// of `currency`, `proceeds` of `bankCurrency`.
package struct TrueRegionPayment: Hashable, Sendable {
  /// Apple's code: `EU`, `LL`, `CN`.
  package var region: String
  package var currency: Currency
  package var settled: Int64
  package var earned: Int64
  package var adjustment: Int64
  package var withholding: Int64
  package var inputTax: Int64
  /// Owed since an earlier month that was not paid.
  package var carriedBalance: Int64
  package var owed: Int64
  /// Nil where the region stays below the threshold and is not paid this month.
  package var proceeds: Int64?
  package var bankCurrency: Currency
}

package struct TruePayout: Hashable, Sendable {
  /// Micro-units.
  package var amount: Int64
  package var currency: Currency
  package var day: Day
}

/// A finding at level 3 or 4. What is nil is left open, or the finding has none.
package struct TrueSettlementFinding: Hashable, Sendable {
  package var code: String
  /// The storefront; at level 4 Apple's region. Nil where the whole payment is meant.
  package var place: String?
  package var currency: Currency?
  package var date: Day
  package var sku: String?
  /// Settled less sold.
  package var units: Int64?
  /// Micro-units, the later figure of Apple's less the earlier one.
  package var amount: Int64?

  static func isOrderedBefore(_ left: Self, _ right: Self) -> Bool {
    let leftPlace = (left.place ?? "", left.date, left.sku ?? "", left.code)
    let rightPlace = (right.place ?? "", right.date, right.sku ?? "", right.code)
    return leftPlace < rightPlace
  }
}
