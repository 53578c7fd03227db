import Billing
import Ledger
import Matching

extension Explainer {
  /// Explains a recorded finding: what it costs, how sure it is, what happened to its rows, what
  /// may be behind it, and what to do.
  func explanation(finding recorded: RecordedFinding) throws -> Explanation {
    let finding = shown([recorded.finding])[0]
    var explanation = Explanation(.finding, finding.id, headline(finding, recorded.period))
    explanation.finding = finding
    let orders = try rows(ofOrders: finding.orderIDs.prefix(Self.eventLimit).map(\.self))
    let transactions = try rows(
      ofTransactions: finding.transactionIDs.prefix(Self.eventLimit).map(\.self))
    let boundary = try finding.storefront.flatMap { storefront in
      try finding.date.flatMap { try self.boundary(of: storefront, on: $0) }
    }
    explanation.certainty = finding.code.certainty(boundary)
    var atStake: Money?
    if !orders.isEmpty || !transactions.isEmpty {
      atStake = try addRows(&explanation, of: finding, orders, transactions)
    }
    try addRelated(&explanation, finding)
    explanation.cost = try cost(
      of: finding, atStake: atStake, in: recorded.period, beside: explanation.related)
    try addCell(&explanation, finding)
    try addEvidence(&explanation, finding)
    explanation.next =
      [try outdated(recorded.period), finding.action].compactMap(\.self)
      + steps(after: finding, recorded.period)
    return explanation
  }

  /// The sentence that names the finding with its period, code, severity, storefront, day and SKU.
  private func headline(_ finding: Finding, _ period: Period) -> Wording {
    let place = [
      finding.storefront?.code, finding.currency?.code, finding.date?.description, finding.sku,
    ].compactMap(\.self).joined(separator: " ")
    if place.isEmpty {
      return """
        @explain.finding-without-place \(finding.id) \(period) \(finding.code.rawValue) \
        \(finding.severity.wording)
        """
    }
    return """
      @explain.finding \(finding.id) \(period) \(finding.code.rawValue) \
      \(finding.severity.wording) \(place)
      """
  }

  /// Adds what happened to the finding's orders and transactions and how they were matched.
  ///
  /// - Returns: the price of what they are about; nil where it is not known, and of findings beyond
  ///   level 1.
  private func addRows(
    _ explanation: inout Explanation, of finding: Finding, _ orders: [OrderRow.ID],
    _ transactions: [TransactionRow.ID]
  ) throws -> Money? {
    let evidence = try MatchEvidence(
      self, orders: orders, transactions: transactions, widens: finding.code.level == 1)
    let ours = Set(orders.compactMap { evidence.matched.order(row: $0) }).sorted()
    let theirs = Set(transactions.compactMap { evidence.matched.transaction(row: $0) }).sorted()
    let untold =
      finding.orderIDs.count + finding.transactionIDs.count - ours.count - theirs.count
    try tell(&explanation, evidence, orders: ours, transactions: theirs)
    explanation.untold = max(untold, 0)
    if finding.code.level == 1 {
      explanation.decisions =
        theirs.map { evidence.decision(transaction: $0) }
        + ours.filter { evidence.matched.transactions(of: $0).isEmpty && theirs.isEmpty }
        .map { evidence.decision(order: $0) }
    }
    if finding.code.isAboutPair, let pair = theirs.first,
      let rule = evidence.table.owner(of: pair)?.rule
    {
      explanation.certainty = Certainty(
        rule, evidence.table.terms(ofTransaction: pair).factSource)
    }
    let sold =
      theirs.first.map { evidence.matched.sold(transaction: $0) }
      ?? ours.first.map { evidence.matched.sold(order: $0) }
    guard let sold, finding.code.level == 1 else { return nil }
    let at = theirs.first.map(evidence.purchasedAt) ?? evidence.placedAt(ours[0])
    if let storefront = sold.storefront,
      let check = priceCheck(sold, on: try reportDay(of: at, in: storefront).0)
    {
      explanation.prices = [check]
    }
    return sold.gross.flatMap { gross in sold.currency.map { Money(micros: gross, $0) } }
  }

