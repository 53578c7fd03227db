package import Billing

/// The rule by which an order and a transaction came together, the strongest first.
package enum ClaimRoute: String, Hashable, Sendable, CaseIterable {
  /// The order names the transaction.
  case transactionID = "transaction-id"
  /// The transaction names the order.
  case orderID = "order-id"
  /// The transaction's receipt came in with the order.
  case receipt
  case token = "app-account-token"
  /// By product, user and time, because no id tells.
  case backTracing = "back-tracing"
  /// A renewal belongs to the order of its original.
  case chain = "renewal"
}

/// The claims among a few rows, made by the same rules as a period's, with the rule of each.
package struct ClaimTrace: Sendable {
  package let book: ClaimBook
  let details: LooseDetails
  package let context: MatchingContext
  /// Per transaction, where an order claims it.
  private let routes: [ClaimRoute?]

  /// - Parameter details: of every row of the facts.
  package init(_ facts: MonthFacts, details: LooseDetails, context: MatchingContext) {
    var book = ClaimBook(merging: facts, catalogue: context.catalogue)
    var owners = [Int32](repeating: ClaimBook.unclaimed, count: book.transactions.count)
    var routes = [ClaimRoute?](repeating: nil, count: owners.count)
    func note(_ route: (Int) -> ClaimRoute) {
      for index in owners.indices where book.orderOf[index] != owners[index] {
        owners[index] = book.orderOf[index]
        routes[index] = owners[index] >= 0 ? route(index) : nil
      }
    }
    book.claimByTransactionID()
    note { _ in .transactionID }
    book.claimByOrderID()
    note { _ in .orderID }
    book.claimByReceipts()
    note { _ in .receipt }
    book.forgetKeys()
    book.claimLoosely(details, context: context)
    note { index in
      let token = book.detail(ofTransaction: index, details)?.token ?? .none
      let other = book.detail(ofOrder: Int(book.orderOf[index]), details)?.token ?? .none
      return !token.isNone && token == other ? .token : .backTracing
    }
    self.book = book
    self.details = details
    self.context = context
    self.routes = routes
  }

  /// The position of the transaction that a row tells of; nil where the facts do not have it.
  package func transaction(row: RowID) -> Int? {
    book.transactions.indices.first {
      book.orderOf[$0] != ClaimBook.merged && book.rows(ofTransaction: $0).contains(row)
    }
  }

  /// The position of the order that a row tells of.
  package func order(row: RowID) -> Int? {
    book.orders.indices.first {
      book.transactionOf[$0] != ClaimBook.merged && book.rows(ofOrder: $0).contains(row)
    }
  }

  /// The rows that an order was merged from, the one that counts first.
  package func rows(ofOrder order: Int) -> [RowID] { book.rows(ofOrder: order) }

  /// The rows that a transaction was merged from, the one that counts first.
  package func rows(ofTransaction transaction: Int) -> [RowID] {
    book.rows(ofTransaction: transaction)
  }

  package func terms(ofOrder order: Int) -> OrderTerms {
    book.orderTerms[Int(book.orders[order].terms)]
  }

  package func terms(ofTransaction transaction: Int) -> TransactionTerms {
    book.transactionTerms[Int(book.transactions[transaction].terms)]
  }

  /// The order that a transaction belongs to, and by which rule; nil where it has none.
  package func owner(of transaction: Int) -> (order: Int, route: ClaimRoute)? {
    guard let order = book.owningOrder(of: transaction) else { return nil }
    return (order, routes[transaction] ?? .chain)
  }

  /// The transactions that belong to an order, the one that it bought first.
  package func transactions(of order: Int) -> [Int] {
    book.transactions.indices.filter {
      book.orderOf[$0] != ClaimBook.merged && book.owningOrder(of: $0) == order
    }
    .sorted { left, right in
      let (a, b) = (book.transactions[left], book.transactions[right])
      let (claimsA, claimsB) = (book.orderOf[left] >= 0, book.orderOf[right] >= 0)
      return claimsA != claimsB ? claimsA : (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
    }
  }

  /// Where several orders claim a transaction: the one that keeps it and the others.
  package func reuse(of transaction: Int) -> (keeper: Int, others: [Int])? {
    book.reuses.first { $0.transaction == Int32(transaction) }
      .map { (Int($0.keeper), $0.others.map(Int.init)) }
  }

  /// The transaction that an order claims and another order keeps.
  package func lost(by order: Int) -> Int? {
    book.reuses.first { $0.others.contains(Int32(order)) }.map { Int($0.transaction) }
  }

  /// What a transaction is that no order need claim; nil where it is a purchase of its own.
  package func role(of transaction: Int) -> Chains.Role { book.chains.role(of: transaction) }

  /// The purchase that this transaction renews or restores, where the facts have it.
  package func begun(by transaction: Int) -> Int? {
    book.chains.original(of: transaction) ?? book.chains.earlier(of: transaction)
  }
}

/// What a transaction or an order was sold for, with what no source told taken from the claiming
/// order, the tier and the configuration.
package struct SoldTerms: Hashable, Sendable {
  package var storefront: Storefront?
  package var currency: Currency?
  /// Per unit, micro-units.
  package var unitPrice: Int64?
  package var quantity: Int32
  package var sku: String
  /// Whether the transaction, or the order, told the price itself.
  package var isPriceTold: Bool

  /// What a row of Apple's says.
  package init(
    storefront: Storefront, currency: Currency?, unitPrice: Int64?, quantity: Int32, sku: String
  ) {
    self.storefront = storefront
    self.currency = currency
    self.unitPrice = unitPrice
    self.quantity = quantity
    self.sku = sku
    isPriceTold = true
  }

  init(_ terms: EffectiveTerms, isPriceTold: Bool) {
    storefront = terms.storefront
    currency = terms.currency
    unitPrice = terms.unitPrice
    quantity = terms.quantity
    sku = terms.sku
    self.isPriceTold = isPriceTold
  }

  /// Extended price, micro-units.
  package var gross: Int64? { unitPrice.map { $0.multipliedExactly(by: Int64(quantity)) } }
}

extension ClaimTrace {
  /// Who placed an order; no id where nobody told.
  package func user(ofOrder order: Int) -> IDKey {
    book.detail(ofOrder: order, details)?.user ?? .none
  }

  /// Who bought, as the transaction itself tells; no id where it does not.
  package func user(ofTransaction transaction: Int) -> IDKey {
    book.detail(ofTransaction: transaction, details)?.user ?? .none
  }

  package func sold(transaction: Int) -> SoldTerms {
    let terms = terms(ofTransaction: transaction)
    return SoldTerms(
      EffectiveTerms(transaction, in: book, context),
      isPriceTold: terms.unitPrice != nil || terms.isTrial)
  }

  package func sold(order: Int) -> SoldTerms {
    let terms = terms(ofOrder: order)
    let day = context.businessDay(book.orders[order].placedAt)
    return SoldTerms(
      EffectiveTerms(terms, day: day, context), isPriceTold: terms.unitPrice != nil)
  }

  /// The company's accounting day of a moment.
  package func businessDay(_ seconds: UInt32) -> Day { context.businessDay(seconds) }
}
