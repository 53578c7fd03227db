import Billing
import Conclusions

/// Refunds that Apple took back after a dispute. Whether its sales reports have the refund, the
/// reversal, both or neither no document says, so that of them the ledger's units are those that
/// the reports have: none, as long as these have none.
struct ReversedRefunds {
  /// Transactions whose refund is one of the ledger's units.
  private(set) var refunds: Set<Int32> = []
  /// Transactions that count as sold again, with the moment in seconds since 1970.
  private(set) var returns: [Int32: UInt32] = [:]

  /// What becomes a unit of the ledger: the refund, or the unit that is sold again, in one of
  /// Apple's slots.
  struct Counted {
    var transaction: Int32
    /// Seconds since 1970.
    var moment: UInt32
    var slot: Int
    var isRefund: Bool
  }

  private(set) var counted: [Counted] = []

  /// When Apple told of the reversal, by transaction; seconds since 1970.
  private(set) var toldAt: [Int32: UInt32] = [:]
  /// Billable ones whose refund was reversed, ascending.
  private(set) var transactions: [Int32] = []

  init() {}

  /// Finds the transactions whose refund was reversed, and when Apple told so; none of them is a
  /// unit of the ledger yet.
  init(_ book: MatchTable, _ units: BillableUnits) {
    let isReversed = book.transactionTerms.map(\.isRefundReversed)
    guard isReversed.contains(true) else { return }
    var told: [IDKey: UInt32] = [:]
    for index in book.transactions.indices where isReversed[Int(book.transactions[index].terms)] {
      let key = book.transactions[index].key
      if !book.observedAt.isEmpty, book.observedAt[index] != 0 {
        told[key] = min(told[key] ?? .max, book.observedAt[index])
      }
      if units.classOf[index] >= 0 { transactions.append(Int32(index)) }
    }
    for index in transactions { toldAt[index] = told[book.transactions[Int(index)].key] }
  }

  /// Notes that a refund which was reversed, or the unit that is sold again by that, is one of the
  /// ledger's units.
  mutating func count(_ unit: Counted) {
    counted.append(unit)
    if unit.isRefund {
      refunds.insert(unit.transaction)
    } else {
      returns[unit.transaction] = unit.moment
    }
  }
}

extension SalesTieOut {
  /// Whether the refund of a billable transaction is one of the ledger's units.
  ///
  /// - Parameter transaction: its place in the table of matches.
  func countsRefund(_ transaction: Int) -> Bool {
    let entry = book.transactions[transaction]
    guard entry.revokedAt != 0, units.refunds[Int(entry.terms)] else { return false }
    return !book.transactionTerms[Int(entry.terms)].isRefundReversed
      || reversed.refunds.contains(Int32(transaction))
  }

  /// Adds reversed refunds to the ledger's units where Apple's reports have more units than the
  /// ledger otherwise has: the refund on its own day, and the unit that is sold again on the day on
  /// which Apple told of it; either on a day beside it too, because days are Apple's.
  ///
  /// - Parameters:
  ///   - levels: both sides' units, with all others of the ledger.
  ///   - business: by quarter hour of the grid, whether the period has it by the company's day.
  mutating func countReversed(_ levels: inout UnitLevels, _ business: [Bool]) {
    reversed = ReversedRefunds(book, units)
    for transaction in reversed.transactions {
      let entry = book.transactions[Int(transaction)]
      let sold = units.classOf[Int(transaction)]
      if units.refunds[Int(entry.terms)], entry.revokedAt != 0,
        let slot = slotWithMore(sold, at: entry.revokedAt, isRefund: true, &levels)
      {
        let refund = ReversedRefunds.Counted(
          transaction: transaction, moment: entry.revokedAt, slot: slot, isRefund: true)
        addReversed(refund, ofClass: sold, business, &levels)
      }
      if let told = reversed.toldAt[transaction],
        let slot = slotWithMore(sold, at: told, isRefund: false, &levels)
      {
        let sale = ReversedRefunds.Counted(
          transaction: transaction, moment: told, slot: slot, isRefund: false)
        addReversed(sale, ofClass: sold, business, &levels)
      }
    }
  }

  /// The slot of a moment, or one beside it, in which Apple has a unit of the class that the ledger
  /// does not have yet; nil where none does.
  ///
  /// - Parameters:
  ///   - sold: the class, as an index.
  ///   - moment: seconds since 1970.
  private func slotWithMore(
    _ sold: Int32, at moment: UInt32, isRefund: Bool, _ levels: inout UnitLevels
  ) -> Int? {
    guard let quarter = units.grid.quarter(moment) else { return nil }
    let own = Int(slotTables.slot(Int(sold), quarter))
    guard own >= 0 else { return nil }
    let (product, price) = (units.productOf[Int(sold)], price(of: units.classes[Int(sold)]))
    return [own, own + 1, own - 1].first { slot in
      days.slots.indices.contains(slot)
        && levels.further(product, price, slot: slot, isRefund: isRefund)
          >= units.quantities[Int(sold)]
    }
  }

  /// Adds a refund that was reversed, or the unit sold again, to the ledger's side: to its units,
  /// its money and the bridge.
  ///
  /// - Parameters:
  ///   - sold: the index in `units.classes` of the transaction's class.
  ///   - business: by quarter hour of the grid, whether the period has it by the company's day.
  private mutating func addReversed(
    _ unit: ReversedRefunds.Counted, ofClass sold: Int32, _ business: [Bool],
    _ levels: inout UnitLevels
  ) {
    reversed.count(unit)
    let (slot, isRefund) = (unit.slot, unit.isRefund)
    let terms = units.classes[Int(sold)]
    let (price, quantity) = (price(of: terms), units.quantities[Int(sold)])
    if let quarter = units.grid.quarter(unit.moment), business[quarter] {
      addLedger(Int(sold), isRefund: isRefund, quantity)
    }
    levels.add(
      quantity, to: units.productOf[Int(sold)], price, slot: slot, isRefund: isRefund)
    clearing.count(quantity, terms.storefront, price, slot: slot)
    guard days.slots[slot].isInPeriod else { return }
    bridge.add(.dayBoundary, terms.storefront, price, units: isRefund ? -quantity : quantity)
  }
}
