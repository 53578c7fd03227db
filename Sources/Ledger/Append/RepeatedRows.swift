package import Billing
import GRDB

/// What rows of a file say of ids that the ledger, or the file itself, had before.
package struct RepeatedRows: Sendable {
  /// Rows that say what an earlier row says, word for word.
  package fileprivate(set) var unchanged = 0
  /// Orders that got further, or of which more is said now.
  package fileprivate(set) var progressed = 0
  /// Orders of which an earlier row says another thing.
  package fileprivate(set) var conflicting = 0
  /// Rows of the file that name an order of a row before, and another product: lines of one order.
  package fileprivate(set) var lines = 0
  /// The first of those.
  package fileprivate(set) var conflicts: [Conflict] = []
  /// Every row of the file was there before, and the file has rows.
  package internal(set) var isWhole = false
  /// Movements of coins that the file itself repeats.
  package internal(set) var movements = RepeatedMovements()

  package init() {}

  /// An order of which something else is said than before.
  package struct Conflict: Sendable {
    package var order: String
    package var line: Int
    /// Where the earlier row stands.
    package var before: Source
    /// The columns that differ.
    package var columns: [String]
  }

  static let namedConflicts = 5
}

/// Compares the rows of a file with earlier ones of the same ids and about the same time: only runs
/// of ids are looked at whose times touch, so that a month costs what a month has.
struct RepeatSearch {
  private(set) var found = RepeatedRows()
  private let column: IDColumn
  private var orderTerms: [Int64: OrderTerms] = [:]
  /// Whether all rows may have been there before, as far as that was looked for.
  private var mayBeWhole = true
  private let isPurchases: Bool
  /// The first row of the run that is compared; rows before it are earlier ones.
  private var ownRows: Int32 = .max

  /// Rows of Apple's words that are looked at before all are: its receipts tell of many months, and
  /// most of them something new.
  private static let sample = 64

  /// Begins a search for a file of this kind; nil for kinds whose rows have no ids of their own.
  init?(_ kind: InputKind) {
    switch kind {
    case .orders: column = .order
    case .transactions, .receipts, .notifications, .history:
      column = .transaction
    default: return nil
    }
    isPurchases = kind.isPurchases
  }

  /// Compares pairs of orders' rows of the same id, in the order of the newer ones, and returns
  /// what they repeat.
  static func orders(_ pairs: [(old: Int32, new: Int32)], _ db: Database) throws -> RepeatedRows {
    guard var search = RepeatSearch(.orders) else { return RepeatedRows() }
    try search.compareOrders(pairs, db)
    return search.found
  }

  /// Compares the rows of a run with earlier ones of the same ids, and adds to ``found`` what they
  /// repeat.
  ///
  /// - Precondition: the run's rows are in the ledger, the run itself is not.
  mutating func compare(_ run: IDRun, _ db: Database) throws {
    guard run.column == column, mayBeWhole else { return }
    ownRows = run.entries.lazy.map(\.row).min() ?? .max
    if isPurchases, try !isKnown(run, db) {
      mayBeWhole = false
      return
    }
    let pairs = try pairs(run, db)
    if pairs.isEmpty { return }
    if column == .order {
      try compareOrders(pairs, db)
    } else {
      try compareTransactions(pairs, db)
    }
  }

  /// Whether about ``sample`` rows of a run, evenly spread over it, all say word for word what
  /// earlier rows do.
  private func isKnown(_ run: IDRun, _ db: Database) throws -> Bool {
    var few = run
    let step = max(run.entries.count / Self.sample, 1)
    few.entries = stride(from: 0, to: run.entries.count, by: step).map { run.entries[$0] }
    var trial = self
    try trial.compareTransactions(pairs(few, db), db)
    return trial.found.unchanged - found.unchanged == few.entries.count
  }

