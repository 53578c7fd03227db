import Billing
import Conclusions

/// Units whose storefront no source tells for certain, and what of them Apple reports elsewhere.
struct UntoldStorefronts {
  /// Billable units of the period by the company's day, refunds as well as sales.
  private(set) var all: Int64 = 0
  /// Those of them whose storefront is that of the settings, or of an order that was traced back.
  private(set) var units: Int64 = 0
  /// Those that stand in Apple's report of another storefront.
  private(set) var moved: Int64 = 0
  /// Storefronts that they were taken for, and that Apple reports them in.
  private(set) var assumed: Set<Storefront> = []
  private(set) var reported: Set<Storefront> = []
  private(set) var transactions: [TransactionRow.ID] = []
  /// What moving them is worth, as a step of the bridge.
  private(set) var steps = BridgeSteps()
  /// Units that moved into a cell.
  private(set) var taken: [SalesTieOut.CellKey: Int64] = [:]

  /// Adds units of the period to all of its units, and, where no source tells the storefront of
  /// their class for certain, to those of an uncertain one.
  ///
  /// - Parameters:
  ///   - sold: the terms of the class.
  ///   - count: units sold or refunded, without sign.
  mutating func count(_ sold: EffectiveTerms, units count: Int64) {
    all += count
    if !sold.told.contains(.storefront) { units += count }
  }

  /// Notes a transaction that moved to another storefront than the one it was taken for.
  mutating func move(_ row: TransactionRow.ID, from: Storefront?) {
    if let from { assumed.insert(from) }
    if transactions.count < Rules.namedRows { transactions.append(row) }
  }

  /// Notes that units were moved into a cell of the period, because Apple reports them there.
  ///
  /// - Parameters:
  ///   - count: units.
  ///   - storefront: that of the cell's product.
  mutating func take(_ count: Int64, in cell: SalesTieOut.CellKey, _ storefront: Storefront) {
    moved += count
    reported.insert(storefront)
    taken[cell, default: 0] += count
  }

  /// Adds signed units at a price to what moving units between storefronts is worth, as part of the
  /// bridge's step `inputs-insufficient`.
  mutating func addStep(
    _ storefront: Storefront?, _ price: CellPrice, units: Int64
  ) {
    steps.add(.inputsInsufficient, storefront, price, units: units)
  }

  /// The one finding that stands for all of them; nil where Apple has them in the storefronts that
  /// they were taken for.
  var finding: UnresolvedFinding? {
    if transactions.isEmpty { return nil }
    /// The codes as text.
    func names(_ storefronts: Set<Storefront>) -> Wording {
      let codes = storefronts.map(\.code).sorted()
      return codes.map { Wording(verbatim: $0) }.joined(separator: ", ")
    }
    let place: Wording =
      assumed.isEmpty
      ? "@inputs-insufficient.not-counted-in-any-storefront"
      : "@inputs-insufficient.counted \(names(assumed))"
    var finding = UnresolvedFinding(
      .inputsInsufficient, units: moved, transactions: transactions,
      explanation: """
        @inputs-insufficient.no-source-says-for-certain \(units) \(spoken(units: all)) \(place) \
        \(moved) \(names(reported))
        """)
    finding.parts = steps.parts(of: .inputsInsufficient)
    return finding
  }
}

extension SalesTieOut {
  /// The sales of a SKU, or its refunds, in all storefronts.
  private struct Side: Hashable {
    var sku: String
    var isRefund: Bool
    /// What sides are sorted by.
    var order: (String, Int) { (sku, isRefund ? 1 : 0) }
  }

  /// A unit whose storefront no source tells, with its slot by the days of the one it is taken for.
  private struct Unplaced {
    /// Its place in the table of matches.
    var transaction: Int32
    var slot: Int16
  }

