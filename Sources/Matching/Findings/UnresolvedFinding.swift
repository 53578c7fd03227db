package import Billing

/// A finding before its rows are resolved to ids and sources.
package struct UnresolvedFinding: Sendable {
  package var code: FindingCode
  package var storefront: Storefront?
  package var currency: Currency?
  package var day: Day?
  package var sku: String?
  package var units: Int64?
  /// Micro-units of `currency`, Apple's side minus ours; nil where no money differs.
  package var amount: Int64?
  /// What it comes to by storefront and currency, where it is about several; else empty.
  package var parts: [StorefrontMoney] = []
  /// Numbers and amounts of Apple's documents that it takes for the cause.
  package var documents: [String] = []
  package var orders: [OrderRow.ID]
  package var transactions: [TransactionRow.ID]
  package var sales: [SalesRow.ID]
  /// Rows of financial reports.
  package var finance: [FinanceRow.ID] = []
  /// Movements of coins, of which the user is told.
  package var movements: [CoinMovementRow.ID] = []
  /// Balances of coins, of which the user is told.
  package var balances: [CoinBalance.ID] = []
  /// Lines of payments summaries.
  package var places: [Source] = []
  /// The strongest source of what levels 3 to 5 say.
  package var citation: Citation?
  /// Where this one matters more than its code says.
  package var severity: Severity?
  /// Where something else is to be done than its code says.
  package var action: Wording?
  /// Files that are evidence as a whole.
  package var files: [String]
  package var explanation: Wording
  /// Of level 1: the order and the transaction that it is about, by position in the table of
  /// matches.
  var order: Int?
  var transaction: Int?

  /// A finding with its code, evidence and explanation; an amount of 0 is none.
  package init(
    _ code: FindingCode, storefront: Storefront? = nil, currency: Currency? = nil, day: Day? = nil,
    sku: String? = nil, units: Int64? = nil, amount: Int64? = nil, orders: [OrderRow.ID] = [],
    transactions: [TransactionRow.ID] = [], sales: [SalesRow.ID] = [], files: [String] = [],
    explanation: Wording
  ) {
    self.code = code
    self.storefront = storefront
    self.currency = currency
    self.day = day
    self.sku = sku
    self.units = units
    self.amount = amount == 0 ? nil : amount
    self.orders = orders
    self.transactions = transactions
    self.sales = sales
    self.files = files
    self.explanation = explanation
  }

  /// This finding, about an order and a transaction by their positions in the table of matches.
  func about(order: Int? = nil, transaction: Int? = nil) -> UnresolvedFinding {
    var finding = self
    finding.order = order
    finding.transaction = transaction
    return finding
  }
}
