package import Billing

/// What the ledger tells of rows that no id claims; keyed by row.
package struct LooseDetails: Sendable {
  package var orders: [RowID: OrderDetail]
  package var transactions: [RowID: TransactionDetail]

  package init(orders: [OrderDetail], transactions: [TransactionDetail]) {
    self.orders = Dictionary(orders.map { ($0.row, $0) }) { first, _ in first }
    self.transactions = Dictionary(transactions.map { ($0.row, $0) }) { first, _ in first }
  }
}

extension ClaimBook {
  /// Rows whose users and tokens the looser claims and the user checks need, ascending.
  package func rowsNeedingDetail() -> (orders: [RowID], transactions: [RowID]) {
    var orderRows: Set<RowID> = []
    var transactionRows: Set<RowID> = []
    for index in transactions.indices where isOpen(transaction: index) {
      transactionRows.insert(transactions[index].row)
    }
    if !transactionRows.isEmpty {
      for index in orders.indices where isOpen(order: index) { orderRows.insert(orders[index].row) }
    }
    for index in transactions.indices {
      let order = orderOf[index]
      guard order >= 0 else { continue }
      let terms = transactionTerms[Int(transactions[index].terms)]
      if terms.environment == .sandbox || chains.detail(of: index) != nil {
        orderRows.insert(orders[Int(order)].row)
        transactionRows.insert(transactions[index].row)
      }
    }
    return (orderRows.sorted(), transactionRows.sorted())
  }

  /// Claims by app account token, then by back-tracing.
  package mutating func claimLoosely(_ details: LooseDetails, context: MatchingContext) {
    var open = transactions.indices.filter { isOpen(transaction: $0) }
    guard !open.isEmpty else { return }
    open.sort {
      (transactions[$0].purchasedAt, transactions[$0].key) < (
        transactions[$1].purchasedAt, transactions[$1].key
      )
    }
    claimByToken(open, details)
    let billable = transactionTerms.map(context.isBillable)
    backTrace(
      open.filter {
        orderOf[$0] == Self.unclaimed && billable[Int(transactions[$0].terms)]
      }, details)
  }

  private mutating func claimByToken(_ open: [Int], _ details: LooseDetails) {
    var byToken: [IDKey: [Int]] = [:]
    for index in orders.indices where isOpen(order: index) && orders[index].transaction.isNone {
      guard let token = details.orders[orders[index].row]?.token, !token.isNone else { continue }
      byToken[token, default: []].append(index)
    }
    guard !byToken.isEmpty else { return }
    for index in open {
      let transaction = transactions[index]
      guard let token = details.transactions[transaction.row]?.token, !token.isNone,
        let candidates = byToken[token]
      else { continue }
      let sku = transactionTerms[Int(transaction.terms)].sku
      let latest = Int64(transaction.purchasedAt) + clockTolerance
      let best =
        candidates
        .filter { isOpen(order: $0) && Int64(orders[$0].placedAt) <= latest }
        .max { left, right in
          let (a, b) = (orders[left], orders[right])
          let sameA = orderTerms[Int(a.terms)].sku == sku
          let sameB = orderTerms[Int(b.terms)].sku == sku
          if sameA != sameB { return sameB }
          if a.placedAt != b.placedAt { return a.placedAt < b.placedAt }
          return a.key > b.key
        }
      if let best { claim(order: best, transaction: index) }
    }
  }

  /// The latest earlier order of the same SKU, and user where known, within 24 h, whose storefront
  /// and currency do not contradict; transactions of known users go first.
  private mutating func backTrace(_ open: [Int], _ details: LooseDetails) {
    guard !open.isEmpty else { return }
    var trail = OrderTrail()
    let sorted = orders.indices.filter { isOpen(order: $0) && orders[$0].transaction.isNone }
      .sorted { (orders[$0].placedAt, orders[$1].key) < (orders[$1].placedAt, orders[$0].key) }
    for index in sorted {
      let user = details.orders[orders[index].row]?.user ?? .none
      trail.append(
        index, placedAt: orders[index].placedAt, sku: orderTerms[Int(orders[index].terms)].sku,
        user: user)
    }
    for wantsUser in [true, false] {
      for index in open where orderOf[index] == Self.unclaimed {
        let transaction = transactions[index]
        let user = userKey(of: index, details)
        guard user.isNone != wantsUser else { continue }
        let terms = transactionTerms[Int(transaction.terms)]
        let found = trail.latest(
          sku: terms.sku, user: user, notAfter: transaction.purchasedAt
        ) { order in
          let entry = orders[order]
          if transaction.purchasedAt - entry.placedAt > 86_400 { return .tooEarly }
          if transactionOf[order] != Self.unclaimed { return .taken }
          let theirs = orderTerms[Int(entry.terms)]
          let contradicts =
            differ(theirs.storefront, terms.storefront) || differ(theirs.currency, terms.currency)
          return contradicts ? .unfit : .fits
        }
        if let found { claim(order: found, transaction: index) }
      }
    }
  }

  /// The user of a transaction, from its own row.
  func userKey(of transaction: Int, _ details: LooseDetails) -> IDKey {
    details.transactions[transactions[transaction].row]?.user
      ?? chains.detail(of: transaction)?.user ?? .none
  }
}

/// Seconds by which the company's clock may be ahead of Apple's.
let clockTolerance: Int64 = 300

private func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
  guard let left, let right else { return false }
  return left != right
}
