package import Billing
package import Conclusions
import Pricing

/// Level 3: what Apple reported as sold against what it settled, for one fiscal month.
///
/// Each reported unit is settled in the month, or carried out of it; each settled unit was sold in
/// the month, or carried into it, or is in a finding.
package struct SettlementTieOut: Sendable {
  let context: MatchingContext
  let cells: SettlementCells
  /// Index of the reconciled month in `cells.months`.
  let month: Int
  package private(set) var findings: [UnresolvedFinding] = []
  package private(set) var openItems: [OpenItem] = []
  /// What was carried in, by currency and day of sale; in micro-units.
  package private(set) var carriedIn: [Currency: [Day: Int64]] = [:]
  /// Steps of the bridge by storefront and currency of proceeds.
  private(set) var bridge = BridgeSteps()
  /// Units settled by storefront and currency.
  private(set) var units: [BridgeSteps.Key: Int64] = [:]
  /// What the financial reports of the month add up to, by region and currency.
  package private(set) var settledByRegion: [RegionKey: Int64] = [:]
  /// Regions of which nobody knows what they settled, ascending.
  package private(set) var missing: [MissingRegion] = []
  private var groupsOfFinding: [Int: [Int]] = [:]
  /// Days from sale to settlement by the details loaded: units by days.
  private(set) var lags: [Int: Int64] = [:]
  /// Days from sale to settlement on average, in millionths, where no detail tells them.
  private var estimatedLag: Int64 = 0

  /// Ties one fiscal month out.
  ///
  /// - Parameter cells: with the sales of every month that they need.
  /// - Precondition: the reconciled month is among the cells' months.
  package init(_ cells: SettlementCells, reports: SalesReports, month: FiscalMonth) {
    var cells = cells
    cells.add(reports.groups, reports.days, of: month, keepsGroups: true) {
      reports.currency(of: $0)
    }
    context = reports.context
    self.cells = cells
    self.month = cells.index(of: month)!
    tieOutCells(reports)
    addSettled()
    missing = cells.missingRegions(of: month, sold: cells.soldByRegion(self.month))
    findings += missing.map { finding($0) }
    findings += FooterCheck.findings(cells.facts, month: month)
    findings += reportAgainstDetail()
  }

  /// Whether the month's financial reports have this storefront's money.
  func covers(_ storefront: Storefront, _ currency: Currency) -> Bool {
    let key = SettlementCellKey(storefront: storefront, currency: currency, sku: 0)
    return cells.months[month].covers(cells.region(key))
  }

  package var settlementMonth: FiscalMonth { cells.months[month].month }

  /// Whether any of the month's financial reports is loaded.
  package var isLoaded: Bool { cells.isLoaded(month) }
}

// MARK: - Cells

extension SettlementTieOut {
  /// Ties out all cells: steps of the bridge, findings and open items.
  private mutating func tieOutCells(_ reports: SalesReports) {
    let kinds = SettlementFindings(cells: cells, month: month)
    let (cells, sides) = (cells, SettlementSides(cells))
    let estimate = CarryEstimate(cells, lots: sides.lots, rows: sides.rows)
    estimatedLag = estimate.lag.mean
    cells.forEachMatching(sides, estimate) { addCell($0, $1, kinds) }
    addSalesRows(reports)
    openItems.sort {
      ($0.first, $0.storefront, $0.sku, $0.currency, $0.amount.micros)
        < ($1.first, $1.storefront, $1.sku, $1.currency, $1.amount.micros)
    }
  }

