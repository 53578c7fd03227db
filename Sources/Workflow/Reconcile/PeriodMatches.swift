import Billing
import Ledger
import Matching

/// What orders and transactions of a period were matched, and what was made beside that.
struct PeriodMatches: Sendable {
  var table: MatchTable
  var details: MatchDetails
  var history: ChainHistory
  var renewals: RenewalObservations
  var taxes: [ToldTax]
  /// Until they are finished.
  var units: BillableUnits?
  /// Clocks that are off, and where some are, what was matched by their times.
  var correction: ClockCorrection
  var told: MatchTable?
  /// Units that fit no boundary, and all, where several clocks would explain that.
  var unclearUnits: (units: Int64, all: Int64)?
  /// Rows of transactions that name no user, ascending.
  var unnamed: [TransactionRow.ID] = []
  /// Rows that stand beside counts, as these tell and as they are here; nil without counts.
  var handedOver: (told: Int, found: Int)?
}

/// Matches a period's orders and transactions: by id, then, with what the rest of the ledger has
/// for rows that are left over, by inference.
///
/// - Parameters:
///   - handover: the period's facts, given up here.
///   - sales: rows of Apple's reports, by which clocks are found that are off.
///   - read: reads the period's facts again; asked for where they were given up too early.
func periodMatches(
  _ ledger: Ledger, _ handover: MovedValue<MonthFacts>, _ sales: ReadOnDemand<[SalesEntry]>,
  _ context: MatchingContext, read: () throws -> MonthFacts
) throws -> PeriodMatches {
  var facts = handover.take()
  var order = Optional(KeyOrder(facts, findsNamed: true))
  // The period's own rows tell whether clocks are off: where they are right, rows of other months
  // do not make them wrong.
  var areClocksRight = false
  var known: RowsOutside?
  var added: [MonthFacts] = []
  // A transaction that was found in another month may name an order of a third one.
  for round in 0...Rules.roundsOutsidePeriod {
    let found = try match(
      ledger, &facts, sales, &known, &order, context,
      looksOutsidePeriod: round < Rules.roundsOutsidePeriod, areClocksRight)
    if let matches = found.matches { return matches }
    if let more = found.more {
      // That is rare, and meanwhile the rows would take room.
      if areClocksRight {
        facts = try read()
        for more in added { facts.add(more) }
      }
      added.append(more)
      facts.add(more)
      known?.add(more)
    }
    areClocksRight = found.areClocksRight
    order?.add(facts)
  }
  preconditionFailure("matches are made when nothing is looked for")
}

extension PeriodMatches {
  /// The trials and introductory prices that users who took one in the period had before its
  /// purchases, ascending by row; a period without any asks the ledger for nothing.
  func earlierOffers(_ ledger: Ledger, _ context: MatchingContext) throws -> [ChainLink] {
    let users = table.usersOfOffers(details, context)
    if users.isEmpty { return [] }
    let window = purchaseWindow(context.period)
    let reach = Int64(Rules.earlierOffers) * 86_400
    let before =
      Instant(
        seconds: window.lowerBound.seconds - reach)...Instant(
        seconds: window.lowerBound.seconds - 1)
    let isOffer = table.transactionTerms.map(\.isIntroductoryOffer)
    let found = try ledger.offerTransactions(before, among: isOffer, of: users)
      .named(by: table.transactionTerms)
    // What one source of a transaction leaves out another one tells, whichever came first.
    let earlier = MatchTable(
      found, catalogue: context.catalogue, requiresSigned: context.settings.requireSigned)
    let buyers = try buyers(found, ledger, outside: window)
    let codes = Dictionary(uniqueKeysWithValues: found.transactions.map { ($0.row, $0.terms) })
    var offers: [ChainLink] = []
    for (index, entry) in earlier.transactions.enumerated()
    where earlier.orderOf[index] != .merged {
      let detail = earlier.chains.detail(of: index)
      let foundUser = [detail?.user, buyers[entry.key]].lazy.compactMap(\.self).first { !$0.isNone }
      let rows = earlier.rows(ofTransaction: index)
      guard let user = foundUser, users.contains(user),
        earlier.transactionTerms[Int(entry.terms)].isIntroductoryOffer,
        let terms = rows.lazy.compactMap({ codes[$0] }).first(where: { isOffer[Int($0)] })
      else { continue }
      let original = detail?.original ?? .none
      offers.append(
        ChainLink(
          row: entry.row, terms: terms, original: original.isNone ? entry.key : original,
          webOrderLineItem: detail?.webOrderLineItem ?? .none, user: user,
          purchasedAt: entry.purchasedAt, expiresAt: detail?.expiresAt ?? 0,
          revokedAt: entry.revokedAt, others: rows.filter { $0 != entry.row }))
    }
    return offers.sorted { $0.row < $1.row }
  }

