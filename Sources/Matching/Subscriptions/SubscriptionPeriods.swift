import Billing

/// A period of a subscription that was bought, as the ledger has it; times are seconds since 1970.
struct SubscriptionPeriod {
  var row: TransactionRow.ID
  /// Nil for one that was bought before the facts that were read.
  var transaction: Int?
  var key: IDKey
  /// What its chain began with.
  var chain: IDKey
  var item: IDKey
  var sku: String
  var storefront: Storefront?
  var startsAt: Int64
  /// Nil where no source tells.
  var endsAt: Int64?
  /// When money was given back; nil where none was, or Apple took that back.
  var refundedAt: Int64?
  /// Whether Apple counts the refund as a unit: not one of a part of the price.
  var refundCounts = false
  var isUpgraded: Bool
  /// A trial, or at a price of some offer.
  var isOffer: Bool
  /// Of the whole period, micro-units; nil where no source tells.
  var price: Int64?
  var currency: Currency?

  /// Whether its chain began with it.
  var isFirst: Bool { chain == key }
}

/// Periods of auto-renewable subscriptions by chain: those of the facts, and those that ran when
/// the facts begin.
struct SubscriptionPeriods {
  /// By chain, each ascending by start; restores are the period that they restore.
  private(set) var chains: [[SubscriptionPeriod]] = []

  /// Puts the periods of both tables together by chain.
  ///
  /// - Parameter earlier: transactions bought before those of the table, whose period runs into
  ///   them.
  init(_ table: MatchTable, earlier: MatchTable, _ context: MatchingContext) {
    var periods = Self.periods(table, context)
    let known = Set(periods.map(\.key))
    periods += Self.periods(earlier, context).lazy.filter { !known.contains($0.key) }.map {
      var period = $0
      period.transaction = nil
      return period
    }
    gather(periods, context)
  }

  /// The periods of a table's billable transactions that renew, without restores, in no particular
  /// order.
  private static func periods(
    _ table: MatchTable, _ context: MatchingContext
  ) -> [SubscriptionPeriod] {
    let renews = table.transactionTerms.map { terms -> Bool? in
      guard context.isBillable(terms) else { return false }
      return (terms.kind ?? context.catalogue.kind(terms.sku)).map { $0 == .autoRenewable }
    }
    var periods: [SubscriptionPeriod] = []
    for (place, position) in table.chains.positions.enumerated() {
      let (index, detail) = (Int(position), table.chains.details[place])
      let entry = table.transactions[index]
      guard Self.isRenewing(entry, detail, renews), table.chains.role(of: index) != .restore else {
        continue
      }
      let terms = EffectiveTerms(index, in: table, context)
      var period = Self.period(entry, detail, table.transactionTerms[Int(entry.terms)])
      period.transaction = index
      period.storefront = terms.storefront
      if terms.told.contains(.price) {
        period.price = terms.gross
        period.currency = terms.currency
      }
      periods.append(period)
    }
    return periods
  }

  /// Whether a transaction is of a subscription that renews.
  ///
  /// - Parameter renews: what terms say of it, by their number; nil where they do not say it.
  private static func isRenewing(
    _ entry: TransactionEntry, _ detail: TransactionDetail, _ renews: [Bool?]
  ) -> Bool {
    renews[Int(entry.terms)] ?? (!detail.webOrderLineItem.isNone || detail.expiresAt != 0)
  }

  /// The period that a transaction bought, without its position and its price.
  private static func period(
    _ entry: TransactionEntry, _ detail: TransactionDetail, _ terms: TransactionTerms
  ) -> SubscriptionPeriod {
    let isTakenBack = entry.revokedAt != 0
    let isRefund = isTakenBack && terms.revocationIsRefund && !terms.isRefundReversed
    // What is upgraded ends there, and nothing of it was refunded in units.
    let end = isTakenBack && terms.isUpgraded ? entry.revokedAt : detail.expiresAt
    return SubscriptionPeriod(
      row: entry.row, key: entry.key,
      chain: detail.original.isNone ? entry.key : detail.original, item: detail.webOrderLineItem,
      sku: terms.sku, storefront: terms.storefront, startsAt: Int64(entry.purchasedAt),
      endsAt: end == 0 ? nil : Int64(end), refundedAt: isRefund ? Int64(entry.revokedAt) : nil,
      refundCounts: isRefund && terms.revocationCountsUnits, isUpgraded: terms.isUpgraded,
      isOffer: terms.isTrial || terms.isIntro || terms.offer != nil)
  }

  /// Puts periods together by chain; those that several rows tell are one.
  private mutating func gather(_ periods: [SubscriptionPeriod], _ context: MatchingContext) {
    let ordered = periods.sorted {
      ($0.chain, $0.startsAt, $0.key, $0.row) < ($1.chain, $1.startsAt, $1.key, $1.row)
    }
    var chain: [SubscriptionPeriod] = []
    /// Appends `chain`, the periods gathered since the last call, to `chains`, and empties it. Its
    /// periods without a storefront get that of the others.
    func end(_ chains: inout [[SubscriptionPeriod]]) {
      guard !chain.isEmpty else { return }
      // A source that leaves the storefront out says nothing against the chain's others.
      let told = chain.lazy.compactMap(\.storefront).last ?? context.settings.defaultStorefront
      for index in chain.indices where chain[index].storefront == nil {
        chain[index].storefront = told
      }
      chains.append(chain)
      chain = []
    }
    for period in ordered {
      if chain.last?.chain != period.chain { end(&chains) }
      let same = chain.lastIndex {
        $0.key == period.key || (!period.item.isNone && $0.item == period.item)
      }
      if let same {
        chain[same].complete(from: period)
      } else {
        chain.append(period)
      }
    }
    end(&chains)
  }
}

