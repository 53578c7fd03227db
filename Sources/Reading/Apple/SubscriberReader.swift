internal import Billing

/// Reads Apple's subscriber report: purchases and refunds of pseudonymous subscribers.
struct SubscriberReader: RowReader {
  private let map: SubscriptionMap
  private var unknown = UnknownWords()
  private let eventDate: FoundColumn
  private let subscriber: FoundColumn
  private let purchaseDate: FoundColumn
  private let units: FoundColumn
  private var rows: [SubscriberRow] = []
  private var terms: Interner<SubscriberTerms>
  private var known: [(terms: SubscriberTerms, units: Int64)] = []
  private var days = DayCounts()

  private static let descriptive =
    SubscriptionNames.product + SubscriptionNames.offer + ["marketing opt-in duration"]
    + SubscriptionNames.price + SubscriptionNames.circumstance + ["subscriber id reset", "refund"]

  init(_ header: Header, storefronts: StorefrontLookup, log: ReadingLog) throws {
    map = try SubscriptionMap(
      header, Self.descriptive + ["event date", "subscriber id", "purchase date", "units"],
      required: [
        "event date", "subscription apple id", "customer price", "developer proceeds", "country",
        "subscriber id", "refund", "units",
      ], storefronts: storefronts, log: log)
    eventDate = FoundColumn("event date", map)
    subscriber = FoundColumn("subscriber id", map)
    purchaseDate = FoundColumn("purchase date", map)
    units = FoundColumn("units", map)
    terms = Interner(fields: map.fields(Self.descriptive))
  }

  var pending: Int { rows.count }

  /// The day that most rows are of; nil without rows.
  var mainDay: Day? { days.most }

  /// Reads a row: units that a subscriber bought, or that were refunded, on a day.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    var row = SubscriberRow(
      line: record.line, terms: 0, day: try eventDate.requiredDay(record),
      subscriber: try record.requiredText(subscriber.field, subscriber.name),
      purchaseDay: try purchaseDate.day(record), units: try units.requiredCount(record))
    var code = terms.find(record)
    if code < 0 {
      let values = SubscriptionRecord(record: record, map: map)
      unknown.add(values.unknownReason, line: record.line)
      code = try newTerms(values)
    }
    row.terms = code
    known[Int(code)].units += Int64(row.units)
    days.add(row.day)
    rows.append(row)
    return 1
  }

  /// Reads and keeps terms that no row before had; returns their code, by which rows name them.
  private mutating func newTerms(_ fields: SubscriptionRecord) throws(RecordDiagnostic) -> Int32 {
    let new = SubscriberTerms(
      product: fields.product, offer: fields.offer,
      marketingOptInDuration: fields.text("marketing opt-in duration"), price: try fields.price(),
      circumstance: try fields.circumstance(), isReset: try fields.flag("subscriber id reset"),
      isRefund: try fields.flag("refund"))
    let code = terms.insert(new, for: fields.record)
    if Int(code) == known.count { known.append((new, 0)) }
    return code
  }

  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .subscribers(rows))
    block.newSubscriberTerms = terms.takeFresh()
    rows = []
    return block
  }

  /// The sums of all rows: refunds are negative; those of a part of the price have no units and are
  /// in no sum.
  func summary(_ log: ReadingLog) throws -> RowSummary {
    unknown.warn(log, help: unknownRowsHelp)
    var totals = TotalsByCurrency()
    for (terms, units) in known {
      let units = terms.isRefund ? -units : units
      let price = Int64((terms.price.customerPrice ?? 0).magnitude)
      totals.add(terms.price.customerCurrency, units: units, price: price)
      totals.add(
        terms.price.proceedsCurrency ?? terms.price.customerCurrency, units: units,
        proceeds: terms.price.proceeds ?? 0)
    }
    return RowSummary(totals: try totals.totals(file: log.file))
  }
}
