import Billing

/// What merging changed of transactions, so that they can be had as they were read without a copy
/// of all: most have one row, which stays as it is.
struct TransactionChanges: Sendable {
  /// A transaction as it was before a change.
  struct Change: Sendable {
    var position: Int32
    /// Indexes of its terms before and after.
    var terms: Int32
    var newTerms: Int32
    var revokedAt: UInt32
    var order: IDKey
  }

  /// In the order in which they were made; a transaction may be changed more than once.
  private(set) var all: [Change] = []

  /// No changes yet.
  ///
  /// - Parameter room: for so many changes; it costs nothing until then.
  init(room: Int) { all.reserveCapacity(room) }

  /// Notes a transaction as it was before a change, where there is one. Nothing but terms, order
  /// and revocation ever changes.
  mutating func add(_ before: TransactionEntry, _ after: TransactionEntry, at position: Int) {
    if before.terms == after.terms, before.order == after.order,
      before.revokedAt == after.revokedAt
    {
      return
    }
    all.append(
      Change(
        position: Int32(position), terms: before.terms, newTerms: after.terms,
        revokedAt: before.revokedAt, order: before.order))
  }

  /// Puts transactions back as they were before all changes, in the list that they were made in.
  func undo(in transactions: inout [TransactionEntry]) {
    for change in all.reversed() {
      let position = Int(change.position)
      transactions[position].terms = change.terms
      transactions[position].order = change.order
      transactions[position].revokedAt = change.revokedAt
    }
  }
}