  /// Adds steps of the bridge, findings and open items for one cell, where the month's reports tell
  /// what its region settled.
  ///
  /// - Parameters:
  ///   - matching: which rows of the cell settled which of its lots.
  ///   - kinds: makes the findings.
  private mutating func addCell(
    _ cell: SettlementCellKey, _ matching: LotMatching, _ kinds: SettlementFindings
  ) {
    addLags(matching)
    guard cells.months[month].covers(cells.region(cell)) else { return }
    let balance = CellBalance(matching, cell: cell, cells: cells, month: month)
    add(.settlementCarryIn, cell, balance.carriedIn, open: balance.openIn)
    add(.settlementCarryOut, cell, balance.carriedOut, open: balance.openOut)
    carriedIn[cell.currency, default: [:]].merge(balance.carriedInSold, uniquingKeysWith: +)
    add(.settlementDifference, cell, balance.difference)
    let items = balance.openItems
    openItems += items.filter { $0.settledIn != cells.months[month].month }
    findings += kinds.findings(cell, balance)
    for carry in kinds.carries(items, balance, carryMax: context.settings.carryMax) {
      if !carry.groups.isEmpty { groupsOfFinding[findings.count] = carry.groups }
      findings.append(carry.finding)
    }
  }

  /// Adds to findings about units that were carried out of the month some rows of Apple's sales
  /// reports that have these units; all are found in one pass.
  private mutating func addSalesRows(_ reports: SalesReports) {
    let wanted = Set(groupsOfFinding.values.joined())
    let rows = reports.groups.rows(of: wanted, in: reports.facts.sales, limit: 5)
    for (finding, groups) in groupsOfFinding {
      findings[finding].sales = groups.flatMap { rows[$0] ?? [] }.sorted()
    }
  }

  /// Adds a sum of a cell as a step of the bridge, unless there is nothing in it.
  ///
  /// - Parameter open: what of it no dated row proves.
  private mutating func add(
    _ cause: BridgeCause, _ cell: SettlementCellKey, _ sum: CellBalance.Sum,
    open: CellBalance.Sum? = nil
  ) {
    guard sum.units != 0 || sum.amount != 0 || (open?.amount ?? 0) != 0 else { return }
    bridge.add(
      cause, cell.storefront, cell.currency, units: sum.units, amount: sum.amount,
      open: open?.amount)
  }

  /// Adds units by their days from sale to settlement, where the detail tells both.
  private mutating func addLags(_ matching: LotMatching) {
    for match in matching.matches {
      guard let day = matching.rows[match.row].settlementDay,
        let sold = matching.rows[match.row].day
      else { continue }
      lags[sold.distance(to: day), default: 0] += match.units
    }
  }

  /// Adds to the bridge what the month's financial reports have as settled, and the detail where no
  /// report of the region is loaded.
  private mutating func addSettled() {
    settledByRegion = cells.settledByRegion(month)
    cells.forEachSettledRow(month) { _, terms, row in
      bridge.add(
        .settled, terms.storefront, terms.currency, units: row.quantity, amount: row.extended)
    }
  }
}

extension SettlementCells {
  /// What the financial reports of a month add up to, by region and currency; empty where none is
  /// loaded.
  package func settledByRegion(of month: FiscalMonth) -> [RegionKey: Int64] {
    index(of: month).map(settledByRegion) ?? [:]
  }

  /// What the financial reports of a month, named by its index, add up to, by region and currency;
  /// micro-units.
  fileprivate func settledByRegion(_ month: Int) -> [RegionKey: Int64] {
    var sums: [RegionKey: Int64] = [:]
    forEachSettledRow(month) { region, terms, row in
      sums[.init(region: region, currency: terms.currency), default: 0] += row.extended
    }
    for report in facts.reports
    where report.month == months[month].month && !report.isDetail && report.region != "ZZ"
      && report.rows.isEmpty
    {
      guard let currency = regions.currency(of: report.region) else { continue }
      sums[.init(region: report.region, currency: currency), default: 0] += 0
    }
    return sums
  }

