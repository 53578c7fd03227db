import Billing

/// Something that Apple sells in a simulated world: the catalogue's products, and what the
/// catalogue does not have.
struct Item: Sendable {
  var sku: String
  var kind: ProductKind
  /// What it costs; the giftbox has a price without a tier in the catalogue.
  var tier: PriceTier
  var coins: Int64?
  /// The currency of `coins`; nil in a world whose coins nobody tells apart.
  var coin: GameCoin?
  var inCatalogue = true
  var hasTier = true
  /// The product type identifier of its sales rows.
  var type: String

  var isSubscription: Bool { kind == .autoRenewable }
  var isApp: Bool { type.hasPrefix("1") }
  /// The type of rows that bring no money: updates, re-downloads and restores.
  var typeWithoutMoney: String { isApp ? "7F" : "IA3" }

  /// The app's name, or the reference name of an in-app purchase.
  var title: String {
    let name = sku.dropFirst(Stock.bundle.utf8.count)
    return name.isEmpty ? "Orbit" : "Orbit" + String(name.map { $0 == "." ? " " : $0 })
  }
}

/// The company's catalogue in a simulated world.
struct Stock: Sendable {
  static let bundle = "com.lumen.orbit"
  static let foreignBundle = "com.hollow.mimic"
  static let group = "vip"

  let items: [Item]
  /// Gem packs by tier, then further consumables: what ordinary customers buy.
  let consumables: [Int]
  /// Running weights of `consumables`.
  let consumableWeights: [Int]

  static let gems = 0..<9
  static let chest = 9
  static let starter = 11
  static let giftbox = 12
  static let monthly = 13
  static let monthlyPlus = 14
  static let seasonPass = 15
  static let removeAds = 16
  static let app = 17
  static let paidApp = 18
  /// The first of the SKUs that no catalogue has.
  static let relics = 19
  static let relicCount = 12

  static func appleIdentifier(_ item: Int) -> Int { 1_234_567_000 + item }

  /// How many SKUs the catalogue has without further consumables.
  static let catalogued = app

  /// - Parameter tellsCoins: whether coins have names; then chests are packs of the second.
  init(furtherProducts: Int, hasBestsellers: Bool = false, tellsCoins: Bool = false) {
    var items: [Item] = []
    func add(
      _ name: String, _ kind: ProductKind, _ tier: PriceTier, coins: Int64? = nil, type: String
    ) {
      items.append(
        Item(sku: "\(Self.bundle)\(name)", kind: kind, tier: tier, coins: coins, type: type))
    }
    let coins: [Int64] = [60, 120, 180, 250, 300, 680, 1280, 3280, 6480]
    for (tier, coins) in zip(PriceTier.allCases, coins) {
      add(".gems.\(coins)", .consumable, tier, coins: coins, type: "IA1")
    }
    add(".chest.silver", .consumable, .five, type: "IA1")
    add(".chest.gold", .consumable, .ten, type: "IA1")
    add(".starter", .consumable, .one, type: "IA1")
    add(".giftbox", .consumable, .five, type: "IA1")
    items[Self.giftbox].hasTier = false
    if tellsCoins {
      for index in Self.gems { items[index].coin = .gems }
      for (index, coins) in [(Self.chest, 2400), (Self.chest + 1, 5000)] as [(Int, Int64)] {
        (items[index].coins, items[index].coin) = (coins, .gold)
      }
    }
    add(".vip.monthly", .autoRenewable, .three, type: "IAY")
    add(".vip.plus.monthly", .autoRenewable, .five, type: "IAY")
    add(".season.pass", .nonRenewing, .ten, type: "IA9")
    add(".remove.ads", .nonConsumable, .three, type: "IA1")
    add("", .nonConsumable, .one, type: "1F")
    add(".atlas", .nonConsumable, .three, type: "1F")
    for number in 1...Self.relicCount {
      add(".relic.\(number)", .consumable, .four, type: "IA1")
    }
    for index in Self.app..<items.count { items[index].inCatalogue = false }
    let first = items.count
    for number in 0..<furtherProducts {
      let tier = PriceTier.allCases[number % 7]
      add(".pack.\(padded(number + 1, 4))", .consumable, tier, type: "IA1")
    }
    self.items = items
    let chests = [Self.chest, Self.chest + 1]
    consumables = Array(Self.gems) + chests + Array(first..<items.count)
    let weights = [300, 140, 110, 60, 120, 80, 40, 12, 8, 50, 30]
    consumableWeights = cumulative(
      hasBestsellers
        ? weights.map { $0 * 100 } + (0..<furtherProducts).map { 30_000 / ($0 + 6) }
        : weights + Array(repeating: 40, count: furtherProducts))
  }
}
