/// The current facts that a reconciliation reads: dictionaries once, rows as small entries that
/// point into them and back to the ledger.
package struct MonthFacts: Sendable {
  /// When orders were placed and transactions bought that are all here, as seconds since 1970; of
  /// other times there are those that something asked for.
  package var purchases: ClosedRange<UInt32> = 0...UInt32.max
  /// Purchases that were counted elsewhere and have no rows here.
  package var counts = PurchaseCounts()
  package var orderTerms: [OrderTerms] = []
  package var orders: [OrderEntry] = []
  /// Details, ascending by row, of orders that name no transaction: inferred matches ask for most
  /// of them.
  package var unnamedOrderDetails: [OrderDetail] = []
  package var transactionTerms: [TransactionTerms] = []
  package var transactions: [TransactionEntry] = []
  /// Details, ascending by row, of every transaction that may belong to a chain: its original is
  /// another transaction, it names a web order line item or an expiry, or its kind is not
  /// consumable.
  package var chainDetails: [TransactionDetail] = []
  /// When rows that Apple told were told, ascending by row.
  package var observations: [TransactionObservation] = []
  /// Rows of transactions bought in `purchases` that name no user, ascending.
  package var unnamedTransactions: [TransactionRow.ID] = []
  package var renewalTerms: [RenewalTerms] = []
  /// What was told of chains' next renewals until the period's end, in no order.
  package var renewals: [RenewalEntry] = []
  /// Instalments, bought until the period's end, of commitments that had not ended before it.
  package var instalments: [Instalment] = []
  /// What payloads say of the tax in purchases of the period.
  package var toldTaxes: [ToldTax] = []
  package var salesProducts: [SalesProduct] = []
  package var salesTerms: [SalesTerms] = []
  package var salesConditions: [SalesCondition] = []
  package var sales: [SalesEntry] = []
  /// Spans of days that current sales reports cover, with what covers them.
  package var coverage: [ReportCoverage] = []
  package var restatements: [Restatement] = []
  package var disagreements: [Disagreement] = []
  package var products: [Product] = []
  /// SKUs that stand in several apps; what is of one goes by the name of its product.
  package var shared = SharedSKUs.none
  package var tiers: [TierPrice] = []
  package var rates: [ExchangeRate] = []
  package var taxes: [TaxOverride] = []
  package var commissions: [CompanyCommission] = []

  package init() {}
}

/// An order row as matching needs it for every row; 32 bytes.
package struct OrderEntry: Sendable {
  package var row: OrderRow.ID
  /// Index into `orderTerms`.
  package var terms: Int32
  package var key: IDKey
  package var transaction: IDKey
  /// Seconds since 1970 (until 2106).
  package var placedAt: UInt32
  /// Seconds since 1970; 0 is "not said".
  package var fulfilledAt: UInt32

  package init(
    row: OrderRow.ID, terms: Int32, key: IDKey, transaction: IDKey, placedAt: UInt32,
    fulfilledAt: UInt32
  ) {
    self.row = row
    self.terms = terms
    self.key = key
    self.transaction = transaction
    self.placedAt = placedAt
    self.fulfilledAt = fulfilledAt
  }
}

/// What matching needs of a transaction row for every row; 32 bytes.
package struct TransactionEntry: Sendable {
  package var row: TransactionRow.ID
  /// Index into `transactionTerms`.
  package var terms: Int32
  package var key: IDKey
  package var order: IDKey
  /// Seconds since 1970.
  package var purchasedAt: UInt32
  /// Seconds since 1970; 0 is not revoked.
  package var revokedAt: UInt32

  package init(
    row: TransactionRow.ID, terms: Int32, key: IDKey, order: IDKey, purchasedAt: UInt32,
    revokedAt: UInt32
  ) {
    self.row = row
    self.terms = terms
    self.key = key
    self.order = order
    self.purchasedAt = purchasedAt
    self.revokedAt = revokedAt
  }
}

/// What matching needs of an order row only where no id matches it.
package struct OrderDetail: Sendable {
  package var row: OrderRow.ID
  package var user: IDKey
  package var token: IDKey

  package init(row: OrderRow.ID, user: IDKey, token: IDKey) {
    self.row = row
    self.user = user
    self.token = token
  }
}

