import Billing

/// The ledger's rows behind cells that do not fit, gathered in one pass.
struct Evidence {
  struct Unit {
    /// Seconds since 1970.
    var moment: Int64
    var quantity: Int64
    /// Index of its class.
    var sold: Int32
    var source: FactSource
    var row: TransactionRow.ID
    /// Breaks ties the same way whatever the order of import.
    var key: IDKey
    var slot: Int16
  }

  private struct Key: Hashable {
    var product: Int32
    var isRefund: Bool
  }

  /// Ascending by moment.
  private var units: [Key: [Unit]] = [:]
  /// Places of purchases counted by Spark that would be among the units.
  private(set) var asked: Set<Int> = []
  /// Open orders by SKU, in the order of placing.
  private var open: [String: [Int]] = [:]

  /// Gathers the units of cells in which the ledger has more, those near a boundary of products
  /// whose differences may be timing, and the orders without a transaction of SKUs of which Apple
  /// has more.
  init(_ tieOut: SalesTieOut) {
    let wanted = Wanted(tieOut)
    if wanted.isEmpty { return }
    gatherUnits(tieOut, wanted)
    let book = tieOut.book
    let skus = wanted.skus
    let isWanted = book.orderTerms.map { $0.isApple && skus.contains(tieOut.units.joined($0.sku)) }
    for index in book.orders.indices
    where book.transactionOf[index] == .open
      && isWanted[Int(book.orders[index].terms)]
    {
      let sku = tieOut.units.joined(book.orderTerms[Int(book.orders[index].terms)].sku)
      open[sku, default: []].append(index)
    }
    open = open.mapValues {
      $0.sorted {
        (book.orders[$0].placedAt, book.orders[$0].key) < (
          book.orders[$1].placedAt, book.orders[$1].key
        )
      }
    }
  }

  /// Which units are worth keeping.
  private struct Wanted {
    /// By product its place among those that differ anywhere; -1 for others.
    private var places: [Int32]
    /// By place, slot and sale or refund: the ledger has more.
    private var cells: [Bool]
    /// By place and sale or refund: differences of both signs, which timing may explain.
    private var crossing: [Bool]
    private(set) var skus: Set<String> = []
    private let width: Int
    var isEmpty: Bool { skus.isEmpty && !cells.contains(true) }

    /// Whether a product differs anywhere, so that units of it may be wanted.
    func contains(_ product: Int) -> Bool { places[product] >= 0 }

    /// Whether units of a product and slot are wanted: the ledger has more there, or they are near
    /// a boundary and timing may explain the product's differences.
    ///
    /// - Parameters:
    ///   - refund: 1 for refunds, 0 for sales.
    ///   - isNear: whether they are near a boundary of the slot.
    /// - Precondition: the product differs somewhere.
    func contains(_ product: Int, _ slot: Int16, refund: Int, isNear: () -> Bool) -> Bool {
      let side = Int(places[product]) * 2 + refund
      return cells[side * width + Int(slot)] || (crossing[side] && isNear())
    }

    /// Marks the cells in which the ledger has more, the products that differ either way on
    /// different days, and the SKUs of which Apple has more sales somewhere.
    init(_ tieOut: SalesTieOut) {
      width = tieOut.days.slots.count
      let products = tieOut.units.products
      let differing = tieOut.differingProducts
      places = Array(repeating: -1, count: products.count)
      for (place, product) in differing.enumerated() { places[Int(product)] = Int32(place) }
      cells = Array(repeating: false, count: differing.count * width * 2)
      var more = [Bool](repeating: false, count: differing.count * 2)
      var less = more
      for (place, cell) in tieOut.cells where cell.difference != 0 {
        let side = Int(places[Int(place.product)]) * 2 + (place.isRefund ? 1 : 0)
        if cell.difference > 0 {
          more[side] = true
          if !place.isRefund { skus.insert(products[Int(place.product)].sku) }
        } else {
          less[side] = true
          cells[side * width + Int(place.slot)] = true
        }
      }
      crossing = zip(more, less).map { $0 && $1 }
    }
  }

  /// Keeps the wanted units of the ledger's transactions, by product and ascending by moment, and
  /// the indices in `asked` of purchases counted by Spark that would be among them.
  private mutating func gatherUnits(_ tieOut: SalesTieOut, _ wanted: Wanted) {
    let (book, sold, slots) = (tieOut.book, tieOut.units, tieOut.slotTables)
    let near = slots.nearBoundary(window: tieOut.context.settings.timingWindow)
    for index in book.transactions.indices where sold.classOf[index] >= 0 {
      let entry = book.transactions[index]
      let code = Int(sold.classOf[index])
      let product = Int(sold.productOf[code])
      if !wanted.contains(product) { continue }
      for refund in 0...1 {
        let moment = refund == 0 ? entry.purchasedAt : entry.revokedAt
        if refund == 1, !tieOut.countsRefund(index) { continue }
        guard let quarter = sold.grid.quarter(moment) else { continue }
        let slot = slots.slot(code, quarter)
        guard slot >= 0 else { continue }
        let isWanted = wanted.contains(product, slot, refund: refund) {
          near[Int(slots.tableOf[code])][quarter]
        }
        if !isWanted { continue }
        units[Key(product: Int32(product), isRefund: refund == 1), default: []].append(
          Unit(
            moment: Int64(moment), quantity: Int64(sold.classes[code].quantity),
            sold: sold.classOf[index], source: book.factSource(of: index), row: entry.row,
            key: entry.key, slot: slot))
      }
    }
    for (index, counted) in book.counts.sold.enumerated() where sold.classOfCounted[index] >= 0 {
      let code = Int(sold.classOfCounted[index])
      guard let quarter = sold.grid.quarter(counted.at) else { continue }
      let (product, slot) = (Int(sold.productOf[code]), slots.slot(code, quarter))
      guard slot >= 0, wanted.contains(product) else { continue }
      let isWanted = wanted.contains(product, slot, refund: 0) {
        near[Int(slots.tableOf[code])][quarter]
      }
      if isWanted { asked.insert(index) }
    }
    units = units.mapValues { $0.sorted { ($0.moment, $0.key) < ($1.moment, $1.key) } }
  }

