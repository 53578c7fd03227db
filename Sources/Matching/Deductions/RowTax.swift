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

  /// The taxes of the storefronts of some groups, by storefront and day; none on days from which on
  /// a deduction is proven to have changed, since that is told of them.
  static func taxes(
    _ reports: SalesReports, of groups: some Sequence<ReportGroup>, after earlier: SalesReports?
  ) -> [RowTax] {
    let places = Set(
      groups.compactMap { group in
        group.currency.map { FoundTaxes.Place(group.terms.storefront, $0) }
      })
    var sightings: [FoundTaxes.Place: [Int64: [RowSight]]] = [:]
    for sight in RowSights(reports, places).all {
      sightings[sight.place, default: [:]][sight.rate, default: []].append(sight)
    }
    sightings = sightings.filter { $0.value.values.contains(where: RowSight.mayAgree) }
    if sightings.isEmpty { return [] }
    var book = DeductionBook(reports, previous: earlier, of: Set(sightings.keys))
    let changes = book.changes()
    return sightings.sorted { $0.key < $1.key }.flatMap { place, byRate in
      let found = byRate.sorted { $0.key < $1.key }.flatMap { rate, sights in
        unchanged(reports, place, changes, rate).flatMap { span in
          runs(of: sights.filter { span.contains($0.sighting.day) }, in: span).compactMap {
            RowTax(
              place, rate, $0.sights, $0.days, isForAll: byRate.count == 1,
              reports.context.priceBook)
          }
        }
      }
      return found
        + byRate.sorted { $0.key < $1.key }.flatMap { rate, sights in
          found.contains { $0.tax.commission == rate }
            ? [] : found.compactMap { $0.followed(at: rate, by: sights) }
        }
    }
  }

  /// The same at another commission, whose few rows it explains better than the table.
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

  private init(
    place: FoundTaxes.Place, tax: FoundTaxes.Tax, table: PriceBasis, shares: RateSpan
  ) {
    (self.place, self.tax, self.table, self.shares) = (place, tax, table, shares)
  }

  /// The days before the first change of the period, divided where the table changes.
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

  /// The days divided where another rate explains the rows.
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

  /// Nil where the table explains as many rows, at this or another documented commission, or where
  /// too few agree.
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

  /// A tax inside the price, or a deduction beside the table's: what takes fewer digits to say.
  private static func simplest(_ table: PriceBasis, _ shares: RateSpan) -> (Int64, Int64) {
    let base = table.ofPrice
    let inside = base.taxes(leaving: base.shares(shares)).simplest
    let deducted = RateSpan(RateSpan.one - shares.upper, RateSpan.one - shares.lower).simplest
    let isInside = table.taxOrigin == .unknown || inside.trailingZeros > deducted.trailingZeros
    return isInside && inside >= 0 ? (inside, 0) : (base.inside, deducted)
  }
}

extension PriceBasis {
  /// What the table's own tax leaves, without what is deducted besides.
  var ofPrice: RuleRate {
    RuleRate(inside: vat > 0 ? vat : inside, deducted: 0, commission: commission)
  }

  /// The same with what is deducted besides.
  var ruleRate: RuleRate {
    RuleRate(inside: ofPrice.inside, deducted: besideVAT, commission: commission)
  }

  /// What of the price the table deducts before the commission beside that, millionths.
  var besideVAT: Int64 {
    let left = Int128(1_000_000 + ofPrice.inside) * Int128(1_000_000 - deducted)
    return 1_000_000
      - roundedHalfUp(left, dividedBy: Int128(1_000_000 + inside), toMultipleOf: 1)
  }
}

extension RateSpan {
  fileprivate var distanceFromOne: Int64 {
    max(0, max(lower - Self.one, Self.one - upper))
  }
}

extension Int64 {
  /// Of a percentage in millionths: more for one that is said with fewer digits.
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

/// The rows of some storefronts; subscriptions at an older tax of the table are left out.
private struct RowSights {
  private(set) var all: [RowSight] = []
  private let reports: SalesReports
  private let book: PriceBook

  /// What is the same for every group of a series in a season.
  private struct Kind {
    var place: FoundTaxes.Place
    var rate: Int64
    var table: PriceBasis
    var isByTable: Bool
    var span: RateSpan
  }

  init(_ reports: SalesReports, _ places: Set<FoundTaxes.Place>) {
    self.reports = reports
    book = reports.context.priceBook.byTable
    var kinds: [Int: Kind?] = [:]
    for (index, group) in reports.groups.groups.enumerated()
    where group.units > 0 && group.price != 0 && group.type == .covered {
      guard let currency = group.terms.customerCurrency,
        group.terms.proceedsCurrency ?? currency == currency, reports.isCounted(index)
      else { continue }
      let place = FoundTaxes.Place(group.terms.storefront, currency)
      guard places.contains(place) else { continue }
      let number = reports.place(of: group)
      if kinds[number] == nil { kinds[number] = .some(kind(group, place)) }
      guard let kind = kinds[number] ?? nil else { continue }
      all.append(
        RowSight(
          place: place, rate: kind.rate, table: kind.table, isByTable: kind.isByTable,
          rows: group.rows, sku: group.sku,
          sighting: Sighting(
            sale: Sale(isEarlier: false, group: index), day: group.begin, units: group.units,
            span: kind.span)))
    }
  }

  private func kind(_ group: ReportGroup, _ place: FoundTaxes.Place) -> Kind? {
    guard let quote = reports.knownQuote(group), quote.rate < 1_000_000 else { return nil }
    let proceeds = abs(group.terms.proceeds)
    let isByTable = abs(proceeds - quote.proceeds) <= reports.allowance(place.currency)
    if !isByTable, reports.olderTax(of: group, place.currency, book, quote.rate) != nil {
      return nil
    }
    let table = book.tax(place, on: group.begin, commission: quote.rate)
    let span = RateSpan(
      price: group.price, proceeds: proceeds, unit: place.currency.minorUnit,
      mayHaveOneMore: place.currency.code == "USD")
    return Kind(
      place: place, rate: quote.rate, table: table, isByTable: isByTable,
      span: table.ofPrice.multiples(span))
  }
}
