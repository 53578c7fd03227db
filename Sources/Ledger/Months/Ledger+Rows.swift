package import Billing
import GRDB
import Synchronization

/// A row as a finding shows it.
package struct ResolvedRow<Table>: Hashable, Sendable {
  package var row: RowID<Table>
  /// The order's or the transaction's id.
  package var id: String
  /// Empty when not said.
  package var user: String
  package var source: Source
}

extension Ledger {
  /// Orders placed outside the range whose id is one of `keys`, or that name one of
  /// `transactions`; ascending by row. Keys may come in any order and more than once. Where a key
  /// is a hash, the texts are for the caller to compare.
  package func orders(
    keys: [IDKey], claiming transactions: [IDKey], outside: ClosedRange<Instant>
  ) throws -> [OrderEntry] {
    let (keys, transactions) = (Self.searchable(keys), Self.searchable(transactions))
    return try read { db in
      let found = try Self.orders(keys: keys, claiming: transactions, outside: outside, db)
      try note(found.map(\.row.number), of: .orders, db)
      return found
    }
  }

  /// Transactions purchased outside the range whose id is one of `keys`, or that name one of
  /// `orders`; as `orders(keys:claiming:outside:)`.
  package func transactions(
    keys: [IDKey], claiming orders: [IDKey], outside: ClosedRange<Instant>
  ) throws -> [TransactionEntry] {
    let (keys, orders) = (Self.searchable(keys), Self.searchable(orders))
    return try read { db in
      let found = try Self.transactions(keys: keys, claiming: orders, outside: outside, db)
      try note(found.map(\.row.number), of: .transactions, db)
      return found
    }
  }

  /// Transactions by row, in their order.
  package func transactions(rows: [TransactionRow.ID]) throws -> [TransactionEntry] {
    try read { try Self.transactions(rows: rows, $0) }
  }

  /// What `link` makes of each transaction, with its details, of subscription chains that begin
  /// with one of `originals`: of those purchased in the first range and not in the second;
  /// ascending by row.
  package func chainTransactions<Link>(
    _ originals: [IDKey], purchased: ClosedRange<Instant>, outside: ClosedRange<Instant>,
    _ link: (TransactionEntry, TransactionDetail) -> Link
  ) throws -> [Link] {
    let originals = Self.searchable(originals)
    return try read { db in
      var rows: [Int32] = []
      let found = try Self.chainTransactions(
        originals, purchased: purchased, outside: outside, db
      ) { entry, detail in
        rows.append(entry.row.number)
        return link(entry, detail)
      }
      try note(rows, of: .transactions, db)
      return found
    }
  }

  /// The SHA-256 of the files whose rows were looked up by their ids, whatever days the files are
  /// of: what was concluded rests on them too.
  package func lookedUpFiles() throws -> Set<String> {
    let files = lookedUp.withLock { $0 }
    return try read { db in
      let known = try Row.fetchAll(db, sql: "SELECT id, sha256 FROM source")
      return Set(known.lazy.filter { files.contains($0[0]) }.map { $0[1] as String })
    }
  }

  /// Notes that the files of these rows were looked up by ids, for ``lookedUpFiles()``.
  ///
  /// - Parameter rows: ascending.
  private func note(_ rows: [Int32], of tables: BlockTables, _ db: Database) throws {
    guard !rows.isEmpty else { return }
    var files: Set<Int64> = []
    var next = 0
    let blocks = try RawStatement(
      db,
      "SELECT first_row, last_row, source_id FROM \(tables.table.blocks) ORDER BY first_row")
    while next < rows.count, try blocks.step() {
      while next < rows.count, Int64(rows[next]) < blocks.int64(0) { next += 1 }
      guard next < rows.count, Int64(rows[next]) <= blocks.int64(1) else { continue }
      files.insert(blocks.int64(2))
      while next < rows.count, Int64(rows[next]) <= blocks.int64(1) { next += 1 }
    }
    lookedUp.withLock { [files] in $0.formUnion(files) }
  }

  /// The raw keys of ids, ascending, each once, without that of no id.
  private static func searchable(_ keys: [IDKey]) -> [UInt64] {
    keys.filter { !$0.isNone }.map(\.raw).sortedOnce()
  }

  /// The users and app account tokens of order rows, in their order.
  ///
  /// - Precondition: `rows` are ascending and in the ledger, as for all functions here on `rows`.
  package func orderDetails(_ rows: [OrderRow.ID]) throws -> [OrderDetail] {
    try read { try Self.orderDetails(rows, $0) }
  }

  /// Details of transaction rows, which ascend and are in the ledger, in their order.
  package func transactionDetails(_ rows: [TransactionRow.ID]) throws -> [TransactionDetail] {
    try read { db in
      guard rows.count > 65_536 else { return try Self.transactionDetails(rows, db) }
      let (first, second) = (rows[..<(rows.count / 2)], rows[(rows.count / 2)...])
      var all: [TransactionDetail]
      let rest: [TransactionDetail]
      (all, rest) = try readBoth(
        db, { try Self.transactionDetails(Array(first), room: second.count, $0) },
        { try Self.transactionDetails(Array(second), $0) })
      all += rest
      return all
    }
  }

