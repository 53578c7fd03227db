package import Billing

/// Terms under which Apple pays from a day on for some devices and products of a storefront; no
/// input says so.
package struct TermsChange: Hashable, Sendable {
  package var storefront: Storefront
  /// Apple's first report day with them.
  package var day: Day
  /// Names of devices as Apple's reports have them.
  package var devices: Set<String>
  /// What the SKUs begin with, after the bundle.
  package var products: String
  /// Millionths of the price without tax.
  package var commission: Int64

  package init(
    storefront: Storefront, day: Day, devices: Set<String>, products: String = "",
    commission: Int64
  ) {
    self.storefront = storefront
    self.day = day
    self.devices = devices
    self.products = products
    self.commission = commission
  }
}

extension FaultPlan {
  /// The commission that stands in for the one that everybody knows; nil where that holds. Of
  /// several the narrowest counts. A subscription after a year pays what it paid.
  func commission(
    in storefront: Storefront, on day: Day, _ sku: String, _ device: UInt8, _ afterOneYear: Bool
  ) -> Int64? {
    if afterOneYear || termsChanges.isEmpty { return nil }
    let name = SalesReportFiles.name(ofDevice: device)
    return termsChanges.filter {
      $0.storefront == storefront && $0.day <= day && $0.devices.contains(name)
        && sku.hasPrefix(Stock.bundle + $0.products)
    }.max { $0.products.utf8.count < $1.products.utf8.count }?.commission
  }
}
