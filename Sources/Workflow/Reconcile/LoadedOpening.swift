import Billing
import Conclusions
import Ledger
import Matching
import Pricing

/// What Apple owed before a day that no close goes before, as far as it is loaded.
///
/// Of the fiscal months that were not paid by then: what was sold from the first of them on from
/// which all sales reports are loaded, what was carried into it, and what Apple settled otherwise.
/// Of those before it, what their payments were owed for, else what they settled; where neither is
/// loaded, the month is left out. What is booked with a payment is not in it.
struct LoadedOpening {
  private(set) var amounts: [Currency: Int64] = [:]
  /// What it leaves out, ascending by month.
  private(set) var gaps: [OpeningGap] = []
  private let day: Day
  private let request: ReconcileRequest
  private let ledger: Ledger
  /// Of the fiscal month that begins on the day; nil where a calendar month does.
  private let own: Settlement?
  /// Fiscal months of whose settlement anything is loaded.
  private let settled: Set<FiscalMonth>
  private var isWhole = true
  private var hasSales = false

  /// Adds up what Apple owed before the day.
  ///
  /// - Parameter own: the settlement of the fiscal month that begins on the day; nil where a
  ///   calendar month does.
  init(
    before day: Day, _ own: Settlement?, _ request: ReconcileRequest, _ ledger: Ledger
  ) throws {
    (self.day, self.own, self.request, self.ledger) = (day, own, request, ledger)
    let kinds: Set<InputKind> = [.finance, .financeDetail, .payments]
    settled = Set(
      try ledger.inputs().filter { kinds.contains($0.kind) }
        .compactMap { $0.to.map { FiscalMonth(containing: $0) } })
    let unpaid = try unpaidMonths()
    let first = try addSales(unpaid)
    let begun = try settlement(of: first)
    let isKnown = try unpaid.filter { $0 < first }
      .map { try addPayments(of: $0, before: first, begun) }
    // Of a month that goes on after the day and is left out, the rest stands in the period's sales.
    if isKnown.last == false, first.first > day {
      addCarried(begun)
    } else {
      addBegun(begun, first)
    }
    for month in unpaid where month >= first && month.last < day { try addChanges(of: month) }
    amounts = amounts.filter { $0.value != 0 }
  }

  /// What the amounts rest on: everything loaded, a part of it, or nothing, so that zero is
  /// assumed.
  var basis: OpeningBasis {
    guard hasSales || !amounts.isEmpty else { return .assumedZero }
    return isWhole ? .loaded : .loadedInPart
  }

  /// The amounts as the opening balances of a fiscal month's receivable, by currency.
  var balances: [ReceivableBalance] {
    amounts.sorted { $0.key < $1.key }
      .map { ReceivableBalance(amount: Money(micros: $0.value, $0.key), base: nil) }
  }

  /// The remark that says where what was owed before a period comes from.
  func note(_ period: Period) -> Wording {
    let note: Wording = "@reconcile.what-apple-owed-before-is-computed \(period)"
    return isWhole ? note : note + "@reconcile.what-is-not-loaded"
  }

  /// Adds an amount to what Apple owed in its currency.
  private mutating func add(_ money: Money) { amounts[money.currency, default: 0] += money.micros }

  // MARK: - Months

  /// The fiscal months that Apple had not paid before the day, ascending, without gaps; the last
  /// perhaps lies before it only in part.
  private func unpaidMonths() throws -> [FiscalMonth] {
    var months = [FiscalMonth(containing: day.advanced(by: -1))]
    for _ in 0..<request.settings.carryMax + 2 { months.append(months[months.count - 1].previous) }
    let last = months[0].last
    var facts = SettlementFacts()
    facts.payments = try ledger.payments(of: months[months.count - 1].first...last)
    facts.bank = try ledger.bank(
      of: months[months.count - 1].first...last.advanced(by: Rules.bankDaysAfterMonth))
    // A calendar month books payments as the bank has them, a fiscal one as Apple states them.
    facts =
      own == nil
      ? facts.received(request.settings, asOf: request.asOf)
      : facts.dated(request.settings, asOf: request.asOf)
    return months.prefix { isUnpaid($0, facts.payments) }.reversed()
  }

