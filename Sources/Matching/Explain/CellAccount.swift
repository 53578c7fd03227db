package import Billing

/// One product in one storefront on one of Apple's report days: both sides' units by price, and the
/// rows behind them.
package struct CellAccount: Sendable {
  /// Sales or refunds.
  package struct Side: Sendable {
    package var levels: [Level] = []
    /// The ledger's, ascending by time.
    package var units: [Unit] = []
    /// Units on both sides, whatever their price.
    package var paired: Int64 { min(reported, counted) }
    /// Apple's units.
    package var reported: Int64 { levels.reduce(0) { $0 + $1.reported } }
    /// The ledger's units.
    package var counted: Int64 { levels.reduce(0) { $0 + $1.counted } }
    package var isEmpty: Bool { levels.isEmpty }
  }

  /// Units of Apple's (`reported`) and of the ledger (`counted`) at one price, positive.
  package struct Level: Hashable, Sendable {
    package var currency: Currency?
    /// Micro-units per unit; nil where nobody told it.
    package var price: Int64?
    package var reported: Int64
    package var counted: Int64
  }

  /// A transaction that sold or gave back units on the day.
  package struct Unit: Hashable, Sendable {
    /// Its position in the table.
    package var transaction: Int
    package var row: TransactionRow.ID
    package var moment: Instant
    package var quantity: Int64
    package var currency: Currency?
    package var price: Int64?
  }

  package let storefront: Storefront
  /// Of a product, or of all apps where its units are put together.
  package let sku: String
  package let day: Day
  /// When Apple's day begins and ends.
  package let begin: Instant
  package let end: Instant
  package private(set) var sales = Side()
  package private(set) var refunds = Side()
  /// Transactions of the SKU on the day that are not counted, ascending by time.
  package private(set) var uncounted: [(unit: Unit, why: Unbillable)] = []
  /// The ledger's units of the days beside, no further from the boundary than `Rules.besideDay`.
  package private(set) var beside: [Unit] = []
  /// The same of refunds.
  package private(set) var refundsBeside: [Unit] = []

  /// Collects both sides' units of the product in the storefront on the day.
  ///
  /// - Precondition: the tie-out's period has the day.
  package init(_ tieOut: SalesTieOut, storefront: Storefront, sku: String, day: Day) {
    self.storefront = storefront
    self.sku = tieOut.units.joined(sku)
    self.day = day
    let zone = tieOut.zone(of: storefront)
    begin = zone.start(of: day)
    end = zone.start(of: day.advanced(by: 1))
    addReported(tieOut)
    addCounted(tieOut)
    addUncounted(tieOut)
    for side in [\CellAccount.sales, \CellAccount.refunds] { self[keyPath: side].sort() }
    let (begin, end) = (begin, end)
    /// Seconds from a unit to the nearer end of the day.
    func distance(_ unit: Unit) -> Int64 {
      min(abs(unit.moment.seconds - begin.seconds), abs(unit.moment.seconds - end.seconds))
    }
    beside.sort { (distance($0), $0.row) < (distance($1), $1.row) }
    refundsBeside.sort { (distance($0), $0.row) < (distance($1), $1.row) }
  }

  /// Seconds from a moment to the nearer end of the day.
  package func distance(of moment: Instant) -> Int64 {
    min(abs(moment.seconds - begin.seconds), abs(moment.seconds - end.seconds))
  }

  /// Whether a moment lies on the day.
  package func contains(_ moment: Instant) -> Bool { begin <= moment && moment < end }

  /// Adds the units of Apple's reports of the day, by price.
  private mutating func addReported(_ tieOut: SalesTieOut) {
    for (index, group) in tieOut.groups.groups.enumerated()
    where group.type == .covered && group.units != 0 && tieOut.slotOfGroup[index] >= 0
      && group.terms.storefront == storefront
      && tieOut.units.joined(tieOut.groups.skus[Int(group.sku)]) == sku
      && group.begin <= day && group.end >= day
    {
      let side = group.isRefund ? \CellAccount.refunds : \CellAccount.sales
      let level = self[keyPath: side].level(tieOut.reports.currency(of: group), group.price)
      self[keyPath: side].levels[level].reported += abs(group.units)
    }
  }

  /// Adds the ledger's units of the day, by price, and those shortly before and after it; of the
  /// day, purchases that Spark counted are among them.
  private mutating func addCounted(_ tieOut: SalesTieOut) {
    let sold = tieOut.units
    for (index, entry) in tieOut.book.transactions.enumerated() where sold.classOf[index] >= 0 {
      let terms = sold.classes[Int(sold.classOf[index])]
      guard terms.sku == sku, terms.storefront == storefront else { continue }
      let returned = tieOut.reversed.returns[Int32(index)]
      for (isRefund, told) in [
        (false, entry.purchasedAt), (true, tieOut.countsRefund(index) ? entry.revokedAt : nil),
        (false, returned),
      ] as [(Bool, UInt32?)] {
        guard let seconds = told else { continue }
        let unit = Unit(
          transaction: index, row: entry.row, moment: Instant(seconds: Int64(seconds)),
          quantity: Int64(terms.quantity), currency: terms.currency, price: terms.unitPrice)
        guard contains(unit.moment) else {
          if distance(of: unit.moment) > Rules.besideDay { continue }
          if isRefund { refundsBeside.append(unit) } else { beside.append(unit) }
          continue
        }
        let side = isRefund ? \CellAccount.refunds : \CellAccount.sales
        let level = self[keyPath: side].level(terms.currency, terms.unitPrice)
        self[keyPath: side].levels[level].counted += unit.quantity
        self[keyPath: side].units.append(unit)
      }
    }
    for (code, counted) in sold.countedQuarters(tieOut.book) {
      let terms = sold.classes[code]
      guard terms.sku == sku, terms.storefront == storefront,
        contains(sold.grid.moment(counted.quarter))
      else { continue }
      let level = sales.level(terms.currency, terms.unitPrice)
      sales.levels[level].counted += Int64(terms.quantity) * counted.count
    }
  }

  /// Adds transactions of the SKU on the day that are no units sold, each with the reason.
  private mutating func addUncounted(_ tieOut: SalesTieOut) {
    let (book, context) = (tieOut.book, tieOut.context)
    for (index, entry) in book.transactions.enumerated()
    where tieOut.units.classOf[index] < 0 && book.orderOf[index] != .merged {
      let terms = book.transactionTerms[Int(entry.terms)]
      let moment = Instant(seconds: Int64(entry.purchasedAt))
      guard tieOut.units.joined(terms.sku) == sku, contains(moment),
        let why = context.unbillable(terms)
      else {
        continue
      }
      let sold = EffectiveTerms(index, in: book, context)
      guard sold.storefront == nil || sold.storefront == storefront else { continue }
      let unit = Unit(
        transaction: index, row: entry.row, moment: moment, quantity: Int64(sold.quantity),
        currency: sold.currency, price: sold.unitPrice)
      uncounted.append((unit, why))
    }
    uncounted.sort { ($0.unit.moment, $0.unit.row) < ($1.unit.moment, $1.unit.row) }
  }
}

extension CellAccount.Side {
  /// Sorts levels by currency and price, units by time.
  fileprivate mutating func sort() {
    levels.sort {
      ($0.currency?.code ?? "", $0.price ?? -1) < ($1.currency?.code ?? "", $1.price ?? -1)
    }
    units.sort { ($0.moment, $0.row) < ($1.moment, $1.row) }
  }

  /// The index of the level of a price, in micro-units per unit; a new one is added without units.
  fileprivate mutating func level(_ currency: Currency?, _ price: Int64?) -> Int {
    if let known = levels.firstIndex(where: { $0.currency == currency && $0.price == price }) {
      return known
    }
    levels.append(.init(currency: currency, price: price, reported: 0, counted: 0))
    return levels.count - 1
  }
}
