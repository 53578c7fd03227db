import Billing

/// Small inputs with marked figures.
enum Inputs {
  static let orderHeader = "order_id,sku,status,placed_at,unit_price,currency,storefront\n"

  /// Orders of 6.00 CNY each, placed an hour apart.
  static func orders(_ range: Range<Int>) -> String {
    orderHeader
      + range.map { "O\($0),gems.60,paid,\(1_685_577_600 + $0 * 3600),6.00,CNY,CN\n" }.joined()
  }

  /// One transaction for each of the orders.
  static func transactions(_ range: Range<Int>) -> String {
    "transaction_id,sku,purchased_at,order_id,unit_price,currency,storefront\n"
      + range.map { "\(7000 + $0),gems.60,\(1_685_577_600 + $0 * 3600),O\($0),6.00,CNY,CN\n" }
      .joined()
  }

  private static let salesColumns = [
    "Provider", "Provider Country", "SKU", "Developer", "Title", "Version",
    "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
    "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier",
    "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category",
    "CMB", "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client",
    "Order Type",
  ]

  /// Apple's report of a day of June 2023 with one row.
  static func sales(day: Int, units: Int) -> String {
    let date = "06/\(padded(day, 2))/2023"
    let row = [
      "APPLE", "US", "gems.60", "Ex", "Gems", " ", "IA1", "\(units)", "4.13", date, date, "CNY",
      "CN", "CNY", "123", "6.00", " ", "app", " ", " ", "Games", " ", "iPhone", "iOS", " ", " ",
      " ", " ",
    ]
    return salesColumns.joined(separator: "\t") + "\n" + row.joined(separator: "\t") + "\n"
  }

  static func salesName(day: Int) -> String { "S_D_85012345_202306\(padded(day, 2)).txt" }
}
