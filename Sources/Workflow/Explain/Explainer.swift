import Billing
import Conclusions
import Ledger
import Matching
import Pricing

/// What every explanation is told from: the ledger, the company's tables, and what the last
/// reconciliations recorded.
struct Explainer {
  let ledger: Ledger
  let request: ExplainRequest
  /// The company's, without any rows.
  let tables: MonthFacts
  let catalogue: CatalogueBook
  let book: PriceBook
  let tiers: TierBook
  private let zones: [String: Zone]
  /// None where users may be shown.
  private let mask: UserMask?

  /// Rows of orders and transactions whose events are told one by one.
  static let eventLimit = 10
  /// Candidates, rows of evidence and further findings that are shown.
  static let shownLimit = 10
  /// Rows of evidence, and places of a finding, that are shown; of the rest only the number is.
  static let evidenceLimit = 12

  /// Reads the company's tables, and prepares prices, tiers, time zones and the mask of users.
  init(_ request: ExplainRequest, _ ledger: Ledger) throws {
    self.request = request
    self.ledger = ledger
    mask = request.settings.maskUsers ? try UserMask(ledger) : nil
    tables = try ledger.companyTables()
    catalogue = CatalogueBook(tables.products, tables.shared)
    book = PriceBook(tables, request.settings)
    tiers = TierBook(tables.tiers, standIns: .lasting)
    zones = Dictionary(
      uniqueKeysWithValues: Set(Territory.allCases.map(\.zoneName)).map { name in
        guard let zone = Workflow.zone(named: name) else { preconditionFailure("no zone \(name)") }
        return (name, zone)
      })
  }

  /// The settings and tables that rows of the period are judged by.
  ///
  /// - Parameter boundaries: zones of Apple's days that are known already.
  func context(_ period: Period, boundaries: [Storefront: Zone] = [:]) -> MatchingContext {
    var settings = request.settings
    settings.dayBoundary.merge(boundaries) { configured, _ in configured }
    return MatchingContext(
      period: period, asOf: request.asOf, settings: settings, catalogue: catalogue,
      priceBook: book, tiers: tiers, storefronts: .builtIn, zones: zones)
  }

  /// The user as it may be shown.
  func shown(user: String) -> String {
    mask.map { $0(user) } ?? user
  }

  /// Findings whose advice names users as they may be shown.
  func shown(_ findings: [Finding]) -> [Finding] {
    guard let mask else { return findings }
    return findings.map { finding in
      var finding = finding
      finding.rename(customer: mask(finding.customer))
      return finding
    }
  }

  /// Reads rows with all that they say, users as they may be shown.
  func factRows<Table>(_ rows: [RowID<Table>], of table: FactRowTable<Table>) throws -> [FactRow] {
    var found = try ledger.factRows(rows, of: table)
    guard let mask else { return found }
    for row in found.indices {
      for field in found[row].fields.indices
      where ["user_id", "app_account_token", "app_transaction_id"].contains(
        found[row].fields[field].name)
      {
        found[row].fields[field].value = mask(found[row].fields[field].value)
      }
    }
    return found
  }

  /// The period whose reconciliation is about a day: the one asked for where it has the day, else
  /// the calendar month.
  func period(of day: Day) -> Period {
    if let period = request.period, period.contains(day) { return period }
    let (year, month, _) = day.parts
    guard let period = Period("\(padded(year, 4))-\(padded(month, 2))") else {
      preconditionFailure("every day lies in a month")
    }
    return period
  }

  /// Where Apple's days of a storefront begin: as configured, else as the last reconciliation of
  /// the day's month found out; nil where neither tells.
  func boundary(of storefront: Storefront, on day: Day) throws -> ReportDayBoundary? {
    if let zone = request.settings.dayBoundary[storefront] {
      let noon = Instant(seconds: day.startUTC.seconds + 43_200)
      return ReportDayBoundary(
        storefront: storefront, rule: "configured", zone: zone.name,
        utcOffsetMinutes: Int(zone.offset(at: noon)) / 60, confidence: nil, residualUnits: 0,
        runnerUp: nil)
    }
    return try ledger.recordedDayBoundary(of: storefront, on: day)
  }

  /// The time zone in which Apple's days begin at midnight; Pacific time where no boundary is
  /// known.
  func zone(of boundary: ReportDayBoundary?) -> Zone {
    boundary.flatMap { boundaryZone(named: $0.zone) } ?? zones[Territory.pacific.zoneName]!
  }

  /// Apple's report day that a moment falls on, with the day boundary by which it does; Pacific
  /// time where that is nil.
  func reportDay(of moment: Instant, in storefront: Storefront) throws -> (Day, ReportDayBoundary?)
  {
    let boundary = try boundary(of: storefront, on: moment.day())
    return (zone(of: boundary).day(of: moment), boundary)
  }

  /// An amount converted into base currency at the last rate on or before a day; nil where none is
  /// loaded.
  func base(_ amount: Money, on day: Day) throws -> (Money, rate: CurrencyRate)? {
    let currency = request.settings.baseCurrency
    guard amount.currency != currency else { return (amount, .one) }
    let rates = RateBook(try ledger.rates(day...day))
    guard let rate = rates.rate(from: amount.currency, to: currency, on: day) else { return nil }
    return (amount.converted(at: rate, to: currency), rate)
  }
}

extension Instant {
  /// Reads a time as the ledger's views write it: `2023-06-19T08:30:00Z`.
  init?(view text: String) {
    let parts = text.split(separator: "T")
    guard parts.count == 2, let day = Day(parts[0]), parts[1].utf8.count == 9 else { return nil }
    let clock = parts[1].dropLast().split(separator: ":").compactMap { Int64($0) }
    guard clock.count == 3 else { return nil }
    self.init(seconds: day.startUTC.seconds + clock[0] * 3600 + clock[1] * 60 + clock[2])
  }
}
