import Billing
import Conclusions

/// A bridge as the bars of a waterfall chart: steps that move no money are left out.
struct Waterfall: Hashable, Sendable {
  struct Bar: Hashable, Sendable {
    var cause: BridgeCause
    /// Micro-units; where the bar begins and ends.
    var from: Int64
    var to: Int64

    /// What the bar shows, in micro-units: a total, or the change of a step.
    var amount: Int64 { cause.isTotal ? to : to - from }
    /// The invisible ground that the bar stands on; then its visible part, both above and below
    /// zero.
    var groundAbove: Int64 { max(0, min(from, to)) }
    var above: Int64 { max(0, max(from, to)) - groundAbove }
    var groundBelow: Int64 { min(0, max(from, to)) }
    var below: Int64 { min(0, min(from, to)) - groundBelow }
  }

  var bars: [Bar] = []

  /// Makes a bar of each step that moves money, and of each total.
  ///
  /// - Parameter end: the total that it ends with; nil for the last.
  init(_ bridge: Bridge, to end: BridgeCause? = nil) {
    var running: Int64 = 0
    for step in bridge.steps where bars.last?.cause != end || end == nil {
      let amount = step.amount.micros
      if step.isTotal {
        running = amount
        bars.append(Bar(cause: step.cause, from: 0, to: amount))
      } else if amount != 0 {
        bars.append(Bar(cause: step.cause, from: running, to: running + amount))
        running += amount
      }
    }
  }

  /// The highest point above zero, in micro-units.
  var height: Int64 { bars.map { max(0, max($0.from, $0.to)) }.max() ?? 0 }

  /// Where the axis begins so that small steps are seen, in micro-units: below the lowest of them
  /// by half of what they all span, rounded down; nil where that is half of the highest point or
  /// less.
  var axisMinimum: Int64? {
    let levels = bars.flatMap { $0.cause.isTotal ? [$0.to] : [$0.from, $0.to] }
    guard let low = levels.min(), let high = levels.max(), high > low, bars.count > 2 else {
      return nil
    }
    let span = high - low
    var round: Int64 = 1
    while round <= span / 10 { round *= 10 }
    let minimum = (low - span / 2) / round * round
    return minimum > high / 2 ? minimum : nil
  }
}

extension Reconciliation {
  /// The summary bridge, else the one with the largest total; nil without a bridge.
  var mainBridge: Bridge? {
    if let summary = bridges.first(where: { $0.isSummary && !$0.steps.isEmpty }) {
      return summary
    }
    // Without a rate sizes in two currencies do not compare, units do.
    /// The units and micro-units of a bridge's first total, by which bridges are compared.
    func size(_ bridge: Bridge) -> (Int64, Int64) {
      let first = bridge.steps.first
      return (abs(first?.units ?? 0), abs(first?.amount.micros ?? 0))
    }
    return bridges.enumerated().filter { !$0.element.steps.isEmpty }.max { left, right in
      let (a, b) = (size(left.element), size(right.element))
      return a != b ? a < b : left.offset > right.offset
    }?.element
  }
}

/// An amount in micro-units in few letters for a chart: `1.23M`, `84.9k`, `310`.
func compact(_ micros: Int64) -> String {
  let sign = micros < 0 ? "-" : ""
  let magnitude = Int64(clamping: micros.magnitude)
  // The unit in micro-units, and what a shown figure is a multiple of, in its millionths.
  let scales: [(unit: Int64, suffix: String, step: Int64)] = [
    (1_000_000_000_000_000, "bn", 10_000), (1_000_000_000_000, "M", 10_000),
    (1_000_000_000, "k", 100_000), (1_000_000, "", 1_000_000),
  ]
  for scale in scales where magnitude >= scale.unit || scale.suffix.isEmpty {
    let shown = roundedHalfUp(
      Int128(magnitude), dividedBy: Int128(scale.unit / 1_000_000), toMultipleOf: scale.step)
    return (shown == 0 ? "" : sign) + decimalText(micros: shown) + scale.suffix
  }
  preconditionFailure("the last scale takes every amount")
}
