import Billing
import Matching

extension JSONWriter {
  /// A line of `payment_bridge`.
  mutating func write(_ payment: RegionPayment) {
    object { json in
      json.string("region", payment.region)
      json.string("currency", payment.currency.code)
      json.key("steps")
      json.array(of: payment.steps) { $0.write($1) }
      json.key("unexplained")
      json.money(abs(payment.unexplained), payment.currency)
    }
  }

  private mutating func write(_ step: RegionPayment.Step) {
    object { json in
      json.string("cause", step.cause)
      json.integer("units", nil)
      json.key("amount")
      json.money(step.amount, step.currency)
      json.string("currency", step.currency.code)
      json.key("total")
      json.bool(step.isTotal)
      if step.cause == "exchange" {
        json.decimal("rate", step.rate)
      }
    }
  }
}
