import Billing

/// What matching changed of orders, so that they can be had as they were read without a copy of
/// all: most have one row, which stays as it is.
struct OrderChanges: Sendable {
  /// As they were before, in the order in which they were changed.
  private var all: [(position: Int32, entry: OrderEntry)] = []

  /// Notes an order as it was before a change, where there is one. No time of placing ever changes.
  mutating func add(_ before: OrderEntry, _ after: OrderEntry, at position: Int) {
    if before.terms == after.terms, before.key == after.key,
      before.transaction == after.transaction, before.fulfilledAt == after.fulfilledAt
    {
      return
    }
    all.append((Int32(position), before))
  }

  /// Puts orders back as they were before all changes, in the list that they were made in.
  func undo(in orders: inout [OrderEntry]) {
    for change in all.reversed() { orders[Int(change.position)] = change.entry }
  }
}
