import Billing

/// Sales that Apple's rows name an offer for: their prices are no tier's, and orders and
/// transactions need not tell why.
struct ReportedOffers {
  private struct Key: Hashable {
    let storefront: Storefront
    let sku: String
    let currency: Currency?
    let price: Int64
  }

  /// Names of products, and days of their rows.
  private var sales: [Key: [(product: String, days: ClosedRange<Day>)]] = [:]

  /// Finds the sales with an offer in Apple's reports; none where there are no reports.
  init(_ reports: SalesReports?) {
    guard let groups = reports?.groups else { return }
    for group in groups.groups where group.isOffer && group.type == .covered && group.units > 0 {
      let product = groups.skus[Int(group.sku)]
      let key = Key(
        storefront: group.terms.storefront, sku: AppProduct(product).sku,
        currency: group.terms.customerCurrency, price: group.price)
      sales[key, default: []].append((product, group.begin...group.end))
    }
  }

  /// Whether Apple's row of the product, price and day of a purchase names an offer. Apple's day of
  /// a moment lies at most a day beside that of UTC, wherever it begins.
  ///
  /// - Parameters:
  ///   - price: per unit, micro-units.
  ///   - purchasedAt: seconds since 1970.
  func hasSale(of sold: EffectiveTerms, at price: Int64, _ purchasedAt: UInt32) -> Bool {
    guard let storefront = sold.storefront else { return false }
    let key = Key(
      storefront: storefront, sku: AppProduct(sold.sku).sku, currency: sold.currency, price: price)
    let day = Instant(seconds: Int64(purchasedAt)).day()
    let days = day.advanced(by: -1)...day.advanced(by: 1)
    return (sales[key] ?? []).contains {
      $0.days.overlaps(days) && AppProduct.mayBeSame($0.product, sold.sku)
    }
  }
}
