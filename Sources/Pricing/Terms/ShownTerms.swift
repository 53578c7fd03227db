package import Billing

/// The terms that Apple's rows show, by storefront, platform and product, span by span.
package struct ShownTerms: Sendable {
  /// Rows whose terms are looked for together.
  package struct Key: Hashable, Sendable {
    package var storefront: Storefront
    package var platform: Platform?
    package var isAfterOneYear: Bool

    package init(_ scope: TermsScope) {
      storefront = scope.storefront
      platform = scope.platform
      isAfterOneYear = scope.isAfterOneYear
    }
  }

  /// Days on which the same terms hold.
  package struct Span: Hashable, Sendable {
    package var from: Day
    /// The state that is expected: the configuration's, as far as it names one.
    package var expected: TermsState
    /// The state that the rows show.
    package var shown: TermsState

    package init(from: Day, expected: TermsState, shown: TermsState) {
      self.from = from
      self.expected = expected
      self.shown = shown
    }
  }

  /// The terms of a group of products, from span to span.
  package struct Course: Hashable, Sendable {
    /// Ascending; the first holds before its day too, back to the period's first.
    package var spans: [Span]
    /// Empty is every product of the key that no other course names.
    package var skus: Set<String>

    package init(spans: [Span], skus: Set<String>) {
      self.spans = spans
      self.skus = skus
    }
  }

  private var courses: [Key: [Course]] = [:]
  /// Products that courses name.
  package private(set) var skus: Set<String> = []
  /// The days that courses are known for; on others nothing is.
  private var days: ClosedRange<Day>?
  /// The days on which the account accepted agreements, as far as rows show it.
  private(set) var accepted: [String: Day] = [:]

  /// No rows, nothing shown.
  package init() {}

  /// The terms that Apple's rows show on some days.
  ///
  /// - Parameters:
  ///   - courses: of each key, at most one whose `skus` are empty: that of all other products.
  ///   - days: those that the rows are of; nothing is known of others.
  ///   - accepted: by the name of an agreement, the day on which it was accepted.
  package init(
    _ courses: [Key: [Course]], on days: ClosedRange<Day>, accepted: [String: Day] = [:]
  ) {
    precondition(
      courses.values.allSatisfy { $0.count { $0.skus.isEmpty } <= 1 },
      "one course at most is that of all products which no other names")
    self.courses = courses
    for course in courses.values.joined() { skus.formUnion(course.skus) }
    self.days = days
    self.accepted = accepted
  }

  /// The terms of a sale on a day, as rows show them; nil where none say.
  package func span(of scope: TermsScope, on day: Day) -> Span? {
    guard days?.contains(day) == true, let course = course(of: scope) else { return nil }
    return course.spans.last { $0.from <= day } ?? course.spans.first
  }

  /// The terms of a sale on the last day that is known: where the next period begins. Nil where
  /// rows show none.
  package func last(of scope: TermsScope) -> TermsState? { course(of: scope)?.spans.last?.shown }

  /// The class that rows showed on the last day that is known, where that is before `day`; else
  /// nil.
  func lastClass(of scope: TermsScope, before day: Day) -> CommissionClass? {
    guard let days, days.upperBound < day else { return nil }
    return last(of: scope)?.commissionClass
  }

  /// The terms, day by day, of the group of products that a sale is of; nil where rows show none.
  private func course(of scope: TermsScope) -> Course? {
    guard let known = courses[Key(scope)] ?? courses[Key(scope.otherwiseNamed)] else { return nil }
    return known.first { $0.skus.contains(scope.sku) } ?? known.first { $0.skus.isEmpty }
  }

  /// The states expected before and after each change of a sale's terms that begins on `day`, the
  /// day before or the day after, since customers of one evening may be under either; empty where
  /// no terms change then.
  func isChange(_ scope: TermsScope, around day: Day) -> [TermsState] {
    guard days != nil, let course = course(of: scope) else { return [] }
    var states: [TermsState] = []
    for (before, since) in zip(course.spans, course.spans.dropFirst())
    where abs(since.from.number - day.number) <= 1 {
      states += [before.expected, since.expected]
    }
    return states
  }

  /// The states that were expected of a sale on the days until one, that day included: what a
  /// refund of that day may give back.
  func states(of scope: TermsScope, until day: Day) -> [TermsState] {
    (course(of: scope)?.spans ?? []).filter { $0.from <= day }.map(\.expected)
  }

  /// Every day on which terms change, the day before it and the two after it.
  var changeDays: [Day] {
    let changes = courses.values.joined().flatMap { $0.spans.dropFirst().map(\.from) }
    return changes.flatMap { [$0.advanced(by: -1), $0, $0.advanced(by: 1), $0.advanced(by: 2)] }
  }
}

extension TermsScope {
  /// Rows and questions that name no platform are taken for iOS's, and the other way round.
  fileprivate var otherwiseNamed: TermsScope {
    var scope = self
    if platform == nil { scope.platform = .ios } else if platform == .ios { scope.platform = nil }
    return scope
  }
}
