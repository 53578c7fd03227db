package import Billing
import GRDB
import GRDBSQLite

/// Takes the blocks of one file, in file order, inside the file's transaction.
package struct FileAppender: ~Copyable {
  let db: Database
  let kind: InputKind
  let sourceID: Int64
  private(set) var dictionaries: Dictionaries
  /// Ledger ids of the file's dictionary codes.
  private var terms: [Int32] = []
  private var products: [Int32] = []
  private var conditions: [Int32] = []
  private var messageTerms: [Int32] = []
  private var renewalTerms: [Int32] = []
  private var extraTerms: [Int32] = []

  private let blocks: BlockAppender
  private let runs: IDRunBuilder?
  private var repeats: RepeatSearch?
  private var repeatedMovements = RepeatedMovements()
  private var runCount: Int64 = 0
  private let firstRow: Int64
  private var nextRow: Int64
  private var recordCount = 0
  private var rejectCount = 0

  /// Begins a file, whose number and first row's number follow on those in the ledger.
  init(_ db: Database, kind: InputKind, dictionaries: Dictionaries) throws {
    let blocks = BlockAppender(db)
    let row = try blocks.nextRow(kind.tables)
    let source = try Int64.fetchOne(db, sql: "SELECT 1 + ifnull(max(id), 0) FROM source")!
    self.blocks = blocks
    self.db = db
    self.kind = kind
    self.dictionaries = dictionaries
    runs = kind.hasIDs ? IDRunBuilder() : nil
    repeats = RepeatSearch(kind)
    sourceID = source
    firstRow = row
    nextRow = row
  }

  /// Adds the block's rows and rejects to the ledger.
  ///
  /// - Precondition: the block is of the file's kind and has at most `FactBlock.rowLimit` rows.
  package mutating func append(_ block: FactBlock) throws {
    // One record of Apple's may hold any number of messages.
    precondition(block.rowCount <= FactBlock.rowLimit || kind.isPurchases)
    try insertRejects(block.rejects)
    rejectCount += block.rejects.count
    recordCount += block.rowCount
    var count = block.rowCount
    if case .purchases(_, let told) = block.rows { count = told.transactions.count }
    // Before anything is made of ids that would not fit.
    guard nextRow + Int64(count) <= Int64(Int32.max) else { throw RowLimit() }
    switch (kind, block.rows) {
    case (.sales, .sales(let rows)): try append(rows, of: block)
    case (kind, .finance(kind, let rows)): try append(rows, of: block)
    case (.payments, .payments(let rows)):
      try append(rows.lines, to: .payments, of: block)
      try append(rows.payouts, to: .payouts, of: block)
    case (.subscription, .subscriptions(let rows)):
      terms += try dictionaries.subscriptionTerms.ids(of: block.newSubscriptionTerms, in: db)
      try append(rows, to: kind.tables, of: block)
    case (.subscriptionEvent, .subscriptionEvents(let rows)):
      let new = block.newSubscriptionEventTerms
      terms += try dictionaries.subscriptionEventTerms.ids(of: new, in: db)
      try append(rows, to: kind.tables, of: block)
    case (.subscriber, .subscribers(let rows)):
      terms += try dictionaries.subscriberTerms.ids(of: block.newSubscriberTerms, in: db)
      try append(rows, to: kind.tables, of: block)
    case (.orders, .orders(let rows)):
      terms += try dictionaries.orderTerms.ids(of: block.newOrderTerms, in: db)
      try appendTimed(rows, of: block)
    case (.transactions, .transactions(let rows)):
      terms += try dictionaries.transactionTerms.ids(of: block.newTransactionTerms, in: db)
      try appendTimed(rows, of: block)
    case (kind, .purchases(kind, let told)):
      try append(told, of: block)
    case (.products, .products(let rows)): try append(lined: rows)
    case (.tiers, .tiers(let rows)): try append(lined: rows)
    case (.rates, .rates(let rows)): try append(lined: rows)
    case (.taxes, .taxes(let rows)): try append(lined: rows)
    case (.commissions, .commissions(let rows)): try append(lined: rows)
    case (.bank, .bank(let rows)): try append(lined: rows)
    case (.commissionInvoice, .commissionInvoices(let rows)): try append(lined: rows)
    case (.events, .events(let rows)):
      terms += try dictionaries.eventTerms.ids(of: block.newEventTerms, in: db)
      try appendTimed(rows, of: block)
    case (.unitCounts, .unitCounts(let rows)): try append(rows, of: block)
    case (.coinMovements, .coinMovements(let rows)):
      terms += try dictionaries.coinTerms.ids(of: block.newCoinTerms, in: db)
      precondition(rows.allSatisfy { terms.indices.contains(Int($0.terms)) })
      repeatedMovements.add(rows, block.text, terms)
      try append(rows, to: kind.tables, of: block)
    case (.coinBalances, .coinBalances(let rows)): try append(lined: rows)
    case (.items, .items(let rows)): try append(lined: rows)
    default: preconditionFailure("a block of another kind than its file")
    }
    nextRow += Int64(count)
  }

  /// What the rows of the file repeat, once all of them are appended.
  package mutating func repeatedRows() throws -> RepeatedRows {
    if let runs { try write(runs.finish()) }
    if kind.isPurchases, let repeats, recordCount > 0 {
      return try repeats.endedPurchases(
        transactions: Int(nextRow - firstRow), sourceID, db)
    }
    var found = repeats?.ended(rows: recordCount) ?? RepeatedRows()
    found.movements = repeatedMovements
    if repeats == nil, recordCount > 0 {
      found.isWhole =
        try kind == .tiers
        ? RepeatSearch.isKnownList(sourceID, among: &dictionaries.priceLists, db)
        : RepeatSearch.isWhole(kind, sourceID, db)
    }
    return found
  }

  /// The first rows of the file, once it is finished.
  func firstRows() throws -> FirstRows {
    guard nextRow > firstRow else { return FirstRows() }
    return try FirstRows(kind, from: firstRow, to: nextRow - 1, db)
  }

  /// Compares runs of ids with what the ledger had before, and writes them.
  private mutating func write(_ finished: [IDRun]) throws {
    for run in finished {
      try repeats?.compare(run, db)
      try run.write(source: sourceID, db)
      runCount += 1
    }
  }

  /// Writes the row of the file and what is left of its ids, and returns the name of the report
  /// that it supersedes; nil for none.
  mutating func finish(_ header: FileHeader, _ trailer: FileTrailer) throws -> String? {
    precondition(trailer.rows == recordCount, "records stored are records read")
    precondition(trailer.rejected >= rejectCount, "rejects stored are rejects met")
    if let runs { try write(runs.finish()) }
    try insertSource(header, trailer)
    if !trailer.countedPeriod.isEmpty {
      return try supersede(countedPeriod: trailer.countedPeriod)
    }
    return try kind.isReport ? supersede(by: trailer) : nil
  }
}

