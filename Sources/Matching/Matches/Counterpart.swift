/// What a row of one side has on the other: the position of a row, or why it has none. Four bytes,
/// because there is one for each order and each transaction.
package struct Counterpart: Hashable, Sendable {
  private let code: Int32

  /// Nothing was found yet, or at all.
  package static let open = Counterpart(code: -1)
  /// A further row of the same thing: the row that it was merged into counts.
  package static let merged = Counterpart(code: -2)
  /// An order's transaction was kept by another order that names it too.
  package static let superseded = Counterpart(code: -3)

  private init(code: Int32) { self.code = code }

  /// Matched with the row at a position of the other side.
  package init(_ position: Int) {
    precondition(position >= 0)
    code = Int32(position)
  }

  package var isMatched: Bool { code >= 0 }

  /// Where the row is that this one is matched with; nil where it is matched with none.
  package var position: Int? { code >= 0 ? Int(code) : nil }
}

/// The rule by which an order and a transaction came together, the strongest first.
package enum MatchRule: String, Hashable, Sendable, CaseIterable {
  /// The order names the transaction.
  case transactionID = "transaction-id"
  /// The transaction names the order.
  case orderID = "order-id"
  /// The transaction's receipt came in with the order.
  case receipt
  case token = "app-account-token"
  /// By product, user and time, because no id tells.
  case backTracing = "back-tracing"
  /// A renewal belongs to the order of its original.
  case chain = "renewal"

  /// Whether the match depends on what other rows there are.
  package var isInferred: Bool { self == .token || self == .backTracing }
}
