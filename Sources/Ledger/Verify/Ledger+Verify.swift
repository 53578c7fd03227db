package import Billing
import GRDB
import GRDBSQLite

/// What reading a ledger from end to end gave.
package struct LedgerCheck: Sendable {
  /// Pages of the file.
  package var pages = 0
  /// Blocks of rows that were read.
  package var blocks = 0
  /// What is wrong, worst first; empty for a sound ledger.
  package var problems: [Wording] = []
  /// Of a sound ledger, what ``Ledger/factsDigests()`` returns.
  package var digests: [String: UInt64] = [:]

  /// Complaints of SQLite that are named one by one.
  static let named = 5

  package init() {}
}

extension Ledger {
  /// Reads everything in the ledger's one state and compares it with what else the ledger has of
  /// it: blocks with their checksums and with the files that brought them, tables with their
  /// digests, indexes with tables, keys of ids with the rows that have them.
  ///
  /// - Throws: `LedgerError` where the ledger cannot be opened at all.
  package func check() throws -> LedgerCheck {
    var check = LedgerCheck()
    var keys: [String: UInt64]?
    var problems: [Part: [Wording]] = [:]
    var readings: [TableReading] = []
    var interrupted: [Wording] = []
    let parts = Part.all
    let found = inThreads(parts.count) { [self] index in
      Result { try read { try parts[index].run($0) } }
    }
    for (part, found) in zip(parts, found) {
      do {
        switch try found.get() {
        case .problems(let said): problems[part] = said
        case .keys(let told): keys = told
        case .table(let reading): readings.append(reading)
        }
      } catch let error as LedgerError {
        // One page that cannot be read stops a part in its middle.
        if !interrupted.contains(error.message) { interrupted.append(error.message) }
      }
    }
    readings.sort { $0.tables.place < $1.tables.place }
    check.problems += problems[.structure] ?? []
    check.problems += readings.filter { $0.broken > 0 }.map {
      "@seals.blocks-are-not-what \($0.tables.table.name) \($0.broken)"
    }
    check.problems += problems[.dictionaries] ?? []
    check.problems += readings.filter(\.lacksTerms).map {
      "@seals.rows-of-refer-to-entries \($0.tables.table.name)"
    }
    if let keys { check.problems += Self.differences(keys, readings) }
    check.problems += problems[.texts] ?? []
    check.problems += interrupted.filter { !check.problems.contains($0) }
    try read { db in
      check.pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      check.blocks = try Int.fetchOne(db, sql: "SELECT ifnull(sum(blocks), 0) FROM source") ?? 0
      if check.problems.isEmpty { check.digests = try Self.digests(readings, db) }
    }
    return check
  }

  /// What is read beside one another, the longest first.
  private enum Part: Hashable, Sendable {
    case table(BlockTables)
    case structure, keys, dictionaries, texts

    enum Found: Sendable {
      case problems([Wording])
      case keys([String: UInt64])
      case table(TableReading)
    }

    /// All parts, in the order in which threads begin them.
    static var all: [Part] {
      let large: [BlockTables] = [.transactions, .orders]
      return large.map { .table($0) } + [.structure, .keys, .dictionaries, .texts]
        + BlockTables.allCases.filter { !large.contains($0) }.map { .table($0) }
    }

    /// Reads the part, and returns what was found in it.
    func run(_ db: Database) throws -> Found {
      switch self {
      case .table(let tables): .table(try TableReading(tables, db))
      case .keys: .keys(try Ledger.keysOfRuns(db))
      case .structure: .problems(try Ledger.structure(db))
      case .dictionaries: .problems(try Ledger.dictionaries(db))
      case .texts: .problems(try Ledger.textsOfFindings(db))
      }
    }
  }

  /// The problems that SQLite's own check of trees, indexes and references names.
  private static func structure(_ db: Database) throws -> [Wording] {
    let said = try String.fetchAll(db, sql: "PRAGMA integrity_check(\(LedgerCheck.named))")
    let references = try Row.fetchAll(db, sql: "PRAGMA foreign_key_check")
    return said.filter { $0 != "ok" }.map { "@shared.sqlite \(String($0.prefix(200)))" }
      + Set(references.map { $0[0] as String }).sorted().map {
        "@seals.rows-of-refer-to-entries \($0)"
      }
  }