// MARK: - Rows

extension FileAppender {
  /// Adds rows of a sales report, with the entries of dictionaries that are new.
  private mutating func append(_ rows: [SalesRow], of block: FactBlock) throws {
    products += try dictionaries.salesProducts.ids(of: block.newSalesProducts, in: db)
    terms += try dictionaries.salesTerms.ids(of: block.newSalesTerms, in: db)
    conditions += try dictionaries.salesConditions.ids(of: block.newSalesConditions, in: db)
    for row in rows {
      precondition(
        products.indices.contains(Int(row.product)) && terms.indices.contains(Int(row.terms))
          && conditions.indices.contains(Int(row.condition)))
    }
    try append(rows, to: .sales, of: block)
  }

  /// Adds rows and footers of a financial report, with the terms that are new.
  private mutating func append(_ rows: [FinanceRow], of block: FactBlock) throws {
    terms += try dictionaries.financeTerms.ids(of: block.newFinanceTerms, in: db)
    try append(block.footers, to: .footers, of: block)
    precondition(rows.allSatisfy { terms.indices.contains(Int($0.terms)) })
    try append(rows, to: .finance, of: block)
  }

  /// Adds rows of purchases that were counted, with the terms that are new. Code 0 is no terms, on
  /// both sides.
  private mutating func append(_ rows: [PurchaseCountRow], of block: FactBlock) throws {
    if terms.isEmpty { (terms, products) = ([0], [0]) }
    terms += try dictionaries.orderTerms.ids(of: block.newOrderTerms, in: db)
    products += try dictionaries.transactionTerms.ids(of: block.newTransactionTerms, in: db)
    for row in rows {
      precondition(
        terms.indices.contains(Int(row.terms))
          && products.indices.contains(Int(row.transactionTerms)))
    }
    try append(rows, to: .counts, of: block)
  }

