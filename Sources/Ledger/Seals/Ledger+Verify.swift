package import Billing
import GRDB
import GRDBSQLite

/// What reading a ledger from end to end found wrong with it.
package struct LedgerCheck: Sendable {
  /// Pages of the file.
  package var pages = 0
  /// Whether each has a seal; a ledger that was made before there were seals has none.
  package var hasSeals = false
  /// What is wrong, worst first; empty for a sound ledger.
  package var problems: [Wording] = []

  /// Pages, and complaints of SQLite, that are named one by one.
  static let named = 5

  package init() {}
}

extension Ledger {
  /// Whether the pages of the ledger have seals.
  package func hasSeals() throws -> Bool { try read(Self.hasSeals) }

  private static func hasSeals(_ db: Database) throws -> Bool {
    try Int32.fetchOne(db, sql: "PRAGMA application_id") == Schema.sealedID
  }

  /// Reads everything in the ledger's one state and holds it against what else tells it: pages
  /// against their seals, indexes against tables, rows against the files that brought them, keys of
  /// ids against the rows that have them.
  ///
  /// - Throws: `LedgerError` where the ledger cannot be opened at all.
  package func check() throws -> LedgerCheck {
    try read { db in
      var check = LedgerCheck()
      check.hasSeals = try Self.hasSeals(db)
      let broken: [Int]
      (check.pages, broken) = SealedFile.brokenPages(db.sqliteConnection)
      for page in broken.prefix(LedgerCheck.named) {
        check.problems.append("@seals.page-is-not-what \(page)")
      }
      let more = broken.count - LedgerCheck.named
      if more > 0 {
        check.problems.append(
          counted(more, "@seals.1-more-page-is-not") {
            "@seals.more-pages-are-not-what \($0)"
          })
      }
      for part in [
        Self.structure, Self.rowsByFile, Self.termsOfRows, Self.keysOfRows, Self.textsOfFindings,
      ] {
        do { check.problems += try part(db) } catch let error as DatabaseError {
          // One page that cannot be read stops a part in its middle.
          let reason = LedgerError(error, path: path).message
          if !check.problems.contains(reason) { check.problems.append(reason) }
        }
      }
      return check
    }
  }

