/// What a file turned out to be.
package enum InputKind: String, Hashable, Sendable, CaseIterable {
  case sales, finance
  case financeDetail = "finance_detail"
  case payments, subscription
  case subscriptionEvent = "subscription_event"
  case subscriber, orders, transactions, receipts, notifications, history
  case products, tiers, rates, taxes, commissions, bank
  case commissionInvoice = "commission_invoice"
  case events
  case unitCounts = "unit_counts"
  case coinMovements = "coin_movements"
  case coinBalances = "coin_balances"
  case items

  /// The kind in words for people.
  package var wording: Wording {
    switch self {
    case .sales: "@facts.sales-report"
    case .finance: "@facts.financial-report"
    case .financeDetail: "@facts.financial-detail"
    case .payments: "@facts.payments-summary"
    case .subscription: "@facts.subscription-report"
    case .subscriptionEvent: "@facts.subscription-event-report"
    case .subscriber: "@facts.subscriber-report"
    case .orders: "@shared.orders"
    case .transactions: "@shared.transactions"
    case .receipts: "@facts.receipts"
    case .notifications: "@facts.notifications"
    case .history: "@facts.transaction-history"
    case .products: "@facts.catalogue"
    case .tiers: "@facts.price-tiers"
    case .rates: "@facts.exchange-rates"
    case .taxes: "@facts.tax-rates"
    case .commissions: "@facts.commissions"
    case .bank: "@facts.bank-statement"
    case .commissionInvoice: "@facts.commission-invoices"
    case .events: "@facts.event-log"
    case .unitCounts: "@facts.unit-counts"
    case .coinMovements: "@facts.coin-movements"
    case .coinBalances: "@facts.coin-balances"
    case .items: "@facts.game-items"
    }
  }

  /// Whether it is a report of Apple's about a span of days, which another version may replace.
  package var isReport: Bool { self == .sales || isSettlement || isSubscriptions }

  /// Whether it is one of the subscription reports, each of one day.
  package var isSubscriptions: Bool {
    self == .subscription || self == .subscriptionEvent || self == .subscriber
  }

  /// Whether it says what Apple settles and pays in a fiscal month.
  package var isSettlement: Bool {
    self == .finance || self == .financeDetail || self == .payments
  }

  /// Whether the records are Apple's own words about purchases.
  package var isPurchases: Bool {
    self == .receipts || self == .notifications || self == .history
  }
}