  /// Adds rows that have a time and ids, and hands them to ``runs``, which collects the ids, so
  /// that rows are found by these.
  private mutating func appendTimed<Row: TimedRow>(_ rows: [Row], of block: FactBlock) throws {
    guard let span = span(of: rows, terms: terms) else { return }
    runs?.add(block, firstRow: Int32(nextRow), span: span)
    try append(rows, to: kind.tables, of: block)
    if let runs { try write(runs.takeFinished()) }
  }

  /// The first and the last time of rows, in seconds since 1970; nil for no rows. Their terms are
  /// among those given.
  private func span(
    of rows: some Sequence<some TimedRow>, terms: [Int32]
  ) -> ClosedRange<Int64>? {
    var (first, last) = (Int64.max, Int64.min)
    for row in rows {
      precondition(terms.indices.contains(Int(row.terms)))
      first = min(first, row.time)
      last = max(last, row.time)
    }
    return first <= last ? first...last : nil
  }

  /// Adds what a block of Apple's records says. Receipts have purchases of many months at once:
  /// their rows are put in the order of purchase, and a block holds those of one month or so, so
  /// that a period reads few of others.
  private mutating func append(_ purchases: PurchaseRows, of block: FactBlock) throws {
    terms += try dictionaries.transactionTerms.ids(of: block.newTransactionTerms, in: db)
    messageTerms += try dictionaries.messageTerms.ids(of: block.newMessageTerms, in: db)
    renewalTerms += try dictionaries.renewalTerms.ids(of: block.newRenewalTerms, in: db)
    try append(purchases.messages, to: .messages, of: block, terms: messageTerms)
    try append(purchases.pages, to: .pages, of: block)
    try append(purchases.renewals, to: .renewals, of: block, terms: renewalTerms)
    let rows = purchases.transactionsByPurchase(text: block.text)
    guard let all = span(of: rows, terms: terms) else { return }
    var ids = FactBlock(rows: .transactions(rows))
    ids.text = block.text
    runs!.add(ids, firstRow: Int32(nextRow), span: all)
    var start = 0
    while start < rows.count {
      let month = rows[start].purchasedAt.seconds / Self.blockSpan
      let end = rows[start...].firstIndex { $0.purchasedAt.seconds / Self.blockSpan != month }
      try append(rows[start..<(end ?? rows.count)], to: .transactions, of: block)
      start = end ?? rows.count
    }
    if let runs { try write(runs.takeFinished()) }
    try appendExtras(of: purchases, rows, block)
  }

  /// Adds what Apple said of transactions that has no column in their rows: extras, items, and
  /// refunds of items, each under the number of its transaction's row.
  ///
  /// - Parameter rows: the rows of the transactions in the order of their numbers, the first of
  ///   which is ``nextRow``.
  private mutating func appendExtras(
    of purchases: PurchaseRows, _ rows: [TransactionRow], _ block: FactBlock
  ) throws {
    if purchases.extras.isEmpty { return }
    var places = [Int64](repeating: 0, count: purchases.extras.count)
    extraTerms += try dictionaries.extraTerms.ids(of: block.newExtraTerms, in: db)
    var extras: [Numbered<ExtraRow>] = []
    for (place, row) in rows.enumerated() where row.extra > 0 {
      let number = nextRow + Int64(place)
      places[Int(row.extra) - 1] = number
      extras.append(Numbered(number: number, row: purchases.extras[Int(row.extra) - 1]))
    }
    let (source, blocks) = (sourceID, blocks)
    try withWindow(block.text, extraTerms) { window in
      try blocks.append(extras, to: .extras, source: source, window)
    }
    let items = purchases.items.map { Numbered(number: places[Int($0.extra) - 1], row: $0) }
    try blocks.append(items.sorted { $0.number < $1.number }, to: .items, source: source)
    let refunds = purchases.itemRefunds.map { Numbered(number: places[Int($0.extra) - 1], row: $0) }
    try blocks.append(refunds.sorted { $0.number < $1.number }, to: .itemRefunds, source: source)
  }

