package import Billing
package import Conclusions

/// A line of the list of subscriptions before its rows are resolved to ids.
package struct UnresolvedSubscription: Sendable {
  package var line: SubscriptionLine
  /// Rows of the latest transaction.
  package var transactions: [TransactionRow.ID]
  /// Rows of the period's other transactions.
  package var others: [TransactionRow.ID]
  /// Rows of the transactions that were refunded in the period, whenever they were bought.
  package var refunded: [TransactionRow.ID]
  package var orders: [OrderRow.ID]
}

/// The chains of auto-renewable subscriptions that a period touches by a purchase or a refund, as
/// they stood at its end.
package struct SubscriptionSurvey: Sendable {
  /// By SKU and state, sorted.
  package let counts: [SubscriptionCount]
  private var surveyor: ChainSurveyor
  private let all: [ChainSurveyor.Chain]
  private let history: ChainHistory

  /// Looks at each chain that the table has.
  package init(
    _ table: MatchTable, history: ChainHistory, renewals: RenewalObservations,
    context: MatchingContext
  ) {
    surveyor = ChainSurveyor(table, renewals, context)
    all = surveyor.surveyed()
    counts = surveyor.counts(of: all)
    self.history = history
  }

  package var chainCount: Int { all.count }

  /// Drops details of transactions that only matching and tying out need, as
  /// ``MatchTable/giveUpDetails()`` does.
  package mutating func giveUpDetails() { surveyor = surveyor.withoutDetails() }

  /// The chains, or those of them that began with one of some transactions. They are put together
  /// when they are asked for: there are as many as subscribers.
  package func chains(of originals: Set<IDKey>? = nil) -> [UnresolvedSubscription] {
    all.filter { originals?.contains(surveyor.original(of: $0)) ?? true }
      .map { surveyor.unresolved($0, history) }
  }
}

/// Looks at each chain of a table. One of it stands for all that it holds, which is too much to be
/// copied for each chain.
private final class ChainSurveyor: Sendable {
  /// What is kept of every chain.
  struct Chain: Sendable {
    /// The chain's key and run of `keyed`.
    var run: Range<Int>
    /// Position of the latest transaction.
    var latest: Int32
    var state: SubscriptionState
    var willRenew: Bool?
    var expiresAt: UInt32
  }

  private let table: MatchTable
  private let renewals: RenewalObservations
  private let context: MatchingContext
  /// Seconds since 1970: the period's first, and the first after it.
  private let start: Int64
  private let end: Int64
  private let keyed: [KeyedIndex]

  /// Prepares to look at the chains of a table.
  init(_ table: MatchTable, _ renewals: RenewalObservations, _ context: MatchingContext) {
    self.table = table
    self.renewals = renewals
    self.context = context
    start = context.settings.businessZone.start(of: context.period.first).seconds
    end = context.settings.businessZone.start(of: context.period.last.advanced(by: 1)).seconds
    keyed = Self.keyed(table, context, before: end)
  }

  /// The same surveyor of a table with fewer details.
  private init(_ other: ChainSurveyor, _ table: MatchTable) {
    self.table = table
    (renewals, context) = (other.renewals, other.context)
    (start, end, keyed) = (other.start, other.end, other.keyed)
  }

  /// A copy without the details of transactions that only matching and tying out need.
  func withoutDetails() -> ChainSurveyor {
    var table = table
    table.giveUpDetails()
    return ChainSurveyor(self, table)
  }

  /// The details of chains by their indices, ascending by the key of the transaction that their
  /// chain began with. The key is 0 for transactions that are of no renewing subscription, that
  /// restore others, or that were bought at `end` or later.
  ///
  /// - Parameter end: seconds since 1970.
  private static func keyed(
    _ table: MatchTable, _ context: MatchingContext, before end: Int64
  ) -> [KeyedIndex] {
    let (positions, details) = (table.chains.positions, table.chains.details)
    let kinds = table.transactionTerms.map { terms -> ProductKind? in
      context.isBillable(terms) ? terms.kind ?? context.catalogue.kind(terms.sku) : .consumable
    }
    return sortedByKey(count: positions.count) { place in
      let (entry, detail) = (table.transactions[Int(positions[place])], details[place])
      let isRenewing =
        kinds[Int(entry.terms)].map { $0 == .autoRenewable }
        ?? (!detail.webOrderLineItem.isNone || detail.expiresAt != 0)
      guard isRenewing, Int64(entry.purchasedAt) < end,
        table.chains.role(of: Int(positions[place])) != .restore
      else { return 0 }
      return (detail.original.isNone ? entry.key : detail.original).raw
    }
  }

