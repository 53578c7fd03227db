package import Billing

/// Where something was sold and in what money; what a side does not say contradicts nothing.
package struct SalePlace: Equatable, Sendable {
  package var storefront: Storefront?
  package var currency: Currency?
  static let any = SalePlace()

  package enum Difference { case storefront, currency }

  /// What two sides say differently, the storefront before the currency.
  func difference(from other: SalePlace) -> Difference? {
    if differ(storefront, other.storefront) { return .storefront }
    return differ(currency, other.currency) ? .currency : nil
  }

  package func contradicts(_ other: SalePlace) -> Bool { difference(from: other) != nil }

  private func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
    guard let left, let right else { return false }
    return left != right
  }
}

extension OrderTerms {
  package var place: SalePlace { SalePlace(storefront: storefront, currency: currency) }
}

extension TransactionTerms {
  package var place: SalePlace { SalePlace(storefront: storefront, currency: currency) }
}
