package import Billing

/// Where something was sold and in what money; what a side does not say contradicts nothing.
package struct SalePlace: Equatable, Sendable {
  package var storefront: Storefront?
  package var currency: Currency?
  /// Says nothing, and so fits any place.
  static let any = SalePlace()

  package enum Difference { case storefront, currency }

  /// What two sides say differently, the storefront before the currency; nil for nothing.
  func difference(from other: SalePlace) -> Difference? {
    if differ(storefront, other.storefront) { return .storefront }
    return differ(currency, other.currency) ? .currency : nil
  }

  /// Whether both sides tell a storefront, or a currency, and not the same.
  package func contradicts(_ other: SalePlace) -> Bool { difference(from: other) != nil }

  /// Whether both values are told and differ.
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
