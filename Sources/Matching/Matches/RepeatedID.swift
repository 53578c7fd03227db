package import Billing

/// A transaction ID that no transaction has and that so many orders name that it stands for
/// nothing: a word or a number that some system writes where it knows none.
package struct RepeatedID: Sendable {
  package let id: IDKey
  /// Positions of the orders that name it, ascending.
  package let orders: [Int32]
  /// As the orders have it; empty until the ledger was asked.
  package var text = ""
}

extension MatchTable {
  /// Takes IDs that stand for nothing out of the orders that name them, which then are matched as
  /// if they named none.
  ///
  /// - Parameters:
  ///   - naming: orders of which no transaction was found, ascending by the ID that they name.
  ///   - known: such IDs, where the rows are a few of a period's that was reconciled before; nil
  ///     where their own number decides.
  mutating func takeRepeatedIDs(from naming: [KeyedIndex], known: Set<IDKey>?) {
    var orderCount: Int?
    var start = 0
    while start < naming.count {
      let id = IDKey(raw: naming[start].key)
      var end = start + 1
      while end < naming.count, naming[end].key == id.raw { end += 1 }
      let run = naming[start..<end]
      start = end
      guard known?.contains(id) ?? isRepeated(run, &orderCount), position(of: id) == nil else {
        continue
      }
      repeatedIDs.append(
        RepeatedID(id: id, orders: run.map { Int32(bitPattern: $0.index) }.sorted()))
      for order in run {
        let before = orders[Int(order.index)]
        orders[Int(order.index)].transaction = .none
        note(before, at: Int(order.index))
      }
    }
  }

  /// Whether more orders of the period name one ID than chance or a lost transaction explains.
  ///
  /// - Parameters:
  ///   - run: positions of the orders that name the ID.
  ///   - orderCount: how many orders the period has; nil until it is needed, then set.
  private func isRepeated(_ run: ArraySlice<KeyedIndex>, _ orderCount: inout Int?) -> Bool {
    guard run.count >= Rules.repeatedOrders else { return false }
    let count = run.count { purchases.contains(orders[Int($0.index)].placedAt) }
    guard count >= Rules.repeatedOrders else { return false }
    let total = orderCount ?? orderCountOfPeriod
    orderCount = total
    return count * Rules.repeatedShare > total
  }

  /// How many of Apple's orders were placed in the period, those that were counted elsewhere among
  /// them.
  private var orderCountOfPeriod: Int {
    let rows = orders.indices.count {
      transactionOf[$0] != .merged && isApple[Int(orders[$0].terms)]
        && purchases.contains(orders[$0].placedAt)
    }
    return rows + Int(counts.count)
  }

  /// The ID that was taken out of the order at a position; nil where none was.
  package func repeatedID(of order: Int) -> RepeatedID? {
    repeatedIDs.first { repeated in
      let place = repeated.orders.partitioningIndex { $0 >= order }
      return place < repeated.orders.count && repeated.orders[place] == order
    }
  }

  /// Looks up how the IDs in `repeatedIDs`, which stand for nothing, are written in the orders.
  ///
  /// - Parameter text: gives the ID that an order's row names; nil where it names none.
  package mutating func nameRepeatedIDs(_ text: (OrderRow.ID) throws -> String?) rethrows {
    for place in repeatedIDs.indices {
      let order = Int(repeatedIDs[place].orders[0])
      for row in rows(ofOrder: order) where repeatedIDs[place].text.isEmpty {
        guard let found = try text(row), IDKey(found) == repeatedIDs[place].id else { continue }
        repeatedIDs[place].text = found
      }
    }
  }
}
