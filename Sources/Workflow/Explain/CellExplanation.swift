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

  var figures: CellFigures { CellFigures(account: account, boundary: boundary, text: text) }

  private var text: [Wording] {
    var lines: [Wording] = []
    let (begin, end) = (account.begin, account.end)
    if !isCovered {
      lines.append(
        """
        no sales report covers \(account.day), and it is not recorded as a day without sales
        """)
    }
    let (sales, refunds) = (account.sales, account.refunds)
    lines.append(
      """
      units sold: Apple reports \(sales.reported), the ledger has \(sales.counted); \
      matched: \(sales.paired)
      """)
    if !refunds.isEmpty {
      lines.append(
        """
        units refunded: Apple reports \(refunds.reported), the ledger has \(refunds.counted); \
        matched: \(refunds.paired)
        """)
    }
    lines.append(boundaryWords(begin, end))
    if evidence.matched.hasCorrectedTimes { lines.append(correctedTimes) }
    lines += timing
    return lines
  }

  private func boundaryWords(_ begin: Instant, _ end: Instant) -> Wording {
    guard let boundary else {
      return """
        Apple's day is assumed to run from \(begin) to \(end), Pacific time: where it begins is \
        known only once the month is reconciled
        """
    }
    guard let confidence = boundary.confidence else {
      return """
        Apple's day runs from \(begin) to \(end), by the rule \(boundary.rule) (\(boundary.zone)), \
        which was configured or taken from similar storefronts
        """
    }
    return """
      Apple's day runs from \(begin) to \(end), by the rule \(boundary.rule) (\(boundary.zone)), \
      inferred from the figures with a confidence of \(percent(confidence))
      """
  }
}

extension Explainer {
  func explanation(_ storefront: Storefront, _ sku: String, _ day: Day) throws -> Explanation {
    let cell = try CellEvidence(
      self, storefront, sku, day, seeksOrders: true, seeksRefunds: true)
    // The units of all apps are compared as one, so all of them are told.
    if cell.account.sku != sku { return try explanation(storefront, cell.account.sku, day) }
    var explanation = Explanation(
      .cell, "\(storefront)/\(sku)/\(day)",
      "\(sku) in \(storefront) on Apple's report day \(day)")
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
        ? "nothing to do: no finding of the last reconciliation concerns this day"
        : """
        import the report of the day. Only if Apple answers that there were no sales, record it \
        with tieout import --no-sales DATE
        """)
    if try !ledger.hasRecordedRun(on: day) {
      explanation.notes += cell.findings.filter { !Self.moves.contains($0.code) }.map(\.explanation)
    }
    return explanation
  }

  /// What may be behind the day's difference: the one that was recorded, else that of its rows.
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

  /// Receipts that Apple refused about the day, for whatever they were.
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
        "1 receipt of that day was not validated by Apple; its product is not known: \(places)"
      ) {
        """
        \($0) receipts of that day were not validated by Apple; their products are not known: \
        \(places)
        """
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
