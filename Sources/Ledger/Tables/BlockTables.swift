/// The tables whose rows lie in blocks.
enum BlockTables: String, CaseIterable, Sendable {
  case sales, finance, orders, transactions, events, counts
  case messages, renewals, extras, items, itemRefunds, pages
  case subscriptions, subscriptionEvents, subscribers
  case footers, payments, payouts
  case products, tiers, rates, taxes, commissions, bank, invoices
  case coinMovements, coinBalances, gameItems
  case resolved
}
