package import Billing

/// A few rows matched by the same rules as a period's, and what their matches rest on.
package struct MatchedRows: Sendable {
  package let table: MatchTable
  let details: MatchDetails
  package let context: MatchingContext
  /// Whether a clock that told some of the rows was taken for wrong, and their times are corrected.
  package let hasCorrectedTimes: Bool
  /// Seconds by which any time may have been corrected.
  package let clockSlack: Int64

  /// Matches a few rows, their times corrected first.
  ///
  /// - Parameters:
  ///   - details: of every row of the facts.
  ///   - clocks: rules of the clocks that the period's reconciliation took for wrong.
  ///   - repeatedIDs: transaction IDs that the reconciliation took to stand for nothing.
  package init(
    _ facts: MonthFacts, details: MatchDetails, context: MatchingContext, clocks: [ClockRule] = [],
    repeatedIDs: Set<IDKey> = []
  ) {
    let correction = ClockCorrection.applying(clocks, to: facts, context)
    clockSlack = clocks.reduce(0) { $0 + abs(Int64($1.seconds)) }
    hasCorrectedTimes = correction?.movesAny ?? false
    let facts = correction?.facts ?? facts
    var table = MatchTable(
      facts, catalogue: context.catalogue, requiresSigned: context.settings.requireSigned,
      repeatedIDs: repeatedIDs)
    table.matchWithoutIDs(details, context: context, clocks: clocks)
    self.table = table
    self.details = details
    self.context = context
  }

  /// The position of the transaction that a row tells of; nil where the facts do not have it.
  package func transaction(row: TransactionRow.ID) -> Int? {
    table.transactions.indices.first {
      table.orderOf[$0] != .merged && table.rows(ofTransaction: $0).contains(row)
    }
  }

  /// The position of the order that a row tells of; nil where the facts do not have it.
  package func order(row: OrderRow.ID) -> Int? {
    table.orders.indices.first {
      table.transactionOf[$0] != .merged && table.rows(ofOrder: $0).contains(row)
    }
  }

  /// Positions of the transactions that belong to an order, the one that it bought first.
  package func transactions(of order: Int) -> [Int] {
    table.transactions.indices.filter {
      table.orderOf[$0] != .merged && table.owningOrder(of: $0) == order
    }
    .sorted { left, right in
      let (a, b) = (table.transactions[left], table.transactions[right])
      let (first, second) = (table.orderOf[left].isMatched, table.orderOf[right].isMatched)
      return first != second ? first : (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
    }
  }

  /// Where several orders name a transaction, the positions of the one that keeps it and of the
  /// others; else nil.
  package func reuse(of transaction: Int) -> (keeper: Int, others: [Int])? {
    table.reuse(of: transaction).map { (Int($0.keeper), $0.others.map(Int.init)) }
  }

  /// The position of the transaction that an order names and another order keeps; nil where there
  /// is none.
  package func lost(by order: Int) -> Int? {
    table.reuses.first { $0.others.contains(Int32(order)) }.map { Int($0.transaction) }
  }

  /// The position of the purchase that this transaction renews or restores; nil where the facts do
  /// not have it, or it does neither.
  package func begun(by transaction: Int) -> Int? {
    table.chains.original(of: transaction) ?? table.chains.earlier(of: transaction)
  }

  /// Who placed an order; no id where nobody told.
  package func user(ofOrder order: Int) -> IDKey {
    table.detail(ofOrder: order, details)?.user ?? .none
  }

  /// Who bought, as the transaction itself tells; no id where it does not.
  package func user(ofTransaction transaction: Int) -> IDKey {
    table.detail(ofTransaction: transaction, details)?.user ?? .none
  }

  /// What the transaction at a position was sold for.
  package func sold(transaction: Int) -> SoldTerms {
    let terms = table.terms(ofTransaction: transaction)
    return SoldTerms(
      EffectiveTerms(transaction, in: table, context),
      isPriceTold: terms.unitPrice != nil || terms.isTrial)
  }

  /// What the order at a position was for, and at what price.
  package func sold(order: Int) -> SoldTerms {
    let terms = table.terms(ofOrder: order)
    let day = context.businessDay(table.orders[order].placedAt)
    return SoldTerms(
      EffectiveTerms(terms, day: day, context), isPriceTold: terms.unitPrice != nil)
  }

  /// The company's accounting day of a moment in seconds since 1970.
  package func businessDay(_ seconds: UInt32) -> Day { context.businessDay(seconds) }
}

/// What a transaction or an order was sold for, with what no source told taken from the matched
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

  /// What completed terms say.
  ///
  /// - Parameter isPriceTold: whether the transaction, or the order, told the price itself.
  init(_ terms: EffectiveTerms, isPriceTold: Bool) {
    storefront = terms.storefront
    currency = terms.currency
    unitPrice = terms.unitPrice
    quantity = terms.quantity
    sku = terms.sku
    self.isPriceTold = isPriceTold
  }

  /// Extended price, micro-units; nil where no price is known.
  package var gross: Int64? { unitPrice.map { $0.multipliedExactly(by: Int64(quantity)) } }
}
