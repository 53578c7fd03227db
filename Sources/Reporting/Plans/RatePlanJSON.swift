import Billing
import Languages
package import Pricing

extension RatePlan {
  /// The plan for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.string("date", day.description)
      writer.string("base_currency", baseCurrency.code)
      writer.object("channel") { channel.writeFields(to: &$0) }
      writer.string("target", target.name)
      writer.object("rounding") { writer in
        writer.integer("step", rounding.step)
        writer.decimal("floor", rounding.floor)
      }
      writer.string("period", period?.description)
      writer.object("current", current) { writeFields(of: $1, to: &$0) }
      writer.objects("rates", of: rows) { writeFields(of: $1, to: &$0) }
      writer.objects("common_rates", of: groups) { writeFields(of: $1, to: &$0) }
      writer.objects("coin_prices", of: coinPrices) { writeFields(of: $1, to: &$0) }
      writer.objects("channels", of: channelSales) { $1.writeFields(to: &$0, channel.costs) }
      writer.array("reasons", of: reasons) { $0.string(say($1)) }
      writer.array("notes", of: notes) { $0.string(say($1)) }
    }
  }

  /// The members of what the company's own rate is worth in each storefront.
  ///
  /// - Parameter current: coins per unit of the channel's money, millionths.
  private func writeFields(of current: Int64, to writer: inout JSONWriter) {
    writer.decimal("rate", current)
    writer.decimal("break_even_deduction", limit(of: current).micros)
    writer.objects("storefronts", of: judgements(of: current)) { writer, one in
      writer.string("storefront", one.row.storefront.code)
      writer.decimal("deduction", one.row.deduction)
      writer.decimal("break_even_rate", one.breakEven.micros)
      writer.decimal("gain", one.gain.micros)
    }
  }

  /// The members of an offer and its rate.
  private func writeFields(of row: Row, to writer: inout JSONWriter) {
    let digits = row.terms.currency.minorDigits
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
    writer.object("observed", row.observed) { writeFields(of: $1, row, to: &$0) }
  }

  /// The members of what Apple paid for an offer, and the rate that it gives.
  private func writeFields(of observed: Observation, _ row: Row, to writer: inout JSONWriter) {
    let digits = row.terms.currency.minorDigits
    writer.integer("units", observed.units)
    writer.decimal("gross", observed.gross, minimumDigits: digits)
    writer.decimal("proceeds", observed.proceeds, minimumDigits: digits)
    writer.decimal("deduction", observed.deduction)
    writer.write(observed.rate)
    let difference = observed.rate.flatMap { seen in row.rate.map { seen.exact - $0.exact } }
    writer.decimal("difference", difference?.micros)
  }

  /// The members of a group of offers and the rates to choose from.
  private func writeFields(of group: Group, to writer: inout JSONWriter) {
    writer.string("group", group.name)
    writer.array("storefronts", of: group.storefronts) { $0.string($1.code) }
    writer.string("currency", group.currency.code)
    writer.integer("unit", group.unit)
    writer.objects("choices", of: group.choices) { writer, choice in
      writer.string("choice", choice.kind.rawValue)
      writer.write(choice.rate)
      writer.decimal("gain", choice.gain, minimumDigits: baseCurrency.minorDigits)
    }
  }

  /// The members of what 1,000 coins cost and net in a storefront.
  private func writeFields(of price: CoinPrice, to writer: inout JSONWriter) {
    writer.string("storefront", price.storefront.code)
    writer.integer("coins", price.coins)
    writer.string("coins_from", price.isPresent ? "catalogue" : "plan")
    writer.decimal("net_per_thousand_coins", price.net)
    writer.decimal("price_per_thousand_coins", price.price)
    writer.bool("net_is_below", price.isNetBelow)
    writer.bool("price_is_below", price.isPriceBelow)
  }
}

extension ChannelTerms {
  /// The members of the other channel.
  func writeFields(to writer: inout JSONWriter) {
    writer.string("name", name.isEmpty ? nil : name)
    writer.string("currency", currency.code)
    writer.decimal("rate", rate)
    costs.writeFields(to: &writer)
    writer.string("source", isObserved ? "orders" : "given")
    writer.decimal("net_per_thousand_coins", netPerThousand?.micros)
  }
}

extension ChannelCosts {
  /// The members of what a channel takes: fee and tax.
  func writeFields(to writer: inout JSONWriter) {
    writer.decimal("fee", fee)
    writer.decimal("tax", tax)
  }

  /// The fee in words, with the tax where there is one.
  var wording: Wording {
    tax == 0
      ? Wording(verbatim: percent(fee)) : "@plan.fee-and-tax \(percent(fee)) \(percent(tax))"
  }
}

extension PlanTarget {
  /// The target as the option writes it.
  var name: String {
    switch self {
    case .equalNet: "equal-net"
    case .margin(let deduction): "margin=\(decimalText(micros: deduction))"
    }
  }
}

extension ChannelSales {
  /// The members of a channel's paid orders.
  ///
  /// - Parameter planned: what the plan's channel takes, where this one has no costs of its own.
  fileprivate func writeFields(to writer: inout JSONWriter, _ planned: ChannelCosts) {
    writer.string("channel", channel)
    writer.string("currency", currency.code)
    writer.integer("orders", orders)
    writer.integer("unknown", unknown)
    writer.decimal("gross", gross, minimumDigits: currency.minorDigits)
    writer.integer("coins", coins)
    writer.decimal("rate", rate?.micros)
    (costs ?? planned).writeFields(to: &writer)
    writer.decimal("net_per_thousand_coins", netPerThousand(planned)?.micros)
  }
}

extension JSONWriter {
  /// The members of a rate: `equal_net`, `planned` and `above_equal_net`, null without one.
  mutating func write(_ rate: RatePlan.PlannedRate?) {
    decimal("equal_net", rate?.exact.micros)
    integer("planned", rate?.planned)
    bool("above_equal_net", rate?.isHeldUp)
  }
}
