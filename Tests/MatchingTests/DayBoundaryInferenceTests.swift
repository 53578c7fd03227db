import Billing
import Pricing
import Support
import Testing

@testable import Matching

/// Day boundaries found from 200 units and more.
struct DayBoundaryInferenceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let period: String
    let storefront: String
    /// IANA name, or minutes of a fixed offset.
    let zone: String
    let rule: String
    let minutes: Int
    var testDescription: String { "\(storefront) in \(period) by \(rule)" }
  }

  static let cases: [Case] = [
    Case(
      period: "2023-06", storefront: "CN", zone: "America/Los_Angeles", rule: "pacific",
      minutes: -420),
    Case(
      period: "2023-01", storefront: "JP", zone: "America/Los_Angeles", rule: "pacific",
      minutes: -480),
    // Months in which the clocks change.
    Case(
      period: "2023-03", storefront: "DE", zone: "America/Los_Angeles", rule: "pacific",
      minutes: -420),
    Case(
      period: "2023-11", storefront: "US", zone: "America/Los_Angeles", rule: "pacific",
      minutes: -480),
    Case(
      period: "2023-03", storefront: "DE", zone: "Europe/Paris", rule: "central-european",
      minutes: 60),
    Case(
      period: "2023-10", storefront: "GB", zone: "Europe/Paris", rule: "central-european",
      minutes: 120),
    Case(period: "2023-06", storefront: "CN", zone: "Asia/Tokyo", rule: "japan", minutes: 540),
    Case(period: "2023-06", storefront: "JP", zone: "Asia/Tokyo", rule: "japan", minutes: 540),
    Case(
      period: "2023-06", storefront: "AU", zone: "Australia/Perth", rule: "western-australia",
      minutes: 480),
    Case(
      period: "2023-06", storefront: "CN", zone: "Asia/Shanghai", rule: "local:Asia/Shanghai",
      minutes: 480),
    Case(
      period: "2023-06", storefront: "IN", zone: "Asia/Kolkata", rule: "local:Asia/Kolkata",
      minutes: 330),
    Case(
      period: "2023-03", storefront: "GB", zone: "Europe/London", rule: "local:Europe/London",
      minutes: 0),
    Case(
      period: "2023-11", storefront: "US", zone: "America/New_York", rule: "local:America/New_York",
      minutes: -300),
    Case(period: "2023-06", storefront: "CN", zone: "0", rule: "utc", minutes: 0),
    Case(period: "2023-06", storefront: "CN", zone: "300", rule: "fixed:+05:00", minutes: 300),
    Case(period: "2023-06", storefront: "US", zone: "-720", rule: "fixed:-12:00", minutes: -720),
    Case(period: "2023-06", storefront: "US", zone: "840", rule: "fixed:+14:00", minutes: 840),
  ]

  @Test(arguments: cases)
  func findsTheBoundary(_ example: Case) throws {
    var random = SplitMix64(seed: 1)
    var world = World()
    world.period = Period(example.period)!
    world.asOf = world.period.last.advanced(by: 10)
    world.trade(260, in: example.storefront, zone: zone(example.zone), &random)
    let tieOut = world.tieOut()
    let boundary = try #require(tieOut.sales.dayBoundaries.first)
    #expect(boundary.utcOffsetMinutes == example.minutes)
    #expect(boundary.rule == example.rule)
    #expect(boundary.residualUnits == 0)
    #expect(tieOut.lines.isEmpty)
    expectClosed(tieOut)
  }

  private func zone(_ name: String) -> Zone {
    Int(name).map { Zone.fixed(minutes: $0) } ?? Zones.named(name)
  }

  /// Counted unit by unit or over all days, it comes to the same; Apple reports what it likes here,
  /// of one product nothing.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func fewUnitsCountAsMany(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var world = World()
    for storefront in ["CN", "DE", "JP"] {
      world.trade(150, in: storefront, zone: Zones.named("Europe/Paris"), &random)
    }
    let table = MatchTable(world.facts, catalogue: world.context.catalogue)
    var units = BillableUnits(beginning: table, context: world.context)
    units.finish(
      table, seasons: SalesReports(world.facts, world.context).seasons, context: world.context)
    let days = Array(Day("2023-06-02")!...Day("2023-06-28")!)
    let sales = (0..<units.products.count * days.count).map { index in
      ReportedSale(
        day: Int32(index % days.count), units: Int64.random(in: 0...9, using: &random))
    }
    let reported = Grouped(
      numbers: units.products.count, count: sales.count,
      number: { $0 / days.count == 1 ? -1 : Int32($0 / days.count) }, element: { sales[$0] })
    func found(_ fewUnits: Int) -> [ReportDayBoundary] {
      var inference = DayBoundaryInference(
        units, reported: reported, days: days, context: world.context, fewUnits: fewUnits)
      return inference.dayBoundaries(["CN", "DE", "JP", "US"].map { Storefront($0)! })
        .map(\.boundary)
    }
    #expect(found(0) == found(.max))
    #expect(found(0).contains { $0.residualUnits > 100 && $0.confidence != nil })
  }

  @Test func theConfiguredZoneGoesFirst() {
    var random = SplitMix64(seed: 1)
    var world = World()
    world.trade(300, in: "CN", zone: Zones.named("Asia/Tokyo"), &random)
    world.settings.dayBoundary = [Storefront("CN")!: Zones.named("Asia/Shanghai")]
    let boundary = world.tieOut().sales.dayBoundaries[0]
    #expect(boundary.rule == "configured" && boundary.zone == "Asia/Shanghai")
    #expect(
      boundary.utcOffsetMinutes == 480 && boundary.confidence == nil && boundary.residualUnits > 0)
  }

  @Test func smallStorefrontsTakeTheirGroups() {
    var random = SplitMix64(seed: 2)
    var world = World()
    // Germany speaks for Europe; Japan and its group follow the whole.
    world.trade(400, in: "DE", zone: Zones.named("Europe/Paris"), &random)
    world.trade(40, in: "GB", zone: Zones.named("Europe/Paris"), &random)
    world.trade(60, in: "JP", zone: Zones.named("Asia/Tokyo"), &random)
    let rules = world.tieOut().sales.dayBoundaries.map { "\($0.storefront) \($0.rule)" }
    #expect(rules == ["DE central-european", "GB central-european", "JP japan"])
  }

  /// The group's rule puts nearly all of its units on another day, its own none.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func aSmallStorefrontThatSpeaksClearlyKeepsItsRule(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var world = World()
    world.trade(400, in: "DE", zone: Zones.named("Europe/Paris"), &random)
    world.trade(60, in: "GB", zone: Zones.named("America/Los_Angeles"), &random)
    let tieOut = world.tieOut()
    #expect(tieOut.sales.dayBoundaries.map(\.rule) == ["central-european", "pacific"])
    #expect(tieOut.sales.dayBoundaries.map(\.residualUnits) == [0, 0])
    #expect(tieOut.lines.isEmpty)
  }

  /// Of 29 units a month, and most on another day by the group's rule.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func twentyNineUnitsKeepTheirRule(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var world = World()
    world.trade(400, in: "DE", zone: Zones.named("Europe/Paris"), &random)
    world.trade(29, in: "GB", zone: .fixed(minutes: -720), &random)
    let tieOut = world.tieOut()
    #expect(tieOut.sales.dayBoundaries.map(\.residualUnits) == [0, 0])
    #expect(tieOut.lines.isEmpty)
  }

  /// Apple may cut the days otherwise from a day on: both halves say so.
  @Test(arguments: [
    ("America/Los_Angeles", "Asia/Tokyo", "JP", "pacific, from 2023-06-16 japan"),
    ("Europe/Paris", "America/Los_Angeles", "DE", "central-european, from 2023-06-16 pacific"),
    ("Asia/Tokyo", "Asia/Kolkata", "IN", "japan, from 2023-06-16 local:Asia/Kolkata"),
  ])
  func aRuleThatChangesIsFound(from: String, to: String, storefront: String, rule: String) throws {
    let changed = Zones.named(from).changed(to: Zones.named(to), from: Day("2023-06-16")!)
    for seed in 1...4 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      var world = World()
      world.trade(400, in: storefront, zone: changed, &random)
      let tieOut = world.tieOut()
      let boundary = try #require(tieOut.sales.dayBoundaries.first)
      #expect(boundary.rule == rule)
      #expect(boundary.residualUnits == 0 && boundary.confidence == 1_000_000)
      #expect(tieOut.lines.isEmpty)
      expectClosed(tieOut)
    }
  }

  /// A storefront with few units takes over the change of the others, or keeps its own rule.
  @Test func aChangeHoldsForSmallStorefrontsToo() {
    let changed = Zones.named("America/Los_Angeles")
      .changed(to: Zones.named("Europe/Paris"), from: Day("2023-06-16")!)
    var random = SplitMix64(seed: 5)
    var world = World()
    world.trade(400, in: "DE", zone: changed, &random)
    world.trade(50, in: "GB", zone: changed, &random)
    world.trade(60, in: "JP", zone: Zones.named("Asia/Tokyo"), &random)
    let tieOut = world.tieOut()
    let rule = "pacific, from 2023-06-16 central-european"
    #expect(tieOut.sales.dayBoundaries.map(\.rule).prefix(2) == [rule, rule])
    #expect(tieOut.sales.dayBoundaries.map(\.residualUnits) == [0, 0, 0])
    #expect(tieOut.lines.isEmpty)
  }

  /// What one half leaves under every rule is no change of the rule.
  @Test func aLossInOneHalfIsNoChange() {
    var random = SplitMix64(seed: 6)
    var world = World()
    world.trade(400, in: "JP", zone: Zones.named("Asia/Tokyo"), &random)
    world.facts.sales.removeAll {
      $0.begin >= Day("2023-06-16")! && $0.begin <= Day("2023-06-24")!
    }
    #expect(world.tieOut().sales.dayBoundaries.map(\.rule) == ["japan"])
  }

  @Test func theConfiguredZoneMayChange() {
    var random = SplitMix64(seed: 1)
    var world = World()
    let changed = Zones.named("Asia/Shanghai")
      .changed(to: Zones.named("America/Los_Angeles"), from: Day("2023-06-10")!)
    world.trade(300, in: "CN", zone: changed, &random)
    world.settings.dayBoundary = [Storefront("CN")!: changed]
    let boundary = world.tieOut().sales.dayBoundaries[0]
    #expect(boundary.rule == "configured" && boundary.residualUnits == 0)
    #expect(boundary.zone == "Asia/Shanghai, from 2023-06-10 America/Los_Angeles")
  }

  /// No document gives Japan the days of another territory: a few units do not either.
  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func aFewUnitsGiveJapanNoOtherDays(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var world = World()
    let zone = Zones.named("Asia/Tokyo")
    world.trade(220, in: "JP", zone: zone, &random)
    for number in 0..<3 {
      let moment = zone.start(of: world.period.first.advanced(by: 4 + number * 7)).seconds + 900
      world.pair(
        "early\(number)", at: text(UInt32(moment)), price: "600", currency: "JPY",
        storefront: "JP")
      world.sale(
        on: "\(world.period.first.advanced(by: 3 + number * 7))", price: "600", storefront: "JP",
        currency: "JPY")
    }
    #expect(world.tieOut().sales.dayBoundaries.map(\.rule) == ["japan"])
  }

  @Test func fewUnitsTakePacific() {
    var world = World { $0.reports() }
    world.booked("1")
    #expect(world.tieOut().sales.dayBoundaries.map(\.rule) == ["pacific"])
    #expect(world.tieOut().sales.dayBoundaries[0].runnerUp == nil)
  }

  /// Units at noon of every day leave most rules equal: the first of the candidates wins.
  @Test func tiesTakeTheFirstCandidate() {
    var world = World { $0.reports() }
    for number in 0..<150 {
      let day = world.period.first.advanced(by: number % 28 + 1)
      world.booked("\(number)", at: "\(day)T19:00:00", on: "\(day)")
    }
    let boundary = world.tieOut().sales.dayBoundaries[0]
    #expect(boundary.rule == "pacific" && boundary.confidence == 0 && boundary.runnerUp != nil)
  }

  /// The zone of another group is a fixed offset here, and goes before offsets of nobody's.
  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func timingDoesNotMoveAnotherGroupsBoundary(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var world = World()
    let zone = Zones.named("Europe/Paris")
    world.trade(220, in: "CN", zone: zone, &random)
    let moment = zone.start(of: Day("2023-06-12")!).seconds - 100
    world.booked("late", at: text(UInt32(moment)), on: "2023-06-12")
    let tieOut = world.tieOut()
    #expect(tieOut.sales.dayBoundaries[0].rule == "fixed:+02:00")
    #expect(tieOut.lines(.timing).count == 1)
  }

  /// A few units that Apple booked a day late do not move the boundary.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func timingDoesNotMoveTheBoundary(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var world = World()
    let zone = Zones.named("Asia/Tokyo")
    world.trade(220, in: "CN", zone: zone, &random)
    for number in 0..<3 {
      let day = world.period.first.advanced(by: 4 + number * 7)
      let moment = zone.start(of: day).seconds - Int64.random(in: 40...600, using: &random)
      world.booked("late\(number)", at: text(UInt32(moment)), on: "\(day)")
    }
    let tieOut = world.tieOut()
    #expect(tieOut.sales.dayBoundaries[0].rule == "japan")
    #expect(tieOut.lines(.timing).count == 3)
    #expect(tieOut.lines.count == 3)
  }
}

