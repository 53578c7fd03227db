package import Billing

/// What may account for a difference of units on one of Apple's days: rows that were not counted,
/// or were counted and perhaps should not have been, the likeliest first.
package struct Attribution: Sendable {
  /// Why a candidate may be behind the difference.
  package enum Reason: Hashable, Sendable {
    /// With this status Apple refused the receipt that came in with the order, or one of its user.
    case refusedReceipt(Int32)
    /// No transaction belongs to the order.
    case openOrder(OrderStatus)
    /// A transaction that is not counted.
    case uncounted(Unbillable)
    /// Seconds to the boundary of the day, on its far side.
    case acrossBoundary(Int64)
    /// Seconds to the boundary of the day, on its near side.
    case nearBoundary(Int64)
    /// A transaction that no order belongs to.
    case withoutOrder
    /// Only the company's own table tells of the transaction.
    case companyOnly
    /// Apple revoked it; Apple's day of the refund may be another.
    case revoked(Instant)
    /// The order says refunded, and no revocation is known.
    case refundedOrder
    /// Apple reports none at this price.
    case otherPrice
    /// Nothing speaks for this one more than for the others of the day.
    case sameDay

    /// How much it says for a candidate; smaller is more.
    fileprivate var rank: Int {
      switch self {
      case .refusedReceipt: 0
      case .openOrder(.paid), .openOrder(.fulfilled), .refundedOrder, .otherPrice: 1
      case .withoutOrder: 2
      case .openOrder: 3
      case .uncounted, .companyOnly: 4
      case .acrossBoundary, .nearBoundary: 5
      case .revoked: 6
      case .sameDay: 7
      }
    }
  }

  /// An order or a transaction that may be behind the difference.
  package struct Candidate: Hashable, Sendable {
    /// The order, where one is the candidate.
    package var order: OrderRow.ID?
    package var transaction: TransactionRow.ID?
    package var at: Instant
    package var units: Int64
    /// Extended, micro-units of `currency`; nil where no price is known.
    package var amount: Int64?
    package var currency: Currency?
    /// At least one, the most telling first.
    package var reasons: [Reason]
    /// Seconds by which an order misses the day: its purchase comes with it or soon after.
    fileprivate var outside: Int64

    /// A candidate; the reason that it is of the same day stands only where it has no other.
    ///
    /// - Parameter amount: extended, micro-units of the currency; nil where no price is known.
    package init(
      order: OrderRow.ID? = nil, transaction: TransactionRow.ID? = nil, at: Instant, units: Int64,
      amount: Int64?,
      currency: Currency?, reasons: [Reason]
    ) {
      precondition(!reasons.isEmpty && units > 0)
      self.order = order
      self.transaction = transaction
      self.at = at
      self.units = units
      self.amount = amount
      self.currency = currency
      let told = reasons.filter { $0 != .sameDay }
      self.reasons = told.isEmpty ? [.sameDay] : told.sorted { $0.rank < $1.rank }
      outside = 0
      if order != nil, transaction == nil {
        for case .acrossBoundary(let seconds) in reasons { outside = seconds }
      }
    }
  }

  /// What is to be accounted for.
  package struct Difference: Hashable, Sendable {
    package var units: Int64
    /// Micro-units of `currency`, positive; nil where it is not known.
    package var amount: Int64?
    package var currency: Currency?

    package init(units: Int64, amount: Int64?, currency: Currency?) {
      self.units = units
      self.amount = amount
      self.currency = currency
    }
  }

  package let difference: Difference
  package let candidates: [Candidate]
  /// Sets of candidates that come to exactly the difference: by units and money where the money of
  /// the difference is known, else by units.
  package let combinations: Combinations
  /// The same among those candidates alone that more speaks for than the day.
  package let likely: Combinations

  /// Puts candidates in order, the likeliest first, and counts the sets of them that come to the
  /// difference.
  package init(of difference: Difference, among all: [Candidate]) {
    self.difference = difference
    candidates = all.sorted { left, right in
      let (a, b) = (left.strength(toward: difference), right.strength(toward: difference))
      if a != b { return a.lexicographicallyPrecedes(b) }
      return (left.at, left.order ?? 0, left.transaction ?? 0)
        < (right.at, right.order ?? 0, right.transaction ?? 0)
    }
    let known = candidates.map { $0.weight(toward: difference) }
    combinations = Self.combinations(known, difference) { _ in true }
    let ranked = candidates
    likely = Self.combinations(known, difference) { ranked[$0].reasons[0].rank < 7 }
  }

  /// Counts sets among the usable candidates that come to the difference; the members' indices are
  /// those of all candidates.
  ///
  /// - Parameters:
  ///   - weights: of all candidates; nil where one cannot be part of the difference.
  ///   - isWanted: whether the candidate at an index may be a member.
  private static func combinations(
    _ weights: [Combinations.Weight?], _ difference: Difference, where isWanted: (Int) -> Bool
  ) -> Combinations {
    let wanted = weights.indices.filter { weights[$0] != nil && isWanted($0) }
    let usable = wanted.prefix(Rules.combinedCandidates)
    let target = Combinations.Weight(units: difference.units, amount: difference.amount ?? 0)
    return Combinations(of: usable.map { weights[$0]! }, reaching: target)
      .renumbered(Array(usable), leavesOut: usable.count < wanted.count)
  }
}

extension Attribution {
  /// Seconds by which an order misses a day; 0 where its purchase, which comes within minutes, may
  /// lie in it. All times are seconds since 1970.
  package static func distance(ofOrder placedAt: Int64, to day: Range<Int64>) -> Int64 {
    if placedAt >= day.upperBound { return placedAt - day.upperBound + 1 }
    return max(day.lowerBound - placedAt - Rules.clockSlack, 0)
  }
}

extension Attribution.Candidate {
  /// What candidates are sorted by, ascending with what speaks less for one: whether it is more
  /// than the difference, whether it misses the day, the ranks of its reasons, and how near a
  /// boundary is. What speaks against a candidate only ever lowers it.
  fileprivate func strength(toward difference: Attribution.Difference) -> [Int] {
    let near = reasons.compactMap { reason -> Int? in
      switch reason {
      case .acrossBoundary(let seconds), .nearBoundary(let seconds): Int(seconds)
      default: nil
      }
    }
    let speaking = outside > 0 ? reasons.count - 1 : reasons.count
    let isPart =
      weight(toward: difference).map {
        $0.units <= difference.units && $0.amount <= difference.amount ?? 0
      } ?? false
    return [isPart ? 0 : 1, outside > 0 ? 1 : 0, reasons[0].rank, -speaking] + near.prefix(1)
  }

  /// The candidate's units and money as a part of the difference, without money where that of the
  /// difference is not known; nil where it cannot be part of it: another currency, or no price.
  fileprivate func weight(toward difference: Attribution.Difference) -> Combinations.Weight? {
    guard difference.amount != nil else { return Combinations.Weight(units: units, amount: 0) }
    guard let amount, amount >= 0, currency == difference.currency else { return nil }
    return Combinations.Weight(units: units, amount: amount)
  }
}
