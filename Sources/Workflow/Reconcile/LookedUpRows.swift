import Billing
import Ledger
import Matching

extension MatchTable {
  /// Details of the rows that need them, looked up where `known` does not have them.
  ///
  /// - Parameter known: details of orders, ascending by row.
  func details(_ ledger: Ledger, known: [OrderDetail]) throws -> MatchDetails {
    let rows = rowsNeedingDetail()
    var next = 0
    let unknown = rows.orders.filter { row in
      while next < known.count, known[next].row < row { next += 1 }
      return next == known.count || known[next].row != row
    }
    var orders = known
    orders.merge(try ledger.orderDetails(unknown)) { $0.row < $1.row }
    return MatchDetails(
      orders: orders, transactions: try ledger.transactionDetails(rows.transactions))
  }

  /// The earlier transactions of the table's chains of renewals that began before the period and go
  /// on in it.
  func history(_ ledger: Ledger, _ context: MatchingContext) throws -> ChainHistory {
    ChainHistory(try earlierLinks(chainsBegunEarlier(context), ledger, context))
  }
}

extension RenewalObservations {
  /// What the facts tell of next renewals.
  init(_ facts: MonthFacts) {
    self.init(facts.renewals, terms: facts.renewalTerms, instalments: facts.instalments)
  }
}

/// The transactions before the period's purchases in chains that begin with these ids: most had
/// their last renewal in the weeks before the period, the others are looked for in all that is
/// older.
private func earlierLinks(
  _ originals: [IDKey], _ ledger: Ledger, _ context: MatchingContext
) throws -> [ChainLink] {
  if originals.isEmpty { return [] }
  let window = purchaseWindow(context.period)
  let recent =
    Instant(
      seconds: window.lowerBound.seconds - Int64(Rules.recentRenewals) * 86_400)...window.lowerBound
  let older = Instant(seconds: 0)...Instant(seconds: recent.lowerBound.seconds - 1)
  /// The transactions of these chains that were bought in a span of time, without those of the
  /// period's own purchases (in `window`).
  func links(_ originals: [IDKey], _ purchased: ClosedRange<Instant>) throws -> [ChainLink] {
    try ledger.chainTransactions(originals, purchased: purchased, outside: window) {
      ChainLink(
        row: $0.row, terms: $0.terms, original: $1.original.isNone ? $0.key : $1.original,
        webOrderLineItem: $1.webOrderLineItem, user: $1.user, purchasedAt: $0.purchasedAt,
        expiresAt: $1.expiresAt, revokedAt: $0.revokedAt)
    }
  }
  var found = try links(originals, recent)
  let missing = ChainHistory.unknown(among: originals, in: found)
  if !missing.isEmpty { found += try links(missing, older) }
  return found
}
