package import Billing

extension MatchTable {
  /// Matches what no id ties together: by app account token, then by back-tracing.
  ///
  /// - Parameters:
  ///   - details: users and tokens of open orders and transactions.
  ///   - clocks: rules of clocks that are off; the times of rows that they name are corrected.
  package mutating func matchWithoutIDs(
    _ details: MatchDetails, context: MatchingContext, clocks: [ClockRule] = []
  ) {
    let open = openTransactions(details)
    guard !open.isEmpty else { return }
    var candidates = unnamedOrders(details)
    var texts = TextNumbers()
    let skusToJoin = skusWithoutApp(context.catalogue.shared)
    /// The number of a product's SKU: with its app, unless some order or transaction gives the SKU
    /// without one (`skusToJoin`).
    func skuNumber(ofProduct name: String) -> Int32 {
      if skusToJoin.isEmpty { return texts.number(name) }
      let sku = AppProduct(name).sku
      return texts.number(skusToJoin.contains(sku) ? sku : name)
    }
    let skus = (
      orders: orderTerms.map { skuNumber(ofProduct: $0.sku) },
      transactions: transactionTerms.map { skuNumber(ofProduct: $0.sku) }
    )
    matchByToken(open, candidates, skus)
    let billable = transactionTerms.map(context.isBillable)
    // A transaction that names its order has told whose it is not.
    var untold = open.filter {
      orderOf[Int($0.row)] == .open && billable[Int(transactions[Int($0.row)].terms)]
        && transactions[Int($0.row)].order.isNone
    }
    // What is left is looked for a little later, where the company's clock is ahead: the nearest
    // first, and never before an order that was placed in time.
    for ahead in [0] + Rules.clockLeads {
      untold.removeAll { orderOf[Int($0.row)] != .open }
      candidates.removeAll { transactionOf[Int($0.row)] != .open }
      if untold.isEmpty || candidates.isEmpty { return }
      backTrace(untold, candidates, skus, ahead: ahead)
    }
    for clock in clocks where clock.side == .orders && clock.judgesPairs && clock.seconds > 0 {
      match(by: clock, untold, candidates, skus)
    }
  }

  /// Matches each purchase with the latest order of its user, product and place that was placed
  /// minutes before it once the clock's lead is taken off, and takes it off that order's times.
  /// This is for a clock that ids show to be ahead here and there, as where two servers write one
  /// file.
  ///
  /// - Parameters:
  ///   - clock: ahead; orders of its spans were corrected before and are left out.
  ///   - open: transactions, in the order in which they may choose.
  ///   - candidates: orders, in the order of placing.
  private mutating func match(
    by clock: ClockRule, _ open: [Buyer], _ candidates: [Buyer], _ skus: SKUNumbers
  ) {
    let candidates = candidates.filter { order in
      !order.user.isNone && transactionOf[Int(order.row)] == .open
        && clock.span(of: orders[Int(order.row)].row.number) == nil
    }
    if candidates.isEmpty { return }
    var trail = usersTrail(candidates, skus)
    for buyer in open where !buyer.user.isNone && orderOf[Int(buyer.row)] == .open {
      let entry = transactions[Int(buyer.row)]
      let found = trail.latest(
        on: .init(sku: skus.transactions[Int(entry.terms)], id: buyer.user), place(of: entry),
        notAfter: Int64(entry.purchasedAt) + Int64(clock.seconds) + Rules.clockTolerance,
        within: Rules.clockSlack + Rules.clockTolerance
      ) { transactionOf[$0] == .open }
      guard let found else { continue }
      match(order: Int(found.order), transaction: Int(buyer.row), by: .backTracing)
      setBack(order: Int(found.order), by: Int64(clock.seconds))
    }
  }

  /// Takes seconds off the times of the order at a position.
  private mutating func setBack(order: Int, by seconds: Int64) {
    orders[order].placedAt = UInt32(clamping: Int64(orders[order].placedAt) - seconds)
    guard orders[order].fulfilledAt != 0 else { return }
    orders[order].fulfilledAt = UInt32(clamping: Int64(orders[order].fulfilledAt) - seconds)
  }

  /// SKUs of several apps (`shared`) that some order or transaction gives without an app, so that
  /// it may be of any.
  private func skusWithoutApp(_ shared: SharedSKUs) -> Set<String> {
    if shared.isEmpty { return [] }
    return Set((orderTerms.map(\.sku) + transactionTerms.map(\.sku)).filter(shared.contains))
  }

