package import Billing
import Pricing

/// What rows of a week or month are judged by: the rules of a day of theirs.
struct SpanRule {
  let day: Day
  let tier: TierPrice?
  var quote: SalesReports.Quote?

  /// Groups that are judged alike.
  struct Key: Hashable {
    let series: Int32
    /// Its purchases decide on the day.
    let sku: Int32
    let begin: Day
    let end: Day

    /// The key of a group whose rows are of several days.
    init(_ group: ReportGroup) {
      (series, sku, begin, end) = (group.series, group.sku, group.begin, group.end)
    }
  }
}

extension SalesReports {
  /// Chooses, of the days of a group of a week or month, the one whose rules explain most of it:
  /// its price and its proceeds, else its price, else its proceeds; of several the one that comes
  /// nearest to its proceeds, the first before others.
  func spanRule(_ group: ReportGroup) -> SpanRule {
    var best: (rank: Int, apart: Int64, rule: SpanRule)?
    for day in ruleDays(of: group) {
      let tier = askedTier(of: group, on: day)
      let judgement = currency(of: group).map { self.judgement(group, on: day, tier, $0) }
      var rank = tier?.price == group.price ? 2 : 0
      if case .asExpected? = judgement { rank += 1 }
      let expected = judgement?.expectation
      let apart = expected.map { abs(abs(group.terms.proceeds) - $0.proceeds) } ?? 0
      if let best, (best.rank, -best.apart) >= (rank, -apart) { continue }
      best = (rank, apart, SpanRule(day: day, tier: tier, quote: expected.map { Quote($0) }))
    }
    return best!.rule
  }

  /// The days whose rules may explain a group: its first, and the later ones of its days on which a
  /// rule changes; where the ledger knows on which days its units were sold, those whose rules held
  /// then.
  func ruleDays(of group: ReportGroup) -> [Day] {
    if group.begin == group.end { return [group.begin] }
    let days = [group.begin] + seasonDays.filter { $0 > group.begin && $0 <= group.end }
    guard days.count > 1, !group.isRefund, let sold = sold?.days(of: group, groups.skus) else {
      return days
    }
    let known = days.indices.filter { index in
      let last = index + 1 < days.count ? days[index + 1].advanced(by: -1) : group.end
      return sold.contains { days[index] <= $0 && $0 <= last }
        || context.priceBook.found.begins(on: days[index], in: group.terms.storefront)
    }
    return known.isEmpty ? days : known.map { days[$0] }
  }

  /// What to think of a group's proceeds by the rules of a day.
  ///
  /// - Parameter tier: the price of its tier on that day.
  func judgement(
    _ group: ReportGroup, on day: Day, _ tier: TierPrice?, _ currency: Currency
  ) -> ProceedsJudgement {
    context.priceBook.judge(
      ReportedProceeds(
        storefront: group.terms.storefront, currency: currency, price: group.price,
        proceeds: abs(group.terms.proceeds), day: day, proceedsReason: proceedsReason(group),
        platform: group.platform, sku: groups.skus[Int(group.sku)], isRefund: group.isRefund,
        tierPrice: tier),
      tolerance: context.settings.tolerance, expectedDeduction: context.settings.expectedDeduction)
  }
}

extension MatchingContext {
  /// The price of a SKU's tier on a report day, or on one of the days beside it where a row was
  /// sold at that; nil where no tier is known. A tier changes by the storefront's own day: on the
  /// report days beside that both prices are right.
  ///
  /// - Parameter price: that of the row, micro-units of the currency that follows it.
  func tierPrice(
    sku: String, storefront: Storefront, around day: Day, soldAt price: Int64,
    _ currency: Currency?
  ) -> TierPrice? {
    /// The tier's price that many days after `day`.
    func tier(_ days: Int) -> TierPrice? {
      tierPrice(sku: sku, storefront: storefront, on: day.advanced(by: days))
    }
    let own = tier(0)
    if own?.price == price { return own }
    return [-1, 1].lazy.compactMap(tier).first { $0.price == price && $0.currency == currency }
      ?? own
  }
}

/// Days that may be Apple's of the ledger's purchases, wherever its days begin, by what was sold:
/// they choose the rules of a week's or month's rows.
package struct PurchaseDays: Sendable {
  private struct Ware: Hashable {
    var sku: String
    var storefront: Storefront
    /// Nil where no source tells it.
    var price: Int64?
  }

  private struct Sold {
    var units: Int64 = 0
    var days: Set<Day> = []
  }

  private var wares: [Ware: Sold] = [:]

  /// Whether a report of several days counts for the period: without one these days are not needed.
  package static func areAsked(by coverage: [ReportCoverage], of period: Period) -> Bool {
    ReportDays(coverage, period: period).slots.contains { $0.begin != $0.end }
  }

  /// Collects the days of the ledger's sales by SKU, storefront and price.
  ///
  /// - Precondition: all of `book` is matched, and it has the transactions of the units.
  package init(
    _ begun: BillableUnits, _ book: MatchTable, _ facts: MonthFacts, _ context: MatchingContext
  ) {
    var units = begun
    let (first, last) = (context.period.first, context.period.last)
    units.finish(
      book,
      seasons: Seasons(
        first.advanced(by: -1)...last.advanced(by: 1), changes: context.changeDays(facts)),
      context: context)
    for (sold, terms) in units.classes.enumerated() {
      guard let storefront = terms.storefront else { continue }
      let price = terms.told.contains(.price) ? terms.unitPrice : nil
      let ware = Ware(sku: terms.sku, storefront: storefront, price: price)
      for event in units.events(ofClass: sold) {
        let moment = units.grid.moment(Int(event.quarter)).seconds
        wares[ware, default: Sold()].units += Int64(event.quantity)
        wares[ware]!.days.formUnion(Self.days(of: moment))
      }
    }
  }

  /// The days that some zone has at a moment in seconds since 1970.
  private static func days(of moment: Int64) -> [Day] {
    let first = Zone.utc.day(of: Instant(seconds: moment - Int64(Rules.latestZone) * 3600))
    let last = Zone.utc.day(of: Instant(seconds: moment + Int64(Rules.earliestZone) * 3600))
    return Array(first...last)
  }

  /// The days on which the ledger may have sold a group's units: those of its price, and of units
  /// whose price no source tells. Nil where the ledger has less than half of its units.
  func days(of group: ReportGroup, _ skus: [String]) -> Set<Day>? {
    var ware = Ware(
      sku: skus[Int(group.sku)], storefront: group.terms.storefront, price: group.price)
    let priced = wares[ware] ?? Sold()
    ware.price = nil
    let others = wares[ware] ?? Sold()
    return 2 * (priced.units + others.units) >= group.units
      ? priced.days.union(others.days) : nil
  }
}
