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
  private(set) var messageTerms: [Int32] = []
  private(set) var renewalTerms: [Int32] = []

  private let bulk: BulkInsert?
  private let runs: IDRunBuilder?
  private let batch: RawStatement
  private let firstRow: Int64
  private var nextRow: Int64
  private var recordCount = 0
  private var rejectCount = 0

  init(_ db: Database, kind: InputKind, dictionaries: Dictionaries) throws {
    var dictionaries = dictionaries
    try dictionaries.refresh(for: kind, db)
    let source = try Int64.fetchOne(db, sql: "SELECT 1 + ifnull(max(id), 0) FROM source")!
    let row = try Int64.fetchOne(db, sql: "SELECT 1 + ifnull(max(id), 0) FROM \(kind.table)")!
    let bulk = kind.isBulk ? try BulkInsert(db, kind) : nil
    batch = try RawStatement(
      db,
      """
      INSERT INTO batch (source_id, kind, first_row, last_row, first_at, last_at)
      VALUES (?, ?, ?, ?, ?, ?)
      """)
    self.db = db
    self.kind = kind
    self.dictionaries = dictionaries
    self.bulk = bulk
    runs = kind.hasIDs ? IDRunBuilder() : nil
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
    if !block.rejects.isEmpty { try append(block.rejects) }
    recordCount += block.rowCount
    switch (kind, block.rows) {
    case (.sales, .sales(let rows)): try append(rows, of: block)
    case (kind, .finance(kind, let rows)): try append(rows, of: block)
    case (.payments, .payments(let rows)): nextRow += Int64(try insert(rows))
    case (.subscription, .subscriptions(let rows)):
      terms += try dictionaries.subscriptionTerms.ids(of: block.newSubscriptionTerms, in: db)
      nextRow += Int64(try insert(rows, terms: terms))
    case (.subscriptionEvent, .subscriptionEvents(let rows)):
      let new = block.newSubscriptionEventTerms
      terms += try dictionaries.subscriptionEventTerms.ids(of: new, in: db)
      nextRow += Int64(try insert(rows, terms: terms))
    case (.subscriber, .subscribers(let rows)):
      terms += try dictionaries.subscriberTerms.ids(of: block.newSubscriberTerms, in: db)
      nextRow += Int64(try insert(rows, terms: terms))
    case (.orders, .orders(let rows)): try append(rows, of: block)
    case (.transactions, .transactions(let rows)): try append(rows, of: block)
    case (kind, .purchases(kind, let rows)): try append(rows, of: block)
    case (.products, .products(let rows)): nextRow += Int64(try insert(rows))
    case (.tiers, .tiers(let rows)): nextRow += Int64(try insert(rows))
    case (.rates, .rates(let rows)): nextRow += Int64(try insert(rows))
    case (.taxes, .taxes(let rows)): nextRow += Int64(try insert(rows))
    default: preconditionFailure("a block of another kind than its file")
    }
    precondition(nextRow <= Int64(RowID.max), "a table has more rows than a row id can name")
  }

  /// Writes what closes the file; the name of the report that it supersedes.
  mutating func finish(_ header: FileHeader, _ trailer: FileTrailer) throws -> String? {
    precondition(trailer.rows == recordCount, "records stored are records read")
    precondition(trailer.rejected >= rejectCount, "rejects stored are rejects met")
    if let runs { try runs.finish().forEach { try $0.write(source: sourceID, db) } }
    try insertSource(header, trailer)
    return try kind.isReport ? supersede(by: trailer) : nil
  }
}

// MARK: - Rows

extension FileAppender {
  private mutating func append(_ rows: [SalesRow], of block: FactBlock) throws {
    products += try dictionaries.salesProducts.ids(of: block.newSalesProducts, in: db)
    terms += try dictionaries.salesTerms.ids(of: block.newSalesTerms, in: db)
    conditions += try dictionaries.salesConditions.ids(of: block.newSalesConditions, in: db)
    guard var span = rows.first.map({ $0.begin...$0.end }) else { return }
    for row in rows {
      precondition(
        products.indices.contains(Int(row.product)) && terms.indices.contains(Int(row.terms))
          && conditions.indices.contains(Int(row.condition)))
      span = min(span.lowerBound, row.begin)...max(span.upperBound, row.end)
    }
    try insert(rows, text: block.text)
    try addBatch(
      .sales, nextRow, rows.count,
      Int64(span.lowerBound.number)...Int64(span.upperBound.number))
    nextRow += Int64(rows.count)
  }

  private mutating func append(_ rows: [FinanceRow], of block: FactBlock) throws {
    terms += try dictionaries.financeTerms.ids(of: block.newFinanceTerms, in: db)
    try insert(block.footers)
    if rows.isEmpty { return }
    precondition(rows.allSatisfy { terms.indices.contains(Int($0.terms)) })
    try insert(rows, text: block.text)
    nextRow += Int64(rows.count)
  }

  private mutating func append(_ rows: [OrderRow], of block: FactBlock) throws {
    terms += try dictionaries.orderTerms.ids(of: block.newOrderTerms, in: db)
    guard var first = rows.first?.placedAt.seconds else { return }
    var last = first
    for row in rows {
      precondition(terms.indices.contains(Int(row.terms)))
      first = min(first, row.placedAt.seconds)
      last = max(last, row.placedAt.seconds)
    }
    runs!.add(block, firstRow: RowID(nextRow), span: first...last)
    try insert(rows, text: block.text)
    try addBatch(.orders, nextRow, rows.count, first...last)
    nextRow += Int64(rows.count)
  }

