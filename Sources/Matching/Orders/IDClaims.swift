package import Billing
import Synchronization

extension ClaimBook {
  /// Merges further rows of the same order or transaction, and makes every claim by id: an order's
  /// `transaction_id` first, then a transaction's own `order_id`.
  package init(_ facts: consuming MonthFacts, catalogue: CatalogueBook) {
    orders = facts.orders
    transactions = facts.transactions
    orderTerms = facts.orderTerms
    transactionTerms = facts.transactionTerms
    orderOf = Array(repeating: Self.unclaimed, count: transactions.count)
    transactionOf = Array(repeating: Self.unclaimed, count: orders.count)
    chains = Chains()
    facts.orders = []
    facts.transactions = []
    let orders = orders
    let transactions = transactions
    let sorted = inTwoThreads(
      { sortedByKey(count: orders.count) { orders[$0].key.raw } },
      { sortedByKey(count: transactions.count) { transactions[$0].key.raw } })
    ordersByKey = sorted.0
    transactionsByKey = sorted.1
    mergeOrders()
    mergeTransactions()
    chains = Chains(
      details: facts.chainDetails, transactions: self.transactions, terms: transactionTerms,
      catalogue: catalogue, byKey: transactionsByKey,
      isMerged: { [orderOf] in
        orderOf[$0] == Self.merged
      })
    claimByTransactionID()
    claimByOrderID()
  }

  /// Walks runs of equal keys and keeps the order's furthest status.
  private mutating func mergeOrders() {
    for run in runs(of: ordersByKey) {
      let members = run.map { Int(ordersByKey[$0].index) }
      let kept = members.max { isLessFar($0, $1) }!
      for other in members where other != kept {
        fill(order: kept, from: other)
        transactionOf[other] = Self.merged
        mergedOrders[Int32(kept), default: []].append(orders[other].row)
      }
    }
  }

  /// Ascending by status, then by facts only, so that the order of import decides nothing.
  private func isLessFar(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (orders[left], orders[right])
    let (s, t) = (orderTerms[Int(a.terms)], orderTerms[Int(b.terms)])
    if s.status != t.status { return s.status < t.status }
    if a.fulfilledAt != b.fulfilledAt { return a.fulfilledAt < b.fulfilledAt }
    if a.transaction != b.transaction { return a.transaction < b.transaction }
    if a.placedAt != b.placedAt { return a.placedAt > b.placedAt }
    return "\(s)" < "\(t)"
  }

  private mutating func fill(order kept: Int, from other: Int) {
    if orders[kept].transaction.isNone { orders[kept].transaction = orders[other].transaction }
    if orders[kept].fulfilledAt == 0 { orders[kept].fulfilledAt = orders[other].fulfilledAt }
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
    if terms != before {
      orders[kept].terms = Int32(orderTerms.count)
      orderTerms.append(terms)
    }
  }

  /// One transaction, many rows: they add what others lack, a revocation once seen stays, and what
  /// they tell differently is a contradiction.
  private mutating func mergeTransactions() {
    for run in runs(of: transactionsByKey) {
      let members = run.map { Int(transactionsByKey[$0].index) }
      let kept = members.min { isEarlier($0, $1) }!
      var differing: Set<String> = []
      for other in members where other != kept {
        differing.formUnion(fill(transaction: kept, from: other))
        orderOf[other] = Self.merged
        mergedTransactions[Int32(kept), default: []].append(transactions[other].row)
      }
      if !differing.isEmpty {
        contradictions.append(
          Contradiction(
            transaction: Int32(kept), orders: [], rows: members.map { transactions[$0].row },
            what: "its sources tell different " + differing.sorted().joined(separator: ", ")))
      }
    }
  }

  private func isEarlier(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (transactions[left], transactions[right])
    if a.purchasedAt != b.purchasedAt { return a.purchasedAt < b.purchasedAt }
    let (s, t) = (transactionTerms[Int(a.terms)], transactionTerms[Int(b.terms)])
    return s == t ? false : "\(s)" < "\(t)"
  }

  private mutating func fill(transaction kept: Int, from other: Int) -> Set<String> {
    var differing: Set<String> = []
    var terms = transactionTerms[Int(transactions[kept].terms)]
    let more = transactionTerms[Int(transactions[other].terms)]
    let before = terms
    if terms.sku != more.sku { differing.insert("SKUs") }
    if terms.bundleID.isEmpty {
      terms.bundleID = more.bundleID
    } else if !more.bundleID.isEmpty, more.bundleID != terms.bundleID {
      differing.insert("bundles")
    }
    if terms.unitPrice == nil {
      terms.unitPrice = more.unitPrice
      terms.currency = terms.currency ?? more.currency
    } else if let price = more.unitPrice,
      price != terms.unitPrice || (more.currency ?? terms.currency) != terms.currency
    {
      differing.insert("prices")
    }
    if transactions[kept].purchasedAt != transactions[other].purchasedAt {
      differing.insert("purchase times")
    }
    terms.storefront = terms.storefront ?? more.storefront
    terms.kind = terms.kind ?? more.kind
    if more.revocationReason != "", terms.revocationReason == "" {
      terms.revocationReason = more.revocationReason
    }
    terms.isUpgraded = terms.isUpgraded || more.isUpgraded
    if terms != before {
      transactions[kept].terms = Int32(transactionTerms.count)
      transactionTerms.append(terms)
    }
    if transactions[kept].order.isNone { transactions[kept].order = transactions[other].order }
    let revoked = transactions[other].revokedAt
    if revoked != 0, transactions[kept].revokedAt == 0 || revoked < transactions[kept].revokedAt {
      transactions[kept].revokedAt = revoked
    }
    return differing
  }

