internal import Billing

/// Reads the company's log of purchases, a row for each event.
struct EventsReader: RowReader {
  private let at: Int
  private let stage: Int
  private let outcome: Int
  private let duration: Int
  private let httpStatus: Int
  private let orderID: Int
  private let userID: Int
  private let transactionID: Int
  private let appVersion: Int
  private let device: Int
  private let server: Int
  private let message: Int

  private var rows: [PurchaseEventRow] = []
  private var text = IDText()
  private var terms: Interner<PurchaseEventTerms>
  private var times = TimeColumn()
  private var span = TimeSpan()

  init(_ map: ColumnMap) {
    func field(_ name: String) -> Int { map.fields[CompanyTable.events.index(name)] }
    at = field("at")
    stage = field("stage")
    outcome = field("outcome")
    duration = field("duration_ms")
    httpStatus = field("http_status")
    orderID = field("order_id")
    userID = field("user_id")
    transactionID = field("transaction_id")
    appVersion = field("app_version")
    device = field("device")
    server = field("server")
    message = field("message")
    terms = Interner(fields: [stage, outcome, httpStatus, appVersion, device, server, message])
  }

  var pending: Int { rows.count }

  @inline(__always)
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    if isSpoiledID(record[orderID]) { throw spoiledID(record, orderID, "order_id") }
    if isSpoiledID(record[transactionID]) {
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

  /// Whole milliseconds, rounded where a clock counts parts of them.
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
        duration, "value", "duration_ms is not a possible duration of a step: \(shown(bytes))",
        help: "write milliseconds in plain digits, at most 24 days of them")
    }
    return value
  }

  @inline(never)
  private mutating func newTerms(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    let stage = try record.requiredText(stage, "stage")
    let lowercased = stage.lowercased()
    let outcome = try record.word(
      outcome, "outcome", allowed: EventOutcome.allCases.map(\.name), { EventOutcome(name: $0) })
    guard let outcome else { throw record.blankDiagnostic(self.outcome, "outcome") }
    let status = try record.count(httpStatus, "http_status", atLeast: 0)
    guard status ?? 0 < 1_000_000 else {
      throw RecordDiagnostic(
        httpStatus, "value", "http_status has more than six digits: \(shown(record[httpStatus]))",
        help: "write the status of the answer, like 200 or 503")
    }
    let value = PurchaseEventTerms(
      stage: PurchaseEventTerms.stages.contains(lowercased) ? lowercased : stage,
      outcome: outcome, httpStatus: status.map { Int32($0) }, appVersion: record.text(appVersion),
      device: record.text(device), server: record.text(server), message: record.text(message))
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
