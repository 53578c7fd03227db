package import Billing

/// What the ledger tells of rows that no id matches, found by row.
package struct MatchDetails: Sendable {
  private let orders: [OrderDetail]
  private let transactions: [TransactionDetail]

  /// Details of rows in any order.
  package init(orders: [OrderDetail], transactions: [TransactionDetail]) {
    self.orders = Self.ascending(orders) { $0.row < $1.row }
    self.transactions = Self.ascending(transactions) { $0.row < $1.row }
  }

  /// The details ascending by row; sorted only where they do not ascend already, as a sorted copy
  /// is not for nothing.
  private static func ascending<Detail>(
    _ details: [Detail], _ precedes: (Detail, Detail) -> Bool
  ) -> [Detail] {
    let ascends = details.indices.dropFirst().allSatisfy { precedes(details[$0 - 1], details[$0]) }
    return ascends ? details : details.sorted(by: precedes)
  }

  /// The user and the token that an order's row tells; nil where it was not asked for.
  package func order(_ row: OrderRow.ID) -> OrderDetail? {
    var cursor = 0
    return order(row, near: &cursor)
  }

  /// The ids, user and token that a transaction's row tells; nil where it was not asked for.
  package func transaction(_ row: TransactionRow.ID) -> TransactionDetail? {
    var cursor = 0
    return transaction(row, near: &cursor)
  }

  /// The detail of an order's row; nil where there is none. The search begins at the cursor, which
  /// is left where the row is: rows that are asked for in turn mostly stand near each other.
  func order(_ row: OrderRow.ID, near cursor: inout Int) -> OrderDetail? {
    Self.find(row.number, in: orders, near: &cursor) { $0.row.number }
  }

  /// The detail of a transaction's row; nil where there is none. The search begins at the cursor,
  /// which is left where the row is.
  func transaction(_ row: TransactionRow.ID, near cursor: inout Int) -> TransactionDetail? {
    Self.find(row.number, in: transactions, near: &cursor) { $0.row.number }
  }

  /// The detail of a row; nil where there is none. The cursor is left where it is or would be.
  ///
  /// - Parameters:
  ///   - row: its number.
  ///   - all: ascending by row.
  ///   - rowOf: the row's number of a detail.
  @inline(__always)
  private static func find<Detail>(
    _ row: Int32, in all: [Detail], near cursor: inout Int, _ rowOf: (Detail) -> Int32
  ) -> Detail? {
    cursor = bounds(of: row, in: all, near: cursor, rowOf)
      .partitioningIndex { rowOf(all[$0]) >= row }
    return cursor < all.count && rowOf(all[cursor]) == row ? all[cursor] : nil
  }

  /// A range of places in which the row stands or would stand: steps of doubling width from the
  /// cursor until it lies between two of them.
  @inline(__always)
  private static func bounds<Detail>(
    of row: Int32, in all: [Detail], near cursor: Int, _ rowOf: (Detail) -> Int32
  ) -> Range<Int> {
    var width = 1
    if cursor < all.count, rowOf(all[cursor]) < row {
      while cursor + width < all.count, rowOf(all[cursor + width]) < row { width *= 2 }
      return cursor + width / 2..<min(cursor + width, all.count)
    }
    while cursor - width >= 0, rowOf(all[cursor - width]) >= row { width *= 2 }
    return max(cursor - width, 0)..<min(cursor, all.count)
  }
}

extension MatchTable {
  /// Rows, ascending, whose users and tokens are to be read, because inferred matches and the
  /// checks of users need them.
  package func rowsNeedingDetail() -> (orders: [OrderRow.ID], transactions: [TransactionRow.ID]) {
    var orderRows: [OrderRow.ID] = []
    var transactionRows: [TransactionRow.ID] = []
    let asksForUser = transactionTerms.map {
      $0.isSandbox || $0.isTrial || $0.isIntro
    }
    var isAnyOpen = false
    var chained = 0
    for index in transactions.indices {
      if isOpen(transaction: index) {
        isAnyOpen = true
        // The chains have the details of a single row already.
        if !isChained(index, near: &chained) || mergedTransactions.hasRows(of: index) {
          append(rowsOfTransaction: index, to: &transactionRows)
        }
      } else if let order = orderOf[index].position, asksForUser[Int(transactions[index].terms)] {
        append(rowsOfTransaction: index, to: &transactionRows)
        append(rowsOfOrder: order, to: &orderRows)
      }
    }
    let unfulfilled = unfulfilledOrders()
    if isAnyOpen || !unfulfilled.isEmpty {
      for index in orders.indices where isOpen(order: index) {
        append(rowsOfOrder: index, to: &orderRows)
      }
    }
    for index in unfulfilled { append(rowsOfOrder: index, to: &orderRows) }
    for (place, position) in chains.positions.enumerated() where chains.details[place].user.isNone {
      if let order = orderOf[Int(position)].position {
        append(rowsOfOrder: order, to: &orderRows)
      }
    }
    return (Self.ascending(orderRows), Self.ascending(transactionRows))
  }

