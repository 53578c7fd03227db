import Billing

/// The value that more of some findings share than chance gives it to: a user, a version, a file.
struct SharedValue {
  let dimension: Pattern.Dimension
  /// Of each case that tells any, its index and values; a row that shows it draws a value once.
  private let cases: [(index: Int, values: [String])]
  private let fewest: Int

  /// - Parameter fewest: cases that have to share the value.
  init(
    _ dimension: Pattern.Dimension, _ cases: [(index: Int, values: [String])], fewest: Int
  ) {
    self.dimension = dimension
    self.cases = cases.map { (index: $0.index, values: $0.values.filter { !$0.isEmpty }) }
      .filter { !$0.values.isEmpty }
    self.fewest = max(fewest, Rules.patternFindings)
  }

  /// Values that enough cases share, ascending.
  var candidates: [String] {
    var counts: [String: Int] = [:]
    for (_, values) in cases {
      for value in Set(values) { counts[value, default: 0] += 1 }
    }
    return counts.filter { $0.value >= fewest }.map(\.key).sorted()
  }

  /// The least likely value; nil where none has half as much again as its share.
  ///
  /// - Parameter share: the part of all rows that a value has; nil where it is not known.
  func trait(_ share: (String) -> Double?) -> SharedTrait? {
    var best: SharedTrait?
    for value in candidates {
      guard let share = share(value), share < 1 else { continue }
      let holders = cases.filter { $0.values.contains(value) }.map(\.index)
      // A finding that several rows show draws as often.
      let average =
        cases.reduce(0) { $0 + min(1, share * Double($1.values.count)) } / Double(cases.count)
      guard Double(holders.count) >= Rules.patternExcess * average * Double(cases.count) else {
        continue
      }
      // All values that are as rare could have been the one.
      let chance =
        Chance.logTail(hits: holders.count, of: cases.count, share: average) - naturalLog(share)
      guard chance < best?.chance ?? 0 else { continue }
      best = SharedTrait(
        dimension: dimension, value: value, cases: holders, share: share, chance: chance)
    }
    return best
  }
}
