import Billing

/// Puts what level 3 found into words.
struct SettlementFindings {
  let cells: SettlementCells
  let month: Int

  private var fiscalMonth: FiscalMonth { cells.months[month].month }

  /// Differences of units and of shares, one per day of sale.
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

  private func finding(
    _ code: FindingCode, _ cell: SettlementCellKey, _ day: Day,
    _ difference: CellBalance.Difference, _ text: () -> Wording
  ) -> UnresolvedFinding {
    var finding = UnresolvedFinding(
      code, storefront: cell.storefront, currency: cell.currency, day: day, sku: cells.sku(cell),
      units: code == .settlementUnits ? difference.sum.units : nil, amount: difference.sum.amount,
      explanation: text())
    finding.finance = Array(difference.rows.sorted().prefix(Rules.namedRows))
    finding.citation = settled(finding.finance)
    return finding
  }

  /// What was settled stands in the detail where that is loaded; else in the report, which does not
  /// say which sales it settles.
  private func settled(_ rows: [FinanceRow.ID]) -> Citation {
    Citation(
      cells.months[month].hasDetail ? .financialDetail : .financialReport, finance: rows,
      estimate: estimate)
  }

  private var estimate: Wording? {
    cells.months[month].hasDetail ? nil : "no detail is loaded that gives the days of sale"
  }

  private func unitsText(
    _ cell: SettlementCellKey, _ day: Day, _ difference: CellBalance.Difference
  ) -> Wording {
    let units = difference.sum.units
    let sold: Wording = cells.months[month].hasDetail ? "sold on \(day)" : "in \(fiscalMonth)"
    let (sku, amount) = (cells.sku(cell), spoken(difference.sum.amount, cell.currency))
    return units < 0
      ? """
      Apple settled the return of \(spoken(units: -units)) of \(sku) \(sold), \(amount), that its \
      sales reports do not have
      """
      : """
      Apple settled \(spoken(units: units)) of \(sku) \(sold), \(amount), that its sales reports \
      do not have
      """
  }

  private func sharesText(
    _ cell: SettlementCellKey, _ day: Day, _ difference: CellBalance.Difference
  ) -> Wording {
    let shares = difference.shares.sorted().prefix(3).map { share -> Wording in
      "\(spoken(share.settled, cell.currency)) for \(spoken(share.reported, cell.currency))"
    }.joined(separator: ", ")
    let rate: Wording =
      shares.isEmpty ? "an extended share that is not quantity times share" : shares
    return """
      Apple settled units of \(cells.sku(cell)) sold on \(day) at \(rate): \
      \(spoken(difference.sum.amount, cell.currency)) more than reported
      """
  }

  /// A finding, with the groups of the reconciled month's reports that are its evidence.
  typealias Carry = (finding: UnresolvedFinding, groups: [Int])

  /// One finding per month of sale for what was carried out of the month, into it, or is open.
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
      sign > 0 ? settled(finding.finance) : Citation(.salesReport, estimate: estimate)
    return (finding, sign < 0 && item.soldIn == fiscalMonth ? reportGroups(balance) : [])
  }

  private func arrivedText(_ items: [OpenItem], _ units: Int64, _ amount: Int64) -> Wording {
    let item = items[0]
    return """
      \(fiscalMonth) settles \(spoken(units: units)) of \(item.sku), \
      \(spoken(amount, item.currency)), sold in \(item.soldIn) from \
      \(items.map(\.first).min()!) on, \(months(fiscalMonth.months(since: item.soldIn))) later
      """
  }

  private func leftText(_ items: [OpenItem], _ units: Int64, _ amount: Int64) -> Wording {
    let item = items[0]
    let open = items.filter { $0.settledIn == nil }.reduce(Int64(0)) { $0 + $1.units }
    let later = Set(items.compactMap(\.settledIn)).sorted()
      .map { month -> Wording in
        let count = items.filter { $0.settledIn == month }.reduce(Int64(0)) { $0 + $1.units }
        return "\(count) settled in \(month)"
      }
    let age = fiscalMonth.months(since: item.soldIn)
    let still: [Wording] =
      open == 0
      ? [] : [age == 0 ? "\(open) not settled yet" : "\(open) not settled for \(months(age))"]
    return """
      \(spoken(units: units)) of \(item.sku), \(spoken(amount, item.currency)), sold from \
      \(items.map(\.first).min()!) to \(items.map(\.last).max()!), not settled by the end of \
      \(fiscalMonth): \((later + still).joined(separator: ", "))
      """
  }

  private func months(_ count: Int) -> Wording { count == 1 ? "1 month" : "\(count) months" }

  private func arrivedRows(_ balance: CellBalance, soldIn: FiscalMonth) -> Set<FinanceRow.ID> {
    Set(
      balance.matching.matches.lazy.filter { match in
        balance.matching.rows[match.row].month == month
          && cells.months[balance.matching.lots[match.lot].month].month == soldIn
      }.map { balance.matching.rows[$0.row].row })
  }

  /// Some of the sales rows behind what was carried out.
  private func reportGroups(_ balance: CellBalance) -> [Int] {
    balance.matching.lots.lazy.filter { lot in
      lot.month == month && lot.group >= 0
        && (lot.open > 0 || lot.settled.contains { $0.month != month })
    }.prefix(20).map { Int($0.group) }
  }
}
