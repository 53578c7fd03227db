import Billing
import Languages
package import Pricing

extension RatePlan {
  /// The plan for a script: one JSON document.
  package var json: String {
    let sheet = PlanSheet(self)
    return jsonDocument { writer in
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
      writer.lines("rates", rows, of: sheet.rates)
      writer.lines("common_rates", groups, of: .groups(sheet.choices))
      writer.lines("coin_prices", storefronts.prefix(coinPrices.count), of: sheet.coinPrices)
      writer.lines("channels", channelSales, of: .channelSales(channel.costs))
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
}

extension List<RatePlan.Group> {
  /// The columns of groups of offers, as scripts get them.
  ///
  /// - Parameter choices: the columns of the rates to choose from.
  fileprivate static func groups(_ choices: List<GroupChoice>) -> List {
    List([
      Column("group") { .text($0.name) },
      Column("storefronts", script: .list { $0.storefronts.map(\.code) }),
      Column("currency") { .text($0.currency.code) },
      Column("unit") { .integer($0.unit) },
      Column("choices", script: .json { $0.lines($1.choiceLines, of: choices) }),
    ])
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
