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
    of entries: [Entry], in db: Database, _ image: BlockImage
  ) throws -> [Int32] {
    guard !entries.isEmpty else { return [] }
    try refresh(db)
    let first = Int64(count + 1)
    let scratch = RecordScratch()
    var new: [Entry] = []
    var found: [Int32] = []
    found.reserveCapacity(entries.count)
    for entry in entries {
      let next = Int32(count + 1)
      let id = id(of: entry, orNext: next, scratch)
      if id == next {
        count += 1
        new.append(entry)
      }
      found.append(id)
    }
    try new.withUnsafeBufferPointer { try image.insert($0, first: first, in: db) }
    if known.count > Self.limit { known = KnownRecords() }
    return found
  }

  private mutating func id(
    of entry: Entry, orNext next: Int32, _ scratch: RecordScratch
  ) -> Int32 {
    var entry = entry
    return RecordWriter.withRecord(of: &entry, scratch) { known.id(of: $0, orNext: next) }
  }

  /// Reads what other processes added to the ledger since.
  private mutating func refresh(_ db: Database) throws {
    let last = try Self.last(db)
    let from = max(count, last - Self.limit)
    let new = try Entry.select("WHERE id > ? ORDER BY id", Int64(from), in: db)
    guard last == from + new.count else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "\(Entry.tableName) lacks numbers between others")
    }
    let scratch = RecordScratch()
    for (index, entry) in new.enumerated() {
      _ = id(of: entry, orNext: Int32(from + index + 1), scratch)
    }
    count = last
  }

  /// All entries; the one with id n is at index n − 1.
  static func all(_ db: Database) throws -> [Entry] {
    // A damaged ledger may name any number.
    try Entry.select("ORDER BY id", room: min(max(last(db), 0), 1 << 20), in: db)
  }

  /// The last id, which is how many there are.
  private static func last(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT ifnull(max(id), 0) FROM \(Entry.tableName)")!
  }

  /// The entries with these indexes.
  static func entries(_ indexes: Set<Int32>, _ db: Database) throws -> [Int32: Entry] {
    let indexes = indexes.sorted()
    let ids = indexes.map { String($0 + 1) }.joined(separator: ",")
    let found = try Entry.select("WHERE id IN (\(ids)) ORDER BY id", in: db)
    guard found.count == indexes.count else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "\(Entry.tableName) lacks what rows refer to")
    }
    return Dictionary(uniqueKeysWithValues: zip(indexes, found))
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
  var eventTerms = TermsDictionary<PurchaseEventTerms>()
}
