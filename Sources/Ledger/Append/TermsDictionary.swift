import Billing
import GRDB

/// A value that repeats in rows and is stored once, in a dictionary table of its own.
protocol DictionaryEntry: Hashable, Sendable {
  static var table: String { get }
  /// The columns after `id`.
  static var columns: [String] { get }
  /// Binds the columns in their order, from 2.
  func bind(to statement: borrowing RawStatement)
  /// Reads the columns in their order, from 1.
  init(reading statement: borrowing RawStatement)
}

/// One dictionary as last seen in the ledger. Ids are dense from 1 and rows are never removed, so
/// what other processes added since is exactly the rows above `count`.
struct TermsDictionary<Entry: DictionaryEntry>: Sendable {
  private var ids: [Entry: Int32] = [:]

  /// Reads what is new in the ledger.
  mutating func refresh(_ db: Database) throws {
    let select = try RawStatement(db, Self.select + " WHERE id > ? ORDER BY id")
    select.bind(Int64(ids.count), at: 1)
    while try select.step() {
      let id = select.int32(0)
      precondition(Int(id) == ids.count + 1, "ids of \(Entry.table) are dense")
      ids[Entry(reading: select)] = id
    }
  }

  /// The ids of `entries`, in their order; those that are new go into the ledger.
  mutating func ids(of entries: [Entry], in db: Database) throws -> [Int32] {
    guard !entries.isEmpty else { return [] }
    let places = Entry.columns.map { _ in "?" }.joined(separator: ", ")
    let insert = try RawStatement(db, "INSERT INTO \(Entry.table) VALUES (?, \(places))")
    var found: [Int32] = []
    found.reserveCapacity(entries.count)
    for entry in entries {
      if let id = ids[entry] {
        found.append(id)
        continue
      }
      let id = Int32(ids.count + 1)
      insert.bind(id, at: 1)
      entry.bind(to: insert)
      try insert.run()
      ids[entry] = id
      found.append(id)
    }
    return found
  }

  /// All entries; the one with id n is at index n − 1.
  static func all(_ db: Database) throws -> [Entry] {
    let select = try RawStatement(db, Self.select + " ORDER BY id")
    var entries: [Entry] = []
    while try select.step() { entries.append(Entry(reading: select)) }
    return entries
  }

  private static var select: String {
    "SELECT id, \(Entry.columns.joined(separator: ", ")) FROM \(Entry.table)"
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

  /// Reads what is new in the dictionaries that files of `kind` use.
  mutating func refresh(for kind: InputKind, _ db: Database) throws {
    switch kind {
    case .sales:
      try salesProducts.refresh(db)
      try salesTerms.refresh(db)
      try salesConditions.refresh(db)
    case .finance, .financeDetail: try financeTerms.refresh(db)
    case .subscription: try subscriptionTerms.refresh(db)
    case .subscriptionEvent: try subscriptionEventTerms.refresh(db)
    case .subscriber: try subscriberTerms.refresh(db)
    case .orders: try orderTerms.refresh(db)
    case .transactions: try transactionTerms.refresh(db)
    case .receipts, .notifications, .history:
      try transactionTerms.refresh(db)
      try messageTerms.refresh(db)
      try renewalTerms.refresh(db)
    case .payments, .products, .tiers, .rates, .taxes: break
    }
  }
}