  /// Calls `body` for each row that says what was settled in a month, with its region; what two
  /// files tell comes once.
  fileprivate func forEachSettledRow(
    _ month: Int, _ body: (String, FinanceTerms, FinanceEntry) -> Void
  ) {
    let place = months[month]
    for report in facts.reports where report.month == place.month {
      for row in report.rows {
        let terms = facts.terms[Int(row.terms)]
        let region =
          report.region.isEmpty || report.region == "ZZ" || report.isDetail
          ? self.region(of: terms.storefront, terms.currency) : report.region
        let isReported = place.hasAllRegions || place.regions.contains(region)
        if report.isDetail ? isReported : report.region == "ZZ" && place.regions.contains(region) {
          continue
        }
        guard place.covers(region) else { continue }
        body(region, terms, row)
      }
    }
  }
}

// MARK: - What is concluded

extension SettlementTieOut {
  /// One line per storefront and currency that sold or settled anything, ascending by region.
  ///
  /// - Parameter reported: what the sales reports of the month have.
  package func lines(reported: [ProceedsLine]) -> [SettlementLine] {
    var sold: [BridgeSteps.Key: Int64] = [:]
    for line in reported {
      let key = BridgeSteps.Key(storefront: line.storefront, currency: line.proceedsCurrency)
      sold[key, default: 0] += line.proceeds.micros
    }
    let steps = bridge.sums
    let keys = Set(sold.keys).union(steps.keys)
    return keys.compactMap { key -> SettlementLine? in
      guard let storefront = key.storefront, covers(storefront, key.currency) else { return nil }
      let sums = steps[key] ?? [:]
      /// What a step of the bridge comes to for the line.
      func amount(_ cause: BridgeCause) -> Money {
        Money(micros: sums[cause]?.amount ?? 0, key.currency)
      }
      let cell = SettlementCellKey(storefront: storefront, currency: key.currency, sku: 0)
      return SettlementLine(
        region: cells.region(cell), storefront: storefront,
        reported: Money(micros: sold[key] ?? 0, key.currency), carryIn: amount(.settlementCarryIn),
        carryOut: amount(.settlementCarryOut), difference: amount(.settlementDifference),
        settled: amount(.settled), units: sums[.settled]?.units ?? 0)
    }
    .filter { line in
      [line.reported, line.settled, line.carryIn, line.carryOut].contains { !$0.isZero }
    }
    .sorted { ($0.region, $0.storefront, $0.currency) < ($1.region, $1.storefront, $1.currency) }
  }

  /// What a reader must know: how sure the settlement's days are.
  package var notes: [Wording] {
    let place = cells.months[month]
    guard isLoaded else { return [] }
    if place.covered.isEmpty {
      return ["@settlement.no-sales-report-covers-what \(place.month)"]
    }
    let count = lags.values.reduce(0, +)
    if place.hasDetail {
      return [
        """
        @settlement.according-to-the-loaded-detail \(place.month) \
        \(decimalText(micros: meanLag(count), minimumDigits: 1)) \(lags.keys.max() ?? 0)
        """
      ]
    }
    let mean = roundedHalfUp(
      Int128(estimatedLag), dividedBy: 1, toMultipleOf: 100_000)
    return [
      """
      @settlement.is-settled-without-its-detail \(place.month) \
      \(decimalText(micros: mean, minimumDigits: 1))
      """
    ]
  }

  /// Whether no detail tells what was carried.
  package var isEstimated: Bool { isLoaded && !cells.months[month].hasDetail }

  /// How far the estimate is off in past months; empty where nothing is estimated.
  package var carryTrials: [CarryTrial] { isEstimated ? cells.carryTrials(before: month) : [] }

  /// Days from sale to settlement on average, in millionths, to a tenth of a day.
  ///
  /// - Parameter count: of all units whose days are known.
  private func meanLag(_ count: Int64) -> Int64 {
    let days = lags.reduce(Int64(0)) { $0 + Int64($1.key) * $1.value }
    return roundedHalfUp(
      Int128(days) * 1_000_000, dividedBy: Int128(max(count, 1)), toMultipleOf: 100_000)
  }

  /// Adds a difference to the bridge.
  mutating func add(difference: Int64, units: Int64, _ storefront: Storefront, _ currency: Currency)
  {
    bridge.add(.settlementDifference, storefront, currency, units: units, amount: difference)
  }
}
