package import Billing
import Languages
package import Matching

/// Which findings are wanted; nil and empty are all.
package struct FindingFilter: Sendable {
  package var codes: Set<FindingCode> = []
  /// This severity or above.
  package var severity: Severity?
  package var storefront: Storefront?
  /// From this day on; findings without a day are then left out.
  package var since: Day?

  package init() {}

  func has(_ finding: Finding) -> Bool {
    (codes.isEmpty || codes.contains(finding.code)) && finding.severity >= severity ?? .info
      && (storefront == nil || finding.storefront == storefront)
      && (since == nil || finding.date.map { $0 >= since! } == true)
  }
}

/// Findings one by one, in output order. Keys and codes are English, explanations in the language
/// of whoever reads.
package func exportFindings(
  _ reconciliation: Reconciliation, _ filter: FindingFilter, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  var writer = RowWriter(
    form,
    [
      "id", "code", "severity", "level", "storefront", "currency", "date", "sku", "units", "amount",
      "order_ids", "transaction_ids", "sources", "explanation", "action", "material", "state",
      "assignee", "last_remark", "last_remark_by", "last_remark_at",
    ], sink: sink)
  for finding in reconciliation.inOutputOrder().findings where filter.has(finding) {
    writer.add(finding)
    try writer.endRow()
  }
  try writer.finish()
}

extension RowWriter {
  fileprivate mutating func add(_ finding: Finding) {
    text(finding.id)
    text(finding.code.rawValue)
    text(finding.severity.rawValue)
    integer(Int64(finding.code.level))
    text(finding.storefront?.code)
    text(finding.currency?.code)
    text(finding.date?.description)
    text(finding.sku)
    integer(finding.units)
    decimal(finding.amount, minimumDigits: finding.currency?.minorDigits ?? 2)
    list(finding.orderIDs)
    list(finding.transactionIDs)
    list(finding.sources.map { $0.line > 0 ? "\($0.file):\($0.line)" : $0.file })
    text(say(finding.explanation))
    text(say(finding.action))
    bool(finding.isMaterial)
    let last = finding.work?.remarks.last
    text((finding.work?.state ?? .open).rawValue)
    text(finding.work?.assignee)
    text(last.flatMap { $0.reason.isEmpty ? nil : $0.reason })
    text(last?.by)
    time(last?.at)
  }
}

/// Proceeds by storefront, Apple's legal entity, app and product: the rows that a close lists.
package func exportProceeds(
  _ reconciliation: Reconciliation, storefront: Storefront?, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  var writer = RowWriter(
    form,
    [
      "storefront", "entity", "app", "sku", "kind", "currency", "proceeds_currency", "units_sold",
      "units_refunded", "gross", "tax", "commission", "proceeds", "proceeds_base", "rate",
    ], sink: sink)
  let base = reconciliation.baseCurrency
  for row in reconciliation.inOutputOrder().productRows
  where storefront == nil || row.storefront == storefront {
    for text in [row.storefront.code, row.entity, row.app, row.sku, row.kind, row.currency.code] {
      writer.text(text)
    }
    writer.text(row.proceedsCurrency.code)
    writer.integer(row.unitsSold)
    writer.integer(row.unitsRefunded)
    writer.decimal(row.gross, minimumDigits: row.currency.minorDigits)
    writer.decimal(row.tax, minimumDigits: row.currency.minorDigits)
    writer.decimal(row.commission, minimumDigits: row.currency.minorDigits)
    writer.decimal(row.proceeds, minimumDigits: row.proceedsCurrency.minorDigits)
    writer.decimal(row.proceedsBase, minimumDigits: base.minorDigits)
    writer.decimal(row.rate, minimumDigits: 0)
    try writer.endRow()
  }
  try writer.finish()
}

/// The journal's postings, debits positive: the rows that a close writes.
package func exportJournal(
  _ journal: Journal, _ accounts: Accounts, since: Day?, _ form: RowWriter.Form,
  to sink: @escaping ([UInt8]) throws -> Void
) throws {
  var writer = RowWriter(
    form, ["date", "entry", "account", "currency", "amount", "narration"], sink: sink)
  for (index, entry) in journal.entries.enumerated() where since.map({ entry.day >= $0 }) ?? true {
    for posting in entry.postings {
      writer.text(entry.day.description)
      writer.text(journal.name(ofEntry: index))
      writer.text(accounts[posting.account])
      writer.text(posting.amount.currency.code)
      writer.text(posting.amount.text)
      writer.text(entry.narration)
      try writer.endRow()
    }
  }
  try writer.finish()
}
