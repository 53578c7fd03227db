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

  init(_ ledger: Ledger, _ tables: MonthFacts) {
    self.ledger = ledger
    self.tables = tables
  }

  mutating func add(orders rows: [OrderRow.ID]) throws {
    let rows = Set(rows).filter { orders[$0] == nil }.sorted()
    let details = try ledger.orderDetails(rows)
    let entries = try renumbered(try ledger.orders(rows: rows))
    for (entry, detail) in zip(entries, details) { add(entry, detail) }
  }

  mutating func add(transactions rows: [TransactionRow.ID]) throws {
    let rows = Set(rows).filter { transactions[$0] == nil }.sorted()
    try add(try ledger.observedTransactions(rows))
  }

  /// The same rows, which name their terms by few numbers.
  private mutating func renumbered(_ entries: [OrderEntry]) throws -> [OrderEntry] {
    try orderTerms.learn(entries.map(\.terms), ledger.orderTerms)
    return entries.map { entry in
      var entry = entry
      entry.terms = orderTerms.number(of: entry.terms)
      return entry
    }
  }

  private mutating func renumbered(_ told: [ObservedTransaction]) throws -> [ObservedTransaction] {
    try transactionTerms.learn(told.map(\.entry.terms), ledger.transactionTerms)
    return told.map { row in
      var row = row
      row.entry.terms = transactionTerms.number(of: row.entry.terms)
      return row
    }
  }

  private mutating func add(_ entry: OrderEntry, _ detail: OrderDetail) {
    guard orders[entry.row] == nil else { return }
    orders[entry.row] = (entry, detail)
    newOrders.insert(entry.row)
  }

  private mutating func add(_ told: ObservedTransaction) {
    guard transactions[told.entry.row] == nil else { return }
    transactions[told.entry.row] = told
    newTransactions.insert(told.entry.row)
  }

  /// - Parameter told: as the ledger has them.
  mutating func add(_ told: [ObservedTransaction]) throws {
    for row in try renumbered(told) { add(row) }
  }

  /// Adds orders of a product, of which only those that are wanted.
  mutating func add(orders wanted: SKURows, where isWanted: (OrderEntry, OrderTerms) -> Bool)
    throws
  {
    let found = try ledger.orders(wanted)
    for (entry, row) in zip(try renumbered(found.map(\.entry)), found)
    where isWanted(entry, orderTerms.all[Int(entry.terms)]) {
      add(entry, row.detail)
    }
  }

  /// Adds transactions of a product, of which only those that are wanted.
  mutating func add(
    transactions wanted: SKURows, where isWanted: (TransactionEntry, TransactionTerms) -> Bool
  ) throws {
    for row in try renumbered(try ledger.transactions(wanted))
    where isWanted(row.entry, transactionTerms.all[Int(row.entry.terms)]) {
      add(row)
    }
  }

  /// Adds what the ids of the new rows lead to, and what those lead to.
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

  /// Adds only what names the new rows and what they name: enough to know which of them are open.
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

  /// Adds what decides where the new rows were sold, as a period's matching decides it: a
  /// transaction that does not tell its storefront belongs to an order of any, by id, by token, by
  /// its chain, or by likeness, for which all of the product compete.
  mutating func followPlaces(_ sku: String, _ span: ClosedRange<Int64>) throws {
    guard transactions.values.contains(where: { place(of: $0).storefront == nil }) else {
      return try followNames()
    }
    func rows(_ first: Int64, _ last: Int64) -> SKURows {
      SKURows(sku, in: nil, Instant(seconds: first)...Instant(seconds: last))
    }
    let (first, last) = (span.lowerBound - Rules.traceBack, span.upperBound + Rules.traceBack)
    try add(orders: rows(first - Rules.traceBack, last)) { _, terms in terms.isApple }
    try add(transactions: rows(first, last)) { _, _ in true }
    try followIDs()
  }

  private func place(of told: ObservedTransaction) -> SalePlace {
    transactionTerms.all[Int(told.entry.terms)].place
  }

  private mutating func takeNew() -> ([OrderEntry], [ObservedTransaction]) {
    let new = (newOrders.map { orders[$0]!.entry }, newTransactions.map { transactions[$0]! })
    (newOrders, newTransactions) = ([], [])
    return new
  }

  private func mayChain(_ told: ObservedTransaction) -> Bool {
    let detail = told.detail
    return !detail.webOrderLineItem.isNone || detail.expiresAt != 0
      || (!detail.original.isNone && detail.original != told.entry.key)
      || transactionTerms.all[Int(told.entry.terms)].kind == .autoRenewable
  }

  /// The rows as matching takes them.
  var facts: MonthFacts {
    var facts = tables
    (facts.orderTerms, facts.transactionTerms) = (orderTerms.all, transactionTerms.all)
    let told = transactions.values.sorted { $0.entry.row < $1.entry.row }
    facts.orders = orders.values.map(\.entry).sorted { $0.row < $1.row }
    facts.transactions = told.map(\.entry)
    facts.chainDetails = told.map(\.detail)
    facts.observations = told.compactMap(\.observation)
    return facts
  }

  var details: MatchDetails {
    MatchDetails(
      orders: orders.values.map(\.detail), transactions: transactions.values.map(\.detail))
  }

  /// IDs of orders that the last reconciliation of the context's period took to stand for nothing.
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

  /// Looks up those that are new.
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

  /// - Precondition: the code was learnt.
  func number(of code: Int32) -> Int32 { numbers[code]! }
}
