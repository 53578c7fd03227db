import Billing

/// What an order's terms say in a pair, without references: threads that count references to the
/// same texts wait for each other.
struct OrderMarks: Hashable {
  let sku: Int32
  /// Of the SKU without its app.
  let plainSKU: Int32
  let bundle: Int32
  /// 0 is "not said".
  let saidQuantity: Int32
  let unitPrice: Int64?
  let currency: Currency?
  let storefront: Storefront?
  let status: OrderStatus
  let coins: Int64?

  /// Takes out of an order's terms what is compared with its transaction's, texts as numbers.
  ///
  /// - Parameter texts: gives SKUs and bundles their numbers.
  init(_ terms: OrderTerms, _ texts: inout TextNumbers) {
    sku = texts.number(terms.sku)
    plainSKU = texts.number(AppProduct(terms.sku).sku)
    bundle = texts.number(terms.bundleID)
    saidQuantity = terms.saidQuantity
    unitPrice = terms.unitPrice
    currency = terms.currency
    storefront = terms.storefront
    status = terms.status
    coins = terms.coins
  }
}

/// What a transaction's terms say in a pair.
struct TransactionMarks: Hashable {
  let sku: Int32
  let plainSKU: Int32
  let bundle: Int32
  /// 0 is "not said".
  let saidQuantity: Int32
  let unitPrice: Int64?
  let currency: Currency?
  let storefront: Storefront?
  let isTrial: Bool
  /// Whether an offer makes its price, introductory or not.
  let isOffer: Bool
  let isSandbox: Bool
  let isFamilyShared: Bool
  let isOfOurBundle: Bool
  let isOtherItem: Bool

  /// Takes out of a transaction's terms what is compared with its order's, texts as numbers.
  ///
  /// - Parameters:
  ///   - isOtherApp: whether Apple's identifier of the app is another than the bundle's.
  ///   - texts: gives SKUs and bundles their numbers.
  init(
    _ terms: TransactionTerms, isOtherApp: Bool, _ texts: inout TextNumbers,
    _ context: MatchingContext
  ) {
    sku = texts.number(terms.sku)
    plainSKU = texts.number(AppProduct(terms.sku).sku)
    bundle = texts.number(terms.bundleID)
    saidQuantity = terms.saidQuantity
    unitPrice = terms.unitPrice
    currency = terms.currency
    storefront = terms.storefront
    isTrial = terms.isTrial
    isOffer = terms.isIntro || terms.offer != nil
    isSandbox = terms.isSandbox
    isFamilyShared = terms.isFamilyShared
    isOfOurBundle = !isOtherApp && context.isOurs(bundleID: terms.bundleID)
    isOtherItem = context.catalogue.isOtherItem(terms)
  }
}
