import Billing
import GRDB
import GRDBSQLite
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
    /// Creates the file where there is none. Each read sees what is committed when it begins.
    case readWrite
    /// Creates the file, which nobody reads any more when the process has ended: nothing waits for
    /// the disk.
    case scratch
    /// Needs an existing ledger, and changes nothing in it but the shape that an older version of
    /// the program gave it. All reads, on whatever thread, see the state in which it was opened: as
    /// many at the same time as there are connections.
    case snapshot(connections: Int = 1)
  }

  package let path: String
  private let canWrite: Bool
  private let connections: [DatabaseQueue]
  /// How many reads use each of the connections, or wait for it.
  private let readers: Mutex<[Int]>
  let dictionaries = Mutex(Dictionaries())
  /// SKUs of several apps in the state that a snapshot reads, once something asked for them.
  private let shared = Mutex<SharedSKUs?>(nil)
  /// Files of rows that were looked up by their ids (``lookedUpFiles()``).
  let lookedUp = Mutex<Set<Int64>>([])

  /// Seconds for which a reader or a writer lets another writer end, and a writer that loses little
  /// readers.
  package static let patience = 30
  private let patience: Int

  /// Opens the ledger at `path`.
  ///
  /// - Parameter patience: seconds to wait for a writer: one that waits itself, for a reader to
  ///   end, lets no new reader in.
  /// - Throws: `LedgerError`. A file that is no ledger, or a newer one, is left untouched.
  package init(path: String, mode: Mode, patience: Int = Ledger.patience) throws {
    self.path = path
    self.patience = patience
    // Tables that are STRICT, which says what a cell may hold.
    guard sqlite3_libversion_number() >= 3_037_000 else {
      throw LedgerError.oldSQLite(version: String(cString: sqlite3_libversion()))
    }
    do {
      switch mode {
      case .readWrite, .scratch:
        canWrite = true
        let queue = try Self.open(path, createsLedger: true, patience: patience)
        if case .scratch = mode {
          try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        }
        connections = [queue]
      case .snapshot(let count):
        canWrite = false
        var status = stat()
        guard stat(path, &status) == 0 else { throw LedgerError.missing(path: path) }
        connections = try Self.snapshot(path, connections: count, patience: patience)
      }
    } catch let error as DatabaseError {
      throw LedgerError(error, path: path)
    }
    readers = Mutex(connections.map { _ in 0 })
  }

  /// Reads one state of the ledger at `path`: whatever `body` reads was committed before it began.
  /// A writer that wants to commit waits until `body` has ended.
  ///
  /// - Parameters:
  ///   - connections: how many threads of `body` read at the same time.
  ///   - patience: seconds to wait for a writer.
  package static func reading<Value>(
    _ path: String, connections: Int = 1, patience: Int = Ledger.patience,
    _ body: (Ledger) throws -> Value
  ) throws -> Value {
    let ledger = try Ledger(
      path: path, mode: .snapshot(connections: connections), patience: patience)
    defer { ledger.close() }
    return try body(ledger)
  }

  /// The SKUs that stand in several apps, as `make` finds them: once for a snapshot, whose state
  /// never changes, and anew at each call on a ledger that may change.
  func oncePerState(_ make: () throws -> SharedSKUs) throws -> SharedSKUs {
    if canWrite { return try make() }
    return try shared.withLock { known in
      let found = try known ?? make()
      known = found
      return found
    }
  }

  /// Closes all connections, which lets writers commit again.
  func close() { for queue in connections { try? queue.close() } }

  /// Opens a connection to the file at `path`, and checks that it is a ledger of this version.
  ///
  /// - Parameters:
  ///   - createsLedger: whether one is made where there is none; else it is only read.
  ///   - patience: seconds to wait for a lock.
  /// - Throws: `LedgerError`, or what SQLite says.
  private static func open(
    _ path: String, createsLedger: Bool, patience: Int
  ) throws -> DatabaseQueue {
    var log = stat()
    guard stat(path + "-wal", &log) != 0 || log.st_size == 0 || expectsLog(path) else {
      throw LedgerError.corrupt(
        path: path, detail: "another program left its write-ahead log beside it: \(path)-wal")
    }
    if createsLedger {
      // Orders name users: nobody else may read them, unless the owner says so.
      let created = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if created >= 0 { Glibc.close(created) }
    }
    let queue = try DatabaseQueue(
      path: path, configuration: configuration(isSnapshot: !createsLedger, patience: patience))
    try leaveLog(queue, path: path)
    try check(queue, path: path, createsLedger: createsLedger)
    return queue
  }

  /// Whether the file says that a write-ahead log belongs to it, as another program left it.
  private static func expectsLog(_ path: String) -> Bool {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { return false }
    defer { Glibc.close(file) }
    var versions: (UInt8, UInt8) = (0, 0)
    return pread(file, &versions, 2, 18) == 2 && versions == (2, 2)
  }

  /// Sets the journal mode DELETE where another program let the file have a write-ahead log: with
  /// that journal, readers of one state keep writers waiting.
  private static func leaveLog(_ queue: DatabaseQueue, path: String) throws {
    try queue.writeWithoutTransaction { db in
      guard try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal" else { return }
      guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
        throw LedgerError.locked(path: path)
      }
    }
  }

  /// Opens connections whose reading transactions have all begun in the same state: while one of
  /// them reads, nobody can commit. While a writer waits to commit, no new reader begins: then all
  /// roll back, so that it can, and begin again. Only the first connection waits for a lock, while
  /// none holds one, for `patience` seconds.
  private static func snapshot(
    _ path: String, connections count: Int, patience: Int
  ) throws -> [DatabaseQueue] {
    var queues = [try open(path, createsLedger: false, patience: patience)]
    while queues.count < count {
      queues.append(
        try DatabaseQueue(
          path: path, configuration: configuration(isSnapshot: true, patience: patience)))
    }
    for attempt in 1...20 {
      try queues[0].writeWithoutTransaction(begin)
      if try queues.dropFirst().allSatisfy({ try $0.writeWithoutTransaction(beginsAtOnce) }) {
        return queues
      }
      for queue in queues {
        try queue.writeWithoutTransaction { if $0.isInsideTransaction { try $0.rollback() } }
      }
      usleep(UInt32(attempt) * 5000)
    }
    throw LedgerError.locked(path: path)
  }

  /// Begins a reading transaction and reads a row: SQLite fixes the state that is read with the
  /// first row, not with `BEGIN`.
  private static func begin(_ db: Database) throws {
    try db.execute(sql: "BEGIN")
    do { _ = try Row.fetchOne(db, sql: "SELECT 1 FROM sqlite_master") } catch {
      try db.rollback()
      throw error
    }
  }

  /// Begins a reading transaction without waiting for a lock; false where a lock keeps it from
  /// that.
  private static func beginsAtOnce(_ db: Database) throws -> Bool {
    try db.execute(sql: "PRAGMA busy_timeout = 0")
    do { try begin(db) } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return false
    }
    return true
  }

  /// Pages that a connection keeps, as SQLite takes it: 8 MiB.
  static let cacheSize = -8192

  /// The settings of a connection. One that only reads is opened for writing too, because it must
  /// be able to roll back what a killed process left.
  private static func configuration(isSnapshot: Bool, patience: Int) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(Double(patience))
    // A snapshot's transaction stays open from one read to the next.
    configuration.allowsUnsafeTransactions = isSnapshot
    configuration.prepareDatabase { db in
      // GRDB notes for observers what each statement reads: a quarter of what a short command
      // takes in SQLite. Nobody observes a ledger.
      sqlite3_set_authorizer(db.sqliteConnection, nil, nil)
      try db.execute(
        sql: """
          PRAGMA synchronous = FULL;
          PRAGMA cache_size = \(cacheSize);
          PRAGMA temp_store = MEMORY;
          """)
      try BlockModule.install(db.sqliteConnection)
    }
    return configuration
  }

  /// Throws unless the file is a ledger of this version and its small tables match their digests;
  /// makes a ledger in an empty file where it may.
  ///
  /// The version is that of the table `ledger`: a file restored from SQL text has lost
  /// `application_id` and `user_version`.
  private static func check(_ queue: DatabaseQueue, path: String, createsLedger: Bool) throws {
    let (id, older, tables) = try queue.read { db in
      (
        try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
        try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
        try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
      )
    }
    if id == 0, older == 0, tables == 0 {
      guard createsLedger else { throw LedgerError.empty(path: path) }
      try Schema.make(queue)
    }
    let version = try queue.read(Schema.version)
    guard let version else {
      if Schema.olderIDs.contains(id), (1..<Schema.version).contains(older) {
        throw LedgerError.older(path: path, version: older)
      }
      throw LedgerError.corrupt(path: path, detail: "another program's SQLite file")
    }
    guard version == Schema.version else {
      throw version > Schema.version
        ? LedgerError.newer(path: path, version: version, supported: Schema.version)
        : LedgerError.older(path: path, version: version)
    }
    if createsLedger { try queue.writeWithoutTransaction(TableDigests.watch) }
    try queue.read(TableDigests.check)
  }

  /// Runs `body` on the connection that the fewest wait for; the state does not change before it
  /// ends.
  func read<T>(_ body: (Database) throws -> T) throws -> T {
    let index = readers.withLock { readers in
      let index = readers.indices.min { readers[$0] < readers[$1] }!
      readers[index] += 1
      return index
    }
    defer { readers.withLock { $0[index] -= 1 } }
    return try translating { try connections[index].read(body) }
  }

  /// Reads two things at the same time where a connection is free beside that of `db`, else one
  /// after the other.
  func readBoth<A, B: Sendable>(
    _ db: Database, _ first: (Database) throws -> A,
    _ second: @escaping @Sendable (Database) throws -> B
  ) throws -> (A, B) {
    let free = readers.withLock { readers in
      let free = readers.firstIndex(of: 0)
      if let free { readers[free] = 1 }
      return free
    }
    guard let free else { return (try first(db), try second(db)) }
    defer { readers.withLock { $0[free] -= 1 } }
    let queue = connections[free]
    let (a, b) = inTwoThreads(
      { Result { try first(db) } }, { Result { try queue.read(second) } })
    return (try a.get(), try b.get())
  }

  /// Runs `body` in one transaction that holds the ledger's write lock from its start.
  ///
  /// - Parameters:
  ///   - turn: seconds to wait until another writer ends; the ledger's own unless given. One that
  ///     records many findings beside an import takes some.
  ///   - patience: seconds to wait for readers before what was written is given up.
  func write(
    turn: Int? = nil, patience: Int = Ledger.patience,
    _ body: (Database) throws -> Database.TransactionCompletion
  ) throws {
    precondition(canWrite, "this ledger was opened for reading")
    try translating {
      try connections[0].writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA busy_timeout = \((turn ?? self.patience) * 1000)")
        try db.inTransaction(.immediate) {
          try db.execute(sql: "PRAGMA busy_timeout = \(patience * 1000)")
          return try body(db)
        }
      }
    }
  }

  /// Runs `body`, and throws as a `LedgerError` what SQLite or a value in the ledger made it throw.
  private func translating<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw LedgerError(error, path: path)
    } catch is RowLimit {
      throw LedgerError.full(path: path)
    } catch let value as StrangeValue {
      throw LedgerError.corrupt(path: path, detail: value.text)
    }
  }
}
