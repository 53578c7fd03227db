internal import Billing

/// Reads the company's own table of Apple transactions.
struct TransactionsReader: RowReader {
  private let transactionID: Int
  private let purchasedAt: Int
  private let expiresAt: Int
  private let revokedAt: Int
  private let originalID: Int
  private let webOrderLineItemID: Int
  private let orderID: Int
  private let appAccountToken: Int
  private let userID: Int
  private let columns: ListedColumns<TransactionTerms>

  private var rows: [TransactionRow] = []
  private var text = IDText()
  private var terms: Interner<TransactionTerms>
  private var totals = PurchaseTotals()
  private var purchased = TimeColumn()
  private var expires = TimeColumn()
  private var revoked = TimeColumn()
  private var span = TimeSpan()
  private var handedOver: HandedOver
  private var unknown = UnknownWords()
  private var foreignIDs = ForeignIDs()
  /// Rows with a time of revocation.
  private var revokedRows = 0
  /// Rows that all of them being revoked is no chance.
  private static let leastRevoked = 20

  /// - Parameter map: where the file has the columns of the table.
  init(_ map: ColumnMap, storefronts: StorefrontLookup) {
    /// The file's field of a column; −1 where it has none.
    func field(_ name: String) -> Int { map.fields[CompanyTable.transactions.index(name)] }
    transactionID = field("transaction_id")
    purchasedAt = field("purchased_at")
    expiresAt = field("expires_at")
    revokedAt = field("revoked_at")
    originalID = field("original_transaction_id")
    webOrderLineItemID = field("web_order_line_item_id")
    orderID = field("order_id")
    appAccountToken = field("app_account_token")
    userID = field("user_id")
    handedOver = HandedOver(field(CompanyTable.countedPeriod))
    columns = ListedColumns(storefronts, field: field)
    terms = Interner(fields: columns.fields)
  }

  var pending: Int { rows.count }

  /// Reads a row: one transaction; throws a diagnostic when its id or the time of its purchase is
  /// missing.
  @inline(__always)
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    terms.begin(record)
    let id = trimmed(record[transactionID])
    if id.isEmpty { throw record.blankDiagnostic(transactionID, "transaction_id") }
    if isSpoiledTransactionID(id) { throw spoiledID(record, transactionID, "transaction_id") }
    if !(id[0] &- 0x30 < 10) { try foreignIDs.note(id, record.line, transactionID) }
    if isSpoiledTransactionID(record[originalID]) {
      throw spoiledID(record, originalID, "original_transaction_id")
    }
    guard let purchasedAt = try purchased.read(record, purchasedAt, "purchased_at") else {
      throw record.blankDiagnostic(purchasedAt, "purchased_at")
    }
    let expiresAt = try expires.read(record, expiresAt, "expires_at")
    let revokedAt = try revoked.read(record, revokedAt, "revoked_at")
    terms.fetchKey()
    if revokedAt != nil { revokedRows &+= 1 }
    try handedOver.read(record)
    let length = text.length
    var row = TransactionRow(
      line: record.line, terms: -1, transactionID: text.add(id),
      originalTransactionID: text.add(record[originalID]),
      webOrderLineItemID: text.add(record[webOrderLineItemID]),
      orderID: text.add(record[orderID]), appAccountToken: text.add(record[appAccountToken]),
      userID: text.add(record[userID]), purchasedAt: purchasedAt, expiresAt: expiresAt,
      revokedAt: revokedAt)
    row.terms = terms.found(record)
    if row.terms < 0 {
      do throws(RecordDiagnostic) {
        row.terms = try newTerms(record)
      } catch {
        text.cut(to: length)
        throw error
      }
    }
    totals.count(row.terms &- terms.forgotten)
    span.add(purchasedAt.seconds)
    rows.append(row)
    return 1
  }

  /// Reads and keeps terms that no row before had; returns their code, by which rows name them.
  @inline(never)
  private mutating func newTerms(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    let value = try columns.terms(record)
    unknown.add(value.unknownWords, line: record.line)
    totals.add(value)
    return terms.insert(value, for: record)
  }

  /// Hands over the rows since the last block, with the terms that are new with them. Terms are
  /// forgotten once there are so many that remembering them is of no use.
  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .transactions(rows))
    block.text = text.take()
    block.newTransactionTerms = terms.takeFresh()
    if terms.isFull {
      totals.forgetTerms()
      terms.forgetAll()
    }
    rows = []
    rows.reserveCapacity(min(block.rowCount, FactBlock.rowLimit))
    return block
  }

  /// The days and the sums of all transactions, with warnings about words and ids that are not
  /// Apple's, and about all being revoked.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    var totals = totals
    try totals.refuseUncounted(log)
    unknown.warn(log, counts: totals.wordCounts, help: "@company.kept-as-written-what-is")
    let summary = try totals.summary(span, of: handedOver.period, log)
    foreignIDs.warn(log, rows: totals.rows)
    if revokedRows >= Self.leastRevoked, revokedRows == totals.rows {
      log.warn(
        "date", "@company.all-are-revoked \(grouped(revokedRows))",
        help: "@company.a-default-is-no-revocation")
    }
    return summary
  }
}
