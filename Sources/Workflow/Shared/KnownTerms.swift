import Billing
import Ledger
import Pricing

/// What the recorded reconciliations found Apple's rows to show of terms.
struct KnownTerms: Sendable {
  private let recorded: [(period: Period, lines: [RecordedTerms])]
  private let accepted: [String: Day]

  init(_ ledger: Ledger) throws {
    recorded = try ledger.recordedTerms()
    accepted = try ledger.recordedAcceptances()
  }

  var count: Int { recorded.count }

  /// Which of them tells of a day: the one of the shortest period that has it, else of the last
  /// before it, the newest of equals; nil where all are later.
  func place(on day: Day) -> Int? {
    func rank(_ place: Int) -> (Int, Int32, Int) {
      let period = recorded[place].period
      return period.contains(day)
        ? (1, -Int32(period.dayCount), place) : (0, period.last.number, place)
    }
    return recorded.indices.filter { recorded[$0].period.first <= day }
      .max { rank($0) < rank($1) }
  }

  /// What one of them shows, as a book expects by it.
  func shown(_ place: Int, by book: PriceBook) -> ShownTerms {
    var courses: [ShownTerms.Key: [ShownTerms.Course]] = [:]
    for line in recorded[place].lines {
      let scope = TermsScope(
        line.storefront, platform: line.platform, sku: line.skus.first ?? "",
        isAfterOneYear: line.isAfterOneYear)
      let shown = TermsState(line.commissionClass, agreement: line.agreement)
      let span = ShownTerms.Span(
        from: line.from, expected: book.configured(scope, on: line.from).completed(by: shown),
        shown: shown)
      let (key, skus) = (ShownTerms.Key(scope), Set(line.skus))
      if let index = courses[key]?.firstIndex(where: { $0.skus == skus }) {
        courses[key]![index].spans.append(span)
      } else {
        courses[key, default: []].append(ShownTerms.Course(spans: [span], skus: skus))
      }
    }
    let period = recorded[place].period
    return ShownTerms(courses, on: period.first...period.last, accepted: accepted)
  }
}

extension PriceBook {
  /// Expects what the recorded reconciliations found Apple's rows to show around a day.
  mutating func learnTerms(on day: Day, from ledger: Ledger) throws {
    let known = try KnownTerms(ledger)
    if let place = known.place(on: day) { shown = known.shown(place, by: self) }
  }
}
