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

  private let image: BlockImage
  private let runs: IDRunBuilder?
  private var repeats: RepeatSearch?
  private let batch: RawStatement
  private let firstRow: Int64
  private var nextRow: Int64
  private var recordCount = 0
  private var rejectCount = 0

  /// - Parameter image: attached to the connection.
  init(
    _ db: Database, kind: InputKind, dictionaries: Dictionaries, image: BlockImage
  ) throws {
    let source = try Int64.fetchOne(db, sql: "SELECT 1 + ifnull(max(id), 0) FROM source")!
    let row = try Int64.fetchOne(db, sql: "SELECT 1 + ifnull(max(id), 0) FROM \(kind.table)")!
    batch = try RawStatement(
      db,
      """
      INSERT INTO batch (source_id, kind, first_row, last_row, first_at, last_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """)
    self.db = db
    self.kind = kind
    self.image = image
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
    try insert(block.rejects, of: block)
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
      try insert(rows.lines, of: block)
      try insert(rows.payouts, of: block)
    case (.subscription, .subscriptions(let rows)):
      terms += try dictionaries.subscriptionTerms.ids(of: block.newSubscriptionTerms, in: db, image)
      try insert(rows, of: block, leading: [])
    case (.subscriptionEvent, .subscriptionEvents(let rows)):
      let new = block.newSubscriptionEventTerms
      terms += try dictionaries.subscriptionEventTerms.ids(of: new, in: db, image)
      try insert(rows, of: block, leading: [])
    case (.subscriber, .subscribers(let rows)):
      terms += try dictionaries.subscriberTerms.ids(of: block.newSubscriberTerms, in: db, image)
      try insert(rows, of: block, leading: [])
    case (.orders, .orders(let rows)):
      terms += try dictionaries.orderTerms.ids(of: block.newOrderTerms, in: db, image)
      try append(rows, of: block, batch: .orders)
    case (.transactions, .transactions(let rows)):
      terms += try dictionaries.transactionTerms.ids(of: block.newTransactionTerms, in: db, image)
      try append(rows, of: block, batch: .transactions)
    case (kind, .purchases(kind, let told)):
      try append(told, of: block)
    case (.products, .products(let rows)): try insert(rows)
    case (.tiers, .tiers(let rows)): try insert(rows)
    case (.rates, .rates(let rows)): try insert(rows)
    case (.taxes, .taxes(let rows)): try insert(rows)
    case (.commissions, .commissions(let rows)): try insert(rows)
    case (.bank, .bank(let rows)): try insert(rows)
    case (.commissionInvoice, .commissionInvoices(let rows)): try insert(rows)
    case (.events, .events(let rows)):
      terms += try dictionaries.eventTerms.ids(of: block.newEventTerms, in: db, image)
      try append(rows, of: block, batch: .events)
    case (.unitCounts, .unitCounts(let rows)): try append(rows, of: block)
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
    if repeats == nil, recordCount > 0 {
      found.isWhole = try RepeatSearch.isWhole(kind, sourceID, db)
    }
    return found
  }

  private mutating func write(_ finished: [IDRun]) throws {
    for run in finished {
      try repeats?.compare(run, db)
      try run.write(source: sourceID, db)
    }
  }

  /// Writes what closes the file; the name of the report that it supersedes.
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

// MARK: - Rows by the million

extension FileAppender {
  private mutating func append(_ rows: [SalesRow], of block: FactBlock) throws {
    products += try dictionaries.salesProducts.ids(of: block.newSalesProducts, in: db, image)
    terms += try dictionaries.salesTerms.ids(of: block.newSalesTerms, in: db, image)
    conditions += try dictionaries.salesConditions.ids(of: block.newSalesConditions, in: db, image)
    for row in rows {
      precondition(
        products.indices.contains(Int(row.product))
          && conditions.indices.contains(Int(row.condition)))
    }
    try append(rows, of: block, batch: .sales)
  }

  private mutating func append(_ rows: [FinanceRow], of block: FactBlock) throws {
    terms += try dictionaries.financeTerms.ids(of: block.newFinanceTerms, in: db, image)
    try insert(block.footers, of: block)
    if rows.isEmpty { return }
    precondition(rows.allSatisfy { terms.indices.contains(Int($0.terms)) })
    try insertAll(rows, text: block.text)
  }

  /// Code 0 is no terms, on both sides.
  private mutating func append(_ rows: [PurchaseCountRow], of block: FactBlock) throws {
    if terms.isEmpty { (terms, products) = ([0], [0]) }
    terms += try dictionaries.orderTerms.ids(of: block.newOrderTerms, in: db, image)
    products += try dictionaries.transactionTerms.ids(of: block.newTransactionTerms, in: db, image)
    for row in rows { precondition(products.indices.contains(Int(row.transactionTerms))) }
    try append(rows, of: block, batch: .unitCounts)
  }

