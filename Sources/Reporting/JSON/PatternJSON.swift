import Billing
import Languages
package import Matching

extension JSONWriter {
  mutating func write(_ pattern: Pattern) {
    object { json in
      json.key("codes")
      json.array(of: pattern.codes) { $0.string($1.rawValue) }
      json.string("dimension", pattern.dimension.rawValue)
      json.string("value", pattern.value.isEmpty ? nil : pattern.value)
      json.string(
        "from", pattern.span?.lowerBound.description ?? pattern.days?.lowerBound.description)
      json.string(
        "to", pattern.span?.upperBound.description ?? pattern.days?.upperBound.description)
      json.integer("findings", Int64(pattern.count))
      json.integer("of", Int64(pattern.total))
      json.string("base", pattern.base.rawValue)
      json.decimal("base_share", pattern.baseShare)
      json.string("chance", pattern.chance)
      json.integer("units", pattern.units)
      json.key("amounts")
      json.array(of: pattern.amounts) { json, amount in
        json.object { json in
          json.string("currency", amount.currency.code)
          json.key("amount")
          json.money(amount.micros, amount.currency)
        }
      }
      json.string("text", say(pattern.explanation))
      json.string("action", say(pattern.advice))
      json.key("finding_ids")
      json.array(of: pattern.findingIDs) { $0.string($1) }
    }
  }

  package mutating func write(_ line: FlowDay) {
    object { json in
      json.string("date", line.day.description)
      json.integer("orders", Int64(line.orders))
      json.integer("paid", Int64(line.paid))
      json.integer("fulfilled", Int64(line.fulfilled))
      json.integer("transactions", Int64(line.transactions))
      json.integer("purchases", Int64(line.purchases))
      json.integer("unfulfilled", line.unfulfilled.map { Int64($0) })
      json.decimal("unfulfilled_share", line.unfulfilledShare)
      json.integer("median_delay", line.medianDelay)
      json.integer("p95_delay", line.lateDelay)
      json.integer("sandbox", Int64(line.sandbox))
      json.integer("refunds", Int64(line.refunds))
      json.key("marks")
      json.array(of: line.marks) { $0.write($1) }
    }
  }

  private mutating func write(_ mark: FlowMark) {
    object { json in
      json.string("measure", mark.measure.rawValue)
      json.key("value")
      if mark.measure == .unfulfilled { json.decimal(mark.value) } else { json.integer(mark.value) }
      json.key("usual")
      if mark.measure == .unfulfilled { json.decimal(mark.usual) } else { json.integer(mark.usual) }
      json.string("text", say(mark.explanation))
    }
  }
}
