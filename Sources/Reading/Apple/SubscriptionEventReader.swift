internal import Billing

/// Reads Apple's subscription event report: how often what happened to subscriptions.
struct SubscriptionEventReader: RowReader {
  private let map: SubscriptionMap
  private var unknown = UnknownWords()
  private let eventDate: FoundColumn
  private let quantity: FoundColumn
  private let originalStart: FoundColumn
  private let consecutivePaidPeriods: FoundColumn
  private let daysBeforeCanceling: FoundColumn
  private let daysCanceled: FoundColumn
  private let paidServiceDaysRecovered: FoundColumn
  private var rows: [SubscriptionEventRow] = []
  private var terms: Interner<SubscriptionEventTerms>
  private var known: [(event: String, quantity: Int)] = []
  private var days = DayCounts()

  private static let descriptive =
    ["event"] + SubscriptionNames.product + SubscriptionNames.offer
    + ["marketing opt-in", "marketing opt-in duration"] + SubscriptionNames.circumstance
    + ["previous subscription name", "previous subscription apple id", "cancellation reason"]

  init(_ header: Header, storefronts: StorefrontLookup, log: ReadingLog) throws {
    map = try SubscriptionMap(
      header,
      Self.descriptive + [
        "event date", "quantity", "original start date", "consecutive paid periods",
        "days before canceling", "days canceled", "paid service days recovered",
      ],
      required: ["event date", "event", "subscription apple id", "country", "quantity"],
      storefronts: storefronts, log: log)
    eventDate = FoundColumn("event date", map)
    quantity = FoundColumn("quantity", map)
    originalStart = FoundColumn("original start date", map)
    consecutivePaidPeriods = FoundColumn("consecutive paid periods", map)
    daysBeforeCanceling = FoundColumn("days before canceling", map)
    daysCanceled = FoundColumn("days canceled", map)
    paidServiceDaysRecovered = FoundColumn("paid service days recovered", map)
    terms = Interner(fields: map.fields(Self.descriptive))
  }

  var pending: Int { rows.count }

  /// The day that most rows are of; nil without rows.
  var mainDay: Day? { days.most }

  /// Reads a row: how often an event happened to a subscription on a day.
  mutating func read(_ record: Record) throws(RecordDiagnostic) -> Int {
    var row = SubscriptionEventRow(
      line: record.line, terms: 0, day: try eventDate.requiredDay(record),
      quantity: try quantity.requiredCount(record), originalStart: try originalStart.day(record),
      consecutivePaidPeriods: try consecutivePaidPeriods.count(record),
      daysBeforeCanceling: try daysBeforeCanceling.count(record),
      daysCanceled: try daysCanceled.count(record),
      paidServiceDaysRecovered: try paidServiceDaysRecovered.count(record))
    var code = terms.find(record)
    if code < 0 {
      let values = SubscriptionRecord(record: record, map: map)
      unknown.add(values.unknownReason, line: record.line)
      code = try newTerms(values)
    }
    row.terms = code
    known[Int(code)].quantity += Int(row.quantity)
    days.add(row.day)
    rows.append(row)
    return 1
  }

  /// Reads and keeps terms that no row before had; returns their code, by which rows name them.
  private mutating func newTerms(_ fields: SubscriptionRecord) throws(RecordDiagnostic) -> Int32 {
    let new = SubscriptionEventTerms(
      event: try fields.record.requiredText(map.field("event"), "event"), product: fields.product,
      offer: fields.offer, marketingOptIn: fields.text("marketing opt-in"),
      marketingOptInDuration: fields.text("marketing opt-in duration"),
      circumstance: try fields.circumstance(),
      previousName: fields.text("previous subscription name"),
      previousID: fields.text("previous subscription apple id"),
      cancellationReason: fields.text("cancellation reason"))
    let code = terms.insert(new, for: fields.record)
    if Int(code) == known.count { known.append((new.event, 0)) }
    return code
  }

  mutating func takeBlock() -> FactBlock {
    var block = FactBlock(rows: .subscriptionEvents(rows))
    block.newSubscriptionEventTerms = terms.takeFresh()
    rows = []
    return block
  }

  /// How often each event happened.
  func summary(_ log: ReadingLog) -> RowSummary {
    unknown.warn(log, help: unknownRowsHelp)
    let events = Dictionary(known.map { ($0.event, $0.quantity) }, uniquingKeysWith: +)
    let tallies = events.sorted { $0.key < $1.key }.map {
      Tally(what: Wording(verbatim: $0.key), count: $0.value)
    }
    return RowSummary(tallies: tallies)
  }
}

/// How many rows are of which day.
struct DayCounts {
  private var counts: [Day: Int] = [:]

  /// Adds a row of a day.
  mutating func add(_ day: Day) { counts[day, default: 0] += 1 }

  /// The day with most of them, of several the latest.
  var most: Day? { counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key }
}
