package import Billing
package import Matching

extension FlowMark {
  /// The figure that makes a day stand out, beside the other days'.
  package var explanation: Wording {
    switch measure {
    case .orders: "\(value) orders, where other days have \(usual)"
    case .transactions: "\(value) transactions, where other days have \(usual)"
    case .unfulfilled:
      "\(percent(value)) never fulfilled, where other days have \(percent(usual))"
    case .medianDelay:
      "half took \(delayWords(value)) or more, on other days \(delayWords(usual))"
    case .lateDelay:
      "5 in 100 took \(delayWords(value)) or more, on other days \(delayWords(usual))"
    case .sandbox: "\(value) Sandbox transactions, where other days have \(usual)"
    case .refunds: "\(value) refunds, where other days have \(usual)"
    }
  }
}

/// Seconds as `2 h 5 min`, `3 min 20 s` or `20 s`.
package func delayWords(_ seconds: Int64) -> Wording {
  let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
  if hours > 0 { return "\(hours) h \(minutes) min" }
  return minutes > 0 ? "\(minutes) min \(rest) s" : "\(rest) s"
}
