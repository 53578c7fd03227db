import Billing
import Ledger
import Matching

/// A product in a storefront on one of Apple's days, matched with what lies around it.
struct CellEvidence {
  let account: CellAccount
  let boundary: ReportDayBoundary?
  let evidence: MatchEvidence
  /// What the day's own tie-out finds.
  let findings: [UnresolvedFinding]
  /// Apple's rows of the day.
  let sales: [SalesRow.ID]
  let isCovered: Bool

  /// What the last reconciliation said of units that moved over the day's boundaries.
  let timing: [Wording]

  /// Loads and matches the product's rows around Apple's day, and ties the day out.
  ///
  /// - Parameters:
  ///   - seeksOrders: Apple may have more units than the ledger, so that orders without a
  ///     transaction matter.
  ///   - seeksRefunds: Apple may have refunded more, so that refunded orders matter.
  init(
    _ explainer: Explainer, _ storefront: Storefront, _ sku: String, _ day: Day, seeksOrders: Bool,
    seeksRefunds: Bool
  ) throws {
    boundary = try explainer.boundary(of: storefront, on: day)
    let zone = explainer.zone(of: boundary)
    let (begin, end) = (zone.start(of: day).seconds, zone.start(of: day.advanced(by: 1)).seconds)
    let clocks = try explainer.ledger.recordedClocks(on: day)
    /// The look-up of the product's rows from so many seconds before Apple's day until as many
    /// after it.
    func around(_ reach: Int64) -> SKURows {
      // As far again as a wrong clock may have told them.
      let reach = reach + clocks.reduce(0) { $0 + abs(Int64($1.seconds)) }
      return SKURows(
        sku, in: storefront, Instant(seconds: begin - reach)...Instant(seconds: end + reach))
    }
    var near = RelatedRows(explainer.ledger, explainer.tables)
    try near.add(transactions: around(Rules.besideDay)) { _, _ in true }
    try near.add(explainer.ledger.revokedTransactions(around(Rules.besideDay)))
    if seeksOrders {
      try near.add(orders: around(Rules.openOrdersBesideDay)) { _, terms in terms.isApple }
    }
    if seeksRefunds {
      var refunded = around(Rules.besideDay)
      refunded.times =
        Instant(seconds: begin - Rules.refundReach)...refunded.times.upperBound
      refunded.status = .refunded
      try near.add(orders: refunded) { _, terms in terms.isApple }
    }
    try near.followPlaces(sku, begin - Rules.besideDay...end + Rules.besideDay)
    var facts = near.facts
    // Of the days beside only the hours next to this one are here, so that nothing is compared.
    try explainer.ledger.addReports(of: sku, day...day, to: &facts)
    let terms = facts.salesTerms
    facts.sales = facts.sales.filter { terms[Int($0.terms)].storefront == storefront }
    let context = explainer.context(Period(first: day, last: day), boundaries: [storefront: zone])
    let matched = MatchedRows(
      facts, details: near.details, context: context,
      clocks: clocks)
    let tieOut = SalesTieOut(
      matched.table, reports: SalesReports(facts, context), context: context)
    account = CellAccount(tieOut, storefront: storefront, sku: sku, day: day)
    findings = tieOut.findings.filter {
      [account] in
      $0.storefront == storefront && $0.sku == account.sku && $0.day == day
    }
    evidence = try MatchEvidence(explainer, matched)
    sales = facts.sales.map(\.row)
    isCovered = !facts.coverage.isEmpty
    let days = day.advanced(by: -1)...day.advanced(by: 1)
    timing = try explainer.ledger.recordedFindings(of: sku, in: storefront, days)
      .filter { Explainer.moves.contains($0.finding.code) }.map(\.finding.explanation)
      .filter { $0.english.contains(day.description) }
  }

  /// What is shown of the day.
  var figures: CellFigures { CellFigures(account: account, boundary: boundary, text: text) }

  /// What the day came to, a line each: units sold and refunded on both sides, where Apple's day
  /// begins, and units that moved over its boundary.
  private var text: [Wording] {
    var lines: [Wording] = []
    let (begin, end) = (account.begin, account.end)
    if !isCovered {
      lines.append(
        "@explain.no-sales-report-covers \(account.day)")
    }
    let (sales, refunds) = (account.sales, account.refunds)
    lines.append(
      "@explain.units-sold-apple-reports \(sales.reported) \(sales.counted) \(sales.paired)")
    if !refunds.isEmpty {
      lines.append(
        """
        @explain.units-refunded-apple-reports \(refunds.reported) \(refunds.counted) \
        \(refunds.paired)
        """)
    }
    lines.append(boundaryWords(begin, end))
    if evidence.matched.hasCorrectedTimes { lines.append(correctedTimes) }
    lines += timing
    return lines
  }

