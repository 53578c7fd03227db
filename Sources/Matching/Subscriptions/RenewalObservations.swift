package import Billing

/// What Apple told of chains' next renewals, found by chain and time.
package struct RenewalObservations: Sendable {
  private let terms: [RenewalTerms]
  /// Ascending by original, then by time of telling, then by strength.
  private let entries: [RenewalEntry]
  let instalments: [Instalment]

  /// Sorts what Apple told by chain, then by the time of telling.
  package init(
    _ entries: [RenewalEntry], terms: [RenewalTerms], instalments: [Instalment] = []
  ) {
    self.terms = terms
    self.instalments = instalments
    let keyed = sortedByKey(count: entries.count) { entries[$0].original.raw }
    var ascending = keyed.map { entries[Int($0.index)] }
    for run in runs(of: keyed) {
      ascending[run].sort { left, right in
        if left.observedAt != right.observedAt { return left.observedAt < right.observedAt }
        let (a, b) = (terms[Int(left.terms)], terms[Int(right.terms)])
        if a.factSource != b.factSource { return a.factSource < b.factSource }
        // Of equals the one that says more bad things, whatever the order of import.
        return a == b ? left.graceExpiresAt < right.graceExpiresAt : a.precedes(b)
      }
    }
    self.entries = ascending
  }

  package init() { self.init([], terms: []) }

  var isEmpty: Bool { entries.isEmpty }

  /// What was told of a chain, the earliest first.
  private func observations(of original: IDKey) -> ArraySlice<RenewalEntry> {
    let first = entries.partitioningIndex { $0.original >= original }
    return entries[first...].prefix { $0.original == original }
  }

  /// What Apple told of a chain last, at or before a moment in seconds since 1970; nil where it
  /// told nothing. A status that came without a renewal takes nothing away from what was said of
  /// the renewal before.
  func latest(of original: IDKey, notAfter moment: Int64) -> (RenewalEntry, RenewalTerms)? {
    if entries.isEmpty { return nil }
    let known = observations(of: original).prefix { Int64($0.observedAt) <= moment }
    guard let last = known.last else { return nil }
    let word = terms[Int(last.terms)]
    guard word.isStatusAlone,
      let before = known.last(where: { !terms[Int($0.terms)].isStatusAlone })
    else { return (last, word) }
    var (entry, whole) = (last, terms[Int(before.terms)])
    whole.factSource = word.factSource
    whole.status = word.status
    entry.graceExpiresAt = before.graceExpiresAt
    return (entry, whole)
  }

  /// Whether Apple told between a day before `end` and `next` that a charge failed.
  func tellsFailedCharge(of original: IDKey, from end: UInt32, to next: UInt32) -> Bool {
    observations(of: original).contains { entry in
      guard Int64(entry.observedAt) >= Int64(end) - Rules.renewalNotice, entry.observedAt < next
      else { return false }
      let terms = terms[Int(entry.terms)]
      return terms.isInBillingRetry == true || entry.graceExpiresAt != 0
        || terms.status == .billingRetry || terms.status == .gracePeriod
    }
  }

  /// Whether a word of Apple explains that nothing was paid between two moments: the customer had
  /// turned the renewal off, or a charge failed.
  func explainsLapse(of original: IDKey, from end: UInt32, to next: UInt32) -> Bool {
    if entries.isEmpty { return false }
    return observations(of: original).contains { entry in
      // A renewal is turned off, and a first charge fails, up to a day before the period ends.
      guard Int64(entry.observedAt) >= Int64(end) - Rules.renewalNotice, entry.observedAt < next
      else {
        return false
      }
      let terms = terms[Int(entry.terms)]
      return terms.isInBillingRetry == true || terms.willRenew == false
        || terms.expirationIntent != nil || entry.graceExpiresAt != 0
        || terms.status == .billingRetry || terms.status == .gracePeriod
    }
  }
}

extension RenewalTerms {
  /// Whether nothing but the status was told.
  fileprivate var isStatusAlone: Bool {
    status != nil && willRenew == nil && nextSKU.isEmpty && isInBillingRetry == nil
  }
}
