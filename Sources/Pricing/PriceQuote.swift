package import Billing

/// The answer to a question: what the price should bring, and the tier that was named.
package struct PriceQuote: Hashable, Sendable {
  package let expectation: PriceExpectation
  /// The tier's price then, where a tier was named and has one.
  package let tierPrice: TierPrice?
}

/// What one price brings at one commission.
package struct RatedQuote: Hashable, Sendable {
  package let quote: PriceQuote
  /// The classes of sales that pay this commission in that storefront on that day; empty for a
  /// rate that none pays.
  package let classes: [CommissionClass]
  /// Whether this is the commission that was asked for, or that the rule of the day gives.
  package let holds: Bool
}

extension PriceBook {
  /// What a price should bring: by the rules alone unless a tier is named, whose price stands in
  /// for one that is not, and whose proceeds count where the price is the tier's.
  package func quote(_ question: PriceQuestion) throws(PriceDoubt) -> PriceQuote {
    let tierPrice = question.tier.isEmpty ? nil : self.tierPrice(of: question)
    guard let price = question.price ?? tierPrice?.price else { throw noPrice(question) }
    let currency =
      question.currency ?? tierPrice?.currency
      ?? StorefrontTable.builtIn.currency(of: question.storefront, on: question.day)
    guard let currency else {
      throw PriceDoubt(
        .storefront, "\(question.storefront) is not one of Apple's storefronts",
        help: "write the country's code of ISO 3166 (CN or CHN), or Apple's numeric id")
    }
    if question.price == nil, let tierPrice, tierPrice.currency != currency {
      throw PriceDoubt(
        .currency,
        """
        tier \(tierPrice.tier) in \(question.storefront) is priced in \(tierPrice.currency), not \
        in \(currency)
        """,
        help: "leave the currency empty, or give the price")
    }
    return PriceQuote(
      expectation: expectation(question, currency: currency, price: price, tierPrice),
      tierPrice: tierPrice)
  }

  /// What may be wrong with a question that was answered; nil for nothing.
  package func doubt(of quote: PriceQuote, to question: PriceQuestion) -> PriceDoubt? {
    let (found, storefront) = (quote.expectation, question.storefront)
    if !StorefrontTable.builtIn.acceptsCurrency(
      found.currency, storefront: storefront, on: question.day)
    {
      let usual = StorefrontTable.builtIn.currency(of: storefront, on: question.day)
      return PriceDoubt(
        .currency,
        usual.map {
          "customers in \(storefront) did not pay in \(found.currency) then, but in \($0)"
        }
          ?? """
          customers in \(storefront) did not pay in \(found.currency) then, but in none that is \
          known
          """,
        help: "the answer holds for \(found.currency); leave the currency empty for the usual one")
    }
    guard !question.tier.isEmpty, question.price != nil else { return nil }
    guard let tier = quote.tierPrice else {
      let lack = noPrice(question)
      return PriceDoubt(lack.part, lack.message, help: "the rules alone answer; \(lack.help)")
    }
    guard tier.price != found.price || tier.currency != found.currency else { return nil }
    return PriceDoubt(
      .price,
      """
      tier \(tier.tier) in \(storefront) is \(Money(micros: tier.price, tier.currency).text) \
      \(tier.currency), not \(Money(micros: found.price, found.currency).text) \(found.currency)
      """,
      help: "the rules alone answer for that price; leave the price empty for the tier's")
  }

  /// The same price at 30 %, at 15 % and at what each class of sales pays there then, the dearest
  /// commission first; a rate that the question names is among them.
  package func everyRate(_ question: PriceQuestion) throws(PriceDoubt) -> [RatedQuote] {
    let asked = try quote(question)
    let paid = CommissionClass.allCases.map {
      (
        commissionClass: $0,
        rate: commission($0, storefront: question.storefront, day: question.day)
      )
    }
    let rates = Set(
      paid.map(\.rate) + [Self.standardRate, Self.reducedRate, asked.expectation.basis.commission])
    var quotes: [RatedQuote] = []
    for rate in rates.sorted(by: >) {
      let classes = paid.filter { $0.rate == rate }.map(\.commissionClass)
      let holds = rate == asked.expectation.basis.commission
      var other = question
      other.commission = classes.first.map { .programme($0) } ?? .rate(rate)
      quotes.append(
        RatedQuote(quote: holds ? asked : try quote(other), classes: classes, holds: holds))
    }
    return quotes
  }

  /// What subscriptions pay after a year, and small businesses.
  private static let reducedRate: Int64 = 150_000

  /// The storefronts in which a tier of a matrix has a price on a day, ascending.
  package func storefronts(tier: String, table: TierTable?, on day: Day) -> [Storefront] {
    tiers.storefronts(tier: tier, kind: Self.kind(of: table), on: day)
  }

  /// A kind of product whose tiers stand in that matrix.
  private static func kind(of table: TierTable?) -> ProductKind {
    table == .subscription ? .autoRenewable : .consumable
  }

  private func tierPrice(of question: PriceQuestion) -> TierPrice? {
    tierPrice(
      tier: question.tier, kind: Self.kind(of: question.table), storefront: question.storefront,
      on: question.day)
  }

  private func expectation(
    _ question: PriceQuestion, currency: Currency, price: Int64, _ tierPrice: TierPrice?
  ) -> PriceExpectation {
    let commissionClass: CommissionClass
    let standard = commission(.standard, storefront: question.storefront, day: question.day)
    switch question.commission {
    case .rate(standard): commissionClass = .standard
    case .rate(let rate):
      return expectation(
        storefront: question.storefront, currency: currency, price: price, day: question.day,
        commissionRate: rate)
    case .programme(let named): commissionClass = named
    case nil: commissionClass = self.commissionClass(proceedsReason: "", day: question.day)
    }
    return expectation(
      storefront: question.storefront, currency: currency, price: price, day: question.day,
      commission: commissionClass, tierPrice: tierPrice)
  }

  /// Why there is no price: none was given, and no tier gives one.
  private func noPrice(_ question: PriceQuestion) -> PriceDoubt {
    guard !question.tier.isEmpty else {
      return PriceDoubt(
        .price, "neither a price nor a tier is given", help: "give the price, like 30.00, or a tier"
      )
    }
    let (name, storefront) = (tierName(question.tier), question.storefront)
    let known = tiers.history(
      tier: name, kind: Self.kind(of: question.table), storefront: storefront)
    guard known.isEmpty else {
      let spans = known.map {
        "\($0.effectiveFrom?.description ?? "")..\($0.effectiveTo?.description ?? "")"
      }
      return PriceDoubt(
        .tier, "tier \(name) has no price in \(storefront) on \(question.day)",
        help: "its tables have one for \(spans.joined(separator: ", "))")
    }
    return PriceDoubt(
      .tier, "no table has a tier \"\(name)\" in \(storefront)",
      help: "import a table of tiers that has it, or give the price; CN alone is built in")
  }
}
