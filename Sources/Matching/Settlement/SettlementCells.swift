package import Billing
package import Pricing

/// Both sides of level 3, cell by cell, for some consecutive fiscal months.
package struct SettlementCells: Sendable {
  /// A fiscal month, and what of its financial reports is loaded.
  struct Month: Sendable {
    var month: FiscalMonth
    /// Regions whose report is loaded, or all where one file has them all.
    var regions: Set<String> = []
    var hasAllRegions = false
    var hasDetail = false
    /// Regions that the detail has rows of.
    var detailed: Set<String> = []
    /// Days that sales reports cover.
    var covered: Set<Day> = []

    /// Whether more of it is loaded than its last day, which stands beside the month after.
    var hasSales: Bool { covered.contains { $0 < month.last } }

    /// Whether loaded reports say what a region settled in the month: its own report, that of all
    /// regions, or the detail. Beside reports of single regions, the detail says it only of a
    /// region of which it has no rows.
    func covers(_ region: String) -> Bool {
      if hasAllRegions || regions.contains(region) { return true }
      return hasDetail && (regions.isEmpty || !detailed.contains(region))
    }
  }

  let facts: SettlementFacts
  let regions: FinanceRegionTable
  private(set) var months: [Month]
  private(set) var skus: [String] = []
  private(set) var lots: [(cell: SettlementCellKey, lot: Lot)] = []
  private(set) var settled: [(cell: SettlementCellKey, units: SettledUnits)] = []
  private var codes: [String: Int32] = [:]
  /// SKUs of several apps of which some settled rows tell no app: they are compared over all apps.
  private let joinedSKUs: Set<String>
  /// Regions of the terms' storefronts and currencies.
  private let regionOf: [Place: String]

  private struct Place: Hashable {
    var storefront: Storefront
    var currency: Currency
  }

  /// Reads what financial reports settled, without sales yet.
  ///
  /// - Parameter months: ascending, without gaps.
  package init(_ facts: SettlementFacts, months: [FiscalMonth], regions: FinanceRegionTable) {
    self.facts = facts
    joinedSKUs = Set(facts.terms.lazy.map(\.sku).filter(facts.shared.contains))
    self.regions = regions
    self.months = months.map { Month(month: $0) }
    let places = Set(
      facts.terms.map { Place(storefront: $0.storefront, currency: $0.currency) })
    regionOf = Dictionary(
      uniqueKeysWithValues: places.map {
        ($0, regions.region(of: $0.storefront, currency: $0.currency) ?? "")
      })
    for report in facts.reports {
      guard let index = index(of: report.month) else { continue }
      if report.isDetail {
        self.months[index].hasDetail = true
      } else if report.region == "ZZ" {
        self.months[index].hasAllRegions = true
      } else {
        self.months[index].regions.insert(report.region)
      }
    }
    for report in facts.reports { addRows(of: report) }
  }

  /// A copy as if the details of a month and of later ones were not loaded: the month's rows lose
  /// their days, and nothing is left that later months settled.
  ///
  /// - Parameter past: the index of the month.
  func asIfUndated(from past: Int) -> SettlementCells {
    var cells = self
    for index in months.indices where index >= past {
      cells.months[index].hasDetail = false
      cells.months[index].hasAllRegions = index == past
      if index > past { cells.months[index].regions = [] }
    }
    cells.settled.removeAll { $0.units.month > past }
    for index in cells.settled.indices where cells.settled[index].units.month == past {
      (cells.settled[index].units.day, cells.settled[index].units.settlementDay) = (nil, nil)
    }
    return cells
  }

  /// The index of a fiscal month in ``months``; nil where it is not among them.
  func index(of month: FiscalMonth) -> Int? { months.firstIndex { $0.month == month } }

  /// The region that a cell's money is settled in; empty where none is known.
  func region(_ cell: SettlementCellKey) -> String {
    region(of: cell.storefront, cell.currency)
  }

  /// The region that a storefront's money in a currency is settled in; empty where none is known.
  func region(of storefront: Storefront, _ currency: Currency) -> String {
    regionOf[Place(storefront: storefront, currency: currency)]
      ?? regions.region(of: storefront, currency: currency) ?? ""
  }

  /// The name of a cell's product.
  func sku(_ cell: SettlementCellKey) -> String { skus[Int(cell.sku)] }

  /// What a row of a report is compared by: its product's name, else Apple's identifier.
  func name(_ terms: FinanceTerms) -> String {
    terms.sku.isEmpty ? terms.appleIdentifier : joined(terms.sku)
  }

  /// The product's name as it is compared: its SKU alone where the SKU is of several apps and some
  /// settled rows tell no app; else the name as it is.
  private func joined(_ name: String) -> String {
    if joinedSKUs.isEmpty { return name }
    let sku = AppProduct(name).sku
    return joinedSKUs.contains(sku) ? sku : name
  }

  /// The number of a product's name; a new one gets the next.
  private mutating func code(_ sku: String) -> Int32 {
    if let known = codes[sku] { return known }
    let code = Int32(skus.count)
    codes[sku] = code
    skus.append(sku)
    return code
  }

  /// The months whose settlement a reconciliation of `month` looks at: those before whose sales may
  /// still be open, itself, and those after that may settle its sales.
  ///
  /// - Parameter carryMax: fiscal months that a sale may stay unsettled before that is a warning.
  package static func reach(_ month: FiscalMonth, carryMax: Int) -> [FiscalMonth] {
    var months = [month]
    for _ in 0..<carryMax + 2 { months.insert(months[0].previous, at: 0) }
    for _ in 0..<carryMax + 1 { months.append(months[months.count - 1].next) }
    return months
  }
}

