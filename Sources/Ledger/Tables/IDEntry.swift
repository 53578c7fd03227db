import Billing

/// An id's key and the row that has it.
struct IDEntry: Keyed, Equatable, Sendable {
  /// `IDKey.raw`, never 0.
  var key: UInt64
  /// The row's number within the column's table.
  var row: Int32
}