  /// What the finding costs, in base currency at the last rate on or before the period's end.
  ///
  /// - Parameters:
  ///   - atStake: the price of what the finding's rows are about, where it is known.
  ///   - related: findings about the same rows, of which one may have the amount.
  private func cost(
    of finding: Finding, atStake: Money?, in period: Period, beside related: [Finding]
  ) throws -> Cost {
    guard let amount = finding.money else {
      if let code = finding.code.counterpart, let other = related.first(where: { $0.code == code }),
        other.amount != nil
      {
        return Cost(
          isAtStake: false,
          text: "@explain.counted-once-in-finding-both \(other.id) \(code.rawValue)")
      }
      if let currency = finding.parts.first?.amount.currency {
        let parts = try finding.parts.map { try self.base($0.amount, on: period.last)?.0 }
        let known = parts.compactMap(\.self)
        let base = known.first.map { known.sum(in: $0.currency, \.self) }
        // Of several currencies the sum is said in base currency only.
        let isOfOne = finding.parts.allSatisfy { $0.amount.currency == currency }
        let sum = isOfOne ? finding.parts.sum(in: currency, \.amount) : nil
        let isKnown = known.count == parts.count
        let meaning = finding.code.meaningOfAmount
        let noRate: Wording = "@shared.no-rate"
        return Cost(
          amount: sum, base: isKnown ? base : nil, isAtStake: false,
          text: isKnown || isOfOne ? meaning : "\(noRate): \(meaning)")
      }
      let isAtStake = finding.code.putsPriceAtStake
      // The price of one of several says nothing of all.
      let stake =
        isAtStake && finding.transactionIDs.count < 2
        ? atStake : finding.code.isPricedByApple ? finding.currency.map { .zero($0) } : nil
      let base = try stake.flatMap { try self.base($0, on: period.last) }
      return Cost(
        amount: stake, base: base?.0, rate: base?.rate, isAtStake: isAtStake,
        text: finding.code.meaningOfNoAmount)
    }
    let base = try self.base(amount, on: period.last)
    return Cost(
      amount: amount, base: base?.0, rate: base?.rate, isAtStake: false,
      text: finding.code.meaningOfAmount)
  }

  /// Adds Apple's and the ledger's units of the finding's product, storefront and day, and what may
  /// be behind their difference; nothing for findings that are not about units.
  private func addCell(_ explanation: inout Explanation, _ finding: Finding) throws {
    guard Self.attributed.contains(finding.code) || Self.moves.contains(finding.code),
      let storefront = finding.storefront, let sku = finding.sku, let day = finding.date
    else { return }
    let cell = try CellEvidence(
      self, storefront, sku, day, seeksOrders: finding.code == .notInLedger,
      seeksRefunds: finding.code == .refundNotInLedger)
    explanation.cell = cell.figures
    if finding.code == .notInLedger { explanation.notes += try refusals(cell) }
    explanation.attribution = try attribution(finding.code, finding.difference, cell)
  }

  /// Adds the finding's rows of Apple's files, and files as a whole, beside its orders and
  /// transactions.
  private func addEvidence(_ explanation: inout Explanation, _ finding: Finding) throws {
    let shownSources = Set(explanation.evidence.map(\.source))
    let further = finding.sources.filter { !shownSources.contains($0) }
    let ofRows = explanation.untold > 0 || explanation.furtherEvidence > 0
    var shown = 0
    var files: [LedgerFile]?
    for source in further.reversed() where shown < Self.evidenceLimit {
      var rows: [FactRow] = []
      if source.line == 0 {
        if files == nil { files = try ledger.files() }
        rows = files!.filter { $0.input.file == source.file }.map { FactRow($0) }
      } else {
        rows = try appleRows(at: source)
        rows = Array(rows.filter { finding.isAbout($0) }.prefix(Self.evidenceLimit - shown))
      }
      explanation.evidence += rows
      shown += rows.isEmpty ? 0 : 1
    }
    explanation.evidence.sort { $0.isOrderedBefore($1) }
    if !ofRows { explanation.furtherEvidence += max(further.count - shown, 0) }
  }

  /// The rows on a line of one of Apple's files, of whichever table has any.
  private func appleRows(at source: Source) throws -> [FactRow] {
    /// The rows of a table at the source; nil where it has none there.
    func rows<Table>(_ table: FactRowTable<Table>) throws -> [FactRow]? {
      let found = try ledger.rows(at: source, of: table)
      return found.isEmpty ? nil : try factRows(found, of: table)
    }
    return try rows(.sales) ?? rows(.finance) ?? rows(.payments) ?? rows(.payouts)
      ?? rows(.messages) ?? []
  }

  /// Adds other recorded findings about the same orders and transactions. For a finding of level 2,
  /// also those about its product on the day before and after, and in other storefronts on its day.
  private func addRelated(_ explanation: inout Explanation, _ finding: Finding) throws {
    var related = try ledger.findings(
      touchingOrders: finding.orderIDs, transactions: finding.transactionIDs
    ).map(\.finding)
    if finding.code.level == 2, let sku = finding.sku, let day = finding.date {
      // Units that are too many on one day, or in one storefront, are often missing on the next.
      let beside = day.advanced(by: -1)...day.advanced(by: 1)
      related += try ledger.recordedFindings(of: sku, in: finding.storefront, beside).map(\.finding)
      related += try ledger.recordedFindings(of: sku, in: nil, day...day).map(\.finding)
        .filter { Self.attributed.contains($0.code) }
    }
    var seen: Set<String> = [finding.id]
    related = related.filter { seen.insert($0.id).inserted }
    explanation.related = shown(Array(related.prefix(Self.shownLimit)))
    explanation.furtherRelated = related.count - explanation.related.count
  }

