import Billing

/// What repeats in Apple's messages, as they spell it.
struct AppleWords {
  static let appID = Int64(Stock.appleIdentifier(Stock.app))
  static let foreignAppID: Int64 = 1_987_654_000
  static let build = "341"
  static let group = "20667927"
  /// The shared secret of version 1 notifications, which nobody may store or print.
  static let sharedSecret = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e"

  private let store: Store
  let storefronts: [(code: String, id: String)]
  let pacific: Zone
  /// When customers first got the app.
  let installed: Int64

  init(store: Store) {
    self.store = store
    storefronts = store.markets.map { Self.storefront($0.storefront.code) }
    pacific = Zone(identifier: "America/Los_Angeles", around: store.parameters.period)
    installed = store.opens - 400 * 86_400 + 45_296
  }

  func isSubscription(_ record: TransactionRecord) -> Bool { kind(record) == .autoRenewable }
  func kind(_ record: TransactionRecord) -> ProductKind { store.stock.items[record.item].kind }
  func sku(_ record: TransactionRecord) -> String { store.stock.items[record.item].sku }
  func currency(_ record: TransactionRecord) -> Currency {
    record.currency ?? store.markets[record.market].currency
  }

  private static func storefront(_ code: String) -> (String, String) {
    switch code {
    case "CN": ("CHN", "143465")
    case "US": ("USA", "143441")
    case "JP": ("JPN", "143462")
    case "DE": ("DEU", "143443")
    case "GB": ("GBR", "143444")
    case "AU": ("AUS", "143460")
    case "TW": ("TWN", "143470")
    case "HK": ("HKG", "143463")
    case "KR": ("KOR", "143466")
    case "FR": ("FRA", "143442")
    case "ID": ("IDN", "143476")
    case "JO": ("JOR", "143528")
    case "MO": ("MAC", "143515")
    case "IT": ("ITA", "143450")
    case "ES": ("ESP", "143454")
    case "MY": ("MYS", "143473")
    case "BA": ("BIH", "143612")
    case "RS": ("SRB", "143500")
    case "PA": ("PAN", "143485")
    default: preconditionFailure("a storefront that Apple's messages cannot name: \(code)")
    }
  }
}

extension TransactionRecord {
  var bundle: String { isForeign ? Stock.foreignBundle : Stock.bundle }
  var appID: Int64 { isForeign ? AppleWords.foreignAppID : AppleWords.appID }
  var environment: String { isSandbox ? "Sandbox" : "Production" }
  var ownership: String { isFamilyShared ? "FAMILY_SHARED" : "PURCHASED" }
}
