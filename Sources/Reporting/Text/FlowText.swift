package import Billing
package import Conclusions

extension FlowMark {
  /// In words: the figure that makes a day stand out, beside the other days'.
  package var explanation: Wording {
    switch measure {
    case .orders:
      counted(value, "@text.1-order-against-on-other \(usual)") {
        "@text.orders-against-on-other-days \($0) \(usual)"
      }
    case .transactions:
      counted(value, "@text.1-transaction-against-on-other \(usual)") {
        "@text.transactions-against-on-other-days \($0) \(usual)"
      }
    case .unfulfilled:
      "@text.never-fulfilled-against-on-other \(percent(value)) \(percent(usual))"
    case .medianDelay:
      "@text.half-of-them-took \(delay(value)) \(delay(usual))"
    case .lateDelay:
      "@text.slowest-5-took-or-longer \(delay(value)) \(delay(usual))"
    case .sandbox:
      counted(value, "@text.1-sandbox-transaction-against \(usual)") {
        "@text.sandbox-transactions-against-on-other \($0) \(usual)"
      }
    case .refunds:
      counted(value, "@text.1-refund-against-on-other \(usual)") {
        "@text.refunds-against-on-other-days \($0) \(usual)"
      }
    }
  }
}
