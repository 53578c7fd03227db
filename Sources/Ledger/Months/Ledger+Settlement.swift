package import Billing
import GRDB

extension Ledger {
  /// The current financial reports, details and payments summaries whose fiscal month touches
  /// `days`.
  ///
  /// Reports ascend by begin, report before detail, region, vendor and file, payments by month,
  /// vendor and file; rows by row. `terms` is the dictionary as a whole. A block of a summary that
  /// names no payout has one without an amount.
  package func settlementFacts(_ days: ClosedRange<Day>) throws -> SettlementFacts {
    try read { db in
      var facts = SettlementFacts()
      facts.bank = try Self.bank(days, db)
      facts.invoices = try Self.commissionInvoices(db)
      facts.shared = try sharedSKUs(db)
      facts.terms = facts.shared.named(try TermsDictionary<FinanceTerms>.all(db))
      for source in try SettlementSource.current(touching: days, db) {
        if source.kind == .payments {
          facts.payments.append(try Self.payments(of: source, db))
        } else {
          facts.reports.append(try Self.finance(of: source, db))
        }
      }
      return facts
    }
  }

  /// Payments summaries of months that touch `days`, ascending by month.
  package func payments(of days: ClosedRange<Day>) throws -> [PaymentSummary] {
    try read { db in
      try SettlementSource.current(touching: days, db).filter { $0.kind == .payments }
        .map { try Self.payments(of: $0, db) }
    }
  }

  /// Files and lines of rows of financial reports and details, in their order.
  package func resolveFinance(
    _ rows: [FinanceRow.ID]
  ) throws -> [(row: FinanceRow.ID, source: Source)] {
    try read { try Self.places(rows, .finance, $0) }
  }

  /// The financial report, or detail, that a file has, with its rows and footers.
  private static func finance(of source: SettlementSource, _ db: Database) throws -> FinanceReport {
    var report = FinanceReport(
      file: source.file, isDetail: source.kind == .financeDetail, vendor: source.vendor,
      region: source.region, begin: source.begin, end: source.end, rows: [], footers: [],
      rejected: source.rejected)
    if let rows = source.rows {
      report.rows.reserveCapacity(rows.count)
      try scan(
        db, "id, terms_id, quantity, extended, transaction_day, settlement_day",
        "FROM finance_row WHERE id BETWEEN ? AND ?", [[rows.lowerBound, rows.upperBound]]
      ) { row in
        report.rows.append(
          FinanceEntry(
            row: row.id(), terms: row.int32(1) - 1, quantity: row.int64(2),
            extended: row.int64(3), transactionDay: row.isNull(4) ? nil : row.day(4),
            settlementDay: row.isNull(5) ? nil : row.day(5)))
      }
    }
    report.footers = try FinanceFooterLine.select(Self.ofSource, source.id, in: db)
    return report
  }

  private static let ofSource = "WHERE source_id = ? ORDER BY id"

  /// The payments summary that a file has; a block of it that names no payout gets one without an
  /// amount.
  private static func payments(of source: SettlementSource, _ db: Database) throws -> PaymentSummary
  {
    var summary = PaymentSummary(
      file: source.file, vendor: source.vendor, month: FiscalMonth(containing: source.end),
      lines: try PaymentLine.select(Self.ofSource, source.id, in: db),
      payouts: try Payout.select(Self.ofSource, source.id, in: db), rejected: source.rejected)
    let told = Set(summary.payouts.map(\.block))
    var last: [Int32: Int32] = [:]
    for line in summary.lines where !told.contains(line.block) { last[line.block] = line.line }
    summary.payouts += last.map { block, line in
      Payout(
        line: line, block: block, amount: nil, currency: nil, account: "", day: nil,
        isPaid: false)
    }
    summary.payouts.sort { $0.block < $1.block }
    return summary
  }
}

/// A file about a fiscal month that no other version has replaced.
private struct SettlementSource {
  var id: Int64
  var kind: InputKind
  var file: String
  var vendor: String
  var region: String
  var begin: Day
  var end: Day
  var rows: ClosedRange<Int64>?
  var rejected: Int

  /// The files about fiscal months that touch `days`, as far as no other version replaced them;
  /// ascending by begin, kind, region, vendor, file and content.
  static func current(touching days: ClosedRange<Day>, _ db: Database) throws -> [SettlementSource]
  {
    let kinds = InputKind.allCases.filter(\.isSettlement).map { "'\($0.rawValue)'" }
    let select = try RawStatement(
      db,
      """
      SELECT id, kind, file, vendor, region, begin_day, end_day, first_row, last_row, rejected
      FROM source WHERE kind IN (\(kinds.joined(separator: ", "))) AND status <> 'superseded'
        AND begin_day <= ? AND end_day >= ?
      ORDER BY begin_day, kind, region, vendor, file, sha256
      """, days.upperBound, days.lowerBound)
    return try select.all {
      SettlementSource(
        id: select.int64(0), kind: try select.known(1, InputKind.init(rawValue:)),
        file: select.text(2), vendor: select.text(3), region: select.text(4),
        begin: select.day(5), end: select.day(6),
        rows: select.isNull(7) ? nil : try select.rows(7, 8),
        rejected: Int(select.int64(9)))
    }
  }
}
