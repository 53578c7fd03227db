import Billing
import Ledger
import Matching

/// A product in a storefront on one of Apple's days, matched with what lies around it.
struct CellScene {
  let account: CellAccount
  let cutoff: Cutoff?
  let scene: Scene
  /// What the day's own tie-out finds.
  let drafts: [Draft]
  /// Apple's rows of the day.
  let sales: [RowID]
  let isCovered: Bool

  /// Seconds before the day beside in which the orders of its purchases may have been placed.
  private static let orderLead: Int64 = 86_400

  init(_ desk: StoryDesk, _ storefront: Storefront, _ sku: String, _ day: Day) throws {
    cutoff = try desk.cutoff(of: storefront, on: day)
    let zone = desk.zone(of: cutoff)
    let begin = zone.start(of: day.advanced(by: -1)).seconds - CellAccount.reach
    let end = zone.start(of: day.advanced(by: 2)).seconds + CellAccount.reach
    let span = Instant(seconds: begin)...Instant(seconds: end)
    var near = Neighbourhood(desk.ledger, desk.tables)
    try near.add(
      sku: sku, placed: Instant(seconds: begin - Self.orderLead)...span.upperBound, purchased: span
    ) { other, _ in other == nil || other == storefront }
    near.add(try desk.ledger.transactions(of: sku, revoked: span))
    try near.followIDs()
    var facts = near.facts
    try desk.ledger.addReports(of: sku, day.advanced(by: -1)...day.advanced(by: 1), to: &facts)
    let terms = facts.salesTerms
    facts.sales = facts.sales.filter { terms[Int($0.terms)].storefront == storefront }
    let context = desk.context(Period(first: day, last: day), boundaries: [storefront: zone])
    let trace = ClaimTrace(facts, details: near.details, context: context)
    let tieOut = SalesTieOut(
      trace.book, reports: SalesReports(facts, context), context: context)
    account = CellAccount(tieOut, storefront: storefront, sku: sku, day: day)
    drafts = tieOut.drafts.filter { $0.storefront == storefront && $0.sku == sku && $0.day == day }
    scene = try Scene(desk, trace)
    sales = facts.sales.filter { $0.begin <= day && $0.end >= day }.map(\.row)
    isCovered = facts.coverage.contains { $0.begin <= day && $0.end >= day }
  }

  var figures: CellFigures { CellFigures(account: account, cutoff: cutoff, text: text) }

  private var text: [Wording] {
    var lines: [Wording] = []
    let (begin, end) = (account.begin, account.end)
    if !isCovered {
      lines.append("no sales report covers \(account.day), and no day without sales is recorded")
    }
    let (sales, refunds) = (account.sales, account.refunds)
    lines.append(
      """
      Apple reports \(sales.reported) sold units, the ledger has \(sales.counted); \
      \(sales.paired) pair up
      """)
    if !refunds.isEmpty {
      lines.append(
        """
        Apple reports \(refunds.reported) refunded units, the ledger has \(refunds.counted); \
        \(refunds.paired) pair up
        """)
    }
    lines.append(boundary(begin, end))
    lines += drafts.filter { $0.code == .timing }.map(\.explanation)
    return lines
  }

  private func boundary(_ begin: Instant, _ end: Instant) -> Wording {
    guard let cutoff else {
      return """
        Apple's day is taken to run from \(begin) to \(end), Pacific time: where it begins is not \
        known before the month is reconciled
        """
    }
    guard let confidence = cutoff.confidence else {
      return """
        Apple's day runs from \(begin) to \(end), by the rule \(cutoff.rule) (\(cutoff.zone)), \
        which was configured or taken from like storefronts
        """
    }
    let percent = decimalText(micros: confidence * 100)
    return """
      Apple's day runs from \(begin) to \(end), by the rule \(cutoff.rule) (\(cutoff.zone)), found \
      from the figures with a confidence of \(percent) %
      """
  }
}

extension StoryDesk {
  func story(_ storefront: Storefront, _ sku: String, _ day: Day) throws -> Explanation {
    let cell = try CellScene(self, storefront, sku, day)
    var story = Explanation(
      .cell, "\(storefront)/\(sku)/\(day)",
      "\(sku) in \(storefront) on Apple's report day \(day)")
    story.cell = cell.figures
    let (shown, all) = (cell.sales.prefix(Self.evidenceLimit), cell.sales)
    story.evidence = try ledger.factRows(Array(shown), of: .sales)
    story.furtherEvidence = all.count - shown.count
    story.prices = cell.account.sales.levels.prefix(Self.shownLimit).compactMap { level in
      priceCheck(
        SoldTerms(
          storefront: storefront, currency: level.currency, unitPrice: level.price, quantity: 1,
          sku: sku), on: day)
    }
    story.related = try ledger.recordedFindings(of: sku, in: storefront, day...day).map(\.finding)
    if let code = Self.attributed.first(where: { code in cell.drafts.contains { $0.code == code } }),
      let draft = cell.drafts.first(where: { $0.code == code })
    {
      story.attribution = try attribution(
        code, Attribution.Difference(
          units: abs(draft.units ?? 0), amount: draft.amount.map(abs), currency: draft.currency),
        cell)
    }
    story.notes += try refusals(cell)
    var seen: Set<Wording> = []
    story.next = story.related.map(\.action).filter { seen.insert($0).inserted }
    if try !ledger.hasRecordedRun(on: day) {
      story.notes.append(unrecorded(day))
      story.notes += cell.drafts.filter { $0.code != .timing }.map(\.explanation)
      story.next.append(
        """
        reconcile the month, tieout reconcile --period \(period(of: day)), to have its findings \
        beside this
        """)
    } else if story.related.isEmpty {
      story.next.append("nothing: no finding of the last reconciliation is about this day")
    }
    return story
  }

  /// Receipts that Apple refused about the day, for whatever they were.
  func refusals(_ cell: CellScene) throws -> [Wording] {
    let account = cell.account
    let refused = try ledger.refusedReceipts(account.begin...account.end)
      .filter { $0.toldAt != nil }
    guard !refused.isEmpty else { return [] }
    let places = refused.prefix(5).map { "\($0.source.place) (\($0.status))" }
      .joined(separator: ", ")
    return [
      """
      Apple refused \(refused.count) receipts on the day, for whatever product; with their status: \
      \(places)
      """
    ]
  }

  /// Codes whose difference of units is attributed.
  static let attributed: [FindingCode] = [
    .notInLedger, .notInReport, .refundNotInLedger, .refundNotInReport,
  ]
}
