package import Billing
import Pricing

/// Level 1: each order has its transaction and each transaction its order, and they agree.
package struct OrderTieOut {
  let table: MatchTable
  let context: MatchingContext
  let details: MatchDetails
  let history: ChainHistory
  let renewals: RenewalObservations
  let days: BusinessDays
  private let lateAfter: Int64
  let reports: SalesReports?
  /// Asked for where an order's price is not its tier's.
  private(set) lazy var offers = ReportedOffers(reports)
  /// Per transaction terms.
  let billable: [Bool]
  let trials: [Bool]
  /// Whether what stands for no purchase of its own is neither the Sandbox's nor the family's.
  private let isNoPurchase: [Bool]
  /// Orders with a refunded transaction, renewals included; only purchases are judged by them.
  private(set) var refundedOrders: Set<Int32> = []
  private(set) var findings: [UnresolvedFinding] = []

  /// What is judged; neither part needs the other.
  package enum Part: CaseIterable, Sendable {
    /// Each order and each transaction, with its match or without.
    case purchases
    /// Transactions of a chain together, and taxes that Apple told.
    case chains
  }

  /// All findings of level 1 whose date lies in the period, those of one part after the other.
  ///
  /// - Parameters:
  ///   - history: transactions of chains before those of the facts.
  ///   - earlierOffers: trials and introductory prices taken before the table's purchases.
  ///   - taxes: what payloads say of the tax in single sales.
  ///   - reports: Apple's sales reports, which name offers that purchases may not; nil where none
  ///     is loaded.
  /// - Precondition: all of `table` is matched, by inference too.
  package static func findings(
    of parts: [Part] = Part.allCases, _ table: MatchTable, details: MatchDetails,
    history: ChainHistory = ChainHistory([]),
    renewals: RenewalObservations = RenewalObservations(), earlierOffers: [ChainLink] = [],
    taxes: [ToldTax] = [], reports: SalesReports? = nil, context: MatchingContext
  ) -> [UnresolvedFinding] {
    var tieOut = OrderTieOut(
      table: table, context: context, details: details, history: history, renewals: renewals,
      reports: reports)
    for part in parts {
      switch part {
      case .purchases:
        // Room that is not used costs nothing, and a list that grows is written twice.
        tieOut.findings.reserveCapacity(table.transactions.count / 4)
        tieOut.findRefundedOrders()
        tieOut.judgeTransactions()
        tieOut.judgeOrders()
        tieOut.judgeReuses()
        tieOut.judgeRepeatedIDs()
        tieOut.judgeContradictions()
        tieOut.judgePlausibility()
        tieOut.judgeWords()
      case .chains:
        tieOut.judgeChains(earlierOffers)
        tieOut.judgeTaxes(taxes)
      }
    }
    return tieOut.findings
  }

  private init(
    table: MatchTable, context: MatchingContext, details: MatchDetails, history: ChainHistory,
    renewals: RenewalObservations, reports: SalesReports?
  ) {
    self.table = table
    self.reports = reports
    self.history = history
    self.renewals = renewals
    self.context = context
    self.details = details
    days = BusinessDays(context)
    lateAfter = context.settings.lateAfter
    billable = table.transactionTerms.map(context.isBillable)
    trials = table.transactionTerms.map(\.isTrial)
    isNoPurchase = table.transactionTerms.map { $0.isNoPurchase && !$0.isFamilyShared }
  }

  /// Fills `refundedOrders` with the orders of refunded transactions in chains.
  private mutating func findRefundedOrders() {
    let givesBack = table.transactionTerms.map { $0.revocationIsRefund && !$0.isRefundReversed }
    for position in table.chains.positions
    where table.transactions[Int(position)].revokedAt != 0
      && givesBack[Int(table.transactions[Int(position)].terms)]
    {
      if let order = table.owningOrder(of: Int(position)) { refundedOrders.insert(Int32(order)) }
    }
  }

  /// Adds a finding. One that speaks of a transaction names the strongest source of what it says.
  mutating func add(_ finding: UnresolvedFinding) {
    var finding = finding
    if let transaction = finding.transaction, finding.code != .sourcesContradict {
      let source = table.factSource(of: transaction)
      finding.explanation =
        source.isUnprovenClaim
        ? """
        @sources-contradict.source-which-proves-nothing-by \(finding.explanation) \
        \(source.wording)
        """
        : "@shared.source \(finding.explanation) \(source.wording)"
    }
    findings.append(finding)
  }

  /// The company's accounting day of a moment in seconds since 1970; nil where it lies outside the
  /// period.
  func dayInPeriod(_ seconds: UInt32) -> Day? {
    let index = days.index(seconds)
    return index < 0 ? nil : days.day(index)
  }

  /// Adds the findings about each transaction with its own order; about a renewal, which has none,
  /// with its original's; and about one without any.
  private mutating func judgeTransactions() {
    var verdicts = PairVerdicts(table, context)
    var unlike: [Pair] = []
    for index in table.transactions.indices {
      let matched = table.orderOf[index]
      if matched == .merged { continue }
      let entry = table.transactions[index]
      let bought = days.index(entry.purchasedAt)
      let refunded = entry.revokedAt == 0 ? -1 : days.index(entry.revokedAt)
      if bought < 0, refunded < 0 { continue }
      let role = table.chains.role(of: index)
      if role == .restore { continue }
      if let order = matched.position ?? table.owningOrder(of: index) {
        judgePair(
          order: order, transaction: index, role, bought: bought, refunded: refunded, &verdicts,
          &unlike)
      } else if role == .renewal {
        if refunded >= 0, billable[Int(entry.terms)] {
          judgeRefund(ofRenewal: index, days.day(refunded))
        }
      } else if bought >= 0, role == .original, billable[Int(entry.terms)],
        !trials[Int(entry.terms)]
      {
        addUnmatched(index, days.day(bought))
      }
    }
    judgeUnlikeNames(unlike, verdicts)
  }

  /// Adds the findings about an order and its transaction, both given by position.
  ///
  /// - Parameters:
  ///   - role: what the transaction is in its chain.
  ///   - bought, refunded: numbers of these days in the period, from 0; less than 0 for none.
  ///   - unlike: takes the pair where its names differ: what that means the others tell.
  private mutating func judgePair(
    order: Int, transaction: Int, _ role: Chains.Role, bought: Int, refunded: Int,
    _ verdicts: inout PairVerdicts, _ unlike: inout [Pair]
  ) {
    let (ours, theirs) = (table.orders[order], table.transactions[transaction])
    let verdict = verdicts.verdict(
      ours.terms, theirs.terms, day: role == .original ? bought : -1, in: table)
    let isLate = PairTimes(ours, theirs, lateAfter: lateAfter).differ
    let isBillable = billable[Int(theirs.terms)]
    if verdict.isSubset(of: .agreeing), refunded < 0, !isLate,
      isBillable || !context.settings.requireSigned
    {
      return
    }
    if !table.supersededOrders.isEmpty, table.supersededOrders.contains(Int32(order)) { return }
    let pair = Pair(order: order, transaction: transaction, verdict: verdict)
    if refunded >= 0, isBillable {
      judgeRefund(pair, role, days.day(refunded))
    }
    guard bought >= 0 else { return }
    if role == .renewal {
      if isBillable { judgeStatus(pair) }
      return
    }
    if verdict.isDisjoint(with: [.skuDiffers, .orderOfOtherBundle]) {
      judgeSale(pair)
    } else {
      unlike.append(pair)
    }
  }

  /// Adds the findings about an order and the transaction that was bought for it in the period.
  mutating func judgeSale(_ pair: Pair) {
    let bought = table.transactions[pair.transaction]
    // A receipt that is not a purchase in our app explains all that else would differ.
    if pair.verdict.contains(.sandbox) { return judgeSandbox(pair) }
    if !billable[Int(bought.terms)], context.settings.requireSigned,
      judgeUnsigned(pair, days.day(days.index(bought.purchasedAt)))
    {
      return
    }
    if !pair.verdict.isDisjoint(with: [.bundleDiffers, .orderOfOtherBundle]) {
      return addBundleMismatch(pair)
    }
    if pair.verdict.contains(.familyShared) { return judgeFamilyShared(pair) }
    if isNoPurchase[Int(bought.terms)] { return }
    judgeStatus(pair)
    judgeTerms(pair)
    judgeTimes(pair)
  }

  /// Adds a finding of the transaction at a position, which no order has; a warning where Apple
  /// refunded it.
  private mutating func addUnmatched(_ transaction: Int, _ day: Day) {
    let entry = table.transactions[transaction]
    let terms = effective(transaction)
    let why: Wording =
      entry.order.isNone
      ? "@order.no-order-names-this-transaction" : "@order.order-that-it-names-is"
    let charged: Wording = """
      @order.apple-charged \(spoken(terms.gross, terms.currency)) \
      \(Instant(seconds: Int64(entry.purchasedAt)))
      """
    let given = refund(of: transaction)
    var finding = UnresolvedFinding(
      .transactionWithoutOrder, storefront: terms.storefront, currency: terms.currency, day: day,
      sku: terms.sku, units: Int64(terms.quantity), amount: terms.gross,
      transactions: table.rows(ofTransaction: transaction),
      explanation: given.map {
        "@transaction-without-order.and-refunded \(charged) \($0.part) \($0.at) \(why)"
      }
        ?? "\(charged); \(why)"
    ).about(transaction: transaction)
    if let given {
      finding.action = given.isWhole ? AdviceByFact.refunded : AdviceByFact.unclaimedShare
      finding.severity = .warning
    }
    add(finding)
  }

  /// Adds a finding for each paid or fulfilled order that no transaction belongs to.
  private mutating func judgeOrders() {
    let standing = table.orderTerms.map { $0.status == .paid || $0.status == .fulfilled }
    for index in table.orders.indices
    where table.transactionOf[index] == .open && table.isOpen(order: index) {
      let entry = table.orders[index]
      guard standing[Int(entry.terms)], let day = dayInPeriod(entry.placedAt) else { continue }
      let status = table.orderTerms[Int(entry.terms)].status
      let terms = EffectiveTerms(table.orderTerms[Int(entry.terms)], day: day, context)
      add(
        UnresolvedFinding(
          .orderWithoutTransaction, storefront: terms.storefront, currency: terms.currency,
          day: day, sku: terms.sku, units: Int64(terms.quantity), amount: terms.gross.map { -$0 },
          orders: table.rows(ofOrder: index),
          explanation: """
            @order-without-transaction.order-is \(status.wording) \
            \(spoken(terms.gross, terms.currency)) \(whyUnmatched(order: index))
            """
        ).about(order: index))
    }
  }

  /// Says why the order at a position has no transaction: the one that it names is not here, it
  /// names none, or what it names is an ID that stands for nothing.
  private func whyUnmatched(order: Int) -> Wording {
    if !table.orders[order].transaction.isNone {
      return "@order.transaction-that-it-names-is"
    }
    return table.repeatedID(of: order) == nil
      ? "@order.it-names-no-transaction"
      : "@order.id-that-it-names-stands"
  }

  /// Adds a finding for each transaction that several orders name.
  private mutating func judgeReuses() {
    for reuse in table.reuses {
      let transaction = Int(reuse.transaction)
      guard let day = dayInPeriod(table.transactions[transaction].purchasedAt) else { continue }
      let orders = ([reuse.keeper] + reuse.others).map(Int.init)
      let terms = effective(transaction)
      // An order that got a transaction of its own after all cost nothing.
      let unpaid = orders.dropFirst().filter {
        let status = table.orderTerms[Int(table.orders[$0].terms)].status
        return !table.transactionOf[$0].isMatched
          && (status == .paid || status == .fulfilled)
      }
      let lost =
        unpaid.isEmpty ? nil : terms.gross.map { -$0.multipliedExactly(by: Int64(unpaid.count)) }
      add(
        UnresolvedFinding(
          .transactionReused, storefront: terms.storefront, currency: terms.currency, day: day,
          sku: terms.sku, units: Int64(terms.quantity), amount: lost,
          orders: orders.flatMap { table.rows(ofOrder: $0) },
          transactions: table.rows(ofTransaction: transaction),
          explanation:
            "@transaction-reused.orders-name-one-transaction \(orders.count) \(unpaid.count)"
        ).about(order: orders[1], transaction: transaction))
    }
  }

  /// Storefront, currency and price of the transaction at a position, with what its order adds.
  func effective(_ transaction: Int) -> EffectiveTerms {
    EffectiveTerms(transaction, in: table, context)
  }
}
