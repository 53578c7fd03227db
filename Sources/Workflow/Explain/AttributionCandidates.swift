import Billing
import Ledger
import Matching

extension Explainer {
  /// What may be behind a difference of units, the likeliest first, with ids and reasons.
  func attribution(
    _ code: FindingCode, _ difference: Attribution.Difference, _ cell: CellEvidence
  ) throws -> AttributionSection? {
    guard difference.units > 0, let opposite = code.opposite else { return nil }
    let beside = try daysBeside(cell.account, where: opposite)
    let candidates: [Attribution.Candidate] =
      switch code {
      case .notInLedger: try uncountedSales(cell, beside)
      case .notInReport: countedSales(cell, beside)
      case .refundNotInLedger: uncountedRefunds(cell, beside)
      default: countedRefunds(cell, beside)
      }
    return cell.explanation(Attribution(of: difference, among: candidates))
  }

  /// The days beside that a unit near the boundary may be of as well: those on which the last
  /// reconciliation found `opposite`, and those of which it cannot know. Where a day beside ties
  /// out, that a unit is near it says nothing.
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

  /// Apple has more: orders without a transaction, and transactions that were not counted there.
  private func uncountedSales(
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

  /// The ledger has more: its transactions of the day.
  private func countedSales(
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

  /// Apple has more refunds: orders that say refunded, and revocations of the days beside.
  private func uncountedRefunds(
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

  /// The ledger has more refunds: its revocations of the day.
  private func countedRefunds(
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

  private func withoutOrder(_ unit: CellAccount.Unit, _ matched: MatchedRows) -> [Attribution
    .Reason]
  {
    matched.table.owner(of: unit.transaction) == nil
      && matched.table.chains.role(of: unit.transaction) == .original
      ? [.withoutOrder] : []
  }

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
  /// The attribution with ids, and what its sets come to.
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

  private func words(_ attribution: Attribution) -> Wording {
    let difference = attribution.difference
    let units = counted(difference.units, "@explain.unit") { "@explain.all-units \($0)" }
    let amount = spoken(difference.amount, difference.currency)
    let whole: Wording = difference.amount == nil ? units : "\(units) (\(amount))"
    if attribution.candidates.isEmpty {
      return "@explain.nothing-in-the-ledger-is \(whole)"
    }
    let (likely, all) = (attribution.likely, attribution.combinations)
    if all.isCut {
      return "@explain.there-are-too-many-candidates \(whole)"
    }
    switch likely.count {
    case 1: return "@explain.exactly-one-combination \(whole)"
    case 2...:
      let count = grouped(likely.count)
      return likely.count >= Combinations.countLimit
        ? "@explain.more-than-combinations \(count) \(whole)"
        : "@explain.combinations-of-the-candidates-account \(count) \(whole)"
    default: break
    }
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
  /// The difference that is left on the other day of a unit that was taken to a day beside; nil
  /// of codes whose units are not attributed.
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
  /// The day beyond the boundary that a moment is nearest to.
  fileprivate func dayBeside(_ moment: Instant) -> Day {
    let isEarly = moment.seconds - begin.seconds < end.seconds - moment.seconds
    return day.advanced(by: isEarly ? -1 : 1)
  }
}

extension MatchedRows {
  /// The status with which Apple refused a receipt of the order, or of its user; nil for none.
  fileprivate func refusal(of order: Int, among refused: [RefusedReceipt]) -> Int32? {
    let key = table.orders[order].key
    if let own = refused.first(where: { !$0.order.isNone && $0.order == key }) { return own.status }
    let user = user(ofOrder: order)
    guard !user.isNone else { return nil }
    return refused.first { $0.order.isNone && $0.user == user }?.status
  }

  /// Whether nobody but the company tells of a transaction.
  fileprivate func isCompanysOnly(_ transaction: Int) -> Bool {
    table.terms(ofTransaction: transaction).factSource == .company
  }
}
