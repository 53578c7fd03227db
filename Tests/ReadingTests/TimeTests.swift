import Billing
import Support
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

  /// Days of months that a reader remembers, that push one another out and that it meets anew,
  /// those that no month has among them.
  @Test func daysOfAnyMonthInAnyOrder() {
    var random = SplitMix64(seed: 7)
    var reader = InstantReader()
    var days = 0
    for _ in 0..<20_000 {
      let (year, month) = (Int.random(in: 2019...2025, using: &random), random.next() % 14)
      let day = Int.random(in: 0...33, using: &random)
      func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let date = "\(year)-\(padded(Int(month)))-\(padded(day))"
      let read = Array("\(date)T00:00:01Z".utf8).withUnsafeBytes { reader.read($0) }
      #expect(read == Day(date).map { Int64($0.number) * 86_400 + 1 }, "\(date)")
      days += read == nil ? 0 : 1
    }
    #expect((10_000..<19_000).contains(days))
  }

  @Test(arguments: ["2023-06-1:", "2023-06-/9", "2023-06-: ", "2023-06-0\0", "2023-06-00"])
  func daysThatAreNoDigits(date: String) {
    var reader = InstantReader()
    for (text, isTime) in [("2023-06-01", true), (date, false), ("2023-06-30", true)] {
      let read = Array("\(text)T00:00:00Z".utf8).withUnsafeBytes { reader.read($0) }
      #expect((read != nil) == isTime, "\(text)")
    }
  }
}