  /// The problems of dictionaries and runs: every term must be what was put into its dictionary,
  /// and every run must have its findings.
  private static func dictionaries(_ db: Database) throws -> [Wording] {
    var problems: [Wording] = []
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

  /// The problems of recorded findings: their texts, and those of what to do about them, must be
  /// readable, and all that is kept of a finding must be what was recorded.
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

  /// For each column of ids, by its raw value, the sum of digests of the keys and rows in its runs.
  private static func keysOfRuns(_ db: Database) throws -> [String: UInt64] {
    var sums: [String: UInt64] = [:]
    let pages = try RawStatement(db, StoredRun.pageQuery)
    let runs = try RawStatement(db, "SELECT \(StoredRun.columns) FROM id_run ORDER BY id")
    while try runs.step() {
      let run = try StoredRun(runs)
      for page in run.fences.indices {
        sums[runs.text(1), default: 0] &+= try run.entries(ofPage: page, pages).reduce(0) {
          $0 &+ TableReading.digest(ofKey: $1.key, row: Int64($1.row))
        }
      }
    }
    return sums
  }

  /// The problems of keys, a text for each column of ids whose runs and rows do not give the same
  /// sum: ids are found by keys that lie apart from the rows, and both must have the same.
  ///
  /// - Parameter runs: what ``keysOfRuns(_:)`` gave.
  private static func differences(
    _ runs: [String: UInt64], _ readings: [TableReading]
  ) -> [Wording] {
    readings.flatMap { reading in
      // Of a block that cannot be read no keys are known.
      guard reading.broken == 0 else { return [Wording]() }
      return IDColumn.allCases.filter { $0.tables == reading.tables }.filter {
        reading.keys[$0, default: 0] != runs[$0.rawValue, default: 0]
      }.map { "@seals.keys-of-are-not \(reading.tables.table.name) \($0.rawValue)" }
    }
  }

  /// The SKU of the product whose own price list a file is; nil for any other file.
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
    let parts = Part.all.filter { if case .table = $0 { true } else { false } }
    let found = inThreads(parts.count) { [self] index in
      Result { try read { try parts[index].run($0) } }
    }
    let readings = try found.compactMap {
      if case .table(let reading) = try $0.get() { reading } else { nil }
    }
    return try read { try Self.digests(readings, $0) }
  }

  /// A digest of each file, by its SHA-256, of what the tables have of it and of its rejected rows.
  private static func digests(
    _ readings: [TableReading], _ db: Database
  ) throws -> [String: UInt64] {
    // Texts of rejected rows are in the language of the one who imported.
    let rejects = try RejectDigests(db).digests
    let readings = readings.sorted { $0.tables.place < $1.tables.place }
    let select = try RawStatement(db, "SELECT id, sha256 FROM source ORDER BY id")
    var digests: [String: UInt64] = [:]
    while try select.step() {
      let source = select.int64(0)
      let parts =
        readings.filter { $0.tables != .resolved }.map { $0.digests[source] ?? 0 }
        + [rejects[source] ?? 0]
      if digests[select.text(1)] == nil {
        digests[select.text(1)] = parts.withUnsafeBytes { hash64($0) }
      }
    }
    return digests
  }
}

/// Digests of the rows of each file that were rejected (their lines and why), by the file's number.
private struct RejectDigests {
  private(set) var digests: [Int64: UInt64] = [:]

  /// Makes the digests, from all rejected rows of the ledger.
  init(_ db: Database) throws {
    let select = try RawStatement(
      db, "SELECT source_id, line, topic FROM reject ORDER BY source_id, rowid")
    while try select.step() {
      let row = "\(select.int64(1)) \(select.text(2))"
      let before = digests[select.int64(0), default: 0]
      digests[select.int64(0)] = Array(row.utf8).withUnsafeBytes { hash64($0, seed: before) }
    }
  }
}