  /// Seconds: about a month.
  private static let blockSpan: Int64 = 30 * 86_400

  /// Adds a block of rows to a table.
  ///
  /// - Parameter terms: ledger ids of the codes of their terms; the file's own unless given.
  private func append<Row: TableRow>(
    _ rows: some Collection<Row>, to tables: BlockTables, of block: FactBlock,
    terms: [Int32]? = nil
  ) throws {
    try withWindow(block.text, terms ?? self.terms) { window in
      _ = try blocks.append(rows, to: tables, source: sourceID, window)
    }
  }

  /// Adds rows of one of the company's small tables, with their lines.
  private func append<Value: TableValue>(lined rows: [(line: Int32, Value)]) throws {
    let rows = rows.map { Lined(line: $0.line, value: $0.1) }
    try blocks.append(rows, to: kind.tables, source: sourceID)
  }

  /// Calls `body` with pointers to a block's text and to the ledger ids of dictionary codes (of
  /// terms as given, of products and conditions the file's); they are not valid afterwards.
  private func withWindow(
    _ text: [UInt8], _ terms: [Int32], _ body: (BlockWindow) throws -> Void
  ) throws {
    try text.withUnsafeBytes { text in
      try terms.withUnsafeBufferPointer { terms in
        try products.withUnsafeBufferPointer { products in
          try conditions.withUnsafeBufferPointer { conditions in
            try body(
              BlockWindow(
                text: text.baseAddress, terms: terms.baseAddress, products: products.baseAddress,
                conditions: conditions.baseAddress))
          }
        }
      }
    }
  }

  /// Inserts the rows that could not be read, one by one: they are few, and people read them.
  private func insertRejects(_ rejects: [Reject]) throws {
    guard let first = rejects.first else { return }
    let insert = try RowInsert<Reject>(db, first.columnNames, leading: ["source_id"])
    insert.statement.bind(sourceID, at: 1)
    for reject in rejects { try insert.run(reject) }
  }
}

// MARK: - The file itself