  /// SQLite's own check of trees, indexes and references.
  private static func structure(_ db: Database) throws -> [Wording] {
    let said = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(LedgerCheck.named))")
    let references = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
    return said.filter { $0 != "ok" }.map { "@shared.sqlite \(String($0.prefix(200)))" }
      + Set(references.map { $0[0] as String }).sorted().map {
        "@seals.rows-of-refer-to-entries \($0)"
      }
  }

  /// Rows by the million stand under the numbers that their file has of them.
  private static func rowsByFile(_ db: Database) throws -> [Wording] {
    var problems: [Wording] = []
    let named = try tablesByFile(db)
    let sources = try RawStatement(
      db,
      """
      SELECT kind, file, first_row, last_row FROM source
      WHERE first_row IS NOT NULL ORDER BY id
      """)
    while try sources.step() {
      guard let kind = InputKind(rawValue: sources.text(0)), !named.contains(kind.table) else {
        continue
      }
      let (first, last) = (sources.int64(2), sources.int64(3))
      let found = try Int64.fetchOne(
        db, sql: "SELECT count(*) FROM \(kind.table) WHERE id BETWEEN ? AND ?",
        arguments: [first, last])
      if found != last - first + 1 {
        problems.append("@seals.has-other-rows-than \(sources.text(1))")
      }
    }
    for table in [
      SalesRow.tableName, OrderRow.tableName, TransactionRow.tableName, PurchaseEventRow.tableName,
      PurchaseCountRow.tableName,
    ] {
      let kinds = InputKind.sharing(table: table).map { "'\($0.rawValue)'" }
      let (rows, told) = try (
        Int64.fetchOne(db, sql: "SELECT count(*) FROM \(table)"),
        Int64.fetchOne(
          db,
          sql: """
            SELECT ifnull(sum(last_row - first_row + 1), 0) FROM source
            WHERE first_row IS NOT NULL AND kind IN (\(kinds.joined(separator: ", ")))
            """)
      )
      if rows != told { problems.append("@seals.has-rows-of-no-file \(table)") }
    }
    let runs = try Row.fetchAll(
      db,
      sql: """
        SELECT r.period FROM finding_run r WHERE r.end_finding - r.first_finding <> (
          SELECT count(*) FROM finding f
          WHERE f.number >= r.first_finding AND f.number < r.end_finding)
        """)
    return problems
      + runs.map {
        "@seals.some-of-the-findings-recorded \($0[0] as String)"
      }
  }

  /// The texts of recorded findings, and of what to do about them, can be read.
  private static func textsOfFindings(_ db: Database) throws -> [Wording] {
    let texts = try RawStatement(
      db, "SELECT wording FROM finding UNION ALL SELECT wording FROM finding_action")
    var strange: Int64 = 0
    while try texts.step() {
      if StoredWording.wording(texts.text(0)) == nil { strange += 1 }
    }
    guard strange > 0 else { return [] }
    return [
      counted(strange, "@seals.1-text-of-recorded-findings") {
        "@seals.texts-of-recorded-findings \($0)"
      }
    ]
  }

  /// Each row names terms that are there.
  private static func termsOfRows(_ db: Database) throws -> [Wording] {
    try dictionaries(db).compactMap { row, column, dictionary in
      // Counts of moments and users have no terms.
      let isSaid = row == PurchaseCountRow.tableName ? " AND r.\(column) <> 0" : ""
      let lost = try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM \(row) r LEFT JOIN \(dictionary) d ON d.id = r.\(column)
            WHERE d.id IS NULL\(isSaid))
          """)
      return lost == true ? "@seals.rows-of-refer-to-entries \(row)" : nil
    }
  }

  /// Columns of rows that name an entry of a dictionary.
  private static func dictionaries(
    _ db: Database
  ) throws -> [(row: String, column: String, dictionary: String)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT m.name, c.name, d.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
          JOIN sqlite_master d ON d.name = CASE
            WHEN c.name IN ('terms_id', 'product_id', 'condition_id')
              THEN replace(m.name, '_row', '') || '_' || replace(c.name, '_id', '')
            WHEN c.name IN ('order_terms_id', 'transaction_terms_id')
              THEN replace(c.name, '_id', '')
            END
        WHERE m.type = 'table' AND m.name LIKE '%\\_row' ESCAPE '\\'
        ORDER BY m.name, c.cid
        """
    ).map { ($0[0], $0[1], $0[2]) }
  }

  /// Ids are found by keys that lie apart from the rows: both must tell the same.
  private static func keysOfRows(_ db: Database) throws -> [Wording] {
    var told: [String: UInt64] = [:]
    var problems: [Wording] = []
    let pages = try RawStatement(
      db,
      """
      SELECT r.key, p.entries FROM id_run r JOIN id_page p
        ON p.id BETWEEN r.first_page AND r.first_page + length(r.fences) / 8 - 1
      ORDER BY r.id, p.id
      """)
    while try pages.step() {
      for entry in IDPage.decode(pages.bytes(1)) {
        told[pages.text(0), default: 0] &+= digest(entry.key, Int64(entry.row))
      }
    }
    for column in IDColumn.allCases {
      var seen: UInt64 = 0
      try scan(db, "id, \(column.sql)", "FROM \(column.table)", [[]]) { row in
        let key = row.key(1)
        if !key.isNone { seen &+= digest(key.raw, row.int64(0)) }
      }
      if seen != told[column.rawValue, default: 0] {
        problems.append("@seals.keys-of-are-not \(column.table) \(column.rawValue)")
      }
    }
    return problems
  }

  private static func digest(_ key: UInt64, _ row: Int64) -> UInt64 {
    withUnsafeBytes(of: (key, row)) { xxHash64($0, seed: 0) }
  }

  /// The product whose price list a file is; nil for any other file.
  package func listedProduct(ofSHA256 sha256: String) throws -> String? {
    try read { db in
      let select = try RawStatement(
        db,
        """
        SELECT t.tier FROM tier t JOIN source s ON s.id = t.source_id WHERE s.sha256 = ? LIMIT 1
        """)
      select.bind(sha256, at: 1)
      guard try select.step() else { return nil }
      let end = TierPrice.ownTier(of: "")
      let tier = select.text(0)
      return tier.hasSuffix(end) ? String(tier.dropLast(end.count)) : nil
    }
  }

  /// Digests of all that was read from each file, whatever numbers its rows and terms have here, by
  /// the SHA-256 of the files.
  package func factsDigests() throws -> [String: UInt64] {
    try read { db in
      var sources: [Int64: (sha256: String, table: String, rows: [Int64])] = [:]
      let select = try RawStatement(
        db, "SELECT id, sha256, kind, first_row, last_row FROM source ORDER BY id")
      while try select.step() {
        guard let kind = InputKind(rawValue: select.text(2)) else { continue }
        let rows = select.isNull(3) ? [] : [select.int64(3), select.int64(4)]
        sources[select.int64(0)] = (select.text(1), kind.table, rows)
      }
      var digests: [Int64: FactsDigest] = [:]
      let byFile = try Self.tablesByFile(db).filter { !["batch", "id_run"].contains($0) }
      for table in byFile {
        let rows = try RowsInFull(table, "true ORDER BY r.source_id, r.id", "r.source_id", db)
        while try rows.select.step() {
          digests[rows.select.int64(0), default: FactsDigest()].add(rows.select)
        }
        for source in sources.keys { digests[source, default: FactsDigest()].end(table) }
      }
      for (table, named) in Self.tablesByNumber(but: byFile) {
        let rows = try RowsInFull(table, "r.id BETWEEN ? AND ? ORDER BY r.id", "0", db)
        for (source, file) in sources where named == file.table && !file.rows.isEmpty {
          for (index, number) in file.rows.enumerated() {
            rows.select.bind(number, at: Int32(index + 1))
          }
          while try rows.select.step() { digests[source, default: FactsDigest()].add(rows.select) }
          rows.select.reset()
          digests[source, default: FactsDigest()].end(table)
        }
      }
      return Dictionary(
        sources.map { ($1.sha256, digests[$0]?.value ?? 0) }, uniquingKeysWith: { one, _ in one })
    }
  }

  /// Tables whose rows stand under the numbers that a file has of them, and the table of its kind.
  private static func tablesByNumber(but byFile: [String]) -> [(table: String, ofKind: String)] {
    let tables = Set(InputKind.allCases.map(\.table)).subtracting(byFile)
    return tables.sorted().map { ($0, $0) } + [(ExtraRow.tableName, TransactionRow.tableName)]
  }

  /// The rows of a table, terms in full in place of their numbers.
  private struct RowsInFull: ~Copyable {
    let select: RawStatement

    /// - Parameter first: what stands before the columns of a row.
    init(_ table: String, _ condition: String, _ first: String, _ db: Database) throws {
      let known = try Ledger.dictionaries(db).filter { $0.row == table }
      var columns = try Self.columns(table, db).filter { column in
        // Texts of rejected rows are in the language of the one who imported.
        !known.contains { $0.column == column }
          && (table != "reject" || ["line", "topic"].contains(column))
      }.map { "r.\"\($0)\"" }
      var joins = ""
      for (index, part) in known.enumerated() {
        columns += try Self.columns(part.dictionary, db).map { "d\(index).\"\($0)\"" }
        // A row that has no terms says 0.
        joins += " LEFT JOIN \(part.dictionary) d\(index) ON d\(index).id = r.\(part.column)"
      }
      select = try RawStatement(
        db,
        """
        SELECT \(([first] + columns).joined(separator: ", ")) FROM \(table) r\(joins)
        WHERE \(condition)
        """)
    }

    private static func columns(_ table: String, _ db: Database) throws -> [String] {
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM pragma_table_info(?) WHERE name NOT IN ('id', 'source_id') ORDER BY cid
          """, arguments: [table])
    }
  }

  /// Hashes rows in their order.
  private struct FactsDigest {
    private(set) var value: UInt64 = 0
    private var bytes: [UInt8] = []

    mutating func add(_ row: borrowing RawStatement) {
      for column in 1..<row.columnCount { add(row, column) }
      if bytes.count > 1 << 16 { flush() }
    }

    private mutating func add(_ row: borrowing RawStatement, _ column: Int32) {
      guard !row.isNull(column) else {
        bytes.append(0)
        return
      }
      // Text and numbers alike: what tells two values apart is their text and where it ends.
      let text = row.bytes(column)
      withUnsafeBytes(of: UInt32(text.count).littleEndian) { bytes += [1] + $0 }
      bytes += text
    }

    /// The rows of a table end.
    mutating func end(_ table: String) {
      bytes += Array(table.utf8)
      flush()
    }

    private mutating func flush() {
      while bytes.count % 8 != 0 { bytes.append(0) }
      value = bytes.withUnsafeBytes { xxHash64($0, seed: value) }
      bytes.removeAll(keepingCapacity: true)
    }
  }

  /// Copies a ledger without seals to a new one with them, while others read it.
  ///
  /// - Parameter path: of a file that is not there, with the ending ``unfinishedCopy``.
  package static func sealedCopy(of ledger: String, to path: String) throws {
    // Says what is wrong with the ledger, and brings it up to date.
    _ = try Ledger(path: ledger, mode: .snapshot())
    do {
      let queue = try DatabaseQueue(path: ledger)
      try queue.writeWithoutTransaction { db in
        var room = Int32(PageSeal.size)
        _ = sqlite3_file_control(
          db.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &room)
        try db.execute(sql: "VACUUM INTO ?", arguments: [path])
      }
      try queue.close()
      let copy = try DatabaseQueue(path: path)
      try copy.writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA application_id = \(Schema.sealedID)")
      }
      try copy.close()
    } catch let error as DatabaseError {
      throw LedgerError(error, path: ledger)
    }
  }

  /// How the name of a copy ends while it is made.
  package static let unfinishedCopy = SealedFile.unfinished
}

extension IDColumn {
  fileprivate var table: String {
    switch self {
    case .order, .orderTransaction: OrderRow.tableName
    case .transaction, .transactionOrder, .chain: TransactionRow.tableName
    case .eventOrder, .eventTransaction: PurchaseEventRow.tableName
    }
  }

  /// The id that the run has of a row.
  fileprivate var sql: String {
    switch self {
    case .order, .transactionOrder, .eventOrder: "order_id"
    case .orderTransaction, .transaction, .eventTransaction: "transaction_id"
    case .chain:
      """
      CASE WHEN web_order_line_item_id IS NULL AND expires_at IS NULL THEN NULL
        WHEN original_transaction_id IS NULL OR original_transaction_id = '' THEN transaction_id
        ELSE original_transaction_id END
      """
    }
  }
}
