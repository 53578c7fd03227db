package import Billing

/// What should have been charged and paid: the built-in facts, and what the company adds to them.
package struct PriceBook: Sendable {
  package let developerCountry: Storefront
  package let smallBusiness: [Settings.Span]
  package let tiers: TierBook
  var overrides: [Storefront: [Override]]
  let taxes = TaxTable.builtIn
  let commissions = CommissionTable.builtIn
  let usCopies = USCopyTable.builtIn
  let exceptions = ExceptionTable.builtIn

  struct Override {
    let days: DayRange
    let rate: Int64
  }

  /// - Parameters:
  ///   - developerCountry: where the developer is at home; taxes may depend on it.
  ///   - smallBusiness: spans of days in the Small Business Program.
  ///   - overrides: the company's own tax factors; where two cover a day, the one that begins
  ///     later counts, then the later in the list.
  ///   - tiers: the company's tier prices.
  ///   - standIns: prices of tiers that those do not have in a storefront.
  package init(
    developerCountry: Storefront, smallBusiness: [Settings.Span] = [],
    overrides: [TaxOverride] = [], tiers: [TierPrice] = [], standIns: TierBook.StandIns = .none
  ) {
    self.developerCountry = developerCountry
    self.smallBusiness = smallBusiness
    self.tiers = TierBook(tiers, standIns: standIns)
    self.overrides = Dictionary(grouping: overrides, by: \.storefront).mapValues { list in
      list.map {
        precondition($0.rate >= 0, "a tax factor below 1")
        return Override(days: .init(from: $0.effectiveFrom, to: $0.effectiveTo), rate: $0.rate)
      }
    }
  }

  /// The class of a sale: the program's in its spans, else what `Proceeds Reason` tells.
  package func commissionClass(proceedsReason: String, day: Day) -> CommissionClass {
    if smallBusiness.contains(where: { $0.contains(day) }) { return .smallBusiness }
    return proceedsReason == CommissionClass.afterOneYearReason ? .afterOneYear : .standard
  }

  /// Apple's commission, in millionths of the net price.
  package func commission(_ commissionClass: CommissionClass, storefront: Storefront, day: Day)
    -> Int64
  {
    commissions.rate(commissionClass, storefront: storefront, day: day)
  }

  /// What one unit at `price` should bring.
  ///
  /// - Parameters:
  ///   - price: customer price per unit in micro-units, at least 0.
  ///   - tierPrice: the tier that the price was taken from, where known; the proceeds it names go
  ///     before the rule at the standard commission of 30 %.
  package func expectation(
    storefront: Storefront, currency: Currency, price: Int64, day: Day,
    commission commissionClass: CommissionClass = .standard, tierPrice: TierPrice? = nil
  ) -> PriceExpectation {
    let rate = commission(commissionClass, storefront: storefront, day: day)
    var expectation = expectation(
      storefront: storefront, currency: currency, price: price, day: day, commissionRate: rate)
    expectation = expectation.with(commissionClass)
    guard let tierPrice, let proceeds = tierPrice.proceeds, commissionClass == .standard,
      rate == Self.standardRate, tierPrice.storefront == storefront,
      tierPrice.currency == currency, tierPrice.price == price
    else { return expectation }
    return expectation.with(proceeds: proceeds, ofTier: tierPrice.tier)
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
    if commissionRate == Self.standardRate, basis.taxOrigin != .override,
      let listed = exceptions.row(
        storefront: storefront, currency: currency, price: price, day: day)
    {
      basis.method = .listed(byRule: proceeds)
      proceeds = listed.proceeds
    }
    return PriceExpectation(
      storefront: storefront, currency: currency, day: day, price: price, net: net,
      proceeds: proceeds, basis: basis)
  }

  func usCopy(storefront: Storefront, currency: Currency, day: Day, _ basis: PriceBasis) -> USCopy?
  {
    usCopies.copy(
      storefront: storefront, currency: currency, day: day,
      isUntaxed: basis.inside == 0 && basis.deducted == 0,
      isOverridden: basis.taxOrigin == .override)
  }

  /// The commission at which Apple's lists of tiers and the US rule hold.
  static let standardRate: Int64 = 300_000

  private func taxBasis(storefront: Storefront, currency: Currency, day: Day, commission: Int64)
    -> PriceBasis
  {
    var basis = PriceBasis(
      taxOrigin: .unknown, inside: 0, deducted: 0, commissionShare: 0, commission: commission,
      commissionClass: nil, method: .formula)
    if let rate = overrideRate(storefront: storefront, day: day) {
      basis.taxOrigin = .override
      basis.inside = rate
    } else if let rule = taxRule(storefront: storefront, currency: currency, day: day) {
      basis.taxOrigin = .table
      basis.inside = rule.inside(atCommission: commission)
      basis.deducted = rule.deducted
      basis.commissionShare = rule.commissionShare
    }
    return basis
  }

  func taxRule(storefront: Storefront, currency: Currency, day: Day) -> TaxRule? {
    taxes.rule(
      storefront: storefront, currency: currency, day: day, isLocal: storefront == developerCountry)
  }

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
  func net(of price: Int64, unit: Int64) -> Int64 {
    if inside == 0, deducted == 0 { return price }
    return roundedHalfUp(
      Int128(price) * Int128(1_000_000 - deducted), dividedBy: Int128(1_000_000 + inside),
      toMultipleOf: unit)
  }

  func proceeds(of price: Int64, unit: Int64) -> Int64 {
    roundedHalfUp(
      Int128(price) * Int128(1_000_000 - deducted) * Int128(1_000_000 - commission),
      dividedBy: Int128(1_000_000 + inside) * 1_000_000, toMultipleOf: unit)
  }
}

