package import Billing

/// What should have been charged and paid: the built-in facts, and what the company adds to them.
package struct PriceBook: Sendable {
  package let developerCountry: Storefront
  package let smallBusiness: [Settings.Span]
  package let tiers: TierBook
  var overrides: [Storefront: [Override]]
  let taxes = TaxTable.builtIn
  /// Apple's commissions as documented, and the company's own before them.
  let documented: TermsTable
  let agreements: [Settings.Agreement]
  let programmes: [Settings.Programme]
  /// What Apple's rows show, where they were looked at.
  package var shown = ShownTerms()
  /// Taxes that Apple's rows agree on beside the tables, where they were looked at.
  package var found = FoundTaxes()
  let usCopies = USCopyTable.builtIn
  let factors = FactorTable.builtIn

  /// A tax factor of the company's own; `rate` is in millionths of the net price.
  struct Override {
    let days: DayRange
    let rate: Int64
  }

  /// The built-in facts, with what the company adds to them.
  ///
  /// - Parameters:
  ///   - developerCountry: where the developer is at home; taxes may depend on it.
  ///   - smallBusiness: spans of days in the Small Business Program.
  ///   - agreements: what was accepted; of those that are not named nothing is known.
  ///   - programmes: programmes that single products are in; of several the last counts.
  ///   - commissions: the company's own terms.
  ///   - overrides: the company's own tax factors; where two cover a day, the one that begins later
  ///     counts, then the later in the list.
  ///   - tiers: the company's tier prices.
  ///   - standIns: prices of tiers that those do not have in a storefront.
  package init(
    developerCountry: Storefront, smallBusiness: [Settings.Span] = [],
    agreements: [Settings.Agreement] = [], programmes: [Settings.Programme] = [],
    commissions: [CompanyCommission] = [], overrides: [TaxOverride] = [], tiers: [TierPrice] = [],
    standIns: TierBook.StandIns = .none
  ) {
    self.developerCountry = developerCountry
    self.smallBusiness = smallBusiness
    self.agreements = agreements
    self.programmes = programmes
    documented = TermsTable.builtIn.adding(commissions)
    self.tiers = TierBook(tiers, standIns: standIns)
    self.overrides = Dictionary(grouping: overrides, by: \.storefront).mapValues { list in
      list.map {
        precondition($0.rate >= 0, "a tax factor below 1")
        return Override(days: .init(from: $0.effectiveFrom, to: $0.effectiveTo), rate: $0.rate)
      }
    }
  }

  /// What a class pays under the terms that hold in a storefront on a day, in millionths of the
  /// net price.
  package func commission(
    _ commissionClass: CommissionClass, storefront: Storefront, platform: Platform? = nil, day: Day
  ) -> Int64 {
    let scope = TermsScope(storefront, platform: platform)
    let agreement = terms(of: scope, on: day).state.agreement
    return held(TermsState(commissionClass, agreement: agreement), scope, on: day).rate
  }

  /// What one unit of a sale should bring by the terms that hold for it on a day.
  ///
  /// - Parameters:
  ///   - price: customer price per unit in micro-units, at least 0.
  ///   - tierPrice: the tier that the price was taken from, where known.
  package func expectation(
    of scope: TermsScope, currency: Currency, price: Int64, day: Day, tierPrice: TierPrice? = nil
  ) -> PriceExpectation {
    expectation(
      under: terms(of: scope, on: day), of: scope, currency: currency, price: price, day: day,
      tierPrice: tierPrice)
  }

  /// What one unit at `price` should bring under named terms.
  ///
  /// - Parameters:
  ///   - price: customer price per unit in micro-units, at least 0.
  ///   - tierPrice: the tier that the price was taken from, where known; the proceeds it names go
  ///     before the rule at the commission that they hold for.
  package func expectation(
    under terms: HeldTerms, of scope: TermsScope, currency: Currency, price: Int64, day: Day,
    tierPrice: TierPrice? = nil
  ) -> PriceExpectation {
    var expectation = expectation(
      storefront: scope.storefront, currency: currency, price: price, day: day,
      commissionRate: terms.rate)
    expectation.basis.terms = terms
    // What a list of before says of taxes is not what rows agree on now, nor the company.
    if ![.rows, .override].contains(expectation.basis.taxOrigin),
      let listed = tiers.applePrices.proceeds(
        scope.storefront, currency, price, commission: terms.rate, on: day,
        tier: tierPrice?.tier)
    {
      return expectation.with(proceeds: listed.proceeds, ofTier: listed.tier)
    }
    guard let tierPrice, let proceeds = tierPrice.proceeds,
      terms.rate == tierPrice.commission ?? Self.standardRate,
      // The classic lists are those of the standard terms, whoever else has their commission.
      tierPrice.commission != nil || terms.state.commissionClass == .standard,
      tierPrice.storefront == scope.storefront,
      tierPrice.currency == currency, tierPrice.price == price,
      // What a list of before says of taxes is not what rows agree on now.
      expectation.basis.taxOrigin != .rows
    else { return expectation }
    return expectation.with(proceeds: proceeds, ofTier: tierPrice.tier)
  }

  /// What one unit at `price` should bring in a class that the caller names.
  package func expectation(
    storefront: Storefront, currency: Currency, price: Int64, day: Day,
    commission commissionClass: CommissionClass = .standard, tierPrice: TierPrice? = nil
  ) -> PriceExpectation {
    let scope = TermsScope(storefront)
    var state = terms(of: scope, on: day).state
    state.commissionClass = commissionClass
    return expectation(
      under: held(state, scope, on: day), of: scope, currency: currency, price: price, day: day,
      tierPrice: tierPrice)
  }

  /// What one unit at `price` should bring at a commission that the caller names, in millionths.
  package func expectation(
    storefront: Storefront, currency: Currency, price: Int64, day: Day, commissionRate: Int64
  ) -> PriceExpectation {
    precondition(price >= 0, "the price of a unit is never negative")
    precondition((0...1_000_000).contains(commissionRate), "a commission of more than all")
    var basis = taxBasis(
      storefront: storefront, currency: currency, day: day, commission: commissionRate)
    let net = basis.net(of: price, unit: currency.minorUnit)
    var proceeds: Int64
    if let copy = usCopy(storefront: storefront, currency: currency, day: day, basis) {
      let usPrice = copy.usPrice(of: price)
      proceeds = copy.proceeds(
        usPrice: usPrice, commission: commissionRate, unit: currency.minorUnit)
      basis.method = .usCopy(
        usPrice: usPrice, priceMarkup: copy.priceMarkup, proceedsMarkup: copy.proceedsMarkup)
    } else {
      proceeds = basis.proceeds(of: price, unit: currency.minorUnit)
    }
    if commissionRate == Self.standardRate, basis.taxOrigin == .table,
      let factor = factors.row(storefront: storefront, currency: currency, day: day)
    {
      basis.method = .factor(factor.text)
      proceeds = factor.proceeds(of: price, unit: currency.minorUnit)
    }
    return PriceExpectation(
      storefront: storefront, currency: currency, day: day, price: price, net: net,
      proceeds: proceeds, basis: basis)
  }

  /// The price list that follows the US one and that a price belongs to; nil where none does.
  ///
  /// - Parameter basis: what is taken off before the commission.
  func usCopy(storefront: Storefront, currency: Currency, day: Day, _ basis: PriceBasis) -> USCopy?
  {
    usCopies.copy(
      storefront: storefront, currency: currency, day: day,
      isUntaxed: basis.inside == 0 && basis.deducted == 0,
      isOverridden: basis.taxOrigin == .override || basis.taxOrigin == .rows)
  }

  /// The commission at which Apple's lists of tiers and the US rule hold.
  package static let standardRate: Int64 = 300_000

  /// The commission, in millionths, with what is taken off before it: by Apple's rows where they
  /// agree on a tax, else by the company's override, else by the table, else nothing.
  func taxBasis(storefront: Storefront, currency: Currency, day: Day, commission: Int64)
    -> PriceBasis
  {
    var basis = PriceBasis(commission: commission)
    if let tax = found.tax(storefront, currency, on: day, commission: commission) {
      (basis.taxOrigin, basis.taxEvidence) = (.rows, .measured)
      (basis.inside, basis.vat, basis.deducted) = (tax.inside, tax.inside, tax.deducted)
    } else if let rate = overrideRate(storefront: storefront, day: day) {
      (basis.taxOrigin, basis.taxEvidence) = (.override, .company)
      (basis.inside, basis.vat) = (rate, rate)
    } else if let rule = taxRule(storefront: storefront, currency: currency, day: day) {
      basis.follow(rule)
    }
    return basis
  }

  /// The row of the tax table for this developer; nil where it has none.
  func taxRule(storefront: Storefront, currency: Currency, day: Day) -> TaxRule? {
    taxes.rule(
      storefront: storefront, currency: currency, day: day, isLocal: storefront == developerCountry)
  }

  /// The company's own tax factor on a day, in millionths; nil where it has none.
  private func overrideRate(storefront: Storefront, day: Day) -> Int64? {
    var found: Override?
    for override in overrides[storefront] ?? [] where override.days.contains(day) {
      if let earlier = found, earlier.days.first > override.days.first { continue }
      found = override
    }
    return found?.rate
  }
}

