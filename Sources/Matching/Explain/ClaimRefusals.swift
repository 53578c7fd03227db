package import Billing

/// Why a transaction is not counted among the units sold.
package enum Unbillable: Hashable, Sendable {
  case sandbox
  case familyShared
  case otherBundle(String)
}

/// Why an order and a transaction that look alike do not belong together.
package enum ClaimRefusal: Hashable, Sendable {
  /// The order has this transaction.
  case hasTransaction(RowID)
  /// The transaction has this order.
  case hasOrder(RowID)
  /// The order claims the transaction too, and was placed later than the one that keeps it.
  case cameLater
  /// The candidate names another id, which goes before all likeness.
  case namesAnother
  case otherChannel(String)
  case otherProduct(String)
  case otherStorefront(Storefront)
  case otherCurrency(Currency)
  case otherUser
  /// Seconds by which the order was placed after the purchase.
  case placedAfter(Int64)
  /// Seconds between the order and the purchase: more than a day.
  case tooEarly(Int64)
  case notBillable(Unbillable)
  /// A renewal, or an earlier purchase again: it needs no order of its own.
  case needsNone(Chains.Role)
  /// It would do; another one is nearer or was first.
  case another
}

/// An order beside a transaction, or a transaction beside an order, that was considered.
package struct ClaimCandidate: Hashable, Sendable {
  /// Of the candidate's row that counts.
  package var row: RowID
  /// Its position in the book.
  package var position: Int
  /// When it was placed or bought.
  package var at: Instant
  /// Seconds from the order to the purchase.
  package var delay: Int64
  package var refusal: ClaimRefusal
}

extension ClaimTrace {
  /// Why a transaction counts for nothing; nil where it is billable.
  package func unbillable(_ transaction: Int) -> Unbillable? {
    context.unbillable(terms(ofTransaction: transaction))
  }

  /// Orders like a transaction's that it does not have, the likeliest first.
  package func orders(beside transaction: Int) -> [ClaimCandidate] {
    let winner = book.owningOrder(of: transaction)
    let theirs = book.transactions[transaction]
    let sku = terms(ofTransaction: transaction).sku
    return book.orders.indices.compactMap { order in
      guard order != winner, book.transactionOf[order] != ClaimBook.merged,
        isAlike(order, transaction, sku: sku)
      else { return nil }
      let ours = book.orders[order]
      return ClaimCandidate(
        row: ours.row, position: order, at: Instant(seconds: Int64(ours.placedAt)),
        delay: Int64(theirs.purchasedAt) - Int64(ours.placedAt),
        refusal: refusal(order, transaction, isOrder: true))
    }.sorted(by: isLikelier)
  }

  /// Transactions like an order's that it does not have, the likeliest first.
  package func transactions(beside order: Int) -> [ClaimCandidate] {
    let own = Set(transactions(of: order))
    let ours = book.orders[order]
    let sku = terms(ofOrder: order).sku
    return book.transactions.indices.compactMap { transaction in
      guard !own.contains(transaction), book.orderOf[transaction] != ClaimBook.merged,
        isAlike(order, transaction, sku: sku)
      else { return nil }
      let theirs = book.transactions[transaction]
      return ClaimCandidate(
        row: theirs.row, position: transaction, at: Instant(seconds: Int64(theirs.purchasedAt)),
        delay: Int64(theirs.purchasedAt) - Int64(ours.placedAt),
        refusal: refusal(order, transaction, isOrder: false))
    }.sorted(by: isLikelier)
  }

  /// Whether the two have the product in common, or one names the other.
  private func isAlike(_ order: Int, _ transaction: Int, sku: String) -> Bool {
    let (ours, theirs) = (book.orders[order], book.transactions[transaction])
    if ours.transaction == theirs.key || theirs.order == ours.key { return true }
    return terms(ofOrder: order).sku == sku && terms(ofTransaction: transaction).sku == sku
  }

  private func isLikelier(_ left: ClaimCandidate, _ right: ClaimCandidate) -> Bool {
    let (a, b) = (left.refusal.distance, right.refusal.distance)
    if a != b { return a < b }
    // What lies on the wrong side of the purchase could never be it.
    if (left.delay < 0) != (right.delay < 0) { return right.delay < 0 }
    return (abs(left.delay), left.at, left.row) < (abs(right.delay), right.at, right.row)
  }

  /// The first of the reasons that the rules meet.
  private func refusal(_ order: Int, _ transaction: Int, isOrder: Bool) -> ClaimRefusal {
    let (ours, theirs) = (book.orders[order], book.transactions[transaction])
    let (mine, sold) = (terms(ofOrder: order), terms(ofTransaction: transaction))
    if isOrder {
      if !mine.isApple { return .otherChannel(mine.channel) }
      if reuse(of: transaction)?.others.contains(order) == true { return .cameLater }
      if book.transactionOf[order] >= 0 {
        return .hasTransaction(book.transactions[Int(book.transactionOf[order])].row)
      }
      if !ours.transaction.isNone, ours.transaction != theirs.key { return .namesAnother }
    } else {
      if role(of: transaction) != .original { return .needsNone(role(of: transaction)) }
      if let keeper = book.owningOrder(of: transaction) {
        return .hasOrder(book.orders[keeper].row)
      }
      if !theirs.order.isNone, theirs.order != ours.key { return .namesAnother }
    }
    if let why = unbillable(transaction) { return .notBillable(why) }
    return refusal(by: ours, theirs, mine, sold, order, transaction)
  }

  private func refusal(
    by ours: OrderEntry, _ theirs: TransactionEntry, _ mine: OrderTerms, _ sold: TransactionTerms,
    _ order: Int, _ transaction: Int
  ) -> ClaimRefusal {
    if mine.sku != sold.sku { return .otherProduct(mine.sku) }
    if let here = mine.storefront, let there = sold.storefront, here != there {
      return .otherStorefront(here)
    }
    if let here = mine.currency, let there = sold.currency, here != there {
      return .otherCurrency(here)
    }
    let users = (
      book.detail(ofOrder: order, details)?.user ?? .none,
      book.detail(ofTransaction: transaction, details)?.user ?? .none
    )
    if !users.0.isNone, !users.1.isNone, users.0 != users.1 { return .otherUser }
    let delay = Int64(theirs.purchasedAt) - Int64(ours.placedAt)
    if delay < 0 { return .placedAfter(-delay) }
    return delay > 86_400 ? .tooEarly(delay) : .another
  }
}

extension ClaimRefusal {
  /// How far the candidate is from being the one; smaller is nearer.
  fileprivate var distance: Int {
    switch self {
    case .another, .cameLater: 0
    case .placedAfter, .tooEarly: 1
    case .otherUser: 2
    case .hasTransaction, .hasOrder, .namesAnother: 3
    case .notBillable, .needsNone: 4
    case .otherStorefront, .otherCurrency, .otherProduct, .otherChannel: 5
    }
  }
}

extension MatchingContext {
  /// Why a transaction of these terms counts for nothing; nil where it is billable.
  func unbillable(_ terms: TransactionTerms) -> Unbillable? {
    if terms.isSandbox { return .sandbox }
    if terms.isFamilyShared { return .familyShared }
    return isOurs(bundleID: terms.bundleID) ? nil : .otherBundle(terms.bundleID)
  }
}
