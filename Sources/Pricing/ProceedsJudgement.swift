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
  /// Negative units: the sale may have been under an earlier rule.
  package var isRefund: Bool
  /// The tier that the price belongs to, where known.
  package var tierPrice: TierPrice?

  package init(
    storefront: Storefront, currency: Currency, price: Int64, proceeds: Int64, day: Day,
    firstDay: Day? = nil, proceedsReason: String = "", isRefund: Bool = false,
    tierPrice: TierPrice? = nil
  ) {
    self.storefront = storefront
    self.currency = currency
    self.price = price
    self.proceeds = proceeds
    self.day = day
    self.firstDay = firstDay
    self.proceedsReason = proceedsReason
    self.isRefund = isRefund
    self.tierPrice = tierPrice
  }
}

/// What to think of reported proceeds; the expectation is the one of the row's day, or where an
/// earlier rule explains them, that rule's.
package enum ProceedsJudgement: Hashable, Sendable {
  /// Within tolerance of the rule.
  case asExpected(PriceExpectation)
  /// Not as the rule has it, but the deduction is inside the band that the company expects.
  case offRule(PriceExpectation)
  /// Neither as the rule has it, nor inside the band.
  case unexpected(PriceExpectation)

  package var expectation: PriceExpectation {
    switch self {
    case .asExpected(let expectation), .offRule(let expectation), .unexpected(let expectation):
      expectation
    }
  }
}

extension PriceBook {
  /// How long a purchase can be refunded, with room to spare: the statutory and Apple's own terms
  /// end after about 90 days.
  static let refundDays: Int32 = 120

  /// Judges the proceeds of a row.
  ///
  /// - Parameters:
  ///   - tolerance: minor units by which proceeds may differ; in US dollars at least one, because
  ///     Apple has been seen to round the US list both ways.
  ///   - expectedDeduction: bounds of 1 − proceeds ÷ price, in millionths, both included.
  package func judge(
    _ row: ReportedProceeds, tolerance: Int64, expectedDeduction: ClosedRange<Int64>
  ) -> ProceedsJudgement {
    precondition(tolerance >= 0)
    let minorUnits = row.currency == Self.usDollar ? max(tolerance, 1) : tolerance
    let allowed = minorUnits.multipliedExactly(by: row.currency.minorUnit)
    let expected = expectation(of: row, as: row.day)
    if isNear(row.proceeds, expected.proceeds, within: allowed) { return .asExpected(expected) }
    for eve in evesOfChange(for: row) {
      let earlier = expectation(of: row, as: eve)
      if isNear(row.proceeds, earlier.proceeds, within: allowed) { return .asExpected(earlier) }
    }
    return isDeduction(of: row, inside: expectedDeduction)
      ? .offRule(expected) : .unexpected(expected)
  }

  private static let usDollar = Currency("USD")!

  private func expectation(of row: ReportedProceeds, as day: Day) -> PriceExpectation {
    expectation(
      storefront: row.storefront, currency: row.currency, price: abs(row.price), day: day,
      commission: commissionClass(proceedsReason: row.proceedsReason, day: day),
      tierPrice: row.tierPrice)
  }

  private func isNear(_ actual: Int64, _ expected: Int64, within allowed: Int64) -> Bool {
    (Int128(actual) - Int128(expected)).magnitude <= Int128(allowed).magnitude
  }

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
    let first = row.isRefund ? firstDay.number - Self.refundDays : firstDay.number
    if first >= row.day.number { return [] }
    var ranges = taxes.rules(concerning: row.storefront).map(\.days)
    ranges += commissions.rules(concerning: row.storefront).map(\.days)
    ranges += usCopies.copies.filter { $0.storefront == row.storefront }.map(\.days)
    ranges += (overrides[row.storefront] ?? []).map(\.days)
    ranges += smallBusiness.map { DayRange(from: $0.from, to: $0.to) }
    let eves = Set(ranges.flatMap(\.eves).filter { (first..<row.day.number).contains($0) })
    return eves.sorted(by: >).map { Day(number: $0) }
  }
}
