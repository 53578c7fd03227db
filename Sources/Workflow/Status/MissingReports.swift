package import Billing
package import Conclusions
import Ledger
import Matching
import Pricing

/// Regions of a fiscal month whose financial reports are not loaded.
package struct MissingReports: Hashable, Sendable {
  package var month: FiscalMonth
  /// Ascending; never empty.
  package var regions: [MissingRegion]
}

/// Which regions' financial reports are missing of each fiscal month, from the first one of which
/// any settlement is loaded, as long as months are loaded or due.
///
/// - Parameter regions: Apple's regions by labels of payments summaries, as the company names them.
/// - Throws: `LedgerError`.
func missingReports(
  _ ledger: Ledger, _ files: [LedgerFile], asOf: Day, naming regions: [String: String]
) throws -> [MissingReports] {
  let ends = files.filter { $0.input.status != .superseded && $0.input.kind.isSettlement }
    .compactMap(\.input.to)
  let sold = files.filter { $0.input.kind == .sales }.compactMap(\.input.to).max()
  guard let first = ends.min(), let last = ends.max() else { return [] }
  var missing: [MissingReports] = []
  var month = FiscalMonth(containing: first)
  while month.first <= max(last, sold ?? last),
    month.first <= last || asOf > month.paymentDay
  {
    let missed = try missingRegions(month, ledger, naming: regions)
    if !missed.isEmpty { missing.append(MissingReports(month: month, regions: missed)) }
    month = month.next
  }
  return missing
}

/// The regions of a fiscal month in which sales reports or payments have money and no financial
/// report is loaded.
///
/// - Parameter regions: Apple's regions by labels of payments summaries, as the company names them.
private func missingRegions(
  _ month: FiscalMonth, _ ledger: Ledger, naming regions: [String: String]
) throws -> [MissingRegion] {
  let days = month.first...month.last
  let cells = SettlementCells(
    try ledger.settlementFacts(days).naming(regions), months: [month], regions: .builtIn)
  var sold: [RegionKey: Int64] = [:]
  for terms in try ledger.soldTerms(days) {
    let storefront = terms.storefront
    guard
      let currency = terms.proceedsCurrency ?? terms.customerCurrency
        ?? StorefrontTable.builtIn.currency(of: storefront)
    else { continue }
    sold[cells.key(of: storefront, currency)] = 0
  }
  return cells.missingRegions(of: month, sold: sold)
}

extension MissingReports {
  /// The sentence that names the fiscal month and the regions without a report.
  var wording: Wording {
    let names = regions.map(\.name).joined(separator: "@shared.list-mark")
    return "@status.financial-report-not-loaded \(month) \(names)"
  }

  /// Whether Apple has money for any of them that no report accounts for.
  var isError: Bool { regions.contains { !$0.isUnpaid } }
}
