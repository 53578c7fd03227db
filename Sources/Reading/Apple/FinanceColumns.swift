internal import Billing

/// The columns of Apple's financial report and of its detail that Tieout reads, in an order that
/// keeps together what is remembered together.
enum FinanceColumn: Int, CaseIterable {
  case sku, sign, appleIdentifier, title, type, storefront, promoCode, orderType
  case share, currency, customerPrice, customerCurrency
  case quantity, extended
  /// First and last day of the fiscal month in the report; in the detail, the days of sale and
  /// settlement.
  case firstDate, lastDate

  /// The name in the report's header, normalised.
  var name: String {
    switch self {
    case .sku: "vendor identifier"
    case .sign: "sales or return"
    case .appleIdentifier: "apple identifier"
    case .title: "title"
    case .type: "product type identifier"
    case .storefront: "country of sale"
    case .promoCode: "promo code"
    case .orderType: "order type"
    case .share: "partner share"
    case .currency: "partner share currency"
    case .customerPrice: "customer price"
    case .customerCurrency: "customer currency"
    case .quantity: "quantity"
    case .extended: "extended partner share"
    case .firstDate: "start date"
    case .lastDate: "end date"
    }
  }

  /// The name in the detail's header, normalised.
  var detailName: String {
    switch self {
    case .sku: "sku"
    case .sign: "sale or return"
    case .firstDate: "transaction date"
    case .lastDate: "settlement date"
    default: name
    }
  }

  /// The name in the header of a report of this kind, normalised.
  func name(in kind: InputKind) -> String { kind == .financeDetail ? detailName : name }

  static let required: [FinanceColumn] = [
    .sku, .type, .storefront, .share, .currency, .quantity, .extended, .firstDate, .lastDate,
  ]

  static let terms: [FinanceColumn] = [
    .sku, .sign, .appleIdentifier, .title, .type, .storefront, .promoCode, .orderType, .share,
    .currency, .customerPrice, .customerCurrency,
  ]

  /// Columns that say nothing Tieout needs: blank for apps, the developer, a state or province.
  static let ignored: Set<String> = [
    "upc", "isrc/isbn", "artist/show/developer/author", "label/studio/network/developer/publisher",
    "grid", "isan/other identifier", "pre-order flag", "developer name", "region",
  ]
}

extension Header {
  /// The kind of financial report whose header this is.
  var financeKind: InputKind? {
    guard has("extended partner share") else { return nil }
    if has("transaction date") { return .financeDetail }
    return has("vendor identifier") ? .finance : nil
  }
}

/// Whether a file's first line is the first of those above a detail's header.
func isDetailPreamble(_ line: String) -> Bool {
  let lower = line.lowercased()
  return ["vendor name\t", "vendor name,", "vendor name;"].contains(where: lower.hasPrefix)
}