  /// Whether Apple had not paid a fiscal month before the day: by the payments of it that are
  /// loaded, else by the day on which it is to be paid.
  private func isUnpaid(_ month: FiscalMonth, _ payments: [PaymentSummary]) -> Bool {
    let (own, paymentDays) = (payments.filter { $0.month == month }, request.settings.paymentDays)
    if own.isEmpty { return (paymentDays[month] ?? month.paymentDay) >= day }
    return !own.contains { summary in
      summary.payouts.contains {
        summary.payment(ofBlock: $0.block, by: day.advanced(by: -1), told: paymentDays) != nil
      }
    }
  }

  /// The settlement of a fiscal month, tied out where it is not the own one; nil where nothing of
  /// it is loaded.
  private func settlement(of month: FiscalMonth) throws -> Settlement? {
    if let own, own.month == month { return own }
    guard settled.contains(month) else { return nil }
    var earlier = request
    (earlier.period, earlier.recording) = (month.period, nil)
    let facts = try ledger.reportFacts(reportDays(month.period))
    let context = matchingContext(earlier, facts)
    let reports = SalesReports(facts, context)
    return try SettlementPart(earlier, ledger, reports, context)?
      .conclusion(reported: reports.proceedsLines(rates: RateBook(facts.rates)))
  }

  // MARK: - Amounts

  /// Adds what was sold before the day, month by month backwards until one is not loaded whole.
  ///
  /// - Parameter unpaid: the fiscal months that Apple had not paid before the day, ascending.
  /// - Returns: the first month whose sales were added; where none were, the month that follows the
  ///   one of the day before.
  private mutating func addSales(_ unpaid: [FiscalMonth]) throws -> FiscalMonth {
    var first = FiscalMonth(containing: day.advanced(by: -1)).next
    for month in unpaid.reversed() {
      let sold = try self.sold(month.first...min(month.last, day.advanced(by: -1)))
      guard sold.isWhole else { break }
      for (currency, micros) in sold.amounts { add(Money(micros: micros, currency)) }
      (first, hasSales) = (month, true)
    }
    return first
  }

  /// The proceeds of these days by the sales reports that are loaded, and whether each has one.
  private func sold(_ days: ClosedRange<Day>) throws -> SpanProceeds {
    let period = Period(first: days.lowerBound, last: days.upperBound)
    return SpanProceeds(try ledger.reportFacts(period.days), of: period, storefronts: .builtIn)
  }

  /// Adds what Apple owed for sales before the first month: carried into its settlement, left open
  /// by it, or a balance that its payment has from earlier.
  ///
  /// - Parameters:
  ///   - begun: the first month's settlement; nil where nothing of it is loaded.
  ///   - first: the first month whose sales were added.
  private mutating func addBegun(_ begun: Settlement?, _ first: FiscalMonth) {
    isWhole = isWhole && begun.map { !$0.lines.isEmpty && !$0.isEstimated } ?? false
    for line in begun?.lines ?? [] { add(line.carryIn) }
    for item in begun?.openItems ?? [] where item.soldIn < first { add(item.amount) }
    for payment in begun?.payments ?? [] { add(payment.carriedBalance) }
  }

  /// Adds, of the sales that the first month's settlement carried in from earlier months, those
  /// from before the day: that month's payment pays them.
  ///
  /// - Parameter begun: the settlement of the first month whose sales were added; nil where nothing
  ///   of it is loaded.
  private mutating func addCarried(_ begun: Settlement?) {
    for (currency, carried) in begun?.carriedIn ?? [:] {
      add(Money(micros: carried.filter { $0.key < day }.values.reduce(0, +), currency))
    }
  }

