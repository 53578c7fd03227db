package import Billing
import GRDB
import GRDBSQLite

/// What reading a ledger from end to end found wrong with it.
package struct LedgerCheck: Sendable {
  /// Pages of the file.
  package var pages = 0
  /// Blocks of rows that were read.
  package var blocks = 0
  /// What is wrong, worst first; empty for a sound ledger.
  package var problems: [Wording] = []

  /// Complaints of SQLite that are named one by one.
  static let named = 5

  package init() {}
}

extension Ledger {
  /// Reads everything in the ledger's one state and holds it against what else tells it: blocks
  /// against their checksums and against the files that brought them, tables against their digests,
  /// indexes against tables, keys of ids against the rows that have them.
  ///
  /// - Throws: `LedgerError` where the ledger cannot be opened at all.
  package func check() throws -> LedgerCheck {
    try read { db in
      var check = LedgerCheck()
      check.pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      check.blocks = try Self.sources(db).reduce(0) { $0 + Int($1.blocks) }
      for part in [
        Self.structure, Self.contents, Self.termsOfRows, Self.keysOfRows, Self.textsOfFindings,
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

  /// Files with their names and how many blocks each brought.
  private static func sources(
    _ db: Database
  ) throws -> [(id: Int64, file: String, blocks: Int64)] {
    try Row.fetchAll(db, sql: "SELECT id, file, blocks FROM source ORDER BY id")
      .map { ($0[0], $0[1], $0[2]) }
  }

  /// Every block is what was written, every term what was put into its dictionary.
  private static func contents(_ db: Database) throws -> [Wording] {
    var problems: [Wording] = []
    for tables in BlockTables.allCases {
      let table = tables.table
      let select = try RawStatement(db, BlockScan.query(table, "true"))
      var broken: Int64 = 0
      while try select.step() {
        do {
          let content = try BlockScan.content(select, table)
          let starts = ColumnRoom()
          for var column in content.columns {
            try column.prepare(rows: content.rows, in: starts)
          }
        } catch { broken += 1 }
      }
      if broken > 0 { problems.append("@seals.blocks-are-not-what \(table.name) \(broken)") }
    }
    for check in TermsCheck.all {
      do { try check.run(db) } catch let error as DatabaseError {
        problems.append("@shared.sqlite \(error.message ?? "")")
      }
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

  /// The texts of recorded findings, and of what to do about them, can be read, and all that is
  /// kept of a finding is what was recorded.
  private static func textsOfFindings(_ db: Database) throws -> [Wording] {
    let texts = try RawStatement(
      db, "SELECT wording FROM finding UNION ALL SELECT wording FROM finding_action")
    var strange: Int64 = 0
    while try texts.step() {
      if StoredWording.wording(texts.text(0)) == nil { strange += 1 }
    }
    // What cannot be read cannot be held against its digest.
    if strange == 0 { strange = try changedFindings(db) }
    guard strange > 0 else { return [] }
    return [
      counted(strange, "@seals.1-text-of-recorded-findings") {
        "@seals.texts-of-recorded-findings \($0)"
      }
    ]
  }

  /// Each row names terms that are there.
  private static func termsOfRows(_ db: Database) throws -> [Wording] {
    try dictionaries().compactMap { rows, column, dictionary in
      // Counts of moments and users have no terms.
      let least = rows == .counts ? 0 : 1
      let last = try Int64.fetchOne(db, sql: "SELECT ifnull(max(id), 0) FROM \(dictionary)")!
      let lost = try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (
            SELECT 1 FROM \(rows.table.name) WHERE \(column) NOT BETWEEN \(least) AND \(last))
          """)
      return lost == true ? "@seals.rows-of-refer-to-entries \(rows.table.name)" : nil
    }
  }

  /// Columns of rows that name an entry of a dictionary, whose numbers count from 1.
  private static func dictionaries() -> [(rows: BlockTables, column: String, dictionary: String)] {
    BlockTables.allCases.filter { $0 != .resolved }.flatMap { rows in
      let table = rows.table
      return table.columns.compactMap { column in
        let name =
          switch column {
          case "terms_id", "product_id", "condition_id":
            table.name.replacing("_row", with: "") + "_" + column.dropLast(3)
          case "order_terms_id", "transaction_terms_id": String(column.dropLast(3))
          default: String?.none
          }
        return name.map { (rows, column, $0) }
      }
    }
  }

  /// Ids are found by keys that lie apart from the rows: both must tell the same.
  private static func keysOfRows(_ db: Database) throws -> [Wording] {
    var told: [String: UInt64] = [:]
    var problems: [Wording] = []
    let pages = try RawStatement(db, StoredRun.pageQuery)
    let runs = try RawStatement(db, "SELECT \(StoredRun.columns) FROM id_run ORDER BY id")
    while try runs.step() {
      let run = try StoredRun(runs)
      for page in run.fences.indices {
        for entry in try run.entries(ofPage: page, pages) {
          told[runs.text(1), default: 0] &+= digest(entry.key, Int64(entry.row))
        }
      }
    }
    for column in IDColumn.allCases {
      var seen: UInt64 = 0
      let names = column.names
      let rows = try BlockScan(db, names, of: column.tables)
      try rows.forEach(1...Int64(Int32.max)) { row in
        let key = column.key(of: row)
        if !key.isNone { seen &+= digest(key.raw, row.int64(0)) }
      }
      if seen != told[column.rawValue, default: 0] {
        problems.append("@seals.keys-of-are-not \(column.tables.table.name) \(column.rawValue)")
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
        SELECT t.tier FROM tier t JOIN source s ON s.id = t.source_id
        WHERE s.sha256 = ? AND t.tier LIKE ? LIMIT 1
        """)
      let end = TierPrice.ownTier(of: "")
      select.bind(sha256, at: 1)
      select.bind("%" + end, at: 2)
      guard try select.step() else { return nil }
      let tier = select.text(0)
      return tier.hasSuffix(end) ? String(tier.dropLast(end.count)) : nil
    }
  }

  /// Digests of all that was read from each file, whatever numbers its rows and terms have here, by
  /// the SHA-256 of the files.
  package func factsDigests() throws -> [String: UInt64] {
    try read { db in
      var sources: [Int64: String] = [:]
      let select = try RawStatement(db, "SELECT id, sha256 FROM source ORDER BY id")
      while try select.step() { sources[select.int64(0)] = select.text(1) }
      var digests: [Int64: FactsDigest] = [:]
      let named = dictionariesByTable()
      for tables in BlockTables.allCases where tables != .resolved {
        let rows = try RowsInFull(tables.table.name, tables.table.columns, named[tables] ?? [], db)
        while try rows.select.step() {
          digests[rows.select.int64(0), default: FactsDigest()].add(rows.select)
        }
        for source in sources.keys {
          digests[source, default: FactsDigest()].end(tables.table.name)
        }
      }
      // Texts of rejected rows are in the language of the one who imported.
      let rejects = try RowsInFull("reject", ["line", "topic"], [], db)
      while try rejects.select.step() {
        digests[rejects.select.int64(0), default: FactsDigest()].add(rejects.select)
      }
      return Dictionary(
        sources.map { ($1, digests[$0]?.end("reject") ?? 0) }, uniquingKeysWith: { one, _ in one })
    }
  }

  private typealias Named = (column: String, dictionary: String)

  private func dictionariesByTable() -> [BlockTables: [Named]] {
    Dictionary(grouping: Self.dictionaries()) { $0.rows }
      .mapValues { $0.map { ($0.column, $0.dictionary) } }
  }

  /// The rows of a table by the file that brought them, terms in full in place of their numbers.
  private struct RowsInFull: ~Copyable {
    let select: RawStatement

    init(_ table: String, _ columns: [String], _ named: [Named], _ db: Database) throws {
      // Numbers of rows differ from ledger to ledger.
      var shown = columns.filter { column in
        !["id", "row_id"].contains(column) && !named.contains { $0.column == column }
      }.map { $0.hasPrefix("\"") ? "r.\($0)" : "r.\"\($0)\"" }
      var joins = ""
      for (index, part) in named.enumerated() {
        shown += try Self.columns(part.dictionary, db).map { "d\(index).\"\($0)\"" }
        // A row that has no terms says 0.
        joins += " LEFT JOIN \(part.dictionary) d\(index) ON d\(index).id = r.\(part.column)"
      }
      let list = (["r.source_id"] + shown).joined(separator: ", ")
      select = try RawStatement(db, "SELECT \(list) FROM \(table) r\(joins) ORDER BY r.rowid")
    }

    private static func columns(_ table: String, _ db: Database) throws -> [String] {
      try String.fetchAll(
        db,
        sql:
          "SELECT name FROM pragma_table_info(?) WHERE name NOT IN ('id', 'digest') ORDER BY cid",
        arguments: [table])
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
    @discardableResult
    mutating func end(_ table: String) -> UInt64 {
      bytes += Array(table.utf8)
      flush()
      return value
    }

    private mutating func flush() {
      while bytes.count % 8 != 0 { bytes.append(0) }
      value = bytes.withUnsafeBytes { xxHash64($0, seed: value) }
      bytes.removeAll(keepingCapacity: true)
    }
  }
}

extension IDColumn {
  fileprivate var tables: BlockTables {
    switch self {
    case .order, .orderTransaction: .orders
    case .transaction, .transactionOrder, .chain: .transactions
    case .eventOrder, .eventTransaction: .events
    }
  }

  /// The columns from which ``key(of:)`` takes the id that a run has of a row.
  fileprivate var names: [String] {
    switch self {
    case .order, .transactionOrder, .eventOrder: ["order_id"]
    case .orderTransaction, .transaction, .eventTransaction: ["transaction_id"]
    case .chain:
      ["transaction_id", "original_transaction_id", "web_order_line_item_id", "expires_at"]
    }
  }

  fileprivate func key(of row: ScannedRow) -> IDKey {
    guard self == .chain else { return row.key(1) }
    if row.isNull(3), row.isNull(4) { return .none }
    let original = row.key(2)
    return original.isNone ? row.key(1) : original
  }
}