  /// A row that no id ties to another, and whose it is.
  private struct Buyer {
    /// The position of the order or transaction.
    let row: Int32
    let user: IDKey
    let token: IDKey
  }

  // Details are looked up in the order of rows, in which they stand, and put in order after that.

  /// Transactions that look for an order, with their users and tokens; the earlier purchase first,
  /// then the smaller id.
  private func openTransactions(_ details: MatchDetails) -> [Buyer] {
    var open: [Buyer] = []
    var cursor = 0
    for index in transactions.indices where isOpen(transaction: index) {
      let told = detail(ofTransaction: index, details, near: &cursor)
      open.append(
        Buyer(row: Int32(index), user: told?.user ?? .none, token: told?.token ?? .none))
    }
    open = sorted(open) { transactions[$0].key.raw }
    return sorted(open) { UInt64(transactions[$0].purchasedAt) }
  }

  /// Orders that neither have nor name a transaction, in the order of placing; of those placed
  /// together the one with the greater id first: a search backwards meets the smaller first.
  private func unnamedOrders(_ details: MatchDetails) -> [Buyer] {
    var unnamed: [Buyer] = []
    var cursor = 0
    for index in orders.indices where orders[index].transaction.isNone && isOpen(order: index) {
      let told = detail(ofOrder: index, details, near: &cursor)
      unnamed.append(
        Buyer(row: Int32(index), user: told?.user ?? .none, token: told?.token ?? .none))
    }
    unnamed = sorted(unnamed) { ~orders[$0].key.raw }
    return sorted(unnamed) { UInt64(orders[$0].placedAt) }
  }

  /// The rows ascending by a key, those of equal keys in their order.
  ///
  /// - Parameter key: of the row at a position.
  private func sorted(_ buyers: [Buyer], by key: (Int) -> UInt64) -> [Buyer] {
    sortedByKey(count: buyers.count) { key(Int(buyers[$0].row)) }.map { buyers[Int($0.index)] }
  }

  /// Numbers of SKUs per order terms and per transaction terms; 0 is none.
  private typealias SKUNumbers = (orders: [Int32], transactions: [Int32])

  /// Matches transactions with orders of the same app account token: of several those of the SKU
  /// come first, then the nearest before the purchase; the company's clock may be a little ahead.
  ///
  /// - Parameters:
  ///   - open: transactions, in the order in which they may choose.
  ///   - candidates: orders, in the order of placing.
  private mutating func matchByToken(_ open: [Buyer], _ candidates: [Buyer], _ skus: SKUNumbers) {
    var trail = OrderTrail(orders, room: 2 * candidates.count { !$0.token.isNone })
    for order in candidates where !order.token.isNone {
      let sku = skus.orders[Int(orders[Int(order.row)].terms)]
      trail.append(order.row, .init(sku: sku, id: order.token), .any)
      trail.append(order.row, .init(sku: 0, id: order.token), .any)
    }
    if trail.isEmpty { return }
    trail.seal()
    for buyer in open where !buyer.token.isNone {
      let entry = transactions[Int(buyer.row)]
      let moment = Int64(entry.purchasedAt)
      var found: OrderTrail.Found?
      for sku in [skus.transactions[Int(entry.terms)], 0] {
        for latest in [moment, moment + Rules.clockTolerance] where found == nil {
          found = trail.latest(
            on: .init(sku: sku, id: buyer.token), .any, notAfter: latest, within: .max
          ) { transactionOf[$0] == .open }
        }
      }
      if let found {
        match(order: Int(found.order), transaction: Int(buyer.row), by: .token)
      }
    }
  }

