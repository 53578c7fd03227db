/// The days that a reconciliation covers, both ends included.
package struct Period: Hashable, Sendable, CustomStringConvertible {
  package let first: Day
  package let last: Day
  /// As the user wrote it: `2023-06`, `2023-06-01..2023-06-15` or `FY2023-P09`.
  package let description: String

  package init(first: Day, last: Day, description: String? = nil) {
    precondition(first <= last)
    self.first = first
    self.last = last
    self.description = description ?? "\(first)..\(last)"
  }

  /// Reads a calendar month, a range of days or a fiscal month; nil when it is none of them.
  package init?(_ text: String) {
    let bounds = text.split(separator: ".", omittingEmptySubsequences: false)
    if bounds.count == 3, bounds[1].isEmpty, let first = Day(bounds[0]), let last = Day(bounds[2]),
      first <= last
    {
      self.init(first: first, last: last, description: text)
      return
    }
    if let fiscal = FiscalMonth(text) {
      self.init(first: fiscal.first, last: fiscal.last, description: fiscal.description)
      return
    }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 2,
      let year = plainNumber(parts[0]), let month = plainNumber(parts[1]),
      let first = Day(year: year, month: month, day: 1)
    else { return nil }
    let length = Day.length(ofMonth: month, year: year)
    self.init(first: first, last: first.advanced(by: length - 1), description: text)
  }

  package func contains(_ day: Day) -> Bool { first <= day && day <= last }
  package var days: ClosedRange<Day> { first...last }
  package var dayCount: Int { first.distance(to: last) + 1 }
  /// The day in the middle of the period, but at the latest its fifteenth.
  package var middle: Day { first.advanced(by: min(14, (dayCount - 1) / 2)) }

  /// The fiscal month that the period was written as; nil where it was written otherwise.
  package var fiscalMonth: FiscalMonth? { FiscalMonth(description) }

  /// The calendar month, fiscal month or equally long range just before this one.
  package var previous: Period {
    if let fiscalMonth { return fiscalMonth.previous.period }
    if first.parts.day == 1, last.advanced(by: 1).parts.day == 1, dayCount <= 31 {
      let (year, month, _) = first.advanced(by: -1).parts
      if let period = Period("\(padded(year, 4))-\(padded(month, 2))") { return period }
    }
    return Period(first: first.advanced(by: -dayCount), last: first.advanced(by: -1))
  }
}

/// A month of Apple's fiscal year: years end on the last Saturday of September, quarters have
/// 5 + 4 + 4 weeks, and a 53rd week goes to December (P03).
package struct FiscalMonth: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let year: Int
  /// 1 is October, 12 is September.
  package let number: Int

  package init?(year: Int, number: Int) {
    guard (2000...2100).contains(year), (1...12).contains(number) else { return nil }
    self.year = year
    self.number = number
  }

  /// Reads `FY2023-P09`.
  package init?(_ text: String) {
    guard text.hasPrefix("FY") else { return nil }
    let parts = text.dropFirst(2).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 4, parts[1].hasPrefix("P"),
      parts[1].utf8.count == 3, let year = plainNumber(parts[0]),
      let number = plainNumber(parts[1].dropFirst())
    else { return nil }
    self.init(year: year, number: number)
  }

  /// The fiscal month that `day` lies in.
  package init(containing day: Day) {
    var year = day.parts.year
    if day > Self.lastDay(ofYear: year) { year += 1 }
    var number = 1
    while number < 12, FiscalMonth(unchecked: year, number).last < day { number += 1 }
    self.init(unchecked: year, number)
  }

  /// The fiscal month that Apple names by a calendar month: `July, 2015` is FY2015-P10.
  package init?(namedMonth month: Int, ofYear year: Int) {
    guard (1...12).contains(month) else { return nil }
    self.init(year: month >= 10 ? year + 1 : year, number: (month + 2) % 12 + 1)
  }

  /// A fiscal month that is taken as it is, also of a year beyond those that can be written.
  private init(unchecked year: Int, _ number: Int) {
    self.year = year
    self.number = number
  }

  /// The last day of a fiscal year: the last Saturday of September.
  package static func lastDay(ofYear year: Int) -> Day {
    let end = Day(ofYear: year, 9, 30)
    return end.advanced(by: -((end.weekday + 1) % 7))
  }

  /// The first day of the fiscal month.
  package var first: Day {
    let start = Self.lastDay(ofYear: year - 1).advanced(by: 1)
    let weeksInYear = (start.distance(to: Self.lastDay(ofYear: year)) + 1) / 7
    var weeks = 0
    for month in 1..<number {
      weeks += month % 3 == 1 ? 5 : month == 3 && weeksInYear == 53 ? 5 : 4
    }
    return start.advanced(by: weeks * 7)
  }

  /// The last day of the fiscal month.
  package var last: Day {
    number == 12
      ? Self.lastDay(ofYear: year)
      : FiscalMonth(unchecked: year, number + 1).first.advanced(by: -1)
  }

  package var description: String { "FY\(year)-P\(padded(number, 2))" }

  /// The months from fiscal year 0 to this one: consecutive months differ by one.
  private var index: Int { year * 12 + number - 1 }
  private init(index: Int) { self.init(unchecked: index / 12, index % 12 + 1) }

  package var previous: FiscalMonth { FiscalMonth(index: index - 1) }
  package var next: FiscalMonth { FiscalMonth(index: index + 1) }
  /// How many fiscal months `self` is after `other`.
  package func months(since other: FiscalMonth) -> Int { index - other.index }
  package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
  /// The days of the fiscal month.
  package var period: Period { Period(first: first, last: last, description: description) }
}

/// The first day on which Apple pays 85 % to an account whose enrolment in the Small Business
/// Program was approved on `approved`: the sixteenth after the last day of that fiscal month
/// (approved 2022-02-10: paid so from 2022-03-14).
package func smallBusinessBegin(approved: Day) -> Day {
  FiscalMonth(containing: approved).last.advanced(by: 16)
}
