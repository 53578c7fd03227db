import Billing
import Conclusions

/// Puts what level 3 found into words.
struct SettlementFindings {
  let cells: SettlementCells
  let month: Int

  private var fiscalMonth: FiscalMonth { cells.months[month].month }

  /// Findings about differences of units and of shares, one per day of sale.
  func findings(_ cell: SettlementCellKey, _ balance: CellBalance) -> [UnresolvedFinding] {
    let units = balance.extra.sorted { $0.key < $1.key }.map { day, difference in
      finding(.settlementUnits, cell, day, difference) { unitsText(cell, day, difference) }
    }
    let shares = balance.shared.sorted { $0.key < $1.key }
      .filter { $0.value.sum.amount != 0 }
      .map { day, difference in
        finding(.settlementProceeds, cell, day, difference) { sharesText(cell, day, difference) }
      }
    return units + shares
  }

  /// A finding about a difference of one day of sale, with the rows of Apple's that show it.
  private func finding(
    _ code: FindingCode, _ cell: SettlementCellKey, _ day: Day,
    _ difference: CellBalance.Difference, _ text: () -> Wording
  ) -> UnresolvedFinding {
    var finding = UnresolvedFinding(
      code, storefront: cell.storefront, currency: cell.currency, day: day, sku: cells.sku(cell),
      units: code == .settlementUnits ? difference.sum.units : nil, amount: difference.sum.amount,
      explanation: text())
    finding.finance = Array(difference.rows.sorted().prefix(Rules.namedRows))
    finding.citation = settledCitation(finding.finance)
    return finding
  }

  /// The source of what was settled: the detail where that is loaded; else the report, which does
  /// not say which sales it settles.
  private func settledCitation(_ rows: [FinanceRow.ID]) -> Citation {
    Citation(
      cells.months[month].hasDetail ? .financialDetail : .financialReport, finance: rows,
      estimate: estimate)
  }

  /// Why a figure is an estimate; nil where the month's detail is loaded.
  private var estimate: Wording? {
    cells.months[month].hasDetail ? nil : "@settlement.no-detail-is-loaded"
  }

  /// The explanation of units that were settled and are in no sales report.
  private func unitsText(
    _ cell: SettlementCellKey, _ day: Day, _ difference: CellBalance.Difference
  ) -> Wording {
    let units = difference.sum.units
    let sold: Wording =
      cells.months[month].hasDetail ? "@settlement.sold \(day)" : "@shared.in-2 \(fiscalMonth)"
    let (sku, amount) = (cells.sku(cell), spoken(difference.sum.amount, cell.currency))
    return units < 0
      ? "@settlement.apple-settled-the-return \(spoken(units: -units)) \(sku) \(sold) \(amount)"
      : "@settlement.apple-settled \(spoken(units: units)) \(sku) \(sold) \(amount)"
  }

  /// The explanation of units that were settled at another share than reported, with three of the
  /// shares at most.
  private func sharesText(
    _ cell: SettlementCellKey, _ day: Day, _ difference: CellBalance.Difference
  ) -> Wording {
    let shares = difference.shares.sorted().prefix(3).map { share -> Wording in
      """
      @settlement.for \(spoken(share.settled, cell.currency)) \
      \(spoken(share.reported, cell.currency))
      """
    }.joined(separator: ", ")
    let rate: Wording =
      shares.isEmpty ? "@settlement.extended-share-that-is-not" : shares
    return """
      @settlement.apple-settled-units-of-sold \(cells.sku(cell)) \(day) \(rate) \
      \(spoken(difference.sum.amount, cell.currency))
      """
  }

  /// A finding, with the groups of the reconciled month's reports that are its evidence.
  typealias Carry = (finding: UnresolvedFinding, groups: [Int])

  /// One finding per month of sale for what was carried out of the month, into it, or is open.
  ///
  /// - Parameter carryMax: months after which open units are worth a warning.
  func carries(_ items: [OpenItem], _ balance: CellBalance, carryMax: Int) -> [Carry] {
    var byMonth: [FiscalMonth: [OpenItem]] = [:]
    for item in items { byMonth[item.soldIn, default: []].append(item) }
    var findings: [Carry] = []
    for (soldIn, items) in byMonth.sorted(by: { $0.key < $1.key }) {
      let arrived = items.filter { $0.settledIn == fiscalMonth }
      let left = items.filter { $0.settledIn != fiscalMonth }
      if !arrived.isEmpty { findings.append(finding(arrived, sign: 1, balance, carryMax)) }
      if !left.isEmpty, soldIn <= fiscalMonth {
        findings.append(finding(left, sign: -1, balance, carryMax))
      }
    }
    return findings
  }