  /// Matches each transaction with the latest earlier order of the same SKU, and user where known,
  /// within 24 h, whose storefront and currency do not contradict; transactions of known users go
  /// first.
  ///
  /// - Parameters:
  ///   - open: transactions, in the order in which they may choose.
  ///   - candidates: orders, in the order of placing.
  ///   - ahead: seconds by which an order may be placed after the purchase and still be earlier.
  private mutating func backTrace(
    _ open: [Buyer], _ candidates: [Buyer], _ skus: SKUNumbers, ahead: Int64
  ) {
    var trail = usersTrail(candidates, skus)
    for buyer in open where !buyer.user.isNone {
      let entry = transactions[Int(buyer.row)]
      let (sku, place) = (skus.transactions[Int(entry.terms)], self.place(of: entry))
      var found: OrderTrail.Found?
      // The orders of the user, and those of nobody known.
      for id in [buyer.user, .none] {
        found = trail.latest(
          on: .init(sku: sku, id: id), place, notAfter: Int64(entry.purchasedAt) + ahead,
          within: Rules.traceBack + ahead, or: found
        ) { transactionOf[$0] == .open }
      }
      if let found {
        match(order: Int(found.order), transaction: Int(buyer.row), by: .backTracing)
      }
    }
    backTraceUnknown(
      open.filter(\.user.isNone).map(\.row),
      candidates.map(\.row).filter { transactionOf[Int($0)] == .open }, skus, ahead: ahead)
  }

  /// The candidate orders as a trail, found by SKU and user.
  ///
  /// - Parameter candidates: in the order of placing.
  private func usersTrail(_ candidates: [Buyer], _ skus: SKUNumbers) -> OrderTrail {
    var trail = OrderTrail(orders, room: candidates.count)
    for order in candidates {
      let entry = orders[Int(order.row)]
      trail.append(
        order.row, .init(sku: skus.orders[Int(entry.terms)], id: order.user), place(of: entry))
    }
    trail.seal()
    return trail
  }

  /// Matches transactions whose user nobody told with the latest earlier order of the same SKU and
  /// place within 24 h.
  ///
  /// - Parameters:
  ///   - open: positions of transactions.
  ///   - candidates: positions of orders, in the order of placing.
  ///   - ahead: seconds by which an order may be placed after the purchase and still be earlier.
  private mutating func backTraceUnknown(
    _ open: [Int32], _ candidates: [Int32], _ skus: SKUNumbers, ahead: Int64
  ) {
    if open.isEmpty || candidates.isEmpty { return }
    var trail = OrderTrail(orders, room: candidates.count)
    for order in candidates {
      let entry = orders[Int(order)]
      trail.append(order, .init(anyOf: skus.orders[Int(entry.terms)]), place(of: entry))
    }
    trail.seal()
    for index in open {
      let entry = transactions[Int(index)]
      let found = trail.latest(
        on: .init(anyOf: skus.transactions[Int(entry.terms)]), place(of: entry),
        notAfter: Int64(entry.purchasedAt) + ahead, within: Rules.traceBack + ahead
      ) { transactionOf[$0] == .open }
      if let found {
        match(order: Int(found.order), transaction: Int(index), by: .backTracing)
      }
    }
  }

  /// Storefront and currency of an order, as its terms tell them.
  private func place(of entry: OrderEntry) -> SalePlace { orderTerms[Int(entry.terms)].place }

  /// Storefront and currency of a transaction, as its terms tell them.
  private func place(of entry: TransactionEntry) -> SalePlace {
    transactionTerms[Int(entry.terms)].place
  }
}

extension MatchTable {
  /// What speaks against tracing a purchase back to an order, in the order in which back-tracing
  /// asks: product, place, user, time. Nil where nothing does.
  package func refusalToTraceBack(_ transaction: Int, to order: Int, _ details: MatchDetails)
    -> MatchRefusal?
  {
    let (ours, theirs) = (terms(ofOrder: order), terms(ofTransaction: transaction))
    if !AppProduct.mayBeSame(ours.sku, theirs.sku) { return .otherProduct(ours.sku) }
    switch ours.place.difference(from: theirs.place) {
    case .storefront: return ours.storefront.map { .otherStorefront($0) }
    case .currency: return ours.currency.map { .otherCurrency($0) }
    case nil: break
    }
    let placedBy = detail(ofOrder: order, details)?.user ?? .none
    let boughtBy = detail(ofTransaction: transaction, details)?.user ?? .none
    if !placedBy.isNone, !boughtBy.isNone, placedBy != boughtBy { return .otherUser }
    let delay = Int64(transactions[transaction].purchasedAt) - Int64(orders[order].placedAt)
    if delay < -Rules.clockTolerance { return .placedAfter(-delay) }
    return delay > Rules.traceBack ? .tooEarly(delay) : nil
  }
}
