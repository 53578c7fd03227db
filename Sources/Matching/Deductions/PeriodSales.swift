import Billing
import Pricing

/// A group of rows, in the reports of the period or of the one before.
struct DeductedSale: Hashable {
  var isEarlier: Bool
  var group: Int
}

/// Rows whose proceeds one rule decides.
struct RateKey: Hashable {
  var storefront: Storefront
  var currency: Currency
  var isAfterOneYear: Bool

  /// The key of the rows whose terms a scope decides.
  ///
  /// - Parameter currency: of the customer price.
  init(_ scope: TermsScope, _ currency: Currency) {
    storefront = scope.storefront
    self.currency = currency
    isAfterOneYear = scope.isAfterOneYear
  }
}

/// Rows that stand together in a line of the price check.
struct DealKey: Hashable {
  var rate: RateKey
  var proceedsCurrency: Currency
  var kind: ProductKind?
  /// Number of the terms that the rows are under, season by season.
  var course: Int

  /// Whether proceeds have another currency than the price.
  var isForeign: Bool { proceedsCurrency != rate.currency }
}

/// The sales of a period's reports at a price, by deal: refunds, credits and free units are left
/// out. What a row says about rates is worked out once for each series of equal rows.
struct PeriodSales {
  let reports: SalesReports
  let isEarlier: Bool
  /// Groups of each deal, by day.
  private(set) var groupsOfDeal: [DealKey: [Int32]] = [:]
  /// By place, as `SalesReports.place` has it: the rates that explain the rows, as multiples of
  /// the rule's.
  private var spans: [RateSpan?]
  /// Rows and units of ordinary sales by the rates that explain them.
  private(set) var weights: [RateKey: [RateSpan: Weight]] = [:]
  private var rules: [RuleKey: RuleRate] = [:]
  /// Units of the line that is being made; zero between lines.
  var unitsOfSeries: [Int64]

  /// Of a series: not met yet, and of a place that is not looked at.
  private static let (unseen, leftOut): (Int32, Int32) = (-1, -2)

  struct Weight {
    var rows: Int64 = 0
    var units: Int64 = 0
  }

  /// Rows of one storefront that are under the same terms in each season.
  private struct TermsByRate: Hashable {
    var rate: RateKey
    var terms: [HeldTerms]
  }

  /// Rows that are under the same terms whatever their product is.
  private struct ScopeOfRate: Hashable {
    var scope: TermsScope
    var currency: Currency
  }

  private struct RuleKey: Hashable {
    var scope: TermsScope
    var currency: Currency
    var season: Int
  }

  /// What decides the terms of a key's rows: that of most units stands for all.
  private(set) var scopes: [RateKey: TermsScope] = [:]
  /// By course, what decides its terms.
  private(set) var scopeOfCourse: [TermsScope] = []

  /// Puts a period's sales at a price into deals, the rows of a line of the price check, and works
  /// out which rates explain each.
  ///
  /// - Parameter wanted: storefronts and currencies that are looked at; nil is all.
  init(_ reports: SalesReports, isEarlier: Bool, of wanted: Set<FoundTaxes.Place>? = nil) {
    self.reports = reports
    self.isEarlier = isEarlier
    let groups = reports.groups
    let places = groups.seriesCount * reports.seasons.count
    spans = Array(repeating: nil, count: places)
    unitsOfSeries = Array(repeating: 0, count: groups.seriesCount)
    var deals: [DealKey] = []
    var numberOfDeal: [DealKey: Int32] = [:]
    var courses: [TermsByRate: Int] = [:]
    var courseOfScope: [ScopeOfRate: Int] = [:]
    var dealOfSeries = [Int32](repeating: Self.unseen, count: groups.seriesCount)
    var members: [[Int32]] = []
    var weightOfPlace = [Weight](repeating: Weight(), count: places)
    var firstOfPlace: [(place: Int, group: Int)] = []
    for (index, group) in groups.groups.enumerated()
    where group.units > 0 && group.price != 0 && group.type == .covered && reports.isCounted(index)
    {
      guard let currency = group.currency else { continue }
      let series = Int(group.series)
      if let wanted, dealOfSeries[series] == Self.unseen,
        !wanted.contains(FoundTaxes.Place(group.terms.storefront, currency))
      {
        dealOfSeries[series] = Self.leftOut
      }
      if dealOfSeries[series] == Self.leftOut { continue }
      if dealOfSeries[series] == Self.unseen {
        let scope = reports.scope(of: group)
        let ofRate = ScopeOfRate(
          scope: reports.context.priceBook.common(scope), currency: currency)
        let course =
          courseOfScope[ofRate]
          ?? Self.course(of: scope, currency, reports, &courses, &scopeOfCourse)
        courseOfScope[ofRate] = course
        let key = DealKey(
          rate: RateKey(scope, currency),
          proceedsCurrency: group.terms.proceedsCurrency ?? currency,
          kind: reports.context.catalogue.kind(scope.sku), course: course)
        let next = Int32(deals.count)
        dealOfSeries[series] = numberOfDeal[key, default: next]
        if dealOfSeries[series] == next {
          numberOfDeal[key] = next
          deals.append(key)
          members.append([])
        }
      }
      members[Int(dealOfSeries[series])].append(Int32(index))
      let place = reports.place(of: group)
      if weightOfPlace[place].rows == 0 { firstOfPlace.append((place, index)) }
      weightOfPlace[place].rows += 1
      weightOfPlace[place].units += group.units
    }
    for (key, groups) in zip(deals, members) { groupsOfDeal[key] = groups }
    scopes = Self.leadingScopes(zip(deals, members), reports, scopeOfCourse)
    for (place, index) in firstOfPlace {
      let group = groups.groups[index]
      let key = deals[Int(dealOfSeries[Int(group.series)])]
      guard !key.isForeign, let span = span(of: group, key.rate) else { continue }
      spans[place] = span
      guard isOrdinary(index) else { continue }
      weights[key.rate, default: [:]][span, default: Weight()].rows += weightOfPlace[place].rows
      weights[key.rate, default: [:]][span, default: Weight()].units += weightOfPlace[place].units
    }
  }

