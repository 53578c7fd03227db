import Billing
import Pricing

/// What rows of a week or month are judged by: the rules of a day of theirs.
struct SpanRule {
  let day: Day
  let tier: TierPrice?
  let quote: SalesReports.Quote?

  /// Groups that are judged alike.
  struct Key: Hashable {
    let series: Int32
    let begin: Day
    let end: Day

    init(_ group: ReportGroup) { (series, begin, end) = (group.series, group.begin, group.end) }
  }
}

extension SalesReports {
  /// The rules of the day that explains most of a group: its price and its proceeds, its price, its
  /// proceeds; else those of its first day. Apple sold its units on any of its days.
  func spanRule(_ group: ReportGroup) -> SpanRule {
    var best: (rank: Int, rule: SpanRule)?
    for day in ruleDays(of: group) {
      let tier = askedTier(of: group, on: day)
      let judgement = currency(of: group).map { self.judgement(group, on: day, tier, $0) }
      var rank = tier?.price == group.price ? 2 : 0
      if case .asExpected? = judgement { rank += 1 }
      if let best, best.rank >= rank { continue }
      let expected = judgement?.expectation
      let quote = expected.map { Quote($0) }
      best = (rank, SpanRule(day: day, tier: tier, quote: quote))
    }
    return best!.rule
  }

  /// A group's first day and the later ones of its days on which a rule changes.
  func ruleDays(of group: ReportGroup) -> [Day] {
    if group.begin == group.end { return [group.begin] }
    return [group.begin] + seasonDays.filter { $0 > group.begin && $0 <= group.end }
  }

  /// What its proceeds are by the rules of a day.
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
  /// The price that a row of a report day sold a SKU's tier at, else that of the day. A tier
  /// changes by the storefront's own day: on the report days beside that both prices are right.
  func tierPrice(
    sku: String, storefront: Storefront, around day: Day, soldAt price: Int64,
    _ currency: Currency?
  ) -> TierPrice? {
    func tier(_ days: Int) -> TierPrice? {
      tierPrice(sku: sku, storefront: storefront, on: day.advanced(by: days))
    }
    let own = tier(0)
    if own?.price == price { return own }
    return [-1, 1].lazy.compactMap(tier).first { $0.price == price && $0.currency == currency }
      ?? own
  }
}
