import Billing
import Conclusions

/// Coins and channels by number, as movements, orders and the catalogue name them.
struct CoinNames: Sendable {
  /// Ascending.
  let coins: [String]
  /// Ascending, in lower case; Apple's is the first.
  let channels: [String]
  /// Whether something names no coin although there are several.
  let hasBlank: Bool

  static let apple = CoinRoll.appleChannel

  /// Numbers the coins and channels that these terms name.
  ///
  /// - Parameter others: coins that balances and products name.
  init(_ terms: [CoinMovementTerms], _ orders: [OrderTerms], others: Set<String>) {
    var named = others.union(terms.map(\.coin))
    named.formUnion(orders.filter { $0.coins != nil }.map(\.coin))
    let told = named.filter { !$0.isEmpty }
    hasBlank = told.count > 1 && named.contains("")
    coins = told.isEmpty ? [""] : (hasBlank ? told.union([""]) : told).sorted()
    let others = Set(
      terms.map { $0.channel.lowercased() } + orders.map { $0.channel.lowercased() })
    channels = [Self.apple] + others.subtracting(["", Self.apple]).sorted()
  }

  /// The number of a coin, its index in ``coins``. Where there is only one coin, it is meant even
  /// by a blank name.
  func coin(_ name: String) -> Int {
    if coins.count == 1 { return 0 }
    return coins.firstIndex(of: name) ?? 0
  }

  /// The number of a channel, its index in ``channels``; blank is Apple's.
  func channel(_ name: String) -> Int {
    name.isEmpty ? 0 : channels.firstIndex(of: name.lowercased()) ?? 0
  }
}

/// What the tie-out needs of a movement's terms, worked out once.
struct CoinKind: Sendable {
  let movement: CoinMovement
  let coin: Int
  /// Nil where nothing says where the coins came from: what is spent has no channel.
  let channel: Int?
  let origin: CoinOrigin?
  /// The product; nil where it was not told.
  let sku: Int32?

  /// What the terms of a movement say, with the numbers of their coin and channel.
  ///
  /// - Parameter sku: the number of their product.
  init(_ terms: CoinMovementTerms, _ names: CoinNames, sku: Int32?) {
    movement = terms.movement
    coin = names.coin(terms.coin)
    let isOfSale = terms.movement == .granted || terms.movement == .takenBack
    channel = terms.channel.isEmpty && !isOfSale ? nil : names.channel(terms.channel)
    origin = terms.origin
    self.sku = sku
  }
}