  /// For each rate the scope under which most units were sold at it.
  private static func leadingScopes(
    _ deals: some Sequence<(DealKey, [Int32])>, _ reports: SalesReports, _ scopes: [TermsScope]
  ) -> [RateKey: TermsScope] {
    var units: [RateKey: [Int: Int64]] = [:]
    for (key, members) in deals {
      units[key.rate, default: [:]][key.course, default: 0] += members.reduce(0) {
        $0 + reports.groups.groups[Int($1)].units
      }
    }
    return units.mapValues { units in
      scopes[units.max { ($0.value, -$0.key) < ($1.value, -$1.key) }!.key]
    }
  }

  /// The number of the terms that a scope is under, season by season; new ones get the next.
  ///
  /// - Parameters:
  ///   - currency: of the customer price.
  ///   - courses: the numbers so far.
  ///   - scopes: by number, the first scope that has its terms.
  private static func course(
    of scope: TermsScope, _ currency: Currency, _ reports: SalesReports,
    _ courses: inout [TermsByRate: Int], _ scopes: inout [TermsScope]
  ) -> Int {
    let key = TermsByRate(
      rate: RateKey(scope, currency),
      terms: reports.seasonDays.map { reports.context.priceBook.terms(of: scope, on: $0) })
    if let known = courses[key] { return known }
    courses[key] = scopes.count
    scopes.append(scope)
    return scopes.count - 1
  }

  /// Whether nothing particular decided the price of a group: no offer, and no preserved price.
  func isOrdinary(_ index: Int) -> Bool {
    let group = reports.groups.groups[index]
    return !group.isOffer && !group.isPreserved
  }

  /// What a group of sales, by its index and ordinary or not, says about the rate; nil where
  /// proceeds have another currency or the rule leaves nothing.
  func sighting(_ index: Int) -> Sighting? {
    let group = reports.groups.groups[index]
    return spans[reports.place(of: group)].map {
      Sighting(
        sale: DeductedSale(isEarlier: isEarlier, group: index), day: group.begin,
        units: group.units,
        span: $0)
    }
  }

  /// The rates that explain a group's proceeds, as multiples of the rule's rate; for proceeds that
  /// are the rule's within the tolerance, that rate is among them. Nil where the rule leaves
  /// nothing of a price, or gives nothing for the group.
  private mutating func span(of group: ReportGroup, _ key: RateKey) -> RateSpan? {
    let rule = rule(reports.scope(of: group), key.currency, on: group.begin)
    guard rule.leavesSomething, let quote = reports.tableQuote(group) else { return nil }
    let unit = key.currency.minorUnit
    let proceeds = abs(group.terms.proceeds)
    let isUSDollar = key.currency == Self.usDollar
    let span = RateSpan(
      price: group.price, proceeds: proceeds, unit: unit, mayHaveOneMore: isUSDollar)
    let tolerance = max(reports.context.settings.tolerance, isUSDollar ? 1 : 0)
    let isByRule =
      (Int128(proceeds) - Int128(quote.proceeds)).magnitude
      <= (Int128(tolerance) * Int128(unit)).magnitude
    return rule.multiples(isByRule ? span.widened(to: rule.span) : span)
  }

  private static let usDollar = Currency("USD")!

  /// The rule's rate on a day of the period, by the terms of most units of a storefront, currency
  /// and class.
  mutating func rule(_ key: RateKey, on day: Day) -> RuleRate {
    rule(scope(of: key), key.currency, on: day)
  }

  /// The scope under which most units of a key were sold.
  func scope(of key: RateKey) -> TermsScope {
    scopes[key] ?? TermsScope(key.storefront, isAfterOneYear: key.isAfterOneYear)
  }

  /// The rule's rate on a day of the period, for the rows of one scope, by the tables alone.
  mutating func rule(_ scope: TermsScope, _ currency: Currency, on day: Day) -> RuleRate {
    let season = RuleKey(
      scope: reports.context.priceBook.common(scope), currency: currency,
      season: reports.seasons.season(of: day))
    if let known = rules[season] { return known }
    let rate = basis(scope, currency, on: day).ruleRate
    rules[season] = rate
    return rate
  }

  /// The taxes and the commission that the rule has on a day by the tables alone, and who says so.
  func basis(_ scope: TermsScope, _ currency: Currency, on day: Day) -> PriceBasis {
    reports.context.priceBook.byTable.expectation(
      of: scope, currency: currency, price: currency.minorUnit, day: day
    ).basis
  }
}
