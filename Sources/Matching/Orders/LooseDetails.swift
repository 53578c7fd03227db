package import Billing

/// What the ledger tells of rows that no id claims, found by row.
package struct LooseDetails: Sendable {
  private let orders: [OrderDetail]
  private let transactions: [TransactionDetail]

  package init(orders: [OrderDetail], transactions: [TransactionDetail]) {
    self.orders = orders.sorted { $0.row < $1.row }
    self.transactions = transactions.sorted { $0.row < $1.row }
  }

  package func order(_ row: RowID) -> OrderDetail? { Self.find(row, in: orders, \.row) }
  package func transaction(_ row: RowID) -> TransactionDetail? {
    Self.find(row, in: transactions, \.row)
  }

  private static func find<Detail>(_ row: RowID, in all: [Detail], _ rowOf: (Detail) -> RowID)
    -> Detail?
  {
    var low = 0
    var high = all.count
    while low < high {
      let middle = (low + high) / 2
      if rowOf(all[middle]) < row { low = middle + 1 } else { high = middle }
    }
    return low < all.count && rowOf(all[low]) == row ? all[low] : nil
  }
}

extension ClaimBook {
  /// Rows whose users and tokens the looser claims and the user checks need, ascending.
  package func rowsNeedingDetail() -> (orders: [RowID], transactions: [RowID]) {
    var orderRows: [RowID] = []
    var transactionRows: [RowID] = []
    let asksForUser = transactionTerms.map {
      $0.environment == .sandbox || $0.isTrial || $0.isIntro
    }
    for index in transactions.indices {
      let order = orderOf[index]
      if order == Self.unclaimed, isOpen(transaction: index) {
        transactionRows += rows(ofTransaction: index)
      } else if order >= 0, asksForUser[Int(transactions[index].terms)] {
        transactionRows += rows(ofTransaction: index)
        orderRows += rows(ofOrder: Int(order))
      }
    }
    if transactions.indices.contains(where: { isOpen(transaction: $0) }) {
      for index in orders.indices where isOpen(order: index) { orderRows += rows(ofOrder: index) }
    }
    for (place, position) in chains.positions.enumerated() where chains.details[place].user.isNone {
      let order = orderOf[Int(position)]
      if order >= 0 { orderRows += rows(ofOrder: Int(order)) }
    }
    return (Self.ascending(orderRows), Self.ascending(transactionRows))
  }

  private static func ascending(_ rows: [RowID]) -> [RowID] {
    var last: RowID?
    return rows.sorted().filter { row in
      defer { last = row }
      return row != last
    }
  }

  /// User and token of an order, from all its rows.
  func detail(ofOrder order: Int, _ details: LooseDetails) -> OrderDetail? {
    guard let rows = mergedOrders[Int32(order)] else { return details.order(orders[order].row) }
    return ([orders[order].row] + rows).lazy.compactMap(details.order)
      .reduce(nil) { known, more in
        var all = known ?? more
        all.fill(from: more)
        return all
      }
  }

  /// Ids, user and token of a transaction, from all its rows.
  func detail(ofTransaction transaction: Int, _ details: LooseDetails) -> TransactionDetail? {
    let row = transactions[transaction].row
    guard let rows = mergedTransactions[Int32(transaction)] else {
      return details.transaction(row) ?? chains.detail(of: transaction)
    }
    return ([row] + rows).lazy.compactMap(details.transaction)
      .reduce(chains.detail(of: transaction)) { known, more in
        var all = known ?? more
        all.fill(from: more)
        return all
      }
  }

  /// Who bought: by the transaction, else by its order.
  func user(ofTransaction transaction: Int, _ details: LooseDetails) -> IDKey {
    if let user = detail(ofTransaction: transaction, details)?.user, !user.isNone { return user }
    let order = orderOf[transaction]
    guard order >= 0 else { return .none }
    return detail(ofOrder: Int(order), details)?.user ?? .none
  }
}
