package import Billing
package import Conclusions
import Pricing

/// Revenue that is paid for in advance, from Apple's rows: straight-line by day, from the report's
/// day on. A refund takes back the latest sale of the same product at the same price.
package struct DeferralBook: Sendable {
  private let context: MatchingContext
  private var open: [SaleKey: [Sale]] = [:]
  private var refunded: [(key: SaleKey, sale: Sale, on: Day)] = []
  /// Kinds by SKU.
  private var kinds: [String: RevenueKind] = [:]
  /// Units that are left out, by why.
  private var unknownPeriods: Int64 = 0
  private var refundsWithoutSale: Int64 = 0
  private var credits: Int64 = 0
  private var hasSpans = false

  package init(_ context: MatchingContext) { self.context = context }

  private struct SaleKey: Hashable {
    var storefront: Storefront
    var sku: String
    /// What the customer paid, which a refund names too.
    var price: Int64
    var priceCurrency: Currency
    /// Of the revenue.
    var currency: Currency
  }

  private struct Sale {
    var first: Day
    /// The first day that is not paid for.
    var end: Day
    /// Revenue of one unit, micro-units.
    var amount: Int64
    /// Commission on one unit, micro-units; 0 where it is not deferred.
    var commission: Int64
    var units: Int64

    /// What of one unit's revenue is not yet delivered when `day` ends, micro-units.
    func deferred(after day: Day) -> Int64 {
      if day < first { return amount }
      if day.advanced(by: 1) >= end { return 0 }
      let delivered = roundedHalfUp(
        Int128(amount) * Int128(first.distance(to: day) + 1),
        dividedBy: Int128(first.distance(to: end)), toMultipleOf: 1)
      return amount - delivered
    }
  }

  private struct LineKey: Hashable {
    var currency: Currency
    var sku: String
  }

  // MARK: - What was sold

  /// Adds a month before the reconciled period.
  ///
  /// - Precondition: months come in their order.
  package mutating func add(sales facts: MonthFacts, of period: Period) {
    add(ReportGroups(facts, reach: period.days), ReportDays(facts.coverage, period: period))
  }

  /// Adds the reconciled period, after all months before it.
  package mutating func add(_ reports: SalesReports) { add(reports.groups, reports.days) }

  /// Adds the period's sales and refunds of products whose reports name the time that they pay for,
  /// by day.
  private mutating func add(_ groups: ReportGroups, _ days: ReportDays) {
    let periods = groups.products.map { PaidPeriod($0.subscriptionPeriod) }
    let counted = groups.groups.filter { group in
      let slot = days.slot(begin: group.begin, end: group.end)
      return slot >= 0 && days.slots[Int(slot)].isInPeriod && group.type == .covered
        && group.price != 0
    }
    // Of one day sales come first: a refund may be of one of them.
    let ordered = counted.enumerated().sorted {
      ($0.element.begin, $0.element.isRefund ? 1 : 0, $0.offset)
        < ($1.element.begin, $1.element.isRefund ? 1 : 0, $1.offset)
    }
    for (_, group) in ordered {
      let product = groups.products[Int(group.product)]
      let kind = context.revenueKind(of: product)
      guard let period = periods[Int(group.product)] else {
        if kind == .autoRenewable { unknownPeriods += max(group.units, 0) }
        continue
      }
      kinds[product.sku] = kind
      record(group, product.sku, period)
    }
  }

  /// Adds a sale of a group's units, or takes its refunded units off the sales that are not
  /// refunded yet.
  ///
  /// - Parameter period: the time that one payment pays for.
  private mutating func record(_ group: ReportGroup, _ sku: String, _ period: PaidPeriod) {
    guard
      let priceCurrency = group.currency
        ?? context.storefronts.currency(of: group.terms.storefront)
    else { return }
    let isNet = context.settings.revenue == .agent
    let key = SaleKey(
      storefront: group.terms.storefront, sku: sku, price: group.price,
      priceCurrency: priceCurrency,
      currency: isNet ? group.terms.proceedsCurrency ?? priceCurrency : priceCurrency)
    hasSpans = hasSpans || group.begin != group.end
    credits += group.zeroRows
    if group.units > 0 {
      let deducted = deductions(group, sku, priceCurrency)
      open[key, default: []].append(
        Sale(
          first: group.begin, end: period.end(from: group.begin),
          amount: isNet ? abs(group.terms.proceeds) : group.price - (deducted?.tax ?? 0),
          commission: deducted?.commission ?? 0, units: group.units))
    } else {
      refund(-group.units, key, on: group.begin)
    }
  }

  /// What the rule takes off a unit, as far as it is deferred, micro-units; nil for nothing.
  private func deductions(
    _ group: ReportGroup, _ sku: String, _ currency: Currency
  ) -> (tax: Int64, commission: Int64)? {
    let settings = context.settings
    let needsCommission = settings.deferCommission && settings.revenue != .agent
    guard settings.revenue == .principal || needsCommission else { return nil }
    let storefront = group.terms.storefront
    let expected = context.priceBook.expectation(
      of: group.scope(sku: sku), currency: currency, price: group.price, day: group.begin,
      tierPrice: context.tierPrice(sku: sku, storefront: storefront, on: group.begin))
    return (
      settings.revenue == .principal ? expected.tax : 0,
      needsCommission ? expected.commission : 0
    )
  }

  /// Takes refunded units off the latest sales of a product at a price that are not refunded yet,
  /// and keeps what is refunded of each with the day; adds up how many units have no such sale.
  private mutating func refund(_ units: Int64, _ key: SaleKey, on day: Day) {
    var left = units
    while left > 0, var sale = open[key]?.popLast() {
      let taken = min(left, sale.units)
      left -= taken
      sale.units -= taken
      if sale.units > 0 { open[key]?.append(sale) }
      sale.units = taken
      refunded.append((key, sale, day))
    }
    refundsWithoutSale += left
  }
}