  /// The line that says from when until when Apple's day runs, and how that is known.
  private func boundaryWords(_ begin: Instant, _ end: Instant) -> Wording {
    guard let boundary else {
      return "@explain.apple-day-is-assumed \(begin) \(end)"
    }
    guard let confidence = boundary.confidence else {
      return "@explain.apple-day-runs-from-to-by \(begin) \(end) \(boundary.rule) \(boundary.zone)"
    }
    guard confidence >= 10_000 else {
      return "@explain.apple-day-runs-unproven \(begin) \(end) \(boundary.rule) \(boundary.zone)"
    }
    return """
      @explain.apple-day-runs \(begin) \(end) \(boundary.rule) \(boundary.zone) \
      \(percent(confidence))
      """
  }
}

extension Explainer {
  /// Explains a product in a storefront on one of Apple's report days: both sides' units, prices,
  /// findings, and what may be behind a difference.
  func explanation(_ storefront: Storefront, _ sku: String, _ day: Day) throws -> Explanation {
    let cell = try CellEvidence(
      self, storefront, sku, day, seeksOrders: true, seeksRefunds: true)
    // The units of all apps are compared as one, so all of them are told.
    if cell.account.sku != sku { return try explanation(storefront, cell.account.sku, day) }
    var explanation = Explanation(
      .cell, "\(storefront)/\(sku)/\(day)",
      "@explain.in-on-apple-report-day \(sku) \(storefront) \(day)")
    explanation.cell = cell.figures
    let (shown, all) = (cell.sales.prefix(Self.evidenceLimit), cell.sales)
    explanation.evidence = try factRows(Array(shown), of: .sales)
    explanation.furtherEvidence = all.count - shown.count
    explanation.prices = cell.account.sales.levels.prefix(Self.shownLimit).compactMap { level in
      priceCheck(
        SoldTerms(
          storefront: storefront, currency: level.currency, unitPrice: level.price, quantity: 1,
          sku: sku), on: day)
    }
    explanation.related = try self.shown(
      ledger.recordedFindings(of: sku, in: storefront, day...day).map(\.finding))
    explanation.attribution = try attribution(of: cell, explanation.related)
    explanation.notes += try refusals(cell)
    try addNext(
      &explanation, after: explanation.related, on: day,
      cell.isCovered
        ? "@explain.nothing-to-do-no-finding-of-the-last"
        : "@explain.import-the-report-of-the-day")
    if try !ledger.hasRecordedRun(on: day) {
      explanation.notes += cell.findings.filter { !Self.moves.contains($0.code) }.map(\.explanation)
    }
    return explanation
  }

  /// The orders and transactions that may account for the day's difference of units; nil without a
  /// difference.
  ///
  /// The difference is that of the recorded findings; where the day was never reconciled, that of
  /// the cell's own rows.
  ///
  /// - Parameter recorded: the findings of the last reconciliation about this cell.
  private func attribution(of cell: CellEvidence, _ recorded: [Finding]) throws
    -> AttributionSection?
  {
    if let finding = recorded.first(where: { Self.attributed.contains($0.code) }) {
      return try attribution(finding.code, finding.difference, cell)
    }
    guard try !ledger.hasRecordedRun(on: cell.account.day),
      let finding = cell.findings.first(where: { Self.attributed.contains($0.code) })
    else { return nil }
    let difference = Attribution.Difference(
      units: abs(finding.units ?? 0), amount: finding.amount.map(abs), currency: finding.currency)
    return try attribution(finding.code, difference, cell)
  }

  /// A line that names the receipts of the day that Apple refused, of whatever product they were;
  /// empty where it refused none.
  func refusals(_ cell: CellEvidence) throws -> [Wording] {
    let account = cell.account
    let refused = try ledger.refusedReceipts(account.begin...account.end)
      .filter { $0.observedAt != nil }
    guard !refused.isEmpty else { return [] }
    let places = refused.prefix(5).map { "\($0.source.place) (\($0.status))" }
      .joined(separator: ", ")
    return [
      counted(
        refused.count,
        "@explain.1-receipt-of-that-day \(places)"
      ) {
        "@explain.receipts-of-that-day \($0) \(places)"
      }
    ]
  }

  /// Codes whose difference of units is attributed.
  static let attributed: [FindingCode] = [
    .notInLedger, .notInReport, .refundNotInLedger, .refundNotInReport,
  ]

  /// Codes of units that were taken to the day beside theirs.
  static let moves: [FindingCode] = [.timing, .timingUnproven]
}
