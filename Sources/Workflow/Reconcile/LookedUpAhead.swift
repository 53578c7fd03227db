import Billing
import Ledger
import Matching

/// What a period's first table leaves open is mostly open in the next one too, so it is looked up
/// while that is made. What the next one asks for beyond it is looked up then, and what it does not
/// ask for is left out: it gets what it would get without.
struct LookedUpAhead: Sendable {
  /// What is to be looked up; nil where that is done, or nothing was asked for.
  private var asked: Asked?
  private var orders: [OrderDetail] = []
  private var transactions: [TransactionDetail] = []
  /// Chains that were asked for, ascending, and what came before in them.
  private var originals: [IDKey] = []
  private var links: [ChainLink] = []
  /// What the facts tell of next renewals, in its order.
  private(set) var renewals: RenewalObservations?

  private struct Asked {
    var orders: [OrderRow.ID]
    var transactions: [TransactionRow.ID]
    var originals: [IDKey]
  }

  static let nothing = LookedUpAhead()

  private init() {}

  /// Notes the rows whose details and the chains whose earlier renewals a table will ask for,
  /// without looking them up yet.
  init(asking table: MatchTable, _ context: MatchingContext) {
    let rows = table.rowsNeedingDetail()
    asked = Asked(
      orders: rows.orders, transactions: rows.transactions,
      originals: table.chainsBegunEarlier(context))
  }

  /// Looks up in the ledger the details and renewals that `init(asking:_:)` noted, and returns a
  /// value that has them; returns this value where nothing was noted.
  func lookedUp(
    _ ledger: Ledger, _ facts: MonthFacts, _ context: MatchingContext
  ) throws -> LookedUpAhead {
    guard let asked else { return self }
    var found = LookedUpAhead()
    found.orders = try ledger.orderDetails(
      split(asked.orders, facts.unnamedOrderDetails, \.row).unknown)
    found.transactions = try ledger.transactionDetails(asked.transactions)
    found.originals = asked.originals
    found.links = try earlierLinks(asked.originals, ledger, context)
    found.renewals = RenewalObservations(facts)
    return found
  }

  /// Details of the rows that a table asks for, looked up where neither `known` nor this value has
  /// them.
  ///
  /// - Parameter known: details of orders, ascending by row.
  func matchDetails(
    _ ledger: Ledger, _ table: MatchTable, known: [OrderDetail]
  ) throws -> MatchDetails {
    let rows = table.rowsNeedingDetail()
    let ours = split(split(rows.orders, known, \.row).unknown, orders, \.row)
    let theirs = split(rows.transactions, transactions, \.row)
    return MatchDetails(
      orders: merged([known, ours.known, try ledger.orderDetails(ours.unknown)]) {
        $0.row < $1.row
      },
      transactions: merged([theirs.known, try ledger.transactionDetails(theirs.unknown)]) {
        $0.row < $1.row
      })
  }

  /// The earlier transactions of a table's chains of renewals that began before the period and go
  /// on in it; looked up in the ledger as far as this value does not have them.
  func chainHistory(
    _ ledger: Ledger, _ table: MatchTable, _ context: MatchingContext
  ) throws -> ChainHistory {
    let asked = table.chainsBegunEarlier(context)
    let known = asked == originals ? links : links.filter { asked.containsAscending($0.original) }
    let unknown = asked.filter { !originals.containsAscending($0) }
    let more = try earlierLinks(unknown, ledger, context)
    return ChainHistory(more.isEmpty ? known : known + more)
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

/// One ascending list of several that ascend.
private func merged<Detail>(
  _ lists: [[Detail]], _ precedes: (Detail, Detail) -> Bool
) -> [Detail] {
  var all: [Detail] = []
  all.reserveCapacity(lists.reduce(0) { $0 + $1.count })
  for list in lists { all.merge(list, precedes) }
  return all
}

/// Divides rows into those that have a detail in `details`, which is returned, and the others; both
/// lists ascend by row.
private func split<Table, Detail>(
  _ rows: [RowID<Table>], _ details: [Detail], _ rowOf: (Detail) -> RowID<Table>
) -> (known: [Detail], unknown: [RowID<Table>]) {
  if details.isEmpty { return ([], rows) }
  var known: [Detail] = []
  var unknown: [RowID<Table>] = []
  known.reserveCapacity(rows.count)
  var next = 0
  for row in rows {
    while next < details.count, rowOf(details[next]) < row { next += 1 }
    if next < details.count, rowOf(details[next]) == row {
      known.append(details[next])
    } else {
      unknown.append(row)
    }
  }
  return (known, unknown)
}

extension [IDKey] {
  /// Whether the key is one of these, by binary search.
  ///
  /// - Precondition: they ascend.
  fileprivate func containsAscending(_ key: IDKey) -> Bool {
    let index = partitioningIndex { $0 >= key }
    return index < count && self[index] == key
  }
}
