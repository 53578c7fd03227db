import Billing
import GRDB

/// A value that repeats in rows and is stored once, in a dictionary table of its own.
typealias DictionaryEntry = TableValue & Hashable & Sendable

/// One dictionary as last seen in the ledger. Ids are dense from 1 and rows are never removed, so
/// what other processes added since is exactly the rows above `count`.
///
/// Of a dictionary that hardly anything repeats in, only the newest entries are remembered: one
/// that is met again then gets a second id, which costs room and means the same.
struct TermsDictionary<Entry: DictionaryEntry>: Sendable {
  /// Entries that are remembered at once.
  private static var limit: Int { 1 << 18 }

  private var known = KnownRecords()
  private var count = 0

  /// The ids of `entries`, in their order; those that are new go into the ledger.
  mutating func ids(
    of entries: [Entry], in db: Database
  ) throws -> [Int32] {
    guard !entries.isEmpty else { return [] }
    try refresh(db)
    let names = ["id", "digest"] + Entry.columnNames
    let inserter = try RowInserter(
      db, Entry.tableName, names, columns: Int32(names.count), expected: entries.count)
    var found: [Int32] = []
    found.reserveCapacity(entries.count)
    for entry in entries {
      let next = Int32(count + 1)
      let record = RecordBytes(entry)
      let id = record.bytes.withUnsafeBytes { known.id(of: $0, orNext: next) }
      if id == next {
        count += 1
        try inserter.begin()
        inserter.put(next)
        inserter.put(record.digest)
        inserter.put(valuesOf: entry)
      }
      found.append(id)
    }
    try inserter.flush()
    if known.count > Self.limit { known = KnownRecords() }
    return found
  }

  /// Reads what other processes added to the ledger since the dictionary was last read.
  private mutating func refresh(_ db: Database) throws {
    let last = try Self.last(db)
    let from = max(count, last - Self.limit)
    let new = try Entry.entries("WHERE id > ? ORDER BY id", Int64(from), in: db)
    guard last == from + new.count else {
      throw DatabaseError(
        resultCode: .damaged, message: "\(Entry.tableName) lacks numbers between others")
    }
    for (index, entry) in new.enumerated() {
      _ = RecordBytes(entry).bytes.withUnsafeBytes {
        known.id(of: $0, orNext: Int32(from + index + 1))
      }
    }
    count = last
  }

  /// All entries; the one with id n is at index n − 1.
  static func all(_ db: Database) throws -> [Entry] {
    // A damaged ledger may name any number.
    try Entry.entries("ORDER BY id", room: min(max(last(db), 0), 1 << 20), in: db)
  }

  /// The last id, which is how many there are.
  fileprivate static func last(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT ifnull(max(id), 0) FROM \(Entry.tableName)")!
  }

  /// The entries with these indexes, which are ids less one, by index.
  ///
  /// - Throws: where one of them is not there.
  static func entries(_ indexes: Set<Int32>, _ db: Database) throws -> [Int32: Entry] {
    let indexes = indexes.sorted()
    let ids = indexes.map { String($0 + 1) }.joined(separator: ",")
    let found = try Entry.entries("WHERE id IN (\(ids)) ORDER BY id", in: db)
    guard found.count == indexes.count else {
      throw DatabaseError(
        resultCode: .damaged, message: "\(Entry.tableName) lacks what rows refer to")
    }
    return Dictionary(uniqueKeysWithValues: zip(indexes, found))
  }
}

extension RowInserter {
  /// Adds the values of all columns of an entry to the row that was begun.
  fileprivate func put(valuesOf entry: some TableValue) {
    var (entry, values) = (entry, InsertedValues(inserter: self))
    entry.values(&values)
  }
}

private struct InsertedValues: ValueVisitor {
  let inserter: RowInserter

  /// Adds the column's value to the row.
  mutating func callAsFunction(_: String, _ value: inout some CellValue) { inserter.put(value) }
}

/// The dictionaries as far as this process has read them.
struct Dictionaries: Sendable {
  var salesProducts = TermsDictionary<SalesProduct>()
  var salesTerms = TermsDictionary<SalesTerms>()
  var salesConditions = TermsDictionary<SalesCondition>()
  var financeTerms = TermsDictionary<FinanceTerms>()
  var subscriptionTerms = TermsDictionary<SubscriptionTerms>()
  var subscriptionEventTerms = TermsDictionary<SubscriptionEventTerms>()
  var subscriberTerms = TermsDictionary<SubscriberTerms>()
  var orderTerms = TermsDictionary<OrderTerms>()
  var transactionTerms = TermsDictionary<TransactionTerms>()
  var messageTerms = TermsDictionary<MessageTerms>()
  var renewalTerms = TermsDictionary<RenewalTerms>()
  var extraTerms = TermsDictionary<ExtraTerms>()
  var eventTerms = TermsDictionary<PurchaseEventTerms>()
  var coinTerms = TermsDictionary<CoinMovementTerms>()
  /// Digests of lists of prices, by their files; nil until one is imported.
  var priceLists: [Int64: Int64]?
}

/// Reads a dictionary from end to end.
struct TermsCheck {
  let table: String
  private let check: @Sendable (Database) throws -> Void
  private let note: @Sendable (Database) throws -> Void

  /// Makes the check of one dictionary, and what renews its digests.
  private init<Entry: DictionaryEntry>(_: Entry.Type) {
    table = Entry.tableName
    note = { db in
      let update = try RawStatement(
        db, "UPDATE \(Entry.tableName) SET digest = ? WHERE id = ?")
      let ids = try Int64.fetchAll(db, sql: "SELECT id FROM \(Entry.tableName) ORDER BY id")
      for (id, entry) in zip(ids, try Entry.select("ORDER BY id", in: db)) {
        try update.run(with: RecordBytes(entry).digest, id)
      }
    }
    check = { db in
      guard try TermsDictionary<Entry>.all(db).count == TermsDictionary<Entry>.last(db) else {
        throw DatabaseError(
          resultCode: .damaged, message: "\(Entry.tableName) lacks numbers between others")
      }
    }
  }

  /// Writes the digest of each entry anew, for entries that came from another ledger.
  func renew(_ db: Database) throws { try note(db) }

  /// Reads the dictionary from end to end, and holds each entry against its digest.
  ///
  /// - Throws: where an entry is not what was written, or lacks.
  func run(_ db: Database) throws { try check(db) }

  static let all = [
    TermsCheck(SalesProduct.self), TermsCheck(SalesTerms.self), TermsCheck(SalesCondition.self),
    TermsCheck(FinanceTerms.self), TermsCheck(SubscriptionTerms.self),
    TermsCheck(SubscriptionEventTerms.self), TermsCheck(SubscriberTerms.self),
    TermsCheck(OrderTerms.self), TermsCheck(TransactionTerms.self), TermsCheck(MessageTerms.self),
    TermsCheck(RenewalTerms.self), TermsCheck(ExtraTerms.self), TermsCheck(PurchaseEventTerms.self),
    TermsCheck(CoinMovementTerms.self),
  ]
}
