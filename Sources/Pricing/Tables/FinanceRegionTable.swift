package import Billing
package struct FinanceRegionTable: Sendable {
  package static let builtIn = FinanceRegionTable()
  package func region(of storefront: Storefront, currency: Currency) -> String? { nil }
  package func currency(of region: String) -> Currency? { nil }
  package func name(of region: String) -> String? { nil }
}
