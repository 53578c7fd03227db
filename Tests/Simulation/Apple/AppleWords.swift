import Billing

/// What repeats in Apple's messages, as they spell it.
struct AppleWords {
  static let appID: Int64 = 1_234_567_000 + Int64(Shelf.app)
  static let foreignAppID: Int64 = 1_987_654_000
  static let appVersion = "3.4.1"
  static let build = "341"
  static let group = "20667927"
  /// The shared secret of version 1 notifications, which nobody may store or print.
  static let sharedSecret = "5ca1ab1e5ca1ab1e5ca1ab1e5ca1ab1e"

  let skus: [[UInt8]]
  let kinds: [ProductKind]
  let currencies: [Currency]
  let storefronts: [(code: String, id: String)]
  let pacific: Zone
  /// When customers first got the app.
  let installed: Int64

  init(store: Store) {
    skus = store.shelf.items.map { Array($0.sku.utf8) }
    kinds = store.shelf.items.map(\.kind)
    currencies = store.markets.map(\.currency)
    storefronts = store.markets.map { Self.storefront($0.storefront.code) }
    pacific = Zone(identifier: "America/Los_Angeles", around: store.parameters.period)
    installed = store.opens - 400 * 86_400 + 45_296
  }

  func isSubscription(_ record: TransactionRecord) -> Bool {
    kinds[record.item] == .autoRenewable
  }

  static func bundle(_ record: TransactionRecord) -> String {
    record.isForeign ? Shelf.foreignBundle : Shelf.bundle
  }

  static func itemID(_ record: TransactionRecord) -> Int { 1_234_567_000 + record.item }

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
    default: preconditionFailure("a storefront that Apple's messages cannot name: \(code)")
    }
  }
}
