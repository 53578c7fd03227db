import Billing
import Pricing

/// A transaction's storefront, currency and price after what no source told was taken from the
/// claiming order, then from the tier at the purchase date, then from the default storefront.
struct EffectiveTerms: Hashable {
  var storefront: Storefront?
  var currency: Currency?
  /// Per unit, in micro-units.
  var unitPrice: Int64?
  var quantity: Int32
  var sku: String

  init(
    _ transaction: TransactionTerms, order: OrderTerms?, day: Day, _ context: MatchingContext
  ) {
    sku = transaction.sku
    quantity = transaction.quantity
    storefront =
      transaction.storefront ?? order?.storefront ?? context.settings.defaultStorefront
    unitPrice = transaction.unitPrice
    currency = transaction.currency
    if transaction.isTrial { unitPrice = 0 }
    if unitPrice == nil, let price = order?.unitPrice {
      unitPrice = price
      currency = currency ?? order?.currency
    }
    if unitPrice == nil,
      let tier = context.tierPrice(sku: transaction.sku, storefront: storefront, on: day),
      currency == nil || currency == tier.currency
    {
      unitPrice = tier.price
      currency = tier.currency
    }
    currency =
      currency ?? order?.currency ?? storefront.flatMap { context.storefronts.currency(of: $0) }
  }

  /// Whether terms of a transaction leave something for other sources to tell.
  static func needsMore(_ terms: TransactionTerms) -> Bool {
    terms.storefront == nil || terms.currency == nil || terms.unitPrice == nil
  }

  /// Extended price, micro-units.
  var gross: Int64? { unitPrice.map { $0.multipliedExactly(by: Int64(quantity)) } }
}