/// What matching needs of a transaction row only where it is part of a chain or nothing matches it.
package struct TransactionDetail: Sendable {
  package var row: TransactionRow.ID
  /// Seconds since 1970; 0 is "not said".
  package var expiresAt: UInt32
  package var original: IDKey
  package var webOrderLineItem: IDKey
  package var token: IDKey
  package var user: IDKey

  package init(
    row: TransactionRow.ID, original: IDKey = .none, webOrderLineItem: IDKey = .none,
    token: IDKey = .none, user: IDKey = .none, expiresAt: UInt32 = 0
  ) {
    self.row = row
    self.original = original
    self.webOrderLineItem = webOrderLineItem
    self.token = token
    self.user = user
    self.expiresAt = expiresAt
  }
}

/// When a transaction row was told.
package struct TransactionObservation: Sendable {
  package var row: TransactionRow.ID
  /// Seconds since 1970; 0 is "not said".
  package var at: UInt32
  /// Transactions of the receipt that the row came in; 0 where that named no order.
  package var receiptSize: Int32

  package init(row: TransactionRow.ID, at: UInt32, receiptSize: Int32 = 0) {
    self.row = row
    self.at = at
    self.receiptSize = receiptSize
  }
}

/// What was told of a chain's next renewal at one moment.
package struct RenewalEntry: Sendable {
  package var original: IDKey
  /// Index into `renewalTerms`.
  package var terms: Int32
  /// Seconds since 1970.
  package var observedAt: UInt32
  /// Seconds since 1970; 0 is "not said".
  package var graceExpiresAt: UInt32

  package init(original: IDKey, terms: Int32, observedAt: UInt32, graceExpiresAt: UInt32) {
    self.original = original
    self.terms = terms
    self.observedAt = observedAt
    self.graceExpiresAt = graceExpiresAt
  }
}

/// A sales-report row as matching needs it.
package struct SalesEntry: Sendable {
  package var row: SalesRow.ID
  package var units: Int32
  package var begin: Day
  package var end: Day
  package var product: Int32
  package var terms: Int32
  package var condition: Int32

  package init(
    row: SalesRow.ID, units: Int32, begin: Day, end: Day, product: Int32, terms: Int32,
    condition: Int32
  ) {
    self.row = row
    self.units = units
    self.begin = begin
    self.end = end
    self.product = product
    self.terms = terms
    self.condition = condition
  }
}

/// Days for which Apple's side is known: by a report, or because it was recorded that there were
/// no sales.
package struct ReportCoverage: Hashable, Sendable {
  package var begin: Day
  package var end: Day
  /// Empty when neither the file nor the call named a vendor.
  package var vendor: String
  /// Nil for a recorded no-sales.
  package var file: String?
  /// The rows of the report; nil where it has none.
  package var rows: ClosedRange<Int32>?

  package init(
    begin: Day, end: Day, vendor: String, file: String?, rows: ClosedRange<Int32>? = nil
  ) {
    self.rows = rows
    self.begin = begin
    self.end = end
    self.vendor = vendor
    self.file = file
  }
}

/// A sales report that another version replaced.
package struct Restatement: Hashable, Sendable {
  package var begin: Day
  package var end: Day
  package var vendor: String
  package var oldFile: String
  package var newFile: String
  /// What changed, per storefront, currency and SKU, sorted; only what differs.
  package var changes: [Change]

  package struct Change: Hashable, Sendable {
    package var storefront: Storefront
    package var currency: Currency?
    package var sku: String
    /// New less old.
    package var units: Int64
    /// New less old extended customer price, micro-units.
    package var gross: Int64

    package init(
      storefront: Storefront, currency: Currency?, sku: String, units: Int64, gross: Int64
    ) {
      self.storefront = storefront
      self.currency = currency
      self.sku = sku
      self.units = units
      self.gross = gross
    }
  }

  package init(
    begin: Day, end: Day, vendor: String, oldFile: String, newFile: String, changes: [Change]
  ) {
    self.begin = begin
    self.end = end
    self.vendor = vendor
    self.oldFile = oldFile
    self.newFile = newFile
    self.changes = changes
  }
}

/// A sales report that does not count, as shorter ones have all of its days, and that says other
/// things of them.
package struct Disagreement: Hashable, Sendable {
  package var file: String
  package var begin: Day
  package var end: Day
  package var vendor: String
  /// What the report has beyond the shorter ones, per storefront, currency and SKU, sorted; only
  /// what differs.
  package var changes: [Restatement.Change]

  package init(
    file: String, begin: Day, end: Day, vendor: String, changes: [Restatement.Change]
  ) {
    self.file = file
    self.begin = begin
    self.end = end
    self.vendor = vendor
    self.changes = changes
  }
}
