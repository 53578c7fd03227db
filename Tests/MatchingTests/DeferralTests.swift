import Billing
import Conclusions
import Matching
import Support
import Testing

/// Revenue of subscriptions over the days that are paid for.
struct DeferralTests {
  private func world(_ period: String, _ build: (inout World) -> Void) -> World {
    var world = World()
    world.period = Period(period)!
    world.asOf = world.period.last.advanced(by: 10)
    world.reports("2023-01-01", "2023-12-31")
    world.settings.revenue = .grossOfTax
    build(&world)
    return world
  }

  private func schedule(_ world: World) -> [DeferralLine] {
    var book = DeferralBook(world.context)
    var month = Period("2023-01")!
    while month.last < world.period.first {
      book.add(sales: world.facts, of: month)
      let next = month.last.advanced(by: 1)
      let length = Day.length(ofMonth: next.parts.month, year: next.parts.year)
      month = Period(first: next, last: next.advanced(by: length - 1))
    }
    book.add(SalesReports(world.facts, world.context))
    return book.lines()
  }

  private func text(_ lines: [DeferralLine]) -> [String] {
    lines.map { line in
      let ahead = line.ahead.map { "\($0.name) \(decimalText(micros: $0.amount.micros))" }
      return
        ([line.currency.code, line.sku]
        + [line.start, line.added, line.recognised, line.released, line.end]
        .map { decimalText(micros: $0.micros) } + ahead).joined(separator: " ")
    }
  }

  @Test func aMonthIsDeliveredDayByDay() {
    func sold(in period: String) -> [String] {
      text(
        schedule(
          world(period) { world in
            // 21 June to 20 July: ten days of thirty in June.
            world.sale("monthly", on: "2023-06-21", units: 2, type: "IAY", length: "1 Month")
          }))
    }
    #expect(sold(in: "2023-06") == ["CNY monthly 0 60 20 0 40 2023-07 40"])
    #expect(sold(in: "2023-07") == ["CNY monthly 40 0 40 0 0"])
    #expect(sold(in: "2023-08") == [])
  }

  @Test func aRefundTakesBackTheLatestSaleAndReleasesTheRest() {
    let lines = schedule(
      world("2023-06") { world in
        world.sale("monthly", on: "2023-06-01", units: 1, type: "IAY", length: "1 Month")
        world.sale("monthly", on: "2023-06-11", units: 1, type: "IAY", length: "1 Month")
        world.sale("monthly", on: "2023-06-21", units: -1, type: "IAY", length: "1 Month")
        world.sale("monthly", on: "2023-06-25", units: 1, type: "IAY", length: "1 Month")
      })
    // Delivered: 30 of the first, 10 days of the refunded one, 6 days of the last.
    #expect(text(lines) == ["CNY monthly 0 90 46 20 24 2023-07 24"])
  }

  @Test func aRefundOfAnEarlierMonthAndOfTheSameDay() {
    let lines = schedule(
      world("2023-06") { world in
        world.sale(
          "yearly", on: "2023-01-01", units: 1, price: "365.00", type: "IAY",
          length: "1 Year")
        world.sale(
          "yearly", on: "2023-06-11", units: -1, price: "365.00", type: "IAY",
          length: "1 Year")
        world.sale("monthly", on: "2023-06-30", units: -1, type: "IAY", length: "1 Month")
        world.sale("monthly", on: "2023-06-30", units: 1, type: "IAY", length: "1 Month")
      })
    #expect(text(lines) == ["CNY monthly 0 30 0 30 0", "CNY yearly 214 0 10 204 0"])
  }

  @Test func aPrincipalDefersThePriceWithoutTaxAndItsCommission() {
    let world = world("2023-06") { world in
      world.settings.revenue = .principal
      world.settings.deferCommission = true
      world.sale("monthly", on: "2023-06-16", units: 2, type: "IAY", length: "1 Month")
    }
    #expect(text(schedule(world)) == ["CNY monthly 0 58.94 29.47 0 29.47 2023-07 29.47"])
    var book = DeferralBook(world.context)
    book.add(SalesReports(world.facts, world.context))
    let commission = book.commissionLines()
    // 30% of 29.47 each, half of it delivered.
    #expect(text(commission) == ["CNY monthly 0 17.68 8.84 0 8.84 2023-07 8.84"])
  }

