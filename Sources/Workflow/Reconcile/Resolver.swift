import Billing
import Crypto
import Ledger
import Matching

/// Findings with their ids and places, and the same as patterns are looked for in them; both in the
/// order of every output.
struct ResolvedFindings {
  var findings: [Finding]
  var cases: [PatternCase]
}

/// Turns unresolved findings, which name rows, into findings, which name ids and places in files.
struct Resolver {
  private let orders: ResolvedRows<OrderRow>
  private let transactions: ResolvedRows<TransactionRow>
  private var sales: [SalesRow.ID: Source] = [:]
  private var finance: [FinanceRow.ID: Source] = [:]
  private let movements: ResolvedRows<CoinMovementRow>
  private let balances: ResolvedRows<CoinBalance>
  private let shared: SharedSKUs
  /// What the sheet of rows says of the findings' orders, by their places.
  private(set) var orderCells: [Source: [String]] = [:]

  /// Looks up every row of the findings.
  init(_ ledger: Ledger, _ findings: [UnresolvedFinding]) throws {
    /// The rows that one part of all findings names, ascending, each once.
    @Sendable func rows<Table>(_ part: (UnresolvedFinding) -> [RowID<Table>]) -> [RowID<Table>] {
      findings.flatMap(part).sortedOnce()
    }
    let (ours, theirs) = inTwoThreads(
      { Result { ResolvedRows(try ledger.resolveOrders(rows(\.orders))) } },
      { Result { ResolvedRows(try ledger.resolveTransactions(rows(\.transactions))) } })
    (orders, transactions) = (try ours.get(), try theirs.get())
    movements = ResolvedRows(try ledger.resolveMovements(rows(\.movements)))
    balances = ResolvedRows(try ledger.resolveBalances(rows(\.balances)))
    shared = try ledger.sharedSKUs()
    for (row, source) in try ledger.resolveSales(rows(\.sales)) { sales[row] = source }
    for (row, source) in try ledger.resolveFinance(rows(\.finance)) { finance[row] = source }
    guard !OrderTerms.sheetColumns.isEmpty else { return }
    let named = rows(\.orders)
    for (row, cells) in zip(named, try ledger.orderCells(named)) {
      orderCells[orders[row].source] = cells
    }
  }

  /// The findings with their ids and places, in the order of every output, one per code and key.
  ///
  /// Findings are large values: what is sorted are numbers, and they are moved.
  func resolved(_ unresolved: MovedValue<[UnresolvedFinding]>) -> ResolvedFindings {
    var (findings, cases, marks) = made(of: unresolved)
    var order = FindingOrder(room: findings.count)
    for (place, mark) in marks.joined().enumerated() { order.add(mark, at: place) }
    let places = order.places()
    let given = MovedValue(cases)
    cases = []
    let ((), kept) = inTwoThreads(
      { findings.keep(places) },
      {
        var cases = given.take()
        cases.keep(places)
        return cases
      })
    return ResolvedFindings(findings: findings, cases: kept)
  }

  /// Makes a finding, a case and a mark of each unresolved finding, in parts on all cores; all in
  /// the order of the unresolved ones, which are given up.
  private func made(of given: MovedValue<[UnresolvedFinding]>) -> (
    [Finding], [PatternCase], [[FindingOrder.Mark]]
  ) {
    let unresolved = given.take()
    // Most of the work is to put each finding together; of small parts no core waits for another.
    let size = 2048
    let parts = stride(from: 0, to: unresolved.count, by: size).map {
      $0..<min($0 + size, unresolved.count)
    }
    var (cases, marks): ([PatternCase], [[FindingOrder.Mark]]) = ([], [])
    let findings = [Finding](places: unresolved.count) { findings in
      cases = [PatternCase](places: unresolved.count) { cases in
        marks = inThreads(parts.count) { made(of: unresolved, parts[$0], findings, cases) }
      }
    }
    return (findings, cases, marks)
  }

