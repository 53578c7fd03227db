import Billing

/// The company's catalogue, tiers, rates and configuration.
struct CompanyTables {
  let store: Store

  func write(to directory: String) throws {
    try Simulation.write(Array(products.utf8), to: "\(directory)/products.csv")
    try Simulation.write(Array(tiers.utf8), to: "\(directory)/tiers.csv")
    try Simulation.write(Array(rates.utf8), to: "\(directory)/rates.csv")
    try Simulation.write(Array(configuration.utf8), to: "\(directory)/tieout.toml")
  }

  private var products: String {
    var text = "sku,kind,tier,apple_identifier,bundle_id,name,coins,subscription_group\n"
    for (index, item) in store.shelf.items.enumerated() where item.inCatalogue {
      let fields = [
        item.sku, item.kind.name, item.hasTier ? tierName(item) : "", "\(1_234_567_000 + index)",
        Shelf.bundle, item.sku.split(separator: ".").suffix(2).joined(separator: " "),
        item.coins.map { "\($0)" } ?? "", item.isSubscription ? Shelf.group : "",
      ]
      text += fields.joined(separator: ",") + "\n"
    }
    return text
  }

  private func tierName(_ item: Item) -> String {
    item.isSubscription ? "S\(item.tier.name)" : item.tier.name
  }

  /// Yen and euro prices rose once, long before the period.
  private var tiers: String {
    var text = "table,tier,storefront,currency,price,proceeds,effective_from,effective_to\n"
    let rise = store.parameters.period.first.advanced(by: -500)
    for market in store.markets {
      let code = market.storefront.code
      for tier in PriceTier.allCases {
        let price = market.price(tier)
        var prices = [("", "", price)]
        if code == "JP" || code == "DE" {
          prices = [
            (
              "", "\(rise.advanced(by: -1))",
              market.price(.one) / 2 / market.currency.minorUnit
                * market.currency.minorUnit + price / 2 / market.currency.minorUnit
                * market.currency.minorUnit
            ),
            ("\(rise)", "", price),
          ]
        }
        for (from, to, price) in prices {
          text += row("iap", tier.name, market, price, from, to)
          if tier == .three || tier == .five {
            text += row("subscription", "S\(tier.name)", market, price, from, to)
          }
        }
      }
    }
    return text
  }

  /// China's and America's tiers tell their proceeds where one rule held throughout.
  private func row(
    _ table: String, _ tier: String, _ market: Market, _ price: Int64, _ from: String, _ to: String
  ) -> String {
    let code = market.storefront.code
    var proceeds = ""
    if code == "US" || code == "CN" {
      let period = store.parameters.period
      let values = [period.first, period.middle, period.last].map {
        ProceedsRule.proceeds(price, in: market, on: $0, afterOneYear: false)
      }
      if Set(values).count == 1 { proceeds = Money(micros: values[0], market.currency).text }
    }
    return [
      table, tier, code, market.currency.code, Money(micros: price, market.currency).text, proceeds,
      from, to,
    ].joined(separator: ",") + "\n"
  }

  private var rates: String {
    var text = "date,base,quote,rate\n"
    for (day, worth) in LoadedRates(store.parameters).days {
      for (currency, rate) in worth {
        text += "\(day),\(currency),CNY,\(decimalText(micros: rate))\n"
      }
    }
    return text
  }

  private var configuration: String {
    let roots =
      store.parameters.asksApple ? "trust_roots = [\"\(PayloadSigner.rootFile)\"]\n" : ""
    return """
      base_currency = "CNY"
      bundle_ids = ["\(Shelf.bundle)"]
      vendor_numbers = ["\(SalesReports.vendor)"]
      developer_country = "CN"
      default_storefront = "\(store.markets[0].storefront.code)"
      sandbox_users = ["\(Names.user(Names.firstTester))", "\(Names.user(Names.firstTester + 1))"]

      """ + roots
  }
}