extension PriceBasis {
  /// A commission in millionths, before which nothing is taken off.
  init(commission: Int64) {
    self.init(
      taxOrigin: .unknown, taxEvidence: nil, inside: 0, vat: 0, deducted: 0, commissionShare: 0,
      commission: commission, terms: nil, method: .formula)
  }

  /// Sets what is taken off before the commission, and how that is known, by a row of the tax table
  /// at this basis's commission.
  mutating func follow(_ rule: TaxRule) {
    (taxOrigin, taxEvidence) = (.table, rule.evidence(atCommission: commission))
    inside = rule.inside(atCommission: commission)
    (vat, deducted, commissionShare) = (rule.inside, rule.deducted, rule.commissionShare)
  }

  /// The price without what is taken off before the commission, rounded half up.
  ///
  /// - Parameters:
  ///   - price: micro-units, as the result.
  ///   - unit: micro-units that the result is a multiple of: one minor unit.
  func net(of price: Int64, unit: Int64) -> Int64 {
    if inside == 0, deducted == 0 { return price }
    return roundedHalfUp(
      Int128(price) * Int128(1_000_000 - deducted), dividedBy: Int128(1_000_000 + inside),
      toMultipleOf: unit)
  }

  /// What the price brings by the formula of these rates, rounded once, half up.
  ///
  /// - Parameters:
  ///   - price: micro-units, as the result.
  ///   - unit: micro-units that the result is a multiple of: one minor unit.
  func proceeds(of price: Int64, unit: Int64) -> Int64 {
    roundedHalfUp(
      Int128(price) * Int128(1_000_000 - deducted) * Int128(1_000_000 - commission),
      dividedBy: Int128(1_000_000 + inside) * 1_000_000, toMultipleOf: unit)
  }
}