  /// Makes the findings and cases of a part and puts each in its place; returns the marks that
  /// decide their order.
  ///
  /// - Parameter part: indices of `unresolved`.
  private func made(
    of unresolved: [UnresolvedFinding], _ part: Range<Int>, _ findings: PlacedValues<Finding>,
    _ cases: PlacedValues<PatternCase>
  ) -> [FindingOrder.Mark] {
    return part.map { place in
      let found = unresolved[place]
      let (finding, digest) = finding(found)
      cases.put(
        PatternCase(found, id: finding.id, users: users(found)), at: place)
      let mark = FindingOrder.Mark(finding, digest)
      findings.put(finding, at: place)
      return mark
    }
  }

  /// The users of the finding's orders, or of its transactions where no order tells one; empty
  /// texts among these.
  private func users(_ unresolved: UnresolvedFinding) -> [String] {
    var users: [String] = []
    for row in unresolved.orders {
      let user = orders[row].user
      if !user.isEmpty { users.append(user) }
    }
    return users.isEmpty ? unresolved.transactions.map { transactions[$0].user } : users
  }

  /// The finding with ids, places, customer, action and id, and the digest that its id writes.
  private func finding(_ unresolved: UnresolvedFinding) -> (finding: Finding, digest: UInt64) {
    let orders = rows(unresolved.orders, of: self.orders)
    let transactions = rows(unresolved.transactions, of: self.transactions)
    // Sources stand in the order of the ids they belong to, then Apple's rows, then whole files.
    var sources = unique(orders.map(\.source)) + unique(transactions.map(\.source))
    if !unresolved.sales.isEmpty { sources += Set(unresolved.sales.map { sales[$0]! }).sorted() }
    if !unresolved.finance.isEmpty {
      sources += Set(unresolved.finance.map { finance[$0]! }).sorted()
    }
    let coins: [(user: String, source: Source)] =
      unresolved.movements.map { (movements[$0].user, movements[$0].source) }
      + unresolved.balances.map { (balances[$0].user, balances[$0].source) }
    sources += coins.map(\.source) + unresolved.places.sorted()
    sources += unresolved.files.map { Source(file: $0, line: 0) }
    let (orderIDs, transactionIDs) = (ids(orders), ids(transactions))
    // Only advice on purchases is about somebody.
    let isOfPurchases = unresolved.code.level == 1 || unresolved.code.level == 6
    let customer =
      coins.first?.user ?? (isOfPurchases ? customer(orders, transactions) : "")
    let names = FindingNames(
      orders: orderIDs, transactions: transactionIDs, customer: customer)
    let action =
      unresolved.action?.naming(names)
      ?? unresolved.code.action(order: names.orders, transaction: names.transactions)
    var finding = Finding(
      code: unresolved.code, severity: unresolved.severity ?? unresolved.code.severity,
      storefront: unresolved.storefront, currency: unresolved.currency, date: unresolved.day,
      sku: unresolved.sku,
      units: unresolved.units,
      amount: unresolved.amount == 0 ? nil : unresolved.amount,
      orderIDs: orderIDs, transactionIDs: transactionIDs, sources: sources,
      explanation: explanation(unresolved), action: action, id: "")
    finding.customer = customer
    finding.parts = unresolved.parts
    finding.documents = unresolved.documents + coins.map(\.user)
    let digest = Self.digest(of: finding)
    finding.id = Self.hexadecimal(digest)
    finding.formerID = formerID(of: finding)
    return (finding, digest)
  }

  /// The only user of the orders, or of the transactions where there is no order; empty where there
  /// are none or several.
  private func customer(
    _ orders: [ResolvedRow<OrderRow>], _ transactions: [ResolvedRow<TransactionRow>]
  ) -> String {
    var found = ""
    for user in orders.isEmpty ? transactions.map(\.user) : orders.map(\.user) {
      if user.isEmpty || user == found { continue }
      if !found.isEmpty { return "" }
      found = user
    }
    return found
  }

