import Billing
import Pricing

/// Divides days where anything changes that a price is judged by: within a season the same row is
/// judged the same on every day.
struct Seasons {
  private let first: Day
  private let seasonOfDay: [Int]
  var count: Int { (seasonOfDay.last ?? 0) + 1 }

  /// Numbers the seasons of days from 0.
  ///
  /// - Parameter changes: days on which something new holds, in any order.
  init(_ days: ClosedRange<Day>, changes: [Day]) {
    first = days.lowerBound
    let changes = Set(changes)
    var season = 0
    seasonOfDay = days.map { day in
      if day != days.lowerBound, changes.contains(day) { season += 1 }
      return season
    }
  }

  /// The number of the season that a day is in; days outside belong to the nearest.
  func season(of day: Day) -> Int {
    seasonOfDay[min(max(first.distance(to: day), 0), seasonOfDay.count - 1)]
  }
}

extension MatchingContext {
  /// Days on which a tier, the catalogue, a tax, a commission, a programme, a seller or a currency
  /// changes, and those beside them on which the price before or after is right too.
  func changeDays(_ facts: MonthFacts) -> [Day] {
    let prices = facts.products.compactMap(\.effectiveFrom) + tiers.changeDays
    return priceBook.changeDays + prices.flatMap { day in (-1...1).map { day.advanced(by: $0) } }
      + storefronts.entries.compactMap(\.sellerSince) + storefronts.currencyDays
  }
}
