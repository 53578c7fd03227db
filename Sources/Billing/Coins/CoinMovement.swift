/// What a movement says besides its ids, its time and its number; equal terms are stored once.
package struct CoinMovementTerms: Hashable, Sendable {
  package var movement: CoinMovement
  /// Where the coins were sold, as orders name it; empty when not said, which is Apple's.
  package var channel: String
  /// Which coin, as the company spells it; empty is the only one.
  package var coin: String
  /// Nil when not said.
  package var origin: CoinOrigin?
  /// The product that granted them; empty when not said.
  package var sku: String
  package var storefront: Storefront?
  /// What they were spent on; empty when not said.
  package var item: String

  package init(
    _ movement: CoinMovement, channel: String = "", coin: String = "", origin: CoinOrigin? = nil,
    sku: String = "", storefront: Storefront? = nil, item: String = ""
  ) {
    self.movement = movement
    self.channel = channel
    self.coin = coin
    self.origin = origin
    self.sku = sku
    self.storefront = storefront
    self.item = item
  }
}

extension CoinMovementTerms: ListedRow {
  package static let blank = CoinMovementTerms(.granted)

  package static let columns: [CompanyColumn<Self>] = [
    CompanyColumn(
      "date", .own(.moment), required: true, "@company.day-or-time-of-movement",
      "2023-06-12T02:00:15Z",
      called: [
        "time", "timestamp", "ts", "at", "day", "created_at", "logged_at", "日期", "时间", "发生时间",
        "Datum",
      ], view: "@view.when-coins-moved"),
    CompanyColumn(
      "movement", .movement(\.movement), required: true, "@company.coin-movement", "granted",
      called: ["movement_type", "change_type", "flow", "变动类型", "流水类型", "Bewegung"],
      view: "@company.coin-movement"),
    CompanyColumn(
      "coins", .own(.number), required: true, "@company.coins-moved", "300",
      called: [
        "gold", "gems", "points", "diamonds", "credits", "coin_amount", "coin_count", "delta",
        "change", "virtual_currency", "金币", "钻石", "变动数量",
      ], view: "@company.coins-moved"),
    .userID,
    CompanyColumn(
      "channel", .code(\.channel), "@company.channel-of-coins", "apple",
      called: ["payment_channel", "pay_channel", "sales_channel", "渠道", "Kanal"],
      view: "@company.channel-of-coins"),
    .coin(.code(\.coin)),
    CompanyColumn(
      "paid", .coinOrigin(\.origin), "@company.whether-coins-were-paid-for", "paid",
      called: ["is_paid", "origin", "coin_type", "有偿无偿"], stored: "origin",
      view: "@company.whether-coins-were-paid-for"),
    .orderID("@company.order-of-coins"),
    .transactionID("@company.transaction-of-coins"),
    CompanyColumn(
      "sku", .code(\.sku), "@company.product-of-coins", "com.example.gems.300",
      called: ["product_id", "product", "goods_id", "商品编号"], view: "@company.product-of-coins"),
    .storefront(.storefront(.ifSaid(\.storefront))),
    CompanyColumn(
      "item", .text(\.item), "@company.item-of-coins", "sword-7",
      called: ["item_id", "item_name", "道具", "道具编号"], view: "@company.item-of-coins"),
  ]
}

extension CompanyColumn {
  /// The column that tells which coin, where there are several.
  static func coin(_ value: ColumnValue<Row>) -> CompanyColumn {
    CompanyColumn(
      "coin", value, "@company.which-coin", "gems",
      called: ["coin_name", "currency_name", "coin_kind", "币种名称"], view: "@company.which-coin")
  }
}

/// One movement of coins, of one customer or summed by day, with ids as slices of its block's text.
package struct CoinMovementRow: Sendable {
  package var line: Int32
  package var terms: Int32
  /// The start of the day, UTC, where only a day was told.
  package var at: Instant
  package var isDay: Bool
  package var coins: Int64
  package var userID: TextSlice
  package var orderID: TextSlice
  package var transactionID: TextSlice

  package init(
    line: Int32, terms: Int32, at: Instant, isDay: Bool, coins: Int64, userID: TextSlice,
    orderID: TextSlice, transactionID: TextSlice
  ) {
    self.line = line
    self.terms = terms
    self.at = at
    self.isDay = isDay
    self.coins = coins
    self.userID = userID
    self.orderID = orderID
    self.transactionID = transactionID
  }
}

/// A movement as conclusions read it.
package struct CoinMovementEntry: Sendable {
  /// Index into the terms that it was read with; equal terms have one.
  package var terms: Int32
  /// Whether only a day was told: ``at`` is then its start, UTC.
  package var isDay: Bool
  /// Seconds since 1970.
  package var at: Int64
  /// As it was told; ``CoinMovement/sign`` gives its direction.
  package var coins: Int64
  package var user: IDKey
  package var order: IDKey
  package var transaction: IDKey
  package var row: CoinMovementRow.ID

  package init(
    terms: Int32, isDay: Bool, at: Int64, coins: Int64, user: IDKey, order: IDKey,
    transaction: IDKey, row: CoinMovementRow.ID
  ) {
    self.terms = terms
    self.isDay = isDay
    self.at = at
    self.coins = coins
    self.user = user
    self.order = order
    self.transaction = transaction
    self.row = row
  }
}
