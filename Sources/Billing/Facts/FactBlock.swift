/// A run of rows of one file, in file order: what readers produce and the ledger appends.
///
/// Repeating values (products, terms, conditions) are sent once: a block carries those that are new
/// in its file, in order of first use, and rows name them by that order counted over the whole
/// file, from 0. Ids that rarely repeat are bytes in `text`.
package struct FactBlock: Sendable {
  package enum Rows: Sendable {
    case sales([SalesRow])
    /// Of a financial report or its detail.
    case finance(InputKind, [FinanceRow])
    case payments(PaymentRows)
    case subscriptions([SubscriptionRow])
    case subscriptionEvents([SubscriptionEventRow])
    case subscribers([SubscriberRow])
    case orders([OrderRow])
    case transactions([TransactionRow])
    /// Of receipts, notifications or history.
    case purchases(InputKind, PurchaseRows)
    case products([(line: Int32, Product)])
    case tiers([(line: Int32, TierPrice)])
    case rates([(line: Int32, ExchangeRate)])
    case taxes([(line: Int32, TaxOverride)])
    case commissions([(line: Int32, CompanyCommission)])
    case bank([(line: Int32, BankCredit)])
    case commissionInvoices([(line: Int32, CommissionInvoice)])
    case events([PurchaseEventRow])
    case unitCounts([PurchaseCountRow])
    case coinMovements([CoinMovementRow])
    case coinBalances([(line: Int32, CoinBalance)])
    case items([(line: Int32, GameItem)])
  }

  package var rows: Rows
  package var text: [UInt8] = []
  package var newSalesProducts: [SalesProduct] = []
  package var newSalesTerms: [SalesTerms] = []
  package var newSalesConditions: [SalesCondition] = []
  package var newFinanceTerms: [FinanceTerms] = []
  /// What a financial report says of itself; no rows.
  package var footers: [FinanceFooterLine] = []
  package var newSubscriptionTerms: [SubscriptionTerms] = []
  package var newSubscriptionEventTerms: [SubscriptionEventTerms] = []
  package var newSubscriberTerms: [SubscriberTerms] = []
  package var newOrderTerms: [OrderTerms] = []
  package var newTransactionTerms: [TransactionTerms] = []
  package var newMessageTerms: [MessageTerms] = []
  package var newRenewalTerms: [RenewalTerms] = []
  package var newExtraTerms: [ExtraTerms] = []
  package var newEventTerms: [PurchaseEventTerms] = []
  package var newCoinTerms: [CoinMovementTerms] = []
  /// Rows that could not be understood, in file order.
  package var rejects: [Reject] = []

  package init(rows: Rows) { self.rows = rows }

  /// Records that the block stores.
  package var rowCount: Int {
    switch rows {
    case .sales(let rows): rows.count
    case .finance(_, let rows): rows.count
    case .payments(let rows): rows.lines.count
    case .subscriptions(let rows): rows.count
    case .subscriptionEvents(let rows): rows.count
    case .subscribers(let rows): rows.count
    case .orders(let rows): rows.count
    case .transactions(let rows): rows.count
    case .purchases(_, let rows): rows.messages.count
    case .products(let rows): rows.count
    case .tiers(let rows): rows.count
    case .rates(let rows): rows.count
    case .taxes(let rows): rows.count
    case .commissions(let rows): rows.count
    case .bank(let rows): rows.count
    case .commissionInvoices(let rows): rows.count
    case .events(let rows): rows.count
    case .unitCounts(let rows): rows.count
    case .coinMovements(let rows): rows.count
    case .coinBalances(let rows): rows.count
    case .items(let rows): rows.count
    }
  }

  /// Records that a block holds at most.
  package static let rowLimit = 65_536
}

/// A row that was not understood: what is wrong with it, and the row itself.
package struct Reject: Hashable, Sendable {
  package var diagnostic: Diagnostic
  /// The row's text, cut after 4,096 bytes.
  package var rawText: String

  package init(diagnostic: Diagnostic, rawText: String) {
    self.diagnostic = diagnostic
    self.rawText = rawText
  }
}
