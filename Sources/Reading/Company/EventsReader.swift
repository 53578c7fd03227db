internal import Billing

/// Reads the company's log of purchases, a row for each event.
struct EventsReader: RowReader {
  private let at: Int
  private let duration: Int
  private let orderID: Int
  private let userID: Int
  private let transactionID: Int
  private let columns: ListedColumns<PurchaseEventTerms>

  private var rows: [PurchaseEventRow] = []
  private var text = IDText()
  private var terms: Interner<PurchaseEventTerms>
  private var times = TimeColumn()
  private var span = TimeSpan()

  /// - Parameter map: where the file has the columns of the table.
  init(_ map: ColumnMap, storefronts: StorefrontLookup) {
    /// The file's field of a column; −1 where it has none.
    func field(_ name: String) -> Int { map.fields[CompanyTable.events.index(name)] }
    at = field("at")
    duration = field("duration_ms")
    orderID = field("order_id")
    userID = field("user_id")
    transactionID = field("transaction_id")
    columns = ListedColumns(storefronts, field: field)
    terms = Interner(fields: columns.fields)
  }

  var pending: Int { rows.count }

  /// Reads a row: one event of a purchase, when it happened and how long it took.
  @inline(__always)
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    if isSpoiledID(record[orderID]) { throw spoiledID(record, orderID, "order_id") }
    if isSpoiledTransactionID(record[transactionID]) {
      throw spoiledID(record, transactionID, "transaction_id")
    }
    guard let at = try times.read(record, at, "at") else { throw record.blankDiagnostic(at, "at") }
    let duration = try milliseconds(record)
    var code = terms.find(record)
    if code < 0 { code = try newTerms(record) }
    span.add(at.seconds)
    rows.append(
      PurchaseEventRow(
        line: record.line, terms: code, orderID: text.add(record[orderID]),
        transactionID: text.add(record[transactionID]), userID: text.add(record[userID]), at: at,
        duration: duration))
    return 1
  }

  /// The duration in whole milliseconds, rounded where a clock counts parts of them; nil when
  /// blank.
  @inline(__always)
  private func milliseconds(_ record: Record) throws(RecordDiagnostic) -> Int32? {
    let bytes = trimmed(record[duration])
    if bytes.isEmpty { return nil }
    if let whole = wholeNumber(bytes), let value = Int32(exactly: whole), value >= 0 {
      return value
    }
    guard let parts = micros(decimal: bytes), parts >= 0,
      let value = Int32(exactly: (parts + 500_000) / 1_000_000)
    else {
      throw RecordDiagnostic(
        duration, "value", "@company.duration-ms-is-not \(shown(bytes))",
        help: "@company.write-milliseconds-in-plain-digits")
    }
    return value
  }

  /// Reads and keeps terms that no row before had; returns their code, by which rows name them.
  @inline(never)
  private mutating func newTerms(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    var value = try columns.terms(record)
    let stage = value.stage.lowercased()
    if PurchaseEventTerms.stages.contains(stage) { value.stage = stage }
    return terms.insert(value, for: record)
  }

  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .events(rows))
    block.text = text.take()
    block.newEventTerms = terms.takeFresh()
    if terms.isFull { terms.forgetAll() }
    rows = []
    rows.reserveCapacity(min(block.rowCount, FactBlock.rowLimit))
    return block
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary(begin: span.begin, end: span.end) }
}
