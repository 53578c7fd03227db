import Billing
package import Conclusions

extension [FlowDay] {
  /// The days with what makes them stand out against all the others: counts and delays by their
  /// median and its absolute deviation, the unfulfilled share by the chance of as many among the
  /// others' share. A day is marked only for what is large by itself, too.
  package func markingOutliers() -> [FlowDay] {
    // With fewer nobody can say what is usual.
    guard count >= Rules.flowDays else { return self }
    var marked = self
    for index in indices {
      let day = self[index]
      /// What is usual of a figure on all days but that at `index`; nil where too few days tell it.
      func others(_ value: (FlowDay) -> Int64?) -> Usual? {
        Usual(indices.filter { $0 != index }.compactMap { value(self[$0]) })
      }
      for measure in FlowMark.Measure.allCases {
        let usual: Int64? =
          switch measure {
          case .orders: others { Int64($0.orders) }?.ifUnlike(Int64(day.orders))
          case .transactions: others { Int64($0.transactions) }?.ifUnlike(Int64(day.transactions))
          case .unfulfilled: unfulfilledElsewhere(than: index)
          case .medianDelay:
            others(\.comparableMedian)?.ifSlower(day.comparableMedian, by: Rules.flowSlowMedian)
          case .lateDelay:
            others(\.comparableLate)?.ifSlower(day.comparableLate, by: Rules.flowSlowLate)
          case .sandbox: others { Int64($0.sandbox) }?.ifUnlike(Int64(day.sandbox))
          case .refunds: others { Int64($0.refunds) }?.ifUnlike(Int64(day.refunds))
          }
        if let usual, let value = day.value(of: measure) {
          marked[index].marks.append(FlowMark(measure: measure, value: value, usual: usual))
        }
      }
    }
    return marked
  }

  /// The unfulfilled share of the other days, in millionths, where the day's is far above it; else
  /// nil.
  private func unfulfilledElsewhere(than index: Int) -> Int64? {
    guard let count = self[index].unfulfilled, count >= Rules.flowUnfulfilled else { return nil }
    var (missed, purchases) = (0, 0)
    for other in indices where other != index {
      missed += self[other].unfulfilled ?? 0
      purchases += self[other].purchases
    }
    // One more each, so that a share of none is not certain.
    let share = Double(missed + 1) / Double(purchases + 1)
    let own = self[index].purchases
    guard Double(count) >= Rules.flowUnfulfilledExcess * share * Double(own),
      Chance.rarity(log: Chance.logTail(hits: count, of: own, share: share))
        >= Rules.flowRarity
    else { return nil }
    guard purchases > 0 else { return 0 }
    return (Int64(missed) * 2_000_000 + Int64(purchases)) / (2 * Int64(purchases))
  }
}

/// What is usual on days: the median of a figure, and how far half of the days are from it.
struct Usual {
  let median: Int64
  private let deviation: Double

  /// What is usual of a figure, by its values on some days; nil where too few days tell it.
  init?(_ values: some Sequence<Int64>) {
    let sorted = values.sorted()
    guard sorted.count + 1 >= Rules.flowDays else { return nil }
    let median = sorted[sorted.count / 2]
    self.median = median
    // The deviation of a normal distribution is 1.4826 times its median absolute deviation.
    deviation = 1.4826 * Double(sorted.map { abs($0 - median) }.sorted()[sorted.count / 2])
  }

  /// The median, where a count is less than half of it or more than twice, and further away than
  /// chance and weekdays carry it; else nil.
  func ifUnlike(_ count: Int64) -> Int64? {
    let scale = max(deviation, Double(max(median, 1)).squareRoot())
    guard max(count, median) >= Int64(Rules.flowPurchases),
      count > 2 * median || 2 * count < median,
      Double(abs(count - median)) > Rules.flowDeviations * scale
    else { return nil }
    return median
  }

  /// The median, where a delay is more than twice that, longer by `least` or more, and further away
  /// than the days' deviation carries it; else nil. All are of one unit.
  func ifSlower(_ delay: Int64?, by least: Int64) -> Int64? {
    guard let delay, delay - median >= least, delay > 2 * median,
      Double(delay - median) > Rules.flowDelayDeviations * max(deviation, Double(median) / 10)
    else { return nil }
    return median
  }
}

extension FlowDay {
  /// The median delay, on days that have enough purchases for it to be compared; else nil.
  fileprivate var comparableMedian: Int64? { purchases >= Rules.flowPurchases ? medianDelay : nil }
  /// The delay of the slowest twentieth, on days that have enough purchases for it to be compared;
  /// else nil.
  fileprivate var comparableLate: Int64? {
    purchases >= Rules.flowPurchasesForLate ? lateDelay : nil
  }

  /// The figure that a measure is about; nil where the day does not tell it.
  fileprivate func value(of measure: FlowMark.Measure) -> Int64? {
    switch measure {
    case .orders: Int64(orders)
    case .transactions: Int64(transactions)
    case .unfulfilled: unfulfilledShare
    case .medianDelay: medianDelay
    case .lateDelay: lateDelay
    case .sandbox: Int64(sandbox)
    case .refunds: Int64(refunds)
    }
  }
}
