import Billing

/// How long Apple takes to settle what was sold: the part of a day's units that is not settled at
/// the end of each day from its own on.
struct SettlementLag {
  /// Days after which everything is taken as settled.
  static let days = 31
  /// In millionths, by days since the sale; empty where nothing is known.
  let unsettled: [Int64]
  var isKnown: Bool { !unsettled.isEmpty }

  init(unsettled: [Int64] = []) { self.unsettled = unsettled }

  /// Measures the lag by the days of sale and settlement that details have; not known where there
  /// are none.
  init(detailed rows: some Sequence<SettledUnits>) {
    var count: Int64 = 0
    var settled = [Int64](repeating: 0, count: Self.days)
    for row in rows {
      guard let day = row.day, let settlementDay = row.settlementDay else { continue }
      count += row.units
      let lag = max(0, day.distance(to: settlementDay))
      if lag < Self.days { settled[lag] += row.units }
    }
    guard count > 0 else {
      unsettled = []
      return
    }
    var open = count
    unsettled = settled.map { units in
      open -= units
      return Int64(Int128(open) * 1_000_000 / Int128(count))
    }
  }

  /// Units that are expected to be open after a month's end, and how much that may vary; both in
  /// millionths.
  ///
  /// - Parameter tail: units of the month's last weeks by days before its end.
  func expected(_ tail: [(daysBefore: Int, units: Int64)]) -> (mean: Int64, variance: Int64) {
    var (mean, variance): (Int64, Int64) = (0, 0)
    for (days, units) in tail where days < unsettled.count {
      let part = unsettled[days]
      mean += units * part
      variance += units * (part * (1_000_000 - part) / 1_000_000)
    }
    return (mean, variance)
  }

  /// Days from sale to settlement on average, in millionths.
  var mean: Int64 { unsettled.reduce(0, +) }
}

/// Finds the lag out from what months sold on their last days and what they settled: the part `a`
/// that is open after its own day, the part `b` after the next, and the factor by which the rest
/// shrinks with each further day, by least squares.
struct LagFit {
  /// Tenths by which what is open after a day's morrow shrinks each day.
  private static let factors = 0...9
  /// What units and powers are counted in.
  private static let scale: Int64 = 1_000
  /// `factor` to the power of days.
  private static let powers: [[Int64]] = factors.map { factor in
    var power = scale
    return (0..<SettlementLag.days).map { _ in
      defer { power = power * Int64(factor) / 10 }
      return power
    }
  }

  /// Sums of products of what the last day differs by (u), what the days before it do (v), and what
  /// was settled beyond what was sold (y).
  private struct Sums {
    var uu: Int128 = 0
    var uv: Int128 = 0
    var vv: Int128 = 0
    var uy: Int128 = 0
    var vy: Int128 = 0

    /// By how much a lag makes the sum of squared errors smaller, times 10,000.
    ///
    /// - Parameters:
    ///   - first: hundredths of the units that are open at the end of the day of their sale.
    ///   - next: hundredths that are open a day later.
    func gain(_ first: Int128, _ next: Int128) -> Int128 {
      200 * (first * uy + next * vy)
        - (first * first * uu + 2 * first * next * uv + next * next * vv)
    }
  }

  private var sums = [Sums](repeating: Sums(), count: factors.count)

  /// Adds what one month, named by its index, settled of one product, against what it and the month
  /// before sold.
  mutating func add(_ group: CarryGroup, _ month: Int) {
    guard month > 0 else { return }
    let (before, after) = (group.tails[month - 1], group.tails[month])
    let near = before.reduce(0) { $0 + $1.units } + after.reduce(0) { $0 + $1.units }
    let surplus = group.settled[month] - group.sold[month]
    // What no lag explains is another difference.
    guard near > 0, abs(surplus) <= near else { return }
    let last = { (tail: [(daysBefore: Int, units: Int64)]) in
      tail.reduce(Int64(0)) { $0 + ($1.daysBefore == 0 ? $1.units : 0) }
    }
    let weight = Int128(1 + 1_000 / near)
    let u = Int128((last(before) - last(after)) * Self.scale)
    let y = Int128(surplus * Self.scale)
    for factor in Self.factors {
      let powers = Self.powers[factor]
      let earlier = { (tail: [(daysBefore: Int, units: Int64)]) in
        tail.reduce(Int64(0)) {
          $0 + ($1.daysBefore == 0 ? 0 : $1.units * powers[$1.daysBefore - 1])
        }
      }
      let v = Int128(earlier(before) - earlier(after))
      sums[factor].uu += weight * u * u
      sums[factor].uv += weight * u * v
      sums[factor].vv += weight * v * v
      sums[factor].uy += weight * u * y
      sums[factor].vy += weight * v * y
    }
  }

  /// The lag that explains most, to hundredths: never more open later than before. Nothing is open
  /// where no month was added.
  var lag: SettlementLag {
    var best: (gain: Int128, first: Int128, next: Int128, factor: Int) = (0, 0, 0, 0)
    for factor in Self.factors {
      for first in Int128(0)...100 {
        for next in Int128(0)...first {
          let gain = sums[factor].gain(first, next)
          if gain > best.gain { best = (gain, first, next, factor) }
        }
      }
    }
    let later = Self.powers[best.factor].dropLast()
      .map { Int64(best.next) * 10_000 * $0 / Self.scale }
    return SettlementLag(unsettled: [Int64(best.first) * 10_000] + later)
  }
}
