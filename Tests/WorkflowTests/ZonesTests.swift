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
}
