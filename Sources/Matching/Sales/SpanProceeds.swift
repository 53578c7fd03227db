package import Billing
package import Pricing

/// What Apple's sales reports of a span of days come to.
package struct SpanProceeds: Sendable {
  /// Micro-units by currency of proceeds.
  package private(set) var amounts: [Currency: Int64] = [:]
  /// Whether each day has a report, or is known to be without sales.
  package let isWhole: Bool
  /// Spans of days that have one, or are known to be without sales.
  private let loaded: [ClosedRange<Day>]

  /// Adds up the proceeds of Apple's rows in a period.
  package init(_ facts: MonthFacts, of period: Period, storefronts: StorefrontTable) {
    let days = ReportDays(facts.coverage, period: period)
    let own = days.slots.filter(\.isInPeriod)
    isWhole = !own.contains(where: \.isMissing)
    loaded = own.filter { !$0.isMissing }.map { $0.begin...$0.end }
    for group in ReportGroups(facts, reach: period.days).groups {
      let slot = days.slot(begin: group.begin, end: group.end)
      guard SalesReports.isCounted(group, days.isInPeriod(slot)),
        let currency = group.currency ?? storefronts.currency(of: group.terms.storefront)
      else { continue }
      amounts[group.terms.proceedsCurrency ?? currency, default: 0] += group.proceeds
    }
  }

  /// Whether a day has a report, or is known to be without sales.
  package func covers(_ day: Day) -> Bool { loaded.contains { $0.contains(day) } }
}
