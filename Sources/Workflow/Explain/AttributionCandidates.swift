import Billing
import Ledger
import Matching

extension Explainer {
  /// The orders and transactions that may account for a difference of units, the likeliest first,
  /// with ids and reasons; nil where no units differ, or findings of this code are not about units
  /// that only Apple or only the ledger has.
  ///
  /// - Parameters:
  ///   - code: of the finding that states the difference.
  ///   - cell: the rows of its product, storefront and day.
  func attribution(
    _ code: FindingCode, _ difference: Attribution.Difference, _ cell: CellEvidence
  ) throws -> AttributionSection? {
    guard difference.units > 0, let opposite = code.opposite else { return nil }
    let beside = try daysBeside(cell.account, where: opposite)
    let candidates: [Attribution.Candidate] =
      switch code {
      case .notInLedger: try salesBeyondLedger(cell, beside)
      case .notInReport: salesOfLedger(cell, beside)
      case .refundNotInLedger: refundsBeyondLedger(cell, beside)
      default: refundsOfLedger(cell, beside)
      }
    return cell.explanation(Attribution(of: difference, among: candidates))
  }

  /// Those of the day before and the day after to which a unit near the boundary may belong: days
  /// on which the last reconciliation found `opposite`, and days that it could not look at. That a
  /// unit is near a day which ties out says nothing.
  private func daysBeside(_ account: CellAccount, where opposite: FindingCode) throws -> Set<Day> {
    let days = [account.day.advanced(by: -1), account.day.advanced(by: 1)]
    return try Set(
      days.filter { day in
        guard try ledger.hasRecordedRun(on: day) else { return true }
        let missing = try ledger.recordedFindings(period(of: day), code: .reportMissing) ?? []
        return try missing.contains { $0.date == day }
          || ledger.recordedFindings(of: account.sku, in: account.storefront, day...day)
            .contains { $0.finding.code == opposite || Self.moves.contains($0.finding.code) }
      })
  }

  /// Candidates where Apple has more units: orders without a transaction, transactions that do not
  /// count on the day, and units of the days beside.
  ///
  /// - Parameter beside: those of the day before and the day after to which units may belong.
  private func salesBeyondLedger(
    _ cell: CellEvidence, _ beside: Set<Day>
  ) throws -> [Attribution.Candidate] {
    let (account, matched) = (cell.account, cell.evidence.matched)
    let day =
      Instant(
        seconds: account.begin.seconds - Rules.openOrdersBesideDay)...Instant(
        seconds: account.end.seconds + Rules.openOrdersBesideDay)
    let refused = try ledger.refusedReceipts(day)
    var candidates: [Attribution.Candidate] = []
    for order in matched.table.orders.indices where matched.table.isOpen(order: order) {
      let (at, sold) = (cell.evidence.placedAt(order), matched.sold(order: order))
      guard AppProduct.mayBeSame(sold.sku, account.sku), day.contains(at),
        sold.storefront == nil || sold.storefront == account.storefront
      else { continue }
      var reasons: [Attribution.Reason] = [.openOrder(matched.table.terms(ofOrder: order).status)]
      if let status = matched.refusal(of: order, among: refused) {
        reasons.append(.refusedReceipt(status))
      }
      let outside = Attribution.distance(
        ofOrder: at.seconds, to: account.begin.seconds..<account.end.seconds)
      if outside > 0 { reasons.append(.acrossBoundary(outside)) }
      candidates.append(
        Attribution.Candidate(
          order: matched.table.orders[order].row, at: at, units: Int64(sold.quantity),
          amount: sold.gross, currency: sold.currency, reasons: reasons))
    }
    candidates += account.uncounted.map { unit, why in
      candidate(unit, [.uncounted(why)] + withoutOrder(unit, matched))
    }
    candidates += account.beside.filter { beside.contains(account.dayBeside($0.moment)) }.map {
      candidate($0, [.acrossBoundary(account.distance(of: $0.moment))])
    }
    return candidates
  }

  /// Candidates where the ledger has more units: its transactions of the day.
  ///
  /// - Parameter beside: those of the day before and the day after to which units may belong.
  private func salesOfLedger(
    _ cell: CellEvidence, _ beside: Set<Day>
  ) -> [Attribution.Candidate] {
    let (account, matched) = (cell.account, cell.evidence.matched)
    let units = account.sales.units
    // Where the company alone tells of everything, that it alone tells says nothing.
    let hasApple = units.contains { !matched.isCompanysOnly($0.transaction) }
    return units.map { unit in
      var reasons: [Attribution.Reason] = [.sameDay] + withoutOrder(unit, matched)
      let distance = account.distance(of: unit.moment)
      if distance <= request.settings.timingWindow,
        beside.contains(account.dayBeside(unit.moment))
      {
        reasons.append(.nearBoundary(distance))
      }
      if hasApple, matched.isCompanysOnly(unit.transaction) { reasons.append(.companyOnly) }
      if let revoked = cell.evidence.revokedAt(unit.transaction) {
        reasons.append(.revoked(revoked))
      }
      let level = account.sales.levels.first {
        $0.currency == unit.currency && $0.price == unit.price
      }
      if level?.reported == 0 { reasons.append(.otherPrice) }
      return candidate(unit, reasons)
    }
  }

