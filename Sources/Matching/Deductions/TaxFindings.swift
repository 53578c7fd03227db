import Billing
import Pricing

extension SalesReports {
  /// One finding for each storefront and tax that rows show beside the table, with indices of the
  /// groups that are its evidence.
  func taxFindings() -> [(finding: UnresolvedFinding, groups: [Int])] {
    if rowTaxes.isEmpty, oddTaxes.isEmpty { return [] }
    var sums: [TaxCause: TaxSum] = [:]
    for (index, group) in groups.groups.enumerated() where isCounted(index) {
      guard let currency = currency(of: group), let quote = knownQuote(group) else { continue }
      let place = FoundTaxes.Place(group.terms.storefront, currency)
      guard let cause = cause(of: group, place, quote) else { continue }
      let byTable = tableQuote(group)?.proceeds ?? quote.proceeds
      sums[cause, default: TaxSum(group.begin)].add(
        group, index, (quote.proceeds - byTable))
    }
    return sums.sorted { $0.key < $1.key }.map { cause, sum in (finding(cause, sum), sum.groups) }
  }

  /// What the tax of a group is where it is not the table's: one that rows agree on, one that held
  /// before, or one that is not known. Nil where the table's tax holds.
  private func cause(
    of group: ReportGroup, _ place: FoundTaxes.Place, _ quote: Quote
  ) -> TaxCause? {
    if let odd = oddTaxes[self.place(of: group)] { return TaxCause(place, odd: odd.cause) }
    guard !rowTaxes.isEmpty, group.type == .covered,
      let tax = context.priceBook.found.tax(
        place.storefront, place.currency, on: ruleDay(of: group), commission: quote.rate)
    else { return nil }
    return TaxCause(place, from: tax.from, inside: tax.inside, deducted: tax.deducted)
  }

  /// The finding of rows that one cause has; it names no money where the tax is not known.
  private func finding(_ cause: TaxCause, _ sum: TaxSum) -> UnresolvedFinding {
    let isKnown = cause.odd != .unknown
    return UnresolvedFinding(
      .taxAsReported, storefront: cause.place.storefront, currency: cause.place.currency,
      day: max(sum.first, context.period.first), units: sum.units,
      amount: isKnown ? sum.amount : nil, explanation: words(cause, sum))
  }

  /// The explanation: how many rows and products on which days, and what explains them.
  private func words(_ cause: TaxCause, _ sum: TaxSum) -> Wording {
    let rows: Wording = """
      @deduction.of \(counted(sum.rows, "@shared.1-row") { "@shared.rows \($0)" }) \
      \(counted(Int64(sum.skus.count), "@shared.1-product") { "@shared.products \($0)" }) \
      \(sum.first) \(sum.last)
      """
    switch cause.odd {
    case .older(let tax): return words(tax, rows)
    case .unknown:
      return """
        @deduction.tax-not-known-here-no \(cause.place.storefront) \(cause.place.currency) \
        \(rows)
        """
    case nil: return words(cause, rows, sum)
    }
  }

  /// The explanation of rows at a tax that held before their days.
  ///
  /// - Parameter rows: how many rows and products on which days, as text.
  private func words(_ tax: OlderTax, _ rows: Wording) -> Wording {
    let commission: Wording =
      tax.commissionShare == 0
      ? "" : "@deduction.and-of-the-commission \(exactPercent(tax.commissionShare))"
    let further: Wording =
      tax.deducted == 0 ? "" : "@deduction.and-deducted \(exactPercent(tax.deducted))"
    return """
      @deduction.are-at-the-tax \(rows) \(tax.until) \(exactPercent(tax.inside)) \(further) \
      \(commission)
      """
  }

  /// The explanation of a tax that rows agree on, with the row of the company's tax file that would
  /// follow it, where there can be one.
  ///
  /// - Parameter rows: how many rows and products on which days, as text.
  private func words(_ cause: TaxCause, _ rows: Wording, _ sum: TaxSum) -> Wording {
    guard
      let tax = rowTaxes.first(where: { tax in
        tax.place == cause.place && tax.tax.from == cause.from && tax.tax.inside == cause.inside
          && tax.tax.deducted == cause.deducted
      })
    else { preconditionFailure("a tax that no rows agree on") }
    let rate = RuleRate(
      inside: cause.inside, deducted: cause.deducted, commission: tax.tax.commission)
    let found: Wording = "@deduction.by \(tax.words) \(rows)"
    guard rate.wholeTax >= 0 else { return found }
    let line = "\(cause.place.storefront),\(decimalText(micros: rate.wholeTax)),\(sum.first),"
    return "@deduction.tax-file-would-say \(found) \(line)"
  }
}

