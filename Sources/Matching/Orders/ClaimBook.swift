package import Billing

/// Which transaction each order has, and which order each transaction: level 1's one state.
///
/// Rows are named by their position in `orders` and `transactions`. Each is claimed at most once.
package struct ClaimBook: Sendable {
  package internal(set) var orders: [OrderEntry]
  package internal(set) var transactions: [TransactionEntry]
  package internal(set) var orderTerms: [OrderTerms]
  package internal(set) var transactionTerms: [TransactionTerms]
  /// Per transaction: its order, `unclaimed`, or `merged` for a further row of the same thing.
  package internal(set) var orderOf: [Int32]
  /// Per order: its transaction, `unclaimed`, `merged`, or `outdone` where another order keeps the
  /// transaction that it claims.
  package internal(set) var transactionOf: [Int32]
  package internal(set) var chains: Chains
  package internal(set) var reuses: [Reuse] = []
  package internal(set) var contradictions: [Contradiction] = []
  /// Rows, by position of the kept one, that further rows were merged into.
  package internal(set) var mergedTransactions: [Int32: [RowID]] = [:]
  package internal(set) var mergedOrders: [Int32: [RowID]] = [:]
  var transactionsByKey: [KeyedIndex] = []
  var ordersByKey: [KeyedIndex] = []

  package static let unclaimed: Int32 = -1
  package static let merged: Int32 = -2
  package static let outdone: Int32 = -3

  /// One transaction that several orders claim.
  package struct Reuse: Sendable {
    package var transaction: Int32
    package var keeper: Int32
    package var others: [Int32]
  }

  /// Two sources that tell different things of one transaction.
  package struct Contradiction: Sendable {
    package var transaction: Int32
    package var orders: [Int32]
    package var rows: [RowID]
    package var what: String
  }

  package func isOpen(order: Int) -> Bool {
    transactionOf[order] == Self.unclaimed && orderTerms[Int(orders[order].terms)].isApple
  }

  /// Whether the transaction still looks for an order: no restore, no renewal, nothing merged away.
  package func isOpen(transaction: Int) -> Bool {
    orderOf[transaction] == Self.unclaimed && chains.role(of: transaction) == .original
  }

  mutating func claim(order: Int, transaction: Int) {
    precondition(orderOf[transaction] == Self.unclaimed && transactionOf[order] == Self.unclaimed)
    orderOf[transaction] = Int32(order)
    transactionOf[order] = Int32(transaction)
  }
}