// MARK: - The company's sales by Apple's sales reports

extension SettlementCells {
  /// Whether sales of this month are needed: something may settle them, or it settles.
  package func needsSales(of month: FiscalMonth) -> Bool {
    guard let index = index(of: month) else { return false }
    return isLoaded(index) || (index + 1 < months.count && isLoaded(index + 1))
  }

  /// Whether any financial report of a month, named by its index, is loaded.
  func isLoaded(_ index: Int) -> Bool {
    months[index].hasDetail || months[index].hasAllRegions || !months[index].regions.isEmpty
  }

  /// Adds the sales of one month by its sales reports.
  ///
  /// - Parameters:
  ///   - keepsGroups: whether the reports are those of the reconciled month.
  ///   - currency: of a group whose proceeds have none.
  mutating func add(
    _ groups: ReportGroups, _ days: ReportDays, of month: FiscalMonth, keepsGroups: Bool,
    currency: (ReportGroup) -> Currency?
  ) {
    guard let index = index(of: month) else { return }
    for slot in days.slots where !slot.isMissing {
      months[index].covered.formUnion(slot.begin...slot.end)
    }
    let codes = groups.skus.map { code(joined($0)) }
    for (number, group) in groups.groups.enumerated() {
      let slot = days.slot(begin: group.begin, end: group.end)
      guard slot >= 0, days.slots[Int(slot)].isInPeriod,
        group.type == .covered || (group.type == .app && group.terms.customerPrice != 0),
        let paid = group.terms.proceedsCurrency ?? currency(group), group.terms.proceeds != 0
      else { continue }
      let cell = SettlementCellKey(
        storefront: group.terms.storefront, currency: paid, sku: codes[Int(group.sku)])
      /// Adds a lot of the group's units, if there are any.
      func add(_ units: Int64, isReturn: Bool) {
        guard units > 0 else { return }
        lots.append(
          (
            cell,
            Lot(
              begin: group.begin, end: group.end,
              terms: UnitTerms(
                isReturn: isReturn, price: group.price, share: abs(group.terms.proceeds)),
              units: units, open: units, month: index, group: keepsGroups ? Int32(number) : -1)
          ))
      }
      add(abs(group.units), isReturn: group.units < 0)
      // A row of zero units is one credit, which the financial report has as one return.
      add(group.zeroRows, isReturn: true)
    }
  }

  /// Adds the sales of another month than the reconciled one.
  package mutating func add(
    sales facts: MonthFacts, of month: FiscalMonth, storefronts: StorefrontTable
  ) {
    let period = Period(first: month.first, last: month.last)
    add(
      ReportGroups(facts, reach: period.days), ReportDays(facts.coverage, period: period),
      of: month, keepsGroups: false
    ) { $0.currency ?? storefronts.currency(of: $0.terms.storefront) }
  }
}

// MARK: - Apple's settlement

extension SettlementCells {
  /// Adds what the rows of a financial report settled. The detail goes before the report that it
  /// details; one region's file before the one of all.
  private mutating func addRows(of report: FinanceReport) {
    guard let index = index(of: report.month) else { return }
    if !report.isDetail, months[index].hasDetail { return }
    let cells = facts.terms.map { terms -> SettlementCellKey in
      SettlementCellKey(
        storefront: terms.storefront, currency: terms.currency,
        sku: code(name(terms)))
    }
    for row in report.rows {
      let terms = facts.terms[Int(row.terms)]
      guard terms.share != 0, row.quantity != 0 else { continue }
      let cell = cells[Int(row.terms)]
      if report.isDetail { months[index].detailed.insert(region(cell)) }
      if report.region == "ZZ", months[index].regions.contains(region(cell)) { continue }
      let unit = UnitTerms(
        isReturn: row.quantity < 0, price: abs(terms.customerPrice), share: abs(terms.share))
      let count = abs(row.quantity)
      settled.append(
        (
          cell,
          SettledUnits(
            month: index, day: row.transactionDay, settlementDay: row.settlementDay, terms: unit,
            units: count, left: count, excess: row.extended - unit.amount(count), row: row.row)
        ))
    }
  }
}
