package import Billing
import Conclusions
import Pricing

/// Level 2: each unit that Apple reports is a billable unit of the ledger, and the other way round.
package struct SalesTieOut: Sendable {
  let context: MatchingContext
  private(set) var book: MatchTable
  package let reports: SalesReports
  var units: BillableUnits
  let days: ReportDays
  let groups: ReportGroups
  /// Slot per group, or `ReportDays.none`.
  let slotOfGroup: [Int16]
  /// Product per group; -1 where the group is not covered.
  private(set) var productOfGroup: [Int32] = []
  var evidence: [(finding: Int, rows: RowEvidence)] = []
  var zones: [Storefront: Zone] = [:]
  private(set) var slotTables = SlotTables()
  /// Sale units by slot, of all products, before anything moved.
  var saleUnits: (reported: [Int64], counted: [Int64]) = ([], [])
  var clearing = Clearing(slots: 0)
  /// Per slot, whether its differences may be timing.
  var isComparable: [Bool] = []
  /// Cells of the products in which the two sides differ anywhere.
  var cells = UnitCells(products: 0, slots: 0)
  var differingProducts: [Int32] = []
  let absent: AbsentVendors
  /// Per report that is missing, the ledger's sale and refund units.
  var unreportedUnits: [MissingReport: Int64] = [:]
  /// Those of them that were refunded.
  var unreportedRefunds: [MissingReport: Int64] = [:]
  /// Per report that is missing, what its step of the bridge is made of.
  var unreported: [MissingReport: BridgeSteps] = [:]
  /// Apple's money of units that the ledger has without a price.
  var unpriced = BridgeSteps()
  var bridge: BridgeSteps
  var untold = UntoldStorefronts()
  /// Refunds that were taken back, and which of them are units of the ledger.
  var reversed = ReversedRefunds()
  package internal(set) var dayBoundaries: [ReportDayBoundary] = []
  package internal(set) var findings: [UnresolvedFinding] = []
  /// What no order and no transaction tells, where findings follow from it.
  var untoldAbsences: [Absence] = []
  /// Places of purchases counted by Spark, of which findings would name rows.
  var askedCounts: Set<Int> = []
  /// Findings that stand for those that follow from it.
  var untoldFindings: [UnresolvedFinding] = []
  package internal(set) var matchedUnits: Int64 = 0
  package internal(set) var unmatchedUnits: Int64 = 0
  /// Billable units of the period whose price no source tells.
  package internal(set) var unpricedUnits: Int64 = 0

  /// Products are named by their index in `units.products`.
  struct CellKey: Hashable {
    var product: Int32
    var slot: Int16
    var isRefund: Bool
  }

  /// A slot without any report, or without that of one vendor.
  struct MissingReport: Hashable {
    var slot: Int16
    /// Empty where no vendor's is there.
    var vendor = ""
  }

  /// Ties the period out.
  ///
  /// - Parameter begun: the units of a table without its inferred matches yet.
  /// - Precondition: all of `book` is matched.
  package init(
    _ book: MatchTable, reports: SalesReports, begun: BillableUnits? = nil, context: MatchingContext
  ) {
    self.book = book
    self.context = context
    self.reports = reports
    days = reports.days
    groups = reports.groups
    slotOfGroup = reports.slotOfGroup
    absent = AbsentVendors(reports.facts, reports.days, period: context.period)
    bridge = reports.bridge
    units = begun ?? BillableUnits(beginning: book, context: context)
    units.finish(book, seasons: reports.seasons, context: context)
    productOfGroup = Self.products(of: groups, in: &units)
    fillByDays()
    accountForUnits()
    for (finding, groups) in reports.rowFindings(sparing: units.seatPrices(context)) {
      add(finding, groups: groups)
    }
    judgeReports()
    judgePrices()
    attachRows()
    nameSources()
  }

  /// Frees what only the tie-out itself and the gaps of its inputs need: cells of sales, moments of
  /// sales, details of matches. Cells of refunds stay: the list of refunds goes by them.
  package mutating func giveUpWorkings() {
    var refunds = UnitCells(products: units.products.count, slots: days.slots.count)
    for (key, cell) in cells where key.isRefund { refunds[key] = cell }
    cells = refunds
    units.giveUpEvents()
    book.giveUpDetails()
  }

  /// The product of each of Apple's groups, as an index into `units.products`; -1 of one that level
  /// 2 does not cover. Adds the products that only Apple knows.
  private static func products(of groups: ReportGroups, in units: inout BillableUnits) -> [Int32] {
    let skus = groups.skus.map { units.sku(units.joined($0)) }
    return groups.groups.map { group in
      group.type == .covered
        ? units.product(skus[Int(group.sku)], in: group.terms.storefront) : -1
    }
  }

  /// Finds out where days begin and puts both sides' units side by side.
  private mutating func fillByDays() {
    var (inference, storefronts) = boundaryInference()
    guard units.isMostlyAssumed, storefronts.count > 1 else {
      return fillCells(by: inference.dayBoundaries(storefronts))
    }
    // Nothing says which storefront most units are of: of the documented kinds of days the one that
    // leaves least.
    var best: (left: Int64, tieOut: SalesTieOut)?
    for kind in [.pacific, .territory, .local] as [BoundaryRule.Kind] {
      var trial = self
      trial.fillCells(by: inference.dayBoundaries(storefronts, assuming: kind))
      let left = trial.cells.reduce(0) { $0 + abs($1.1.difference) }
      if best.map({ left < $0.left }) ?? true { best = (left, trial) }
    }
    self = best!.tieOut
  }

  /// Takes these day boundaries for Apple's, and puts both sides' units side by side by them.
  private mutating func fillCells(by boundaries: [DayBoundaryInference.Found]) {
    for (boundary, zone) in boundaries {
      dayBoundaries.append(boundary)
      zones[boundary.storefront] = zone
    }
    slotTables = SlotTables(units, days) { [self] in zone(of: $0) }
    fillCells()
    placeUntold()
  }

  /// What infers day boundaries from both sides' sales, and the storefronts that have any.
  private func boundaryInference() -> (DayBoundaryInference, [Storefront]) {
    let compared = daysCoveredWhole()
    var placeOf: [Day: Int] = [:]
    for (place, day) in compared.enumerated() { placeOf[day] = place }
    let dayOfSlot = days.slots.map { placeOf[$0.begin].map(Int32.init) ?? -1 }
    var isThere = [Bool](repeating: false, count: Storefront.limit)
    for product in units.products { isThere[Int(product.storefront?.packed ?? 0)] = true }
    for (index, group) in groups.groups.enumerated() where slotOfGroup[index] >= 0 {
      isThere[Int(group.terms.storefront.packed)] = true
    }
    let storefronts = isThere.indices.filter { isThere[$0] }
      .compactMap { Storefront(packed: UInt16($0)) }
    let (all, slotOf, products) = (groups.groups, slotOfGroup, productOfGroup)
    let reported = Grouped(
      numbers: units.products.count, count: all.count,
      number: { index in
        slotOf[index] >= 0 && dayOfSlot[Int(slotOf[index])] >= 0 && all[index].units > 0
          ? products[index] : -1
      },
      element: { ReportedSale(day: dayOfSlot[Int(slotOf[$0])], units: all[$0].units) })
    let inference = DayBoundaryInference(
      units, reported: reported, days: compared, context: context,
      assumed: storefronts.count > 1 ? units.assumedStorefronts : [])
    return (inference, storefronts)
  }

  /// Reported single days that the ledger covers whole wherever a day may begin; where it never
  /// does, all reported days.
  private func daysCoveredWhole() -> [Day] {
    let reported = days.slots.filter { !$0.isMissing && $0.begin == $0.end }.map(\.begin)
    guard let span = units.span else { return reported }
    let first = units.grid.moment(span.lowerBound).seconds
    let end = units.grid.moment(span.upperBound + 1).seconds
    let (before, after) = (Rules.earliestZone * 3600, (24 + Rules.latestZone) * 3600)
    let whole = reported.filter {
      let start = $0.startUTC.seconds
      return start - Int64(before) >= first && start + Int64(after) <= end
    }
    return whole.isEmpty ? reported : whole
  }

  /// The zone of a storefront's report day; transactions without a storefront keep Pacific time.
  func zone(of storefront: Storefront?) -> Zone {
    // Of a storefront without units nothing was inferred.
    storefront.flatMap { zones[$0] ?? context.settings.dayBoundary[$0] }
      ?? context.zone("America/Los_Angeles")
  }

  /// Puts both sides' units side by side and makes cells of the products that differ.
  private mutating func fillCells() {
    clearing = Clearing(slots: days.slots.count)
    let (all, slots, products) = (groups.groups, slotOfGroup, productOfGroup)
    var levels = UnitLevels(
      products: units.products.count, slots: days.slots.count, count: all.count,
      product: { slots[$0] >= 0 && all[$0].units != 0 ? products[$0] : -1 },
      group: { [reports] index in
        let group = all[index]
        let price = CellPrice(currency: reports.currency(of: group), price: group.price)
        return (price, slots[index], group.isRefund, abs(group.units))
      })
    countUnits(&levels)
    saleUnits = levels.saleUnits()
    isComparable = comparableSlots(saleUnits)
    cells = UnitCells(
      products: units.products.count, slots: days.slots.count, room: groups.groups.count)
    let isAgreed = days.slots.map { $0.isInPeriod && !$0.isMissing }
    let isKnown = units.skus.map(isKnown)
    for product in units.products.indices {
      if levels.open(product), isKnown[Int(units.skuOf[product])] {
        matchedUnits += levels.reportedUnits(product, in: isAgreed)
      } else {
        differingProducts.append(Int32(product))
        levels.put(cellsOf: product, into: &cells)
      }
      levels.close()
    }
  }

  /// Whether the catalogue has a SKU, or there is no catalogue.
  func isKnown(_ sku: String) -> Bool {
    context.catalogue.isEmpty || context.catalogue.contains(sku)
  }

  /// Adds up every billable unit twice: by the company's day and by Apple's.
  private mutating func countUnits(_ levels: inout UnitLevels) {
    let business = businessTable()
    reversed = ReversedRefunds()
    let refunds = refundQuarters()
    var counts = ClassCounts(slots: days.slots.count)
    var money = CountedMoney(days)
    for product in units.products.indices {
      for sold in units.classes(of: product).lazy.map(Int.init) {
        for event in units.events(ofClass: sold) {
          let quarter = Int(event.quarter)
          counts.add(
            Int64(event.quantity), slotTables.slot(sold, quarter), isRefund: false,
            isOurs: business[quarter])
        }
        for quarter in refunds[sold].lazy.map(Int.init) {
          counts.add(
            units.quantities[sold], slotTables.slot(sold, quarter), isRefund: true,
            isOurs: business[quarter])
        }
        add(counts, of: units.classes[sold], &money, &levels)
        counts.clear()
      }
      levels.endProduct()
    }
    money.put(into: &bridge, &clearing)
    countReversed(&levels, business)
  }

  /// Adds the ledger's units of a class to the sums of money and of units; nothing where it has
  /// none.
  ///
  /// - Parameters:
  ///   - counts: the units, by slot and in the period by the company's day.
  ///   - sold: the terms of the class.
  private mutating func add(
    _ counts: ClassCounts, of sold: EffectiveTerms, _ money: inout CountedMoney,
    _ levels: inout UnitLevels
  ) {
    let ours = counts.sales + counts.refunds
    if ours == 0, counts.places.isEmpty { return }
    if sold.unitPrice == nil { unpricedUnits += ours }
    untold.count(sold, units: ours)
    money.add(counts, sold.storefront, price(of: sold))
    levels.add(counts, price(of: sold))
  }

  /// By class, the quarter hour of each refund that is one of the ledger's units.
  private func refundQuarters() -> Grouped<Int32> {
    var found: [(sold: Int32, quarter: Int32)] = []
    for index in book.transactions.indices where units.classOf[index] >= 0 && countsRefund(index) {
      guard let quarter = units.grid.quarter(book.transactions[index].revokedAt) else { continue }
      found.append((units.classOf[index], Int32(quarter)))
    }
    return Grouped(
      numbers: units.classes.count, count: found.count, number: { found[$0].sold },
      element: { found[$0].quarter })
  }

  /// By quarter hour of the grid, whether the period has it by the company's day.
  func businessTable() -> [Bool] {
    let zone = context.settings.businessZone
    return (0..<units.grid.count).map {
      context.period.contains(zone.day(of: units.grid.moment($0)))
    }
  }

  /// Adds units of a class to the bridge's step `ledger`, and takes them off its `day-boundary`,
  /// which gets them back where Apple's period has them.
  ///
  /// - Parameters:
  ///   - index: of the class.
  ///   - count: units, without sign.
  mutating func addLedger(_ index: Int, isRefund: Bool, _ count: Int64) {
    let sold = units.classes[index]
    let signed = isRefund ? -count : count
    if sold.unitPrice == nil { unpricedUnits += count }
    untold.count(sold, units: count)
    bridge.add(.ledger, sold.storefront, price(of: sold), units: signed)
    bridge.add(.dayBoundary, sold.storefront, price(of: sold), units: -signed)
  }

  /// The price and currency that a class is sold at.
  func price(of sold: EffectiveTerms) -> CellPrice {
    CellPrice(currency: sold.currency, price: sold.unitPrice)
  }
}
