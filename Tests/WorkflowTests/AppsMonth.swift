import Billing
import Conclusions
import Support
import Workflow
@testable import Matching

/// A month of apps that have an SKU in common, `gems.2`: one purchase of each app on 12 June.
struct AppsMonth {
  static let day = Day("2023-06-12")!

  struct Sale {
    var item: String
    var parent: String
    var price: String
    var proceeds: String
    var sku = "gems.2"
    var type = "IA1"
    var offer = ""
  }

  struct Purchase {
    var id: Int
    var bundle: String
    var price: String
    var order = true
    var orderBundle: String?
    var sku = "gems.2"
    var kind = "consumable"
    var coins = ""
  }

  let folder: TemporaryFolder
  var settings = Settings()

  init() throws {
    folder = try TemporaryFolder()
    settings.dayBoundary = [Storefront("US")!: zone(named: "America/Los_Angeles")!]
    try table(
      "tiers.csv", "table,tier,storefront,currency,price",
      [
        "iap,2,US,USD,1.99", "iap,10,US,USD,9.99", "iap,5,US,USD,4.99",
        "subscription,2,US,USD,2.99", "subscription,5,US,USD,4.99",
      ])
  }

  func table(_ name: String, _ head: String, _ rows: [String]) throws {
    try folder.write(name, ([head] + rows).joined(separator: "\n") + "\n")
    _ = try folder.importing(name)
  }

  func products(_ rows: [String], name: String = "products.csv") throws {
    try table(
      name, "sku,kind,tier,apple_identifier,bundle_id,coins,subscription_group,effective_from",
      rows)
  }

  /// Apple's report of 12 June, and days without sales for the others.
  func report(_ vendor: String, _ sales: [Sale]) throws {
    let rows = sales.map { sale in
      [
        "APPLE", "US", sale.sku, "Ex", "Gems", "1.0", sale.type, "1", sale.proceeds,
        "06/12/2023", "06/12/2023", "USD", "US", "USD", sale.item, sale.price, "", sale.parent, "",
        "", "Games", "", "iPhone", "iOS", "", "", "", sale.offer,
      ]
    }
    let name = "S_D_\(vendor)_20230612.txt"
    try folder.write(
      name, ([Inputs.salesColumns] + rows).map { $0.joined(separator: "\t") + "\n" }.joined())
    _ = try folder.importing(name) { request in
      request.vendor = vendor
      request.noSales = (Day("2023-05-31")!.number...Day("2023-07-01")!.number)
        .map { Day(number: $0) }.filter { $0 != Self.day }
    }
  }

  func purchases(_ all: [Purchase], name: String = "1") throws {
    let orders = all.filter(\.order).map {
      """
      N\($0.id),\($0.sku),\($0.price),USD,US,fulfilled,2023-06-12T19:59:47Z,\(7000 + $0.id),\
      \($0.orderBundle ?? $0.bundle),\($0.coins)
      """
    }
    try table(
      "orders-\(name).csv",
      "order_id,sku,unit_price,currency,storefront,status,placed_at,transaction_id,bundle_id,coins",
      orders)
    let bought = all.map {
      "\(7000 + $0.id),\($0.bundle),\($0.sku),\($0.kind),1,\($0.price),USD,US,2023-06-12T20:00:00Z"
    }
    try table(
      "transactions-\(name).csv",
      "transaction_id,bundle_id,sku,kind,quantity,unit_price,currency,storefront,purchased_at",
      bought)
  }

  func reconcile() throws -> Reconciliation {
    try Workflow.reconcile(
      ReconcileRequest(
        ledgerPath: folder.ledger, period: Period("2023-06")!, settings: settings,
        asOf: Day("2023-09-01")!))
  }

  /// Errors and warnings, as `code sku`.
  func complaints() throws -> [String] {
    try reconcile().findings.filter { $0.severity != .info }
      .map { "\($0.code.rawValue) \($0.sku ?? "")".replacing("\u{A0}", with: " ") }.sorted()
  }
}

extension AppsMonth.Sale {
  static let first = Self(item: "15", parent: "com.first", price: "1.99", proceeds: "1.40")
  static let second = Self(item: "16", parent: "com.second", price: "9.99", proceeds: "7.00")
}

extension AppsMonth.Purchase {
  static let first = Self(id: 1, bundle: "com.first", price: "1.99")
  static let second = Self(id: 2, bundle: "com.second", price: "9.99")
}