  private mutating func append<Row: TimedRow>(
    _ rows: [Row], of block: FactBlock, batch: BatchKind
  ) throws {
    guard let span = span(of: rows, terms: terms) else { return }
    runs?.add(block, firstRow: Int32(nextRow), span: span)
    try insertAll(rows, text: block.text)
    try addBatch(batch, nextRow, rows.count, span)
  }

  /// The times that rows span; none for no rows.
  private func span(
    of rows: some Sequence<some TimedRow>, terms: [Int32]
  ) -> ClosedRange<Int64>? {
    var (first, last) = (Int64.max, Int64.min)
    for row in rows {
      precondition(terms.indices.contains(Int(row.terms)))
      first = min(first, row.times.first)
      last = max(last, row.times.last)
    }
    return first <= last ? first...last : nil
  }

  /// Apple's receipts tell of purchases of many months at once: their rows are put in the order of
  /// purchase, and a batch holds those of one month or so, so that a period reads few of others.
  private mutating func append(_ told: PurchaseRows, of block: FactBlock) throws {
    terms += try dictionaries.transactionTerms.ids(of: block.newTransactionTerms, in: db, image)
    messageTerms += try dictionaries.messageTerms.ids(of: block.newMessageTerms, in: db, image)
    renewalTerms += try dictionaries.renewalTerms.ids(of: block.newRenewalTerms, in: db, image)
    try insert(told.messages, of: block, terms: messageTerms)
    try insert(told.pages, of: block)
    try insert(told.renewals, of: block, terms: renewalTerms)
    if let span = span(of: told.renewals, terms: renewalTerms) {
      let next = db.lastInsertedRowID + 1
      try addBatch(.renewals, next - Int64(told.renewals.count), told.renewals.count, span)
    }
    let rows = told.transactionsByPurchase(text: block.text)
    guard let all = span(of: rows, terms: terms) else { return }
    var ids = FactBlock(rows: .transactions(rows))
    ids.text = block.text
    runs!.add(ids, firstRow: Int32(nextRow), span: all)
    try insertAll(rows, text: block.text)
    let places = try insertExtras(told.extras, of: rows, block)
    try insertItems(told.items, at: places, \.extra)
    try insertItems(told.itemRefunds, at: places, \.extra)
    var start = 0
    while start < rows.count {
      let month = rows[start].purchasedAt.seconds / Self.batchSpan
      let end = rows[start...].firstIndex { $0.purchasedAt.seconds / Self.batchSpan != month }
      let batch = rows[start..<(end ?? rows.count)]
      try addBatch(.purchases, nextRow + Int64(start), batch.count, span(of: batch, terms: terms)!)
      start = batch.endIndex
    }
  }

  /// What is said beside the rows, under their ids. Returns the id of each extra's row.
  private mutating func insertExtras(
    _ extras: [ExtraRow], of rows: [TransactionRow], _ block: FactBlock
  ) throws -> [Int64] {
    guard let first = extras.first else { return [] }
    var places = [Int64](repeating: 0, count: extras.count)
    extraTerms += try dictionaries.extraTerms.ids(of: block.newExtraTerms, in: db, image)
    let insert = try RowInsert<ExtraRow>(db, first.columnNames, leading: ["id"])
    try withWindow(block.text, extraTerms) { window in
      for (place, row) in rows.enumerated() where row.extra > 0 {
        places[Int(row.extra) - 1] = nextRow + Int64(place)
        insert.statement.bind(nextRow + Int64(place), at: 1)
        try insert.run(extras[Int(row.extra) - 1], of: window)
      }
    }
    return places
  }

  /// What purchases are made of, under the ids of their rows.
  private func insertItems<Row: TableRow>(
    _ items: [Row], at places: [Int64], _ extra: (Row) -> Int32
  ) throws {
    guard let first = items.first else { return }
    let insert = try RowInsert<Row>(db, first.columnNames, leading: ["row_id"])
    for item in items {
      insert.statement.bind(places[Int(extra(item)) - 1], at: 1)
      try insert.run(item)
    }
  }

  /// Seconds: about a month.
  private static let batchSpan: Int64 = 30 * 86_400

  /// Inserts the rows as records, without a statement or a value of SQLite's for each.
  private mutating func insertAll<Row: TableRow>(_ rows: [Row], text: [UInt8]) throws {
    try withWindow(text, terms) { window in
      try rows.withUnsafeBufferPointer {
        try image.insert($0, of: window, first: nextRow, in: db)
      }
    }
    if let runs { try write(runs.takeFinished()) }
  }

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

