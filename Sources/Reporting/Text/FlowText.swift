package import Billing
package import Matching

extension FlowMark {
  /// The figure that makes a day stand out, beside the other days'.
  package var explanation: Wording {
    switch measure {
    case .orders:
      counted(value, "1 order, against \(usual) on other days") {
        "\($0) orders, against \(usual) on other days"
      }
    case .transactions:
      counted(value, "1 transaction, against \(usual) on other days") {
        "\($0) transactions, against \(usual) on other days"
      }
    case .unfulfilled:
      "\(percent(value)) never fulfilled, against \(percent(usual)) on other days"
    case .medianDelay:
      "half of them took \(delay(value)) or longer, against \(delay(usual)) on other days"
    case .lateDelay:
      "the slowest 5% took \(delay(value)) or longer, against \(delay(usual)) on other days"
    case .sandbox:
      counted(value, "1 Sandbox transaction, against \(usual) on other days") {
        "\($0) Sandbox transactions, against \(usual) on other days"
      }
    case .refunds:
      counted(value, "1 refund, against \(usual) on other days") {
        "\($0) refunds, against \(usual) on other days"
      }
    }
  }
}