  /// All chains that the period touches by a purchase or a refund.
  func surveyed() -> [Chain] {
    var chains: [Chain] = []
    chains.reserveCapacity(keyed.count)
    var first = 0
    for next in 1..<max(keyed.count + 1, 1)
    where next == keyed.count || keyed[next].key != keyed[first].key {
      if keyed[first].key != 0, let chain = chain(first..<next) { chains.append(chain) }
      first = next
    }
    return chains
  }

  /// A chain as it stood at the period's end; nil where it has no purchase or refund in the period.
  ///
  /// - Parameter run: the part of `keyed` that is the chain's.
  private func chain(_ run: Range<Int>) -> Chain? {
    var isTouched = false
    var latest: Int?
    for item in keyed[run] {
      let position = table.chains.positions[Int(item.index)]
      let entry = table.transactions[Int(position)]
      isTouched = isTouched || isInPeriod(entry.purchasedAt) || isInPeriod(entry.revokedAt)
      guard let known = latest else {
        latest = Int(item.index)
        continue
      }
      if isLater(entry, than: table.transactions[Int(table.chains.positions[known])]) {
        latest = Int(item.index)
      }
    }
    guard isTouched, let latest else { return nil }
    let position = table.chains.positions[latest]
    let expiresAt = table.chains.details[latest].expiresAt
    let told = renewals.latest(of: IDKey(raw: keyed[run.lowerBound].key), notAfter: end - 1)
    return Chain(
      run: run, latest: position,
      state: state(table.transactions[Int(position)], expiresAt: expiresAt, told),
      willRenew: told?.1.willRenew, expiresAt: expiresAt)
  }

  /// Whether a moment, in seconds since 1970, is of the period; 0 is none.
  private func isInPeriod(_ seconds: UInt32) -> Bool {
    seconds != 0 && Int64(seconds) >= start && Int64(seconds) < end
  }

  /// Whether a transaction comes later in its chain than another. What was upgraded gave way to
  /// what it was upgraded to.
  private func isLater(_ entry: TransactionEntry, than other: TransactionEntry) -> Bool {
    let (mine, theirs) = (
      table.transactionTerms[Int(entry.terms)].isUpgraded,
      table.transactionTerms[Int(other.terms)].isUpgraded
    )
    if mine != theirs { return theirs }
    return (entry.purchasedAt, entry.key) > (other.purchasedAt, other.key)
  }

  /// The state of a chain at the period's end, by its latest transaction.
  ///
  /// - Parameters:
  ///   - expiresAt: 0 where no source tells.
  ///   - told: what Apple told of the chain last.
  private func state(
    _ entry: TransactionEntry, expiresAt: UInt32, _ told: (RenewalEntry, RenewalTerms)?
  ) -> SubscriptionState {
    let terms = table.transactionTerms[Int(entry.terms)]
    if entry.revokedAt != 0, Int64(entry.revokedAt) < end, terms.revocationIsRefund,
      !terms.isRefundReversed
    {
      return .refunded
    }
    if let (renewal, word) = told, renewal.observedAt >= entry.purchasedAt,
      let state = state(by: word.status, renewal)
    {
      return state
    }
    // A period whose end nobody told is taken to last.
    if expiresAt == 0 || Int64(expiresAt) >= end {
      return terms.isTrial ? .trial : terms.isIntro ? .introductory : .active
    }
    guard let (renewal, word) = told, renewal.observedAt >= entry.purchasedAt else {
      return .expired
    }
    if Int64(renewal.graceExpiresAt) >= end { return .gracePeriod }
    return word.isInBillingRetry == true ? .billingRetry : .expired
  }

  /// What Apple's last word says of the end of the period; nil where it says that the subscription
  /// was active then, or nothing. Apple goes on trying to charge after a grace period, 60 days in
  /// all.
  private func state(by status: SubscriptionStatus?, _ renewal: RenewalEntry) -> SubscriptionState?
  {
    let isTrying = Int64(renewal.observedAt) + Rules.billingRetry >= end
    return switch status {
    case .active, nil: nil
    case .expired: .expired
    // Of what is billable, only a refund takes it back.
    case .revoked: .refunded
    case .gracePeriod where Int64(renewal.graceExpiresAt) >= end: .gracePeriod
    case .gracePeriod, .billingRetry: isTrying ? .billingRetry : .expired
    }
  }

