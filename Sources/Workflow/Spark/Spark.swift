package import Billing
import Conclusions
import Languages
import Ledger
import Matching
import Pricing
import Reporting

/// What to write a script for, and what the company's tables are called where Spark has them.
package struct SparkRequest: Sendable {
  package var ledgerPath: String
  package var period: Period
  package var settings: Settings
  package var asOf: Day
  /// How the configuration reads the company's exports: columns keep their names in Spark.
  package var mappings: [TableMapping]
  /// As a query of Spark's names the tables.
  package var orders = "orders"
  package var transactions = "transactions"
  /// Columns that a table does not have, as `orders.device`.
  package var lacking: [String] = []
  /// Where the script is saved.
  package var script: String
  /// The folder that Spark writes into.
  package var output: String

  package init(
    ledgerPath: String, period: Period, settings: Settings, asOf: Day, mappings: [TableMapping],
    script: String, output: String
  ) {
    self.ledgerPath = ledgerPath
    self.period = period
    self.settings = settings
    self.asOf = asOf
    self.mappings = mappings
    self.script = script
    self.output = output
  }

  /// The path of the file beside the script that has the ids which Apple's messages name.
  package var idsPath: String {
    (script.hasSuffix(".sql") ? String(script.dropLast(4)) : script) + ".ids.csv"
  }
}

/// A script that was saved.
package struct WrittenScript: Sendable {
  let request: SparkRequest
  /// Ids in the file beside the script; 0 where there is none.
  let ids: Int
  /// What is asked for as rows because of the counts that are loaded.
  let asked: RowsAsked
  /// Whether counts of the period are loaded, and no rule asks for more rows than they have.
  let isWhole: Bool
}

/// Saves a script that counts a period's plain purchases where the company has them, and the ids
/// that it needs. Where counts of the period are loaded already, it asks for the rows that these
/// turned out to lack.
///
/// - Throws: a ``Stop``, `LedgerError`.
package func writeSparkScript(_ request: SparkRequest) throws -> WrittenScript {
  if request.settings.requireSigned {
    throw Stop(
      .badInput, "@spark.require-signed-is-set-no",
      help: "@spark.import-signed-transactions-or-remove")
  }
  let wanted = ReconcileRequest(
    ledgerPath: request.ledgerPath, period: request.period, settings: request.settings,
    asOf: request.asOf)
  return try wanted.reading { ledger in
    var script = try SparkScript(request)
    let products = try ledger.companyTables().products
    script.otherSKUs = Set(
      products.filter { $0.kind != .consumable }.map { AppProduct($0.sku).sku }
    ).sorted()
    var isWhole = false
    if try ledger.countedPeriods().contains(request.period.description) {
      script.asked = try reconcileFacts(wanted, ledger).rowsAsked
      let counts = try ledger.facts(
        purchases: purchaseWindow(request.period), reportDays: reportDays(request.period),
        counted: request.period
      ).counts
      isWhole = script.asked.isEmpty && !counts.hasLaterMessages
      script.asked.add(counts.asked)
    }
    // A message may tell another time than the company's tables do.
    let (first, last) = (script.window.lowerBound, script.window.upperBound)
    let ids = try ledger.idsInMessages(first - 35 * 86_400...last + 35 * 86_400)
    let count = ids.transactions.count + ids.orders.count
    if count > 0 {
      script.idsPath = absolutePath(request.idsPath)
      try saveFile(at: request.idsPath) { sink in
        var writer = RowWriter(.csv, ["transaction_id", "order_id"], sink: sink)
        for id in ids.transactions {
          writer.text(id)
          writer.null()
          try writer.endRow()
        }
        for id in ids.orders {
          writer.null()
          writer.text(id)
          try writer.endRow()
        }
        try writer.finish()
      }
    }
    try saveFile(at: request.script) { try $0(Array(script.text.utf8)) }
    return WrittenScript(request: request, ids: count, asked: script.asked, isWhole: isWhole)
  }
}

extension SparkScript {
  /// The script for the request's period, tables and settings, without what the ledger tells.
  fileprivate init(_ request: SparkRequest) throws {
    let (window, zone) = (purchaseWindow(request.period), request.settings.businessZone)
    let times = window.lowerBound.seconds...window.upperBound.seconds
    let last = zone.start(of: request.period.last.advanced(by: 1)).seconds
    try self.init(
      period: request.period, window: times,
      businessTimes: zone.start(of: request.period.first).seconds..<last,
      offsets: zone.offsets(in: times), lateAfter: request.settings.lateAfter,
      leadTime: Rules.clockSlack, offerDays: Rules.earlierOffers,
      orders: SparkTable(request.orders, .orders, request),
      transactions: SparkTable(request.transactions, .transactions, request),
      output: request.output)
    for entry in StorefrontTable.builtIn.entries {
      spellings[entry.storefront] = [entry.storefront.code, entry.alpha3, entry.appleID]
    }
  }
}

extension SparkTable {
  /// A table in Spark, with its columns as the configuration maps them. Throws a ``Stop`` where the
  /// mapping also changes values, or where the request lists as lacking a column that a table of
  /// this kind never has.
  fileprivate init(_ name: String, _ kind: InputKind, _ request: SparkRequest) throws {
    self.init(name: name)
    if let mapping = request.mappings.first(where: { $0.kind == kind && !$0.columns.isEmpty }) {
      guard mapping.words.isEmpty, mapping.unit == .whole, mapping.decimal == nil,
        mapping.signs.isEmpty, (mapping.nulls ?? []).isEmpty, mapping.dates == .ymd
      else {
        throw Stop(
          .badInput, "@spark.script-cannot-change-values \(mapping.name)",
          help: "@spark.make-a-view-in-spark \(kind.rawValue)")
      }
      (columns, constants) = (mapping.columns, mapping.constants)
    }
    let known = kind == .orders ? SparkScript.orderColumns : SparkScript.transactionColumns
    let prefix = kind.rawValue + "."
    for column in request.lacking where column.hasPrefix(prefix) {
      let column = String(column.dropFirst(prefix.count))
      guard known.contains(column) else {
        throw Stop(
          .badInput, "@spark.table-of-has-no-column \(kind.rawValue) \(column)",
          help: "@spark.name-one \(known.joined(separator: ", "))")
      }
      lacking.insert(column)
    }
  }
}

extension Zone {
  /// The zone's offsets from UTC that hold in the times, in seconds, each with the first second
  /// after it; nil for the last.
  fileprivate func offsets(in times: ClosedRange<Int64>) -> [(end: Int64?, seconds: Int64)] {
    let begin = times.lowerBound - times.lowerBound % 900
    var offsets: [(end: Int64?, seconds: Int64)] = []
    for moment in stride(from: begin, through: times.upperBound, by: 900) {
      let offset = Int64(offset(at: Instant(seconds: moment)))
      if offsets.last?.seconds == offset { continue }
      if !offsets.isEmpty { offsets[offsets.count - 1].end = moment }
      offsets.append((nil, offset))
    }
    return offsets
  }
}

extension RowsAsked {
  /// Adds the rows that were asked for before: these are handed over again.
  fileprivate mutating func add(_ earlier: RowsAsked) {
    spans = Set(spans + earlier.spans).sorted {
      ($0.storefront, $0.sku, $0.begin, $0.end) < ($1.storefront, $1.sku, $1.begin, $1.end)
    }
    users = Array(Set(users + earlier.users)).sorted()
  }
}
