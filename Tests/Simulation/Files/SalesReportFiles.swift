import Billing
import Support

/// Apple's daily sales reports: units by their descriptive columns, day by day.
struct SalesReportFiles {
  static let vendor = "85127269"
  /// What the name of each report begins with; the day follows.
  static let fileName = "S_D_\(vendor)_"
  private static let header: [UInt8] = Array(
    ([
      "Provider", "Provider Country", "SKU", "Developer", "Title", "Version",
      "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
      "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier",
      "Customer Price", "Promo Code", "Parent Identifier", "Subscription", "Period", "Category",
      "CMB", "Device", "Supported Platforms", "Proceeds Reason", "Preserved Pricing", "Client",
      "Order Type",
    ].joined(separator: "\t") + "\n").utf8)
  /// Device, supported platforms and client, as often as their weights say.
  private static let devices: [(device: String, platforms: String, client: String)] = [
    ("iPhone", "iOS", " "), ("iPad", "iOS", " "), ("iPhone", "iOS and tvOS", " "),
    ("iPad", "iOS and tvOS", " "), ("iPhone", "iOS", "App Store for iMessage"),
    ("Desktop", "macOS", " "), ("Apple TV", "iOS and tvOS", " "), ("iPod touch", "iOS", " "),
    ("Apple Vision", "iOS", " "),
  ]
  static func name(ofDevice device: UInt8) -> String { devices[Int(device)].device }
  static let deviceWeights = cumulative([560, 190, 80, 50, 40, 30, 20, 20, 10])

  let store: Store
  private var days: [Day: [SaleKey: Int]] = [:]

  init(store: Store) { self.store = store }

  mutating func book(_ units: Int, _ key: SaleKey, on day: Day) {
    days[day, default: [:]][key, default: 0] += units
  }

  /// The rows of `day`, in order; nothing is booked on it any more.
  mutating func close(_ day: Day) -> [(key: SaleKey, units: Int)] {
    let units = days.removeValue(forKey: day) ?? [:]
    return units.map { (key: $0.key, units: $0.value) }.sorted { $0.key < $1.key }
  }

  /// The report as Apple prints it; its header is one member and its rows another where
  /// `splitsMembers`.
  func file(
    _ day: Day, rows: [(key: SaleKey, units: Int)], splitsMembers: Bool = false
  ) -> [UInt8] {
    var text = RowText()
    text.bytes.reserveCapacity(rows.count * 220)
    let date = day.slashed
    for row in rows { text.row(fields(row.key, row.units, date), separator: 0x09) }
    guard store.parameters.gzip else { return Self.header + text.bytes }
    return splitsMembers
      ? gzipMember(Self.header) + gzipMember(text.bytes) : gzipMember(Self.header + text.bytes)
  }

  private func fields(_ key: SaleKey, _ units: Int, _ date: String) -> [Field] {
    let item = store.stock.items[key.item]
    let market = store.markets[key.market]
    let currency = key.currency ?? market.currency
    let price = key.isRefund || key.isPartialRefund ? -key.price : key.price
    let device = Self.devices[Int(key.terms.device)]
    return [
      "APPLE", "US", .text(item.sku), item.isApp ? "Lumen" : " ", .text(item.title),
      item.isApp ? "3.4.1" : " ", .text(key.isWithoutMoney ? item.typeWithoutMoney : item.type),
      .digits(UInt64(units.magnitude), width: 1, prefix: units < 0 ? "-" : ""),
      .micros(key.proceeds, digits: currency.minorDigits), .text(date), .text(date),
      .text(currency.code), .text(market.storefront.code),
      item.isApp && key.price == 0 ? " " : .text(currency.code),
      .number(Stock.appleIdentifier(key.item)), .micros(price, digits: currency.minorDigits),
      " ", item.isApp ? " " : .text(Stock.bundle),
      .text(key.terms.standing.text),
      item.isSubscription ? "1 Month" : " ", "Games", .blank, .text(device.device),
      .text(device.platforms), key.terms.afterOneYear ? "Rate After One Year" : " ",
      key.terms.isPreserved ? "Yes" : " ", .text(device.client), .text(key.terms.offer.text),
    ]
  }
}

extension SaleTerms.Standing {
  fileprivate var text: String { [.new: "New", .renewal: "Renewal"][self] ?? " " }
}

extension SaleTerms.Offer {
  fileprivate var text: String {
    [.trial: "Free Trial Intro Offer", .introductory: "Pay As You Go Intro Offer"][self] ?? " "
  }
}
