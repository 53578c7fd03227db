import Billing
import Testing

@Suite struct FiscalCalendarTests {
  @Test func tableHolds() throws {
    for line in Self.table.split(separator: "\n") {
      let words = line.split(separator: " ")
      let year = try #require(Int(words[0]))
      for number in 1...12 {
        let month = try #require(FiscalMonth(year: year, number: number))
        let (_, calendarMonth, day) = month.first.parts
        let printed =
          (calendarMonth < 10 ? "0" : "") + "\(calendarMonth)/" + (day < 10 ? "0" : "") + "\(day)"
        #expect(printed == words[number], "FY\(year) P\(number)")
      }
      #expect(FiscalMonth(year: year, number: 12)?.last.description == String(words[13]))
    }
  }

  @Test func monthsFollowEachOtherWithoutGap() throws {
    var last = try #require(FiscalMonth(year: 2010, number: 1)).first.advanced(by: -1)
    for year in 2010...2030 {
      for number in 1...12 {
        let month = try #require(FiscalMonth(year: year, number: number))
        #expect(month.first == last.advanced(by: 1))
        #expect(month.first.weekday == 0 && month.last.weekday == 6)
        #expect(FiscalMonth(containing: month.first) == month)
        #expect(FiscalMonth(containing: month.last) == month)
        last = month.last
      }
    }
  }

  @Test(arguments: [
    ("FY2013-P03", "2012-12-02", "2012-12-29"), ("FY2014-P12", "2014-08-31", "2014-09-27"),
    ("FY2026-P02", "2025-11-02", "2025-11-29"), ("FY2023-P03", "2022-11-27", "2022-12-31"),
  ])
  func monthsOfRealReports(text: String, first: String, last: String) {
    let month = FiscalMonth(text)
    #expect(month?.first == Day(first) && month?.last == Day(last) && month?.description == text)
  }

  @Test(arguments: [
    "FY2023-P13", "FY2023-P00", "FY2023-P9", "FY23-P09", "2023-P09", "FY2023-Q09", "FY+023-P09",
    "FY2023-P+9", "FY2023-P09 ",
  ])
  func otherTextsAreNoFiscalMonths(text: String) { #expect(FiscalMonth(text) == nil) }

  @Test func yearsOf53WeeksAreThese() {
    let years = (2008...2034).filter { year in
      let first = FiscalMonth(year: year, number: 1)!.first
      return first.distance(to: FiscalMonth.lastDay(ofYear: year)) + 1 == 53 * 7
    }
    #expect(years == [2012, 2017, 2023, 2028, 2034])
    for year in 2008...2034 {
      let days = (1...12).map { number in
        let month = FiscalMonth(year: year, number: number)!
        return month.first.distance(to: month.last) + 1
      }
      let december = years.contains(year) ? 35 : 28
      #expect(days == [35, 28, december, 35, 28, 28, 35, 28, 28, 35, 28, 28])
    }
  }

  @Test(arguments: [
    (7, 2015, "FY2015-P10"), (9, 2014, "FY2014-P12"), (12, 2012, "FY2013-P03"),
    (10, 2022, "FY2023-P01"), (1, 2023, "FY2023-P04"),
  ])
  func monthsAreNamedByTheCalendar(month: Int, year: Int, text: String) {
    #expect(FiscalMonth(namedMonth: month, ofYear: year)?.description == text)
    #expect(FiscalMonth(namedMonth: 13, ofYear: year) == nil)
  }

  /// First days of the months October to September, and the last day of the year.
  static let table = """
    2010 09/27 11/01 11/29 12/27 01/31 02/28 03/28 05/02 05/30 06/27 08/01 08/29 2010-09-25
    2011 09/26 10/31 11/28 12/26 01/30 02/27 03/27 05/01 05/29 06/26 07/31 08/28 2011-09-24
    2012 09/25 10/30 11/27 01/01 02/05 03/04 04/01 05/06 06/03 07/01 08/05 09/02 2012-09-29
    2013 09/30 11/04 12/02 12/30 02/03 03/03 03/31 05/05 06/02 06/30 08/04 09/01 2013-09-28
    2014 09/29 11/03 12/01 12/29 02/02 03/02 03/30 05/04 06/01 06/29 08/03 08/31 2014-09-27
    2015 09/28 11/02 11/30 12/28 02/01 03/01 03/29 05/03 05/31 06/28 08/02 08/30 2015-09-26
    2016 09/27 11/01 11/29 12/27 01/31 02/28 03/27 05/01 05/29 06/26 07/31 08/28 2016-09-24
    2017 09/25 10/30 11/27 01/01 02/05 03/05 04/02 05/07 06/04 07/02 08/06 09/03 2017-09-30
    2018 10/01 11/05 12/03 12/31 02/04 03/04 04/01 05/06 06/03 07/01 08/05 09/02 2018-09-29
    2019 09/30 11/04 12/02 12/30 02/03 03/03 03/31 05/05 06/02 06/30 08/04 09/01 2019-09-28
    2020 09/29 11/03 12/01 12/29 02/02 03/01 03/29 05/03 05/31 06/28 08/02 08/30 2020-09-26
    2021 09/27 11/01 11/29 12/27 01/31 02/28 03/28 05/02 05/30 06/27 08/01 08/29 2021-09-25
    2022 09/26 10/31 11/28 12/26 01/30 02/27 03/27 05/01 05/29 06/26 07/31 08/28 2022-09-24
    2023 09/25 10/30 11/27 01/01 02/05 03/05 04/02 05/07 06/04 07/02 08/06 09/03 2023-09-30
    2024 10/01 11/05 12/03 12/31 02/04 03/03 03/31 05/05 06/02 06/30 08/04 09/01 2024-09-28
    2025 09/29 11/03 12/01 12/29 02/02 03/02 03/30 05/04 06/01 06/29 08/03 08/31 2025-09-27
    2026 09/28 11/02 11/30 12/28 02/01 03/01 03/29 05/03 05/31 06/28 08/02 08/30 2026-09-26
    2027 09/27 11/01 11/29 12/27 01/31 02/28 03/28 05/02 05/30 06/27 08/01 08/29 2027-09-25
    2028 09/26 10/31 11/28 01/02 02/06 03/05 04/02 05/07 06/04 07/02 08/06 09/03 2028-09-30
    2029 10/01 11/05 12/03 12/31 02/04 03/04 04/01 05/06 06/03 07/01 08/05 09/02 2029-09-29
    2030 09/30 11/04 12/02 12/30 02/03 03/03 03/31 05/05 06/02 06/30 08/04 09/01 2030-09-28
    """
}

@Suite struct PeriodTests {
  @Test(arguments: [
    ("2023-06", "2023-06-01", "2023-06-30"), ("2024-02", "2024-02-01", "2024-02-29"),
    ("2023-06-01..2023-06-15", "2023-06-01", "2023-06-15"),
    ("2023-06-15..2023-06-15", "2023-06-15", "2023-06-15"),
    ("FY2023-P09", "2023-06-04", "2023-07-01"),
  ])
  func periodsRead(text: String, first: String, last: String) {
    let period = Period(text)
    #expect(period?.first == Day(first) && period?.last == Day(last))
    #expect(period?.description == text)
  }

