internal import Billing

/// Reads purchases that were matched and counted elsewhere.
struct UnitCountsReader: RowReader {
  private let counted: Int
  private let at: Int
  private let count: Int
  private let seconds: Int
  private let name: Int
  private let orders: ListedColumns<OrderTerms>
  private let transactions: ListedColumns<TransactionTerms>

  private var rows: [PurchaseCountRow] = []
  private var text = IDText()
  private var orderTerms: Interner<OrderTerms>
  private var transactionTerms: Interner<TransactionTerms>
  private var times = TimeColumn()
  private var handedOver: HandedOver
  private var things: [CountedThing: Int64] = [:]

  /// - Parameter map: where the file has the columns of the table.
  init(_ map: ColumnMap, storefronts: StorefrontLookup) {
    /// The file's field of a column; −1 where it has none.
    func field(_ name: String) -> Int { map.fields[CompanyTable.unitCounts.index(name)] }
    counted = field("counted")
    at = field("at")
    count = field("count")
    seconds = field("seconds")
    name = field("name")
    handedOver = HandedOver(field(CompanyTable.countedPeriod))
    orders = ListedColumns(storefronts, prefix: "order_", field: field)
    transactions = ListedColumns(storefronts, prefix: "transaction_", field: field)
    orderTerms = Interner(fields: orders.fields)
    transactionTerms = Interner(fields: transactions.fields)
  }

  var pending: Int { rows.count }

  /// Reads a row: how many purchases, orders or transactions of one sort Spark counted at a time.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    try handedOver.read(record)
    guard !handedOver.period.isEmpty else {
      throw RecordDiagnostic(
        nil, "value", "@company.counted-period-is-blank", help: "@company.every-row-needs-a-counted"
      )
    }
    let thing = try record.word(
      counted, "counted", allowed: CountedThing.allCases.map(\.name), { CountedThing(name: $0) })
    guard let thing else { throw record.blankDiagnostic(counted, "counted") }
    guard let at = try times.read(record, at, "at") else { throw record.blankDiagnostic(at, "at") }
    let least: Int64 = thing == .user || thing == .asked ? 0 : 1
    guard let count = try record.count(count, "count", atLeast: least) else {
      throw record.blankDiagnostic(count, "count")
    }
    guard let small = Int32(exactly: count), small <= Self.mostPurchases else {
      throw RecordDiagnostic(
        self.count, "value", "@company.count-is-not-a-possible \(count)",
        help: "@company.no-quarter-hour-has-so")
    }
    var row = PurchaseCountRow(line: record.line, counted: thing, at: at, count: Int64(small))
    switch thing {
    case .sold:
      row.terms = try code(record, \.orderTerms, orders.terms)
      row.transactionTerms = try code(record, \.transactionTerms, transactions.terms)
    case .fulfilled: row.seconds = try wholeSeconds(record)
    case .user: row.name = try name(record)
    case .asked:
      row.name = try name(record)
      row.seconds = try wholeSeconds(record)
    case .placed, .bought, .handedOrders, .handedTransactions: break
    }
    things[thing, default: 0] += row.count
    rows.append(row)
    return 1
  }

  /// The row's seconds, such as those of a delay; throws a diagnostic when they are no number, or
  /// over ten years.
  private func wholeSeconds(_ record: Record) throws(RecordDiagnostic) -> Int64 {
    let bytes = trimmed(record[seconds])
    guard let delay = wholeNumber(bytes), abs(delay) < Self.mostSeconds else {
      throw RecordDiagnostic(
        seconds, "value", "@company.seconds-is-not-a-whole \(shown(bytes))",
        help: "@company.write-the-seconds")
    }
    return delay
  }

  /// The row's name, kept among the ids; throws a diagnostic when it is blank.
  private mutating func name(_ record: Record) throws(RecordDiagnostic) -> TextSlice {
    if trimmed(record[name]).isEmpty { throw record.blankDiagnostic(name, "name") }
    return text.add(record[name])
  }

  /// More than any product sells in a quarter hour.
  private static let mostPurchases: Int32 = 10_000_000
  /// Ten years.
  private static let mostSeconds: Int64 = 315_360_000

  /// The code, from 1 on, of the terms that the record has on one side.
  ///
  /// - Parameters:
  ///   - path: where the terms of that side are kept.
  ///   - read: reads terms that were not met before.
  private mutating func code<Terms>(
    _ record: Record, _ path: WritableKeyPath<Self, Interner<Terms>>,
    _ read: (Record) throws(RecordDiagnostic) -> Terms
  ) throws(RecordDiagnostic) -> Int32 {
    let known = self[keyPath: path].find(record)
    if known >= 0 { return known + 1 }
    let terms = try read(record)
    return self[keyPath: path].insert(terms, for: record) + 1
  }

  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .unitCounts(rows))
    block.text = text.take()
    block.newOrderTerms = orderTerms.takeFresh()
    block.newTransactionTerms = transactionTerms.takeFresh()
    if orderTerms.isFull { orderTerms.forgetAll() }
    if transactionTerms.isFull { transactionTerms.forgetAll() }
    rows = []
    return block
  }

  /// How many purchases and handed-over rows there are. The days that they stand for are the
  /// period's, whatever days have purchases.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    let period = Period(handedOver.period)
    var summary = RowSummary(begin: period?.first, end: period?.last)
    summary.countedPeriod = handedOver.period
    summary.tallies = [
      Tally(
        what: "@company.purchases-counted", one: "@company.purchase-counted", count: total(.sold)),
      Tally(
        what: "@company.orders-handed-over-as-rows", one: "@company.order-handed-over",
        count: total(.handedOrders)),
      Tally(
        what: "@company.transactions-handed-over-as-rows", one: "@company.transaction-handed-over",
        count: total(.handedTransactions)),
    ]
    return summary
  }

  /// What all rows of one sort add up to.
  private func total(_ thing: CountedThing) -> Int { Int(things[thing] ?? 0) }
}
