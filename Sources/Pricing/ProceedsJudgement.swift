package import Billing

/// A price and its proceeds as a report row has them, per unit, in micro-units of one currency.
package struct ReportedProceeds: Hashable, Sendable {
  package var storefront: Storefront
  package var currency: Currency
  /// As printed: negative on refunds.
  package var price: Int64
  /// As printed: positive on refunds too.
  package var proceeds: Int64
  /// The last day that the row is about.
  package var day: Day
  /// The first one, where the report is of more than a day.
  package var firstDay: Day?
  /// `Rate After One Year` or blank.
  package var proceedsReason: String
  /// Nil where the row does not tell it.
  package var platform: Platform?
  package var sku: String
  /// Negative units: the sale may have been under an earlier rule.
  package var isRefund: Bool
  /// The tier that the price belongs to, where known.
  package var tierPrice: TierPrice?

  package init(
    storefront: Storefront, currency: Currency, price: Int64, proceeds: Int64, day: Day,
    firstDay: Day? = nil, proceedsReason: String = "", platform: Platform? = nil,
    sku: String = "", isRefund: Bool = false, tierPrice: TierPrice? = nil
  ) {
    self.storefront = storefront
    self.currency = currency
    self.price = price
    self.proceeds = proceeds
    self.day = day
    self.firstDay = firstDay
    self.proceedsReason = proceedsReason
    self.platform = platform
    self.sku = sku
    self.isRefund = isRefund
    self.tierPrice = tierPrice
  }

  /// What decides the terms of the row's sale.
  var scope: TermsScope {
    TermsScope(
      storefront, platform: platform, sku: sku,
      isAfterOneYear: proceedsReason == CommissionClass.afterOneYearReason)
  }
}

/// What to think of reported proceeds; the expectation is the one of the row's day, or where an
/// earlier rule explains them, that rule's.
package enum ProceedsJudgement: Hashable, Sendable {
  /// Within tolerance of the rule.
  case asExpected(PriceExpectation)
  /// Not as the rule has it, but the deduction is inside the band that the company expects.
  case offRule(PriceExpectation)
  /// As documented terms have it that the configuration says otherwise of; the expectation is the
  /// configuration's, `shown` what gives the proceeds.
  case notAsConfigured(PriceExpectation, shown: HeldTerms)
  /// Neither as the rule has it, nor inside the band.
  case unexpected(PriceExpectation)

  package var expectation: PriceExpectation {
    switch self {
    case .asExpected(let expectation), .offRule(let expectation), .unexpected(let expectation),
      .notAsConfigured(let expectation, _):
      expectation
    }
  }
}

extension PriceBook {
  /// How long a purchase can be refunded, with room to spare: the statutory and Apple's own terms
  /// end after about 90 days.
  private static let refundDays: Int32 = 120

  /// The days on which the sales may have been that Apple gives back on `day`.
  package static func daysOfSales(refundedOn day: Day) -> ClosedRange<Day> {
    Day(number: day.number - refundDays)...day
  }

  /// Judges the proceeds of a row: by the rule of its day, by earlier rules and other terms that
  /// its sales may have been under, then by how much is deducted.
  ///
  /// - Parameters:
  ///   - tolerance: minor units by which proceeds may differ; in US dollars at least one, because
  ///     Apple has been seen to round the US list both ways.
  ///   - expectedDeduction: bounds of 1 − proceeds ÷ price, in millionths, both included; nil is
  ///     around what the terms deduct.
  package func judge(
    _ row: ReportedProceeds, tolerance: Int64, expectedDeduction: ClosedRange<Int64>?
  ) -> ProceedsJudgement {
    precondition(tolerance >= 0)
    let allowed = allowance(row.currency, tolerance)
    let expected = expectation(of: row, as: row.day)
    if isNear(row.proceeds, expected.proceeds, within: allowed) { return .asExpected(expected) }
    for eve in evesOfChange(for: row) {
      let earlier = expectation(of: row, as: eve)
      if isNear(row.proceeds, earlier.proceeds, within: allowed) { return .asExpected(earlier) }
    }
    for terms in alternatives(to: row) {
      let other = expectation(of: row, under: terms, as: row.day)
      if isNear(row.proceeds, other.proceeds, within: allowed) { return .asExpected(other) }
    }
    if let span = shown.span(of: row.scope, on: row.day), span.shown != span.expected {
      let terms = held(span.shown, row.scope, on: row.day)
      let other = expectation(of: row, under: terms, as: row.day)
      if isNear(row.proceeds, other.proceeds, within: allowed) {
        return .notAsConfigured(expected, shown: terms)
      }
    }
    let band = expectedDeduction ?? expected.deductionsNearby
    return isDeduction(of: row, inside: band) ? .offRule(expected) : .unexpected(expected)
  }

