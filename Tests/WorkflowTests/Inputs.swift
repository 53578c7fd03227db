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

  static let salesColumns = [
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

  /// A report of one subscription that is active at the end of some day: its rows have no date.
  static var activeSubscriptions: String {
    let header = [
      "App Name", "App Apple ID", "Subscription Name", "Subscription Apple ID",
      "Subscription Group ID", "Standard Subscription Duration", "Promotional Offer Name",
      "Promotional Offer ID", "Customer Price", "Customer Currency", "Developer Proceeds",
      "Proceeds Currency", "Preserved Pricing", "Proceeds Reason", "Client", "Device", "State",
      "Country", "Active Standard Price Subscriptions",
      "Active Free Trial Introductory Offer Subscriptions",
      "Active Pay Up Front Introductory Offer Subscriptions",
      "Active Pay As You Go Introductory Offer Subscriptions",
      "Free Trial Promotional Offer Subscriptions", "Pay Up Front Promotional Offer Subscriptions",
      "Pay As You Go Promotional Offer Subscriptions", "Marketing Opt-Ins", "Billing Retry",
      "Grace Period",
    ]
    let row: [String: String] = [
      "App Name": "Orbit", "App Apple ID": "1", "Subscription Name": "pro",
      "Subscription Apple ID": "2", "Subscription Group ID": "3",
      "Standard Subscription Duration": "1 Month", "Customer Price": "25.00",
      "Customer Currency": "CNY", "Developer Proceeds": "17.18", "Proceeds Currency": "CNY",
      "Device": "iPhone", "Country": "CN", "Active Standard Price Subscriptions": "1",
    ]
    return [header, header.map { row[$0] ?? " " }].map { $0.joined(separator: "\t") + "\n" }
      .joined()
  }
}