extension SubscriptionPeriod {
  /// Adds what another source of the same period, or its restore, tells besides.
  fileprivate mutating func complete(from other: SubscriptionPeriod) {
    if let end = other.endsAt { endsAt = max(endsAt ?? end, end) }
    if refundedAt == nil {
      (refundedAt, refundCounts) = (other.refundedAt, other.refundCounts)
    }
    storefront = storefront ?? other.storefront
    isOffer = isOffer || other.isOffer
    isUpgraded = isUpgraded || other.isUpgraded
  }
}

/// What happens to a subscription that Apple counts by day and the ledger can tell.
enum SubscriptionEventKind: Int, Hashable, Sendable, CaseIterable {
  /// The first period of a chain at the full price.
  case start
  /// The first period at an offer's price: a trial, an introductory or another reduced price.
  case offer
  /// A further period of a chain, whatever product and however late it goes on.
  case renewal
  /// A period that ended without another one, because the customer had turned the renewal off.
  case cancellation
  case refund

  /// Whether something is bought.
  var isPurchase: Bool { self == .start || self == .offer || self == .renewal }
}

extension SubscriptionEventKind {
  /// What an event's name in Apple's report stands for; nil for what the ledger cannot tell:
  /// opt-ins, billing retry, grace periods, and a cancellation during them.
  ///
  /// Apple, Subscription events (App Store Connect Help, read on 2026-11-23): a subscription counts
  /// as cancelled when its period ends, not when the renewal was turned off.
  init?(event: String) {
    let words = event.lowercased().split { !$0.isLetter }
    guard let first = words.first else { return nil }
    switch first {
    case "subscribe": self = .start
    case "start": self = .offer
    case "refund": self = .refund
    case "cancel" where words.count == 1: self = .cancellation
    case "renew", "renewal", "paid": self = .renewal
    case "upgrade", "downgrade", "crossgrade", "reactivate":
      let toOffer = words.firstIndex(of: "to").map { words[$0...] } ?? []
      self =
        toOffer.contains { $0 == "offer" || $0 == "price" || $0 == "trial" } ? .offer : .renewal
    default: return nil
    }
  }
}

/// One of a chain's events.
struct SubscriptionEvent {
  var kind: SubscriptionEventKind
  /// Seconds since 1970.
  var at: Int64
  /// Whether Apple must count it: of a lapse without a word of Apple's nobody knows what it was.
  var isCertain: Bool
  var period: SubscriptionPeriod
}

extension SubscriptionPeriods {
  /// What happened from `first` until before `last`, both in seconds since 1970, in no particular
  /// order.
  func events(
    from first: Int64, to last: Int64, _ renewals: RenewalObservations
  ) -> [SubscriptionEvent] {
    var events: [SubscriptionEvent] = []
    /// Adds an event of a period to `events`, if it lies in the time that is asked for, from
    /// `first` until before `last`.
    ///
    /// - Parameter at: seconds since 1970.
    func add(
      _ kind: SubscriptionEventKind, _ at: Int64, _ period: SubscriptionPeriod,
      isCertain: Bool = true
    ) {
      guard at >= first, at < last else { return }
      events.append(SubscriptionEvent(kind: kind, at: at, isCertain: isCertain, period: period))
    }
    for chain in chains {
      for (index, period) in chain.enumerated() {
        let before = index > 0 ? chain[index - 1] : nil
        let goesOnAtOffer = before.map { $0.isOffer && $0.sku == period.sku } ?? false
        let kind: SubscriptionEventKind =
          period.isOffer && !goesOnAtOffer ? .offer : period.isFirst ? .start : .renewal
        add(kind, period.startsAt, period)
        if let refunded = period.refundedAt {
          add(.refund, refunded, period, isCertain: period.refundCounts)
        }
        let next = index + 1 < chain.count ? chain[index + 1].startsAt : Int64.max
        guard let end = period.endsAt, !period.isUpgraded, next - end > Rules.promptRenewal else {
          continue
        }
        // Nobody says whether Apple counts a cancellation where it gave the money back.
        let lapsed = period.refundedAt ?? end
        add(
          .cancellation, lapsed, period,
          isCertain: period.refundedAt == nil && renewals.tellsCancellation(of: period, at: end))
      }
    }
    return events
  }
}

extension RenewalObservations {
  /// Whether Apple's last word before a period's end is that the customer turned the renewal off.
  fileprivate func tellsCancellation(of period: SubscriptionPeriod, at end: Int64) -> Bool {
    guard let (entry, terms) = latest(of: period.chain, notAfter: end),
      Int64(entry.observedAt) >= period.startsAt
    else { return false }
    return terms.willRenew == false && terms.isInBillingRetry != true
      && (terms.expirationIntent ?? 1) == 1
  }

  /// Until when Apple lets a subscription go on without money; nil where it told of no such time.
  func graceEnd(of period: SubscriptionPeriod) -> Int64? {
    guard let (entry, _) = latest(of: period.chain, notAfter: Int64(UInt32.max)),
      entry.graceExpiresAt != 0
    else { return nil }
    return Int64(entry.graceExpiresAt)
  }
}
