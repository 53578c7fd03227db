import Billing
import Pricing

/// Level 1: each order has its transaction and each transaction its order, and they agree.
package struct OrderTieOut {
  let book: ClaimBook
  let context: MatchingContext
  let details: LooseDetails
  let billable: [Bool]
  private var verdicts: [UInt64: PairVerdict] = [:]
  private(set) var drafts: [Draft] = []

  /// All findings of level 1 whose date lies in the period.
  ///
  /// - Precondition: `book` has made all claims, the loose ones included.
  package static func drafts(
    _ book: ClaimBook, details: LooseDetails, context: MatchingContext
  ) -> [Draft] {
    var tieOut = OrderTieOut(book: book, context: context, details: details)
    tieOut.judgeTransactions()
    tieOut.judgeOrders()
    tieOut.judgeReuses()
    tieOut.judgeContradictions()
    tieOut.judgeChains()
    return tieOut.drafts
  }

  private init(book: ClaimBook, context: MatchingContext, details: LooseDetails) {
    self.book = book
    self.context = context
    self.details = details
    billable = book.transactionTerms.map(context.isBillable)
  }

  mutating func add(_ draft: Draft) { drafts.append(draft) }

  /// The accounting day, when it lies in the period.
  func dayInPeriod(_ seconds: UInt32) -> Day? {
    let day = context.businessDay(seconds)
    return context.period.contains(day) ? day : nil
  }

  private mutating func judgeTransactions() {
    let (first, last) = (context.period.first, context.period.last)
    let earliest = context.settings.businessZone.start(of: first).seconds
    let latest = context.settings.businessZone.start(of: last.advanced(by: 1)).seconds
    for index in book.transactions.indices where book.orderOf[index] != ClaimBook.merged {
      let entry = book.transactions[index]
      let isPurchase = Int64(entry.purchasedAt) >= earliest && Int64(entry.purchasedAt) < latest
      let isRefund = Int64(entry.revokedAt) >= earliest && Int64(entry.revokedAt) < latest
      guard isPurchase || isRefund, book.chains.role(of: index) != .restore else { continue }
      if let order = book.owningOrder(of: index) {
        judgePair(order: order, transaction: index, isPurchase: isPurchase, isRefund: isRefund)
      } else if isPurchase, billable[Int(entry.terms)], !book.chains.isRenewal(index),
        !book.transactionTerms[Int(entry.terms)].isTrial
      {
        addUnclaimed(index)
      }
    }
  }

  private mutating func judgePair(
    order: Int, transaction: Int, isPurchase: Bool, isRefund: Bool
  ) {
    let verdict = verdict(
      book.orders[order].terms, book.transactions[transaction].terms)
    let isBillable = billable[Int(book.transactions[transaction].terms)]
    let pair = Pair(order: order, transaction: transaction, verdict: verdict)
    if isRefund, isBillable, verdict.contains(.standing) { addRefundNotReversed(pair) }
    guard isPurchase else { return }
    if book.chains.isRenewal(transaction) {
      if isBillable { judgeStatus(pair) }
      return
    }
    // A receipt that is not a purchase in our app explains all that else would differ.
    if verdict.contains(.sandbox) { return judgeSandbox(pair) }
    if verdict.contains(.bundleDiffers) { return addBundleMismatch(pair) }
    if verdict.contains(.familyShared) { return judgeFamilyShared(pair) }
    judgeStatus(pair)
    judgeTerms(pair)
    judgeTimes(pair)
  }

  private mutating func verdict(_ order: Int32, _ transaction: Int32) -> PairVerdict {
    let key = UInt64(UInt32(bitPattern: order)) << 32 | UInt64(UInt32(bitPattern: transaction))
    if let known = verdicts[key] { return known }
    let verdict = PairVerdict(
      book.orderTerms[Int(order)], book.transactionTerms[Int(transaction)], context)
    verdicts[key] = verdict
    return verdict
  }

  private mutating func addUnclaimed(_ transaction: Int) {
    let entry = book.transactions[transaction]
    let day = context.businessDay(entry.purchasedAt)
    let terms = effective(transaction, order: nil)
    add(
      Draft(
        .transactionWithoutOrder, storefront: terms.storefront, currency: terms.currency, day: day,
        sku: terms.sku, units: Int64(terms.quantity), amount: terms.gross,
        transactions: book.rows(ofTransaction: transaction),
        explanation: "Apple charged \(spoken(terms.gross, terms.currency)) at "
          + "\(Instant(seconds: Int64(entry.purchasedAt))); no order names this transaction, and no "
          + "open order of the SKU was placed in the 24 hours before"))
  }

  /// Orders that no transaction belongs to.
  private mutating func judgeOrders() {
    for index in book.orders.indices where book.isOpen(order: index) {
      let entry = book.orders[index]
      let terms = book.orderTerms[Int(entry.terms)]
      guard terms.status == .paid || terms.status == .fulfilled,
        let day = dayInPeriod(entry.placedAt)
      else { continue }
      let gross = terms.unitPrice.map { $0.multipliedExactly(by: Int64(terms.quantity)) }
      let currency =
        terms.currency ?? terms.storefront.flatMap { context.storefronts.currency(of: $0) }
      add(
        Draft(
          .orderWithoutTransaction, storefront: terms.storefront, currency: currency, day: day,
          sku: terms.sku, units: Int64(terms.quantity), amount: gross.map { -$0 },
          orders: book.rows(ofOrder: index),
          explanation: "the order is \(terms.status.name) for \(spoken(gross, currency)), "
            + (entry.transaction.isNone
              ? "names no transaction, and none claims it"
              : "and the transaction it names is not among Apple's")))
    }
  }

  private mutating func judgeReuses() {
    for reuse in book.reuses {
      let transaction = Int(reuse.transaction)
      guard let day = dayInPeriod(book.transactions[transaction].purchasedAt) else { continue }
      let orders = ([reuse.keeper] + reuse.others).map(Int.init)
      let terms = effective(transaction, order: orders[0])
      let standing = orders.dropFirst().filter {
        let status = book.orderTerms[Int(book.orders[$0].terms)].status
        return status == .paid || status == .fulfilled
      }
      let lost = standing.isEmpty ? nil : terms.gross.map { -$0 * Int64(standing.count) }
      add(
        Draft(
          .transactionReused, storefront: terms.storefront, currency: terms.currency, day: day,
          sku: terms.sku, units: Int64(terms.quantity), amount: lost,
          orders: orders.flatMap { book.rows(ofOrder: $0) },
          transactions: book.rows(ofTransaction: transaction),
          explanation: "\(orders.count) orders name one transaction; the earliest placed keeps it, "
            + "\(standing.count) further paid or fulfilled without a payment"))
    }
  }

  private mutating func judgeContradictions() {
    for contradiction in book.contradictions {
      let transaction = Int(contradiction.transaction)
      guard let day = dayInPeriod(book.transactions[transaction].purchasedAt) else { continue }
      let terms = effective(transaction, order: nil)
      let orders = contradiction.orders.map(Int.init)
      add(
        Draft(
          .sourcesContradict, storefront: terms.storefront, currency: terms.currency, day: day,
          sku: terms.sku, units: Int64(terms.quantity),
          orders: orders.flatMap { book.rows(ofOrder: $0) }, transactions: contradiction.rows,
          explanation: contradiction.what))
    }
  }

  /// Storefront, currency and price of a transaction, with what its order adds.
  func effective(_ transaction: Int, order: Int?) -> EffectiveTerms {
    let entry = book.transactions[transaction]
    return EffectiveTerms(
      book.transactionTerms[Int(entry.terms)],
      order: order.map { book.orderTerms[Int(book.orders[$0].terms)] },
      day: context.businessDay(entry.purchasedAt), context)
  }
}

extension ClaimBook {
  /// The position of the transaction with this key.
  func position(of key: IDKey) -> Int? {
    var position = transactionsByKey.lowerBound(key.raw)
    while position < transactionsByKey.count, transactionsByKey[position].key == key.raw {
      let index = Int(transactionsByKey[position].index)
      if orderOf[index] != Self.merged { return index }
      position += 1
    }
    return nil
  }

  /// The rows that an order was merged from, the kept one first.
  func rows(ofOrder order: Int) -> [RowID] {
    [orders[order].row] + (mergedOrders[Int32(order)] ?? [])
  }

  /// The rows that a transaction was merged from, the kept one first.
  func rows(ofTransaction transaction: Int) -> [RowID] {
    [transactions[transaction].row] + (mergedTransactions[Int32(transaction)] ?? [])
  }
}
