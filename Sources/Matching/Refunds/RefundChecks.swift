import Billing

extension OrderTieOut {
  /// Adds a finding where Apple refunded the transaction of a pair and its order does not say so. A
  /// renewal without an order of its own stands beside the order that its subscription began with,
  /// which was paid for by the first transaction: that order tells only whether anything was taken
  /// back.
  ///
  /// - Parameters:
  ///   - role: what the transaction is in its chain.
  ///   - day: the day of the finding.
  mutating func judgeRefund(_ pair: Pair, _ role: Chains.Role, _ day: Day) {
    guard isRefunded(pair.transaction) else { return }
    let isStanding = pair.verdict.contains(.standing)
    if role != .renewal || table.orderOf[pair.transaction].isMatched {
      if isStanding { addRefundNotReversed(pair, day) }
    } else if isStanding || (pair.verdict.contains(.refunded) && hasRefundOfItsOwn(pair.order)) {
      addRenewalRefunded(pair.transaction, of: pair.order, day)
    }
  }

  /// Adds a finding about a refunded renewal of a subscription whose first order is not loaded.
  mutating func judgeRefund(ofRenewal transaction: Int, _ day: Day) {
    if isRefunded(transaction) { addRenewalRefunded(transaction, of: nil, day) }
  }

  /// When Apple gave how much of a price back, for whatever reason; nil where the ledger knows of
  /// no refund that stands.
  func refund(of transaction: Int) -> (part: Wording, at: Instant, isWhole: Bool)? {
    guard isRefunded(transaction) else { return nil }
    let share = table.terms(ofTransaction: transaction).refundShare
    return (
      words(transaction).part, Instant(seconds: Int64(table.transactions[transaction].revokedAt)),
      share == 1_000_000
    )
  }

  /// Whether Apple gave money back for a transaction, named by its position, and did not take that
  /// back.
  func isRefunded(_ transaction: Int) -> Bool {
    let terms = table.terms(ofTransaction: transaction)
    return table.transactions[transaction].revokedAt != 0 && terms.revocationIsRefund
      && !terms.isRefundReversed
  }

  /// Whether Apple refunded the very transaction that an order has, so that its status says this.
  private func hasRefundOfItsOwn(_ order: Int) -> Bool {
    table.transactionOf[order].position.map(isRefunded) ?? false
  }

  /// Adds a finding about an order that still stands although its transaction was refunded.
  private mutating func addRefundNotReversed(_ pair: Pair, _ day: Day) {
    let (part, reason) = words(pair.transaction)
    let moment = Instant(seconds: Int64(table.transactions[pair.transaction].revokedAt))
    let status = table.terms(ofOrder: pair.order).status
    addRefund(
      .refundNotReversed, pair.transaction, of: pair.order, day,
      """
      @refund-not-reversed.apple-refunded-at-the-order \(part) \(moment) \(reason) \
      \(status.wording)
      """)
  }

  /// Adds a finding about a refunded renewal without an order of its own.
  ///
  /// - Parameter order: the one that its subscription began with; nil where it is not loaded.
  private mutating func addRenewalRefunded(_ transaction: Int, of order: Int?, _ day: Day) {
    let entry = table.transactions[transaction]
    let (part, reason) = words(transaction)
    let moment = Instant(seconds: Int64(entry.revokedAt))
    let start = Instant(seconds: Int64(entry.purchasedAt))
    let end = table.chains.detail(of: transaction).map(\.expiresAt) ?? 0
    let paid: Wording =
      end == 0 ? "@refund.paid \(start)" : "@refund.paid-2 \(start) \(Instant(seconds: Int64(end)))"
    let first: Wording =
      order.map {
        let status = table.terms(ofOrder: $0).status
        return "@refund.period-has-no-order \(status.wording)"
      } ?? "@refund.period-has-no-order-and-the-subscription"
    addRefund(
      .renewalRefunded, transaction, of: order, day,
      """
      @renewal-refunded.apple-refunded-of-a-renewal \(part) \(paid) \(moment) \(reason) \
      \(first)
      """)
  }

  /// How much of a transaction's price Apple gave back, and why, as texts.
  ///
  /// - Parameter transaction: its position.
  private func words(_ transaction: Int) -> (part: Wording, reason: Wording) {
    let terms = table.terms(ofTransaction: transaction)
    let share = terms.refundShare
    return (
      share == 1_000_000
        ? "@refund.full-price"
        : share.map { Wording(verbatim: exactPercent($0)) } ?? "@refund.part",
      terms.revocationReason == "1"
        ? "@shared.because-of-an-issue"
        : "@shared.for-a-reason-other-than"
    )
  }

  /// Adds a finding about a refund, worth the part of the price that was given back.
  private mutating func addRefund(
    _ code: FindingCode, _ transaction: Int, of order: Int?, _ day: Day, _ explanation: Wording
  ) {
    let terms = effective(transaction)
    let share = table.terms(ofTransaction: transaction).refundShare
    var finding = UnresolvedFinding(
      code, storefront: terms.storefront, currency: terms.currency, day: day, sku: terms.sku,
      units: Int64(terms.quantity),
      amount: terms.gross.flatMap { gross in share.map { -portion($0, of: gross, terms.currency) }
      },
      orders: order.map { table.rows(ofOrder: $0) } ?? [],
      transactions: table.rows(ofTransaction: transaction), explanation: explanation
    ).about(order: order, transaction: transaction)
    // The customer paid the rest, and keeps what that is for.
    if share != 1_000_000 {
      finding.action =
        code == .renewalRefunded ? AdviceByFact.renewalShare : AdviceByFact.refundedShare
    }
    add(finding)
  }
}
