import Billing

extension ClaimBook {
  /// Claims by app account token, then by back-tracing.
  package mutating func claimLoosely(_ details: LooseDetails, context: MatchingContext) {
    let open = transactions.indices.filter { isOpen(transaction: $0) }
      .sorted {
        (transactions[$0].purchasedAt, transactions[$0].key) < (
          transactions[$1].purchasedAt, transactions[$1].key
        )
      }
    guard !open.isEmpty else { return }
    let candidates = looseOrders()
    claimByToken(open, candidates, details)
    let billable = transactionTerms.map(context.isBillable)
    // A transaction that names its order has told whose it is not.
    backTrace(
      open.filter {
        orderOf[$0] == Self.unclaimed && billable[Int(transactions[$0].terms)]
          && transactions[$0].order.isNone
      }, candidates, details)
  }

  /// Orders that neither have nor name a transaction, in the order of placing; of those placed
  /// together the one with the greater id first: a search backwards meets the smaller first.
  private func looseOrders() -> [Int] {
    orders.indices.filter { isOpen(order: $0) && orders[$0].transaction.isNone }
      .sorted { (orders[$0].placedAt, orders[$1].key) < (orders[$1].placedAt, orders[$0].key) }
  }

  /// Of several orders with the token those of the SKU come first, then the nearest before the
  /// purchase; the company's clock may be a little ahead.
  private mutating func claimByToken(
    _ open: [Int], _ candidates: [Int], _ details: LooseDetails
  ) {
    var trail = OrderTrail()
    for order in candidates {
      guard let token = detail(ofOrder: order, details)?.token, !token.isNone else { continue }
      let terms = orderTerms[Int(orders[order].terms)]
      trail.append(order, orders[order], .init(sku: terms.sku, id: token), .any)
      trail.append(order, orders[order], .init(sku: "", id: token), .any)
    }
    if trail.isEmpty { return }
    for index in open {
      guard let token = detail(ofTransaction: index, details)?.token, !token.isNone else {
        continue
      }
      let moment = Int64(transactions[index].purchasedAt)
      let sku = transactionTerms[Int(transactions[index].terms)].sku
      var found: Int?
      for path in [sku, ""].map({ OrderTrail.Path(sku: $0, id: token) }) {
        for latest in [moment, moment + clockTolerance] where found == nil {
          found = trail.latest(on: [path], .any, notAfter: latest, within: .max) {
            transactionOf[$0] == Self.unclaimed
          }
        }
      }
      if let found { claim(order: found, transaction: index) }
    }
  }

  /// The latest earlier order of the same SKU, and user where known, within 24 h, whose storefront
  /// and currency do not contradict; transactions of known users go first.
  private mutating func backTrace(
    _ open: [Int], _ candidates: [Int], _ details: LooseDetails
  ) {
    guard !open.isEmpty else { return }
    var trail = OrderTrail()
    for order in candidates where transactionOf[order] == Self.unclaimed {
      let terms = orderTerms[Int(orders[order].terms)]
      let user = detail(ofOrder: order, details)?.user ?? .none
      let place = OrderTrail.Place(storefront: terms.storefront, currency: terms.currency)
      trail.append(order, orders[order], .init(sku: terms.sku, id: user), place)
      trail.append(order, orders[order], .init(sku: terms.sku, id: nil), place)
    }
    let users = open.map { detail(ofTransaction: $0, details)?.user ?? .none }
    for isKnown in [true, false] {
      for (index, user) in zip(open, users) where user.isNone != isKnown {
        let terms = transactionTerms[Int(transactions[index].terms)]
        // The orders of a known user, and those of nobody known.
        let ids: [IDKey?] = isKnown ? [user, IDKey.none] : [nil]
        let found = trail.latest(
          on: ids.map { .init(sku: terms.sku, id: $0) },
          .init(storefront: terms.storefront, currency: terms.currency),
          notAfter: Int64(transactions[index].purchasedAt), within: 86_400
        ) { transactionOf[$0] == Self.unclaimed }
        if let found { claim(order: found, transaction: index) }
      }
    }
  }
}

/// Seconds by which the company's clock may be ahead of Apple's.
let clockTolerance: Int64 = 300
