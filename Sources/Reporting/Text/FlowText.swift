package import Billing
package import Matching

extension FlowMark {
  /// The figure that makes a day stand out, beside the other days'.
  package var explanation: Wording {
    switch measure {
    case .orders: "\(value) orders, against \(usual) on other days"
    case .transactions: "\(value) transactions, against \(usual) on other days"
    case .unfulfilled:
      "\(percent(value)) never fulfilled, against \(percent(usual)) on other days"
    case .medianDelay:
      "half took \(delay(value)) or longer, against \(delay(usual)) on other days"
    case .lateDelay:
      "5 in 100 took \(delay(value)) or longer, against \(delay(usual)) on other days"
    case .sandbox: "\(value) Sandbox transactions, against \(usual) on other days"
    case .refunds: "\(value) refunds, against \(usual) on other days"
    }
  }
}
