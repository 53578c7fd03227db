import Billing
import Pricing

/// A tax that the rows of a storefront agree on over some days, where it is another one than the
/// table's, or the table has none.
struct RowTax {
  let place: FoundTaxes.Place
  let tax: FoundTaxes.Tax
  /// What the table has at the commission.
  let table: PriceBasis
  /// Shares of the price without the table's VAT that explain the rows, before the commission.
  let shares: RateSpan

  /// The taxes beside the table's that rows agree on in the storefronts and currencies of some
  /// groups, by storefront and day. None from the day on which a deduction is proven to have
  /// changed: that change is then what is found of the rows.
  ///
  /// - Parameter earlier: the reports of the period before; nil where there are none.
  static func taxes(
    _ reports: SalesReports, of groups: some Sequence<ReportGroup>, after earlier: SalesReports?
  ) -> [RowTax] {
    let sightings = RowSights(reports, of: groups).sights.filter {
      $0.value.values.contains(where: RowSight.mayAgree)
    }
    if sightings.isEmpty { return [] }
    var book = DeductionBook(reports, previous: earlier, of: Set(sightings.keys))
    let changes = book.changes()
    return sightings.sorted { $0.key < $1.key }.flatMap { place, byRate in
      let found = byRate.sorted { $0.key < $1.key }.flatMap { rate, sights in
        unchanged(reports, place, changes, rate).flatMap { span in
          runs(of: sights.filter { span.contains($0.sighting.day) }, in: span).compactMap { run in
            RowTax(
              place, rate, run.sights, run.days, isForAll: byRate.count == 1,
              reports.context.priceBook
            ).flatMap { $0.isContradicted(by: run.sights) ? nil : $0 }
          }
        }
      }
      let beside = byRate.sorted { $0.key < $1.key }.flatMap { rate, sights in
        found.contains { $0.tax.commission == rate }
          ? [] : besideTable(place, rate, sights, reports.context.priceBook)
      }
      return found + beside
        + byRate.sorted { $0.key < $1.key }.flatMap { rate, sights in
          (found + beside).contains { $0.tax.commission == rate }
            ? [] : found.compactMap { $0.followed(at: rate, by: sights) }
        }
    }
  }

  /// Whether some of these rows are of a week or month, at the table's tax and not also at this
  /// one: then not all rows agree on it.
  private func isContradicted(by sights: [RowSight]) -> Bool {
    sights.contains { $0.end != nil && $0.isByTable && !$0.sighting.span.meets(shares) }
  }

  /// Taxes that only some rows of weeks or months agree on, while others are at the table's tax:
  /// the tax changed within the week or month, and nothing shows when. There is one for each last
  /// day of such rows, and it holds on that day alone.
  ///
  /// - Parameters:
  ///   - rate: the commission of the rows, millionths.
  ///   - sights: all rows of the storefront and currency at that commission.
  private static func besideTable(
    _ place: FoundTaxes.Place, _ rate: Int64, _ sights: [RowSight], _ book: PriceBook
  ) -> [RowTax] {
    var odd: [Day: [RowSight]] = [:]
    for sight in sights where !sight.isByTable {
      if let end = sight.end { odd[end, default: []].append(sight) }
    }
    return odd.sorted { $0.key < $1.key }.compactMap { end, sights in
      RowTax(place, rate, sights, end...end, isForAll: false, book)
    }
  }

  /// This tax at another commission, in millionths; nil where it does not explain more of that
  /// one's few rows than the table does.
  private func followed(at rate: Int64, by sights: [RowSight]) -> RowTax? {
    let sights = sights.filter { (tax.from...tax.to).contains($0.sighting.day) }
    guard let table = sights.first?.table else { return nil }
    let left = RuleRate(inside: tax.inside, deducted: tax.deducted, commission: rate)
    let shares = table.ofPrice.multiples(left.span)
    let rows = sights.reduce(0) { $1.sighting.span.meets(shares) ? $0 + $1.rows : $0 }
    guard rows > sights.reduce(0, { $1.isByTable ? $0 + $1.rows : $0 }) else { return nil }
    var followed = tax
    followed.commission = rate
    return RowTax(place: place, tax: followed, table: table, shares: shares)
  }

  /// A tax with its parts as they are.
  private init(
    place: FoundTaxes.Place, tax: FoundTaxes.Tax, table: PriceBasis, shares: RateSpan
  ) {
    (self.place, self.tax, self.table, self.shares) = (place, tax, table, shares)
  }

