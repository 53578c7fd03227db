internal import Billing

/// The columns of Apple's sales report that Tieout reads, in an order that keeps together what is
/// remembered together.
enum SalesColumn: Int, CaseIterable {
  case sku, developer, title, version, type, appleIdentifier, parent, period, category, platforms
  case proceeds, proceedsCurrency, customerPrice, customerCurrency, country
  case promoCode, subscription, cmb, device, proceedsReason, preservedPricing, client, orderType
  case units, begin, end

  /// The name in the report's header, normalised.
  var name: String {
    switch self {
    case .sku: "sku"
    case .developer: "developer"
    case .title: "title"
    case .version: "version"
    case .type: "product type identifier"
    case .appleIdentifier: "apple identifier"
    case .parent: "parent identifier"
    case .period: "period"
    case .category: "category"
    case .platforms: "supported platforms"
    case .proceeds: "developer proceeds"
    case .proceedsCurrency: "currency of proceeds"
    case .customerPrice: "customer price"
    case .customerCurrency: "customer currency"
    case .country: "country code"
    case .promoCode: "promo code"
    case .subscription: "subscription"
    case .cmb: "cmb"
    case .device: "device"
    case .proceedsReason: "proceeds reason"
    case .preservedPricing: "preserved pricing"
    case .client: "client"
    case .orderType: "order type"
    case .units: "units"
    case .begin: "begin date"
    case .end: "end date"
    }
  }

  /// The key in JSON reports.
  var key: String { String(name.map { $0 == " " ? "_" : $0 }) }

  static let required: [SalesColumn] = [
    .sku, .type, .units, .proceeds, .begin, .end, .customerCurrency, .country, .proceedsCurrency,
    .customerPrice,
  ]

  static let product: [SalesColumn] = [
    .sku, .developer, .title, .version, .type, .appleIdentifier, .parent, .period, .category,
    .platforms,
  ]
  static let terms: [SalesColumn] = [
    .proceeds, .proceedsCurrency, .customerPrice, .customerCurrency, .country,
  ]
  static let condition: [SalesColumn] = [
    .promoCode, .subscription, .cmb, .device, .proceedsReason, .preservedPricing, .client,
    .orderType,
  ]

  /// What the columns were called in the music header, before September 2010.
  static let oldNames: [String: SalesColumn] = [
    "vendor identifier": .sku, "artist/show": .developer, "title/episode/season": .title,
    "label/studio/network": .version, "royalty price": .proceeds,
    "royalty currency": .proceedsCurrency,
  ]

  /// Columns that say nothing Tieout needs: always the same, or about music.
  static let ignored: Set<String> = [
    "provider", "provider country", "upc", "isrc", "preorder", "season pass", "isan", "cma",
    "asset/content flavor", "vendor offer code", "grid",
  ]
}

extension Header {
  /// The kind of Apple's report whose header this is.
  var reportKind: InputKind? { isSalesReport ? .sales : financeKind ?? subscriptionKind }

  /// Whether this is the header of a sales report.
  var isSalesReport: Bool { has("product type identifier") && has("begin date") }

  /// Throws a diagnostic when JSON, or a table that somebody says is sales, lacks columns of a
  /// sales report.
  func requireSalesColumns() throws {
    let own = Set(names.map(squeezedName))
    let missing = SalesColumn.required.map(\.name).filter { !own.contains(squeezedName($0)) }
    guard !missing.isEmpty else { return }
    let list = missing.joined(separator: ", ")
    throw diagnostic(
      missing.count == 1
        ? "@shared.column-is-missing \(list)" : "@shared.columns-are-missing \(list)",
      help: "@shared.header-has \(printed.filter { !$0.isEmpty }.joined(separator: ", "))")
  }

  /// The header with the columns of a sales report by their own names, however they are spelt.
  var withSalesNames: Header {
    let own = Dictionary(
      uniqueKeysWithValues: SalesColumn.allCases.map { (squeezedName($0.name), $0.name) })
    var header = self
    header.names = zip(names, printed).map { own[squeezedName($1)] ?? $0 }
    return header
  }

  /// The header with the columns of the music header under their later names.
  var withLaterSalesNames: Header {
    guard has("royalty price") else { return self }
    var header = self
    header.names = names.map { SalesColumn.oldNames[$0]?.name ?? $0 }
    return header
  }
}

/// What rows of a product type that is not known come to.
let unknownRowsHelp: Wording = "@apple.kept-as-written-rows"

/// The one `Proceeds Reason` that Apple documents (App Store Connect help, 2026-11-28).
let knownProceedsReason = "Rate After One Year"

/// Whether an order type is one of Apple's words, in any case: the payment of an offer, with the
/// sort of offer behind it.
func isKnownOrderType(_ text: String) -> Bool {
  let words = ["free trial", "pay as you go", "pay up front", "pre-order"]
  return words.contains { text.lowercased().hasPrefix($0) }
}