  /// Pairs of rows that have the same id: each row of the run with the one before it; in the order
  /// of the newer ones.
  private func pairs(_ run: IDRun, _ db: Database) throws -> [(old: Int32, new: Int32)] {
    var pairs: [(old: Int32, new: Int32)] = []
    let entries = run.entries
    for index in entries.indices.dropFirst() where entries[index].key == entries[index - 1].key {
      pairs.append((entries[index - 1].row, entries[index].row))
    }
    for old in try IDLookup.last(column, of: entries, span: run.span, db) {
      let first = entries.partitioningIndex { $0.key >= old.key }
      pairs.append((old.row, entries[first].row))
    }
    return pairs.sorted { $0.new < $1.new }
  }

  /// Adds to `found.unchanged` how many of these pairs of transaction rows, which have the same id,
  /// agree in all terms and columns.
  private mutating func compareTransactions(
    _ pairs: [(old: Int32, new: Int32)], _ db: Database
  ) throws {
    let columns = [
      "purchased_at", "revoked_at", "transaction_id", "order_id", "original_transaction_id",
      "web_order_line_item_id", "expires_at", "user_id", "app_account_token", "told_at",
    ]
    try ToldRows.forEach(pairs, columns, from: .transactions, db) { _, old, new in
      guard old.values == new.values else { return }
      if try areSame(old.terms, new.terms, TransactionTerms.self, db) { found.unchanged += 1 }
    }
  }

  /// Whether two ids of a dictionary stand for equal terms: in a large one equal terms may have
  /// several ids.
  private func areSame<Terms: DictionaryEntry>(
    _ old: Int64, _ new: Int64, _: Terms.Type, _ db: Database
  ) throws -> Bool {
    try old == new
      || Terms.select("WHERE id = ?", old, in: db) == Terms.select("WHERE id = ?", new, in: db)
  }

  /// Adds to ``found`` which of the newer rows of orders repeat, continue or contradict the older
  /// ones.
  private mutating func compareOrders(
    _ pairs: [(old: Int32, new: Int32)], _ db: Database
  ) throws {
    let columns = [
      "order_id", "placed_at", "transaction_id", "user_id", "fulfilled_at", "paid_at",
      "app_account_token",
    ]
    try ToldRows.forEach(pairs, columns, from: .orders, db) { pair, old, new in
      guard old.value(0) == new.value(0) else { return }
      if old.values == new.values, try areSame(old.terms, new.terms, OrderTerms.self, db) {
        found.unchanged += 1
        return
      }
      var names = try differing(old.terms, new.terms, db)
      for column in 1...3 where old.differs(from: new, column) { names.append(columns[column]) }
      if names.isEmpty {
        found.progressed += 1
        return
      }
      found.conflicting += 1
      if names.first == "sku", pair.old >= ownRows { found.lines += 1 }
      if found.conflicts.count < RepeatedRows.namedConflicts {
        let select = try RawStatement(
          db, "SELECT order_id, line FROM order_row WHERE id = ?", pair.new)
        guard try select.step() else { return }
        found.conflicts.append(
          RepeatedRows.Conflict(
            order: select.text(0), line: Int(select.int64(1)), before: try place(of: pair.old, db),
            columns: names))
      }
    }
  }

