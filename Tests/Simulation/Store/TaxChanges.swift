package import Billing

/// A tax that Apple takes off a storefront's prices from a day on, and that no table knows.
package struct TaxChange: Hashable, Sendable {
  package var storefront: Storefront
  /// Apple's first report day with it.
  package var day: Day
  /// Millionths of the price without tax.
  package var tax: Int64

  package init(storefront: Storefront, day: Day, tax: Int64) {
    self.storefront = storefront
    self.day = day
    self.tax = tax
  }
}

/// What Apple takes in a storefront all the time, and that no table knows. Nil is as everybody
/// believes; millionths.
package struct TrueRates: Hashable, Sendable {
  package var storefront: Storefront
  package var tax: Int64?
  package var deduction: Int64?
  package var commission: Int64?

  package init(
    storefront: Storefront, tax: Int64? = nil, deduction: Int64? = nil, commission: Int64? = nil
  ) {
    self.storefront = storefront
    self.tax = tax
    self.deduction = deduction
    self.commission = commission
  }
}

extension FaultPlan {
  private func rates(in storefront: Storefront) -> TrueRates? {
    trueRates.first { $0.storefront == storefront }
  }

  /// Whether rows of a storefront are wrong by themselves on a day.
  func isOff(_ storefront: Storefront, on day: Day) -> Bool {
    tax(in: storefront, on: day) != nil || rates(in: storefront)?.commission != nil
  }

  /// The tax that stands in for the one that everybody knows; nil where that holds.
  func tax(in storefront: Storefront, on day: Day) -> Int64? {
    taxChanges.last { $0.storefront == storefront && $0.day <= day }?.tax
  }

  /// What Apple pays for a price, with the taxes that changed.
  func proceeds(
    _ price: Int64, _ market: Market, on day: Day, sku: String, afterOneYear: Bool = false,
    device: UInt8 = 0, currency: Currency? = nil
  ) -> Int64 {
    let own = rates(in: market.storefront)
    return ProceedsRule.proceeds(
      price, in: market, on: day, afterOneYear: afterOneYear, device: device, currency: currency,
      changedTax: tax(in: market.storefront, on: day) ?? own?.tax, changedDeduction: own?.deduction,
      changedCommission: commission(in: market.storefront, on: day, sku, device, afterOneYear)
        ?? own?.commission)
  }

  /// What follows from a changed tax for a row of Apple's report, besides the change itself: its
  /// proceeds are not the rule's.
  func expected(_ key: SaleKey, _ units: Int, on day: Day, _ store: Store) -> ExpectedFinding? {
    let market = store.markets[key.market]
    let item = store.stock.items[key.item]
    guard isOff(market.storefront, on: day), units != 0, key.price != 0, item.inCatalogue,
      !key.isWithoutMoney, key.currency == nil
    else { return nil }
    let rule = ProceedsRule.proceeds(
      key.price, in: market, on: day, afterOneYear: key.terms.afterOneYear,
      device: key.terms.device)
    guard abs(key.proceeds - rule) > market.currency.minorUnit else { return nil }
    let isInside = ProceedsRule.isNear(
      key.proceeds, rule: rule, of: key.price, in: market, on: day,
      afterOneYear: key.terms.afterOneYear, device: key.terms.device)
    return ExpectedFinding(
      code: isInside ? .proceedsOffRule : .proceedsUnexpected, storefront: market.storefront,
      date: day, sku: item.sku, currency: market.currency)
  }
}

extension FaultPlanner {
  /// Apple takes another tax off a storefront's prices, from the middle of the period on.
  mutating func changeTax() throws(NoRoom) {
    let changed = Set(plan.taxChanges.map(\.storefront))
    let market = try places.takeMarket { !changed.contains($0.storefront) }
    let period = store.parameters.period
    guard period.dayCount >= 20 else { throw NoRoom() }
    let day = period.first.advanced(by: store.random.within(8...period.dayCount - 10))
    let tax = Int64(ProceedsRule.rates(market.storefront.code, on: day, afterOneYear: false).tax)
    let point: Int64 = 10_000
    let next = tax >= 5 * point ? tax - 3 * point : tax > 0 ? tax / 2 : 8 * point
    expect(TaxChange(storefront: market.storefront, day: day, tax: next))
  }

  mutating func expect(_ change: TaxChange) {
    plan.taxChanges.append(change)
    plan.taxChanges.sort { $0.day < $1.day }
    let market = store.markets.first { $0.storefront == change.storefront }
    plan.expected.append(
      ExpectedFinding(
        code: .deductionChanged, storefront: change.storefront, date: change.day,
        currency: market?.currency))
  }
}
