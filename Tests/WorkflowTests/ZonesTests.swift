import Billing
import Testing
import Workflow

@Suite struct ZonesTests {
  /// Moments on either side of changes that are well known.
  @Test(arguments: [
    ("America/Los_Angeles", "2023-03-12", 9, -8), ("America/Los_Angeles", "2023-03-12", 10, -7),
    ("America/Los_Angeles", "2023-11-05", 8, -7), ("America/Los_Angeles", "2023-11-05", 9, -8),
    ("Europe/Istanbul", "2016-12-01", 0, 3), ("Europe/Istanbul", "2015-12-01", 0, 2),
    ("Asia/Shanghai", "2030-07-01", 0, 8), ("Asia/Tokyo", "2008-01-01", 0, 9),
    ("Australia/Perth", "2008-01-01", 0, 9), ("Australia/Perth", "2023-01-01", 0, 8),
    ("Asia/Kolkata", "2023-01-01", 0, 5),
  ])
  func `offsets are those of the zone then`(
    name: String, day: String, hour: Int, offset: Int32
  ) throws {
    let found = zone(named: name)
    let zone = try #require(found)
    let instant = Instant(seconds: Day(day)!.startUTC.seconds + Int64(hour) * 3600)
    #expect(zone.offset(at: instant) / 3600 == offset)
  }

  @Test func `transitions change the offset, in order`() throws {
    for name in ["Europe/Berlin", "Africa/Casablanca", "Europe/Istanbul", "Africa/Cairo"] {
      let found = zone(named: name)
      let zone = try #require(found)
      let offsets = [zone.firstOffset] + zone.transitions.map(\.offset)
      #expect(zip(offsets, offsets.dropFirst()).allSatisfy { $0 != $1 })
      #expect(!zone.transitions.isEmpty)
    }
  }

  @Test(arguments: [("+08:00", 28_800), ("-03:30", -12_600), ("UTC", 0)])
  func `fixed offsets are zones`(name: String, seconds: Int32) {
    #expect(zone(named: name)?.firstOffset == seconds)
  }

  @Test(arguments: ["", "PST", "Asia/Shangai", "+8", "+15:00", "GMT+8", "../etc/passwd"])
  func `other names are none`(name: String) { #expect(zone(named: name) == nil) }

  @Test func `a misspelt name has a neighbour`() {
    #expect(zoneNameLike("Asia/Shangai") == "Asia/Shanghai")
    #expect(zoneNameLike("qqqqqqqq") == nil)
  }

  /// Where days begin otherwise from a day on, each moment is of one day, whichever way they go.
  @Test(arguments: [("America/Los_Angeles", "Asia/Tokyo"), ("Asia/Tokyo", "America/Los_Angeles")])
  func `a boundary may change on a day`(from: String, to: String) throws {
    let day = Day("2023-06-16")!
    let before = try #require(zone(named: from))
    let after = try #require(zone(named: to))
    let name = "\(from), from 2023-06-16 \(to)"
    let changed = try #require(boundaryZone(named: name))
    #expect(changed.name == name && changed == before.changed(to: after, from: day))
    #expect(changed.start(of: day.advanced(by: -1)) == before.start(of: day.advanced(by: -1)))
    #expect(changed.start(of: day) == after.start(of: day))
    #expect(changed.start(of: day.advanced(by: 1)) == after.start(of: day.advanced(by: 1)))
    var last = day.advanced(by: -3)
    for hour in -48...72 as ClosedRange<Int64> {
      let now = changed.day(of: Instant(seconds: day.startUTC.seconds + hour * 3600))
      #expect(now >= last && last.distance(to: now) <= 1)
      last = now
    }
    for wrong in [
      "Asia/Tokyo, from 2023-06-16", "Asia/Tokyo, from 2023-06-16 PST", "PST",
      "Asia/Tokyo, from 2023-06-16 UTC, from 2023-06-10 +08:00",
    ] {
      #expect(boundaryZone(named: wrong) == nil)
    }
  }
}
