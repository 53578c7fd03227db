import Billing
import Ledger
import Pricing

/// What the recorded reconciliations found Apple's rows to show of terms.
struct KnownTerms: Sendable {
  private let recorded:
    [(
      period: Period, lines: [RecordedTerms], taxes: [RecordedTax]
    )]
  private let accepted: [String: Day]

  /// Reads the terms, taxes and accepted agreements that reconciliations recorded.
  init(_ ledger: Ledger) throws {
    recorded = try ledger.recordedTerms()
    accepted = try ledger.recordedAcceptances()
  }

  /// How many reconciliations recorded terms.
  var count: Int { recorded.count }

  /// The index of the recorded reconciliation that tells of a day: the one of the shortest period
  /// that has it, else of the last before it, the newest of equals; nil where all are later.
  func place(on day: Day) -> Int? {
    /// The rank of the reconciliation with this index in `recorded`: the highest tells of `day`.
    /// Those whose period has the day rank above others, and of these the shortest highest; the
    /// others by the end of their period.
    func rank(_ place: Int) -> (Int, Int32, Int) {
      let period = recorded[place].period
      return period.contains(day)
        ? (1, -Int32(period.dayCount), place) : (0, period.last.number, place)
    }
    return recorded.indices.filter { recorded[$0].period.first <= day }
      .max { rank($0) < rank($1) }
  }

  /// The terms that a recorded reconciliation found Apple's rows to show, day by day, each beside
  /// the terms that the book expects.
  ///
  /// - Parameter place: the reconciliation's index in `recorded`.
  func shown(_ place: Int, by book: PriceBook) -> ShownTerms {
    let period = recorded[place].period
    var courses: [ShownTerms.Key: [ShownTerms.Course]] = [:]
    for line in recorded[place].lines.sorted(by: { $0.from < $1.from }) {
      let scope = TermsScope(
        line.storefront, platform: line.platform, sku: line.skus.first ?? "",
        isAfterOneYear: line.isAfterOneYear)
      let shown = TermsState(line.commissionClass, agreement: line.agreement)
      let (key, skus) = (ShownTerms.Key(scope), Set(line.skus))
      let known = courses[key]?.firstIndex { $0.skus == skus }
      let index = known ?? courses[key]?.count ?? 0
      if known == nil {
        courses[key, default: []].append(ShownTerms.Course(spans: [], skus: skus))
      }
      // What follows is replaced by the next line's; the configuration may change within one.
      courses[key]![index].spans.removeAll { $0.from >= line.from }
      let first = known == nil ? min(period.first, line.from) : line.from
      for day in first...max(first, period.last) {
        let span = ShownTerms.Span(
          from: day, expected: book.configured(scope, on: day).completed(by: shown), shown: shown)
        if let last = courses[key]![index].spans.last, last.expected == span.expected,
          last.shown == shown
        {
          continue
        }
        courses[key]![index].spans.append(span)
      }
    }
    return ShownTerms(courses, on: period.first...period.last, accepted: accepted)
  }
}

extension KnownTerms {
  /// The taxes that a recorded reconciliation found in Apple's rows and no table has; they hold on
  /// after its period until the book's tables change.
  ///
  /// - Parameter place: the reconciliation's index in `recorded`.
  func found(_ place: Int, by book: PriceBook) -> FoundTaxes {
    FoundTaxes(recorded[place].taxes).goingOn(after: recorded[place].period.last, by: book)
  }
}

extension PriceBook {
  /// Makes the book expect what the recorded reconciliations found Apple's rows to show around a
  /// day.
  mutating func learnTerms(on day: Day, from ledger: Ledger) throws {
    let known = try KnownTerms(ledger)
    guard let place = known.place(on: day) else { return }
    (shown, found) = (known.shown(place, by: self), known.found(place, by: self))
  }
}
