import Billing
import GRDB

/// A value that repeats in rows and is stored once, in a dictionary table of its own.
typealias DictionaryEntry = TableValue & Hashable & Sendable

/// One dictionary as last seen in the ledger. Ids are dense from 1 and rows are never removed, so
/// what other processes added since is exactly the rows above `count`.
struct TermsDictionary<Entry: DictionaryEntry>: Sendable {
  private var ids: [Entry: Int32] = [:]

  /// The ids of `entries`, in their order; those that are new go into the ledger.
  mutating func ids(of entries: [Entry], in db: Database) throws -> [Int32] {
    guard !entries.isEmpty else { return [] }
    try refresh(db)
    let insert = try RowInsert<Entry>(db, Entry.columnNames, leading: ["id"])
    var found: [Int32] = []
    found.reserveCapacity(entries.count)
    for entry in entries {
      if let id = ids[entry] {
        found.append(id)
        continue
      }
      let id = Int32(ids.count + 1)
      insert.statement.bind(id, at: 1)
      try insert.run(entry)
      ids[entry] = id
      found.append(id)
    }
    return found
  }

  /// Reads what other processes added to the ledger since.
  private mutating func refresh(_ db: Database) throws {
    for entry in try Entry.select("WHERE id > ? ORDER BY id", Int64(ids.count), in: db) {
      ids[entry] = Int32(ids.count + 1)
    }
    let last = try Int.fetchOne(db, sql: "SELECT max(id) FROM \(Entry.tableName)") ?? 0
    guard last == ids.count else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "\(Entry.tableName) lacks numbers between others")
    }
  }

  /// All entries; the one with id n is at index n − 1.
  static func all(_ db: Database) throws -> [Entry] {
    try Entry.select("ORDER BY id", in: db)
  }
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
}
