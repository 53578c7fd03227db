import Billing
import Ledger
import Matching

extension Explainer {
  /// Explains an order: what happened, its match, its price, and the findings about it.
  ///
  /// - Parameter rows: all rows with the order's id; several files may have one.
  func explanation(order id: String, _ rows: [OrderRow.ID]) throws -> Explanation {
    let evidence = try MatchEvidence(self, orders: rows)
    let order = evidence.matched.order(row: rows[0])!
    let terms = evidence.table.terms(ofOrder: order)
    let transactions = evidence.matched.transactions(of: order)
    let sold = evidence.matched.sold(order: order)
    let status = terms.status.words
    var explanation = Explanation(
      .order, id,
      sold.storefront.map {
        """
        @explain.order-2 \(id) \(sold.quantity) \(sold.sku) \
        \(spoken(sold.gross, sold.currency)) \($0) \(status)
        """
      } ?? """
        @explain.order \(id) \(sold.quantity) \(sold.sku) \(spoken(sold.gross, sold.currency)) \
        \(status)
        """)
    let told = try addEvents(&explanation, evidence, [order], firstOf: transactions)
    explanation.decisions = [evidence.decision(order: order)] + rivals(of: order, evidence)
    let bought = told.first { evidence.table.owner(of: $0)?.rule != .chain }
    let priced = bought.map { evidence.matched.sold(transaction: $0) } ?? sold
    let at = bought.map(evidence.purchasedAt) ?? evidence.placedAt(order)
    explanation.prices = [try check(priced, at)].compactMap(\.self)
    try conclude(&explanation, evidence, [order], told, at: at)
    return explanation
  }

  /// Explains a transaction: what happened, its match, its price, and the findings about it.
  ///
  /// - Parameter rows: all rows with the transaction's id; several sources may have one.
  func explanation(transaction id: String, _ rows: [TransactionRow.ID]) throws -> Explanation {
    let evidence = try MatchEvidence(self, transactions: rows)
    let transaction = evidence.matched.transaction(row: rows[0])!
    let orders = evidence.table.owner(of: transaction).map { [$0.order] } ?? []
    let sold = evidence.matched.sold(transaction: transaction)
    let at = evidence.purchasedAt(transaction)
    var explanation = Explanation(
      .transaction, id,
      sold.storefront.map {
        """
        @explain.transaction-for-in-bought \(id) \(sold.quantity) \(sold.sku) \
        \(spoken(sold.gross, sold.currency)) \($0) \(at)
        """
      } ?? """
        @explain.transaction-for-bought \(id) \(sold.quantity) \(sold.sku) \
        \(spoken(sold.gross, sold.currency)) \(at)
        """)
    try tell(&explanation, evidence, orders: orders, transactions: [transaction])
    explanation.decisions = [evidence.decision(transaction: transaction)]
    explanation.prices = [try check(sold, at)].compactMap(\.self)
    try conclude(&explanation, evidence, orders, [transaction], at: at)
    return explanation
  }

  /// Explains a subscription, or a purchase with its restores.
  ///
  /// - Parameters:
  ///   - id: of the transaction that the chain began with.
  ///   - rows: of all transactions of the chain.
  func explanation(chain id: String, _ rows: [TransactionRow.ID]) throws -> Explanation {
    let evidence = try MatchEvidence(self, transactions: rows)
    let members = Set(rows.compactMap { evidence.matched.transaction(row: $0) })
      .sorted { (evidence.purchasedAt($0), $0) < (evidence.purchasedAt($1), $1) }
    let orders = Set(members.compactMap { evidence.table.owner(of: $0)?.order }).sorted()
    let (first, last) = (evidence.purchasedAt(members[0]), evidence.purchasedAt(members.last!))
    let sku = evidence.table.terms(ofTransaction: members[0]).sku
    var explanation = Explanation(
      .originalTransaction, id,
      """
      @explain.original-transaction-2 \(id) \(Workflow.transactions(members.count)) \(sku) \
      \(first) \(last)
      """)
    let told = try addEvents(&explanation, evidence, orders, firstOf: members)
    explanation.decisions = told.map { evidence.decision(transaction: $0) }
    explanation.prices = [try check(evidence.matched.sold(transaction: members[0]), first)]
      .compactMap(\.self)
    try conclude(&explanation, evidence, orders, told, at: first)
    return explanation
  }

