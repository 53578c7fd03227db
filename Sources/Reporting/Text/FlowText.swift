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
      "half took \(delay(value)) or more, on other days \(delay(usual))"
    case .lateDelay:
      "5 in 100 took \(delay(value)) or more, on other days \(delay(usual))"
    case .sandbox: "\(value) Sandbox transactions, where other days have \(usual)"
    case .refunds: "\(value) refunds, where other days have \(usual)"
    }
  }
}
