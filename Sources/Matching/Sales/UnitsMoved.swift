package import Billing
package import Conclusions

/// A line of ``MovedUnits`` before its rows are resolved to ids.
package struct UnresolvedMove: Sendable {
  package var line: MovedUnits
  /// Rows of the transaction, the one that counts first; none where several are put together.
  package var transactions: [TransactionRow.ID] = []
  package var orders: [OrderRow.ID] = []
}

extension SalesTieOut {
  /// A purchase or refund that the period has by the company's days or by Apple's alone, with its
  /// place in the table of matches.
  private struct Move {
    /// -1 of purchases that Spark counted.
    var transaction: Int
    /// Index of its class.
    var sold: Int
    var isRefund: Bool
    var moment: Instant
    /// Apple's slot, where that is not the moment's own; nil else.
    var slot: Int?
    /// Whether Apple's period has it, not the company's.
    var isApples: Bool
    /// Purchases or refunds.
    var count: Int64
  }

  /// What the step `day-boundary` of the bridge is made of, by storefront, currency, day, SKU and
  /// id; of more than `limit` those of one product and the same two days together.
  package func movedUnits(oneByOne limit: Int) -> [UnresolvedMove] {
    guard days.hasReports else { return [] }
    let moves = crossingMoves() + crossingReversedRefunds()
    var found = moves.map(unresolved)
    if moves.count > limit { return together(found.map(\.line)) }
    let keys = moves.map { $0.transaction < 0 ? IDKey.none : book.transactions[$0.transaction].key }
    for (place, move) in moves.enumerated() where move.transaction >= 0 {
      found[place].transactions = book.rows(ofTransaction: move.transaction)
      found[place].orders =
        book.owningOrder(of: move.transaction).map { book.rows(ofOrder: $0) } ?? []
    }
    return found.indices.sorted { left, right in
      let (a, b) = (found[left].line, found[right].line)
      return a.order != b.order ? a.order < b.order : keys[left] < keys[right]
    }.map { found[$0] }
  }

  /// Purchases and refunds whose quarter hour the period has by the company's days alone, or by
  /// Apple's alone.
  private func crossingMoves() -> [Move] {
    let business = businessTable()
    let isSlotInPeriod = days.slots.map(\.isInPeriod)
    /// Whether Apple's period alone has a moment of a class; false where the company's alone has
    /// it, nil where both have it or neither.
    func isApplesAlone(_ seconds: UInt32, _ sold: Int) -> Bool? {
      guard let quarter = units.grid.quarter(seconds) else { return nil }
      let slot = Int(slotTables.slot(sold, quarter))
      let isIn = slot >= 0 && isSlotInPeriod[slot]
      return isIn == business[quarter] ? nil : isIn
    }
    var moves: [Move] = []
    /// Adds purchases or refunds to the moves, if their moment is in the period by the company's
    /// days alone or by Apple's days alone.
    ///
    /// - Parameters:
    ///   - transaction: its place in the table of matches; -1 of purchases that Spark counted.
    ///   - sold: index of its class.
    ///   - seconds: the moment, since 1970.
    ///   - count: how many purchases or refunds.
    func add(_ transaction: Int, _ sold: Int, at seconds: UInt32, isRefund: Bool, _ count: Int64) {
      // Without a currency no bridge has them.
      guard units.classes[sold].currency != nil,
        let isApples = isApplesAlone(seconds, sold)
      else { return }
      moves.append(
        Move(
          transaction: transaction, sold: sold, isRefund: isRefund,
          moment: Instant(seconds: Int64(seconds)), isApples: isApples, count: count))
    }
    for index in book.transactions.indices where units.classOf[index] >= 0 {
      let (sold, entry) = (Int(units.classOf[index]), book.transactions[index])
      add(index, sold, at: entry.purchasedAt, isRefund: false, 1)
      guard entry.revokedAt != 0, countsRefund(index), !isReversed(index) else { continue }
      add(index, sold, at: entry.revokedAt, isRefund: true, 1)
    }
    for (counted, sold) in zip(book.counts.sold, units.classOfCounted) where sold >= 0 {
      add(-1, Int(sold), at: counted.at, isRefund: false, counted.count)
    }
    return moves
  }

  /// Whether Apple took the refund of a transaction back.
  private func isReversed(_ transaction: Int) -> Bool {
    book.transactionTerms[Int(book.transactions[transaction].terms)].isRefundReversed
  }

  /// Refunds that Apple took back, and units that are sold again by that, which the period has by
  /// the company's days alone, or by Apple's alone; Apple may have them a day beside.
  private func crossingReversedRefunds() -> [Move] {
    let business = businessTable()
    return reversed.counted.compactMap { counted in
      let transaction = Int(counted.transaction)
      let sold = Int(units.classOf[transaction])
      let isOurs = units.grid.quarter(counted.moment).map { business[$0] } ?? false
      let isApples = days.slots[counted.slot].isInPeriod
      if isOurs == isApples || units.classes[sold].currency == nil { return nil }
      return Move(
        transaction: transaction, sold: sold, isRefund: counted.isRefund,
        moment: Instant(seconds: Int64(counted.moment)), slot: counted.slot, isApples: isApples,
        count: 1)
    }
  }

  /// A move as a line of the list, without its rows yet.
  private func unresolved(_ move: Move) -> UnresolvedMove {
    let terms = units.classes[move.sold]
    let price = price(of: terms)
    let sign: Int64 = move.isApples == move.isRefund ? -1 : 1
    let quantity = sign * units.quantities[move.sold] * move.count
    let amount = (price.price ?? 0).multipliedExactly(by: quantity)
    var line = MovedUnits(
      storefront: terms.storefront, sku: terms.sku, isRefund: move.isRefund,
      ourDay: context.settings.businessZone.day(of: move.moment),
      appleDay: move.slot.map { days.slots[$0].begin }
        ?? zone(of: terms.storefront).day(of: move.moment),
      units: quantity, amount: Money(micros: amount, price.currency!))
    line.count = move.count
    return UnresolvedMove(line: line)
  }

  /// The lines with those of one storefront, currency, SKU, kind and pair of days added up, in
  /// their order.
  private func together(_ lines: [MovedUnits]) -> [UnresolvedMove] {
    struct Key: Hashable {
      var storefront: Storefront?
      var currency: Currency
      var sku: String
      var isRefund: Bool
      var ourDay: Day
      var appleDay: Day
    }
    var sums: [Key: MovedUnits] = [:]
    for line in lines {
      let key = Key(
        storefront: line.storefront, currency: line.currency, sku: line.sku,
        isRefund: line.isRefund, ourDay: line.ourDay, appleDay: line.appleDay)
      guard var sum = sums[key] else {
        sums[key] = line
        continue
      }
      sum.count += line.count
      sum.units += line.units
      sum.amount += line.amount
      sums[key] = sum
    }
    return sums.values.sorted { $0.order < $1.order }.map { UnresolvedMove(line: $0) }
  }
}

extension MovedUnits {
  /// What lists of moves are sorted by.
  fileprivate var order: (String, String, Day, Day, String, Int) {
    (storefront?.code ?? "", currency.code, ourDay, appleDay, sku, isRefund ? 1 : 0)
  }
}
