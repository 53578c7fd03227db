import Billing
import Pricing

/// A transaction's storefront, currency and price after what no source told was taken from the
/// matched order, then from the tier at the purchase date, then from the default storefront.
struct EffectiveTerms: Hashable {
  var storefront: Storefront?
  var currency: Currency?
  /// Per unit, in micro-units.
  var unitPrice: Int64?
  var quantity: Int32
  var sku: String
  /// What of these some source told.
  var told: Told = []

  /// Which terms some source told, so that they are not assumed.
  struct Told: OptionSet, Hashable {
    let rawValue: UInt8
    /// By a source that belongs to the transaction for certain.
    static let storefront = Told(rawValue: 1 << 0)
    static let price = Told(rawValue: 1 << 1)
    static let currency = Told(rawValue: 1 << 2)
    static let quantity = Told(rawValue: 1 << 3)
  }

  /// The terms of a transaction, with what it does not tell taken from its order, its chain's
  /// beginning, the tier of a day and the settings.
  ///
  /// - Parameters:
  ///   - order: terms of the order that it belongs to; nil where none is known.
  ///   - isTraced: whether the order was found by tracing back alone.
  ///   - begun: of a renewal without a known order, the terms of the purchase that its chain began
  ///     with; else nil.
  ///   - day: of the purchase.
  init(
    _ transaction: __shared TransactionTerms, order: __shared OrderTerms?, isTraced: Bool = false,
    begun: __shared TransactionTerms? = nil, day: Day, _ context: __shared MatchingContext
  ) {
    sku = transaction.sku
    if let order, order.sku != sku, AppProduct(order.sku).sku == sku { sku = order.sku }
    let said = [transaction.saidQuantity, order?.saidQuantity ?? 0].first { $0 != 0 }
    quantity = said ?? 1
    if said != nil { told.insert(.quantity) }
    let sure = transaction.storefront ?? (isTraced ? nil : order?.storefront) ?? begun?.storefront
    if sure != nil { told.insert(.storefront) }
    storefront =
      transaction.storefront ?? order?.storefront ?? begun?.storefront
      ?? context.settings.defaultStorefront
    unitPrice = transaction.isTrial ? 0 : transaction.unitPrice
    currency = transaction.currency
    // What an order for another product cost says nothing of this one.
    if unitPrice == nil, let price = order?.unitPrice,
      order.map({ AppProduct.mayBeSame($0.sku, sku) }) == true,
      currency == nil || order?.currency == nil || currency == order?.currency
    {
      unitPrice = price
      currency = currency ?? order?.currency
    }
    if unitPrice != nil { told.insert(.price) }
    if currency != nil || order?.currency != nil { told.insert(.currency) }
    complete(day, context, orderCurrency: order?.currency)
  }

  /// An order's own terms, completed from the tier of a day and the settings.
  ///
  /// - Parameter day: on which it was placed.
  init(_ order: __shared OrderTerms, day: Day, _ context: __shared MatchingContext) {
    sku = order.sku
    quantity = order.quantity
    storefront = order.storefront ?? context.settings.defaultStorefront
    unitPrice = order.unitPrice
    currency = order.currency
    complete(day, context, orderCurrency: nil)
  }

  /// The terms of the transaction at a position of a table, with what its order adds.
  init(_ transaction: Int, in table: __shared MatchTable, _ context: __shared MatchingContext) {
    let entry = table.transactions[transaction]
    let terms = table.transactionTerms[Int(entry.terms)]
    var order = table.owningOrder(of: transaction).map {
      table.orderTerms[Int(table.orders[$0].terms)]
    }
    // What an order paid for an offer is not what its renewals cost.
    if table.renewsOffer(transaction) { order?.unitPrice = nil }
    let begun = order == nil ? table.chains.original(of: transaction) : nil
    self.init(
      terms, order: order, isTraced: table.isTraced(transaction),
      begun: begun.map { table.transactionTerms[Int(table.transactions[$0].terms)] },
      day: context.businessDay(entry.purchasedAt), context)
  }

  /// Fills a price and a currency that nothing told: from the SKU's tier on a day, else the
  /// currency from the order or the storefront.
  ///
  /// - Parameter orderCurrency: nil where there is no order, or it tells none.
  private mutating func complete(_ day: Day, _ context: MatchingContext, orderCurrency: Currency?) {
    if unitPrice == nil, let tier = context.tierPrice(sku: sku, storefront: storefront, on: day),
      currency == nil || currency == tier.currency
    {
      unitPrice = tier.price
      currency = tier.currency
    }
    currency =
      currency ?? orderCurrency
      ?? storefront.flatMap { context.storefronts.currency(of: $0) }
  }

  /// Whether a transaction's terms lack the app, the storefront, the currency, the quantity or the
  /// price, for other sources to tell.
  static func needsMore(_ terms: TransactionTerms, _ context: MatchingContext) -> Bool {
    context.catalogue.lacksApp(terms.sku) || terms.storefront == nil || terms.currency == nil
      || terms.saidQuantity == 0
      || (terms.unitPrice == nil && !terms.isTrial)
  }

  /// Extended price, micro-units; nil where no price is known.
  var gross: Int64? { unitPrice.map { $0.multipliedExactly(by: Int64(quantity)) } }
}
