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
  /// Per order terms, once rows are merged.
  var isApple: [Bool] = []
  /// Orders whose transaction another order keeps; they raise nothing but that.
  var outdoneOrders: Set<Int32> = []
  /// When the orders were placed that are all here.
  var purchases: ClosedRange<UInt32> = 0...UInt32.max
  /// Orders that receipts name.
  var offers: [ReceiptOffer] = []
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
    package var what: Wording
  }

  package func isOpen(order: Int) -> Bool {
    transactionOf[order] == Self.unclaimed && isApple[Int(orders[order].terms)]
  }

  /// Whether the transaction still looks for an order: no restore, no renewal, nothing merged away.
  package func isOpen(transaction: Int) -> Bool {
    orderOf[transaction] == Self.unclaimed && chains.role(of: transaction) == .original
  }

  /// - Precondition: neither side is claimed; an outdone order may still get a transaction of its
  ///   own.
  mutating func claim(order: Int, transaction: Int) {
    precondition(orderOf[transaction] == Self.unclaimed)
    precondition(
      transactionOf[order] == Self.unclaimed || transactionOf[order] == Self.outdone)
    orderOf[transaction] = Int32(order)
    transactionOf[order] = Int32(transaction)
  }

  /// The order that a transaction belongs to: its claimant, for a renewal its original's.
  func owningOrder(of transaction: Int) -> Int? {
    if orderOf[transaction] >= 0 { return Int(orderOf[transaction]) }
    guard let original = chains.original(of: transaction), orderOf[original] >= 0 else {
      return nil
    }
    return Int(orderOf[original])
  }

  /// Whether the transaction is a renewal of a trial or an introduction, and has no order itself.
  func renewsOffer(_ transaction: Int) -> Bool {
    guard orderOf[transaction] < 0, let original = chains.original(of: transaction) else {
      return false
    }
    let code = Int(transactions[original].terms)
    return transactionTerms[code].isTrial || transactionTerms[code].isIntro
  }

  /// The position of the transaction with this key.
  func position(of key: IDKey) -> Int? {
    var position = transactionsByKey.lowerBound(key.raw)
    while position < transactionsByKey.count, transactionsByKey[position].key == key.raw {
      let index = Int(transactionsByKey[position].index)
      if orderOf[index] != Self.merged { return index }
      position += 1
    }
    return nil
  }

  /// The rows that an order was merged from, the kept one first.
  func rows(ofOrder order: Int) -> [RowID] {
    [orders[order].row] + (mergedOrders[Int32(order)] ?? [])
  }

  /// The rows that a transaction was merged from, the kept one first.
  func rows(ofTransaction transaction: Int) -> [RowID] {
    [transactions[transaction].row] + (mergedTransactions[Int32(transaction)] ?? [])
  }
}
