package import Billing
import Languages
package import Conclusions

/// Which findings are wanted; nil and empty are all.
package struct FindingFilter: Sendable {
  package var codes: Set<FindingCode> = []
  /// This severity or above.
  package var severity: Severity?
  package var storefront: Storefront?
  /// From this day on; findings without a day are then left out.
  package var since: Day?

  package init() {}

  /// Whether a finding is wanted.
  func has(_ finding: Finding) -> Bool {
    (codes.isEmpty || codes.contains(finding.code)) && finding.severity >= severity ?? .info
      && (storefront == nil || finding.storefront == storefront)
      && (since == nil || finding.date.map { $0 >= since! } == true)
  }
}

/// Writes findings one by one, in output order. Keys and codes are English, explanations in the
/// language of whoever reads.
package func exportFindings(
  _ reconciliation: Reconciliation, _ filter: FindingFilter, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  try export(
    reconciliation.inOutputOrder().findings.listed.lazy.filter { filter.has($0.finding) },
    of: .findings(scripts: findingColumns), form, to: sink)
}

private let findingColumns = [
  "id", "code", "severity", "level", "storefront", "currency", "date", "sku", "units", "amount",
  "order_ids", "transaction_ids", "sources", "explanation", "action", "material", "state",
  "assignee", "last_remark", "last_remark_by", "last_remark_at", "parts",
]

/// Writes proceeds by storefront, Apple's legal entity, app and product: the rows that a close
/// lists.
package func exportProceeds(
  _ reconciliation: Reconciliation, storefront: Storefront?, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  let rows = reconciliation.inOutputOrder().productRows.lazy.filter {
    storefront == nil || $0.storefront == storefront
  }
  try export(rows, of: .products(inBase: reconciliation.baseCurrency), form, to: sink)
}

/// Writes what each of Apple's companies sold and paid.
package func exportEntities(
  _ reconciliation: Reconciliation, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  try export(
    reconciliation.inOutputOrder().entityRows, of: .entities(inBase: reconciliation.baseCurrency),
    form, to: sink)
}

/// Writes what is behind many findings, the least likely by chance first.
package func exportPatterns(
  _ reconciliation: Reconciliation, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  try export(reconciliation.patterns, of: .patterns(in: nil), form, to: sink)
}

/// Writes how purchases went, day by day.
package func exportFlow(
  _ reconciliation: Reconciliation, since: Day?, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  let days = reconciliation.flow.lazy.filter { day in since.map { day.day >= $0 } ?? true }
  try export(days, of: .purchaseFlow, form, to: sink)
}

/// Writes what became of coins, day by day; no line where no movement is loaded.
package func exportCoins(
  _ reconciliation: Reconciliation, since: Day?, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  let days = (reconciliation.coins?.days ?? []).lazy.filter { day in
    since.map { day.day >= $0 } ?? true
  }
  try export(days, of: .coins, form, to: sink)
}

/// Writes the refunds of the period one by one, in output order, each with the finding that it
/// leads to in the workbook.
///
/// - Parameter since: the first day of refunds; nil for all.
package func exportRefunds(
  _ reconciliation: Reconciliation, storefront: Storefront?, since: Day?, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  let ordered = reconciliation.inOutputOrder()
  // Each refund leads to the finding that it leads to in the workbook.
  let ranked = ordered.byRank()
  let found = RefundList(ranked, limits: .excel)
  let lines = ordered.refunds.lazy.filter { line in
    (storefront == nil || line.storefront == storefront)
      && (since.map { line.refundedOn >= $0 } ?? true)
  }
  try export(
    lines.map { line in
      ListedRefund.refund(
        line,
        finding: found.named[line.transactionID].map {
          ListedFinding(ranked.findings, at: $0)
        })
    },
    of: .refunds(scripts: refundColumns), form, to: sink)
}

private let refundColumns = [
  "transaction_id", "order_id", "what", "storefront", "currency", "refunded_on", "purchased_on",
  "age", "window", "beyond_window", "units", "amount", "not_taken_back", "share", "sku", "reason",
  "order_status", "user", "user_refunds", "report_day", "in_report", "finding", "file", "line",
]

/// The columns of each list that is written for other programs, and of what they import.
package let writtenLists: [[String]] = {
  let base = Currency("USD")!
  return [
    findingColumns, refundColumns, List.products(inBase: base).names,
    List.entities(inBase: base).names, List.patterns(in: nil).names, List.purchaseFlow.names,
    List.subscriptions().names, List.journal.names, List.balances.names, List.settled.names,
    movementColumns, deferralColumns, coinFigureColumns, CloseStatement.columns,
    AccountingColumns.xero,
    AccountingColumns.quickbooks, AccountingColumns.kingdee,
  ]
}()

/// The first lines of journals for programs that import no list, and of a month and a plan as text
/// in any language, where a `*` is any text.
package let writtenOpenings: [String] = {
  let any = "20*"
  let texts: [Wording] = [
    "@summary.reconciliation-2 \(any) \(any)", "@plan.exchange-rate-plan-for-coins \(any)",
  ]
  let said = Language.allCases.flatMap { language in
    texts.map { Translation(language)($0) }
  }
  return Journal.openings + [AccountingColumns.yonyouHead] + said
}()

extension List {
  /// The names of the columns that scripts get.
  var names: [String] { scripted.map(\.name) }
}

/// Writes the chains of renewals that the period touched, as they stood at its end.
package func exportSubscriptions(
  _ reconciliation: Reconciliation, storefront: Storefront?, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  let ordered = reconciliation.inOutputOrder()
  let found = ChainFindings(ordered)
  try export(
    ordered.subscriptions.lazy.filter { storefront == nil || $0.storefront == storefront }
      .map { found.listed($0) },
    of: .subscriptions(), form, to: sink)
}

extension Reconciliation {
  /// The patterns as they are exported, a JSON object each, in English: what the ledger keeps.
  package var patternRecords: [String] { records(of: patterns, .patterns(in: nil)) }

  /// The days of the flow as they are exported, a JSON object each, in English.
  package var flowRecords: [String] { records(of: flow, .purchaseFlow) }

  /// The lines of a list, a JSON object each, in English.
  private func records<Line>(of lines: [Line], _ list: List<Line>) -> [String] {
    Translation.$current.withValue(.english) {
      var writer = RowWriter(.jsonLines, list.scripted.map(\.name)) { _ in }
      for line in lines {
        writer.add(line, of: list)
        writer.closeRow()
      }
      // By bytes: the line of a pattern names all its findings.
      return writer.text.utf8.split(separator: 0x0A).map { String(Substring($0)) }
    }
  }
}

/// Writes the lines of a list, handing bytes on as they are made.
private func export<Line>(
  _ lines: some Sequence<Line>, of list: List<Line>, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  var writer = RowWriter(form, list.scripted.map(\.name), sink: sink)
  for line in lines {
    writer.add(line, of: list)
    try writer.endRow()
  }
  try writer.finish()
}

/// Writes the journal's postings, debits positive: the rows that a close writes.
package func exportJournal(
  _ journal: Journal, _ accounts: Accounts, since: Day?, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  try export(
    journal.lines(accounts).lazy.filter { line in since.map { line.entry.day >= $0 } ?? true },
    of: .journal, form, to: sink)
}
