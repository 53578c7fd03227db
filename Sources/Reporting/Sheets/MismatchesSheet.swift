import Billing
import Conclusions
import Languages

extension List<ListedFinding> {
  /// The columns of all findings, what matters first, each with a link to its evidence.
  ///
  /// - Parameters:
  ///   - contents: the workbook that the list stands in; nil for scripts.
  ///   - scripts: what scripts get, in their order.
  static func findings(in contents: WorkbookContents? = nil, scripts: [String] = []) -> List {
    List(
      mismatches(contents) + work(contents) + traces(contents) + evidence, scripts: scripts)
  }

  /// The columns that are lists within the list, for scripts alone.
  private static var evidence: [Column<Line>] {
    [
      Column(
        "sources",
        script: .parts(
          { $0.finding.sources.map { $0.line > 0 ? "\($0.file):\($0.line)" : $0.file } },
          { $0.lines($1.finding.sources, of: sources) })),
      Column(
        "parts",
        script: .parts(
          { $0.finding.parts.map(\.text) }, { $0.lines($1.finding.parts, of: parts) })),
    ]
  }

  /// The columns that a reader needs on one screen and one page.
  private static func mismatches(_ contents: WorkbookContents?) -> [Column<Line>] {
    let names: [Column<Line>] =
      contents == nil || !FindingCode.haveNames
      ? [] : [Column(.prose("@shared.finding", 18)) { .words($0.finding.code.brief) }]
    return [
      Column("severity", .text("@shared.severity", 8...10)) {
        .words($0.finding.severity.wording)
      }.coded { $0.finding.severity.rawValue }.tinted { $0.finding.severity }
    ] + names + [
      Column("code", .text("@shared.code", 10...26)) { .text($0.finding.code.rawValue) },
      Column("id", .text("@shared.id", 6...20)) { .text($0.finding.id) },
      Column("date", .date("@shared.date")) { .day(ifAny: $0.finding.date) },
      Column("storefront", .prose("@sheet.place", 20)) { .place($0.finding.storefront) }
        .coded { $0.finding.storefront?.code },
      inBase(contents),
      Column("company", .prose("@sheet.company-says", 17)) {
        .words($0.finding.bothValues?.company ?? "")
      },
      Column("apple", .prose("@sheet.apple-says", 17)) {
        .words($0.finding.bothValues?.apple ?? "")
      },
      Column("explanation", .prose("@sheet.explanation", 50)) { line in
        .words(contents?.reconciliation.namingProduct(line.finding) ?? line.finding.explanation)
      }.coded { say($0.finding.explanation) },
      Column("action", .prose("@sheet.action", 44)) { .words($0.finding.action) }
        .coded { say($0.finding.action) },
    ]
  }

  /// The column of what a finding comes to in base currency, by which the list is in order; one
  /// that is not shown for scripts, which have no workbook.
  private static func inBase(_ contents: WorkbookContents?) -> Column<Line> {
    guard let month = contents?.reconciliation else { return Column("", nil) { _ in .blank } }
    return Column("base", .number("@shared.in-2 \(month.baseCurrency)")) { line in
      let worth = line.worth
      if worth.isEmpty { return .blank }
      return month.worth(of: worth).map { .money($0) } ?? .words("@shared.no-rate")
    }
  }

  /// The columns that lead on from a finding: its units, amount, product, evidence and ids. A
  /// reader folds them away.
  private static func traces(_ contents: WorkbookContents?) -> [Column<Line>] {
    let traces: [Column<Line>] = [
      Column("units", .number("@shared.units")) { .integer(ifAny: $0.finding.units) },
      Column("amount", .number("@shared.amount")) {
        .money(ifAny: $0.finding.amount, $0.finding.currency)
      },
      Column("currency", .text("@shared.currency")) { .text(ifAny: $0.finding.currency?.code) },
      Column("sku", .text("@shared.sku", 6...36)) { .text(ifAny: $0.finding.sku) }
        .coded { $0.finding.sku },
      Column(
        "evidence", .text("@sheet.evidence"),
        leadingTo: {
          contents?.evidencePlace(ofFinding: $0.number)
        }),
      Column("order_ids", .prose("@sheet.order-ids", 18)) {
        list($0.finding.orderIDs, shown: shownIDs)
      }.listed { $0.finding.orderIDs },
      Column("transaction_ids", .prose("@sheet.transaction-ids", 18)) {
        list($0.finding.transactionIDs, shown: shownIDs)
      }.listed { $0.finding.transactionIDs },
      Column("level", .number("@shared.level", 5...7)) { .ordinal(Int64($0.finding.code.level)) },
      Column(.text("@shared.file", 6...44)) {
        contents?.file(of: $0.finding.sources.first) ?? .blank
      },
      Column(.number("@sheet.line")) { Reporting.line(of: $0.finding.sources.first) },
    ]
    return traces.map(\.grouped)
  }
}

// Each finding has both: they are made once.
private let parts = List<StorefrontMoney>([
  Column("storefront") { .text(ifAny: $0.storefront?.code) },
  Column("currency") { .text($0.amount.currency.code) },
  Column("amount") { .money($0.amount) },
])

private let sources = List<Source>([
  Column("file") { .text($0.file) }, Column("line") { .integer(Int64($0.line)) },
])

extension StorefrontMoney {
  /// A storefront and its amount, as rows of an export have them: `US 12.00 USD`.
  fileprivate var text: String {
    "\(storefront?.code ?? "??") \(amount.text) \(amount.currency)"
  }
}

extension Reconciliation {
  /// A finding's explanation after the name of its product.
  fileprivate func namingProduct(_ finding: Finding) -> Wording {
    guard let sku = finding.sku, !sku.isEmpty else { return finding.explanation }
    return "\(productNames[sku] ?? sku): \(finding.explanation)"
  }
}

/// Ids of a cell; `explain` tells all of them.
private let shownIDs = 3

extension WorkbookContents {
  /// The columns of the sheet of findings.
  var findingList: List<ListedFinding> { .findings(in: self) }

  /// The sheet of all findings, and below them what they add to the difference; nil without
  /// findings.
  func mismatchesSheet() -> Sheet? {
    let findings = reconciliation.findings
    guard !findings.isEmpty else { return nil }
    let list = findingList
    return Sheet(
      name: mismatches.name, columns: list.heads,
      rows: list.rows(count: findings.count) {
        ListedFinding(findings, at: $0)
      },
      totals: findingsInDifference(list), frozenColumns: 2,
      printedColumns: list.index("units"))
  }

  /// The cell with a source's file, by a name as short as tells it from the others; Inputs has all
  /// of it.
  func file(of source: Source?) -> Cell {
    .text(ifAny: source.map { fileNames[$0.file] ?? $0.file })
  }
}

/// The cell with a source's line; blank for files that are evidence as a whole.
func line(of source: Source?) -> Cell {
  guard let source, source.line > 0 else { return .blank }
  return .ordinal(Int64(source.line))
}