  /// Adds what Apple still owed for a fiscal month before `first`, by the month's payments, else by
  /// its settlement.
  ///
  /// - Parameters:
  ///   - first: the first month whose sales were added.
  ///   - begun: the settlement of `first`; nil where nothing of it is loaded.
  /// - Returns: whether that is known; else the month is left out, and its gaps are noted.
  private mutating func addPayments(
    of month: FiscalMonth, before first: FiscalMonth, _ begun: Settlement?
  ) throws -> Bool {
    guard let settlement = try settlement(of: month),
      !settlement.payments.isEmpty || !settlement.lines.isEmpty
    else {
      try leaveOut(month, begun)
      return false
    }
    // What was not paid is a balance of the next month's payment.
    let isLast = month.next == first && begun?.payments.isEmpty ?? true
    for payment in settlement.payments {
      let isBookedLater = payment.isDue || month.last >= day
      if payment.isDue || isLast { add(payment.owed) }
      if isBookedLater { add(.zero(payment.currency) - changes(payment)) }
    }
    if settlement.payments.isEmpty {
      isWhole = false
      // What stayed below the threshold is a balance of the next month's payment.
      let next = month.next == first ? begun : try self.settlement(of: month.next)
      let carried = (next?.payments ?? []).filter { !$0.carriedBalance.isZero }.map(\.region)
      for line in settlement.lines where !carried.contains(line.region) { add(line.settled) }
    }
    // The period's own sales have the rest of a month that goes on after the day.
    if month.last >= day {
      let sold = try self.sold(day...month.last)
      isWhole = isWhole && sold.isWhole
      for (currency, micros) in sold.amounts { add(Money(micros: -micros, currency)) }
    }
    return true
  }

  /// Notes what the opening lacks because a month is left out of it: the month's loaded sales, less
  /// those that the first month's settlement carried in and pays.
  ///
  /// - Parameter begun: the settlement of the first month whose sales were added; nil where nothing
  ///   of it is loaded.
  private mutating func leaveOut(_ month: FiscalMonth, _ begun: Settlement?) throws {
    isWhole = false
    let before = try sold(month.first...min(month.last, day.advanced(by: -1)))
    var parts = [(OpeningGap.Part.leftOut, before)]
    if month.last >= day { parts.append((.owed, try sold(day...month.last))) }
    for (part, sold) in parts {
      for (currency, micros) in sold.amounts.sorted(by: { $0.key < $1.key }) {
        let carried = begun?.carriedIn[currency] ?? [:]
        let settled = carried.filter { sold.covers($0.key) }.values.reduce(0, +)
        guard micros != settled else { continue }
        gaps.append(
          OpeningGap(month: month, part: part, amount: Money(micros: micros - settled, currency)))
      }
    }
    if gaps.last?.month != month { gaps.append(OpeningGap(month: month)) }
  }

  /// Adds what Apple settled for a month otherwise than it reported, and what is not booked with a
  /// payment.
  private mutating func addChanges(of month: FiscalMonth) throws {
    let settlement = try settlement(of: month)
    for line in settlement?.lines ?? [] { add(line.difference) }
    for payment in settlement?.payments ?? [] {
      if !payment.isDue { add(changes(payment)) }
      if own == nil { add(payment.difference) }
    }
  }

  /// The sum of what is booked beside a payment: adjustment, input tax and withholding; where
  /// the opening is that of a fiscal month, also what findings about the payment come to.
  private func changes(_ payment: RegionPayment) -> Money {
    let deducted = payment.adjustment + payment.inputTax + payment.withholding
    return own == nil ? deducted : deducted + payment.difference
  }
}

extension RegionPayment {
  /// Whether the payment is paid by itself, and is no balance that is carried over.
  fileprivate var isDue: Bool { paid != nil || expected != nil }
}
