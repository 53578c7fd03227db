import Billing
import Ledger
import Pricing

extension PriceBook {
  /// Expects what the recorded reconciliations found Apple's rows to show around a day.
  mutating func learnTerms(on day: Day, from ledger: Ledger) throws {
    let accepted = try ledger.recordedAcceptances()
    guard let recorded = try ledger.recordedTerms(on: day) else { return }
    var courses: [ShownTerms.Key: [ShownTerms.Course]] = [:]
    for line in recorded.lines {
      let scope = TermsScope(
        line.storefront, platform: line.platform, sku: line.skus.first ?? "",
        isAfterOneYear: line.isAfterOneYear)
      let shown = TermsState(line.commissionClass, agreement: line.agreement)
      let span = ShownTerms.Span(
        from: line.from, expected: configured(scope, on: line.from).completed(by: shown),
        shown: shown)
      let (key, skus) = (ShownTerms.Key(scope), Set(line.skus))
      if let index = courses[key]?.firstIndex(where: { $0.skus == skus }) {
        courses[key]![index].spans.append(span)
      } else {
        courses[key, default: []].append(ShownTerms.Course(spans: [span], skus: skus))
      }
    }
    let days = recorded.period.first...recorded.period.last
    shown = ShownTerms(courses, on: days, accepted: accepted)
  }
}
