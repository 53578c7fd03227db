import Billing

extension LedgerView {
  static let coinMovement = LedgerView(
    "v_coin_movement", "@view.movements-of-coins",
    [
      "r.id", .source("r"), .fileStatus, .time("r.at", as: "date"), "r.is_day",
      "t.movement", "r.coins", .id("r.user_id"), "t.channel", "t.coin",
      Column("t.origin", as: "paid"), .id("r.order_id"), .id("r.transaction_id"), "t.sku",
      "t.storefront", "t.item",
    ],
    of: ViewRows("coin_movement_row", lists: ["t": ("coin_movement_terms", "terms_id")]),
    [
      "date": "@view.when-coins-moved",
      "is_day": "@view.1-where-only-the-day",
      "movement": "@company.coin-movement",
      "coins": "@company.coins-moved",
      "channel": "@company.channel-of-coins",
      "coin": "@company.which-coin",
      "paid": "@company.whether-coins-were-paid-for",
      "item": "@company.item-of-coins",
    ])

  static let coinBalance = LedgerView(
    "v_coin_balance", "@view.balances-of-coins",
    [
      "b.id", .source("b"), .day("b.day", as: "date"), "b.paid", "b.free", "b.user_id", "b.coin",
    ],
    from: "coin_balance b JOIN source s ON s.id = b.source_id",
    [
      "date": "@company.day-of-coin-balance",
      "paid": "@company.paid-coins-left",
      "free": "@company.free-coins-left",
      "coin": "@company.which-coin",
    ])

  static let gameItem = LedgerView(
    "v_game_item", "@view.items-of-the-game",
    ["i.id", .source("i"), "i.item", "i.kind", "i.days"],
    from: "game_item i JOIN source s ON s.id = i.source_id",
    [
      "item": "@company.item-as-movements-name-it",
      "kind": "@company.item-kind",
      "days": "@company.days-of-use",
    ])
}
