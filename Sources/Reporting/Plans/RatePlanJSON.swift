package import Billing
import Languages

extension RatePlan {
  /// The plan for a script: one JSON document.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("date", day.description)
      writer.member("base_currency", baseCurrency.code)
      writer.key("channel")
      channel.write(to: &writer)
      writer.member("target", target.name)
      writer.key("rounding")
      writer.object { writer in
        writer.key("step")
        writer.integer(rounding.step)
        writer.key("floor")
        writer.decimal(rounding.floor)
      }
      writer.member("period", period?.description)
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

  private func write(_ row: Row, to writer: inout JSONWriter) {
    let digits = row.terms.currency.minorDigits
    writer.object { writer in
      writer.member("storefront", row.storefront.code)
      writer.member("product", row.product.isEmpty ? nil : row.product)
      writer.member("tier", row.tier.isEmpty ? nil : row.tier)
      writer.member("currency", row.terms.currency.code)
      writer.key("price")
      writer.decimal(row.terms.price, minimumDigits: digits)
      writer.key("proceeds")
      writer.decimal(row.terms.proceeds, minimumDigits: digits)
      writer.key("deduction")
      writer.decimal(row.deduction)
      writer.key("commission")
      writer.decimal(row.terms.commission)
      writer.member("rule", say(row.rule))
      writer.key("unit")
      writer.integer(row.unit)
      writer.write(row.rate)
      writer.key("coins")
      writer.integer(row.plannedCoins)
      writer.key("present_coins")
      writer.integer(row.presentCoins)
      writer.key("net_per_thousand_coins")
      writer.decimal(row.netPerThousand(self)?.micros)
      writer.key("observed")
      write(row.observed, of: row, to: &writer)
    }
  }

  private func write(_ observed: Observation?, of row: Row, to writer: inout JSONWriter) {
    guard let observed else { return writer.null() }
    let digits = row.terms.currency.minorDigits
    writer.object { writer in
      writer.key("units")
      writer.integer(observed.units)
      writer.key("gross")
      writer.decimal(observed.gross, minimumDigits: digits)
      writer.key("proceeds")
      writer.decimal(observed.proceeds, minimumDigits: digits)
      writer.key("deduction")
      writer.decimal(observed.deduction)
      writer.write(observed.rate)
      writer.key("difference")
      let difference = observed.rate.flatMap { seen in row.rate.map { seen.exact - $0.exact } }
      writer.decimal(difference?.micros)
    }
  }

  private func write(_ group: Group, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("group", group.name)
      writer.key("storefronts")
      writer.array(of: group.storefronts) { $0.string($1.code) }
      writer.member("currency", group.currency.code)
      writer.key("unit")
      writer.integer(group.unit)
      writer.key("choices")
      writer.array(of: group.choices) { writer, choice in
        writer.object { writer in
          writer.member("choice", choice.kind.rawValue)
          writer.write(choice.rate)
          writer.key("gain")
          writer.decimal(choice.gain, minimumDigits: baseCurrency.minorDigits)
        }
      }
    }
  }

  private func write(_ price: CoinPrice, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("storefront", price.storefront.code)
      writer.key("coins")
      writer.integer(price.coins)
      writer.member("coins_from", price.isPresent ? "catalogue" : "plan")
      writer.key("net_per_thousand_coins")
      writer.decimal(price.net)
      writer.key("price_per_thousand_coins")
      writer.decimal(price.price)
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
      writer.member("name", name.isEmpty ? nil : name)
      writer.member("currency", currency.code)
      writer.key("rate")
      writer.decimal(rate)
      writer.key("fee")
      writer.decimal(fee)
      writer.member("source", isObserved ? "orders" : "given")
      writer.key("net_per_thousand_coins")
      writer.decimal(netPerThousand?.micros)
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
      writer.member("channel", channel)
      writer.member("currency", currency.code)
      writer.key("orders")
      writer.integer(Int64(orders))
      writer.key("unknown")
      writer.integer(Int64(unknown))
      writer.key("gross")
      writer.decimal(gross, minimumDigits: currency.minorDigits)
      writer.key("coins")
      writer.integer(coins)
      writer.key("rate")
      writer.decimal(rate?.micros)
      writer.key("net_per_thousand_coins")
      writer.decimal(netPerThousand(fee: fee)?.micros)
    }
  }
}

extension JSONWriter {
  mutating func member(_ name: StaticString, _ value: String?) {
    key(name)
    string(value)
  }

  /// The members `equal_net`, `planned` and `above_equal_net`.
  mutating func write(_ rate: RatePlan.PlannedRate?) {
    key("equal_net")
    decimal(rate?.exact.micros)
    key("planned")
    integer(rate?.planned)
    key("above_equal_net")
    if let rate { bool(rate.isHeldUp) } else { null() }
  }
}
