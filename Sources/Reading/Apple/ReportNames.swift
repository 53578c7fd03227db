internal import Billing

/// What the name of a sales report tells: `S_D_85127269_20230619.txt.gz`.
struct SalesReportName: Equatable {
  var vendor: String
  var begin: Day
  var end: Day

  /// Reads the last part of a path; nil when it is named otherwise.
  init?(path: String) {
    let parts = reportNameParts(path)
    guard parts.count == 4, parts[0] == "S", areDigits(parts[2]), !parts[2].isEmpty,
      areDigits(parts[3]), let span = Self.span(of: String(parts[1]), parts[3])
    else { return nil }
    vendor = String(parts[2])
    (begin, end) = span
  }

  /// The first and the last day that the name has: a day `D` and a week `W` by their last day, a
  /// month `M` and a year `Y`; nil for anything else.
  private static func span(of period: String, _ date: Substring) -> (Day, Day)? {
    guard let year = Int(date.prefix(4)) else { return nil }
    let month = Int(date.dropFirst(4).prefix(2))
    let day = Int(date.dropFirst(6))
    switch (period, date.count) {
    case ("D", 8), ("W", 8):
      guard let month, let day, let last = Day(year: year, month: month, day: day) else {
        return nil
      }
      return (period == "D" ? last : last.advanced(by: -6), last)
    case ("M", 6):
      guard let month, let first = Day(year: year, month: month, day: 1) else { return nil }
      return (first, first.advanced(by: Day.length(ofMonth: month, year: year) - 1))
    case ("Y", 4):
      guard let first = Day(year: year, month: 1, day: 1),
        let last = Day(year: year, month: 12, day: 31)
      else { return nil }
      return (first, last)
    default:
      return nil
    }
  }
}

/// What the name of a financial report tells: `80134819_1212_AU.txt`, whatever was put before it.
struct FinanceReportName: Equatable {
  var vendor: String
  /// Two letters, or `Z1`.
  var region: String
  var month: FiscalMonth

  /// Reads the last part of a path; nil when it is named otherwise.
  init?(path: String) {
    let parts = reportNameParts(path).suffix(3)
    guard parts.count == 3, let vendor = parts.first, let region = parts.last,
      areDigits(vendor), (7...10).contains(vendor.count), region.utf8.count == 2,
      region.utf8.allSatisfy({ $0 &- 0x41 < 26 || $0 == 0x31 })
    else { return nil }
    let date = parts[parts.startIndex + 1]
    guard date.utf8.count == 4, areDigits(date), let month = Int(date.prefix(2)),
      let year = Int(date.suffix(2)),
      let fiscal = FiscalMonth(namedMonth: month, ofYear: 2000 + year)
    else { return nil }
    self.vendor = String(vendor)
    self.region = String(region)
    self.month = fiscal
  }
}

/// What the name of a subscription report tells: `Subscription_Event_85127269_20201005.txt.gz`.
struct SubscriptionReportName: Equatable {
  var vendor: String
  var day: Day

  /// Reads the last part of a path; nil when it is named otherwise.
  init?(path: String) {
    let parts = reportNameParts(path)
    guard parts.count >= 3, parts[0].hasPrefix("Subscri"), let date = parts.last,
      date.utf8.count == 8, areDigits(date), let year = Int(date.prefix(4)),
      let month = Int(date.dropFirst(4).prefix(2)), let number = Int(date.suffix(2)),
      let day = Day(year: year, month: month, day: number)
    else { return nil }
    let vendor = parts[parts.count - 2]
    guard areDigits(vendor), !vendor.isEmpty else { return nil }
    self.vendor = String(vendor)
    self.day = day
  }
}

/// The parts of a report's name between its underscores, without what browsers and packers add.
private func reportNameParts(_ path: String) -> [Substring] {
  var text = path.split(separator: "/").last ?? ""
  let endings = [WarehouseTable.ending, ".gz", ".txt", ".tsv", ".csv", ".json"]
  for suffix in endings where text.hasSuffix(suffix) {
    text = text.dropLast(suffix.count)
  }
  if text.hasSuffix(")"), let space = text.lastIndex(of: " ") { text = text[..<space] }
  return text.split(separator: "_", omittingEmptySubsequences: false)
}

private func areDigits(_ text: Substring) -> Bool {
  text.utf8.allSatisfy { (0x30...0x39).contains($0) }
}
