/// What a row of unit counts tells the number of.
package enum CountedThing: UInt8, Hashable, NamedWord {
  /// Purchases of a quarter hour, by the terms of their orders and transactions.
  case sold
  /// Their orders, by the minute of placing.
  case placed
  /// Their transactions, by the minute of purchase.
  case bought
  /// Purchases of a business day, by the seconds from purchase to fulfilment.
  case fulfilled
  /// Orders of the period that one user placed.
  case user
  /// Orders of a minute that were handed over as rows, and transactions.
  case handedOrders, handedTransactions
  /// Seconds of a product's purchases that were asked for as rows; none of them is counted.
  case asked

  package var name: String {
    switch self {
    case .sold: "sold"
    case .placed: "placed"
    case .bought: "bought"
    case .fulfilled: "fulfilled"
    case .user: "user"
    case .handedOrders: "orders"
    case .handedTransactions: "transactions"
    case .asked: "asked"
    }
  }
}

/// One row of unit counts.
package struct PurchaseCountRow: Sendable {
  package var line: Int32
  package var counted: CountedThing
  /// Codes of the file's dictionaries of terms, from 1; 0 for none.
  package var terms: Int32
  package var transactionTerms: Int32
  package var at: Instant
  package var seconds: Int64?
  /// A user, or a storefront and a SKU with a blank between.
  package var name: TextSlice
  package var count: Int64

  package init(
    line: Int32, counted: CountedThing, terms: Int32 = 0, transactionTerms: Int32 = 0, at: Instant,
    seconds: Int64? = nil, name: TextSlice = .none, count: Int64
  ) {
    self.line = line
    self.counted = counted
    self.terms = terms
    self.transactionTerms = transactionTerms
    self.at = at
    self.seconds = seconds
    self.name = name
    self.count = count
  }
}

/// Purchases of a period that were matched and counted elsewhere: of these the ledger has no rows.
///
/// Each is an order with its transaction, both named once and by each other, whose terms say the
/// same of everything that rules look at.
package struct PurchaseCounts: Sendable {
  /// Purchases of equal terms in a quarter hour.
  package struct Sold: Sendable {
    /// Indexes into `MonthFacts.orderTerms` and `transactionTerms`.
    package var order: Int32
    package var transaction: Int32
    /// When the quarter hour began; seconds since 1970.
    package var at: UInt32
    package var count: Int64

    /// So many purchases of the order terms and transaction terms at these indexes, in the quarter
    /// hour that begins at `at`, in seconds since 1970.
    package init(order: Int32, transaction: Int32, at: UInt32, count: Int64) {
      self.order = order
      self.transaction = transaction
      self.at = at
      self.count = count
    }
  }

  /// Things of one moment; seconds since 1970.
  package struct Moment: Sendable {
    package var at: UInt32
    package var count: Int64

    /// So many things at a moment, in seconds since 1970.
    package init(at: UInt32, count: Int64) {
      self.at = at
      self.count = count
    }
  }

  package var sold: [Sold] = []
  /// By minute.
  package var placed: [Moment] = []
  package var bought: [Moment] = []
  /// By a moment of the business day, and seconds from the purchase to its fulfilment.
  package var fulfilled: [(at: UInt32, seconds: Int64, count: Int64)] = []
  /// Orders of each user that was asked for.
  package var users: [String: Int] = [:]
  /// What was asked for as rows.
  package var asked = RowsAsked()
  /// By minute, what was handed over as rows beside the counts.
  package var handedOrders: [Moment] = []
  package var handedTransactions: [Moment] = []
  /// Whether Apple's messages of these days were imported after the counts.
  package var hasLaterMessages = false

  package init() {}

  package var isEmpty: Bool { sold.isEmpty && handedOrders.isEmpty && handedTransactions.isEmpty }

  /// How many purchases are counted.
  package var count: Int64 { sold.reduce(0) { $0 + $1.count } }
}

/// What is to be handed over as rows the next time that purchases are counted: a product's
/// purchases of some quarter hours, which findings name or judge.
package struct RowsAsked: Hashable, Sendable {
  package struct Span: Hashable, Sendable {
    package var storefront: Storefront
    package var sku: String
    /// The first second, and the first one after it.
    package var begin: Int64
    package var end: Int64

    /// The purchases of a product from the second `begin` to the one before `end`, since 1970.
    package init(storefront: Storefront, sku: String, begin: Int64, end: Int64) {
      self.storefront = storefront
      self.sku = sku
      self.begin = begin
      self.end = end
    }
  }

  /// Ascending by storefront, SKU and time.
  package var spans: [Span] = []
  /// Users whose orders are to be counted, ascending.
  package var users: [String] = []
  /// Purchases in the spans.
  package var purchases: Int64 = 0

  package init() {}

  package var isEmpty: Bool { spans.isEmpty && users.isEmpty }
}