  /// How many chains each product has in each state, ascending by product, then state.
  func counts(of chains: [Chain]) -> [SubscriptionCount] {
    var counts: [SubscriptionState: [Int32: (chains: Int, ending: Int)]] = [:]
    for chain in chains {
      let terms = table.transactions[Int(chain.latest)].terms
      counts[chain.state, default: [:]][terms, default: (0, 0)].chains += 1
      if chain.willRenew == false { counts[chain.state]![terms]!.ending += 1 }
    }
    var bySKU: [String: [SubscriptionState: SubscriptionCount]] = [:]
    for (state, terms) in counts {
      for (code, count) in terms {
        let sku = table.transactionTerms[Int(code)].sku
        bySKU[sku, default: [:]][
          state, default: SubscriptionCount(sku: sku, state: state, chains: 0, ending: 0)
        ].chains += count.chains
        bySKU[sku]![state]!.ending += count.ending
      }
    }
    return bySKU.values.flatMap(\.values).sorted {
      ($0.sku, $0.state.rawValue) < ($1.sku, $1.state.rawValue)
    }
  }

  /// The key of the transaction that a chain began with.
  func original(of chain: Chain) -> IDKey { IDKey(raw: keyed[chain.run.lowerBound].key) }

  /// The line of a chain, with the rows that name its ids.
  func unresolved(_ chain: Chain, _ history: ChainHistory) -> UnresolvedSubscription {
    let latest = Int(chain.latest)
    let key = original(of: chain)
    let places = keyed[chain.run].map { Int(table.chains.positions[Int($0.index)]) }
    let entry = table.transactions[latest]
    let terms = EffectiveTerms(latest, in: table, context)
    let listed = context.catalogue.product(terms.sku, on: context.businessDay(entry.purchasedAt))
    let told = renewals.latest(of: key, notAfter: end - 1)?.1
    let first =
      (places.map { table.transactions[$0].purchasedAt }
      + history.links(of: key).map(\.purchasedAt)).min() ?? entry.purchasedAt
    let order = table.owningOrder(of: latest)
    let nextSKU = told?.nextSKU ?? ""
    let group = table.transactionTerms[Int(entry.terms)].subscriptionGroup
    let line = SubscriptionLine(
      storefront: terms.storefront, currency: terms.currency, sku: terms.sku,
      subscriptionGroup: listed.map(\.subscriptionGroup).flatMap { $0.isEmpty ? nil : $0 } ?? group,
      originalTransactionID: "", orderID: nil, user: "", state: chain.state,
      firstBoughtOn: context.businessDay(first),
      lastBoughtOn: context.businessDay(entry.purchasedAt),
      expiresOn: chain.expiresAt == 0 ? nil : context.businessDay(chain.expiresAt),
      willRenew: chain.willRenew, nextSKU: nextSKU == AppProduct(terms.sku).sku ? "" : nextSKU,
      expirationIntent: told?.expirationIntent, boughtInPeriod: bought(places).count,
      amount: charged(places, terms.currency))
    return UnresolvedSubscription(
      line: line, transactions: table.rows(ofTransaction: latest),
      others: places.filter { $0 != latest && isInPeriod(table.transactions[$0].purchasedAt) }
        .map { table.transactions[$0].row },
      refunded: places.filter(isRefunded).map { table.transactions[$0].row },
      orders: order.map { table.rows(ofOrder: $0) } ?? [])
  }

  /// Those of some transactions that were bought in the period, all named by their positions.
  private func bought(_ places: [Int]) -> [Int] {
    places.filter { isInPeriod(table.transactions[$0].purchasedAt) }
  }

  /// Whether a transaction, named by its position, was refunded in the period.
  private func isRefunded(_ transaction: Int) -> Bool {
    let entry = table.transactions[transaction]
    let told = table.transactionTerms[Int(entry.terms)]
    return isInPeriod(entry.revokedAt) && told.revocationIsRefund && !told.isRefundReversed
  }

  /// Prices less refunds of the period, in micro-units; nil where one is not known or has another
  /// currency.
  ///
  /// - Parameter transactions: their positions.
  private func charged(_ transactions: [Int], _ currency: Currency?) -> Int64? {
    var sum: Int64 = 0
    for transaction in transactions {
      let entry = table.transactions[transaction]
      let terms = EffectiveTerms(transaction, in: table, context)
      let told = table.transactionTerms[Int(entry.terms)]
      let isRefund = isRefunded(transaction)
      if !isInPeriod(entry.purchasedAt), !isRefund { continue }
      guard let gross = terms.gross, terms.currency == currency else { return nil }
      if isInPeriod(entry.purchasedAt) { sum += gross }
      if isRefund {
        guard let share = told.refundShare else { return nil }
        sum -= portion(share, of: gross, currency)
      }
    }
    return sum
  }
}
