import Billing

extension JSONWriter {
  /// A line of `payment_bridge`.
  mutating func write(_ payment: RegionPayment) {
    object { json in
      json.key("region")
      json.string(payment.region)
      json.key("currency")
      json.string(payment.currency.code)
      json.key("steps")
      json.array(of: payment.steps) { $0.write($1) }
      json.key("unexplained")
      json.money(abs(payment.unexplained), payment.currency)
    }
  }

  private mutating func write(_ step: RegionPayment.Step) {
    object { json in
      json.key("cause")
      json.string(step.cause)
      json.key("units")
      json.integer(nil)
      json.key("amount")
      json.money(step.amount, step.currency)
      json.key("currency")
      json.string(step.currency.code)
      json.key("total")
      json.bool(step.isTotal)
      if step.cause == "exchange" {
        json.key("rate")
        json.decimal(step.rate)
      }
    }
  }
}