  /// The columns in which two entries of the terms of orders, by their ids, contradict each other.
  /// The status is not compared, because it goes on; what only one of them says is no
  /// contradiction.
  private mutating func differing(_ old: Int64, _ new: Int64, _ db: Database) throws -> [String] {
    if old == new { return [] }
    let (a, b) = (try terms(old, db), try terms(new, db))
    /// Whether both say something, and not the same.
    func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
      left != nil && right != nil && left != right
    }
    /// The text; nil where it is empty.
    func unlessEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
    return [
      ("sku", a.sku != b.sku), ("quantity", a.quantity != b.quantity),
      ("unit_price", differ(a.unitPrice, b.unitPrice)),
      ("currency", differ(a.currency, b.currency)),
      ("storefront", differ(a.storefront, b.storefront)),
      ("bundle_id", differ(unlessEmpty(a.bundleID), unlessEmpty(b.bundleID))),
      ("channel", differ(unlessEmpty(a.channel), unlessEmpty(b.channel))),
      ("coins", differ(a.coins, b.coins)),
    ].filter(\.1).map(\.0)
  }

  /// The terms of orders with this id.
  private mutating func terms(_ id: Int64, _ db: Database) throws -> OrderTerms {
    if let known = orderTerms[id] { return known }
    let terms = try OrderTerms.select("WHERE id = ?", id, in: db)[0]
    if orderTerms.count >= 1 << 16 { orderTerms = [:] }
    orderTerms[id] = terms
    return terms
  }

  /// The file and the line of an order's row; an empty name is the file that is being imported.
  private func place(of row: Int32, _ db: Database) throws -> Source {
    let select = try RawStatement(
      db,
      """
      SELECT r.line, ifnull((SELECT file FROM source WHERE kind = 'orders'
        AND first_row <= r.id AND last_row >= r.id), '') FROM order_row r WHERE r.id = ?
      """, row)
    guard try select.step() else { throw StrangeValue("row \(row) is missing") }
    return Source(file: select.text(1), line: Int(select.int64(0)))
  }

  /// What was found, once all rows of the file were compared.
  ///
  /// - Parameter rows: how many the file has.
  func ended(rows: Int) -> RepeatedRows {
    var all = found
    all.isWhole = rows > 0 && all.unchanged == rows
    return all
  }

  /// What a file of Apple's purchases repeats, once all its rows were compared: all of it where the
  /// ledger had all of it before, else nothing. That some transactions come again is how Apple
  /// reports them, and not said.
  ///
  /// - Parameters:
  ///   - transactions: how many transactions the file has.
  ///   - source: the file's number.
  func endedPurchases(transactions: Int, _ source: Int64, _ db: Database) throws -> RepeatedRows {
    var all = RepeatedRows()
    guard mayBeWhole, found.unchanged == transactions else { return all }
    for (table, columns) in [
      ("message_row", "terms_id, told_at, uuid, order_id, user_id, external_purchase_id"),
      ("renewal_row", "terms_id, told_at, original_transaction_id, grace_expires_at, renews_at"),
    ] {
      let isKnown = try RawStatement(
        db,
        """
        SELECT NOT EXISTS (SELECT \(columns) FROM \(table) WHERE source_id = ?1
          EXCEPT SELECT \(columns) FROM \(table) WHERE source_id < ?1)
        """, source)
      guard try isKnown.step(), isKnown.int64(0) == 1 else { return all }
    }
    all.unchanged = transactions
    all.isWhole = true
    return all
  }

  /// Whether a list of prices was in the ledger before, row for row, in another order or spelling.
  /// Lists may be many and large: each is read once, not each held against all others.
  ///
  /// - Parameters:
  ///   - source: the number of the list's file.
  ///   - known: digests of lists by their files; nil where no list was read yet.
  static func isKnownList(
    _ source: Int64, among known: inout [Int64: Int64]?, _ db: Database
  ) throws -> Bool {
    /// A digest of each list of prices in the ledger, by the number of its file.
    ///
    /// - Parameter condition: SQL of what the number must be, in which ?1 is `source`.
    func digests(_ condition: String) throws -> [Int64: Int64] {
      let columns = TierPrice.columnNames.joined(separator: ", ")
      let select = try RawStatement(
        db,
        """
        SELECT source_id, count(*) + sum(row_digest(\(columns)) & 4294967295) FROM tier
        WHERE source_id \(condition) GROUP BY source_id
        """, source)
      var found: [Int64: Int64] = [:]
      while try select.step() { found[select.int64(0)] = select.int64(1) }
      return found
    }
    let others = try known ?? digests("<> ?1")
    let own = try digests("= ?1")
    known = others.merging(own) { $1 }
    return own[source].map(others.values.contains) ?? false
  }

  /// Whether other files have every row of a small table's file, by its number; false for a kind of
  /// file that is no small table.
  static func isWhole(
    _ kind: InputKind, _ source: Int64, _ db: Database
  ) throws -> Bool {
    let columns: [String]
    switch kind {
    case .products: columns = Product.columnNames
    case .rates: columns = ExchangeRate.columnNames
    case .taxes: columns = TaxOverride.columnNames
    case .commissions: columns = CompanyCommission.columnNames
    case .bank: columns = BankCredit.columnNames
    case .commissionInvoice: columns = CommissionInvoice.columnNames
    case .coinBalances: columns = CoinBalance.columnNames
    case .items: columns = GameItem.columnNames
    default: return false
    }
    let list = columns.joined(separator: ", ")
    let isKnown = try RawStatement(
      db,
      """
      SELECT EXISTS (SELECT 1 FROM \(kind.table) WHERE source_id = ?1)
        AND EXISTS (SELECT 1 FROM source WHERE kind = ?2 AND rows > 0)
        AND NOT EXISTS (
          SELECT \(list) FROM \(kind.table) WHERE source_id = ?1
          EXCEPT SELECT \(list) FROM \(kind.table) WHERE source_id <> ?1)
      """, source, kind.rawValue)
    return try isKnown.step() && isKnown.int64(0) == 1
  }
}

