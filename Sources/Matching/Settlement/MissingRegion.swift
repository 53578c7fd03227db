package import Billing
package import Conclusions
import Pricing

extension SettlementCells {
  /// Regions of a month that have money in it and no financial report, ascending. Where the detail
  /// is loaded it tells which regions settled anything; else those count that sold in the month, or
  /// that the payments summary has money of.
  ///
  /// - Parameter sold: proceeds of the month's days by the sales reports, in micro-units.
  package func missingRegions(
    of month: FiscalMonth, sold: [RegionKey: Int64]
  ) -> [MissingRegion] {
    guard let index = index(of: month), !months[index].hasAllRegions else { return [] }
    let place = months[index]
    let earned = place.hasDetail ? detailed(in: month) : earned(in: month)
    let hasSummary = facts.payments.contains { $0.month == month }
    let keys = place.hasDetail ? Set(earned.keys) : Set(sold.keys).union(earned.keys)
    return keys.filter { !place.covers($0.region) }.sorted().map { key in
      MissingRegion(
        region: key.region, earned: earned[key].map { Money(micros: $0, key.currency) },
        reported: Money(micros: sold[key] ?? 0, key.currency),
        isUnpaid: hasSummary && !place.hasDetail && earned[key] == nil)
    }
  }

  /// What each region earned in a month by the payments summary, where it has any; micro-units.
  private func earned(in month: FiscalMonth) -> [RegionKey: Int64] {
    facts.payments.filter { $0.month == month }.linesByRegion(by: month.last)
      .mapValues { lines in lines.reduce(0) { $0 + $1.line.earned } }
      .filter { $0.value != 0 }
  }

  /// What each region settled in a month by the detail; micro-units.
  private func detailed(in month: FiscalMonth) -> [RegionKey: Int64] {
    var sums: [RegionKey: Int64] = [:]
    for report in facts.reports where report.month == month && report.isDetail {
      for row in report.rows {
        let terms = facts.terms[Int(row.terms)]
        sums[key(of: terms.storefront, terms.currency), default: 0] += row.extended
      }
    }
    return sums
  }

  /// Rows of the month's detail that tell of a region, at most 100, ascending.
  fileprivate func detailRows(of key: RegionKey, in month: FiscalMonth) -> [FinanceRow.ID] {
    let rows = facts.reports.lazy.filter { $0.month == month && $0.isDetail }.flatMap { report in
      report.rows.lazy.filter { row in
        let terms = facts.terms[Int(row.terms)]
        return self.key(of: terms.storefront, terms.currency) == key
      }
    }
    return rows.prefix(Rules.namedRows).map(\.row).sorted()
  }

  /// What the lots of a month, named by its index, bring by region; micro-units.
  func soldByRegion(_ month: Int) -> [RegionKey: Int64] {
    var sums: [RegionKey: Int64] = [:]
    for (cell, lot) in lots where lot.month == month {
      sums[key(of: cell.storefront, cell.currency), default: 0] += lot.terms.amount(lot.units)
    }
    return sums
  }

  /// The region and currency that a storefront's money is settled in. A storefront of which no
  /// region is known stands for itself.
  package func key(of storefront: Storefront, _ currency: Currency) -> RegionKey {
    let region = region(of: storefront, currency)
    return RegionKey(region: region.isEmpty ? storefront.code : region, currency: currency)
  }
}

extension SettlementTieOut {
  /// The finding about a region whose financial report is not loaded, with the rows or lines that
  /// show its money.
  func finding(_ missing: MissingRegion) -> UnresolvedFinding {
    let lacking = missing.earned ?? missing.reported
    var finding = UnresolvedFinding(
      .regionReportMissing, storefront: Storefront(missing.region), currency: missing.currency,
      day: settlementMonth.last, amount: -lacking.micros, explanation: text(missing))
    if missing.isUnpaid { finding.severity = .warning }
    if missing.earned != nil { finding.action = AdviceByFact.earned }
    let key = RegionKey(region: missing.region, currency: missing.currency)
    if missing.earned == nil {
      finding.citation = Citation(
        .salesReport, estimate: "@region-report-missing.no-financial-report-is-loaded")
    } else if cells.months[month].hasDetail {
      finding.finance = cells.detailRows(of: key, in: settlementMonth)
      finding.citation = Citation(.financialDetail, finance: finding.finance)
    } else {
      let lines = cells.facts.payments.filter { $0.month == settlementMonth }
        .linesByRegion(by: settlementMonth.last)
      finding.places = (lines[key] ?? []).map(\.source).sorted()
      finding.citation = Citation(.paymentsSummary, places: finding.places)
    }
    return finding
  }

  /// The explanation of the finding about a region without a financial report.
  private func text(_ missing: MissingRegion) -> Wording {
    let absent: Wording =
      "@settlement.financial-report-of-for-is \(missing.name) \(settlementMonth)"
    let sold = spoken(missing.reported)
    guard !missing.isUnpaid else {
      return "@settlement.its-sales-reports-have-of-proceeds \(absent) \(sold)"
    }
    guard let earned = missing.earned else {
      return "@settlement.its-sales-reports \(absent) \(sold)"
    }
    return cells.months[month].hasDetail
      ? "@settlement.detail-has-of-it-nothing \(absent) \(spoken(earned))"
      : "@settlement.payments-summary-has-as-earned \(absent) \(spoken(earned))"
  }
}
