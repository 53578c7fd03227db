package import Billing
import Pricing

/// What Apple's rows of a period add up to for one product in one storefront and pair of
/// currencies.
package struct ProductProceeds: Hashable, Sendable {
  package var storefront: Storefront
  /// The company of Apple's that sold; empty where the storefront is none that is known.
  package var entity: String
  /// The app's bundle by the catalogue, else its SKU by Apple's rows; empty where neither tells.
  package var app: String
  package var sku: String
  package var kind: RevenueKind
  /// Rows with units.
  package var sold: Part
  /// Refunds, and credits without units; signed as in the bridge, so mostly negative.
  package var refunded: Part

  package init(
    storefront: Storefront, entity: String, app: String, sku: String, kind: RevenueKind, sold: Part,
    refunded: Part
  ) {
    self.storefront = storefront
    self.entity = entity
    self.app = app
    self.sku = sku
    self.kind = kind
    self.sold = sold
    self.refunded = refunded
  }
  /// The currency that customers paid in.
  package var currency: Currency { sold.gross.currency }
  package var proceedsCurrency: Currency { sold.proceeds.currency }

  /// Proceeds are in the currency that Apple pays in, all else in what customers paid in.
  package struct Part: Hashable, Sendable {
    package var units: Int64 = 0
    /// At the customer price.
    package var gross: Money
    /// By the rule.
    package var tax: Money
    /// By the rule.
    package var commission: Money
    /// What Apple reports.
    package var proceeds: Money

    /// No units and no money, yet.
    package init(_ currency: Currency, proceedsCurrency: Currency) {
      gross = .zero(currency)
      tax = gross
      commission = gross
      proceeds = .zero(proceedsCurrency)
    }

    /// What the rule gives for the proceeds, in the currency that customers paid in.
    package var expectedProceeds: Money { gross - tax - commission }

    package static func + (left: Part, right: Part) -> Part {
      var sum = left
      sum.units += right.units
      sum.gross += right.gross
      sum.tax += right.tax
      sum.commission += right.commission
      sum.proceeds += right.proceeds
      return sum
    }
  }

  /// Sold less refunded.
  package var net: Part { sold + refunded }

  /// Actual proceeds less those of the rule; nil where proceeds have another currency.
  package var proceedsDifference: Money? {
    currency == proceedsCurrency ? net.proceeds - net.expectedProceeds : nil
  }

  /// Whether one comes before another in outputs: by storefront, currencies, SKU and what else
  /// tells them apart.
  package static func isOrderedBefore(_ left: Self, _ right: Self) -> Bool {
    let (a, b) = (left, right)
    if a.storefront != b.storefront { return a.storefront < b.storefront }
    if a.currency != b.currency { return a.currency < b.currency }
    if a.proceedsCurrency != b.proceedsCurrency { return a.proceedsCurrency < b.proceedsCurrency }
    return (a.sku, a.app, a.entity, a.kind.rawValue) < (b.sku, b.app, b.entity, b.kind.rawValue)
  }
}

/// What Apple's rows of one day add up to in one storefront and pair of currencies, for all the
/// products of a kind, without their names.
package struct DayProceeds: Hashable, Sendable {
  package var day: Day
  package var proceeds: ProductProceeds

  package init(day: Day, proceeds: ProductProceeds) {
    self.day = day
    self.proceeds = proceeds
  }
}