  /// The user of each transaction of which a row tells no user, by its orders; keyed by the
  /// transaction's id.
  private func buyers(
    _ found: MonthFacts, _ ledger: Ledger, outside window: ClosedRange<Instant>
  ) throws -> [IDKey: IDKey] {
    let rowsWithUser = Set(found.chainDetails.lazy.filter { !$0.user.isNone }.map(\.row))
    let withoutUser = found.transactions.filter { !rowsWithUser.contains($0.row) }
    let orders = try ledger.orders(
      keys: withoutUser.map(\.order), claiming: withoutUser.map(\.key), outside: window)
    let users = try Dictionary(
      ledger.orderDetails(orders.map(\.row)).map { ($0.row, $0.user) }, uniquingKeysWith: { $1 })
    var (byOrder, byTransaction): ([IDKey: IDKey], [IDKey: IDKey]) = ([:], [:])
    for order in orders {
      byOrder[order.key] = users[order.row]
      if !order.transaction.isNone { byTransaction[order.transaction] = users[order.row] }
    }
    for entry in withoutUser where byTransaction[entry.key] == nil && !entry.order.isNone {
      byTransaction[entry.key] = byOrder[entry.order]
    }
    return byTransaction
  }
}

extension MonthFacts {
  /// The same facts with this dictionary of terms, into which their rows point.
  func named(by terms: [TransactionTerms]) -> MonthFacts {
    var facts = self
    facts.transactionTerms = terms
    return facts
  }
}

/// What is made beside the inferred matches.
private struct MadeBesideInference {
  var units: BillableUnits
  var history: ChainHistory
  var renewals: RenewalObservations
}

/// Makes one round of matching: by id, then by inference. Where rows of other periods belong to the
/// period's, as nearly always where there are renewals or refunds, it returns these rows as `more`
/// instead of matches, for a round that has them.
///
/// - Parameters:
///   - facts: the period's, whose rows are taken; they come back with `more` unless clocks were
///     known to be right, as hardly any further round follows then.
///   - order: the rows of `facts` by the keys of their ids, given up like these.
///   - known: the rows of other periods that `facts` has; found out where that is nil.
///   - areClocksRight: whether it is known already that no clock is off.
private func match(
  _ ledger: Ledger, _ facts: inout MonthFacts, _ sales: ReadOnDemand<[SalesEntry]>,
  _ known: inout RowsOutside?, _ order: inout KeyOrder?, _ context: MatchingContext,
  looksOutsidePeriod: Bool, _ areClocksRight: Bool
) throws -> (matches: PeriodMatches?, more: MonthFacts?, areClocksRight: Bool) {
  var present = facts
  let rest = facts.withoutRows
  // The table has them until it gives them back.
  (facts.orders, facts.transactions) = ([], [])
  if areClocksRight { facts = MonthFacts() }
  var told = MatchTable(
    taking: &present, catalogue: context.catalogue,
    requiresSigned: context.settings.requireSigned, order: &order, keepsRows: !areClocksRight)
  present = MonthFacts()
  if areClocksRight {
    let (matches, more) = try match(
      ledger, FoundClocks(rightIn: rest, told), known ?? RowsOutside(told, context), context,
      looksOutsidePeriod ? .meanwhile : nil)
    return (matches, more, true)
  }
  facts.sales = try sales.value()
  // Clocks are mostly right, and then it is known already what to look up.
  let (searched, (outside, looked)) = inTwoThreads(
    { [facts, told] in Result { try foundClocks(ledger, facts, told, context) } },
    { [known, told] in
      let outside = known ?? RowsOutside(told, context)
      let looked = Result {
        looksOutsidePeriod ? try rowsOutsidePeriod(ledger, outside, told, context) : nil
      }
      return (outside, looked)
    })
  known = outside
  let clocks = try (consume searched).get()
  let (areRight, isCorrected) = (clocks.areRight, !clocks.correction.isEmpty)
  if !isCorrected {
    if let more = try looked.get() {
      // It has the table, too, and the lists would be copied.
      _ = consume clocks
      told.giveBack(to: &facts)
      return (nil, more, areRight)
    }
    // Hardly any row is found any more.
    order = nil
  }
  var (matches, more) = try match(
    ledger, clocks, isCorrected ? RowsOutside(clocks.table, context) : outside, context,
    looksOutsidePeriod ? (isCorrected ? .first : .before) : nil)
  _ = consume clocks
  if isCorrected { matches?.told = told }
  if more != nil { told.giveBack(to: &facts) }
  return (matches, more, areRight)
}