  @Test func anAgentDefersWhatApplePays() {
    let lines = schedule(
      world("2023-06") { world in
        world.settings.revenue = .agent
        world.sale(
          "monthly", on: "2023-06-16", units: 1, proceeds: "3.00", paidIn: "USD", type: "IAY",
          length: "1 Month")
      })
    #expect(text(lines) == ["USD monthly 0 3 1.5 0 1.5 2023-07 1.5"])
  }

  @Test func whatIsLeftOutIsSaid() {
    let world = world("2023-06") { world in
      world.sale("monthly", on: "2023-06-16", units: 3, type: "IAY")
      world.sale("pass", on: "2023-06-16", units: 1, price: "68.00", type: "IA9")
      world.sale("monthly", on: "2023-06-17", units: -2, type: "IAY", length: "1 Month")
      world.sale(
        "monthly", on: "2023-06-17", units: 0, price: "9.00", type: "IAY", length: "7 Days")
      world.sale("monthly", on: "2023-06-18", units: 5, price: "0", type: "IAY", length: "7 Days")
    }
    var book = DeferralBook(world.context)
    book.add(SalesReports(world.facts, world.context))
    #expect(book.lines() == [])
    #expect(book.notes.count == 4)
    #expect(book.notes[0].english.contains("unspent coins are not in it"))
    #expect(book.notes[1].english.hasSuffix("rows are not deferred: 3 units"))
    #expect(book.notes[2].english.hasSuffix("release no deferred revenue: 2 units"))
    #expect(book.notes[3].english.hasSuffix("release no deferred revenue: 1 row"))
  }

  @Test(arguments: [
    ("7 Days", "2023-01-31", "2023-02-07"), ("1 Week", "2023-01-31", "2023-02-07"),
    ("1 Month", "2023-01-31", "2023-02-28"), ("1 month", "2024-01-31", "2024-02-29"),
    ("2 Months", "2023-12-31", "2024-02-29"), ("6 Months", "2023-08-15", "2024-02-15"),
    ("1 Year", "2024-02-29", "2025-02-28"),
  ])
  func periodsEndWhereTheCalendarSays(length: String, start: String, end: String) {
    #expect(PaidPeriod(length)?.end(from: Day(start)!) == Day(end))
  }

  @Test(arguments: ["", "Month", "1", "0 Days", "1 Fortnight", "1 Month ago", "-1 Month"])
  func otherWordsAreNoPeriod(length: String) { #expect(PaidPeriod(length) == nil) }

  /// Whatever was sold and refunded: each month begins with what the one before ended with, and in
  /// the end all that was added was delivered or released.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func monthsFollowOneAnother(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let lengths = ["7 Days", "1 Month", "2 Months", "3 Months"]
    let world = world("2023-01") { world in
      for _ in 0..<120 {
        let day = Day("2023-01-01")!.advanced(by: Int.random(in: 0..<200, using: &random))
        let place = ["CN", "JP"].randomElement(using: &random)!
        let (currency, price) = Shelf.price("monthly", place)
        world.sale(
          "monthly", on: "\(day)", units: [1, 2, 7, -1, -2].randomElement(using: &random)!,
          price: price, storefront: place, currency: currency, type: "IAY",
          length: lengths.randomElement(using: &random)!)
      }
    }
    var ends: [String: Int64] = [:]
    var aheads: [String: [DeferralLine.Month]] = [:]
    for month in 1...11 {
      var world = world
      world.period = Period("2023-\(padded(month, 2))")!
      let lines = schedule(world)
      for line in lines {
        let code = line.currency.code
        #expect(line.start.micros == ends[code, default: 0])
        #expect(line.recognised.micros >= 0 && line.end.micros >= 0)
        #expect(line.added.micros % line.currency.minorUnit == 0)
        if line.added.isZero, line.released.isZero {
          #expect(Array((aheads[code] ?? []).dropFirst()) == line.ahead)
        }
      }
      for code in ["CNY", "JPY"] {
        let line = lines.first { $0.currency.code == code }
        if line == nil { #expect(ends[code, default: 0] == 0) }
        ends[code] = line?.end.micros ?? 0
        aheads[code] = line?.ahead ?? []
      }
    }
    #expect(ends.values.allSatisfy { $0 == 0 })
  }
}