  /// The finding about units of one month of sale that were carried into the reconciled month or,
  /// by `sign`, were carried out of it or are open.
  ///
  /// - Parameters:
  ///   - items: these units.
  ///   - sign: 1 for those carried into the month, -1 for those carried out of it or open.
  ///   - carryMax: months after which open units are worth a warning.
  private func finding(
    _ items: [OpenItem], sign: Int64, _ balance: CellBalance, _ carryMax: Int
  ) -> Carry {
    let units = items.reduce(Int64(0)) { $0 + $1.units }
    let item = items[0]
    let amount = items.sum(in: item.currency, \.amount).micros
    var finding = UnresolvedFinding(
      .settlementCarry, storefront: item.storefront, currency: item.currency,
      day: items.map(\.first).min(), sku: item.sku, units: sign * units, amount: sign * amount,
      explanation: sign > 0
        ? arrivedText(items, units, amount) : leftText(items, units, amount))
    let age = fiscalMonth.months(since: item.soldIn)
    let isOpen = items.contains { $0.settledIn == nil }
    if sign < 0, isOpen, age > carryMax { finding.severity = .warning }
    if sign > 0 || !isOpen { finding.action = AdviceByFact.settled }
    if sign > 0 {
      finding.finance = Array(
        arrivedRows(balance, soldIn: item.soldIn).sorted().prefix(Rules.namedRows))
    }
    finding.citation =
      sign > 0 ? settledCitation(finding.finance) : Citation(.salesReport, estimate: estimate)
    return (finding, sign < 0 && item.soldIn == fiscalMonth ? reportGroups(balance) : [])
  }

  /// The explanation of units that were carried into the month; the amount is in micro-units.
  private func arrivedText(_ items: [OpenItem], _ units: Int64, _ amount: Int64) -> Wording {
    let item = items[0]
    return """
      @settlement.settles-of-sold \(fiscalMonth) \(spoken(units: units)) \(item.sku) \
      \(spoken(amount, item.currency)) \(item.soldIn) \(items.map(\.first).min()!) \
      \(months(fiscalMonth.months(since: item.soldIn)))
      """
  }

  /// The explanation of units that were carried out of the month or are open; the amount is in
  /// micro-units.
  private func leftText(_ items: [OpenItem], _ units: Int64, _ amount: Int64) -> Wording {
    let item = items[0]
    let open = items.filter { $0.settledIn == nil }.reduce(Int64(0)) { $0 + $1.units }
    let later = Set(items.compactMap(\.settledIn)).sorted()
      .map { month -> Wording in
        let count = items.filter { $0.settledIn == month }.reduce(Int64(0)) { $0 + $1.units }
        return "@settlement.settled \(count) \(month)"
      }
    let age = fiscalMonth.months(since: item.soldIn)
    let still: [Wording] =
      open == 0
      ? []
      : [
        age == 0
          ? "@settlement.not-settled-yet \(open)" : "@settlement.not-settled \(open) \(months(age))"
      ]
    let (count, money) = (spoken(units: units), spoken(amount, item.currency))
    let since = (later + still).joined(separator: ", ")
    let (first, last) = (items.map(\.first).min()!, items.map(\.last).max()!)
    return first == last
      ? "@settlement.of-sold-on-not \(count) \(item.sku) \(money) \(first) \(fiscalMonth) \(since)"
      : """
      @settlement.of-sold-from-to-not \(count) \(item.sku) \(money) \(first) \(last) \
      \(fiscalMonth) \(since)
      """
  }

  /// A number of months as text.
  private func months(_ count: Int) -> Wording {
    count == 1 ? "@settlement.1-month" : "@settlement.months \(count)"
  }

  /// Rows of the month that settle units which an earlier month sold.
  private func arrivedRows(_ balance: CellBalance, soldIn: FiscalMonth) -> Set<FinanceRow.ID> {
    Set(
      balance.matching.matches.lazy.filter { match in
        balance.matching.rows[match.row].month == month
          && cells.months[balance.matching.lots[match.lot].month].month == soldIn
      }.map { balance.matching.rows[$0.row].row })
  }

  /// Groups of the sales reports behind what was carried out of the month, at most 20.
  private func reportGroups(_ balance: CellBalance) -> [Int] {
    balance.matching.lots.lazy.filter { lot in
      lot.month == month && lot.group >= 0
        && (lot.open > 0 || lot.settled.contains { $0.month != month })
    }.prefix(20).map { Int($0.group) }
  }
}
