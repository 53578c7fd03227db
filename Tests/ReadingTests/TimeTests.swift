import Billing
import Testing

@testable import Reading

@Suite struct TimeTests {
  @Test(arguments: [
    ("2011-02-17 06:20:57 Etc/GMT", "2011-02-17T06:20:57Z"),
    ("2020-11-25 00:26:02 America/Los_Angeles", "2020-11-25T08:26:02Z"),
    ("2023-06-19 01:30:00 America/Los_Angeles", "2023-06-19T08:30:00Z"),
    // The second Sunday of March and the first of November.
    ("2023-03-12 01:59:59 America/Los_Angeles", "2023-03-12T09:59:59Z"),
    ("2023-03-12 03:00:00 America/Los_Angeles", "2023-03-12T10:00:00Z"),
    ("2023-11-05 01:59:59 America/Los_Angeles", "2023-11-05T08:59:59Z"),
    ("2023-11-05 02:00:00 America/Los_Angeles", "2023-11-05T10:00:00Z"),
    // Until 2006 the first Sunday of April and the last of October.
    ("2006-04-02 01:00:00 America/Los_Angeles", "2006-04-02T09:00:00Z"),
    ("2006-04-02 03:00:00 America/Los_Angeles", "2006-04-02T10:00:00Z"),
    ("2006-03-20 12:00:00 America/Los_Angeles", "2006-03-20T20:00:00Z"),
    ("2006-10-29 00:00:00 America/Los_Angeles", "2006-10-29T07:00:00Z"),
    ("2006-10-29 02:00:00 America/Los_Angeles", "2006-10-29T10:00:00Z"),
    ("2006-11-01 00:00:00 America/Los_Angeles", "2006-11-01T08:00:00Z"),
  ])
  func applesTimesAreRead(text: String, time: String) throws {
    var reader = InstantReader()
    let seconds = Array(text.utf8).withUnsafeBytes { reader.read($0) }
    #expect(seconds.map { Instant(seconds: $0).description } == time)
    let table = "transaction_id,sku,purchased_at\n1,a,\(text)\n"
    #expect(try read(table).transactions.map(\.row.purchasedAt.description) == [time])
  }

  @Test(arguments: [
    "2011-02-17 06:20:57 America/New_York", "2011-02-17 06:20:57 Etc", "2011-02-17 06:20:57",
    "2011-02-30 06:20:57 America/Los_Angeles",
  ])
  func otherZonesAreNone(text: String) {
    var reader = InstantReader()
    #expect(Array(text.utf8).withUnsafeBytes { reader.read($0) } == nil)
  }
}