extension World {
  /// Random pairs over the period and two days around it, and Apple's reports of them by a zone.
  mutating func trade(
    _ count: Int, in storefront: String, zone: Zone, _ random: inout some RandomNumberGenerator
  ) {
    let first = period.first.advanced(by: -3).startUTC.seconds
    let last = period.last.advanced(by: 3).startUTC.seconds
    let reach = period.first.advanced(by: -1)...period.last.advanced(by: 1)
    if facts.coverage.isEmpty { for day in reach { report(day, day) } }
    var booked: [String: Int32] = [:]
    for number in 0..<count {
      let moment = Int64.random(in: first...last, using: &random)
      let sku = ["gems", "chest", "monthly"].randomElement(using: &random)!
      let (currency, price) = Shelf.price(sku, storefront)
      pair(
        "\(storefront)\(number)", sku: sku, at: text(UInt32(moment)), price: price,
        currency: currency, storefront: storefront)
      let day = zone.day(of: Instant(seconds: moment + 30))
      if reach.contains(day) { booked["\(day) \(sku)", default: 0] += 1 }
    }
    for (key, units) in booked.sorted(by: { $0.key < $1.key }) {
      let parts = key.split(separator: " ").map(String.init)
      let (currency, price) = Shelf.price(parts[1], storefront)
      sale(
        parts[1], on: parts[0], units: units, price: price, storefront: storefront,
        currency: currency, type: parts[1] == "monthly" ? "IAY" : "IA1")
    }
  }
}