  private static let usDollar = Currency("USD")!

  /// By how much proceeds in a currency may differ from the rule, in micro-units.
  ///
  /// - Parameter tolerance: minor units; in US dollars one at least counts.
  package func allowance(_ currency: Currency, _ tolerance: Int64) -> Int64 {
    let minorUnits = currency == Self.usDollar ? max(tolerance, 1) : tolerance
    return minorUnits.multipliedExactly(by: currency.minorUnit)
  }

  /// What the row's price should bring by the terms and taxes of `day`.
  private func expectation(of row: ReportedProceeds, as day: Day) -> PriceExpectation {
    expectation(of: row, under: terms(of: row.scope, on: day), as: day)
  }

  /// What the row's price should bring under named terms, by the taxes of `day`.
  func expectation(
    of row: ReportedProceeds, under terms: HeldTerms, as day: Day
  ) -> PriceExpectation {
    expectation(
      under: terms, of: row.scope, currency: row.currency, price: abs(row.price), day: day,
      tierPrice: row.tierPrice)
  }

  /// Other terms that a row of its day may be under: those on either side of a change near the day,
  /// and for a refund those that documents allow the sale that it gives back.
  private func alternatives(to row: ReportedProceeds) -> [HeldTerms] {
    let own = terms(of: row.scope, on: row.day)
    var states = shown.isChange(row.scope, around: row.day)
    if row.isRefund {
      states += shown.states(of: row.scope, until: row.day)
      let agreements = documented.agreements(
        row.storefront, row.platform, until: row.day)
      states += ([nil] + agreements.map { $0 }).map {
        TermsState(own.state.commissionClass, agreement: $0)
      }
    }
    return states.filter { $0 != own.state }.map { held($0, row.scope, on: row.day) }
  }

  /// Whether an amount differs from the expected one by no more than `allowed`; all in micro-units.
  func isNear(_ actual: Int64, _ expected: Int64, within allowed: Int64) -> Bool {
    (Int128(actual) - Int128(expected)).magnitude <= Int128(allowed).magnitude
  }

  /// Whether 1 − proceeds ÷ price is inside bounds in millionths, both included; false at price
  /// zero.
  private func isDeduction(of row: ReportedProceeds, inside band: ClosedRange<Int64>) -> Bool {
    let price = Int128(abs(row.price))
    let kept = (price - Int128(row.proceeds)) * 1_000_000
    return price > 0 && Int128(band.lowerBound) * price <= kept
      && kept <= Int128(band.upperBound) * price
  }

  /// The last days of the rules that ended before the row's last day and may still have been
  /// those of its sales, latest first.
  private func evesOfChange(for row: ReportedProceeds) -> [Day] {
    let firstDay = row.firstDay ?? row.day
    let first =
      row.isRefund ? Self.daysOfSales(refundedOn: firstDay).lowerBound.number : firstDay.number
    if first >= row.day.number { return [] }
    var ranges = taxes.rules(concerning: row.storefront).map(\.days)
    ranges += documented.rules(concerning: row.storefront).map(\.days)
    ranges += usCopies.copies.filter { $0.storefront == row.storefront }.map(\.days)
    ranges += (overrides[row.storefront] ?? []).map(\.days)
    ranges += configuredRanges
    let eves = Set(ranges.flatMap(\.eves).filter { (first..<row.day.number).contains($0) })
    return eves.sorted(by: >).map { Day(number: $0) }
  }
}