  /// Gathered units of a product, ascending by moment.
  func units(of product: Int32, isRefund: Bool) -> [Unit] {
    units[Key(product: product, isRefund: isRefund)] ?? []
  }

  /// Gathered transactions of a cell at the given prices, at most 100, earliest first.
  func transactions(_ place: SalesTieOut.CellKey, priced: [CellPrice], _ tieOut: SalesTieOut)
    -> [TransactionRow.ID]
  {
    let wanted = Set(priced)
    return Array(
      units(of: place.product, isRefund: place.isRefund).lazy
        .filter {
          $0.slot == place.slot
            && wanted.contains(tieOut.price(of: tieOut.units.classes[Int($0.sold)]))
        }
        .prefix(Rules.namedRows).map(\.row))
  }

  /// Units of paid and fulfilled orders of a product without a transaction that were placed on the
  /// days of a slot; orders that name no storefront are of the default one.
  func standingUnits(_ key: ProductKey, in slot: ReportDays.Slot, _ tieOut: SalesTieOut) -> Int64 {
    let book = tieOut.book
    let zone = tieOut.zone(of: key.storefront)
    let first = zone.start(of: slot.begin).seconds
    let end = zone.start(of: slot.end.advanced(by: 1)).seconds
    let candidates = open[key.sku] ?? []
    let begin = candidates.partitioningIndex { Int64(book.orders[$0].placedAt) >= first }
    var units: Int64 = 0
    for order in candidates[begin...] {
      guard Int64(book.orders[order].placedAt) < end else { break }
      let terms = book.orderTerms[Int(book.orders[order].terms)]
      guard terms.status == .paid || terms.status == .fulfilled,
        terms.storefront ?? tieOut.context.settings.defaultStorefront == key.storefront
      else { continue }
      units += Int64(terms.quantity)
    }
    return units
  }

  /// The sources of a cell's gathered transactions at the given prices, each once, the strongest
  /// first.
  func sources(
    _ place: SalesTieOut.CellKey, priced: [CellPrice], _ tieOut: SalesTieOut
  ) -> [FactSource] {
    let wanted = Set(priced)
    let found = units(of: place.product, isRefund: place.isRefund).lazy.filter {
      $0.slot == place.slot
        && wanted.contains(tieOut.price(of: tieOut.units.classes[Int($0.sold)]))
    }
    return Set(found.map(\.source)).sorted(by: >)
  }

  /// Orders without a transaction of a product, or of its SKU where they name no storefront, placed
  /// on the days of a slot or a day beside them: at most 100, in the order of placing.
  func openOrders(
    _ key: ProductKey, in slot: ReportDays.Slot, _ tieOut: SalesTieOut
  ) -> [OrderRow.ID] {
    let book = tieOut.book
    let zone = tieOut.zone(of: key.storefront)
    let first = zone.start(of: slot.begin.advanced(by: -1)).seconds
    let end = zone.start(of: slot.end.advanced(by: 2)).seconds
    let candidates = open[key.sku] ?? []
    let begin = candidates.partitioningIndex { Int64(book.orders[$0].placedAt) >= first }
    return Array(
      candidates[begin...].lazy
        .prefix { Int64(book.orders[$0].placedAt) < end }
        .filter {
          let storefront = book.orderTerms[Int(book.orders[$0].terms)].storefront
          return storefront == nil || storefront == key.storefront
        }
        .prefix(Rules.namedRows).map { book.orders[$0].row })
  }
}

extension Wording {
  /// This text, followed by the strongest source of the ledger's side and by whether there are
  /// weaker ones; unchanged without any.
  ///
  /// - Parameter sources: the strongest first.
  func told(by sources: [FactSource]) -> Wording {
    guard let strongest = sources.first else { return self }
    return sources.count == 1
      ? "@shared.source \(self) \(strongest.wording)"
      : "@sales.source-for-some-units \(self) \(strongest.wording)"
  }
}

extension SalesTieOut {
  /// Adds to the explanation of each finding that rests on Apple's rows alone that Apple's sales
  /// report is its source.
  mutating func nameSources() {
    let ofApple: Set<FindingCode> = [
      .notInLedger, .refundNotInLedger, .unknownSKU, .priceNotInTier, .priceDiffers,
      .proceedsUnexpected, .proceedsOffRule, .proceedsTolerated, .currencyUnexpected,
      .partialRefund, .reportRestated, .taxAsReported,
    ]
    for index in findings.indices where ofApple.contains(findings[index].code) {
      findings[index].explanation =
        "@tax-as-reported.source-apple-sales-report \(findings[index].explanation)"
    }
  }
}
