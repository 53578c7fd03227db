import GRDB
import Glibc
import Synchronization

/// The company's ledger: one SQLite file that keeps what was imported and finds it again.
///
/// Imported rows are never changed. Each file is one transaction; a process that is killed at any
/// moment leaves the ledger as it was before the file that was being imported. For that the file
/// keeps SQLite's rollback journal (DELETE, synchronous FULL): rows are only ever appended, so the
/// journal holds the few pages that existed before, costs less than a write-ahead log, which would
/// write everything twice, and leaves no second file beside the ledger.
package final class Ledger: Sendable {
  package enum Mode: Sendable {
    /// Creates the file where there is none.
    case readWrite
    /// Needs an existing ledger, and changes nothing in it but the shape that an older version of
    /// the program gave it.
    case readOnly
  }

  package let path: String
  private let mode: Mode
  private let queue: DatabaseQueue
  let dictionaries = Mutex(Dictionaries())

  /// Opens the ledger at `path`.
  ///
  /// - Throws: `LedgerError`. A file that is no ledger, or a newer one, is left untouched.
  package init(path: String, mode: Mode) throws {
    self.path = path
    self.mode = mode
    if mode == .readOnly {
      var status = stat()
      guard stat(path, &status) == 0 else { throw LedgerError.missing(path: path) }
    }
    do {
      queue = try DatabaseQueue(path: path, configuration: Self.configuration)
      try Self.check(queue, path: path, mode: mode)
    } catch let error as DatabaseError {
      throw LedgerError(error, path: path)
    }
  }

  /// A connection takes its lock within a second or gives up. A read-only one is opened for writing
  /// too, because it must be able to roll back what a killed process left.
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA synchronous = FULL;
          PRAGMA cache_size = -8192;
          PRAGMA temp_store = MEMORY;
          """)
    }
    return configuration
  }

  /// Refuses what is no ledger of a version we know, and brings an older or new one up to date.
  private static func check(_ queue: DatabaseQueue, path: String, mode: Mode) throws {
    let (id, version, tables) = try queue.read { db in
      (
        try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
      )
    }
    let isEmpty = id == 0 && version == 0 && tables == 0
    guard id == Schema.applicationID || (isEmpty && mode == .readWrite) else {
      throw LedgerError.corrupt(
        path: path, detail: isEmpty ? "an empty file" : "another program's SQLite file")
    }
    guard version <= Schema.version else {
      throw LedgerError.newer(path: path, version: version, supported: Schema.version)
    }
    if version < Schema.version { try Schema.migrate(queue) }
  }

  /// Reads what is committed now; the state does not change before `body` ends.
  func read<T>(_ body: (Database) throws -> T) throws -> T {
    try translating { try queue.read(body) }
  }

  /// Runs `body` in one transaction that holds the ledger's write lock from its start.
  func write(_ body: (Database) throws -> Database.TransactionCompletion) throws {
    precondition(mode == .readWrite, "this ledger was opened for reading")
    try translating {
      try queue.writeWithoutTransaction { db in
        defer { try? db.execute(sql: "PRAGMA busy_timeout = 1000") }
        try db.inTransaction(.immediate) {
          // Readers are short; a finished import waits for them rather than be lost.
          try db.execute(sql: "PRAGMA busy_timeout = 30000")
          return try body(db)
        }
      }
    }
  }

  /// A second connection that sees the state that a read in progress on the first one sees: while
  /// that read lasts, no other process can commit.
  func withSecondConnection<T>(_ body: (Database) throws -> T) throws -> T {
    try translating {
      try DatabaseQueue(path: path, configuration: Self.configuration).read(body)
    }
  }

  private func translating<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw LedgerError(error, path: path)
    }
  }
}