  /// An order claims a transaction by `transaction_id`; of several the earliest placed keeps it.
  private mutating func claimByTransactionID() {
    let claiming = sortedByKey(count: orders.count) {
      transactionOf[$0] == Self.merged || !orderTerms[Int(orders[$0].terms)].isApple
        ? 0 : orders[$0].transaction.raw
    }
    var claimants: [Int: [Int32]] = [:]
    var next = 0
    var position = claiming.lowerBound(1)
    while position < claiming.count {
      let key = claiming[position].key
      var end = position + 1
      while end < claiming.count, claiming[end].key == key { end += 1 }
      while next < transactionsByKey.count,
        transactionsByKey[next].key < key
          || (transactionsByKey[next].key == key
            && orderOf[Int(transactionsByKey[next].index)] == Self.merged)
      { next += 1 }
      if next < transactionsByKey.count, transactionsByKey[next].key == key {
        let found = Int(transactionsByKey[next].index)
        let transaction = chains.earlier(of: found) ?? found
        if transaction == found, end == position + 1, orderOf[transaction] == Self.unclaimed,
          !chains.hasRestores(transaction)
        {
          claim(order: Int(claiming[position].index), transaction: transaction)
        } else {
          claimants[transaction, default: []] += claiming[position..<end].map { Int32($0.index) }
        }
      }
      position = end
    }
    for (transaction, orders) in claimants.sorted(by: { $0.key < $1.key }) {
      settle(orders, on: transaction)
    }
    noteContradictingIDs()
  }

  private mutating func settle(_ claimants: [Int32], on transaction: Int) {
    let ranked = claimants.sorted {
      (orders[Int($0)].placedAt, orders[Int($0)].key) < (
        orders[Int($1)].placedAt, orders[Int($1)].key
      )
    }
    claim(order: Int(ranked[0]), transaction: transaction)
    guard ranked.count > 1 else { return }
    for other in ranked.dropFirst() { transactionOf[Int(other)] = Self.outdone }
    reuses.append(
      Reuse(
        transaction: Int32(transaction), keeper: ranked[0], others: Array(ranked.dropFirst())))
  }

  /// The order names the transaction, the transaction names another order.
  private mutating func noteContradictingIDs() {
    for index in transactions.indices {
      let order = orderOf[index]
      guard order >= 0, !transactions[index].order.isNone,
        transactions[index].order != orders[Int(order)].key, !chains.isRenewal(index)
      else { continue }
      contradictions.append(
        Contradiction(
          transaction: Int32(index), orders: [order], rows: [transactions[index].row],
          what: "an order names the transaction, the transaction names another order"))
    }
  }

  /// A transaction claims an order by its own `order_id`, purchases before renewals, the earlier
  /// purchase first.
  private mutating func claimByOrderID() {
    var naming: [Int32] = []
    for index in transactions.indices
    where orderOf[index] == Self.unclaimed && !transactions[index].order.isNone
      && chains.role(of: index) != .restore
    {
      naming.append(Int32(index))
    }
    naming.sort { left, right in
      let (a, b) = (transactions[Int(left)], transactions[Int(right)])
      let (r, s) = (chains.isRenewal(Int(left)), chains.isRenewal(Int(right)))
      if r != s { return s }
      return (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
    }
    for index in naming {
      let transaction = transactions[Int(index)]
      var position = ordersByKey.lowerBound(transaction.order.raw)
      while position < ordersByKey.count, ordersByKey[position].key == transaction.order.raw {
        let order = Int(ordersByKey[position].index)
        position += 1
        guard isOpen(order: order) else { continue }
        claim(order: order, transaction: Int(index))
        if !orders[order].transaction.isNone, orders[order].transaction != transaction.key {
          contradictions.append(
            Contradiction(
              transaction: index, orders: [Int32(order)], rows: [transaction.row],
              what: "the transaction names the order, the order names another transaction"))
        }
        break
      }
    }
  }
}

/// Ranges of positions that share a key, where there are at least two.
private func runs(of items: [KeyedIndex]) -> [Range<Int>] {
  var runs: [Range<Int>] = []
  var start = 0
  for index in 1..<max(items.count, 1) where items[index].key != items[start].key {
    if index - start > 1 { runs.append(start..<index) }
    start = index
  }
  if items.count - start > 1 { runs.append(start..<items.count) }
  return runs
}
