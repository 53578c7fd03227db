package import Billing
package import Pricing

/// What Apple's sales reports of a span of days come to.
package struct SpanProceeds: Sendable {
  /// Micro-units by currency of proceeds.
  package private(set) var amounts: [Currency: Int64] = [:]
  /// Whether any day has a report, or is known to be without sales. The last day alone is none: it
  /// is loaded beside the days after it, to tell what moved over their first boundary.
  package let hasReports: Bool
  /// Whether each of them is.
  package let isWhole: Bool

  package init(_ facts: MonthFacts, of period: Period, storefronts: StorefrontTable) {
    let days = ReportDays(facts.coverage, period: period)
    let own = days.slots.filter(\.isInPeriod)
    isWhole = !own.contains(where: \.isMissing)
    hasReports = isWhole || own.contains { !$0.isMissing && $0.begin < period.last }
    for group in ReportGroups(facts, reach: period.days).groups {
      let slot = days.slot(begin: group.begin, end: group.end)
      guard SalesReports.isCounted(group, days.isInPeriod(slot)),
        let currency = group.currency ?? storefronts.currency(of: group.terms.storefront)
      else { continue }
      amounts[group.terms.proceedsCurrency ?? currency, default: 0] += group.proceeds
    }
  }
}
