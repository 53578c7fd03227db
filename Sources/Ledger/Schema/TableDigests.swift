import Billing
import GRDB
import GRDBSQLite

/// What the ledger's ordinary tables hold, as a number of rows and the sum of their digests: a row
/// that was changed, lost or doubled by anything but this program is noticed when the ledger is
/// opened.
///
/// Triggers of the connection that writes keep `table_digest`; the file has none of them, so that
/// other programs can do with it what they like. Rows in blocks have checksums of their own, and so
/// have recorded findings. Terms have a digest each; here is the sum of these, each times the
/// number by which rows refer to the term.
enum TableDigests {
  static let statement = """
    CREATE TABLE table_digest (
      name TEXT NOT NULL UNIQUE,
      rows INTEGER NOT NULL,
      digest INTEGER NOT NULL
    ) STRICT;
    """

  /// Adds triggers to a connection, by which `table_digest` follows what the connection writes.
  static func watch(_ db: Database) throws {
    try addFunctions(db)
    // A row that another replaces is deleted, and the triggers say so.
    try db.execute(sql: "PRAGMA recursive_triggers = ON")
    for (table, columns) in try tables(db) {
      /// The SQL of a row's digest.
      func digest(_ row: String) -> String {
        if digested.contains(table) { return ownDigest(row) }
        return "row_digest(\(columns.map { "\(row).\"\($0)\"" }.joined(separator: ", ")))"
      }
      /// The SQL of a trigger that, after an event on the table's rows, adds `rows` to their number
      /// and sets their digest to `change`.
      func trigger(_ event: String, _ rows: String, _ change: String) -> String {
        """
        CREATE TEMP TRIGGER "\(table)_\(event)" AFTER \(event) ON main."\(table)" BEGIN
          UPDATE table_digest SET rows = rows + \(rows), digest = \(change) WHERE name = '\(table)';
        END;
        """
      }
      try db.execute(
        sql: trigger("INSERT", "1", "wrapping_sum(digest, \(digest("NEW")), 0)")
          + trigger("DELETE", "-1", "wrapping_sum(digest, 0, \(digest("OLD")))")
          + trigger("UPDATE", "0", "wrapping_sum(digest, \(digest("NEW")), \(digest("OLD")))"))
    }
  }

  /// Compares every table with its line in `table_digest`.
  ///
  /// - Throws: where one is not what was written.
  static func check(_ db: Database) throws {
    var noted: [String: (rows: Int64, digest: Int64)] = [:]
    let select = try RawStatement(db, "SELECT name, rows, digest FROM main.table_digest")
    while try select.step() { noted[select.text(0)] = (select.int64(1), select.int64(2)) }
    for (table, _) in try tables(db) {
      let found = try self.digest(of: table, db)
      guard let known = noted[table], known == found else {
        throw DatabaseError(
          resultCode: .damaged, message: "the rows of \(table) are not what was written")
      }
    }
    try checkBlocks(db)
  }

  /// Compares how many blocks and runs of ids there are of each file with what its row says.
  ///
  /// - Throws: where these differ.
  private static func checkBlocks(_ db: Database) throws {
    let tables = BlockTables.allCases.filter { $0 != .resolved }.map(\.table.blocks) + ["id_run"]
    let all = tables.map { "SELECT source_id FROM main.\($0)" }.joined(separator: " UNION ALL ")
    let lacking = try Bool.fetchOne(
      db,
      sql: """
        WITH found AS (SELECT source_id, count(*) AS blocks FROM (\(all)) GROUP BY source_id)
        SELECT EXISTS (
          SELECT 1 FROM main.source s LEFT JOIN found f ON f.source_id = s.id
          WHERE s.blocks <> ifnull(f.blocks, 0)
        ) OR (SELECT ifnull(sum(blocks), 0) FROM found)
          <> (SELECT ifnull(sum(blocks), 0) FROM main.source)
        """)
    if lacking == true {
      throw DatabaseError(resultCode: .damaged, message: "a file has other blocks than it brought")
    }
  }

  /// Writes the digest of each table into `table_digest`, for a ledger that was just made, whose
  /// rows no triggers followed.
  static func note(_ db: Database) throws {
    for (table, _) in try tables(db) {
      let found = try digest(of: table, db)
      try db.execute(
        sql: "INSERT INTO table_digest VALUES (?, ?, ?)",
        arguments: [table, found.rows, found.digest])
    }
  }

  /// How many rows a table has, and the sum of their digests.
  private static func digest(
    of table: String, _ db: Database
  ) throws -> (rows: Int64, digest: Int64) {
    if digested.contains(table) {
      let sum = try RawStatement(
        db, "SELECT count(*), ifnull(sum(\(ownDigest("t"))), 0) FROM main.\"\(table)\" t")
      return try sum.step() ? (sum.int64(0), sum.int64(1)) : (0, 0)
    }
    let rows = try RawStatement(db, "SELECT * FROM main.\"\(table)\"")
    var (count, digest): (Int64, Int64) = (0, 0)
    var bytes = RowDigest()
    while try rows.step() {
      count += 1
      bytes.begin()
      for column in 0..<rows.columnCount { bytes.add(rows.value(column)) }
      digest = digest &+ bytes.digest
    }
    return (count, digest)
  }

  /// The tables of which `table_digest` has a line, with their columns; ascending by name.
  private static func tables(_ db: Database) throws -> [(name: String, columns: [String])] {
    let select = try RawStatement(
      db,
      """
      SELECT m.name, group_concat(c.name, ',') FROM main.sqlite_master m
        JOIN pragma_table_info(m.name, 'main') c
      WHERE m.type = 'table' GROUP BY m.name ORDER BY m.name
      """)
    var found: [(name: String, columns: [String])] = []
    while try select.step() {
      let name = select.text(0)
      guard Schema.ownTables.contains(name), !elsewhere.contains(name) else { continue }
      found.append((name, select.text(1).split(separator: ",").map(String.init)))
    }
    return found
  }

  /// Tables whose rows are held against something else.
  private static let elsewhere: Set<String> = Set(
    BlockTables.allCases.map(\.table.blocks)
      + ["table_digest", "id_run", "id_page", "close_document", "close_withheld"]
      // A recorded finding has a digest of all that is kept of it.
      + [
        "finding", "finding_order", "finding_transaction", "finding_source", "finding_part",
        "finding_former", "finding_user", "finding_file",
      ])

  /// Tables whose rows have a digest each.
  private static let digested = Set(TermsCheck.all.map(\.table))

  /// SQL that makes one number of a row's number and its own digest; so small that no sum
  /// overflows.
  ///
  /// - Parameter row: the row's name in the statement.
  private static func ownDigest(_ row: String) -> String {
    "(((\(row).digest & 4294967295) * (\(row).id % 1000003 + 1)) & 4294967295)"
  }

  /// Gives the connection the SQL functions that triggers use: `row_digest` of any values, and
  /// `wrapping_sum`, the first number plus the second less the third.
  private static func addFunctions(_ db: Database) throws {
    let connection = db.sqliteConnection
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC
    sqlite3_create_function_v2(
      connection, "row_digest", -1, flags, nil,
      { context, count, values in
        var bytes = RowDigest()
        for index in 0..<Int(count) { bytes.add(values![index]!) }
        sqlite3_result_int64(context, bytes.digest)
      }, nil, nil, nil)
    sqlite3_create_function_v2(
      connection, "wrapping_sum", 3, flags, nil,
      { context, _, values in
        let sum =
          sqlite3_value_int64(values![0]) &+ sqlite3_value_int64(values![1])
          &- sqlite3_value_int64(values![2])
        sqlite3_result_int64(context, sum)
      }, nil, nil, nil)
  }
}

/// Hashes the values of a row.
private struct RowDigest {
  private var bytes: [UInt8] = []

  /// Forgets the row before.
  mutating func begin() { bytes.removeAll(keepingCapacity: true) }

  /// Adds the next value of the row.
  mutating func add(_ value: OpaquePointer) {
    let type = sqlite3_value_type(value)
    bytes.append(UInt8(truncatingIfNeeded: type))
    switch type {
    case SQLITE_NULL: break
    case SQLITE_INTEGER:
      withUnsafeBytes(of: sqlite3_value_int64(value).littleEndian) { bytes.append(contentsOf: $0) }
    default:
      let count = sqlite3_value_bytes(value)
      withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
      bytes.append(
        contentsOf: UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: Int(count)))
    }
  }

  /// The digest of the values that were added.
  var digest: Int64 { bytes.withUnsafeBytes { Int64(bitPattern: hash64($0)) } }
}
