import Billing

extension SettlementTieOut {
  private struct Key: Hashable {
    var cell: SettlementCellKey
    var terms: UnitTerms
  }

  private struct Sides {
    var report = BridgeSteps.Sum()
    var detail = BridgeSteps.Sum()
    var rows: [FinanceRow.ID] = []
    /// Those of them that are the report's.
    var reportRows: Set<FinanceRow.ID> = []
  }

  /// Findings where a month's report and its detail tell different things. Where both are loaded,
  /// they must tell the same; what the report has more is in the settled total, and so in its
  /// difference.
  mutating func reportAgainstDetail() -> [UnresolvedFinding] {
    guard cells.months[month].hasDetail else { return [] }
    let sides = sides().sorted { ($0.key.cell, $0.key.terms) < ($1.key.cell, $1.key.terms) }
    var findings: [UnresolvedFinding] = []
    for (key, side) in sides {
      let units = side.report.units - side.detail.units
      let amount = side.report.amount - side.detail.amount
      guard units != 0 || amount != 0 else { continue }
      add(difference: amount, units: units, key.cell.storefront, key.cell.currency)
      findings.append(finding(key, side, units: units, amount: amount))
    }
    return findings
  }

  /// The finding about a cell's units at one price and share.
  ///
  /// - Parameters:
  ///   - units: the report's less the detail's.
  ///   - amount: the same in micro-units.
  private func finding(_ key: Key, _ side: Sides, units: Int64, amount: Int64) -> UnresolvedFinding
  {
    let place = cells.months[month].month
    let currency = key.cell.currency
    var finding = UnresolvedFinding(
      units == 0 ? .settlementProceeds : .settlementUnits, storefront: key.cell.storefront,
      currency: currency, day: place.last, sku: cells.sku(key.cell),
      units: units == 0 ? nil : units, amount: amount,
      explanation: """
        @settlement-units.for-at-the-financial-report \(cells.sku(key.cell)) \
        \(spoken(key.terms.price, nil)) \(place) \(spoken(units: side.report.units)) \
        \(spoken(side.report.amount, currency)) \(spoken(units: side.detail.units)) \
        \(spoken(side.detail.amount, currency))
        """)
    finding.finance = Array(side.rows.sorted().prefix(Rules.namedRows))
    let reported = finding.finance.filter(side.reportRows.contains)
    finding.citation =
      reported.isEmpty
      ? Citation(.financialDetail, finance: finding.finance)
      : Citation(.financialReport, finance: reported)
    return finding
  }

  /// What the month's reports and its detail have of each cell at one price and share; only of
  /// regions whose report is loaded.
  private func sides() -> [Key: Sides] {
    let place = cells.months[month]
    let codes = Dictionary(
      uniqueKeysWithValues: cells.skus.enumerated().map { ($1, Int32($0)) })
    var sides: [Key: Sides] = [:]
    for report in cells.facts.reports where report.month == place.month {
      for row in report.rows {
        let terms = cells.facts.terms[Int(row.terms)]
        let name = cells.name(terms)
        guard row.quantity != 0, let sku = codes[name] else { continue }
        let cell = SettlementCellKey(
          storefront: terms.storefront, currency: terms.currency, sku: sku)
        let region = cells.region(cell)
        guard place.hasAllRegions || place.regions.contains(region) else { continue }
        if report.region == "ZZ", place.regions.contains(region) { continue }
        let key = Key(
          cell: cell,
          terms: UnitTerms(
            isReturn: row.quantity < 0, price: abs(terms.customerPrice), share: abs(terms.share)))
        let part: WritableKeyPath<Sides, BridgeSteps.Sum> = report.isDetail ? \.detail : \.report
        sides[key, default: Sides()][keyPath: part].add(units: row.quantity, amount: row.extended)
        guard sides[key]!.rows.count < Rules.namedRows else { continue }
        sides[key]!.rows.append(row.row)
        if !report.isDetail { sides[key]!.reportRows.insert(row.row) }
      }
    }
    return sides
  }
}