  @Test(arguments: [
    "2023", "2023-13", "2023-6", "2023-06-15..2023-06-01", "2023-06-01...2023-06-02",
    "2023-06-01..", "", "+023-06", "2023-+6", "2023-06-01",
  ])
  func otherTextsAreNone(text: String) { #expect(Period(text) == nil) }

  @Test(arguments: [
    ("2023-03", "2023-02-01", "2023-02-28"), ("2023-01", "2022-12-01", "2022-12-31"),
    ("2023-06-11..2023-06-20", "2023-06-01", "2023-06-10"),
  ])
  func previousPeriods(text: String, first: String, last: String) {
    let previous = Period(text)?.previous
    #expect(previous?.first == Day(first) && previous?.last == Day(last))
  }

  /// The first three are of Apple's announcement and of the fiscal calendar by hand; the last two
  /// stand at the edges of a fiscal month.
  @Test(arguments: [
    ("2022-02-10", "2022-03-14"), ("2026-09-14", "2026-10-12"), ("2022-12-31", "2023-01-16"),
    ("2022-02-26", "2022-03-14"), ("2022-02-27", "2022-04-11"),
  ])
  func smallBusinessesBeginOnTheSixteenthDayAfterTheFiscalMonth(approved: String, from: String) {
    #expect(smallBusinessBegin(approved: Day(approved)!) == Day(from))
  }

  @Test func middleOfTheMonthIsThe15th() {
    #expect(Period("2023-06")?.middle == Day("2023-06-15"))
    #expect(Period("2023-06-01..2023-06-05")?.middle == Day("2023-06-03"))
    #expect(Period("2023-06-01..2023-06-01")?.middle == Day("2023-06-01"))
  }

  @Test func bothEndsAreIn() throws {
    let period = try #require(Period("2023-06"))
    #expect(period.contains(Day("2023-06-01")!) && period.contains(Day("2023-06-30")!))
    #expect(!period.contains(Day("2023-05-31")!) && !period.contains(Day("2023-07-01")!))
    #expect(period.dayCount == 30)
  }
}
