import Billing

/// How many subscriptions the ledger has at the end of each day: as many as are certain, and as
/// many as there may be where an end is near the day's, or not told.
struct ActiveSubscriptions {
  /// By product and storefront, for each day; until all chains are added, by how much it is more
  /// than the day before.
  private(set) var certain: [SubscriptionCellKey: [Int64]] = [:]
  private(set) var possible: [SubscriptionCellKey: [Int64]] = [:]
  private let days: SubscriptionDays

  /// Adds up the chains of periods by day.
  ///
  /// - Parameter renewals: what Apple told of them, as where it let one go on without money.
  init(_ periods: SubscriptionPeriods, _ renewals: RenewalObservations, _ days: SubscriptionDays) {
    self.days = days
    for chain in periods.chains { add(chain, renewals) }
    for key in certain.keys { certain[key] = Self.runningSums(certain[key]!) }
    for key in possible.keys { possible[key] = Self.runningSums(possible[key]!) }
  }

  /// Adds the spans in which a chain's subscription was active. Adjoining periods of one product
  /// are one span, so that no renewal counts twice.
  private mutating func add(_ chain: [SubscriptionPeriod], _ renewals: RenewalObservations) {
    var span: (key: SubscriptionCellKey, from: Int64, certain: Int64, possible: Int64)?
    for (index, period) in chain.enumerated() {
      let key = SubscriptionCellKey(storefront: period.storefront, sku: period.sku)
      let next = index + 1 < chain.count ? chain[index + 1].startsAt : Int64.max
      let end = period.refundedAt ?? period.endsAt ?? period.startsAt
      var last = period.endsAt ?? .max
      if next == .max, let grace = renewals.graceEnd(of: period) { last = max(last, grace) }
      if let before = span, before.key == key,
        period.startsAt - before.certain <= Rules.promptRenewal
      {
        span = (key, before.from, max(before.certain, end), max(before.possible, last))
      } else {
        if let before = span { addSpan(before) }
        span = (key, period.startsAt, end, last)
      }
      // Another product takes the place of this one.
      span!.certain = min(span!.certain, max(next, span!.from))
      span!.possible = min(span!.possible, max(next, span!.from))
      if next != .max, chain[index + 1].sku == period.sku, next - end <= Rules.promptRenewal {
        (span!.certain, span!.possible) = (max(span!.certain, next), max(span!.possible, next))
      }
    }
    if let span { addSpan(span) }
  }

  /// Adds a span in which a subscription was active to the days that end within it: to ``certain``
  /// where that is beyond doubt, and to ``possible`` where it may be so.
  ///
  /// - Parameter span: the product and storefront, when it begins, and when it ends for certain and
  ///   at the latest; in seconds since 1970.
  private mutating func addSpan(
    _ span: (key: SubscriptionCellKey, from: Int64, certain: Int64, possible: Int64)
  ) {
    let near = Rules.timingNearness
    let zero = [Int64](repeating: 0, count: days.count + 1)
    if let range = ends(span.key, after: span.from + near, before: span.certain - near) {
      certain[span.key, default: zero][range.lowerBound] += 1
      certain[span.key]![range.upperBound + 1] -= 1
    }
    let last = span.possible > .max - near ? .max : span.possible + near
    if let range = ends(span.key, after: span.from - near, before: last) {
      possible[span.key, default: zero][range.lowerBound] += 1
      possible[span.key]![range.upperBound + 1] -= 1
    }
  }

  /// The places of days whose ends lie between two moments, in seconds since 1970; nil where none
  /// does.
  private func ends(
    _ key: SubscriptionCellKey, after from: Int64, before last: Int64
  ) -> ClosedRange<Int>? {
    /// When a day, named by its place, ends in the storefront of `key`; seconds since 1970.
    func end(_ day: Int) -> Int64 { days.start(day + 1, in: key.storefront) }
    let first = (0..<days.count).partitioningIndex { end($0) >= from }
    let behind = (0..<days.count).partitioningIndex { end($0) > last }
    return first < behind ? first...behind - 1 : nil
  }

  /// Sums up changes: the sum up to each day. The last change is that after the last day, and is
  /// left out.
  private static func runningSums(_ changes: [Int64]) -> [Int64] {
    var sum: Int64 = 0
    return changes.dropLast().map {
      sum += $0
      return sum
    }
  }

  /// How many subscriptions of a product and storefront are active at a day's end, at least and at
  /// most.
  ///
  /// - Parameter day: its place in ``SubscriptionDays``.
  func range(_ key: SubscriptionCellKey, _ day: Int) -> ClosedRange<Int64> {
    let least = certain[key]?[day] ?? 0
    return least...max(least, possible[key]?[day] ?? 0)
  }
}