  /// Candidates where Apple has more refunds: orders that say refunded, and revocations of the days
  /// beside.
  ///
  /// - Parameter beside: those of the day before and the day after to which units may belong.
  private func refundsBeyondLedger(
    _ cell: CellEvidence, _ beside: Set<Day>
  ) -> [Attribution.Candidate] {
    let (account, matched) = (cell.account, cell.evidence.matched)
    var candidates = account.refundsBeside.filter {
      beside.contains(account.dayBeside($0.moment))
    }.map {
      candidate($0, [.acrossBoundary(account.distance(of: $0.moment))])
    }
    for transaction in matched.table.transactions.indices {
      guard let (order, _) = matched.table.owner(of: transaction),
        matched.table.terms(ofOrder: order).status == .refunded,
        cell.evidence.revokedAt(transaction) == nil, matched.unbillable(transaction) == nil
      else { continue }
      let (at, sold) = (
        cell.evidence.purchasedAt(transaction), matched.sold(transaction: transaction)
      )
      guard AppProduct.mayBeSame(sold.sku, account.sku), sold.storefront == account.storefront,
        at < account.end
      else {
        continue
      }
      candidates.append(
        Attribution.Candidate(
          order: matched.table.orders[order].row,
          transaction: matched.table.transactions[transaction].row, at: at,
          units: Int64(sold.quantity), amount: sold.gross, currency: sold.currency,
          reasons: [.refundedOrder]))
    }
    return candidates
  }

  /// Candidates where the ledger has more refunds: its revocations of the day.
  ///
  /// - Parameter beside: those of the day before and the day after to which units may belong.
  private func refundsOfLedger(
    _ cell: CellEvidence, _ beside: Set<Day>
  ) -> [Attribution.Candidate] {
    let account = cell.account
    return account.refunds.units.map { unit in
      let distance = account.distance(of: unit.moment)
      let isNear =
        distance <= request.settings.timingWindow
        && beside.contains(account.dayBeside(unit.moment))
      return candidate(unit, [.revoked(unit.moment)] + (isNear ? [.nearBoundary(distance)] : []))
    }
  }

  /// The reason that a first purchase belongs to no order; empty where it does, and for renewals
  /// and restores, which need none.
  private func withoutOrder(_ unit: CellAccount.Unit, _ matched: MatchedRows) -> [Attribution
    .Reason]
  {
    matched.table.owner(of: unit.transaction) == nil
      && matched.table.chains.role(of: unit.transaction) == .original
      ? [.withoutOrder] : []
  }

  /// A candidate that is a transaction's unit, for these reasons.
  private func candidate(
    _ unit: CellAccount.Unit, _ reasons: [Attribution.Reason]
  ) -> Attribution.Candidate {
    Attribution.Candidate(
      transaction: unit.row, at: unit.moment, units: unit.quantity,
      amount: unit.price.map { $0.multipliedExactly(by: unit.quantity) }, currency: unit.currency,
      reasons: reasons)
  }
}

// MARK: - In words

extension CellEvidence {
  /// The candidates with ids, how many sets of them account for the difference, and which are in
  /// the one that is marked.
  fileprivate func explanation(_ attribution: Attribution) -> AttributionSection {
    let (likely, all) = (attribution.likely, attribution.combinations)
    let sets = likely.count > 0 ? likely : all
    // Of many sets for which nothing speaks none is marked.
    let members = likely.count > 0 || all.count == 1 ? sets.first : []
    let shown = Set(attribution.candidates.indices.prefix(Explainer.shownLimit))
      .union(members.prefix(Explainer.shownLimit)).sorted()
    let candidates = shown.map { candidate(attribution.candidates[$0]) }
    return AttributionSection(
      difference: attribution.difference, candidates: candidates,
      furtherCandidates: attribution.candidates.count - shown.count,
      combination: members.compactMap { shown.firstIndex(of: $0) },
      combinationCount: sets.isCut || sets.count >= Combinations.countLimit ? nil : sets.count,
      text: words(attribution))
  }