extension USCopy {
  /// The US price that a price is made from, rounded half up to the cent; both in micro-units.
  func usPrice(of price: Int64) -> Int64 {
    if priceMarkup == 0 { return price }
    return roundedHalfUp(
      Int128(price) * 1_000_000, dividedBy: Int128(1_000_000 + priceMarkup), toMultipleOf: 10_000)
  }

  /// What the US price brings, with the markup on proceeds, rounded half up to a multiple of
  /// `unit`.
  ///
  /// - Parameters:
  ///   - usPrice: micro-units, as `unit` and the result.
  ///   - commission: millionths.
  func proceeds(usPrice: Int64, commission: Int64, unit: Int64) -> Int64 {
    let raisedPrice =
      PriceBook.countsOneCentMore(usPrice: usPrice, commission: commission)
      ? usPrice + 10_000 : usPrice
    return roundedHalfUp(
      Int128(raisedPrice) * Int128(1_000_000 - commission) * Int128(1_000_000 + proceedsMarkup),
      dividedBy: 1_000_000_000_000, toMultipleOf: unit)
  }
}

extension PriceBook {
  /// Whether a US price brings what one a cent higher does. So it is in Apple's US list at 30%:
  /// 0.99 brings 0.70, as 1.00 does.
  ///
  /// - Parameters:
  ///   - usPrice: micro-units.
  ///   - commission: millionths.
  static func countsOneCentMore(usPrice: Int64, commission: Int64) -> Bool {
    commission == standardRate && usPrice % 100_000 == 90_000
  }
}

extension PriceExpectation {
  /// The same expectation, but with the proceeds that the list of a tier has, in micro-units.
  func with(proceeds: Int64, ofTier tier: String) -> PriceExpectation {
    var basis = basis
    basis.method = .tier(tier)
    return PriceExpectation(
      storefront: storefront, currency: currency, day: day, price: price, net: net,
      proceeds: proceeds, basis: basis)
  }
}

extension PriceBook {
  /// The tax that a price of a storefront has inside, in millionths of the price without it; nil
  /// where none is known, where there is none, and where all of it depends on Apple's commission.
  package func taxInside(storefront: Storefront, currency: Currency, day: Day) -> Int64? {
    if let rate = overrideRate(storefront: storefront, day: day) { return rate == 0 ? nil : rate }
    guard let rule = taxRule(storefront: storefront, currency: currency, day: day),
      rule.inside > 0
    else { return nil }
    return rule.inside
  }

  /// Every day on which a tax, a commission, a list of US prices, an override of the company's, an
  /// agreement or a part in a programme begins or has just ended, in any storefront.
  package var changeDays: [Day] {
    var ranges = taxes.rules.map(\.days) + documented.rules.map(\.days)
    ranges += usCopies.copies.map(\.days)
    ranges += overrides.values.joined().map(\.days)
    ranges += configuredRanges
    return ranges.flatMap(\.eves).map { Day(number: $0 + 1) } + shown.changeDays + found.changeDays
  }

  /// The spans of days that the configuration names: of programmes and agreements.
  var configuredRanges: [DayRange] {
    (smallBusiness + programmes.map(\.span)).map { DayRange(from: $0.from, to: $0.to) }
      + agreements.map { DayRange(from: $0.accepted, to: nil) }
  }
}