  private mutating func append(_ rows: [TransactionRow], of block: FactBlock) throws {
    terms += try dictionaries.transactionTerms.ids(of: block.newTransactionTerms, in: db)
    guard let span = span(of: rows) else { return }
    runs!.add(block, firstRow: RowID(nextRow), span: span)
    try insert(rows, text: block.text)
    try addBatch(.transactions, nextRow, rows.count, span)
    nextRow += Int64(rows.count)
  }

  /// The times that rows span; none for no rows.
  private func span(of rows: some Sequence<TransactionRow>) -> ClosedRange<Int64>? {
    var (first, last) = (Int64.max, Int64.min)
    for row in rows {
      precondition(terms.indices.contains(Int(row.terms)))
      first = min(first, row.purchasedAt.seconds)
      last = max(last, row.purchasedAt.seconds)
    }
    return first <= last ? first...last : nil
  }

  /// Apple's receipts tell of purchases of many months at once: their rows are put in the order of
  /// purchase, and a batch holds those of one month or so, so that a period reads few of others.
  private mutating func append(_ told: PurchaseRows, of block: FactBlock) throws {
    terms += try dictionaries.transactionTerms.ids(of: block.newTransactionTerms, in: db)
    messageTerms += try dictionaries.messageTerms.ids(of: block.newMessageTerms, in: db)
    renewalTerms += try dictionaries.renewalTerms.ids(of: block.newRenewalTerms, in: db)
    try insert(told.messages, text: block.text)
    try insert(told.renewals, text: block.text)
    let rows = told.transactionsByPurchase(text: block.text)
    guard let all = span(of: rows) else { return }
    var ids = FactBlock(rows: .transactions(rows))
    ids.text = block.text
    runs!.add(ids, firstRow: RowID(nextRow), span: all)
    try insert(rows, text: block.text)
    var start = 0
    while start < rows.count {
      let month = rows[start].purchasedAt.seconds / Self.batchSpan
      let end = rows[start...].firstIndex { $0.purchasedAt.seconds / Self.batchSpan != month }
      let batch = rows[start..<(end ?? rows.count)]
      try addBatch(.purchases, nextRow + Int64(start), batch.count, span(of: batch)!)
      start = batch.endIndex
    }
    nextRow += Int64(rows.count)
  }

  /// Seconds: about a month.
  private static let batchSpan: Int64 = 30 * 86_400

  private func insert<Row>(_ rows: [Row], text: [UInt8]) throws {
    try rows.withUnsafeBytes { rowBytes in
      try text.withUnsafeBytes { textBytes in
        try terms.withUnsafeBufferPointer { terms in
          try products.withUnsafeBufferPointer { products in
            try conditions.withUnsafeBufferPointer { conditions in
              try bulk!.run(
                BlockWindow(
                  rows: rowBytes.baseAddress, count: rows.count, text: textBytes.baseAddress,
                  terms: terms.baseAddress, products: products.baseAddress,
                  conditions: conditions.baseAddress))
            }
          }
        }
      }
    }
    precondition(db.lastInsertedRowID == nextRow + Int64(rows.count) - 1, "rows are contiguous")
    if let runs { try runs.takeFinished().forEach { try $0.write(source: sourceID, db) } }
  }

  func addBatch(
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

  private mutating func append(_ rejects: [Reject]) throws {
    let insert = try RawStatement(
      db,
      """
      INSERT INTO reject (source_id, line, "column", topic, message, help, raw_text)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """)
    for reject in rejects {
      insert.bind(sourceID, at: 1)
      insert.bind(Int64(reject.diagnostic.location.line), at: 2)
      insert.bind(Int64(reject.diagnostic.location.column), at: 3)
      insert.bind(reject.diagnostic.topic, at: 4)
      insert.bind(reject.diagnostic.message.english, at: 5)
      insert.bind(reject.diagnostic.help.english, at: 6)
      insert.bind(reject.rawText, at: 7)
      try insert.run()
    }
    rejectCount += rejects.count
  }
}

// MARK: - The file itself

extension FileAppender {
  private func insertSource(_ header: FileHeader, _ trailer: FileTrailer) throws {
    let hasRows = nextRow > firstRow
    try db.execute(
      sql: """
        INSERT INTO source (id, kind, file, sha256, head_sha256, byte_count, vendor, region,
          begin_day, end_day, rows, rejected, first_row, last_row, imported_at, status)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        sourceID, header.kind.rawValue, header.file, trailer.sha256, trailer.headSHA256,
        trailer.byteCount, trailer.vendor, trailer.region, trailer.begin?.number,
        trailer.end?.number, trailer.rows, trailer.rejected, hasRows ? firstRow : nil,
        hasRows ? nextRow - 1 : nil,
        header.importedAt.seconds, trailer.rejected > 0 ? "partial" : "current",
      ])
  }

  /// The report imported last counts for its vendor, region and days; the older one stays.
  private func supersede(by trailer: FileTrailer) throws -> String? {
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
    guard let older else { return nil }
    try db.execute(
      sql: "UPDATE source SET status = 'superseded', superseded_by = ? WHERE id = ?",
      arguments: [sourceID, older[0] as Int64])
    return older[1]
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
    }
  }

  /// Whether rows come by the million.
  var isBulk: Bool { self == .sales || self == .finance || self == .financeDetail || hasIDs }

  /// Whether rows are found again by ids.
  var hasIDs: Bool { self == .orders || self == .transactions || isPurchases }

  /// The kinds whose rows are in the same table.
  static func sharing(table: String) -> [InputKind] { allCases.filter { $0.table == table } }
}

/// Runs of rows that a period finds by their times.
enum BatchKind: String {
  case sales, orders, transactions
  /// Transactions of receipts, notifications and history.
  case purchases
  case renewals
}