extension RowTax {
  /// What the rows show as text: a tax inside the price or a deduction beside the table's,
  /// with what else the rows leave room for, and what the table has.
  fileprivate var words: Wording {
    let commission = exactPercent(table.commission)
    if table.taxOrigin == .unknown || tax.inside != table.ofPrice.inside {
      let taxes = table.ofPrice.taxes(leaving: table.ofPrice.shares(shares))
      let had: Wording =
        table.taxOrigin == .unknown
        ? "@deduction.table-has-none" : "@deduction.table-has \(exactPercent(table.inside))"
      return """
        @deduction.tax-inside-the-price-is-at-a-commission \(exactPercent(tax.inside)) \
        \(room(taxes)) \(commission) \(had)
        """
    }
    let deductions = RateSpan(RateSpan.one - shares.upper, RateSpan.one - shares.lower)
    return """
      @deduction.beside-a-tax-of-apple \(exactPercent(tax.inside)) \(exactPercent(tax.deducted)) \
      \(room(deductions)) \(commission) \(exactPercent(table.besideVAT))
      """
  }

  /// The range of rates as text: `0.29% to 0.31%`.
  private func room(_ rates: RateSpan) -> Wording {
    let (low, high) = (thousandths(rates.lower), thousandths(rates.upper))
    return "@shared.to \(exactPercent(low)) \(exactPercent(high))"
  }

  /// Millionths of millionths as millionths, rounded to a thousandth of a per cent.
  private func thousandths(_ share: Int64) -> Int64 {
    roundedHalfUp(Int128(share), dividedBy: 1_000_000, toMultipleOf: 10)
  }
}

/// Rows of one storefront and tax.
private struct TaxSum {
  var first: Day
  var last: Day
  var units: Int64 = 0
  var rows: Int64 = 0
  var amount: Int64 = 0
  var skus: Set<Int32> = []
  var groups: [Int] = []

  init(_ day: Day) { (first, last) = (day, day) }

  /// Adds a group, by its index.
  ///
  /// - Parameter more: what a unit brings more than by the table, micro-units.
  mutating func add(_ group: ReportGroup, _ index: Int, _ more: Int64) {
    first = min(first, group.begin)
    last = max(last, group.end)
    units += group.units
    rows += group.rows
    amount += more.multipliedExactly(by: group.units - group.zeroRows)
    skus.insert(group.sku)
    if groups.count < Rules.namedRows { groups.append(index) }
  }
}

/// What explains rows of a storefront where the table's tax does not.
private struct TaxCause: Hashable, Comparable {
  let place: FoundTaxes.Place
  /// Nil where rows agree on a tax, which the other fields name.
  var odd: OddTax.Cause?
  var from: Day?
  var inside: Int64 = 0
  var deducted: Int64 = 0

  /// A tax that held before the days of the rows, or one that no table has.
  init(_ place: FoundTaxes.Place, odd: OddTax.Cause) {
    (self.place, self.odd) = (place, odd)
  }

  /// A tax that rows agree on from a day on; its parts are millionths.
  init(_ place: FoundTaxes.Place, from: Day, inside: Int64, deducted: Int64) {
    self.place = place
    (self.from, self.inside, self.deducted) = (from, inside, deducted)
  }

  /// What the causes of one place are sorted by.
  private var rank: (Int, Int32, Int64, Int64) {
    switch odd {
    case nil: (0, from?.number ?? 0, inside, deducted)
    case .older(let tax): (1, tax.until.number, tax.inside, tax.deducted)
    case .unknown: (2, 0, 0, 0)
    }
  }

  static func < (left: TaxCause, right: TaxCause) -> Bool {
    left.place != right.place ? left.place < right.place : left.rank < right.rank
  }
}