extension USCopy {
  /// The US price that a price is made from, to the cent.
  func usPrice(of price: Int64) -> Int64 {
    if priceMarkup == 0 { return price }
    return roundedHalfUp(
      Int128(price) * 1_000_000, dividedBy: Int128(1_000_000 + priceMarkup), toMultipleOf: 10_000)
  }

  func proceeds(usPrice: Int64, commission: Int64, unit: Int64) -> Int64 {
    let counted =
      PriceBook.countsOneCentMore(usPrice: usPrice, commission: commission)
      ? usPrice + 10_000 : usPrice
    return roundedHalfUp(
      Int128(counted) * Int128(1_000_000 - commission) * Int128(1_000_000 + proceedsMarkup),
      dividedBy: 1_000_000_000_000, toMultipleOf: unit)
  }
}

extension PriceBook {
  /// Apple's US list at 30 %: 0.99 brings 0.70, as 1.00 does.
  static func countsOneCentMore(usPrice: Int64, commission: Int64) -> Bool {
    commission == standardRate && usPrice % 100_000 == 90_000
  }
}

extension PriceExpectation {
  func with(_ commissionClass: CommissionClass) -> PriceExpectation {
    var basis = basis
    basis.commissionClass = commissionClass
    return PriceExpectation(
      storefront: storefront, currency: currency, day: day, price: price, net: net,
      proceeds: proceeds, basis: basis)
  }

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
  /// where none is known, where there is none, and where it depends on Apple's commission.
  package func taxInside(storefront: Storefront, currency: Currency, day: Day) -> Int64? {
    if let rate = overrideRate(storefront: storefront, day: day) { return rate == 0 ? nil : rate }
    guard let rule = taxRule(storefront: storefront, currency: currency, day: day),
      rule.inside > 0, rule.commissionShare == 0
    else { return nil }
    return rule.inside
  }

  /// Every day on which a tax, a commission, a list of US prices, an override of the company's or
  /// its part in the Small Business Program begins or has just ended, in any storefront.
  package var changeDays: [Day] {
    var ranges = taxes.rules.map(\.days) + commissions.rules.map(\.days)
    ranges += usCopies.copies.map(\.days)
    ranges += overrides.values.joined().map(\.days)
    ranges += smallBusiness.map { DayRange(from: $0.from, to: $0.to) }
    return ranges.flatMap(\.eves).map { Day(number: $0 + 1) }
  }
}
