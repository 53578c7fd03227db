package import Billing
import Pricing

/// Level 2: each unit that Apple reports is a billable unit of the ledger, and the other way round.
package struct SalesTieOut {
  let context: MatchingContext
  let book: ClaimBook
  let facts: MonthFacts
  var units: BillableUnits
  let days: ReportDays
  let groups: ReportGroups
  /// Slot per group, or `ReportDays.none`.
  let slotOfGroup: [Int16]
  let groupsBySlot: [GroupPlace: [Int]]
  var evidenceGroups: [(draft: Int, groups: [Int])] = []
  var zones: [Storefront: Zone] = [:]
  private(set) var slotTables: SlotTables
  /// Per slot, whether its differences may be timing.
  var isComparable: [Bool] = []
  var cells: [CellKey: UnitCell] = [:]
  var bridge = BridgeSteps()
  package internal(set) var cutoffs: [Cutoff] = []
  package internal(set) var drafts: [Draft] = []
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

  /// Ties the period out.
  ///
  /// - Precondition: `book` has made all claims.
  package init(_ book: ClaimBook, facts: MonthFacts, context: MatchingContext) {
    self.book = book
    self.facts = facts
    self.context = context
    days = ReportDays(facts.coverage, period: context.period)
    let reach = context.period.first.advanced(by: -1)...context.period.last.advanced(by: 1)
    groups = ReportGroups(facts, reach: reach)
    let days = days
    slotOfGroup = groups.groups.map { days.slot(begin: $0.begin, end: $0.end) }
    groupsBySlot = Self.index(groups, slotOfGroup)
    units = BillableUnits(book, context: context)
    for group in groups.groups where group.type == .covered {
      _ = units.product(ProductKey(storefront: group.terms.storefront, sku: group.sku))
    }
    slotTables = SlotTables(units, days) { _ in .utc }
    inferBoundaries()
    slotTables = SlotTables(units, days) { [self] in zone(of: $0) }
    fillCells()
    accountForUnits()
    judgeRows()
    judgeReports()
    addReportedMoney()
    attachRows()
  }

  private mutating func inferBoundaries() {
    var reported: [ProductKey: [Day: Int64]] = [:]
    var storefronts: Set<Storefront> = Set(units.products.compactMap(\.storefront))
    for (index, group) in groups.groups.enumerated()
    where slotOfGroup[index] >= 0 {
      storefronts.insert(group.terms.storefront)
      guard group.type == .covered, group.units > 0 else { continue }
      let key = ProductKey(storefront: group.terms.storefront, sku: group.sku)
      reported[key, default: [:]][group.begin, default: 0] += group.units
    }
    var boundary = DayBoundary(
      units, reported: reported, days: daysCoveredWhole(), context: context)
    for (cutoff, zone) in boundary.cutoffs(Array(storefronts)) {
      cutoffs.append(cutoff)
      zones[cutoff.storefront] = zone
    }
  }

  /// Reported single days that the ledger covers whole wherever a day may begin; where it never
  /// does, all reported days.
  private func daysCoveredWhole() -> [Day] {
    let reported = days.slots.filter { !$0.isMissing && $0.begin == $0.end }.map(\.begin)
    guard let span = units.span else { return reported }
    let first = units.grid.moment(span.lowerBound).seconds
    let end = units.grid.moment(span.upperBound + 1).seconds
    let whole = reported.filter {
      $0.startUTC.seconds - 14 * 3600 >= first && $0.startUTC.seconds + 36 * 3600 <= end
    }
    return whole.isEmpty ? reported : whole
  }

  /// The zone of a storefront's report day; transactions without a storefront keep Pacific time.
  func zone(of storefront: Storefront?) -> Zone {
    storefront.flatMap { zones[$0] } ?? context.zone("America/Los_Angeles")
  }

  private mutating func fillCells() {
    for (index, group) in groups.groups.enumerated()
    where slotOfGroup[index] >= 0 && group.type == .covered && group.units != 0 {
      let product = units.productIndex[
        ProductKey(storefront: group.terms.storefront, sku: group.sku)]!
      let key = CellKey(product: product, slot: slotOfGroup[index], isRefund: group.isRefund)
      let price = CellPrice(currency: group.currency ?? currency(of: group), price: group.price)
      cells[key, default: UnitCell()].reported[price, default: 0] += abs(group.units)
    }
    countUnits()
  }

  /// Counts every billable unit twice: by the company's day and by Apple's.
  private mutating func countUnits() {
    let business = businessTable()
    let width = days.slots.count
    var counts = [Int64](repeating: 0, count: units.classes.count * width * 2)
    var ledger = [Int64](repeating: 0, count: units.classes.count * 2)
    for index in book.transactions.indices where units.classOf[index] >= 0 {
      let sold = Int(units.classOf[index])
      let entry = book.transactions[index]
      let quantity = Int64(units.classes[sold].quantity)
      for isRefund in 0...1 {
        let moment = isRefund == 0 ? entry.purchasedAt : entry.revokedAt
        if isRefund == 1, moment == 0 || !units.refunds[Int(entry.terms)] { continue }
        guard let quarter = units.grid.quarter(moment) else { continue }
        let slot = Int(slotTables.slot(sold, quarter))
        if slot >= 0 { counts[(sold * width + slot) * 2 + isRefund] += quantity }
        if business[quarter] { ledger[sold * 2 + isRefund] += quantity }
      }
    }
    for position in ledger.indices where ledger[position] != 0 {
      addLedger(position / 2, isRefund: position % 2 == 1, ledger[position])
    }
    for position in counts.indices where counts[position] != 0 {
      let (sold, slot) = (position / 2 / width, position / 2 % width)
      addCounted(sold, slot: slot, isRefund: position % 2 == 1, counts[position])
    }
  }

  private func businessTable() -> [Bool] {
    let zone = context.settings.businessZone
    return (0..<units.grid.count).map {
      context.period.contains(zone.day(of: units.grid.moment($0)))
    }
  }

  private mutating func addLedger(_ index: Int, isRefund: Bool, _ count: Int64) {
    let sold = units.classes[index]
    let signed = isRefund ? -count : count
    if sold.unitPrice == nil { unpricedUnits += count }
    bridge.add(.ledger, sold.storefront, price(of: sold), units: signed)
    bridge.add(.dayBoundary, sold.storefront, price(of: sold), units: -signed)
  }

  private mutating func addCounted(_ index: Int, slot: Int, isRefund: Bool, _ count: Int64) {
    let sold = units.classes[index]
    let cell = CellKey(product: units.productOf[index], slot: Int16(slot), isRefund: isRefund)
    cells[cell, default: UnitCell()].counted[price(of: sold), default: 0] += count
    guard days.slots[slot].isInPeriod else { return }
    bridge.add(.dayBoundary, sold.storefront, price(of: sold), units: isRefund ? -count : count)
  }

  func price(of sold: EffectiveTerms) -> CellPrice {
    CellPrice(currency: sold.currency, price: sold.unitPrice)
  }

  /// The currency of a group whose row leaves it blank: the storefront's.
  func currency(of group: ReportGroup) -> Currency? {
    group.currency ?? context.storefronts.currency(of: group.terms.storefront)
  }
}
