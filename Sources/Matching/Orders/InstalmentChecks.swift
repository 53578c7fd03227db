import Billing

extension OrderTieOut {
  /// Adds findings of missing instalments. Those of a commitment are numbered: one that is missing
  /// between two that are there, or after the last one, was owed whatever the customer turned off.
  mutating func judgeInstalments() {
    let known = renewals.instalments.filter { billable[Int($0.terms)] }
    let commitments = Dictionary(grouping: known) {
      Commitment(original: $0.original, endsAt: $0.commitmentEndsAt, total: $0.total)
    }
    for (commitment, members) in commitments.sorted(by: { $0.key < $1.key }) {
      // One instalment is told by many; the earliest purchase stands for it.
      let ordered = members.sorted {
        ($0.number, $0.purchasedAt, $0.row) < ($1.number, $1.purchasedAt, $1.row)
      }
      for (before, after) in zip(ordered, ordered.dropFirst())
      where after.number > before.number + 1 {
        guard let day = dayInPeriod(after.purchasedAt) else { continue }
        addMissing(
          before.number + 1...after.number - 1, of: commitment.total, [before, after], on: day)
      }
      if let last = ordered.last { judgeEnd(last, of: commitment) }
    }
  }

  /// Adds a finding where the instalment after the last one is missing. It is due when the last
  /// one's period ends; a day more is given, and a charge that Apple said had failed is not
  /// missing.
  private mutating func judgeEnd(_ last: Instalment, of commitment: Commitment) {
    let end = last.expiresAt
    guard last.number < commitment.total, last.revokedAt == 0, end != 0,
      let day = dayInPeriod(end), day < min(context.asOf, context.period.last),
      !renewals.tellsFailedCharge(of: commitment.original, from: end, to: .max)
    else { return }
    addMissing(last.number + 1...last.number + 1, of: commitment.total, [last], on: day)
  }

  /// Adds a finding of missing instalments.
  ///
  /// - Parameters:
  ///   - numbers: of the missing ones, from 1.
  ///   - total: how many instalments the commitment has.
  ///   - beside: the instalment before them, and the one after where there is one.
  private mutating func addMissing(
    _ numbers: ClosedRange<Int32>, of total: Int32, _ beside: [Instalment], on day: Day
  ) {
    let last = beside[beside.count - 1]
    let terms = table.transactionTerms[Int(last.terms)]
    let (first, end) = (numbers.lowerBound, numbers.upperBound)
    let moment = Instant(seconds: Int64(beside[0].expiresAt))
    add(
      UnresolvedFinding(
        .renewalGap, storefront: terms.storefront, currency: terms.currency, day: day,
        sku: terms.sku, units: Int64(numbers.count), transactions: beside.map(\.row),
        explanation: numbers.count == 1
          ? "@renewal-gap.instalment-of-of-the-commitment \(first) \(total) \(moment)"
          : "@renewal-gap.instalments \(first) \(end) \(total) \(moment)"
      ).about(transaction: table.position(of: last.key)))
  }
}

/// What a customer committed to: a chain's instalments up to one end.
private struct Commitment: Hashable, Comparable {
  var original: IDKey
  var endsAt: UInt32
  var total: Int32

  static func < (left: Self, right: Self) -> Bool {
    (left.original, left.endsAt, left.total) < (right.original, right.endsAt, right.total)
  }
}