  /// The days of the period, and one on either side, before its first change of the deduction in a
  /// storefront, divided where the table changes at a commission.
  private static func unchanged(
    _ reports: SalesReports, _ place: FoundTaxes.Place, _ changes: [DeductionChange], _ rate: Int64
  ) -> [ClosedRange<Day>] {
    let change = changes.filter {
      $0.key.storefront == place.storefront && $0.key.currency == place.currency
        && reports.context.period.contains($0.day)
    }.map(\.day).min()
    let book = reports.context.priceBook.byTable
    var spans: [ClosedRange<Day>] = []
    var last: PriceBasis?
    for day in reports.reach where change.map({ day < $0 }) ?? true {
      let table = book.tax(place, on: day, commission: rate)
      if table == last, let open = spans.popLast() {
        spans.append(open.lowerBound...day)
      } else {
        spans.append(day...day)
      }
      last = table
    }
    return spans
  }

  /// The days divided where another rate explains the rows, each part with its rows.
  private static func runs(of sights: [RowSight], in span: ClosedRange<Day>) -> [(
    days: ClosedRange<Day>, sights: [RowSight]
  )] {
    let begins = RateChanges(sights.map(\.sighting)).runDays.map(\.lowerBound)
    return begins.indices.map { run in
      let first = run == 0 ? span.lowerBound : begins[run]
      let last = run + 1 < begins.count ? begins[run + 1].advanced(by: -1) : span.upperBound
      return (first...last, sights.filter { (first...last).contains($0.sighting.day) })
    }
  }

  /// The tax that most rows of some days agree on. Nil where the table explains as many rows, at
  /// this or another documented commission, or where too few agree.
  ///
  /// - Parameters:
  ///   - rate: the commission of the rows, millionths.
  ///   - sights: the rows.
  ///   - isForAll: whether the storefront's rows are all at that commission.
  private init?(
    _ place: FoundTaxes.Place, _ rate: Int64, _ sights: [RowSight], _ days: ClosedRange<Day>,
    isForAll: Bool, _ book: PriceBook
  ) {
    guard RowSight.mayAgree(sights), let table = sights.first?.table else { return nil }
    let cells = RateCells(Set(sights.map(\.sighting.span)))
    var coverage = Coverage(cells)
    for sight in sights { coverage.add(cells.cells(of: sight.sighting.span), sight.rows) }
    let byTable = sights.reduce(0) { $1.isByTable ? $0 + $1.rows : $0 }
    guard coverage.best > byTable, coverage.best * 3 >= coverage.total * 2 else { return nil }
    let band = Rules.rowTaxes(isTaxKnown: table.taxOrigin != .unknown)
    let shares = coverage.bestRuns.map(cells.span(of:)).filter { $0.meets(band) }
      .map { RateSpan(max($0.lower, band.lower), min($0.upper, band.upper)) }
    guard let shares = shares.min(by: { $0.distanceFromOne < $1.distanceFromOne }) else {
      return nil
    }
    // Another documented commission is none of the tax.
    let others = book.byTable.documentedRates(place.storefront).subtracting([rate])
    let isCommission = others.contains { other in
      let others = book.byTable.tax(place, on: days.lowerBound, commission: other).ruleRate
      return table.ofPrice.multiples(others.span).meets(shares)
    }
    guard !isCommission else { return nil }
    let proofs = sights.filter { !$0.isByTable && $0.sighting.span.meets(shares) }
    guard RowSight.mayAgree(proofs) else { return nil }
    let (inside, deducted) = Self.simplest(table, shares)
    self.place = place
    self.table = table
    self.shares = shares
    tax = FoundTaxes.Tax(
      from: days.lowerBound, to: days.upperBound, commission: rate, isForAll: isForAll,
      inside: inside, deducted: deducted)
  }

  /// A tax inside the price and a further deduction, millionths, that leave one of the shares:
  /// another tax, or a deduction beside the table's, whichever takes fewer digits to say.
  private static func simplest(_ table: PriceBasis, _ shares: RateSpan) -> (Int64, Int64) {
    let base = table.ofPrice
    let inside = base.taxes(leaving: base.shares(shares)).simplest
    let deducted = RateSpan(RateSpan.one - shares.upper, RateSpan.one - shares.lower).simplest
    let isInside = table.taxOrigin == .unknown || inside.trailingZeros > deducted.trailingZeros
    return isInside && inside >= 0 ? (inside, 0) : (base.inside, deducted)
  }
}

extension PriceBasis {
  /// The rate of the table's own tax and the commission, without what is deducted besides.
  var ofPrice: RuleRate {
    RuleRate(inside: vat > 0 ? vat : inside, deducted: 0, commission: commission)
  }

  /// The rate of the table's own tax, of what is deducted besides, and of the commission.
  var ruleRate: RuleRate {
    RuleRate(inside: ofPrice.inside, deducted: besideVAT, commission: commission)
  }

