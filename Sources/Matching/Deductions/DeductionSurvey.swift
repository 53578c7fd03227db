import Billing
package import Conclusions
import Pricing

/// What Apple really took of each storefront's sales, and since when: the effective deduction by
/// kind of product and month, and the days on which a tax or a commission became another one than
/// any rule of the company's knows.
package struct DeductionSurvey: Sendable {
  /// In the order of storefront, currencies, kind, class and first day.
  package private(set) var lines: [DeductionLine] = []
  /// One per storefront, currency and day of the period on which the deduction changed.
  package private(set) var findings: [UnresolvedFinding] = []

  /// Finds the changes of deductions in a period's sales, and makes the lines.
  ///
  /// - Parameters:
  ///   - previous: the reports of the period before, as far as they are loaded: they tell what held
  ///     when the period began.
  ///   - listsPrevious: whether its lines are made, too: reports cover all of that period.
  package init(_ reports: SalesReports, previous: SalesReports? = nil, listsPrevious: Bool = true) {
    var book = DeductionBook(reports, previous: previous)
    let changes = book.changes()
    findings = book.findings(changes)
    for index in book.periods.indices where listsPrevious || !book.periods[index].isEarlier {
      lines += book.periods[index].lines(changes: changes)
    }
    lines.sort(by: DeductionLine.isOrderedBefore)
  }
}

/// A proven change of the rate that explains the rows of a storefront, in a commission class.
struct DeductionChange {
  var key: RateKey
  var change: RateChanges.Change
  /// The rule just before and on the day.
  var ruleBefore: RuleRate
  var rule: RuleRate
  /// Taxes inside the price that explain the rows, millionths.
  var taxBefore: Int64
  var tax: Int64
  var day: Day { change.day }

  /// Shares of the price that Apple pays before the day, and since.
  var sharesBefore: RateSpan { ruleBefore.shares(change.before.rates) }
  var shares: RateSpan { rule.shares(change.since.rates) }
}

/// The sales of a period and of the one before, and what they prove together.
struct DeductionBook {
  let context: MatchingContext
  /// The period before first, where there is one.
  var periods: [PeriodSales]

  /// Collects what the sales of a period, and of the one before, show of their deductions.
  ///
  /// - Parameters:
  ///   - previous: the reports of the period before; nil where there are none.
  ///   - places: storefronts and currencies that are looked at; nil is all.
  init(
    _ reports: SalesReports, previous: SalesReports?, of places: Set<FoundTaxes.Place>? = nil
  ) {
    // A change is one against the tables, whatever the rows agree on.
    var context = reports.context
    context.priceBook = context.priceBook.byTable
    self.context = context
    periods =
      (previous.map { [PeriodSales($0, isEarlier: true, of: places)] } ?? [])
      + [PeriodSales(reports, isEarlier: false, of: places)]
  }

  /// All changes of both periods that no rule knows, by storefront and day.
  mutating func changes() -> [DeductionChange] {
    var found: [DeductionChange] = []
    for key in suspects() {
      for change in RateChanges(sightings(key)).changes {
        if let change = beyondTheRule(key, change) { found.append(change) }
      }
    }
    return aligned(found)
  }

  /// Storefronts, currencies and commission classes of which no single rate explains nearly all
  /// rows, sorted.
  private func suspects() -> [RateKey] {
    var weights: [RateKey: [RateSpan: PeriodSales.Weight]] = [:]
    for period in periods {
      weights.merge(period.weights) { first, second in
        first.merging(second) {
          PeriodSales.Weight(rows: $0.rows + $1.rows, units: $0.units + $1.units)
        }
      }
    }
    return weights.filter { RateChanges.mayOccur($0.value) }.map(\.key)
      .sorted { $0.isOrdered(before: $1) }
  }

  /// What each ordinary sale of a storefront, currency and commission class says about its rate.
  private func sightings(_ key: RateKey) -> [Sighting] {
    periods.flatMap { period in
      period.groups(of: key).filter(period.isOrdinary).compactMap(period.sighting)
    }
  }

