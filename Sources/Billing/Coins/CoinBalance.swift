/// Coins at the end of a day as another system of the company counts them: of one user, or of all.
package struct CoinBalance: Hashable, Sendable {
  package var day: Day
  /// Coins that were paid for, and others. Where the company does not tell them apart, one of both
  /// is zero.
  package var paid: Int64
  package var free: Int64
  /// Empty for all users together.
  package var user: String
  /// As movements name it.
  package var coin: String

  package init(day: Day, paid: Int64, free: Int64, user: String = "", coin: String = "") {
    self.day = day
    self.paid = paid
    self.free = free
    self.user = user
    self.coin = coin
  }
}

extension CoinBalance: ListedRow {
  package static let blank = CoinBalance(day: Day(number: 0), paid: 0, free: 0)

  package static let columns: [CompanyColumn<Self>] = [
    .date(.day(.always(\.day)), "@company.day-of-coin-balance", "2023-06-30"),
    CompanyColumn(
      "paid", .coins(.always(\.paid)), required: true, "@company.paid-coins-left", "1200",
      called: ["paid_balance", "paid_coins", "有偿余额"], view: "@company.paid-coins-left"),
    CompanyColumn(
      "free", .coins(.always(\.free)), required: true, "@company.free-coins-left", "80",
      called: ["free_balance", "free_coins", "无偿余额"], view: "@company.free-coins-left"),
    CompanyColumn(
      "user_id", .code(\.user), "@company.user-of-coin-balance", "u00000001",
      called: ["uid", "user", "player_id", "customer_id", "account_id", "用户id"]),
    .coin(.code(\.coin)),
  ]
}

/// A balance as conclusions read it.
package struct CoinBalanceEntry: Sendable {
  package var row: CoinBalance.ID
  package var day: Day
  /// None for all users together.
  package var user: IDKey
  package var coin: String
  package var paid: Int64
  package var free: Int64

  package init(
    row: CoinBalance.ID, day: Day, user: IDKey, coin: String, paid: Int64, free: Int64
  ) {
    self.row = row
    self.day = day
    self.user = user
    self.coin = coin
    self.paid = paid
    self.free = free
  }
}

/// Something in the game that coins are spent on.
package struct GameItem: Hashable, Sendable {
  /// As movements name it.
  package var item: String
  package var kind: GameItemKind
  /// Days of use; nil where they were not said.
  package var days: Int64?

  package init(item: String, kind: GameItemKind, days: Int64? = nil) {
    self.item = item
    self.kind = kind
    self.days = days
  }
}

extension GameItem: ListedRow {
  package static let blank = GameItem(item: "", kind: .consumable)

  package static let columns: [CompanyColumn<Self>] = [
    CompanyColumn(
      "item", .text(\.item), required: true, "@company.item-as-movements-name-it", "sword-7",
      called: ["item_id", "item_name", "道具", "道具编号"]),
    CompanyColumn(
      "kind", .itemKind(\.kind), required: true, "@company.item-kind", "durable",
      called: ["item_kind", "item_type", "道具类型"], view: "@company.item-kind"),
    CompanyColumn(
      "days", .count(\.days), "@company.days-of-use", "365",
      called: ["days_of_use", "lifetime_days", "使用天数"], view: "@company.days-of-use"),
  ]
}
