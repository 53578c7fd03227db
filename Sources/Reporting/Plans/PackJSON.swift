import Billing
import Languages
package import Pricing

extension PackPlan {
  /// The plan for a script: one JSON document.
  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.string("date", day.description)
      writer.string("base_currency", baseCurrency.code)
      writer.string("sought", goal.rawValue)
      writer.string("target", target.name)
      writer.string("period", period?.description)
      writer.decimal("elasticity", elasticity)
      writer.key("channel")
      writeChannel(to: &writer)
      writer.key("exchange_rates")
      writer.array(of: worths) { writer, worth in
        writer.object { writer in
          writer.string("currency", worth.currency.code)
          writer.string("worth", worth.worth.text)
          writer.string("quotes", worth.worth.quotes)
        }
      }
      writer.key("packs")
      writer.array(of: rows) { write($1, to: &$0) }
      writer.key("storefronts")
      writer.array(of: storefronts) { write(total($1), $1, to: &$0) }
      writer.key("total")
      write(total(), nil, to: &writer)
      writer.key("notes")
      writer.array(of: notes) { $0.string(say($1)) }
    }
    return writer.text() + "\n"
  }

  private func writeChannel(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.string("name", channel.name.isEmpty ? nil : channel.name)
      writer.string("currency", channel.currency.code)
      writer.decimal("fee", channel.fee)
      writer.key("packs")
      writer.array(of: counterparts) { writer, pack in
        writer.object { writer in
          writer.product("product", pack.sku)
          writer.decimal("price", pack.price, minimumDigits: channel.currency.minorDigits)
          writer.integer("coins", pack.coins)
          writer.string("source", pack.source.name)
          writer.decimal(
            "net_per_thousand_coins", (channelNet(pack) * Fraction(1_000)).micros)
        }
      }
    }
  }

  private func write(_ row: Row, to writer: inout JSONWriter) {
    let channel = channelNet(row) * Fraction(1_000)
    writer.object { writer in
      writer.string("storefront", row.storefront.code)
      writer.product("product", row.sku)
      writer.string("currency", row.now.currency.code)
      writer.key("now")
      write(row.tier, row.now, row.coins, row.units, row.net, channel, to: &writer)
      writer.key("proposed")
      write(
        row.proposedTier, row.proposed, row.proposedCoins, row.proposedUnits, row.proposedNet,
        channel, to: &writer)
      writer.decimal("equal_net_coins", row.exactCoins.micros)
      writer.integer("coins_of_this_storefront", row.ownCoins)
    }
  }

  private func write(
    _ tier: TierPrice?, _ terms: ProceedsTerms, _ coins: Int64, _ units: Int64, _ net: Fraction?,
    _ channel: Fraction, to writer: inout JSONWriter
  ) {
    let digits = terms.currency.minorDigits
    writer.object { writer in
      writer.string("tier", tier?.tier)
      writer.decimal("price", terms.price, minimumDigits: digits)
      writer.decimal("proceeds", terms.proceeds, minimumDigits: digits)
      writer.decimal("commission", terms.commission)
      writer.decimal("deduction", terms.share.map { (Fraction.one - $0).micros })
      writer.integer("coins", coins)
      writer.decimal("coins_per_unit", terms.coinsPerUnit(coins)?.micros)
      writer.decimal("net_per_thousand_coins", net?.micros)
      writer.decimal("against_channel", net.map { ($0 / channel - .one).micros })
      writer.integer("units", units)
    }
  }

  private func write(_ sum: Sum, _ storefront: Storefront?, to writer: inout JSONWriter) {
    let digits = baseCurrency.minorDigits
    writer.object { writer in
      if let storefront { writer.string("storefront", storefront.code) }
      writer.integer("units", sum.units)
      writer.integer("proposed_units", sum.proposedUnits)
      writer.decimal("proceeds", sum.proceeds, minimumDigits: digits)
      writer.decimal("proposed_proceeds", sum.proposedProceeds, minimumDigits: digits)
      writer.decimal("difference", sum.difference, minimumDigits: digits)
      writer.decimal("against_channel", sum.ahead, minimumDigits: digits)
      writer.decimal("proposed_against_channel", sum.proposedAhead, minimumDigits: digits)
    }
  }
}

extension PackPlan.Counterpart.Source {
  fileprivate var name: String {
    switch self {
    case .given: "given"
    case .orders: "orders"
    case .rate: "rate"
    }
  }
}
