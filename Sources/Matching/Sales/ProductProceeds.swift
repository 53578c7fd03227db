package import Billing

/// What Apple's rows of a period add up to for one product in one storefront and pair of
/// currencies.
package struct ProductProceeds: Hashable, Sendable {
  package var storefront: Storefront
  /// What customers paid in.
  package var currency: Currency
  package var proceedsCurrency: Currency
  /// The company of Apple's that sold; empty where the storefront is none that is known.
  package var entity: String
  /// The app's bundle by the catalogue, else its SKU by Apple's rows; empty where neither tells.
  package var app: String
  package var sku: String
  package var kind: RevenueKind
  /// Rows with units.
  package var sold: Part = Part()
  /// Refunds, and credits without units; signed as in the bridge, so mostly negative.
  package var refunded: Part = Part()

  /// Micro-units: `proceeds` of `proceedsCurrency`, all else of `currency`.
  package struct Part: Hashable, Sendable {
    package var units: Int64 = 0
    /// At the customer price.
    package var gross: Int64 = 0
    /// By the rule.
    package var tax: Int64 = 0
    /// By the rule.
    package var commission: Int64 = 0
    /// What Apple reports.
    package var proceeds: Int64 = 0

    package init() {}

    /// What the rule gives for the proceeds, in the currency that customers paid in.
    package var expectedProceeds: Int64 { gross - tax - commission }

    package static func + (left: Part, right: Part) -> Part {
      var sum = Part()
      sum.units = left.units + right.units
      sum.gross = left.gross + right.gross
      sum.tax = left.tax + right.tax
      sum.commission = left.commission + right.commission
      sum.proceeds = left.proceeds + right.proceeds
      return sum
    }
  }

  /// Sold less refunded.
  package var net: Part { sold + refunded }

  /// Actual proceeds less those of the rule; nil where proceeds have another currency.
  package var proceedsDifference: Int64? {
    currency == proceedsCurrency ? net.proceeds - net.expectedProceeds : nil
  }

  /// The order of outputs.
  package static func isOrderedBefore(_ left: Self, _ right: Self) -> Bool {
    let (a, b) = (left, right)
    if a.storefront != b.storefront { return a.storefront < b.storefront }
    if a.currency != b.currency { return a.currency < b.currency }
    if a.proceedsCurrency != b.proceedsCurrency { return a.proceedsCurrency < b.proceedsCurrency }
    return (a.sku, a.app, a.entity, a.kind.rawValue) < (b.sku, b.app, b.entity, b.kind.rawValue)
  }
}