  /// Moves units whose storefront no source tells from where the ledger has too many to where
  /// Apple reports more of the same product and price on their day: first by the other
  /// storefront's own days, then by those beside them, because where days begin that have no units
  /// of their own is not known either.
  mutating func placeUntold() {
    guard untold.units > 0, days.hasReports else { return }
    var lacking: [Side: [CellKey]] = [:]
    for (place, cell) in cells
    where cell.difference > 0 && isKnown(units.products[Int(place.product)].sku) {
      guard !days.slots[Int(place.slot)].isMissing,
        units.products[Int(place.product)].storefront != nil
      else { continue }
      let sku = units.products[Int(place.product)].sku
      lacking[Side(sku: sku, isRefund: place.isRefund), default: []].append(place)
    }
    if lacking.isEmpty { return }
    let unplaced = unplacedUnits(of: lacking.keys)
    var tables: [Zone: [Int16]] = [:]
    for (side, places) in lacking.sorted(by: { $0.key.order < $1.key.order }) {
      guard let units = unplaced[side] else { continue }
      let sorted = places.sorted { left, right in
        let (a, b) = (storefront(of: left), storefront(of: right))
        return a != b ? a < b : left.slot < right.slot
      }
      distribute(units, among: sorted, isRefund: side.isRefund, &tables)
    }
    if let finding = untold.finding { findings.append(finding) }
  }

  /// The storefront of a cell's product.
  ///
  /// - Precondition: the product has one.
  private func storefront(of place: CellKey) -> Storefront {
    units.products[Int(place.product)].storefront!
  }

  /// The ledger's units of SKUs' sales or refunds whose storefront no source tells for certain.
  private func unplacedUnits(of sides: some Collection<Side>) -> [Side: [Unplaced]] {
    let wanted = Set(sides)
    let sidesOf: [[Side?]] = units.classes.map { sold in
      if sold.told.contains(.storefront) { return [nil, nil] }
      return [false, true].map { isRefund in
        let side = Side(sku: sold.sku, isRefund: isRefund)
        return wanted.contains(side) ? side : nil
      }
    }
    var unplaced: [Side: [Unplaced]] = [:]
    for index in book.transactions.indices where units.classOf[index] >= 0 {
      let sold = Int(units.classOf[index])
      let entry = book.transactions[index]
      for refund in 0...1 {
        guard let side = sidesOf[sold][refund] else { continue }
        let moment = refund == 0 ? entry.purchasedAt : entry.revokedAt
        if refund == 1, !countsRefund(index) { continue }
        guard let quarter = units.grid.quarter(moment) else { continue }
        let slot = slotTables.slot(sold, quarter)
        if slot >= 0 {
          unplaced[side, default: []].append(Unplaced(transaction: Int32(index), slot: slot))
        }
      }
    }
    return unplaced
  }

  /// When a unit was bought, or refunded, in seconds since 1970.
  private func moment(_ unit: Unplaced, isRefund: Bool) -> UInt32 {
    let entry = book.transactions[Int(unit.transaction)]
    return isRefund ? entry.revokedAt : entry.purchasedAt
  }

  /// How hard a unit is to place, the hardest greatest: 1 where its price is told, then its
  /// quantity.
  private func difficulty(_ unit: Unplaced) -> (Int, Int64) {
    let sold = Int(units.classOf[Int(unit.transaction)])
    return (units.classes[sold].told.contains(.price) ? 1 : 0, units.quantities[sold])
  }