/// Looks for clocks that are off, by the rows of Apple's reports and the files that rows are from.
///
/// - Parameter told: the matches by id, with times as they were told.
private func foundClocks(
  _ ledger: Ledger, _ facts: MonthFacts, _ told: MatchTable, _ context: MatchingContext
) throws -> FoundClocks {
  try ClockSearch.clocks(facts, told, context) {
    (
      try ledger.firstRows(of: .orders).map { RowFile(firstRow: $0.firstRow, name: $0.name) },
      try ledger.firstRows(of: .transactions).map { RowFile(firstRow: $0.firstRow, name: $0.name) }
    )
  }
}

/// When rows of other periods are looked for that the period's leftovers name.
private enum LookingOutside {
  /// It was done, and there were none.
  case before
  /// Nothing is inferred unless there are none.
  case first
  /// There are hardly any, so it does not wait.
  case meanwhile
}

/// Matches by inference the rows that no id matches, and meanwhile makes what needs only the
/// matches by id. Where rows of other periods turn out to belong to the period's, it returns these
/// as `more`, and no matches.
///
/// - Parameters:
///   - clocks: the facts with corrected times, and their matches by id.
///   - known: the rows of other periods that these facts have.
///   - looking: when rows of other periods are looked for; nil in the last round, where none are.
private func match(
  _ ledger: Ledger, _ clocks: FoundClocks, _ known: RowsOutside, _ context: MatchingContext,
  _ looking: LookingOutside?
) throws -> (matches: PeriodMatches?, more: MonthFacts?) {
  let (facts, byID) = (clocks.facts, clocks.table)
  if looking == .first, let more = try rowsOutsidePeriod(ledger, known, byID, context) {
    return (nil, more)
  }
  let (inferred, (beside, outside)) = inTwoThreads(
    {
      Result {
        let details = try byID.details(ledger, known: facts.unnamedOrderDetails)
        var table = byID
        table.matchWithoutIDs(details, context: context, clocks: clocks.correction.rules)
        table.giveUpWorkings()
        return (table, details)
      }
    },
    {
      inTwoThreads(
        {
          Result { () -> (MadeBesideInference?, MonthFacts?) in
            let history = try byID.history(ledger, context)
            if looking != nil,
              let more = try transactionsOutside(byID.restored(by: history, context), ledger, known)
            {
              return (nil, more)
            }
            let units = BillableUnits(beginning: byID, context: context)
            let renewals = RenewalObservations(facts)
            return (MadeBesideInference(units: units, history: history, renewals: renewals), nil)
          }
        },
        {
          Result {
            looking == .meanwhile ? try rowsOutsidePeriod(ledger, known, byID, context) : nil
          }
        })
    })
  if let more = try outside.get() { return (nil, more) }
  let (table, details) = try inferred.get()
  let (made, more) = try beside.get()
  guard let made else { return (nil, more) }
  let matches = PeriodMatches(
    table: table, details: details, history: made.history, renewals: made.renewals,
    taxes: facts.toldTaxes, units: made.units, correction: clocks.correction,
    unclearUnits: clocks.unclear)
  return (matches, nil)
}

