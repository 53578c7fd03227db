import Billing
import Ledger
import Matching

/// A few rows and those that their ids lead to: a ledger small enough to be matched in no time.
struct RelatedRows {
  private let ledger: Ledger
  /// The company's.
  private let tables: MonthFacts
  private var orderTerms = FewTerms<OrderTerms>()
  private var transactionTerms = FewTerms<TransactionTerms>()
  private var orders: [OrderRow.ID: (entry: OrderEntry, detail: OrderDetail)] = [:]
  private var transactions: [TransactionRow.ID: ObservedTransaction] = [:]
  /// Rows whose ids were not followed yet.
  private var newOrders: Set<OrderRow.ID> = []
  private var newTransactions: Set<TransactionRow.ID> = []

  /// A span of time in which nothing happened: look-ups by id leave nothing out.
  static let never = Instant(seconds: -2)...Instant(seconds: -1)
  /// Steps from id to id: a transaction of another month may name an order of a third one.
  private static let steps = 4

  /// Begins without any order or transaction.
  ///
  /// - Parameter tables: facts that have the company's tables (catalogue, tiers, taxes) alone.
  init(_ ledger: Ledger, _ tables: MonthFacts) {
    self.ledger = ledger
    self.tables = tables
  }

  /// Reads these rows of orders and adds those that are not there yet.
  mutating func add(orders rows: [OrderRow.ID]) throws {
    let rows = Set(rows).filter { orders[$0] == nil }.sorted()
    let details = try ledger.orderDetails(rows)
    let entries = try renumbered(try ledger.orders(rows: rows))
    for (entry, detail) in zip(entries, details) { add(entry, detail) }
  }

  /// Reads these rows of transactions and adds those that are not there yet.
  mutating func add(transactions rows: [TransactionRow.ID]) throws {
    let rows = Set(rows).filter { transactions[$0] == nil }.sorted()
    try add(try ledger.observedTransactions(rows))
  }

  /// The same orders, whose terms have the numbers of `orderTerms` instead of the ledger's.
  private mutating func renumbered(_ entries: [OrderEntry]) throws -> [OrderEntry] {
    try orderTerms.learn(entries.map(\.terms), ledger.orderTerms)
    return entries.map { entry in
      var entry = entry
      entry.terms = orderTerms.number(of: entry.terms)
      return entry
    }
  }

  /// The same transactions, whose terms have the numbers of `transactionTerms` instead of the
  /// ledger's.
  private mutating func renumbered(_ rows: [ObservedTransaction]) throws -> [ObservedTransaction] {
    try transactionTerms.learn(rows.map(\.entry.terms), ledger.transactionTerms)
    return rows.map { row in
      var row = row
      row.entry.terms = transactionTerms.number(of: row.entry.terms)
      return row
    }
  }

  /// Adds an order whose ids are to be followed, unless it is there.
  private mutating func add(_ entry: OrderEntry, _ detail: OrderDetail) {
    guard orders[entry.row] == nil else { return }
    orders[entry.row] = (entry, detail)
    newOrders.insert(entry.row)
  }

  /// Adds a transaction whose ids are to be followed, unless it is there.
  private mutating func add(_ observed: ObservedTransaction) {
    guard transactions[observed.entry.row] == nil else { return }
    transactions[observed.entry.row] = observed
    newTransactions.insert(observed.entry.row)
  }

  /// Adds transactions.
  ///
  /// - Parameter observed: with their terms as the ledger numbers them.
  mutating func add(_ observed: [ObservedTransaction]) throws {
    for row in try renumbered(observed) { add(row) }
  }

  /// Reads a product's orders in a span of time and adds those that the closure wants.
  mutating func add(orders wanted: SKURows, where isWanted: (OrderEntry, OrderTerms) -> Bool)
    throws
  {
    let found = try ledger.orders(wanted)
    for (entry, row) in zip(try renumbered(found.map(\.entry)), found)
    where isWanted(entry, orderTerms.all[Int(entry.terms)]) {
      add(entry, row.detail)
    }
  }

  /// Reads a product's transactions in a span of time and adds those that the closure wants.
  mutating func add(
    transactions wanted: SKURows, where isWanted: (TransactionEntry, TransactionTerms) -> Bool
  ) throws {
    for row in try renumbered(try ledger.transactions(wanted))
    where isWanted(row.entry, transactionTerms.all[Int(row.entry.terms)]) {
      add(row)
    }
  }

  /// Adds the rows that the ids of the new rows lead to, their chains of renewals included, and
  /// those that these lead to.
  mutating func followIDs() throws {
    for _ in 0..<Self.steps where !newOrders.isEmpty || !newTransactions.isEmpty {
      let (ours, theirs) = takeNew()
      let found = try ledger.orders(
        keys: ours.map(\.key) + theirs.map(\.entry.order), claiming: theirs.map(\.entry.key),
        outside: Self.never)
      try add(orders: found.map(\.row))
      let named = try ledger.transactions(
        keys: ours.map(\.transaction) + theirs.map(\.entry.key) + theirs.map(\.detail.original),
        claiming: ours.map(\.key), outside: Self.never)
      try add(transactions: named.map(\.row))
      let chains = theirs.filter(mayChain).map {
        $0.detail.original.isNone ? $0.entry.key : $0.detail.original
      }
      if chains.isEmpty { continue }
      let links = try ledger.chainTransactions(
        chains, purchased: Instant(seconds: 0)...Instant(seconds: Int64(UInt32.max)),
        outside: Self.never
      ) { entry, _ in entry.row }
      try add(transactions: links)
    }
    (newOrders, newTransactions) = ([], [])
  }

