package import Billing

extension ClaimBook {
  /// Merges further rows of the same order or transaction, and makes every claim by id: an order's
  /// `transaction_id` first, then a transaction's own `order_id`.
  package init(_ facts: MonthFacts, catalogue: CatalogueBook) {
    orders = []
    transactions = facts.transactions
    orderTerms = facts.orderTerms
    transactionTerms = facts.transactionTerms
    orderOf = Array(repeating: Self.unclaimed, count: transactions.count)
    transactionOf = []
    chains = Chains()
    let (unmerged, all, details) = (self, facts.orders, facts.chainDetails)
    // Transactions need nothing of orders until claims begin.
    let (book, byKey) = inTwoThreads(
      {
        var book = unmerged
        book.gatherTransactions(details, catalogue)
        return book
      },
      { sortedByKey(count: all.count) { all[$0].key.raw } })
    self = book
    (orders, ordersByKey) = (all, byKey)
    transactionOf = Array(repeating: Self.unclaimed, count: orders.count)
    mergeOrders()
    isApple = orderTerms.map(\.isApple)
    claimByTransactionID()
    claimByOrderID()
    // Nothing is looked up by key any more.
    ordersByKey = []
    transactionsByKey = []
  }

  private mutating func gatherTransactions(
    _ details: [TransactionDetail], _ catalogue: CatalogueBook
  ) {
    let transactions = transactions
    transactionsByKey = sortedByKey(count: transactions.count) { transactions[$0].key.raw }
    mergeTransactions()
    chains = Chains(details: details, of: self, catalogue: catalogue)
  }

  /// Walks runs of equal keys and keeps the order's furthest status.
  private mutating func mergeOrders() {
    for run in runs(of: ordersByKey) {
      let ranked = run.map { Int(ordersByKey[$0].index) }.sorted { isFurther($0, $1) }
      let kept = ranked[0]
      for other in ranked.dropFirst() {
        fill(order: kept, from: other)
        transactionOf[other] = Self.merged
        mergedOrders[Int32(kept), default: []].append(orders[other].row)
      }
    }
  }

  /// Descending by status, then by facts only, so that the order of import decides nothing.
  private func isFurther(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (orders[left], orders[right])
    let (s, t) = (orderTerms[Int(a.terms)], orderTerms[Int(b.terms)])
    if s.status != t.status { return s.status > t.status }
    if a.fulfilledAt != b.fulfilledAt { return a.fulfilledAt > b.fulfilledAt }
    if a.transaction != b.transaction { return a.transaction > b.transaction }
    if a.placedAt != b.placedAt { return a.placedAt < b.placedAt }
    return s == t ? false : "\(s)" > "\(t)"
  }

  private mutating func fill(order kept: Int, from other: Int) {
    if orders[kept].transaction.isNone { orders[kept].transaction = orders[other].transaction }
    if orders[kept].fulfilledAt == 0 { orders[kept].fulfilledAt = orders[other].fulfilledAt }
    if orders[kept].terms == orders[other].terms { return }
    var terms = orderTerms[Int(orders[kept].terms)]
    let more = orderTerms[Int(orders[other].terms)]
    let before = terms
    if terms.unitPrice == nil, more.unitPrice != nil {
      terms.unitPrice = more.unitPrice
      terms.currency = terms.currency ?? more.currency
    }
    terms.storefront = terms.storefront ?? more.storefront
    terms.coins = terms.coins ?? more.coins
    if terms.bundleID.isEmpty { terms.bundleID = more.bundleID }
    if terms.channel.isEmpty { terms.channel = more.channel }
    if terms != before { orders[kept].terms = Self.code(of: terms, in: &orderTerms) }
  }

