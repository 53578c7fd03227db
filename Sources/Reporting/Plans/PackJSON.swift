import Billing
import Languages
package import Pricing

extension PackPlan {
  /// The plan for a script: one JSON document.
  package var json: String {
    jsonDocument { writer in
      writer.string("date", day.description)
      writer.string("base_currency", baseCurrency.code)
      writer.string("sought", goal.rawValue)
      writer.string("target", target.name)
      writer.string("period", period?.description)
      writer.decimal("elasticity", elasticity)
      writer.object("channel") { writeChannel(to: &$0) }
      writer.objects("exchange_rates", of: worths) { writer, worth in
        writer.string("currency", worth.currency.code)
        writer.string("worth", worth.worth.text)
        writer.string("quotes", worth.worth.quotes)
      }
      writer.objects("packs", of: rows) { writeFields(of: $1, to: &$0) }
      writer.objects("storefronts", of: storefronts) { writer, storefront in
        writer.string("storefront", storefront.code)
        writeFields(of: total(storefront), to: &writer)
      }
      writer.object("total") { writeFields(of: total(), to: &$0) }
      writer.array("notes", of: notes) { $0.string(say($1)) }
    }
  }

  /// The members of the other channel and its packs.
  private func writeChannel(to writer: inout JSONWriter) {
    writer.string("name", channel.name.isEmpty ? nil : channel.name)
    writer.string("currency", channel.currency.code)
    channel.costs.writeFields(to: &writer)
    writer.objects("packs", of: counterparts) { writer, pack in
      writer.product("product", pack.sku)
      writer.decimal("price", pack.price, minimumDigits: channel.currency.minorDigits)
      writer.integer("coins", pack.coins)
      writer.string("source", pack.source.name)
      writer.decimal(
        "net_per_thousand_coins", (channelNet(pack) * Fraction(1_000)).micros)
    }
  }

  /// The members of a pack in a storefront, now and as proposed.
  private func writeFields(of row: Row, to writer: inout JSONWriter) {
    let channel = channelNet(row) * Fraction(1_000)
    writer.string("storefront", row.storefront.code)
    writer.product("product", row.sku)
    writer.string("currency", row.now.currency.code)
    writer.object("now") {
      write(row.tier, row.now, row.coins, row.units, row.net, channel, to: &$0)
    }
    writer.object("proposed") {
      write(
        row.proposedTier, row.proposed, row.proposedCoins, row.proposedUnits, row.proposedNet,
        channel, to: &$0)
    }
    writer.decimal("equal_net_coins", row.exactCoins.micros)
    writer.integer("coins_of_this_storefront", row.ownCoins)
  }

  /// Writes the members of a pack at one price and number of coins, as it is now or is proposed.
  ///
  /// - Parameters:
  ///   - tier: of the price; nil where none is known.
  ///   - coins: of one pack.
  ///   - units: how many packs are sold.
  ///   - net: what 1,000 coins net here, in base currency; nil without coins.
  ///   - channel: what they net on the other channel.
  private func write(
    _ tier: TierPrice?, _ terms: ProceedsTerms, _ coins: Int64, _ units: Int64, _ net: Fraction?,
    _ channel: Fraction, to writer: inout JSONWriter
  ) {
    let digits = terms.currency.minorDigits
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

  /// The members of what packs come to, now and as proposed.
  private func writeFields(of sum: Sum, to writer: inout JSONWriter) {
    let digits = baseCurrency.minorDigits
    writer.integer("units", sum.units)
    writer.integer("proposed_units", sum.proposedUnits)
    writer.decimal("proceeds", sum.proceeds, minimumDigits: digits)
    writer.decimal("proposed_proceeds", sum.proposedProceeds, minimumDigits: digits)
    writer.decimal("difference", sum.difference, minimumDigits: digits)
    writer.decimal("against_channel", sum.ahead, minimumDigits: digits)
    writer.decimal("proposed_against_channel", sum.proposedAhead, minimumDigits: digits)
  }
}

extension PackPlan.Counterpart.Source {
  /// Where a pack's figures come from, for scripts.
  fileprivate var name: String {
    switch self {
    case .given: "given"
    case .orders: "orders"
    case .rate: "rate"
    }
  }
}
