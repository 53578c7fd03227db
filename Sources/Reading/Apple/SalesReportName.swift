internal import Billing

/// What the name of a sales report tells: `S_D_85127269_20230619.txt.gz`.
struct SalesReportName: Equatable {
  var vendor: String
  var begin: Day
  var end: Day

  /// Reads the last part of a path; nil when it is named otherwise.
  init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    var text = name[...]
    for suffix in [".gz", ".txt", ".tsv", ".csv", ".json"] where text.hasSuffix(suffix) {
      text = text.dropLast(suffix.count)
    }
    if text.hasSuffix(")"), let space = text.lastIndex(of: " ") { text = text[..<space] }
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "S", Self.areDigits(parts[2]), !parts[2].isEmpty,
      Self.areDigits(parts[3]), let span = Self.span(of: String(parts[1]), parts[3])
    else { return nil }
    vendor = String(parts[2])
    (begin, end) = span
  }

  private static func areDigits(_ text: Substring) -> Bool {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }

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