  /// What of the price the table deducts before the commission beside its own tax, millionths.
  var besideVAT: Int64 {
    let left = Int128(1_000_000 + ofPrice.inside) * Int128(1_000_000 - deducted)
    return 1_000_000
      - roundedHalfUp(left, dividedBy: Int128(1_000_000 + inside), toMultipleOf: 1)
  }
}

extension RateSpan {
  /// How far the span is from a share of all; 0 where it has that.
  fileprivate var distanceFromOne: Int64 {
    max(0, max(lower - Self.one, Self.one - upper))
  }
}

extension Int64 {
  /// How many zeros end a percentage in millionths, up to 4, and 6 for 0: more for one that is said
  /// with fewer digits.
  fileprivate var trailingZeros: Int {
    if self == 0 { return 6 }
    var (value, zeros) = (self, 0)
    while value % 10 == 0, zeros < 4 { (value, zeros) = (value / 10, zeros + 1) }
    return zeros
  }
}

extension Rules {
  /// Shares of the price without the table's VAT that rows may agree on, in millionths of a
  /// millionth: 5% either way; where no tax is known, what a VAT of 27% at most leaves.
  static func rowTaxes(isTaxKnown: Bool) -> RateSpan {
    isTaxKnown
      ? RateSpan(RateSpan.one / 100 * 95, RateSpan.one / 100 * 105)
      : RateSpan(RateSpan.one / 127 * 100, RateSpan.one)
  }
}

/// A group of rows that may tell a tax.
struct RowSight {
  let place: FoundTaxes.Place
  /// The commission, millionths of the net price.
  let rate: Int64
  let table: PriceBasis
  let isByTable: Bool
  let rows: Int64
  let sku: Int32
  /// The last day of a week's or month's rows; nil of a day's.
  let end: Day?
  /// Its rates are multiples of what the table's VAT leaves.
  let sighting: Sighting

  /// Whether rows that the table does not explain are of two products or two days.
  static func mayAgree(_ sights: [RowSight]) -> Bool {
    var first: RowSight?
    for sight in sights where !sight.isByTable {
      if let first, first.sku != sight.sku || first.sighting.day != sight.sighting.day {
        return true
      }
      first = first ?? sight
    }
    return false
  }
}

/// The rows of storefronts in which on some day more rows are off the rule than show that it holds:
/// in others nothing but the rule can explain most rows of any days. Subscriptions at an older tax
/// of the table are left out.
private struct RowSights {
  /// By storefront, currency and commission.
  private(set) var sights: [FoundTaxes.Place: [Int64: [RowSight]]] = [:]
  private let reports: SalesReports
  private let book: PriceBook
  /// By what is the same for every group of a series in a season.
  private var kindOf: [Int32]
  private static let (unseen, none): (Int32, Int32) = (-1, -2)
  private var kinds: [Kind] = []
  private var courses: [FoundTaxes.Place: [Int64: Int]] = [:]
  private var courseCount = 0

  /// What is the same for every group of a series in a season.
  private struct Kind {
    var place: FoundTaxes.Place
    var rate: Int64
    var table: PriceBasis
    var isByTable: Bool
    var span: RateSpan
    /// Of rows of a storefront at a commission.
    var course: Int

    /// The rule's rate in the measure of `span`: the middle of the multiples that it comes to.
    var ruled: Int64 {
      let span = table.ofPrice.multiples(table.ruleRate.span)
      return span.lower / 2 + span.upper / 2
    }
  }

  /// Rows of a storefront at a commission.
  private struct Course {
    /// Between these all rates of rows off the rule lie apart from it.
    var below = Int64.min
    var above = Int64.max
    /// By day of the reach, rows off the rule less those that only the rule explains.
    var balance: [Int64]
    /// Whether weeks or months are off the rule.
    var hasSpans = false

    /// Whether its rows may agree on a tax: on some day more are off the rule than show that it
    /// holds.
    var mayHaveTax: Bool { hasSpans || balance.contains { $0 > 0 } }
  }