// MARK: - What is concluded

extension DeferralBook {
  /// The schedule of the period, ascending by currency and SKU.
  ///
  /// Both ends are rounded to the minor unit; what is recognised takes the rounding.
  package func lines() -> [DeferralLine] { lines { $0 } }

  /// The period's schedule of commission, ascending by currency and SKU; empty where commission is
  /// not deferred.
  package func commissionLines() -> [DeferralLine] {
    guard context.settings.deferCommission, context.settings.revenue != .agent else { return [] }
    return lines { sale in
      var sale = sale
      sale.amount = sale.commission
      return sale
    }
  }

  /// The period's schedule of a part of each sale, without lines that have no money.
  ///
  /// - Parameter part: makes that part the sale's `amount`.
  private func lines(_ part: (Sale) -> Sale) -> [DeferralLine] {
    var sales: [LineKey: [(sale: Sale, refundedOn: Day?)]] = [:]
    for (key, all) in open {
      sales[LineKey(currency: key.currency, sku: key.sku), default: []] += all.map {
        (part($0), nil)
      }
    }
    for (key, sale, day) in refunded {
      sales[LineKey(currency: key.currency, sku: key.sku), default: []].append((part(sale), day))
    }
    return sales.map { line($0, $1) }
      .filter { line in
        [line.start, line.added, line.released, line.end].contains { !$0.isZero }
      }
      .sorted { ($0.currency, $0.sku) < ($1.currency, $1.sku) }
  }

  /// The schedule of one currency and SKU: what is deferred when the period begins and when it
  /// ends, and what came and went between.
  private func line(_ key: LineKey, _ sales: [(sale: Sale, refundedOn: Day?)]) -> DeferralLine {
    let period = context.period
    /// What of the sales' money is not delivered yet when `day` ends: of those that were sold, and
    /// not refunded, by that day, or by the period's last day where that is earlier.
    func deferred(_ day: Day) -> Money {
      var sum: Int128 = 0
      for (sale, refundedOn) in sales
      where sale.first <= min(day, period.last) && sale.end > day
        && (refundedOn.map { $0 > min(day, period.last) } ?? true)
      {
        sum += Int128(sale.deferred(after: day)) * Int128(sale.units)
      }
      return rounded(sum, key.currency)
    }
    var (added, released): (Int128, Int128) = (0, 0)
    for (sale, refundedOn) in sales {
      if period.contains(sale.first) { added += Int128(sale.amount) * Int128(sale.units) }
      if let day = refundedOn, period.contains(day) {
        released += Int128(sale.deferred(after: day.advanced(by: -1))) * Int128(sale.units)
      }
    }
    let (start, end) = (deferred(period.first.advanced(by: -1)), deferred(period.last))
    let (sum, back) = (rounded(added, key.currency), rounded(released, key.currency))
    let line = DeferralLine(
      sku: key.sku, kind: kinds[key.sku] ?? .unknown, start: start, added: sum,
      recognised: start + sum - back - end, released: back, ahead: ahead(end, deferred))
    precondition(
      line.ahead.sum(in: key.currency, \.amount) == line.end,
      "what lies ahead is not what is deferred")
    return line
  }

  /// What of the money deferred when the period ends is delivered in each calendar month after it.
  ///
  /// - Parameter deferred: what is still deferred when a day ends.
  private func ahead(_ end: Money, _ deferred: (Day) -> Money) -> [DeferralLine.Month] {
    var months: [DeferralLine.Month] = []
    var (left, day) = (end, context.period.last.advanced(by: 1))
    while !left.isZero {
      let (year, month, _) = day.parts
      let last = day.advanced(by: Day.length(ofMonth: month, year: year) - day.parts.day)
      let after = deferred(last)
      if after != left {
        let first = day.advanced(by: 1 - day.parts.day)
        months.append(DeferralLine.Month(first: first, amount: left - after))
      }
      (left, day) = (after, last.advanced(by: 1))
    }
    return months
  }

  /// Micro-units as money, rounded to the currency's minor unit.
  private func rounded(_ sum: Int128, _ currency: Currency) -> Money {
    Money(
      micros: roundedHalfUp(sum, dividedBy: 1, toMultipleOf: currency.minorUnit), currency)
  }

  /// What a reader must know of the schedule's limits.
  package var notes: [Wording] {
    var notes: [Wording] = [
      "@sales.deferred-revenue-is"
    ]
    if unknownPeriods > 0 {
      notes.append(
        "@sales.auto-renewable-subscriptions-without \(spoken(units: unknownPeriods))")
    }
    if refundsWithoutSale > 0 {
      notes.append(
        "@sales.refunds-of-subscriptions-without \(spoken(units: refundsWithoutSale))")
    }
    if credits > 0 {
      notes.append(
        """
        @sales.credits-without-units-upgrades-partial \
        \(counted(credits, "@shared.1-row") { "@shared.rows \($0)" })
        """)
    }
    if hasSpans {
      notes.append(
        "@sales.subscriptions-of-reports-of-more")
    }
    return notes
  }
}
