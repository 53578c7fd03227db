import Billing
import Support

/// Which calendar a simulated Apple books one storefront's sales by.
struct ReportCalendar: Sendable {
  /// `pacific`, `central-european`, `japan`, `western-australia`, `local:ZONE` or `utc`.
  let rule: String
  let zone: Zone

  func day(of instant: Int64) -> Day { zone.day(of: Instant(seconds: instant)) }
  func start(of day: Day) -> Int64 { zone.start(of: day).seconds }

  init(rule: String, zone: Zone) {
    self.rule = rule
    self.zone = zone
  }

  func changed(to other: ReportCalendar, from day: Day) -> ReportCalendar {
    ReportCalendar(
      rule: "\(rule), from \(day) \(other.rule)", zone: zone.changed(to: other.zone, from: day))
  }

  /// The calendar of `market` where the whole world follows `rule`.
  init(
    _ rule: DayRule, for market: Market, around period: Period, random: inout RandomNumbers
  ) {
    func named(_ rule: String, _ zone: String) -> ReportCalendar {
      ReportCalendar(rule: rule, zone: Zone(identifier: zone, around: period))
    }
    switch (rule, market.region) {
    case (.pacific, _), (.territory, .americas), (.territoryOld, .americas):
      self = named("pacific", "America/Los_Angeles")
    case (.territory, .europe), (.territoryOld, .europe), (.territoryOld, .asia):
      self = named("central-european", "Europe/Paris")
    case (.territory, .japan), (.territory, .asia), (.territoryOld, .japan):
      self = named("japan", "Asia/Tokyo")
    case (.territory, .australia), (.territoryOld, .australia):
      self = named("western-australia", "Australia/Perth")
    case (.local, _): self = named("local:\(market.localZone)", market.localZone)
    case (.mixed, _):
      let choice = random.below(4)
      if choice == 3 {
        self = ReportCalendar(rule: "utc", zone: .utc)
      } else {
        let drawn: DayRule = choice == 0 ? .pacific : choice == 1 ? .territory : .local
        self.init(drawn, for: market, around: period, random: &random)
      }
    }
  }
}

extension Zone {
  /// The IANA zone's transitions from two years before the period to one year after it.
  init(identifier: String, around period: Period) {
    self.init(
      identifier: identifier,
      within: period.first.advanced(by: -730).startUTC...period.last.advanced(by: 365).startUTC)
  }
}