  /// Explains a user: the latest orders and transactions, those that stand alone, and the user's
  /// coins.
  func explanation(user id: String, _ rows: UserRows) throws -> Explanation {
    let last = (
      orders: Array(rows.orders.suffix(Self.userLimit)),
      transactions: Array(rows.transactions.suffix(Self.userLimit))
    )
    let evidence = try MatchEvidence(self, orders: last.orders, transactions: last.transactions)
    let named = Set(last.orders.compactMap { evidence.matched.order(row: $0) })
    let bought = Set(last.transactions.compactMap { evidence.matched.transaction(row: $0) })
      .union(named.flatMap { evidence.matched.transactions(of: $0) })
    let orders = named.union(bought.compactMap { evidence.table.owner(of: $0)?.order })
    let latest = (
      orders: orders.sorted { evidence.placedAt($0) > evidence.placedAt($1) },
      transactions: bought.sorted { evidence.purchasedAt($0) > evidence.purchasedAt($1) }
    )
    var explanation = Explanation(
      .user, shown(user: id),
      """
      @explain.user-and-from-apple \(shown(user: id)) \(Workflow.orders(orders.count)) \
      \(Workflow.transactions(bought.count)) \(records(rows.messages.count))
      """)
    let shown = Array(latest.orders.prefix(Self.eventLimit))
    _ = try addEvents(&explanation, evidence, shown, firstOf: latest.transactions)
    explanation.untold += orders.count - shown.count
    let alone = latest.orders.filter { evidence.matched.transactions(of: $0).isEmpty }
    let unclaimed = latest.transactions.filter { evidence.table.owner(of: $0) == nil }
    explanation.decisions =
      alone.prefix(Self.shownLimit).map { evidence.decision(order: $0) }
      + unclaimed.prefix(Self.shownLimit).map { evidence.decision(transaction: $0) }
    try conclude(
      &explanation, evidence, latest.orders, latest.transactions,
      at: latest.orders.first.map(evidence.placedAt)
        ?? latest.transactions.first.map(evidence.purchasedAt))
    explanation.coins = try coins(ofUser: id)
    if rows.orders.count > Self.userLimit || rows.transactions.count > Self.userLimit {
      explanation.notes.append(
        "@explain.only-the-last-orders \(Self.userLimit)")
    }
    return explanation
  }

  /// Orders and transactions of a user that are looked at.
  private static let userLimit = 500

  /// The decision about the transaction that this order names and another order keeps; empty where
  /// there is none.
  private func rivals(of order: Int, _ evidence: MatchEvidence) -> [MatchDecision] {
    evidence.matched.lost(by: order).map { [evidence.decision(transaction: $0)] } ?? []
  }

  /// The price check of what was sold at a moment, on Apple's day of it; nil where no storefront is
  /// known.
  private func check(_ sold: SoldTerms, _ at: Instant) throws -> PriceCheck? {
    guard let storefront = sold.storefront else { return nil }
    return priceCheck(sold, on: try reportDay(of: at, in: storefront).0)
  }

  /// Adds what happened to the orders and to the first of the transactions, and returns these
  /// transactions.
  private func addEvents(
    _ explanation: inout Explanation, _ evidence: MatchEvidence, _ orders: [Int],
    firstOf transactions: [Int]
  ) throws -> [Int] {
    let told = Array(transactions.prefix(Self.eventLimit))
    try tell(&explanation, evidence, orders: orders, transactions: told)
    explanation.untold = transactions.count - told.count
    return told
  }

