internal import Billing

/// Reads the company's orders.
struct OrdersReader: RowReader {
  private let orderID: Int
  private let placedAt: Int
  private let userID: Int
  private let paidAt: Int
  private let fulfilledAt: Int
  private let transactionID: Int
  private let appAccountToken: Int
  private let columns: ListedColumns<OrderTerms>

  private var rows: [OrderRow] = []
  private var text = IDText()
  private var terms: Interner<OrderTerms>
  private var totals = PurchaseTotals()
  private var placed = TimeColumn()
  private var paid = TimeColumn()
  private var fulfilled = TimeColumn()
  private var span = TimeSpan()
  private var handedOver: HandedOver

  /// - Parameter map: where the file has the columns of the table.
  init(_ map: ColumnMap, storefronts: StorefrontLookup) {
    /// The file's field of a column; −1 where it has none.
    func field(_ name: String) -> Int { map.fields[CompanyTable.orders.index(name)] }
    orderID = field("order_id")
    placedAt = field("placed_at")
    userID = field("user_id")
    paidAt = field("paid_at")
    fulfilledAt = field("fulfilled_at")
    transactionID = field("transaction_id")
    appAccountToken = field("app_account_token")
    handedOver = HandedOver(field(CompanyTable.countedPeriod))
    columns = ListedColumns(storefronts, field: field)
    terms = Interner(fields: columns.fields)
  }

  var pending: Int { rows.count }

  /// Reads a row: one order; throws a diagnostic when its id or the time when it was placed is
  /// missing.
  @inline(__always)
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    terms.begin(record)
    let id = trimmed(record[orderID])
    if id.isEmpty { throw record.blankDiagnostic(orderID, "order_id") }
    if isSpoiledID(id) { throw spoiledID(record, orderID, "order_id") }
    if isSpoiledTransactionID(record[transactionID]) {
      throw spoiledID(record, transactionID, "transaction_id")
    }
    guard let placedAt = try placed.read(record, placedAt, "placed_at") else {
      throw record.blankDiagnostic(placedAt, "placed_at")
    }
    let paidAt = try paid.read(record, paidAt, "paid_at")
    let fulfilledAt = try fulfilled.read(record, fulfilledAt, "fulfilled_at")
    terms.fetchKey()
    try handedOver.read(record)
    let length = text.length
    var row = OrderRow(
      line: record.line, terms: -1, orderID: text.add(id), userID: text.add(record[userID]),
      transactionID: text.add(record[transactionID]),
      appAccountToken: text.add(record[appAccountToken]), placedAt: placedAt, paidAt: paidAt,
      fulfilledAt: fulfilledAt)
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
    span.add(placedAt.seconds)
    rows.append(row)
    return 1
  }

  /// Reads and keeps terms that no row before had; returns their code, by which rows name them.
  @inline(never)
  private mutating func newTerms(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    let value = try columns.terms(record)
    totals.add(value)
    return terms.insert(value, for: record)
  }

  /// Hands over the rows since the last block, with the terms that are new with them. Terms are
  /// forgotten once there are so many that remembering them is of no use.
  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .orders(rows))
    block.text = text.take()
    block.newOrderTerms = terms.takeFresh()
    if terms.isFull {
      totals.forgetTerms()
      terms.forgetAll()
    }
    rows = []
    rows.reserveCapacity(min(block.rowCount, FactBlock.rowLimit))
    return block
  }

  /// The days and the sums of all orders, and how many belong to other channels than Apple's.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    var totals = totals
    totals.forgetTerms()
    var summary = try totals.summary(span, of: handedOver.period, log)
    summary.tallies += [totals.channels(log)].compactMap(\.self)
    return summary
  }
}
