import Billing

extension SalesTieOut {
  /// Moves units of the ledger's side over day boundaries where transactions nearby prove it.
  mutating func settleTiming(
    _ product: Int32, _ key: ProductKey, isRefund: Bool, _ evidence: Evidence
  ) {
    func place(_ slot: Int) -> CellKey {
      CellKey(product: product, slot: Int16(slot), isRefund: isRefund)
    }
    let slots = days.slots
    let differences: [Int64?] = slots.indices.map {
      slots[$0].isMissing ? nil : cells[place($0)]?.difference ?? 0
    }
    guard differences.contains(where: { ($0 ?? 0) > 0 }),
      differences.contains(where: { ($0 ?? 0) < 0 })
    else { return }
    let zone = zone(of: key.storefront)
    let near = evidence.near(product, isRefund: isRefund, self)
    let window = context.settings.timingWindow
    var late = [Int64](repeating: 0, count: slots.count)
    var early = late
    for slot in slots.indices.dropFirst()
    where slots[slot - 1].end.advanced(by: 1) == slots[slot].begin {
      let boundary = zone.start(of: slots[slot].begin).seconds
      for unit in near {
        if unit.moment >= boundary - window, unit.moment < boundary { late[slot] += unit.quantity }
        if unit.moment >= boundary, unit.moment < boundary + window { early[slot] += unit.quantity }
      }
    }
    for move in timingMoves(differences: differences, late: late, early: early) {
      let boundary = zone.start(of: slots[move.boundary].begin).seconds
      apply(move, boundary: boundary, product, key, isRefund: isRefund, near)
    }
  }

  private mutating func apply(
    _ move: TimingMove, boundary: Int64, _ product: Int32, _ key: ProductKey, isRefund: Bool,
    _ near: [Evidence.Unit]
  ) {
    let isLate = move.to > move.from
    let from = CellKey(product: product, slot: Int16(move.from), isRefund: isRefund)
    let to = CellKey(product: product, slot: Int16(move.to), isRefund: isRefund)
    var source = cells[from] ?? UnitCell()
    var target = cells[to] ?? UnitCell()
    let window = context.settings.timingWindow
    let candidates = near.filter {
      isLate
        ? $0.moment < boundary && $0.moment >= boundary - window
        : $0.moment >= boundary && $0.moment < boundary + window
    }
    .sorted { (abs($0.moment - boundary), $0.key) < (abs($1.moment - boundary), $1.key) }
    var rest = move.units
    let sign: Int64 = isRefund ? -1 : 1
    let (wasIn, isIn) = (days.slots[move.from].isInPeriod, days.slots[move.to].isInPeriod)
    var edge: Int64 = 0
    var currency: Currency?
    for unit in candidates where rest > 0 {
      let price = price(of: units.classes[Int(unit.sold)])
      let count = min(rest, unit.quantity, source.counted[price] ?? 0)
      guard count > 0 else { continue }
      source.move(count, at: price, to: &target)
      rest -= count
      currency = currency ?? price.currency
      guard wasIn != isIn else { continue }
      bridge.add(.timing, key.storefront, price, units: isIn ? sign * count : -sign * count)
      edge += (isIn ? sign : -sign) * (price.price ?? 0) * count
    }
    cells[from] = source
    cells[to] = target
    guard wasIn || isIn, rest < move.units else { return }
    add(
      Draft(
        .timing, storefront: key.storefront, currency: currency, day: days.slots[move.to].begin,
        sku: key.sku, units: move.units - rest, amount: wasIn == isIn ? nil : edge,
        transactions: candidates.prefix(100).map(\.row),
        explanation: "\(move.units - rest) \(isRefund ? "refunded" : "sold") units of "
          + "\(days.slots[move.from].begin) stand in Apple's report of \(days.slots[move.to].begin); "
          + "as many were \(isRefund ? "refunded" : "bought") within "
          + "\(spokenDuration(context.settings.timingWindow)) of the boundary "
          + "\(Instant(seconds: boundary))"), groupsOf: key, slot: move.to)
  }
}

/// The ledger's rows behind cells that do not fit, gathered in one pass.
struct Evidence {
  struct Unit {
    var moment: Int64
    var quantity: Int64
    var sold: Int32
    var row: RowID
    /// Breaks ties the same way whatever the order of import.
    var key: IDKey
    var slot: Int16
  }

