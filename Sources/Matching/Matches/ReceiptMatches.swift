import Billing

/// An order that the receipt of a transaction came in with.
struct ReceiptOffer: Sendable {
  /// The transaction's position.
  var transaction: Int32
  var order: IDKey
  /// Seconds since 1970; 0 is "not said". A receipt is known by its order and this.
  var receivedAt: UInt32
  /// Transactions of the receipt, in the period or not.
  var receiptSize: Int32
}

extension MatchTable {
  /// Matches orders without a transaction by the receipts that came in with them: each by the
  /// earliest that has a transaction for it, of a receipt with many the latest one of its SKU, at
  /// or before it was received. Of several orders that find one transaction the earliest placed
  /// keeps it.
  mutating func matchByReceipts() {
    if offers.isEmpty { return }
    let byOrder = sortedByKey(count: offers.count) { offers[$0].order.raw }
    // Most receipts tell of one purchase: nothing is made for them.
    var finders: [NamedPair] = []
    var next = 0
    var start = 0
    while start < byOrder.count {
      let key = byOrder[start].key
      var end = start + 1
      while end < byOrder.count, byOrder[end].key == key { end += 1 }
      let first = offers[Int(byOrder[start].index)]
      let alone = end == start + 1 && first.receiptSize == 1 ? Int(first.transaction) : nil
      let offered = alone == nil ? byOrder[start..<end].map { offers[Int($0.index)] } : []
      start = end
      while next < ordersByKey.count, ordersByKey[next].key < key { next += 1 }
      var place = next
      while place < ordersByKey.count, ordersByKey[place].key == key {
        let order = Int(ordersByKey[place].index)
        place += 1
        // What an order of another period names was perhaps not looked up.
        let entry = orders[order]
        guard isOpen(order: order),
          entry.transaction.isNone || purchases.contains(entry.placedAt),
          let found = alone.map({ chains.earlier(of: $0) ?? $0 })
            ?? purchase(of: order, among: offered)
        else { continue }
        finders.append(NamedPair(transaction: Int32(found), order: Int32(order)))
      }
    }
    let found = sortedByKey(count: finders.count) { UInt64(finders[$0].transaction) }
      .map { finders[Int($0.index)] }
    matchNamed(found, by: .receipt)
    for pair in found { noteOtherID(Int(pair.order), Int(pair.transaction)) }
  }

  /// The position of the transaction that an order bought, by the earliest of its receipts that has
  /// one for it; nil where none has.
  ///
  /// - Parameter offers: transactions of receipts that came in with the order.
  private func purchase(of order: Int, among offers: [ReceiptOffer]) -> Int? {
    /// When the receipt came in, in seconds since 1970; after all others where nobody told it.
    func timeReceived(_ offer: ReceiptOffer) -> UInt32 {
      offer.receivedAt == 0 ? .max : offer.receivedAt
    }
    let receipts = Dictionary(grouping: offers, by: timeReceived)
    for (receivedAt, members) in receipts.sorted(by: { $0.key < $1.key }) {
      if let found = purchase(of: order, in: members, receivedAt) {
        return chains.earlier(of: found) ?? found
      }
    }
    return nil
  }

  /// The position of the transaction that an order bought, out of those of one receipt: the only
  /// one, else the latest of the order's SKU bought before the receipt came in, or the purchase
  /// that this one renews; nil where none fits.
  ///
  /// - Parameters:
  ///   - receipt: its transactions, as offers.
  ///   - receivedAt: seconds since 1970; the greatest number where nobody told it.
  private func purchase(of order: Int, in receipt: [ReceiptOffer], _ receivedAt: UInt32) -> Int? {
    let members = Set(receipt.map { Int($0.transaction) })
    if receipt.allSatisfy({ $0.receiptSize == 1 }), members.count == 1 { return members.first }
    let sku = orderTerms[Int(orders[order].terms)].sku
    let latest = members.filter {
      Int64(transactions[$0].purchasedAt) <= Int64(receivedAt) + Rules.clockTolerance
        && AppProduct.mayBeSame(transactionTerms[Int(transactions[$0].terms)].sku, sku)
    }.max { left, right in
      let (a, b) = (transactions[left], transactions[right])
      return (a.purchasedAt, a.key) < (b.purchasedAt, b.key)
    }
    // A receipt that was read again later tells of renewals too: what the order bought is the
    // purchase that they renew.
    if let latest, let original = chains.original(of: latest), members.contains(original),
      orderOf[original] == .open,
      transactions[original].purchasedAt + UInt32(Rules.clockTolerance) >= orders[order].placedAt
    {
      return original
    }
    return latest
  }

  /// Notes a contradiction where an order was matched with a transaction by its receipt, and names
  /// another one; both are given by position.
  private mutating func noteOtherID(_ order: Int, _ transaction: Int) {
    let named = orders[order].transaction
    guard orderOf[transaction].position == order, !named.isNone,
      named != transactions[transaction].key
    else { return }
    contradictions.append(
      Contradiction(
        transaction: Int32(transaction), orders: [Int32(order)],
        rows: [transactions[transaction].row],
        what: "@match.receipt-came"))
  }
}

/// Finds positions of rows that are asked for ascending.
struct RowPositions {
  private let transactions: [TransactionEntry]
  /// How many of the first transactions ascend by row, as those of a period do.
  private let ascending: Int
  /// Those after them, which were added: positions, ascending by row.
  private let added: [Int]
  private var next = 0
  private var nextAdded = 0

  /// Prepares to look up rows that are asked for ascending, so that each is looked at once.
  ///
  /// - Parameter transactions: those of a period, ascending by row, then any that were added.
  init(_ transactions: [TransactionEntry]) {
    self.transactions = transactions
    let ascending =
      transactions.indices.dropFirst().first {
        transactions[$0 - 1].row >= transactions[$0].row
      } ?? transactions.count
    self.ascending = ascending
    added = sortedByKey(count: transactions.count - ascending) {
      UInt64(transactions[ascending + $0].row.number)
    }.map { ascending + Int($0.index) }
  }

  /// Whether the transaction at a position was added to those of the period.
  func isAdded(_ position: Int) -> Bool { position >= ascending }

  /// The position of a row; nil where it is not among the transactions. Rows are asked for
  /// ascending.
  mutating func position(of row: TransactionRow.ID) -> Int? {
    while next < ascending, transactions[next].row < row { next += 1 }
    if next < ascending, transactions[next].row == row { return next }
    while nextAdded < added.count, transactions[added[nextAdded]].row < row { nextAdded += 1 }
    guard nextAdded < added.count, transactions[added[nextAdded]].row == row else { return nil }
    return added[nextAdded]
  }
}