/// Rows as they are compared: their terms, and a word for each value, 0 for nothing. Rows are read
/// block by block: a block that is read for one row alone costs as much as for all of its rows.
private struct ToldRows {
  struct Row {
    fileprivate let words: ArraySlice<UInt64>
    /// The id of its terms.
    var terms: Int64 { Int64(bitPattern: words[words.startIndex]) }
    /// The words of its columns, in their order.
    var values: ArraySlice<UInt64> { words.dropFirst() }
    /// The word (``ToldRows/word(_:)``) of a column, by its index among those that were read.
    func value(_ column: Int) -> UInt64 { words[words.startIndex + 1 + column] }

    /// Whether both rows have something in a column, by its index as above, and not the same.
    func differs(from other: Row, _ column: Int) -> Bool {
      value(column) != 0 && other.value(column) != 0 && value(column) != other.value(column)
    }
  }

  /// Ascending, none twice.
  private let rows: [Int32]
  private let words: [UInt64]
  private let width: Int

  /// Reads, of each of these rows, the id of its terms and a word (``word(_:)``) for its value in
  /// each of `columns`.
  private init<Table>(
    _ rows: [Int32], _ columns: [String], from table: FactRowTable<Table>, _ db: Database
  ) throws {
    let ids = rows.map { RowID<Table>(Int64($0)) }.sortedOnce()
    self.rows = ids.map(\.number)
    let width = columns.count + 1
    let list = (["terms_id"] + columns).joined(separator: ", ")
    var words: [UInt64] = []
    words.reserveCapacity(ids.count * width)
    try forEachRow(ids, db, list, from: table) { row in
      words.append(UInt64(bitPattern: row.int64(1)))
      for column in 2...width { words.append(Self.word(row.cells[column])) }
    }
    (self.words, self.width) = (words, width)
  }

  /// A hash that stands for a cell's value; 0 for nothing alone.
  private static func word(_ cell: ScannedCell) -> UInt64 {
    if cell.isNull { return 0 }
    if cell.isText { return hash64(cell.bytes) | 1 }
    return withUnsafeBytes(of: cell.number) { hash64($0, seed: 1) } | 1
  }

  /// The row with this number, which is one of those that were read.
  private func row(_ row: Int32) -> Row {
    let place = rows.partitioningIndex { $0 >= row }
    return Row(words: words[(place * width)..<((place + 1) * width)])
  }

  private static let pairsAtOnce = 1 << 18

  /// Calls `body` with each pair and what its older and its newer row have in these columns, in the
  /// order of the pairs.
  static func forEach<Table>(
    _ pairs: [(old: Int32, new: Int32)], _ columns: [String], from table: FactRowTable<Table>,
    _ db: Database, _ body: ((old: Int32, new: Int32), Row, Row) throws -> Void
  ) throws {
    for start in stride(from: 0, to: pairs.count, by: pairsAtOnce) {
      let some = pairs[start..<min(start + pairsAtOnce, pairs.count)]
      let old = try ToldRows(some.map(\.old), columns, from: table, db)
      let new = try ToldRows(some.map(\.new), columns, from: table, db)
      for pair in some { try body(pair, old.row(pair.old), new.row(pair.new)) }
    }
  }
}