  /// The candidate with the ids and the place of its order and transaction.
  private func candidate(_ found: Attribution.Candidate) -> AttributionSection.Candidate {
    let order = found.order.flatMap { evidence.matched.order(row: $0) }
    let transaction = found.transaction.flatMap { evidence.matched.transaction(row: $0) }
    let source =
      transaction.map { evidence.resolved(transaction: $0).source }
      ?? evidence.resolved(order: order!).source
    return AttributionSection.Candidate(
      order: order.map { evidence.resolved(order: $0).id },
      transaction: transaction.map { evidence.resolved(transaction: $0).id }, at: found.at,
      units: found.units,
      amount: found.amount.flatMap { amount in
        found.currency.map { Money(micros: amount, $0) }
      }, source: source, reasons: found.reasons.map(words))
  }

  /// The sentence that says whether some candidates, and how many sets of them, account for the
  /// difference.
  private func words(_ attribution: Attribution) -> Wording {
    let difference = attribution.difference
    let units = counted(difference.units, "@explain.unit") { "@explain.all-units \($0)" }
    let amount = spoken(difference.amount, difference.currency)
    let whole: Wording = difference.amount == nil ? units : "\(units) (\(amount))"
    if attribution.candidates.isEmpty {
      return "@explain.nothing-in-the-ledger-is \(whole)"
    }
    let (likely, all) = (attribution.likely, attribution.combinations)
    if likely.isCut { return "@explain.there-are-too-many-candidates \(whole)" }
    switch likely.count {
    case 1: return "@explain.exactly-one-combination \(whole)"
    case 2...:
      let count = grouped(likely.count)
      return likely.count >= Combinations.countLimit
        ? "@explain.more-than-combinations \(count) \(whole)"
        : "@explain.combinations-of-the-candidates-account \(count) \(whole)"
    default: break
    }
    if all.isCut { return "@explain.there-are-too-many-candidates \(whole)" }
    switch all.count {
    case 0: return "@explain.no-combination-of-the-candidates \(whole)"
    case 1:
      return "@explain.exactly-one-combination-of-the-day \(whole)"
    case Combinations.countLimit...:
      return "@explain.no-row-of-the-day-is \(grouped(all.count)) \(whole)"
    default:
      return "@explain.no-row-of-the-day \(grouped(all.count)) \(whole)"
    }
  }

  /// The reason as a clause.
  private func words(_ reason: Attribution.Reason) -> Wording {
    switch reason {
    case .refusedReceipt(let status): "@explain.its-receipt-was-refused \(status)"
    case .openOrder(let status): "@explain.order-is-and-no-transaction \(status.words)"
    case .uncounted(let why): "@explain.it-is-not-counted \(why.words)"
    case .acrossBoundary(let seconds):
      "@explain.it-falls-outside-apple-day \(duration(seconds))"
    case .nearBoundary(let seconds):
      "@explain.it-falls-inside-apple-day \(duration(seconds))"
    case .withoutOrder: "@explain.no-order-belongs"
    case .companyOnly: "@explain.only-the-company-own-table"
    case .revoked(let moment): "@explain.apple-revoked \(moment)"
    case .refundedOrder: "@explain.its-order-is-refunded"
    case .otherPrice: "@explain.apple-reports-none"
    case .sameDay: "@explain.it-belongs-to-that-day"
    }
  }
}

extension FindingCode {
  /// The code of the difference that is left on the other day by a unit that was taken to a day
  /// beside; nil for codes whose units are not attributed.
  fileprivate var opposite: FindingCode? {
    switch self {
    case .notInLedger: .notInReport
    case .notInReport: .notInLedger
    case .refundNotInLedger: .refundNotInReport
    case .refundNotInReport: .refundNotInLedger
    default: nil
    }
  }
}

extension CellAccount {
  /// The day before or after this one, whichever a moment is nearer to.
  fileprivate func dayBeside(_ moment: Instant) -> Day {
    let isEarly = moment.seconds - begin.seconds < end.seconds - moment.seconds
    return day.advanced(by: isEarly ? -1 : 1)
  }
}

extension MatchedRows {
  /// The status with which Apple refused a receipt of the order, or of its user; nil for none.
  ///
  /// - Parameter order: its position in the match table.
  fileprivate func refusal(of order: Int, among refused: [RefusedReceipt]) -> Int32? {
    let key = table.orders[order].key
    if let own = refused.first(where: { !$0.order.isNone && $0.order == key }) { return own.status }
    let user = user(ofOrder: order)
    guard !user.isNone else { return nil }
    return refused.first { $0.order.isNone && $0.user == user }?.status
  }

  /// Whether the company's own table alone tells of a transaction.
  ///
  /// - Parameter transaction: its position in the match table.
  fileprivate func isCompanysOnly(_ transaction: Int) -> Bool {
    table.terms(ofTransaction: transaction).factSource == .company
  }
}
