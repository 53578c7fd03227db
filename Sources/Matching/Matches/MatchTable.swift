package import Billing

/// Which transaction each order has, and which order each transaction: level 1's one state.
///
/// Rows are named by their position in `orders` and `transactions`. Each is matched at most once.
package struct MatchTable: Sendable {
  package internal(set) var orders: [OrderEntry]
  package internal(set) var transactions: [TransactionEntry]
  package internal(set) var orderTerms: [OrderTerms]
  package internal(set) var transactionTerms: [TransactionTerms]
  /// Per transaction its order.
  package private(set) var orderOf: [Counterpart]
  /// Per order its transaction.
  package private(set) var transactionOf: [Counterpart]
  /// Per transaction the rule that gave it its order.
  private var rules: [MatchRule?]
  package internal(set) var chains: Chains
  package private(set) var reuses: [Reuse] = []
  /// Where in `reuses` a transaction stands.
  private var reusePlaces: [Int32: Int] = [:]
  package internal(set) var repeatedIDs: [RepeatedID] = []
  package internal(set) var contradictions: [Contradiction] = []
  /// Rows, by position of the kept one, that further rows were merged into.
  package internal(set) var mergedTransactions = FurtherRows<TransactionRow>()
  package internal(set) var mergedOrders = FurtherRows<OrderRow>()
  /// Positions of transactions that were merged away, with the kept one's.
  var mergedInto: [(other: Int32, kept: Int32)] = []
  /// For each transaction the position of the row that is kept of it, while rows are merged; empty
  /// where each has one row.
  var keptOf: [Int32] = []
  /// Per order terms, once rows are merged.
  var isApple: [Bool] = []
  /// Orders whose transaction another order keeps; they raise nothing but that.
  var supersededOrders: Set<Int32> = []
  /// Purchases that were matched elsewhere, of which there are no rows.
  package let counts: PurchaseCounts
  /// When the orders were placed that are all here.
  var purchases: ClosedRange<UInt32> = 0...UInt32.max
  /// When each row was told; empty where Apple told none.
  var observedAt: [UInt32] = []
  /// Whether what claims to be Apple's word counts only where it is signed.
  let requiresSigned: Bool
  /// Orders that receipts name.
  var offers: [ReceiptOffer] = []
  var transactionsByKey: [KeyedIndex] = []
  var ordersByKey: [KeyedIndex] = []
  /// As ``KeyOrder/named``.
  var named: [Int32] = []
  /// What merging changed of transactions and orders as they were read; nil where nobody asks for
  /// that.
  private(set) var changes: TransactionChanges?
  private var orderChanges: OrderChanges?

  /// One transaction that several orders name.
  package struct Reuse: Sendable {
    package var transaction: Int32
    package var keeper: Int32
    package var others: [Int32]
  }

  /// Two sources that tell different things of one transaction.
  package struct Contradiction: Sendable {
    package var transaction: Int32
    package var orders: [Int32]
    package var rows: [TransactionRow.ID]
    package var what: Wording
    /// When the transaction was taken back, where that is what contradicts; seconds since 1970.
    var revokedAt: UInt32 = 0
    /// Who tells that, against a signed payload.
    var refusedSource: FactSource?
  }

  /// A table of a period's rows, nothing merged or matched yet.
  ///
  /// - Parameters:
  ///   - facts: their rows are given up; nobody else should have the list of transactions.
  ///   - requiresSigned: whether what claims to be Apple's word counts only where it is signed.
  ///   - keepsChanges: whether rows can be had as they were read.
  init(taking facts: inout MonthFacts, requiresSigned: Bool, keepsChanges: Bool) {
    self.requiresSigned = requiresSigned
    changes = keepsChanges ? TransactionChanges(room: facts.transactions.count) : nil
    orderChanges = keepsChanges ? OrderChanges() : nil
    orders = facts.orders
    facts.orders = []
    // Rows of one transaction are merged in place.
    transactions = facts.transactions
    facts.transactions = []
    orderTerms = facts.orderTerms
    transactionTerms = facts.transactionTerms
    orderOf = Array(repeating: .open, count: transactions.count)
    transactionOf = Array(repeating: .open, count: orders.count)
    rules = Array(repeating: nil, count: transactions.count)
    chains = Chains()
    purchases = facts.purchases
    counts = facts.counts
  }

  /// Whether the order at a position is Apple's and has no transaction: neither matched, merged
  /// away nor superseded.
  package func isOpen(order: Int) -> Bool {
    transactionOf[order] == .open && isApple[Int(orders[order].terms)]
  }

  /// Whether the transaction still looks for an order: no restore, no renewal, nothing merged away.
  package func isOpen(transaction: Int) -> Bool {
    orderOf[transaction] == .open && chains.role(of: transaction) == .original
  }

  /// Matches the order and the transaction at two positions by a rule.
  ///
  /// - Precondition: neither side is matched; a superseded order may still get a transaction of its
  ///   own.
  mutating func match(order: Int, transaction: Int, by rule: MatchRule) {
    precondition(orderOf[transaction] == .open)
    precondition(transactionOf[order] == .open || transactionOf[order] == .superseded)
    orderOf[transaction] = Counterpart(order)
    transactionOf[order] = Counterpart(transaction)
    rules[transaction] = rule
  }

  /// Matches pairs, from a place on, up to the first transaction that has an order already or that
  /// several of them name.
  ///
  /// - Parameter pairs: those of one transaction together.
  /// - Returns: the place of the first pair that was not matched, or the end of the pairs.
  mutating func matchSingles(_ pairs: [NamedPair], from start: Int, by rule: MatchRule) -> Int {
    // Nearly all are such, so what `match` does is done here without its cost for each.
    orderOf.withUnsafeMutableBufferPointer { orderOf in
      transactionOf.withUnsafeMutableBufferPointer { transactionOf in
        rules.withUnsafeMutableBufferPointer { rules in
          var place = start
          while place < pairs.count {
            let (transaction, order) = (Int(pairs[place].transaction), Int(pairs[place].order))
            let isShared =
              place + 1 < pairs.count && pairs[place + 1].transaction == pairs[place].transaction
            if isShared || orderOf[transaction] != .open { return place }
            let present = transactionOf[order]
            precondition(present == .open || present == .superseded)
            orderOf[transaction] = Counterpart(order)
            transactionOf[order] = Counterpart(transaction)
            rules[transaction] = rule
            place += 1
          }
          return place
        }
      }
    }
  }

  /// Takes a transaction's order away, and returns it with the rule of the match; nil where it has
  /// none.
  mutating func unmatch(transaction: Int) -> (order: Int, rule: MatchRule)? {
    guard let order = orderOf[transaction].position, let rule = rules[transaction] else {
      return nil
    }
    transactionOf[order] = .open
    orderOf[transaction] = .open
    rules[transaction] = nil
    return (order, rule)
  }

  /// Gives up what only matching needs, once all matches are made.
  package mutating func giveUpWorkings() {
    (offers, mergedInto) = ([], [])
    (changes, orderChanges) = (nil, nil)
  }

  /// Gives up what only matching and tying out look at of transactions: what the lists and patterns
  /// ask for stays.
  package mutating func giveUpDetails() {
    chains.giveUpDetails()
    observedAt = []
  }

  /// Notes that the transaction at a position was changed, where changes are kept.
  ///
  /// - Parameter before: the transaction before that.
  mutating func note(_ before: TransactionEntry, at transaction: Int) {
    changes?.add(before, transactions[transaction], at: transaction)
  }

  /// Notes that the order at a position was changed, where changes are kept.
  ///
  /// - Parameter before: the order before that.
  mutating func note(_ before: OrderEntry, at order: Int) {
    orderChanges?.add(before, orders[order], at: order)
  }

  /// Transactions as they were read, before their rows were merged.
  ///
  /// - Precondition: the table keeps what it changed.
  func transactionsAsRead() -> [TransactionEntry] {
    var read = transactions
    changes!.undo(in: &read)
    return read
  }

  /// Orders as they were read, in step.
  ///
  /// - Precondition: as of ``transactionsAsRead()``.
  func ordersAsRead() -> [OrderEntry] {
    var read = orders
    orderChanges!.undo(in: &read)
    return read
  }

  /// Gives orders and transactions to the facts as they were read, the orders in step. They are
  /// not copied: the table is of no use after that.
  ///
  /// - Precondition: as of ``transactionsAsRead()``.
  package mutating func giveBack(to facts: inout MonthFacts) {
    (facts.orders, facts.transactions) = ([], [])
    swap(&facts.orders, &orders)
    swap(&facts.transactions, &transactions)
    orderChanges!.undo(in: &facts.orders)
    changes!.undo(in: &facts.transactions)
  }

  /// Marks an order's row as merged into another row of the same order.
  mutating func markMerged(order: Int) { transactionOf[order] = .merged }

  /// Marks a transaction's row as merged into another row of the same transaction.
  mutating func markMerged(transaction: Int) { orderOf[transaction] = .merged }

  /// Marks an order as one whose transaction another order keeps.
  mutating func markSuperseded(order: Int) {
    transactionOf[order] = .superseded
    supersededOrders.insert(Int32(order))
  }

  /// The reuse of a transaction; nil where a single order names it.
  package func reuse(of transaction: Int) -> Reuse? {
    reusePlaces[Int32(transaction)].map { reuses[$0] }
  }

  /// Notes which orders name a transaction, in place of what was noted of it before.
  mutating func note(_ reuse: Reuse) {
    if let place = reusePlaces[reuse.transaction] {
      reuses[place] = reuse
    } else {
      reusePlaces[reuse.transaction] = reuses.count
      reuses.append(reuse)
    }
  }

  /// The position of the order that a transaction belongs to, a renewal to its original's, and by
  /// which rule; nil where it has none.
  package func owner(of transaction: Int) -> (order: Int, rule: MatchRule)? {
    if let order = orderOf[transaction].position, let rule = rules[transaction] {
      return (order, rule)
    }
    guard let original = chains.original(of: transaction), let order = orderOf[original].position
    else { return nil }
    return (order, .chain)
  }

  /// Whether the transaction's own order was found by tracing back.
  func isFoundByTracing(_ transaction: Int) -> Bool { rules[transaction] == .backTracing }

  /// Whether the order of a transaction, of a renewal its original's, was found by tracing back
  /// alone.
  func isTraced(_ transaction: Int) -> Bool {
    if orderOf[transaction].isMatched { return isFoundByTracing(transaction) }
    guard let original = chains.original(of: transaction) else { return false }
    return isFoundByTracing(original)
  }

  /// The order that a transaction belongs to; as ``owner(of:)``.
  func owningOrder(of transaction: Int) -> Int? { owner(of: transaction)?.order }

  /// Whether the transaction at a position has no order itself and renews a trial or introductory
  /// price: the purchase that its chain began with says so, or that one's order cost nothing.
  func renewsOffer(_ transaction: Int) -> Bool {
    guard !orderOf[transaction].isMatched, let original = chains.original(of: transaction) else {
      return false
    }
    let code = Int(transactions[original].terms)
    if transactionTerms[code].isTrial || transactionTerms[code].isIntro { return true }
    guard let order = owningOrder(of: transaction) else { return false }
    return orderTerms[Int(orders[order].terms)].unitPrice == 0
  }

  /// The position of the transaction with this key, of several rows of the kept one; nil where the
  /// table has none.
  func position(of key: IDKey) -> Int? {
    var position = transactionsByKey.lowerBound(key.raw)
    while position < transactionsByKey.count, transactionsByKey[position].key == key.raw {
      let index = Int(transactionsByKey[position].index)
      if orderOf[index] != .merged { return index }
      position += 1
    }
    return nil
  }

  package func terms(ofOrder order: Int) -> OrderTerms { orderTerms[Int(orders[order].terms)] }

  package func terms(ofTransaction transaction: Int) -> TransactionTerms {
    transactionTerms[Int(transactions[transaction].terms)]
  }

  /// The rows that an order was merged from, the kept one first.
  package func rows(ofOrder order: Int) -> [OrderRow.ID] {
    [orders[order].row] + mergedOrders[order]
  }

  /// The rows that a transaction was merged from, the kept one first.
  package func rows(ofTransaction transaction: Int) -> [TransactionRow.ID] {
    [transactions[transaction].row] + mergedTransactions[transaction]
  }
}
