import Billing
import Foundation
import Support

/// Apple's daily sales reports: units by their descriptive columns, one book per day.
struct SalesReports {
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
    ("iPhone", "iOS", ""), ("iPad", "iOS", ""), ("iPhone", "iOS and tvOS", ""),
    ("iPad", "iOS and tvOS", ""), ("iPhone", "iOS", "App Store for iMessage"),
    ("Desktop", "macOS", ""), ("Apple TV", "iOS and tvOS", ""), ("iPod touch", "iOS", ""),
    ("Apple Vision", "iOS", ""),
  ]
  static let deviceWeights = cumulative([560, 190, 80, 50, 40, 30, 20, 20, 10])

  let markets: [Market]
  let shelf: Shelf
  /// Report days that get a file.
  let days: ClosedRange<Day>
  private var books: [Day: [SaleKey: Int]] = [:]

  init(markets: [Market], shelf: Shelf, days: ClosedRange<Day>) {
    self.markets = markets
    self.shelf = shelf
    self.days = days
  }

  mutating func book(_ units: Int, _ key: SaleKey, on day: Day) {
    guard days.contains(day) else { return }
    books[day, default: [:]][key, default: 0] += units
  }

  /// The rows of `day`, in order; nothing is booked on it any more.
  mutating func close(_ day: Day) -> [(key: SaleKey, units: Int)] {
    let book = books.removeValue(forKey: day) ?? [:]
    return book.map { (key: $0.key, units: $0.value) }.sorted { $0.key < $1.key }
  }

  /// The report as Apple prints it; its header is one member and its rows another where
  /// `splitsMembers`.
  func file(
    _ day: Day, rows: [(key: SaleKey, units: Int)], gzip: Bool, splitsMembers: Bool
  ) -> [UInt8] {
    var text = RowText()
    text.bytes.reserveCapacity(rows.count * 220)
    let (year, month, number) = day.parts
    let date = Array("\(padded(month, 2))/\(padded(number, 2))/\(padded(year, 4))".utf8)
    let words = Words(markets: markets, shelf: shelf)
    for row in rows { put(row.key, row.units, date, words, into: &text) }
    guard gzip else { return Self.header + text.bytes }
    return splitsMembers
      ? gzipMember(Self.header) + gzipMember(text.bytes) : gzipMember(Self.header + text.bytes)
  }

  /// The texts that every row repeats.
  private struct Words {
    var skus: [[UInt8]]
    var titles: [[UInt8]]
    var currencies: [[UInt8]]
    var storefronts: [[UInt8]]

    init(markets: [Market], shelf: Shelf) {
      skus = shelf.items.map { Array($0.sku.utf8) }
      titles = shelf.items.map { Array($0.title.utf8) }
      currencies = markets.map { Array($0.currency.code.utf8) }
      storefronts = markets.map { Array($0.storefront.code.utf8) }
    }
  }

  private func put(
    _ key: SaleKey, _ units: Int, _ date: [UInt8], _ words: Words, into text: inout RowText
  ) {
    let item = shelf.items[key.item]
    let market = markets[key.market]
    let isApp = item.type.hasPrefix("1")
    let blank: UInt8 = 0x20
    let currency = key.currency.map { Array($0.code.utf8) } ?? words.currencies[key.market]
    let digits = (key.currency ?? market.currency).minorDigits
    let device = Self.devices[Int(key.device)]
    text.put("APPLE\tUS\t")
    text.put(words.skus[key.item])
    text.put(isApp ? "\tLumen\t" : "\t \t")
    text.put(words.titles[key.item])
    text.put(isApp ? "\t3.4.1\t" : "\t \t")
    text.put(key.isWithoutMoney ? (isApp ? "7F" : "IA3") : item.type)
    text.tab()
    if units < 0 { text.put(byte: 0x2D) }
    text.put(number: units.magnitude.asUInt64)
    text.tab()
    text.put(micros: key.proceeds, digits: digits)
    text.tab()
    text.put(date)
    text.tab()
    text.put(date)
    text.tab()
    text.put(currency)
    text.tab()
    text.put(words.storefronts[key.market])
    text.tab()
    if isApp, key.price == 0 { text.put(byte: blank) } else { text.put(currency) }
    text.tab()
    text.put(number: UInt64(1_234_567_000 + key.item))
    text.tab()
    text.put(micros: key.isRefund || key.isPartialRefund ? -key.price : key.price, digits: digits)
    text.put("\t \t")
    if isApp { text.put(byte: blank) } else { text.put(Shelf.bundle) }
    text.tab()
    text.put(key.standing == .new ? "New" : key.standing == .renewal ? "Renewal" : " ")
    text.tab()
    text.put(item.isSubscription ? "1 Month" : " ")
    text.put("\tGames\t\t")
    text.put(device.device)
    text.tab()
    text.put(device.platforms)
    text.tab()
    text.put(key.afterOneYear ? "Rate After One Year" : " ")
    text.tab()
    text.put(key.isPreserved ? "Yes" : " ")
    text.tab()
    if device.client.isEmpty { text.put(byte: blank) } else { text.put(device.client) }
    text.tab()
    switch key.offer {
    case .none: text.put(byte: blank)
    case .trial: text.put("Free Trial Intro Offer")
    case .introductory: text.put("Pay As You Go Intro Offer")
    }
    text.endRow()
  }
}

extension UInt {
  fileprivate var asUInt64: UInt64 { UInt64(self) }
}
