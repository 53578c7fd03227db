import Billing

/// The company's accounting days of a period, as moments: finds the day of each row without asking
/// the zone.
struct BusinessDays {
  let first: Day
  let count: Int
  /// The first second of each day, and of the day after the last.
  private let starts: [Int64]

  /// Asks the company's zone once for the beginning of each day of the period.
  init(_ context: MatchingContext) {
    first = context.period.first
    count = context.period.dayCount
    starts = (0...count).map {
      context.settings.businessZone.start(of: context.period.first.advanced(by: $0)).seconds
    }
  }

  /// The number of the company's day of a moment, counted in the period from 0; -1 outside.
  ///
  /// - Parameter moment: seconds since 1970.
  func index(_ moment: UInt32) -> Int {
    let seconds = Int64(moment)
    guard seconds >= starts[0], seconds < starts[count] else { return -1 }
    var index = min(Int((seconds - starts[0]) / 86_400), count - 1)
    while starts[index] > seconds { index -= 1 }
    while starts[index + 1] <= seconds { index += 1 }
    return index
  }

  /// The seconds since 1970 of a day of the period, by the day's number from 0.
  func seconds(_ index: Int) -> Range<Int64> { starts[index]..<starts[index + 1] }

  /// The day of a number, counted in the period from 0.
  func day(_ index: Int) -> Day { first.advanced(by: index) }
}
