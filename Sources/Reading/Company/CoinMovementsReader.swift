internal import Billing

/// More coins than any row tells of; sums of as many as a ledger has room for stay exact.
let mostCoins: Int64 = 1_000_000_000_000

/// The diagnostic of a field with more than ``mostCoins`` coins.
func tooManyCoins(_ record: Record, _ field: Int, _ name: String) -> RecordDiagnostic {
  RecordDiagnostic(
    field, "value", "@company.more-coins-than-a-trillion \(name) \(shown(record[field]))",
    help: "@company.see-whether-coins-are-counted")
}

/// Reads what happened to coins: a row for each event, or sums by day.
struct CoinMovementsReader: RowReader {
  private let date: Int
  private let coins: Int
  private let userID: Int
  private let orderID: Int
  private let transactionID: Int
  private let columns: ListedColumns<CoinMovementTerms>

  private var rows: [CoinMovementRow] = []
  private var text = IDText()
  private var terms: Interner<CoinMovementTerms>
  /// Of each code its movement.
  private var movements: [CoinMovement] = []
  private var times = TimeColumn()
  private var span = TimeSpan()
  /// Coins of all rows, whatever their direction: within a file they stay far from what a number
  /// has room for.
  private var total: Int64 = 0

  /// - Parameter map: where the file has the columns of the table.
  init(_ map: ColumnMap, storefronts: StorefrontLookup) {
    /// The file's field of a column; −1 where it has none.
    func field(_ name: String) -> Int { map.fields[CompanyTable.coinMovements.index(name)] }
    date = field("date")
    coins = field("coins")
    userID = field("user_id")
    orderID = field("order_id")
    transactionID = field("transaction_id")
    columns = ListedColumns(storefronts, field: field)
    terms = Interner(fields: columns.fields)
  }

  var pending: Int { rows.count }

  /// Reads a row: coins that were granted, spent or otherwise moved at a time or on a day.
  @inline(__always)
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    if isSpoiledID(record[userID]) { throw spoiledID(record, userID, "user_id") }
    if isSpoiledID(record[orderID]) { throw spoiledID(record, orderID, "order_id") }
    if isSpoiledTransactionID(record[transactionID]) {
      throw spoiledID(record, transactionID, "transaction_id")
    }
    let (at, isDay) = try moment(record)
    var code = terms.find(record)
    if code < 0 { code = try newTerms(record) }
    let number = try number(record, movements[Int(code &- terms.forgotten)])
    span.add(at.seconds)
    rows.append(
      CoinMovementRow(
        line: record.line, terms: code, at: at, isDay: isDay, coins: number,
        userID: text.add(record[userID]), orderID: text.add(record[orderID]),
        transactionID: text.add(record[transactionID])))
    return 1
  }

  /// When the coins moved: a time, or (true) a day alone, which is that of the company's books.
  @inline(__always)
  private mutating func moment(_ record: Record) throws(RecordDiagnostic) -> (Instant, Bool) {
    let bytes = trimmed(record[date])
    if bytes.count == 10, let day = isoDay(bytes) {
      guard plausibleTimes.contains(day.startUTC.seconds) else {
        throw RecordDiagnostic(
          date, "date", "@row.lies-outside-the-years-2000 \("date") \(shown(bytes))",
          help: "@row.write-iso-8601")
      }
      return (day.startUTC, true)
    }
    guard let at = try times.read(record, date, "date") else {
      throw record.blankDiagnostic(date, "date")
    }
    return (at, false)
  }

  /// The coins of the row; throws a diagnostic when they are no whole number, too many, or below
  /// zero where the movement gives the direction.
  @inline(__always)
  private mutating func number(
    _ record: Record, _ movement: CoinMovement
  ) throws(RecordDiagnostic) -> Int64 {
    let bytes = trimmed(record[coins])
    guard let number = wholeNumber(bytes) else {
      if bytes.isEmpty { throw record.blankDiagnostic(coins, "coins") }
      throw RecordDiagnostic(
        coins, "value", "@company.coins-is-not-a-whole-number \(shown(bytes))",
        help: "@row.write-it-in-plain-digits")
    }
    guard number >= 0 || movement.mayBeNegative else {
      throw RecordDiagnostic(
        coins, "value", "@company.coins-is-below-zero \(shown(bytes))",
        help: "@company.movement-gives-the-direction",
        hint: movement.sign < 0 ? .number(sign: "-", decimal: nil) : nil)
    }
    total += min(abs(number), mostCoins)
    guard abs(number) <= mostCoins, total <= 1000 * mostCoins else {
      throw tooManyCoins(record, coins, "coins")
    }
    return number
  }

  /// Reads and keeps terms that no row before had; returns their code, by which rows name them.
  @inline(never)
  private mutating func newTerms(_ record: Record) throws(RecordDiagnostic) -> Int32 {
    let value = try columns.terms(record)
    movements.append(value.movement)
    return terms.insert(value, for: record)
  }

  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .coinMovements(rows))
    block.text = text.take()
    block.newCoinTerms = terms.takeFresh()
    if terms.isFull {
      terms.forgetAll()
      movements = []
    }
    rows = []
    rows.reserveCapacity(min(block.rowCount, FactBlock.rowLimit))
    return block
  }

  func summary(_ log: ReadingLog) -> RowSummary { RowSummary(begin: span.begin, end: span.end) }
}