  /// The finding's explanation, followed by the document and the rows that it rests on, where it
  /// cites some (findings of levels 3 to 5).
  private func explanation(_ unresolved: UnresolvedFinding) -> Wording {
    guard let citation = unresolved.citation else { return unresolved.explanation }
    let rows = citation.finance.map { finance[$0]! }
    let places = rows.isEmpty ? citation.places : rows
    let sold = citation.document == .salesReport ? unresolved.sales.map { sales[$0]! } : []
    return unresolved.explanation.citing(
      citation, at: Set(places.isEmpty ? sold : places).sorted())
  }

  /// The rows of these numbers, by id, and those of one id by their places.
  private func rows<Table>(
    _ rows: [RowID<Table>], of known: ResolvedRows<Table>
  ) -> [ResolvedRow<Table>] {
    let found = rows.map { known[$0] }
    return found.count < 2 ? found : found.sorted(by: Self.isOrderedBefore)
  }

  /// The ids of these rows, each once.
  ///
  /// - Parameter rows: ascending by id.
  private func ids<Table>(_ rows: [ResolvedRow<Table>]) -> [String] {
    var ids: [String] = []
    for row in rows where ids.last != row.id { ids.append(row.id) }
    return ids
  }

  /// The order of rows: by id, then by place.
  private static func isOrderedBefore<Table>(
    _ left: ResolvedRow<Table>, _ right: ResolvedRow<Table>
  ) -> Bool {
    left.id != right.id ? left.id < right.id : left.source < right.source
  }

  /// The sources in their order, each once.
  private func unique(_ sources: [Source]) -> [Source] {
    if sources.count < 2 { return sources }
    var seen: Set<Source> = []
    return sources.filter { seen.insert($0).inserted }
  }

  /// The first 64 bits of the SHA-256 over what the finding says: the same facts give the same id,
  /// whatever the files' names, the order of import or the language.
  private static func digest(of finding: Finding) -> UInt64 {
    var text: [UInt8] = []
    text.reserveCapacity(192)
    /// Adds a text to what is digested.
    func add(_ piece: String) {
      var piece = piece
      piece.withUTF8 { text.append(contentsOf: $0) }
    }
    /// Ends a part of what is digested.
    func end() { text.append(0x1E) }
    add(finding.code.rawValue)
    end()
    if let storefront = finding.storefront { add(storefront.code) }
    end()
    if let currency = finding.currency { add(currency.code) }
    end()
    if let date = finding.date { add(date.description) }
    end()
    if let sku = finding.sku { add(sku) }
    end()
    if let units = finding.units { add(String(units)) }
    end()
    if let amount = finding.amount { add(String(amount)) }
    for ids in [finding.orderIDs, finding.transactionIDs] {
      end()
      for (index, id) in ids.enumerated() {
        if index > 0 { text.append(0x1F) }
        add(id)
      }
    }
    for part in finding.parts {
      end()
      add("\(part.storefront?.code ?? "") \(part.amount.currency) \(part.amount.micros)")
    }
    for document in finding.documents {
      end()
      add(document)
    }
    let hash = text.withUnsafeBytes { bytes in
      var hash = SHA256()
      hash.update(bufferPointer: bytes)
      return hash.finalize()
    }
    return hash.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
  }

  /// The ID without the app, which a finding had while its SKU stood in one app alone; nil where it
  /// had no other: of a purchase's in any case, of others' those of the app that the ledger had
  /// first.
  private func formerID(of finding: Finding) -> String? {
    guard !shared.isEmpty, let name = finding.sku else { return nil }
    let product = AppProduct(name)
    guard product.app != nil, finding.code.level == 1 || shared.first(of: product.sku) == name
    else { return nil }
    var former = finding
    former.sku = product.sku
    return Self.hexadecimal(Self.digest(of: former))
  }

  /// The digest as 16 hexadecimal digits.
  private static func hexadecimal(_ digest: UInt64) -> String {
    let digits = String(digest, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
