import Billing
import Testing

@Suite struct DayTests {
  /// Every day of three hundred years: numbers follow each other, and parts come back.
  @Test func daysFollowEachOther() {
    var expected = Day(number: Day(year: 1900, month: 1, day: 1)!.number - 1)
    var weekday = expected.weekday
    for year in Day.years {
      for month in 1...12 {
        for day in 1...Day.length(ofMonth: month, year: year) {
          let date = Day(year: year, month: month, day: day)!
          guard date.number == expected.number + 1, date.weekday == (weekday + 1) % 7,
            date.parts == (year, month, day)
          else {
            Issue.record("\(year)-\(month)-\(day) is \(date)")
            return
          }
          expected = date
          weekday = date.weekday
        }
      }
    }
  }

  @Test(arguments: [("1970-01-01", 0, 4), ("2000-02-29", 11_016, 2), ("2023-06-19", 19_527, 1)])
  func knownDays(text: String, number: Int32, weekday: Int) {
    let day = Day(text)
    #expect(day?.number == number && day?.weekday == weekday && day?.description == text)
  }

  @Test(arguments: [
    "2023-02-30", "2023-02-29", "1900-02-29", "2023-13-01", "2023-00-01", "2023-06-00",
    "2023-6-01", "23-06-01", "2023-06-01 ", "+023-06-01", "2023-+6-01", "2023-06-+1", "2023-06",
    "", "2023-06-01-01", "0000-01-01", "0001-01-01", "1899-12-31", "2200-01-01", "9999-12-31",
  ])
  func otherTextsAreNoDays(text: String) { #expect(Day(text) == nil) }

  @Test func instantsHaveDays() {
    #expect(Instant(seconds: -1).day() == Day("1969-12-31"))
    #expect(Instant(seconds: 0).day(offset: -1) == Day("1969-12-31"))
    #expect(Instant(seconds: 86_399).day(offset: 1) == Day("1970-01-02"))
    #expect(Instant(seconds: -86_400).day() == Day("1969-12-31"))
    #expect(Instant(seconds: -86_401).day() == Day("1969-12-30"))
    #expect(Instant(seconds: 1_687_163_400).description == "2023-06-19T08:30:00Z")
    #expect(Instant(seconds: -1).description == "1969-12-31T23:59:59Z")
    #expect(Day("2023-06-19")!.startUTC.seconds == 19_527 * 86_400)
  }
}

@Suite struct ZoneTests {
  /// Los Angeles in 2023: 23 hours on 12 March, 25 on 5 November.
  let pacific = Zone(
    name: "America/Los_Angeles", firstOffset: -28_800,
    transitions: [
      Zone.Transition(at: 1_678_615_200, offset: -25_200),
      Zone.Transition(at: 1_699_174_800, offset: -28_800),
    ])

  @Test func daysHaveTheirLength() {
    func length(_ text: String) -> Int64 {
      let day = Day(text)!
      return pacific.start(of: day.advanced(by: 1)).seconds - pacific.start(of: day).seconds
    }
    #expect(length("2023-03-11") == 86_400)
    #expect(length("2023-03-12") == 82_800)
    #expect(length("2023-11-05") == 90_000)
    #expect(length("2023-12-31") == 86_400)
  }

  @Test func startsAreTheFirstInstant() {
    for number in Day("2023-01-01")!.number..<Day("2024-01-01")!.number {
      let day = Day(number: number)
      let start = pacific.start(of: day)
      #expect(pacific.day(of: start) == day)
      #expect(pacific.day(of: Instant(seconds: start.seconds - 1)) < day)
    }
  }

  @Test func offsetsChangeAtTheTransition() {
    #expect(pacific.offset(at: Instant(seconds: 1_678_615_199)) == -28_800)
    #expect(pacific.offset(at: Instant(seconds: 1_678_615_200)) == -25_200)
    #expect(pacific.offset(at: Instant(seconds: 1_699_174_800)) == -28_800)
  }

  /// A zone that skips a date (Apia, 30 December 2011) and one that goes back over midnight.
  @Test func oddZones() {
    let apia = Zone(
      name: "Pacific/Apia", firstOffset: -36_000,
      transitions: [Zone.Transition(at: 1_325_239_200, offset: 50_400)])
    let skipped = apia.start(of: Day("2011-12-30")!)
    #expect(skipped.seconds == 1_325_239_200)
    #expect(apia.start(of: Day("2011-12-31")!) == skipped)
    let midnight = Day("2010-11-07")!.startUTC.seconds + 9_000
    let johns = Zone(
      name: "America/St_Johns", firstOffset: -9_000,
      transitions: [Zone.Transition(at: midnight + 60, offset: -12_600)])
    #expect(johns.start(of: Day("2010-11-07")!).seconds == midnight)
  }

  @Test(arguments: [(0, "+00:00"), (480, "+08:00"), (-210, "-03:30"), (840, "+14:00")])
  func fixedZones(minutes: Int, name: String) {
    let zone = Zone.fixed(minutes: minutes)
    #expect(zone.name == name)
    #expect(zone.start(of: Day(number: 0)).seconds == Int64(-minutes * 60))
  }

  @Test func transitionsMustAscend() async {
    await #expect(processExitsWith: .failure) {
      _ = Zone(
        name: "x", firstOffset: 0,
        transitions: [Zone.Transition(at: 2, offset: 0), Zone.Transition(at: 1, offset: 0)])
    }
  }
}