  /// When Apple reported each of these transaction rows, which ascend; ascending by row. The
  /// company's own rows, which Apple did not report, are left out.
  package func observations(_ rows: [TransactionRow.ID]) throws -> [TransactionObservation] {
    try read { try Self.observations(rows, $0) }
  }

  /// Ids, users, files and lines of order rows, in their order.
  package func resolveOrders(_ rows: [OrderRow.ID]) throws -> [ResolvedRow<OrderRow>] {
    try read { try Self.resolve(rows, .orders, id: "order_id", $0) }
  }

  /// For each of these order rows, which ascend, its texts in ``OrderTerms/sheetColumns``: the
  /// columns of orders in the workbook's sheet of the rows that findings show.
  package func orderCells(_ rows: [OrderRow.ID]) throws -> [[String]] {
    try read { db in
      var terms: [Int32] = []
      try forEachRow(rows, db, "terms_id", from: .orders) { terms.append($0.int32(1) - 1) }
      let texts = try TermsDictionary<OrderTerms>.entries(Set(terms), db).mapValues { terms in
        OrderTerms.sheetColumns.map { $0.text(of: terms) }
      }
      return terms.map { texts[$0]! }
    }
  }

  /// Ids, users, files and lines of transaction rows, in their order.
  package func resolveTransactions(
    _ rows: [TransactionRow.ID]
  ) throws -> [ResolvedRow<TransactionRow>] {
    try read { try Self.resolve(rows, .transactions, id: "transaction_id", $0) }
  }

  /// Orders, users, files and lines of movements of coins, in their order.
  package func resolveMovements(
    _ rows: [CoinMovementRow.ID]
  ) throws -> [ResolvedRow<CoinMovementRow>] {
    try read { try Self.resolve(rows, .coinMovements, id: "order_id", $0) }
  }

  /// Coins, users, files and lines of balances, in their order.
  package func resolveBalances(_ rows: [CoinBalance.ID]) throws -> [ResolvedRow<CoinBalance>] {
    try read { try Self.resolve(rows, .coinBalances, id: "coin", $0) }
  }

  /// The id that the chain of each transaction row began with, by row; the transaction's own where
  /// it names no other.
  package func originals(_ rows: [TransactionRow.ID]) throws -> [TransactionRow.ID: String] {
    try read { db in
      var originals: [TransactionRow.ID: String] = [:]
      let columns = "original_transaction_id, transaction_id"
      try forEachRow(rows, db, columns, from: .transactions) { row in
        let original = row.text(1)
        originals[row.id()] = original.isEmpty ? row.text(2) : original
      }
      return originals
    }
  }

  /// Files and lines of sales rows, in their order.
  package func resolveSales(_ rows: [SalesRow.ID]) throws -> [(row: SalesRow.ID, source: Source)] {
    try read { try Self.places(rows, .sales, $0) }
  }

  /// The file and the line of each of `rows`, which ascend, in their order.
  static func places<Table>(
    _ rows: [RowID<Table>], _ table: FactRowTable<Table>, _ db: Database
  ) throws -> [(row: RowID<Table>, source: Source)] {
    let files = try FileOfRow(table, holding: rows, db)
    var places: [(row: RowID<Table>, source: Source)] = []
    try forEachRow(rows, db, "line", from: table) { row in
      places.append((row.id(), files.source(row.id(), line: row.int32(1))))
    }
    return places
  }

  /// The id, user, file and line of each of `rows`, which ascend, in their order.
  ///
  /// - Parameter id: the column that has the id.
  private static func resolve<Table>(
    _ rows: [RowID<Table>], _ table: FactRowTable<Table>, id: String, _ db: Database
  ) throws -> [ResolvedRow<Table>] {
    let files = try FileOfRow(table, holding: rows, db)
    var resolved: [ResolvedRow<Table>] = []
    resolved.reserveCapacity(rows.count)
    try forEachRow(rows, db, "\(id), user_id, line", from: table) { row in
      resolved.append(
        ResolvedRow(
          row: row.id(), id: row.text(1), user: row.text(2),
          source: files.source(row.id(), line: row.int32(3))))
    }
    return resolved
  }
}

/// Which file each row of a table came from.
struct FileOfRow<Table> {
  /// Ascending by first row.
  private(set) var files: [(firstRow: RowID<Table>, name: String)] = []

  /// Reads where the rows of each file begin.
  ///
  /// - Throws: `StrangeValue` where one of `rows` is of no file.
  init(_ table: FactRowTable<Table>, holding rows: [RowID<Table>] = [], _ db: Database) throws {
    let select = try RawStatement(
      db,
      """
      SELECT first_row, file FROM source WHERE kind IN (\(table.kindList)) AND first_row IS NOT NULL
      ORDER BY first_row
      """)
    while try select.step() {
      let span: ClosedRange<Int32> = try select.rows(0, 0)
      files.append((RowID(span.lowerBound), select.text(1)))
    }
    if let first = rows.min(), files.first.map({ $0.firstRow > first }) ?? true {
      throw StrangeValue("row \(first.number) is of no file")
    }
  }

  /// The file that a row came from, with the row's line.
  func source(_ row: RowID<Table>, line: Int32) -> Source {
    let next = files.partitioningIndex { $0.firstRow > row }
    precondition(next > 0, "every row came from a file")
    return Source(file: files[next - 1].name, line: Int(line))
  }
}