  /// Positions of orders that have a purchase and were not fulfilled: another order of the same
  /// user may be a second try.
  private func unfulfilledOrders() -> [Int] {
    let isUnfulfilled = orderTerms.map { $0.status == .created || $0.status == .cancelled }
    guard isUnfulfilled.contains(true) else { return [] }
    return orders.indices.filter {
      isUnfulfilled[Int(orders[$0].terms)] && transactionOf[$0].isMatched
    }
  }

  /// Whether the chains have the details of the transaction at a position; asked for ascending.
  ///
  /// - Parameter place: where in the chains the last answer was; 0 at first.
  private func isChained(_ transaction: Int, near place: inout Int) -> Bool {
    let positions = chains.positions
    while place < positions.count, positions[place] < transaction { place += 1 }
    return place < positions.count && positions[place] == transaction
  }

  /// The rows in ascending order, each once.
  private static func ascending<Table>(_ rows: [RowID<Table>]) -> [RowID<Table>] {
    var ascending: [RowID<Table>] = []
    ascending.reserveCapacity(rows.count)
    for item in sortedByKey(count: rows.count, { UInt64(rows[$0].number) })
    where ascending.last != rows[Int(item.index)] { ascending.append(rows[Int(item.index)]) }
    return ascending
  }

  /// Appends the kept row of the order at a position and those merged into it.
  private func append(rowsOfOrder order: Int, to rows: inout [OrderRow.ID]) {
    rows.append(orders[order].row)
    rows += mergedOrders[order]
  }

  /// Appends the kept row of the transaction at a position and those merged into it.
  private func append(rowsOfTransaction transaction: Int, to rows: inout [TransactionRow.ID]) {
    rows.append(transactions[transaction].row)
    rows += mergedTransactions[transaction]
  }

  /// User and token of the order at a position, from all its rows; nil where none of them is in the
  /// details. They are searched from the cursor on.
  func detail(ofOrder order: Int, _ details: MatchDetails, near cursor: inout Int) -> OrderDetail? {
    let rows = mergedOrders[order]
    if rows.isEmpty {
      return details.order(orders[order].row, near: &cursor)
    }
    return ([orders[order].row] + rows).lazy.compactMap(details.order)
      .reduce(nil) { known, more in
        var all = known ?? more
        all.fill(from: more)
        return all
      }
  }

  /// Ids, user and token of the transaction at a position, from the details of all its rows and
  /// from its chain; nil where neither has any. The details are searched from the cursor on.
  func detail(ofTransaction transaction: Int, _ details: MatchDetails, near cursor: inout Int)
    -> TransactionDetail?
  {
    let row = transactions[transaction].row
    let rows = mergedTransactions[transaction]
    if rows.isEmpty {
      return details.transaction(row, near: &cursor) ?? chains.detail(of: transaction)
    }
    return ([row] + rows).lazy.compactMap(details.transaction)
      .reduce(chains.detail(of: transaction)) { known, more in
        var all = known ?? more
        all.fill(from: more)
        return all
      }
  }

  /// User and token of the order at a position, from all its rows; nil where none is in the
  /// details.
  func detail(ofOrder order: Int, _ details: MatchDetails) -> OrderDetail? {
    var cursor = 0
    return detail(ofOrder: order, details, near: &cursor)
  }

  /// Ids, user and token of the transaction at a position, from the details of all its rows and
  /// from its chain; nil where neither has any.
  func detail(ofTransaction transaction: Int, _ details: MatchDetails) -> TransactionDetail? {
    var cursor = 0
    return detail(ofTransaction: transaction, details, near: &cursor)
  }

  /// The user who bought, as the transaction tells, else as its order does; `none` where neither
  /// does.
  func user(ofTransaction transaction: Int, _ details: MatchDetails) -> IDKey {
    if let user = detail(ofTransaction: transaction, details)?.user, !user.isNone { return user }
    guard let order = orderOf[transaction].position else { return .none }
    return detail(ofOrder: order, details)?.user ?? .none
  }
}