extension FileAppender {
  /// Inserts the row of the file itself.
  private func insertSource(_ header: FileHeader, _ trailer: FileTrailer) throws {
    let hasRows = nextRow > firstRow
    try db.execute(
      sql: """
        INSERT INTO source (id, kind, file, sha256, head_sha256, byte_count, vendor, region,
          begin_day, end_day, rows, rejected, first_row, last_row, blocks, imported_at, status,
          counted_period, mapping)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        sourceID, header.kind.rawValue, header.file, trailer.sha256, trailer.headSHA256,
        trailer.byteCount, trailer.vendor, trailer.region, trailer.begin?.number,
        trailer.end?.number, trailer.rows, trailer.rejected, hasRows ? firstRow : nil,
        hasRows ? nextRow - 1 : nil, blocks.count + runCount,
        header.importedAt.seconds, trailer.rejected > 0 ? "partial" : "current",
        trailer.countedPeriod, trailer.mapping,
      ])
  }

  /// Lets this file stand for its period in place of what was counted before, with the rows that
  /// were handed over beside; the name of the file that it replaces, nil for none.
  private func supersede(countedPeriod period: String) throws -> String? {
    let older = try Row.fetchOne(
      db,
      sql: """
        SELECT id, file FROM source
        WHERE kind = ? AND counted_period = ? AND status <> 'superseded' AND id <> ?
        """, arguments: [kind.rawValue, period, sourceID])
    guard let older else { return nil }
    try db.execute(
      sql: "UPDATE source SET status = 'superseded', superseded_by = ? WHERE id = ?",
      arguments: [sourceID, older[0] as Int64])
    return older[1]
  }

  /// The report that a file would replace; nil for none, and where the ledger has its content.
  package func superseded(by trailer: FileTrailer) throws -> String? {
    guard kind.isReport, try Ledger.file(withSHA256: trailer.sha256, db) == nil else { return nil }
    return try older(than: trailer)?[1]
  }

  /// Lets this report count for its vendor, region and days; the older one stays, and its name is
  /// returned, nil for none.
  private func supersede(by trailer: FileTrailer) throws -> String? {
    guard let older = try older(than: trailer) else { return nil }
    try db.execute(
      sql: "UPDATE source SET status = 'superseded', superseded_by = ? WHERE id = ?",
      arguments: [sourceID, older[0] as Int64])
    return older[1]
  }

  /// The report of the same vendor, region and days that counts (its number and name); nil for
  /// none.
  private func older(than trailer: FileTrailer) throws -> Row? {
    guard let begin = trailer.begin, let end = trailer.end else { return nil }
    let older = try Row.fetchOne(
      db,
      sql: """
        SELECT id, file FROM source
        WHERE kind = ? AND status <> 'superseded' AND id <> ? AND vendor = ? AND region = ?
          AND begin_day = ? AND end_day = ?
        """,
      arguments: [
        kind.rawValue, sourceID, trailer.vendor, trailer.region, begin.number, end.number,
      ])
    return try older ?? unnamed(trailer, begin, end)
  }

  /// The number and name of a current sales report of the same days that names no vendor and is
  /// taken for one of this file's vendor: the ledger knows no other vendor, or this file has most
  /// of the report's rows, too. Nil for none.
  private func unnamed(_ trailer: FileTrailer, _ begin: Day, _ end: Day) throws -> Row? {
    guard kind == .sales, !trailer.vendor.isEmpty else { return nil }
    return try Row.fetchOne(
      db,
      sql: """
        WITH mine AS (
          SELECT product_id, terms_id, units FROM sales_row WHERE id BETWEEN ?1 AND ?2
        )
        SELECT s.id, s.file FROM source s
        WHERE s.kind = 'sales' AND s.status <> 'superseded' AND s.id <> ?3 AND s.vendor = ''
          AND s.begin_day = ?4 AND s.end_day = ?5 AND s.first_row IS NOT NULL
          AND (NOT EXISTS (
              SELECT 1 FROM source o WHERE o.kind = 'sales' AND o.vendor NOT IN ('', ?6))
            OR 2 * (SELECT count(*) FROM sales_row r
              WHERE r.id BETWEEN s.first_row AND s.last_row
                AND (r.product_id, r.terms_id, r.units) IN (SELECT * FROM mine))
              > s.last_row - s.first_row + 1)
        """,
      arguments: [
        firstRow, nextRow - 1, sourceID, begin.number, end.number, trailer.vendor,
      ])
  }
}

extension InputKind {
  /// The table that holds the kind's rows.
  var tables: BlockTables {
    switch self {
    case .sales: .sales
    case .finance, .financeDetail: .finance
    case .payments: .payments
    case .subscription: .subscriptions
    case .subscriptionEvent: .subscriptionEvents
    case .subscriber: .subscribers
    case .orders: .orders
    case .transactions, .receipts, .notifications, .history: .transactions
    case .products: .products
    case .tiers: .tiers
    case .rates: .rates
    case .taxes: .taxes
    case .commissions: .commissions
    case .bank: .bank
    case .commissionInvoice: .invoices
    case .events: .events
    case .unitCounts: .counts
    case .coinMovements: .coinMovements
    case .coinBalances: .coinBalances
    case .items: .gameItems
    }
  }

  var table: String { tables.table.name }

  /// Whether rows are found again by ids.
  var hasIDs: Bool { [.orders, .transactions, .events].contains(self) || isPurchases }

  /// The kinds whose rows are in the table of this name.
  static func sharing(table: String) -> [InputKind] { allCases.filter { $0.table == table } }
}