  /// Collects the rows of those storefronts and currencies of some groups in which another tax than
  /// the rule's may explain most rows of some day, week or month.
  init(_ reports: SalesReports, of others: some Sequence<ReportGroup>) {
    self.reports = reports
    book = reports.context.priceBook.byTable
    kindOf = Array(
      repeating: Self.unseen, count: reports.groups.seriesCount * reports.seasons.count)
    let places = Set(
      others.compactMap { group in
        group.terms.customerCurrency.map { FoundTaxes.Place(group.terms.storefront, $0) }
      })
    let storefronts = StorefrontSet(places.map(\.storefront))
    var members: [(group: Int32, kind: Int32)] = []
    for (index, group) in reports.groups.groups.enumerated()
    where storefronts.contains(group.terms.storefront) && group.type == .covered {
      guard group.units > 0, group.price != 0, reports.isCounted(index) else { continue }
      let number = reports.place(of: group)
      if kindOf[number] == Self.unseen { kindOf[number] = newKind(group, places) }
      if kindOf[number] != Self.none { members.append((Int32(index), kindOf[number])) }
    }
    let balanced = balanced(members)
    let wanted = Set(
      courses.filter { $0.value.values.contains { balanced[$0].mayHaveTax } }.map(\.key))
    if wanted.isEmpty { return }
    for member in members where wanted.contains(kinds[Int(member.kind)].place) {
      add(Int(member.group), kinds[Int(member.kind)])
    }
  }

  /// Makes the kind of a group's series and season, and returns its index in `kinds`; `none` where
  /// such rows can tell no tax, or are of a storefront and currency that `places` does not have.
  private mutating func newKind(_ group: ReportGroup, _ places: Set<FoundTaxes.Place>) -> Int32 {
    guard let currency = group.terms.customerCurrency,
      group.terms.proceedsCurrency ?? currency == currency
    else { return Self.none }
    let place = FoundTaxes.Place(group.terms.storefront, currency)
    guard places.contains(place), var kind = kind(group, place) else { return Self.none }
    kind.course = courses[place]?[kind.rate] ?? courseCount
    if kind.course == courseCount {
      courses[place, default: [:]][kind.rate] = courseCount
      courseCount += 1
    }
    kinds.append(kind)
    return Int32(kinds.count - 1)
  }

  /// For each storefront, currency and commission (a course): day by day the rows whose deduction
  /// is not the table's, less those at the table's that a changed deduction would not give as well;
  /// and the nearest deductions below and above the table's that rows show.
  ///
  /// - Parameter members: indices of groups, each with the index of its kind.
  private func balanced(_ members: [(group: Int32, kind: Int32)]) -> [Course] {
    let reach = reports.reach
    var courses = Array(
      repeating: Course(
        balance: Array(
          repeating: 0, count: reach.lowerBound.distance(to: reach.upperBound) + 1)),
      count: courseCount)
    for kind in kinds where !kind.isByTable {
      if kind.span.lower + kind.span.upper < 2 * kind.ruled {
        courses[kind.course].below = max(courses[kind.course].below, kind.span.upper)
      } else {
        courses[kind.course].above = min(courses[kind.course].above, kind.span.lower)
      }
    }
    for member in members {
      let (kind, group) = (kinds[Int(member.kind)], reports.groups.groups[Int(member.group)])
      let day = reach.lowerBound.distance(to: reports.ruleDay(of: group))
      let course = kind.course
      if !kind.isByTable {
        courses[course].balance[day] += group.rows
        if group.begin != group.end { courses[course].hasSpans = true }
      } else if courses[course].below < kind.span.lower, kind.span.upper < courses[course].above {
        courses[course].balance[day] -= group.rows
      }
    }
    return courses
  }

  /// Adds a group of rows, by its index.
  private mutating func add(_ index: Int, _ kind: Kind) {
    let group = reports.groups.groups[index]
    sights[kind.place, default: [:]][kind.rate, default: []].append(
      RowSight(
        place: kind.place, rate: kind.rate, table: kind.table, isByTable: kind.isByTable,
        rows: group.rows, sku: group.sku, end: group.begin == group.end ? nil : group.end,
        sighting: Sighting(
          sale: DeductedSale(isEarlier: false, group: index), day: reports.ruleDay(of: group),
          units: group.units, span: kind.span)))
  }

  /// What the rows of a group's series and season show of their tax, without its course yet; nil
  /// where the commission that Apple takes is not known, or a tax of days before explains them.
  private func kind(_ group: ReportGroup, _ place: FoundTaxes.Place) -> Kind? {
    guard let quote = reports.knownQuote(group), quote.rate < 1_000_000 else { return nil }
    let proceeds = abs(group.terms.proceeds)
    let isByTable = abs(proceeds - quote.proceeds) <= reports.allowance(place.currency)
    if !isByTable, reports.olderTax(of: group, place.currency, book, quote.rate) != nil {
      return nil
    }
    let table = book.tax(place, on: reports.ruleDay(of: group), commission: quote.rate)
    return Kind(
      place: place, rate: quote.rate, table: table, isByTable: isByTable,
      span: table.ofPrice.multiples(RateSpan(of: group, place.currency)), course: 0)
  }
}