  /// Adds only the rows that name the new rows and those that these name: enough to know which of
  /// them are open.
  mutating func followNames() throws {
    let (ours, theirs) = takeNew()
    let found = try ledger.orders(
      keys: theirs.map(\.entry.order), claiming: theirs.map(\.entry.key), outside: Self.never)
    try add(orders: found.map(\.row))
    let named = try ledger.transactions(
      keys: ours.map(\.transaction), claiming: ours.map(\.key), outside: Self.never)
    try add(transactions: named.map(\.row))
    (newOrders, newTransactions) = ([], [])
  }

  /// Adds the rows by which matching finds the storefront of the new transactions that do not tell
  /// theirs: such a transaction may belong to an order of any storefront, by id, by token, by its
  /// chain, or by likeness, for which all rows of the product compete. Where every transaction
  /// tells its storefront, only rows that name the new ones, or that these name, are added.
  ///
  /// - Parameter span: the time around which they compete, in seconds since 1970.
  mutating func followPlaces(_ sku: String, _ span: ClosedRange<Int64>) throws {
    guard transactions.values.contains(where: { place(of: $0).storefront == nil }) else {
      return try followNames()
    }
    /// The look-up of the rows of `sku` in any storefront between two times, in seconds since 1970.
    func rows(_ first: Int64, _ last: Int64) -> SKURows {
      SKURows(sku, in: nil, Instant(seconds: first)...Instant(seconds: last))
    }
    let (first, last) = (span.lowerBound - Rules.traceBack, span.upperBound + Rules.traceBack)
    try add(orders: rows(first - Rules.traceBack, last)) { _, terms in terms.isApple }
    try add(transactions: rows(first, last)) { _, _ in true }
    try followIDs()
  }

  /// The storefront and currency that a transaction's terms tell.
  private func place(of observed: ObservedTransaction) -> SalePlace {
    transactionTerms.all[Int(observed.entry.terms)].place
  }

  /// Returns the rows whose ids were not followed yet, which then count as followed.
  private mutating func takeNew() -> ([OrderEntry], [ObservedTransaction]) {
    let new = (newOrders.map { orders[$0]!.entry }, newTransactions.map { transactions[$0]! })
    (newOrders, newTransactions) = ([], [])
    return new
  }

  /// Whether a transaction may be of a subscription or a restore, so that others may name the same
  /// original.
  private func mayChain(_ observed: ObservedTransaction) -> Bool {
    let detail = observed.detail
    return !detail.webOrderLineItem.isNone || detail.expiresAt != 0
      || (!detail.original.isNone && detail.original != observed.entry.key)
      || transactionTerms.all[Int(observed.entry.terms)].kind == .autoRenewable
  }

  /// The rows, ascending by number, in the form that matching takes.
  var facts: MonthFacts {
    var facts = tables
    (facts.orderTerms, facts.transactionTerms) = (orderTerms.all, transactionTerms.all)
    let observed = transactions.values.sorted { $0.entry.row < $1.entry.row }
    facts.orders = orders.values.map(\.entry).sorted { $0.row < $1.row }
    facts.transactions = observed.map(\.entry)
    facts.chainDetails = observed.map(\.detail)
    facts.observations = observed.compactMap(\.observation)
    return facts
  }

  /// The details of all rows.
  var details: MatchDetails {
    MatchDetails(
      orders: orders.values.map(\.detail), transactions: transactions.values.map(\.detail))
  }

  /// Transaction ids that many orders repeat, so that the last reconciliation of the context's
  /// period took them to stand for no transaction.
  func repeatedIDs(_ context: MatchingContext) throws -> Set<IDKey> {
    Set(try ledger.recordedRepeatedIDs(on: context.period.first))
  }

  /// The rows, matched as the reconciliation of the context's period matches them.
  func matched(_ context: MatchingContext) throws -> MatchedRows {
    MatchedRows(
      facts, details: details, context: context,
      clocks: try ledger.recordedClocks(on: context.period.first),
      repeatedIDs: try repeatedIDs(context))
  }
}

/// The terms that a few rows name, numbered anew: a dictionary of a large ledger takes longer to
/// read than all else.
private struct FewTerms<Terms> {
  private(set) var all: [Terms] = []
  private var numbers: [Int32: Int32] = [:]

  /// Adds the terms that have these numbers in the ledger, unless they are here already, and gives
  /// them the next numbers here.
  ///
  /// - Parameter lookUp: reads terms from the ledger by their numbers there.
  mutating func learn(
    _ codes: [Int32], _ lookUp: (Set<Int32>) throws -> [Int32: Terms]
  ) rethrows {
    let new = Set(codes).subtracting(numbers.keys)
    if new.isEmpty { return }
    for (code, terms) in try lookUp(new).sorted(by: { $0.key < $1.key }) {
      numbers[code] = Int32(all.count)
      all.append(terms)
    }
  }

  /// The number here of the terms with this number in the ledger.
  ///
  /// - Precondition: the code was learnt.
  func number(of code: Int32) -> Int32 { numbers[code]! }
}
