package import Billing

/// The answer to a question: what the price should bring, and the tier that was named.
package struct PriceQuote: Hashable, Sendable {
  package let expectation: PriceExpectation
  /// The tier's price then, where a tier was named and has one.
  package let tierPrice: TierPrice?
}

/// A class of sales, and what it takes for its commission to hold.
package struct Payer: Hashable, Sendable {
  package let commissionClass: CommissionClass
  /// An agreement that decides, where nobody knows whether it was accepted, with the answer.
  package let agreement: Settings.Agreement.Answer?
}

/// What one price brings at one commission.
package struct RatedQuote: Hashable, Sendable {
  package let quote: PriceQuote
  /// Who pays this commission in that storefront on that day; empty for a rate that nobody pays.
  package let payers: [Payer]
  /// Whether this is the commission that was asked for, or that the rule of the day gives.
  package let holds: Bool
}

extension PriceBook {
  /// What a question's price should bring: by the rules alone unless it names a tier. A tier's
  /// price is used where the question has none, and the proceeds that its list states where the
  /// prices are the same. Throws why there is no answer.
  package func quote(_ question: PriceQuestion) throws(PriceDoubt) -> PriceQuote {
    let tierPrice = question.tier.isEmpty ? nil : self.tierPrice(of: question)
    guard let price = question.price ?? tierPrice?.price else { throw noPrice(question) }
    let currency =
      question.currency ?? tierPrice?.currency
      ?? StorefrontTable.builtIn.currency(of: question.storefront, on: question.day)
    guard let currency else {
      throw PriceDoubt(
        .storefront, "@price-quote.is-not-one-of-apple \(question.storefront)",
        help: "@shared.write-the-country-iso-3166")
    }
    guard (question.price ?? 0) % currency.minorUnit == 0 else {
      throw PriceDoubt(
        .price,
        "@price-quote.more-decimals-than-the-currency \(decimalText(micros: price)) \(currency)",
        help: "@price-quote.point-may-be-a-separator")
    }
    if question.price == nil, let tierPrice, tierPrice.currency != currency {
      throw PriceDoubt(
        .currency,
        """
        @price-quote.tier-in-is-priced \(tierPrice.tier) \(question.storefront) \
        \(tierPrice.currency) \(currency)
        """,
        help: "@price-quote.leave-the-currency-empty")
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
          "@price-quote.customers-in-did-not-pay \(storefront) \(found.currency) \($0)"
        }
          ?? "@price-quote.customers-in-did-not-pay-in-then \(storefront) \(found.currency)",
        help: "@price-quote.answer-holds-for-leave \(found.currency)")
    }
    guard !question.tier.isEmpty, question.price != nil else { return openDoubt(quote, question) }
    guard let tier = quote.tierPrice else {
      let lack = noPrice(question)
      return PriceDoubt(
        lack.part, lack.message, help: "@price-quote.answered-by-the-rules-alone \(lack.help)")
    }
    guard tier.price != found.price || tier.currency != found.currency else {
      return openDoubt(quote, question)
    }
    return PriceDoubt(
      .price,
      """
      @price-quote.tier-in-is-not \(tier.tier) \(storefront) \
      \(Money(micros: tier.price, tier.currency).text) \(tier.currency) \
      \(Money(micros: found.price, found.currency).text) \(found.currency)
      """,
      help: "@price-quote.that-price-is-answered-by")
  }

  /// The doubt that nobody knows which terms hold, with both answers; nil where it is known.
  private func openDoubt(_ quote: PriceQuote, _ question: PriceQuestion) -> PriceDoubt? {
    guard question.commission == nil, let name = openAgreements(question).last,
      let other = try? self.quote(question, accepting: name).expectation
    else { return nil }
    let found = quote.expectation
    /// The proceeds of an answer as decimal text.
    func brought(_ found: PriceExpectation) -> String {
      Money(micros: found.proceeds, found.currency).text
    }
    let line = "agreements = [{ name = \"\(name)\", accepted = \(question.day) }]"
    return PriceDoubt(
      .commission,
      """
      @price-quote.nothing-shows-whether-the-agreement \(name) \(question.day) \
      \(brought(other)) \(found.currency) \(exactPercent(other.basis.commission)) \
      \(brought(found)) \(exactPercent(found.basis.commission))
      """,
      help: "@price-quote.name-it-in-the-configuration \(line)")
  }

  /// What the question's price brings at each commission that may be paid, the dearest first: 30%,
  /// 15%, what each class of sales pays in that storefront on that day, and the rate that the
  /// question names. Where nobody knows whether an agreement was accepted, a class stands at its
  /// rate with it and at its rate without it.
  package func everyRate(_ question: PriceQuestion) throws(PriceDoubt) -> [RatedQuote] {
    let asked = try quote(question)
    let classRates = classRates(question)
    let own = asked.expectation.basis.commission
    var quotes: [RatedQuote] = []
    let rates = Set(classRates.map(\.rate) + [Self.standardRate, Self.reducedRate, own])
    for rate in rates.sorted(by: >) {
      let payers = classRates.filter { $0.rate == rate }
      var other = question
      other.commission = .rate(rate)
      let quote =
        if rate == own { asked } else if let first = payers.first {
          try self.quote(other, under: first.state)
        } else { try self.quote(other) }
      quotes.append(RatedQuote(quote: quote, payers: payers.map(\.payer), holds: rate == own))
    }
    return quotes
  }

  /// Agreements of which neither the configuration nor Apple's rows say whether they were accepted,
  /// and which would change what a sale of the question's day pays.
  package func openAgreements(_ question: PriceQuestion) -> [String] {
    let (scope, day) = (question.scope, question.day)
    let configured = configured(scope, on: day)
    guard !configured.namesAgreement, shown.span(of: scope, on: day) == nil else { return [] }
    return documented.agreements(scope.storefront, scope.platform, until: day).filter { name in
      var state = configured.state
      let without = held(state, scope, on: day).rate
      state.agreement = name
      let isKnown = !isOnlyShown(name, scope) && shown.accepted[name].map { $0 <= day } ?? false
      return !isKnown && held(state, scope, on: day).rate != without
    }
  }

  /// What one class pays: `rate` in millionths of the net price.
  private struct ClassRate {
    var state: TermsState
    var rate: Int64
    var payer: Payer
  }

  /// What each commission class pays on the question's day, first those that everybody may be in; a
  /// partner programme is left out where a class before it pays the same. Where nobody knows
  /// whether an agreement was accepted that changes a class's rate, the class stands twice: without
  /// the agreement and with it.
  private func classRates(_ question: PriceQuestion) -> [ClassRate] {
    let (scope, day) = (question.scope, question.day)
    let settled = terms(of: scope, on: day).state.agreement
    let open = openAgreements(question).last
    var classRates: [ClassRate] = []
    for commissionClass in CommissionClass.allCases {
      /// The class's terms under an agreement, nil for none, and its commission in millionths on
      /// the question's day.
      func rate(_ agreement: String?) -> (TermsState, Int64) {
        let state = TermsState(commissionClass, agreement: agreement)
        return (state, held(state, scope, on: day).rate)
      }
      let (without, with) = (rate(settled), rate(open ?? settled))
      let isOpen = without.1 != with.1
      for (state, rate) in isOpen ? [without, with] : [without] {
        let isPartner = CommissionClass.ofProducts.contains(commissionClass)
        if isPartner, classRates.contains(where: { $0.rate == rate }) { continue }
        let answer = open.map {
          Settings.Agreement.Answer(name: $0, isAccepted: state.agreement == open)
        }
        classRates.append(
          ClassRate(
            state: state, rate: rate,
            payer: Payer(commissionClass: commissionClass, agreement: isOpen ? answer : nil)))
      }
    }
    return classRates
  }

  /// What subscriptions pay after a year, and small businesses.
  static let reducedRate: Int64 = 150_000

  /// The storefronts in which a tier of a matrix has a price on a day, ascending.
  package func storefronts(tier: String, table: TierTable?, on day: Day) -> [Storefront] {
    tiers.storefronts(tier: tier, kind: Self.kind(of: table), on: day)
  }

  /// A kind of product whose tiers stand in a matrix.
  private static func kind(of table: TierTable?) -> ProductKind {
    table == .subscription ? .autoRenewable : .consumable
  }

  /// The price of the tier that a question names, on its day; nil where no table has it.
  private func tierPrice(of question: PriceQuestion) -> TierPrice? {
    tierPrice(
      tier: question.tier, kind: Self.kind(of: question.table), storefront: question.storefront,
      on: question.day)
  }

  /// What a price should bring by a question's commission, or by the terms of its day where it
  /// names none.
  ///
  /// - Parameters:
  ///   - price: customer price per unit, micro-units.
  ///   - tierPrice: the tier that the question names, where it has one.
  private func expectation(
    _ question: PriceQuestion, currency: Currency, price: Int64, _ tierPrice: TierPrice?
  ) -> PriceExpectation {
    let (scope, day) = (question.scope, question.day)
    var terms = terms(of: scope, on: day)
    var standard = terms.state
    standard.commissionClass = .standard
    switch question.commission {
    case .rate(held(standard, scope, on: day).rate): terms = held(standard, scope, on: day)
    case .rate(let rate):
      return expectation(
        storefront: question.storefront, currency: currency, price: price, day: day,
        commissionRate: rate)
    case .programme(let named):
      terms = held(TermsState(named, agreement: terms.state.agreement), scope, on: day)
    case nil: break
    }
    return expectation(
      under: terms, of: scope, currency: currency, price: price, day: day, tierPrice: tierPrice)
  }

  /// The answer as it would be if an agreement had been accepted by then.
  package func quote(
    _ question: PriceQuestion, accepting agreement: String
  ) throws(PriceDoubt) -> PriceQuote {
    var state = terms(of: question.scope, on: question.day).state
    state.agreement = agreement
    return try quote(question, under: state)
  }

  /// The answer as it would be under another state of terms.
  private func quote(
    _ question: PriceQuestion, under state: TermsState
  ) throws(PriceDoubt) -> PriceQuote {
    let plain = try quote(question)
    let found = plain.expectation
    return PriceQuote(
      expectation: expectation(
        under: held(state, question.scope, on: question.day), of: question.scope,
        currency: found.currency, price: found.price, day: question.day,
        tierPrice: plain.tierPrice), tierPrice: plain.tierPrice)
  }

  /// Why there is no price: none was given, and no tier gives one.
  private func noPrice(_ question: PriceQuestion) -> PriceDoubt {
    guard !question.tier.isEmpty else {
      return PriceDoubt(
        .price, "@price-quote.neither-a-price-nor", help: "@price-quote.give-the-price-like-30"
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
        .tier, "@price-quote.tier-has-no-price \(name) \(storefront) \(question.day)",
        help: "@price-quote.its-tables-have-one \(spans.joined(separator: ", "))")
    }
    return PriceDoubt(
      .tier, "@price-quote.no-table-has-a-tier \(name) \(storefront)",
      help: "@price-quote.import-a-table-of-tiers")
  }
}

extension PriceQuestion {
  /// What decides the terms of the sale that is asked about.
  var scope: TermsScope { TermsScope(storefront, platform: platform, sku: sku) }
}