  private func addBatch(
    _ kind: BatchKind, _ firstRow: Int64, _ count: Int, _ span: ClosedRange<Int64>
  ) throws {
    batch.bind(sourceID, at: 1)
    batch.bind(kind.rawValue, at: 2)
    batch.bind(firstRow, at: 3)
    batch.bind(firstRow + Int64(count) - 1, at: 4)
    batch.bind(span.lowerBound, at: 5)
    batch.bind(span.upperBound, at: 6)
    try batch.run()
  }
}

// MARK: - Rows one by one

extension FileAppender {
  /// - Parameter leading: none for a table that knows its files by `source.first_row`.
  private func insert<Row: TableRow>(
    _ rows: [Row], of block: FactBlock, terms: [Int32]? = nil, leading: [String] = ["source_id"]
  ) throws {
    guard let first = rows.first else { return }
    let insert = try RowInsert<Row>(db, first.columnNames, leading: leading)
    if !leading.isEmpty { insert.statement.bind(sourceID, at: 1) }
    try withWindow(block.text, terms ?? self.terms) { window in
      for row in rows { try insert.run(row, of: window) }
    }
  }

  /// Rows of the company's small tables.
  private func insert<Value: TableValue>(_ rows: [(line: Int32, Value)]) throws {
    let insert = try RowInsert<Value>(db, Value.columnNames, leading: ["source_id", "line"])
    insert.statement.bind(sourceID, at: 1)
    for (line, value) in rows {
      insert.statement.bind(line, at: 2)
      try insert.run(value)
    }
  }
}

// MARK: - The file itself

extension FileAppender {
  private func insertSource(_ header: FileHeader, _ trailer: FileTrailer) throws {
    let hasRows = nextRow > firstRow
    try db.execute(
      sql: """
        INSERT INTO source (id, kind, file, sha256, head_sha256, byte_count, vendor, region,
          begin_day, end_day, rows, rejected, first_row, last_row, imported_at, status,
          counted_period)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        sourceID, header.kind.rawValue, header.file, trailer.sha256, trailer.headSHA256,
        trailer.byteCount, trailer.vendor, trailer.region, trailer.begin?.number,
        trailer.end?.number, trailer.rows, trailer.rejected, hasRows ? firstRow : nil,
        hasRows ? nextRow - 1 : nil,
        header.importedAt.seconds, trailer.rejected > 0 ? "partial" : "current",
        trailer.countedPeriod,
      ])
    guard let mapping = trailer.mapping else { return }
    try db.execute(
      sql: "INSERT INTO source_mapping VALUES (?, ?)", arguments: [sourceID, mapping])
  }

  /// What was counted of a period last stands for it, with the rows that were handed over beside.
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

  /// The report imported last counts for its vendor, region and days; the older one stays.
  private func supersede(by trailer: FileTrailer) throws -> String? {
    guard let older = try older(than: trailer) else { return nil }
    try db.execute(
      sql: "UPDATE source SET status = 'superseded', superseded_by = ? WHERE id = ?",
      arguments: [sourceID, older[0] as Int64])
    return older[1]
  }

  /// The report of the same vendor, region and days that counts: its id and file.
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

  /// A sales report of the same days whose vendor nobody told: it is this one's where no other
  /// vendor is known, or where most of its rows are these.
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
  var table: String {
    switch self {
    case .sales: "sales_row"
    case .finance, .financeDetail: "finance_row"
    case .payments: "payment_line"
    case .subscription: "subscription_row"
    case .subscriptionEvent: "subscription_event_row"
    case .subscriber: "subscriber_row"
    case .orders: "order_row"
    case .transactions, .receipts, .notifications, .history: "transaction_row"
    case .products: "product"
    case .tiers: "tier"
    case .rates: "rate"
    case .taxes: "tax"
    case .commissions: "commission"
    case .bank: "bank_credit"
    case .commissionInvoice: "commission_invoice"
    case .events: "event_row"
    case .unitCounts: "unit_count_row"
    }
  }

  /// Whether rows are found again by ids.
  var hasIDs: Bool { [.orders, .transactions, .events].contains(self) || isPurchases }

  /// The kinds whose rows are in the same table.
  static func sharing(table: String) -> [InputKind] { allCases.filter { $0.table == table } }
}

/// A row that a period finds by its times.
protocol TimedRow: TableRow {
  /// Code of the file's terms.
  var terms: Int32 { get }
  /// As `batch` keeps them: of `placed_at`, `purchased_at` or `at`, or days.
  var times: (first: Int64, last: Int64) { get }
}

/// Runs of rows that a period finds by their times.
enum BatchKind: String {
  case sales, orders, transactions, events
  /// Transactions of receipts, notifications and history.
  case purchases
  case renewals
  case unitCounts = "unit_counts"
}