  /// Adds what happened to orders and transactions, and the rows that it is read from.
  ///
  /// - Parameters:
  ///   - orders: positions in the match table.
  ///   - transactions: positions in the match table.
  func tell(
    _ explanation: inout Explanation, _ evidence: MatchEvidence, orders: [Int], transactions: [Int]
  ) throws {
    let timeline = try Timeline(evidence, orders: orders, transactions: transactions)
    explanation.timeline = timeline.events
    if timeline.hasAssumedBoundary {
      explanation.notes.append(
        "@explain.where-apple-day-begins-is")
    }
    if evidence.matched.hasCorrectedTimes { explanation.notes.append(correctedTimes) }
    let orderRows = orders.flatMap { evidence.table.rows(ofOrder: $0) }
    let transactionRows = transactions.flatMap { evidence.table.rows(ofTransaction: $0) }
    let (shownOrders, shownTransactions) = (
      orderRows.prefix(Self.evidenceLimit), transactionRows.prefix(Self.evidenceLimit)
    )
    explanation.evidence += try factRows(Array(shownOrders), of: .orders)
    explanation.evidence += try factRows(Array(shownTransactions), of: .transactions)
    explanation.furtherEvidence +=
      orderRows.count + transactionRows.count - shownOrders.count - shownTransactions.count
  }

  /// Adds the recorded findings about these orders and transactions, and what to do next.
  ///
  /// - Parameters:
  ///   - orders: positions in the match table.
  ///   - transactions: positions in the match table.
  ///   - moment: when it was ordered or bought: what to do depends on the findings of that month.
  private func conclude(
    _ explanation: inout Explanation, _ evidence: MatchEvidence, _ orders: [Int],
    _ transactions: [Int],
    at moment: Instant?
  ) throws {
    let related = try shown(
      ledger.findings(
        touchingOrders: orders.map { evidence.resolved(order: $0).id },
        transactions: transactions.map { evidence.resolved(transaction: $0).id }
      ).map(\.finding))
    explanation.related = Array(related.prefix(Self.shownLimit))
    explanation.furtherRelated = related.count - explanation.related.count
    let standsAlone =
      orders.contains(where: evidence.isUnpaid)
      || transactions.contains(where: evidence.isUnclaimed)
    try addNext(
      &explanation, after: related, on: moment?.day(),
      standsAlone
        ? "@explain.do-nothing-before-the-period" : "@explain.nothing-to-do-no-finding")
  }

  /// Adds what the findings about a day ask to be done, or how to have findings where none are
  /// recorded.
  ///
  /// - Parameter nothing: what is said where a recorded reconciliation has no finding.
  func addNext(
    _ explanation: inout Explanation, after related: [Finding], on day: Day?, _ nothing: Wording
  ) throws {
    var seen: Set<Wording> = []
    explanation.next = related.map(\.action).filter { seen.insert($0).inserted }
    if let day, try !ledger.hasRecordedRun(on: day) {
      let period = period(of: day)
      explanation.notes.append(
        "@explain.no-reconciliation-of-is-recorded \(period)")
      explanation.next.append(
        "@explain.reconcile-the-month-to-see \(period)")
    } else if let day, let again = try outdated(period(of: day)) {
      explanation.next.insert(again, at: 0)
    } else if related.isEmpty {
      explanation.next.append(nothing)
    }
  }

  /// The advice to reconcile a period again, as something that its last reconciliation follows from
  /// has changed; nil elsewhere, and of a closed period.
  func outdated(_ period: Period) throws -> Wording? {
    guard request.version != nil, let run = try ledger.recordedRun(period), let basis = run.basis,
      try CloseBook(ledger).close(of: period) == nil
    else { return nil }
    var reconcile = ReconcileRequest(
      ledgerPath: request.ledgerPath, period: period, settings: request.settings, asOf: run.asOf)
    reconcile.version = request.version
    if try reconcile.basis(ledger) == basis { return nil }
    return "@explain.reconcile-again-first-with-tieout \(period) \(period) \(run.asOf)"
  }
}

extension OrderStatus {
  /// The status as a person reads it.
  var words: Wording {
    switch self {
    case .created: "@explain.created-not-paid"
    case .paid: "@explain.paid-not-fulfilled"
    case .fulfilled: "@shared.fulfilled"
    case .refunded: "@shared.refunded"
    case .cancelled: "@shared.cancelled"
    }
  }
}

/// Said where times are not what the rows tell.
let correctedTimes: Wording = "@explain.clock-was-found"