  private struct Key: Hashable {
    var product: Int32
    var isRefund: Bool
  }

  private var units: [Key: [Unit]] = [:]
  private var open: [String: [Int]] = [:]

  /// Gathers the units of every product with a difference on some day.
  init(_ tieOut: SalesTieOut) {
    var wanted: Set<Key> = []
    var needsOrders = false
    for (place, cell) in tieOut.cells where cell.difference != 0 {
      wanted.insert(Key(product: place.product, isRefund: place.isRefund))
      if cell.difference > 0, !place.isRefund { needsOrders = true }
    }
    guard !wanted.isEmpty else { return }
    gatherUnits(tieOut, wanted)
    if needsOrders {
      let book = tieOut.book
      for index in book.orders.indices where book.isOpen(order: index) {
        open[book.orderTerms[Int(book.orders[index].terms)].sku, default: []].append(index)
      }
    }
  }

  private mutating func gatherUnits(_ tieOut: SalesTieOut, _ wanted: Set<Key>) {
    let (book, sold) = (tieOut.book, tieOut.units)
    let isWanted = (0...1).map { refund in
      sold.products.indices.map { wanted.contains(Key(product: Int32($0), isRefund: refund == 1)) }
    }
    for index in book.transactions.indices where sold.classOf[index] >= 0 {
      let entry = book.transactions[index]
      let product = Int(sold.productOf[Int(sold.classOf[index])])
      for refund in 0...1 where isWanted[refund][product] {
        let moment = refund == 0 ? entry.purchasedAt : entry.revokedAt
        if refund == 1, moment == 0 || !sold.refunds[Int(entry.terms)] { continue }
        let zone = tieOut.zone(of: sold.products[product].storefront)
        let instant = Instant(seconds: Int64(moment))
        let slot = tieOut.days.slot(of: zone.day(of: instant))
        guard slot >= 0 else { continue }
        units[Key(product: Int32(product), isRefund: refund == 1), default: []].append(
          Unit(
            moment: instant.seconds,
            quantity: Int64(sold.classes[Int(sold.classOf[index])].quantity),
            sold: sold.classOf[index], row: entry.row, key: entry.key, slot: slot))
      }
    }
    units = units.mapValues { $0.sorted { ($0.moment, $0.key) < ($1.moment, $1.key) } }
  }

  /// All units of a product, ascending by moment.
  func near(_ product: Int32, isRefund: Bool, _ tieOut: SalesTieOut) -> [Unit] {
    units[Key(product: product, isRefund: isRefund)] ?? []
  }

  /// Transactions of a cell at the given prices, at most 100, earliest first.
  func transactions(_ place: SalesTieOut.CellKey, priced: [CellPrice], _ tieOut: SalesTieOut)
    -> [RowID]
  {
    let wanted = Set(priced)
    return Array(
      (units[Key(product: place.product, isRefund: place.isRefund)] ?? [])
        .filter {
          $0.slot == place.slot
            && wanted.contains(tieOut.price(of: tieOut.units.classes[Int($0.sold)]))
        }
        .prefix(100).map(\.row))
  }

  /// Open orders of the SKU placed on the days of a slot or a day beside them, at most 100.
  func openOrders(_ key: ProductKey, in slot: ReportDays.Slot, _ tieOut: SalesTieOut) -> [RowID] {
    let book = tieOut.book
    let zone = tieOut.zone(of: key.storefront)
    let first = zone.start(of: slot.begin.advanced(by: -1)).seconds
    let end = zone.start(of: slot.end.advanced(by: 2)).seconds
    return Array(
      (open[key.sku] ?? [])
        .filter {
          let order = book.orders[$0]
          let storefront = book.orderTerms[Int(order.terms)].storefront
          return Int64(order.placedAt) >= first && Int64(order.placedAt) < end
            && (storefront == nil || storefront == key.storefront)
        }
        .sorted {
          (book.orders[$0].placedAt, book.orders[$0].key) < (
            book.orders[$1].placedAt, book.orders[$1].key
          )
        }
        .prefix(100).map { book.orders[$0].row })
  }
}