/// The rows of other periods that the period's unmatched rows name, or that name these; nil where
/// `known` has all of them.
private func rowsOutsidePeriod(
  _ ledger: Ledger, _ known: RowsOutside, _ table: MatchTable, _ context: MatchingContext
) throws -> MonthFacts? {
  let keys = table.keysOutsidePeriod(context)
  if keys.isEmpty { return nil }
  let window = purchaseWindow(context.period)
  var more = MonthFacts()
  more.orders = try ledger.orders(
    keys: keys.ordersNamed, claiming: keys.transactions, outside: window
  ).filter { !known.orders.contains($0.row) }
  more.transactions = try ledger.transactions(
    keys: keys.transactionsNamed, claiming: keys.orders, outside: window
  ).filter { !known.transactions.contains($0.row) }
  if more.orders.isEmpty, more.transactions.isEmpty { return nil }
  try more.addDetails(ledger)
  return more
}

/// The transaction rows of these numbers, with their details, where the facts do not have them yet;
/// nil where they have all.
private func transactionsOutside(
  _ rows: [TransactionRow.ID], _ ledger: Ledger, _ known: RowsOutside
) throws -> MonthFacts? {
  let unknown = rows.filter { !known.transactions.contains($0) }
  if unknown.isEmpty { return nil }
  var more = MonthFacts()
  more.transactions = try ledger.transactions(rows: unknown)
  try more.addDetails(ledger)
  return more
}

/// Adds to the facts the orders of earlier sales that were refunded in the period, and what other
/// sources tell of these sales.
func addEarlierSales(to facts: inout MonthFacts, _ ledger: Ledger, _ period: Period) throws {
  let window = purchaseWindow(period)
  let earlier = facts.transactions.filter {
    Int64($0.purchasedAt) < window.lowerBound.seconds
  }
  if earlier.isEmpty { return }
  let keys = earlier.map(\.key)
  facts.orders += try ledger.orders(
    keys: earlier.map(\.order), claiming: keys, outside: window)
  // The company's own row tells all that it ever will, unless Apple's signed word goes before it.
  let isSigned = facts.transactionTerms.contains { $0.factSource == .signed }
  let asked = earlier.filter {
    isSigned || facts.transactionTerms[Int($0.terms)].factSource != .company
  }
  if asked.isEmpty { return }
  let known = Set(earlier.map(\.row))
  var more = MonthFacts()
  more.transactions = try ledger.transactions(
    keys: asked.map(\.key), claiming: [], outside: window
  ).filter { !known.contains($0.row) }
  if more.transactions.isEmpty { return }
  try more.addDetails(ledger)
  facts.add(more)
}

/// Rows of other periods that a table has already.
private struct RowsOutside: Sendable {
  private(set) var orders: Set<OrderRow.ID>
  private(set) var transactions: Set<TransactionRow.ID>

  /// Notes the table's rows whose time lies outside the period's window of purchases.
  init(_ table: MatchTable, _ context: MatchingContext) {
    let window = purchaseWindow(context.period)
    let times = window.lowerBound.seconds...window.upperBound.seconds
    /// Whether a time, in seconds since 1970, lies outside of `times`.
    func isOutside(_ seconds: UInt32) -> Bool { !times.contains(Int64(seconds)) }
    orders = Set(table.orders.lazy.filter { isOutside($0.placedAt) }.map(\.row))
    transactions = Set(table.transactions.lazy.filter { isOutside($0.purchasedAt) }.map(\.row))
  }

  /// Adds rows that were looked up outside the period.
  mutating func add(_ more: MonthFacts) {
    orders.formUnion(more.orders.lazy.map(\.row))
    transactions.formUnion(more.transactions.lazy.map(\.row))
  }
}

extension MonthFacts {
  /// The same facts without the rows and details that a table takes.
  fileprivate var withoutRows: MonthFacts {
    var rest = self
    (rest.orders, rest.transactions, rest.chainDetails, rest.observations) = ([], [], [], [])
    return rest
  }

  /// Looks up the details and observations of these transactions.
  fileprivate mutating func addDetails(_ ledger: Ledger) throws {
    let rows = transactions.map(\.row).sorted()
    chainDetails = try ledger.transactionDetails(rows)
    observations = try ledger.observations(rows)
  }

  /// Adds orders and transactions of other periods, with their details and observations.
  fileprivate mutating func add(_ more: MonthFacts) {
    orders.reserveCapacity(orders.count + more.orders.count)
    orders += more.orders
    transactions.reserveCapacity(transactions.count + more.transactions.count)
    transactions += more.transactions
    chainDetails.merge(more.chainDetails) { $0.row < $1.row }
    observations.merge(more.observations) { $0.row < $1.row }
  }
}
