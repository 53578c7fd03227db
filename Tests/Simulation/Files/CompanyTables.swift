import Billing

/// The company's catalogue, tiers, rates and configuration.
struct CompanyTables {
  let store: Store

  func write(to directory: String) throws {
    try Simulation.write(products, to: "\(directory)/products.csv")
    try Simulation.write(tiers, to: "\(directory)/tiers.csv")
    try Simulation.write(rates, to: "\(directory)/rates.csv")
    try Simulation.write(configuration, to: "\(directory)/tieout.toml")
  }

  private func table(_ header: String, _ rows: [[String]]) -> String {
    header + "\n" + rows.map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private var products: String {
    let items = store.stock.items.enumerated().filter { $0.element.inCatalogue }
    let tellsCoins = store.parameters.coins != nil
    return table(
      "sku,kind,tier,apple_identifier,bundle_id,name,coins,subscription_group"
        + (tellsCoins ? ",coin" : ""),
      items.map { index, item in
        [
          item.sku, item.kind.name, item.hasTier ? tierName(item) : "",
          "\(Stock.appleIdentifier(index))", Stock.bundle,
          item.sku.split(separator: ".").suffix(2).joined(separator: " "),
          item.coins.map { "\($0)" } ?? "", item.isSubscription ? Stock.group : "",
        ] + (tellsCoins ? [item.coin?.name ?? ""] : [])
      })
  }

  private func tierName(_ item: Item) -> String {
    item.isSubscription ? "S\(item.tier.name)" : item.tier.name
  }

  /// Yen and euro prices rose once, long before the period.
  private var tiers: String {
    var rows: [[String]] = []
    let rise = store.parameters.period.first.advanced(by: -500)
    for market in store.markets {
      for tier in PriceTier.allCases {
        let price = market.price(tier)
        var prices = [(from: "", to: "", price: price)]
        if ["JP", "DE"].contains(market.storefront.code) {
          let unit = market.currency.minorUnit
          let lower = (market.price(.one) / 2 / unit + price / 2 / unit) * unit
          prices = [("", "\(rise.advanced(by: -1))", lower), ("\(rise)", "", price)]
        }
        let lasting = prices
        if let day = store.parameters.priceRises[market.storefront] {
          prices[prices.count - 1].to = "\(day.advanced(by: -1))"
          prices.append(("\(day)", "", market.raised(price)))
        }
        for (from, to, price) in prices {
          rows.append(["iap", tier.name] + row(of: price, in: market, from, to))
        }
        guard tier == .three || tier == .five else { continue }
        for (from, to, price) in lasting {
          rows.append(
            ["subscription", "S\(tier.name)"] + row(of: price, in: market, from, to))
        }
      }
    }
    return table("table,tier,storefront,currency,price,proceeds,effective_from,effective_to", rows)
  }

  private func row(of price: Int64, in market: Market, _ from: String, _ to: String) -> [String] {
    [
      market.storefront.code, market.currency.code,
      Money(micros: price, market.currency).text, proceeds(price, in: market), from, to,
    ]
  }

  /// China's and America's tiers state their proceeds where one rule held throughout.
  private func proceeds(_ price: Int64, in market: Market) -> String {
    guard ["US", "CN"].contains(market.storefront.code) else { return "" }
    let period = store.parameters.period
    // A tier table has proceeds at a commission of 30%.
    let isStandard = [period.first, period.last].allSatisfy {
      ProceedsRule.rates(market.storefront.code, on: $0, afterOneYear: false).commission == 300_000
    }
    guard isStandard else { return "" }
    let values = [period.first, period.middle, period.last].map {
      ProceedsRule.proceeds(price, in: market, on: $0, afterOneYear: false)
    }
    return Set(values).count == 1 ? Money(micros: values[0], market.currency).text : ""
  }

  private var rates: String {
    table(
      "date,base,quote,rate",
      LoadedRates(store.parameters).days.flatMap { day, worth in
        worth.map { ["\(day)", $0.currency, "CNY", decimalText(micros: $0.rate)] }
      })
  }

  /// What channels beside Apple's keep, where a game's coins are told.
  private var channels: String {
    guard store.parameters.coins != nil else { return "" }
    let lines = GameChannel.allCases.compactMap { channel in
      channel.terms.map {
        "{ name = \"\(channel.name)\", fee = \"\($0.fee)\", tax = \"\($0.tax)\" }"
      }
    }
    return "channels = [\(lines.joined(separator: ", "))]\n"
  }

  private var configuration: String {
    let roots =
      store.parameters.asksApple ? "trust_roots = [\"\(PayloadSigner.rootFile)\"]\n" : ""
    let testers = [Names.firstTester, Names.firstTester + 1].map {
      "\"\(Names.user($0).string)\""
    }
    return """
      base_currency = "CNY"
      bundle_ids = ["\(Stock.bundle)"]
      vendor_numbers = ["\(SalesReportFiles.vendor)"]
      developer_country = "CN"
      default_storefront = "\(store.markets[0].storefront.code)"
      sandbox_users = [\(testers.joined(separator: ", "))]

      """ + roots + channels
  }
}