  /// Moves units of one SKU into the cells of it in which Apple has more, as far as they fit.
  ///
  /// - Parameters:
  ///   - places: those cells, by storefront and slot.
  ///   - tables: slots by quarter hour of the zones asked for so far.
  private mutating func distribute(
    _ unplaced: [Unplaced], among places: [CellKey], isRefund: Bool,
    _ tables: inout [Zone: [Int16]]
  ) {
    // What fits least comes first: a price that is told, then several units at once.
    let inOrder = unplaced.sorted { left, right in
      let (a, b) = (difficulty(left), difficulty(right))
      if a != b { return a > b }
      let (m, n) = (moment(left, isRefund: isRefund), moment(right, isRefund: isRefund))
      if m != n { return m < n }
      return book.transactions[Int(left.transaction)].key
        < book.transactions[Int(right.transaction)].key
    }
    var bySlot: [Zone: [Int16: [Unplaced]]] = [:]
    for target in places {
      let zone = zone(of: storefront(of: target))
      if bySlot[zone] != nil { continue }
      let table = tables[zone] ?? units.grid.slots(in: zone, days)
      tables[zone] = table
      var slots: [Int16: [Unplaced]] = [:]
      for unit in inOrder {
        guard let quarter = units.grid.quarter(moment(unit, isRefund: isRefund)) else { continue }
        if table[quarter] >= 0 { slots[table[quarter], default: []].append(unit) }
      }
      bySlot[zone] = slots
    }
    var placed: Set<Int32> = []
    /// Moves units into a cell until Apple has no more there than the ledger.
    ///
    /// - Parameter offsets: from which slots units are moved, in order: 0 is the cell's own, by the
    ///   days of its storefront, -1 and 1 are those beside it.
    func fill(_ target: CellKey, _ offsets: [Int16], _ tieOut: inout SalesTieOut) {
      let slots = bySlot[tieOut.zone(of: tieOut.storefront(of: target))] ?? [:]
      for offset in offsets {
        for unit in slots[target.slot + offset] ?? [] where !placed.contains(unit.transaction) {
          if (tieOut.cells[target]?.difference ?? 0) <= 0 { return }
          if tieOut.move(unit, to: target) { placed.insert(unit.transaction) }
        }
      }
    }
    for target in places { fill(target, [0], &self) }
    // The earliest days first, by the earliest units: so most find a place.
    let inPeriod = places.filter { days.slots[Int($0.slot)].isInPeriod }
    for target in inPeriod.sorted(by: { $0.slot < $1.slot }) { fill(target, [-1, 0, 1], &self) }
  }

  /// Moves a unit to a cell of another storefront, and returns whether it could: the cell that has
  /// it has too many, and it fits a price that the other lacks.
  private mutating func move(_ unit: Unplaced, to target: CellKey) -> Bool {
    let code = Int(units.classOf[Int(unit.transaction)])
    let (sold, count) = (units.classes[code], units.quantities[code])
    let home = CellKey(
      product: units.productOf[code], slot: unit.slot, isRefund: target.isRefund)
    let priceHere = price(of: sold)
    guard home.product != target.product, var source = cells[home], var other = cells[target],
      source.difference <= -count, other.difference >= count,
      source.room(for: priceHere, to: other, fitness: 1) >= count,
      let priceThere = other.lacked(by: sold, count: count)
    else { return false }
    source.remove(count, at: priceHere)
    other.counted[priceThere] += count
    cells[home] = source
    cells[target] = other
    let (from, to) = (units.products[Int(home.product)].storefront, storefront(of: target))
    clearing.leaveOpen(count, from, priceHere, slot: Int(home.slot))
    let signed = target.isRefund ? -count : count
    let (wasIn, isIn) = (
      days.slots[Int(home.slot)].isInPeriod, days.slots[Int(target.slot)].isInPeriod
    )
    if wasIn {
      bridge.add(.inputsInsufficient, from, priceHere, units: -signed)
      untold.addStep(from, priceHere, units: -signed)
    }
    if isIn {
      bridge.add(.inputsInsufficient, to, priceThere, units: signed)
      untold.addStep(to, priceThere, units: signed)
      untold.take(count, in: target, to)
    }
    if wasIn || isIn {
      untold.move(book.transactions[Int(unit.transaction)].row, from: from)
    }
    return true
  }
}

extension UnitCell {
  /// A price of which Apple reports `count` units more than the ledger has, and which contradicts
  /// nothing that was told of a unit; the lowest of several, nil for none.
  fileprivate func lacked(by sold: EffectiveTerms, count: Int64) -> CellPrice? {
    let fits = reported.lazy.filter { price, units in
      units - counted[price] >= count
        && (!sold.told.contains(.price) || price.price == sold.unitPrice)
        && (!sold.told.contains(.currency) || price.currency == sold.currency)
    }
    return fits.map(\.price).min()
  }

  /// Takes units away from the ledger's side.
  fileprivate mutating func remove(_ units: Int64, at price: CellPrice) {
    precondition(counted[price] >= units)
    counted[price] -= units
  }
}