  /// The commands to run after reading a finding's explanation.
  private func steps(after finding: Finding, _ period: Period) -> [Wording] {
    var steps: [Wording] = []
    if let day = finding.date, finding.code == .reportMissing {
      steps.append("@explain.fetch-the-report-tieout-fetch \(day) \(day)")
    }
    if let storefront = finding.storefront, let sku = finding.sku, let day = finding.date,
      finding.code.level == 2
    {
      steps.append("@explain.see-the-whole-day-tieout \(storefront) \(sku) \(day)")
    }
    // Of several orders of one payment the first has it.
    let isReused = finding.code == .transactionReused
    let order = isReused ? finding.orderIDs.last : finding.orderIDs.first
    if let order, finding.code.level == 1 {
      steps.append("@explain.see-the-order-tieout-explain \(order)")
    } else if let transaction = finding.transactionIDs.first, finding.code.level == 1 {
      steps.append("@explain.see-the-transaction-tieout-explain \(transaction)")
    }
    steps.append("@explain.once-it-is-resolved-reconcile \(period)")
    return steps
  }

  /// The rows of orders with these ids, ascending.
  func rows(ofOrders ids: [String]) throws -> [OrderRow.ID] {
    let found = try ledger.orders(
      keys: ids.map { IDKey($0) }, claiming: [], outside: RelatedRows.never
    ).map(\.row)
    return try ledger.resolveOrders(found).filter { ids.contains($0.id) }.map(\.row)
  }

  /// The rows of transactions with these ids, ascending.
  func rows(ofTransactions ids: [String]) throws -> [TransactionRow.ID] {
    let found = try ledger.transactions(
      keys: ids.map { IDKey($0) }, claiming: [], outside: RelatedRows.never
    ).map(\.row)
    return try ledger.resolveTransactions(found).filter { ids.contains($0.id) }.map(\.row)
  }
}

extension FindingCode {
  /// Whether the units are Apple's, whose rows always have a price: without an amount it is zero.
  fileprivate var isPricedByApple: Bool { self == .notInLedger || self == .refundNotInLedger }

  /// Whether the price of what was delivered is at stake where no amount differs.
  fileprivate var putsPriceAtStake: Bool {
    switch self {
    case .sandboxFulfilled, .bundleMismatch, .familySharedFulfilled: true
    default: false
    }
  }
}

extension Finding {
  /// The units and the amount that candidates are to account for, both positive.
  var difference: Attribution.Difference {
    Attribution.Difference(
      units: abs(units ?? 0), amount: amount.map(abs), currency: currency)
  }

  /// Whether a row of Apple's has the finding's SKU and storefront, as far as both name them: a
  /// line may hold a whole file.
  fileprivate func isAbout(_ row: FactRow) -> Bool {
    (sku == nil || row["sku"] == nil || row["sku"] == AppProduct(sku!).sku)
      && (row["storefront"] == nil || storefront == nil || row["storefront"] == storefront?.code)
  }
}

extension FactRow {
  /// A row of evidence that stands for a file as a whole.
  fileprivate init(_ file: LedgerFile) {
    let input = file.input
    let fields: [(String, String?)] = [
      ("status", input.status.rawValue), ("rows", "\(input.rows)"),
      ("from", input.from?.description), ("to", input.to?.description),
      ("vendor", file.vendor.isEmpty ? nil : file.vendor),
      ("imported_at", file.importedAt.description), ("superseded_by", file.supersededBy),
      ("sha256", input.sha256),
    ]
    self.init(
      row: 0, kind: input.kind, source: Source(file: input.file, line: 0),
      isSuperseded: input.status == .superseded,
      fields: fields.compactMap { name, value in
        value.map { Field(name: name, value: $0) }
      })
  }

  /// The order of evidence: orders, then transactions, then Apple's rows and files; each by place.
  fileprivate func isOrderedBefore(_ other: FactRow) -> Bool {
    /// 0 for orders, 1 for transactions, 2 for Apple's rows and files.
    func rank(_ row: FactRow) -> Int {
      row.kind == .orders ? 0 : row.kind == .transactions || row.kind.isPurchases ? 1 : 2
    }
    return (rank(self), source, row) < (rank(other), other.source, other.row)
  }
}
