import Billing

/// Finds sales of coins by the ids of orders and transactions.
struct OrderPlaces {
  private let orders: [KeyedIndex]
  private let transactions: [KeyedIndex]
  /// Per transaction the place of its sale plus 1; 0 without one.
  private let owners: [Int32]

  /// Sorts the orders and transactions of a table by their ids.
  ///
  /// - Parameter sold: whose renewals are found, too; nil where only orders are looked for.
  init(_ table: MatchTable, _ sold: SoldCoins? = nil) {
    orders = sortedByKey(count: table.orders.count) { table.orders[$0].key.raw }
      .filter { table.transactionOf[Int($0.index)] != .merged }
    transactions = sortedByKey(count: table.transactions.count) { table.transactions[$0].key.raw }
      .filter { table.orderOf[Int($0.index)] != .merged }
    var owners = table.transactions.indices.map {
      Int32((table.owner(of: $0)?.order ?? -1) + 1)
    }
    if let sold {
      for (number, renewal) in sold.renewals.enumerated() {
        owners[Int(renewal.transaction)] = Int32(sold.lines.count + number + 1)
      }
    }
    self.owners = owners
  }

  /// The place in ``SoldCoins`` of the sale that a movement names, by its order or else its
  /// transaction; nil where neither is here.
  func sale(_ order: IDKey, _ transaction: IDKey) -> Int? {
    if !order.isNone {
      let place = orders.lowerBound(order.raw)
      if place < orders.count, orders[place].key == order.raw { return Int(orders[place].index) }
    }
    guard let place = position(of: transaction), owners[place] > 0 else { return nil }
    return Int(owners[place]) - 1
  }

  /// Whether a transaction is here, with an order or without.
  func hasTransaction(_ transaction: IDKey) -> Bool { position(of: transaction) != nil }

  /// The position of a transaction in the table of matches; nil where it is not there.
  private func position(of transaction: IDKey) -> Int? {
    if transaction.isNone { return nil }
    let place = transactions.lowerBound(transaction.raw)
    guard place < transactions.count, transactions[place].key == transaction.raw else { return nil }
    return Int(transactions[place].index)
  }
}
