package import Billing
import Languages

extension JSONWriter {
  mutating func write(_ pattern: Pattern) {
    object { json in
      json.key("codes")
      json.array(of: pattern.codes) { $0.string($1.rawValue) }
      json.key("dimension")
      json.string(pattern.dimension.rawValue)
      json.key("value")
      json.string(pattern.value.isEmpty ? nil : pattern.value)
      json.key("from")
      json.string(pattern.span?.lowerBound.description ?? pattern.days?.lowerBound.description)
      json.key("to")
      json.string(pattern.span?.upperBound.description ?? pattern.days?.upperBound.description)
      json.key("findings")
      json.integer(Int64(pattern.count))
      json.key("of")
      json.integer(Int64(pattern.total))
      json.key("base")
      json.string(pattern.base.rawValue)
      json.key("base_share")
      json.decimal(pattern.baseShare)
      json.key("chance")
      json.string(pattern.chance)
      json.key("units")
      json.integer(pattern.units)
      json.key("amounts")
      json.array(of: pattern.amounts) { json, amount in
        json.object { json in
          json.key("currency")
          json.string(amount.currency.code)
          json.key("amount")
          json.money(amount.micros, amount.currency)
        }
      }
      json.key("text")
      json.string(say(pattern.explanation))
      json.key("action")
      json.string(say(pattern.advice))
      json.key("finding_ids")
      json.array(of: pattern.findingIDs) { $0.string($1) }
    }
  }

  package mutating func write(_ line: FlowDay) {
    object { json in
      json.key("date")
      json.string(line.day.description)
      json.key("orders")
      json.integer(Int64(line.orders))
      json.key("paid")
      json.integer(Int64(line.paid))
      json.key("fulfilled")
      json.integer(Int64(line.fulfilled))
      json.key("transactions")
      json.integer(Int64(line.transactions))
      json.key("purchases")
      json.integer(Int64(line.purchases))
      json.key("unfulfilled")
      json.integer(line.unfulfilled.map { Int64($0) })
      json.key("unfulfilled_share")
      json.decimal(line.unfulfilledShare)
      json.key("median_delay")
      json.integer(line.medianDelay)
      json.key("p95_delay")
      json.integer(line.lateDelay)
      json.key("sandbox")
      json.integer(Int64(line.sandbox))
      json.key("refunds")
      json.integer(Int64(line.refunds))
      json.key("marks")
      json.array(of: line.marks) { $0.write($1) }
    }
  }

  private mutating func write(_ mark: FlowMark) {
    object { json in
      json.key("measure")
      json.string(mark.measure.rawValue)
      json.key("value")
      if mark.measure == .unfulfilled { json.decimal(mark.value) } else { json.integer(mark.value) }
      json.key("usual")
      if mark.measure == .unfulfilled { json.decimal(mark.usual) } else { json.integer(mark.usual) }
      json.key("text")
      json.string(say(mark.explanation))
    }
  }
}