  /// A change of the rate that explains rows, together with the rule just before it and on its day;
  /// nil where Apple goes on paying the same share of the price, and only the rule changed.
  private mutating func beyondTheRule(_ key: RateKey, _ change: RateChanges.Change)
    -> DeductionChange?
  {
    let ruleBefore = rule(key, on: change.lastBefore)
    let rule = rule(key, on: change.day)
    var found = DeductionChange(
      key: key, change: change, ruleBefore: ruleBefore, rule: rule, taxBefore: 0, tax: 0)
    if found.sharesBefore.meets(found.shares) { return nil }
    found.taxBefore = ruleBefore.tax(leaving: change.before.rates)
    found.tax = rule.tax(leaving: change.since.rates)
    return found
  }

  /// The rule's rate on a day, by the terms of most units of a storefront, currency and class.
  private mutating func rule(_ key: RateKey, on day: Day) -> RuleRate {
    periods[period(of: day)].rule(key, on: day)
  }

  /// The index in `periods` of the one that has a day.
  private func period(of day: Day) -> Int { day < context.period.first ? 0 : periods.count - 1 }

  /// The price book that sales of a day are expected by, with the tables alone.
  func book(on day: Day) -> PriceBook {
    periods[period(of: day)].reports.context.priceBook.byTable
  }

  /// What decides the terms of most of a key's rows.
  func scope(of key: RateKey, on day: Day) -> TermsScope { periods[period(of: day)].scope(of: key) }

  /// The changes, sorted, with one day for all classes of a storefront and currency where rows
  /// allow it. A new tax shows on the same day in every class: where a class has no rows that tell
  /// one day from another, it follows the one that has.
  private func aligned(_ changes: [DeductionChange]) -> [DeductionChange] {
    var changes = changes
    for index in changes.indices {
      let own = changes[index]
      let leading = changes.filter {
        $0.key.storefront == own.key.storefront && $0.key.currency == own.key.currency
          && $0.change.since.provenUnits > own.change.since.provenUnits
          && own.change.lastBefore < $0.day && $0.day < own.day
      }
      guard let day = leading.map(\.day).min() else { continue }
      changes[index].change.day = day
    }
    return changes.sorted {
      $0.key != $1.key ? $0.key.isOrdered(before: $1.key) : $0.day < $1.day
    }
  }
}

extension RuleRate {
  /// The tax inside the price, millionths, that leaves multiples of this share: the rule's where it
  /// does.
  func tax(leaving multiples: RateSpan) -> Int64 {
    if multiples.lower <= RateSpan.one, RateSpan.one <= multiples.upper { return inside }
    return taxes(leaving: shares(multiples)).simplest
  }
}

extension RateChanges {
  /// Whether the best single rate leaves enough rows to prove another one.
  static func mayOccur(_ weights: [RateSpan: PeriodSales.Weight]) -> Bool {
    let cells = RateCells(weights.keys)
    var (rows, units) = (Coverage(cells), Coverage(cells))
    for (span, weight) in weights {
      let range = cells.cells(of: span)
      rows.add(range, weight.rows)
      units.add(range, weight.units)
    }
    return rows.unexplained >= Rules.changeRows && units.unexplained >= Rules.changeUnits
  }
}

extension RateKey {
  /// The order of storefront, currency and commission class.
  func isOrdered(before other: RateKey) -> Bool {
    (storefront, currency, isAfterOneYear ? 1 : 0)
      < (other.storefront, other.currency, other.isAfterOneYear ? 1 : 0)
  }
}

extension PeriodSales {
  /// Indices of all groups whose proceeds one rule decides, ascending.
  func groups(of key: RateKey) -> [Int] {
    groupsOfDeal.filter { $0.key.rate == key && !$0.key.isForeign }
      .flatMap(\.value).sorted().map(Int.init)
  }
}