  /// One transaction, many rows: they add what others lack, a revocation once seen stays, and what
  /// they tell differently is a contradiction.
  private mutating func mergeTransactions() {
    for run in runs(of: transactionsByKey) {
      let ranked = run.map { Int(transactionsByKey[$0].index) }.sorted { isEarlier($0, $1) }
      let kept = ranked[0]
      var differing: Set<String> = []
      for other in ranked.dropFirst() {
        differing.formUnion(fill(transaction: kept, from: other))
        orderOf[other] = Self.merged
        mergedTransactions[Int32(kept), default: []].append(transactions[other].row)
      }
      if !differing.isEmpty {
        contradictions.append(
          Contradiction(
            transaction: Int32(kept), orders: [], rows: ranked.map { transactions[$0].row },
            what: "its sources tell different " + differing.sorted().joined(separator: ", ")))
      }
    }
  }

  private func isEarlier(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (transactions[left], transactions[right])
    if a.purchasedAt != b.purchasedAt { return a.purchasedAt < b.purchasedAt }
    if a.order != b.order { return a.order > b.order }
    let (s, t) = (transactionTerms[Int(a.terms)], transactionTerms[Int(b.terms)])
    return s == t ? false : "\(s)" < "\(t)"
  }

  /// Fills what the kept row lacks; returns what the two tell differently.
  private mutating func fill(transaction kept: Int, from other: Int) -> Set<String> {
    var differing: Set<String> = []
    let (mine, theirs) = (transactions[kept], transactions[other])
    if mine.purchasedAt != theirs.purchasedAt { differing.insert("purchase times") }
    if mine.order.isNone {
      transactions[kept].order = theirs.order
    } else if !theirs.order.isNone, theirs.order != mine.order {
      differing.insert("orders")
    }
    if theirs.revokedAt != 0, mine.revokedAt == 0 || theirs.revokedAt < mine.revokedAt {
      transactions[kept].revokedAt = theirs.revokedAt
    }
    if mine.terms == theirs.terms { return differing }
    var terms = transactionTerms[Int(mine.terms)]
    let before = terms
    differing.formUnion(terms.fill(from: transactionTerms[Int(theirs.terms)]))
    if terms != before { transactions[kept].terms = Self.code(of: terms, in: &transactionTerms) }
    return differing
  }

  /// The index of a merged row's terms. Merged rows of one export lack the same columns, so their
  /// terms are often the last that were added.
  private static func code<Terms: Equatable>(of terms: Terms, in all: inout [Terms]) -> Int32 {
    if let known = all.suffix(64).lastIndex(of: terms) { return Int32(known) }
    all.append(terms)
    return Int32(all.count - 1)
  }
}

extension TransactionTerms {
  /// Takes over what these terms lack; returns what the others tell differently.
  fileprivate mutating func fill(from more: TransactionTerms) -> Set<String> {
    var differing: Set<String> = []
    if sku != more.sku { differing.insert("SKUs") }
    if bundleID.isEmpty {
      bundleID = more.bundleID
    } else if !more.bundleID.isEmpty, more.bundleID != bundleID {
      differing.insert("bundles")
    }
    if unitPrice == nil {
      unitPrice = more.unitPrice
      currency = currency ?? more.currency
    } else if let price = more.unitPrice,
      price != unitPrice || (more.currency ?? currency) != (currency ?? more.currency)
    {
      differing.insert("prices")
    }
    currency = currency ?? more.currency
    storefront = storefront ?? more.storefront
    kind = kind ?? more.kind
    if revocationReason.isEmpty { revocationReason = more.revocationReason }
    isUpgraded = isUpgraded || more.isUpgraded
    return differing
  }
}

/// Ranges of positions that share a key, where there are at least two.
func runs(of items: [KeyedIndex]) -> [Range<Int>] {
  var runs: [Range<Int>] = []
  var start = 0
  for index in items.indices.dropFirst() where items[index].key != items[start].key {
    if index - start > 1 { runs.append(start..<index) }
    start = index
  }
  if items.count - start > 1 { runs.append(start..<items.count) }
  return runs
}
