import Billing
import Languages
package import Pricing

extension RatePlan {
  /// The plan for a script: one JSON document.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.string("date", day.description)
      writer.string("base_currency", baseCurrency.code)
      writer.key("channel")
      channel.write(to: &writer)
      writer.string("target", target.name)
      writer.key("rounding")
      writer.object { writer in
        writer.integer("step", rounding.step)
        writer.decimal("floor", rounding.floor)
      }
      writer.string("period", period?.description)
      writer.key("current")
      write(current: current, to: &writer)
      writer.key("rates")
      writer.array(of: rows) { write($1, to: &$0) }
      writer.key("common_rates")
      writer.array(of: groups) { write($1, to: &$0) }
      writer.key("coin_prices")
      writer.array(of: coinPrices) { write($1, to: &$0) }
      writer.key("channels")
      writer.array(of: channelSales) { $1.write(to: &$0, fee: channel.fee) }
      writer.key("reasons")
      writer.array(of: reasons) { $0.string(say($1)) }
      writer.key("notes")
      writer.array(of: notes) { $0.string(say($1)) }
    }
    return writer.text() + "\n"
  }

  private func write(current: Int64?, to writer: inout JSONWriter) {
    guard let current else { return writer.null() }
    writer.object { writer in
      writer.decimal("rate", current)
      writer.decimal("break_even_deduction", limit(of: current).micros)
      writer.key("storefronts")
      writer.array(of: judgements(of: current)) { writer, one in
        writer.object { writer in
          writer.string("storefront", one.row.storefront.code)
          writer.decimal("deduction", one.row.deduction)
          writer.decimal("break_even_rate", one.breakEven.micros)
          writer.decimal("gain", one.gain.micros)
        }
      }
    }
  }

  private func write(_ row: Row, to writer: inout JSONWriter) {
    let digits = row.terms.currency.minorDigits
    writer.object { writer in
      writer.string("storefront", row.storefront.code)
      writer.string("product", row.product.isEmpty ? nil : row.product)
      writer.string("tier", row.tier.isEmpty ? nil : row.tier)
      writer.string("currency", row.terms.currency.code)
      writer.decimal("price", row.terms.price, minimumDigits: digits)
      writer.decimal("proceeds", row.terms.proceeds, minimumDigits: digits)
      writer.decimal("deduction", row.deduction)
      writer.decimal("commission", row.terms.commission)
      writer.string("rule", say(row.rule))
      writer.integer("unit", row.unit)
      writer.write(row.rate)
      writer.integer("coins", row.plannedCoins)
      writer.integer("present_coins", row.presentCoins)
      writer.decimal("net_per_thousand_coins", row.netPerThousand(self)?.micros)
      writer.key("observed")
      write(row.observed, of: row, to: &writer)
    }
  }

  private func write(_ observed: Observation?, of row: Row, to writer: inout JSONWriter) {
    guard let observed else { return writer.null() }
    let digits = row.terms.currency.minorDigits
    writer.object { writer in
      writer.integer("units", observed.units)
      writer.decimal("gross", observed.gross, minimumDigits: digits)
      writer.decimal("proceeds", observed.proceeds, minimumDigits: digits)
      writer.decimal("deduction", observed.deduction)
      writer.write(observed.rate)
      writer.key("difference")
      let difference = observed.rate.flatMap { seen in row.rate.map { seen.exact - $0.exact } }
      writer.decimal(difference?.micros)
    }
  }

  private func write(_ group: Group, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("group", group.name)
      writer.key("storefronts")
      writer.array(of: group.storefronts) { $0.string($1.code) }
      writer.string("currency", group.currency.code)
      writer.integer("unit", group.unit)
      writer.key("choices")
      writer.array(of: group.choices) { writer, choice in
        writer.object { writer in
          writer.string("choice", choice.kind.rawValue)
          writer.write(choice.rate)
          writer.decimal("gain", choice.gain, minimumDigits: baseCurrency.minorDigits)
        }
      }
    }
  }

  private func write(_ price: CoinPrice, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("storefront", price.storefront.code)
      writer.integer("coins", price.coins)
      writer.string("coins_from", price.isPresent ? "catalogue" : "plan")
      writer.decimal("net_per_thousand_coins", price.net)
      writer.decimal("price_per_thousand_coins", price.price)
      writer.key("net_is_below")
      writer.bool(price.isNetBelow)
      writer.key("price_is_below")
      writer.bool(price.isPriceBelow)
    }
  }
}

extension ChannelTerms {
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("name", name.isEmpty ? nil : name)
      writer.string("currency", currency.code)
      writer.decimal("rate", rate)
      writer.decimal("fee", fee)
      writer.string("source", isObserved ? "orders" : "given")
      writer.decimal("net_per_thousand_coins", netPerThousand?.micros)
    }
  }
}

extension PlanTarget {
  /// As the option writes it.
  var name: String {
    switch self {
    case .equalNet: "equal-net"
    case .margin(let deduction): "margin=\(decimalText(micros: deduction))"
    }
  }
}

extension ChannelSales {
  fileprivate func write(to writer: inout JSONWriter, fee: Int64) {
    writer.object { writer in
      writer.string("channel", channel)
      writer.string("currency", currency.code)
      writer.integer("orders", Int64(orders))
      writer.integer("unknown", Int64(unknown))
      writer.decimal("gross", gross, minimumDigits: currency.minorDigits)
      writer.integer("coins", coins)
      writer.decimal("rate", rate?.micros)
      writer.decimal("net_per_thousand_coins", netPerThousand(fee: fee)?.micros)
    }
  }
}

extension JSONWriter {
  /// The members `equal_net`, `planned` and `above_equal_net`.
  mutating func write(_ rate: RatePlan.PlannedRate?) {
    decimal("equal_net", rate?.exact.micros)
    integer("planned", rate?.planned)
    key("above_equal_net")
    if let rate { bool(rate.isHeldUp) } else { null() }
  }
}
