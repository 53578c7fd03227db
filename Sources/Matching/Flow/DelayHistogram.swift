/// Delays in whole seconds, or times that steps take in whole milliseconds, counted by day: those
/// below a bound in a counter each, the few above one by one, so that percentiles are exact.
package struct DelayHistogram: Sendable {
  private var seconds: [Int32]
  private var longer: [[Int64]]
  private var counts: [Int]

  /// Delays from this many on are kept one by one: two hours and a quarter, or eight seconds.
  private static let width = 8192

  package init(days: Int) {
    seconds = Array(repeating: 0, count: days * Self.width)
    longer = Array(repeating: [], count: days)
    counts = Array(repeating: 0, count: days)
  }

  /// Adds a delay to a day, so many times; a negative one counts as none.
  ///
  /// - Parameter day: its place among the histogram's days.
  package mutating func add(_ delay: Int64, on day: Int, count: Int32 = 1) {
    let delay = max(delay, 0)
    counts[day] += Int(count)
    if delay < Int64(Self.width) {
      seconds[day * Self.width + Int(delay)] += count
    } else {
      longer[day] += repeatElement(delay, count: Int(count))
    }
  }

  /// How many delays a day has.
  package func count(on day: Int) -> Int { counts[day] }

  /// How many of a day's delays are longer than `delay`.
  package func count(above delay: Int64, on day: Int) -> Int {
    let first = day * Self.width + Int(min(max(delay + 1, 0), Int64(Self.width)))
    let shorter = seconds[first..<(day + 1) * Self.width].reduce(0) { $0 + Int($1) }
    return shorter + longer[day].count { $0 > delay }
  }

  /// The shortest delay that so many in a hundred of the day's do not exceed; nil for none.
  package func percentile(_ percent: Int, on day: Int) -> Int64? {
    guard counts[day] > 0 else { return nil }
    var rank = (counts[day] * percent + 99) / 100
    for second in 0..<Self.width {
      rank -= Int(seconds[day * Self.width + second])
      if rank <= 0 { return Int64(second) }
    }
    return longer[day].sorted()[rank - 1]
  }
}
