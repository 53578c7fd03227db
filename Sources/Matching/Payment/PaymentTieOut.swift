package import Billing
package import Conclusions
import Pricing

/// Levels 4 and 5: what Apple settled against what its payments summary says, and that against the
/// bank.
package struct PaymentTieOut: Sendable {
  let context: MatchingContext
  let month: FiscalMonth
  let rates: RateBook
  /// By region and currency, where the region's financial report is loaded.
  let settled: [RegionKey: Int64]
  /// What the month before left unpaid; nil where its summary is not loaded.
  private let unpaidBefore: [RegionKey: Int64]?
  private let bank: BankTieOut
  /// What open invoices may have been set off against.
  private var shortfalls: [InvoiceOffsets.Shortfall] = []
  /// What they likely were.
  package private(set) var offsets: [InvoiceOffset] = []
  package private(set) var findings: [UnresolvedFinding] = []
  /// Ascending by region and currency.
  package private(set) var payments: [RegionPayment] = []
  package private(set) var payouts: [BankPayout] = []

  /// Ties the payment of one fiscal month out.
  ///
  /// - Parameter settled: what the month's financial reports add up to, in micro-units; empty where
  ///   none is loaded.
  package init(
    _ facts: SettlementFacts, settled: [RegionKey: Int64], month: FiscalMonth, rates: RateBook,
    context: MatchingContext
  ) {
    let bank = BankTieOut(facts, context.settings, asOf: context.asOf)
    let facts = facts.paid(by: bank)
    self.bank = bank
    self.context = context
    self.month = month
    self.rates = rates
    self.settled = settled
    let before = facts.payments.filter { $0.month == month.previous }
    unpaidBefore = before.isEmpty ? nil : Self.unpaid(before, by: context.asOf)
    let places = facts.payments.indices.filter { facts.payments[$0].month == month }
    let summaries = places.map { facts.payments[$0] }
    guard !summaries.isEmpty else { return }
    let told = context.settings.paymentDays
    let regions = summaries.linesByRegion(by: context.asOf, told: told)
    for (key, lines) in regions.sorted(by: { $0.key < $1.key }) {
      addPayment(of: key, lines)
    }
    for (place, summary) in zip(places, summaries) { addPayouts(summary, at: place) }
    addUnpaidRegions(summaries)
    addOffsets(facts.invoices, shortfalls)
  }

  /// Adds a likely set-off, with the finding about it.
  mutating func add(_ offset: InvoiceOffset, _ finding: UnresolvedFinding) {
    offsets.append(offset)
    findings.append(finding)
  }

  /// What each region was owed and not paid by these summaries, in micro-units.
  private static func unpaid(_ summaries: [PaymentSummary], by day: Day) -> [RegionKey: Int64] {
    summaries.linesByRegion(by: day).mapValues { lines in
      lines.reduce(0) { $0 + ($1.line.proceeds == nil ? $1.line.owed : 0) }
    }
  }
}

// MARK: - Regions

extension PaymentTieOut {
  /// Adds what the payments summary has of a region and currency, and findings about it.
  private mutating func addPayment(of key: RegionKey, _ lines: [PaymentSummaryLine]) {
    /// The sum of a part over all lines, in the region's currency unless another is named.
    func sum(_ part: (PaymentLine) -> Int64, _ currency: Currency? = nil) -> Money {
      Money(micros: lines.reduce(0) { $0 + part($1.line) }, currency ?? key.currency)
    }
    let earned = sum(\.earned)
    let known = settled[key] ?? (earned.isZero && !settled.isEmpty ? 0 : nil)
    var payment = RegionPayment(
      region: key.region, currency: key.currency,
      settled: known.map { Money(micros: $0, key.currency) })
    payment.earned = earned
    payment.adjustment = sum(\.adjustments)
    payment.withholding = sum(\.withholding)
    payment.inputTax = sum(\.inputTax)
    payment.carriedBalance = sum { $0.balance ?? 0 }
    payment.owed = sum(\.owed)
    let banks = Set(lines.compactMap(\.line.bankCurrency))
    if banks.count == 1, lines.allSatisfy({ $0.line.proceeds != nil }) {
      let proceeds = sum({ $0.proceeds ?? 0 }, banks.first)
      if lines.allSatisfy({ $0.paidOn != nil }) {
        payment.paid = proceeds
        payment.paidOn = lines.compactMap(\.paidOn).max()
      } else {
        payment.expected = proceeds
      }
    }
    payment.difference = checkAmounts(payment, lines, key)
    addInformation(payment, lines, key)
    if let paid = payment.paid ?? payment.expected { checkRate(payment, paid, lines, key) }
    payments.append(payment)
  }

  /// The amount by which the summary's own figures do not follow from the report before it; adds a
  /// finding about them, and a shortfall where less is owed than its parts.
  private mutating func checkAmounts(
    _ payment: RegionPayment, _ lines: [PaymentSummaryLine], _ key: RegionKey
  ) -> Money {
    var texts: [Wording] = []
    var difference = Money.zero(key.currency)
    if let settled = payment.settled, settled != payment.earned {
      difference += payment.earned - settled
      texts.append(
        "@payment.payments-summary-shows-earned \(spoken(payment.earned)) \(spoken(settled))")
    }
    let parts =
      payment.earned + payment.carriedBalance + payment.inputTax + payment.adjustment
      + payment.withholding
    if payment.owed.micros < parts.micros, payment.adjustment.isZero {
      shortfalls.append(
        InvoiceOffsets.Shortfall(
          amount: parts - payment.owed, day: day(of: lines[0].payout),
          words: """
            @adjustment.amount-owed-for-in-is \(name(key)) \(month) \
            \(spoken(parts - payment.owed))
            """,
          region: Storefront(key.region), source: lines.first?.source, place: key.region))
    }
    if payment.owed != parts {
      difference += payment.owed - parts
      texts.append("@adjustment.total-owed-is-its-parts \(spoken(payment.owed)) \(spoken(parts))")
    }
    if let expected = unpaidBefore.map({ Money(micros: $0[key] ?? 0, key.currency) }),
      lines.contains(where: { $0.line.balance != nil }), expected != payment.carriedBalance
    {
      texts.append(
        """
        @carried-balance.balance-carried-over-is-left \(spoken(payment.carriedBalance)) \
        \(month.previous) \(spoken(expected))
        """)
    }
    guard !texts.isEmpty else { return difference }
    add(
      .paymentDiffers, key, difference, lines.map(\.source),
      "@payment-differs.in \(name(key)) \(month) \(texts.joined(separator: "; "))")
    return difference
  }

  /// Adds findings about what is no difference but has to be booked: corrections, tax withheld, and
  /// what is carried from month to month.
  private mutating func addInformation(
    _ payment: RegionPayment, _ lines: [PaymentSummaryLine], _ key: RegionKey
  ) {
    let sources = lines.map(\.source)
    if !payment.adjustment.isZero {
      add(
        .adjustment, key, payment.adjustment, sources,
        "@adjustment.apple-adjusted-by \(name(key)) \(spoken(payment.adjustment)) \(month)")
    }
    if !payment.withholding.isZero {
      let withheld: Wording =
        "@withholding.tax-of-was-withheld \(spoken(-payment.withholding)) \(name(key)) \(month)"
      add(
        .withholding, key, payment.withholding, sources,
        payment.earned.isZero ? withheld + "@withholding.without-sales-in-the-month" : withheld)
    }
    if !payment.carriedBalance.isZero {
      add(
        .carriedBalance, key, payment.carriedBalance, sources,
        """
        @carried-balance.of-earlier-months-is-owed \(spoken(payment.carriedBalance)) \(month) \
        \(name(key))
        """,
        action: payment.paid == nil ? nil : AdviceByFact.settled)
    }
    let unpaid = lines.filter { $0.line.proceeds == nil }
      .sum(in: key.currency) { Money(micros: $0.line.owed, key.currency) }
    if !unpaid.isZero {
      add(
        .carriedBalance, key, -unpaid, sources,
        "@carried-balance.owed-for-in-is-not \(spoken(unpaid)) \(month) \(name(key))")
    }
  }

  /// Adds findings about regions that settled something and have no line.
  private mutating func addUnpaidRegions(_ summaries: [PaymentSummary]) {
    let paid = Set(payments.map { RegionKey(region: $0.region, currency: $0.currency) })
    for (key, amount) in settled.sorted(by: { $0.key < $1.key })
    where amount != 0 && !paid.contains(key) {
      add(
        .paymentDiffers, key, -Money(micros: amount, key.currency), [],
        """
        @payment-differs.settled-in-and-the-payments \(name(key)) \
        \(spoken(amount, key.currency)) \(month)
        """,
        // The files as wholes lack it.
        absentFrom: summaries.map { Source(file: $0.file, line: 0) })
    }
  }

  /// A region's name with its currency, as text.
  private func name(_ key: RegionKey) -> Wording {
    let name = FinanceRegionTable.builtIn.name(of: key.region) ?? Wording(verbatim: key.region)
    return "\(name) (\(key.currency))"
  }

  /// Adds a finding about a region's payment.
  ///
  /// - Parameters:
  ///   - sources: the lines that it is about.
  ///   - files: those that lack what it is about.
  private mutating func add(
    _ code: FindingCode, _ key: RegionKey, _ amount: Money, _ sources: [Source], _ text: Wording,
    absentFrom files: [Source] = [], action: Wording? = nil
  ) {
    var finding = UnresolvedFinding(
      code, storefront: Storefront(key.region), currency: key.currency, day: month.last,
      amount: amount.micros, explanation: text)
    finding.places = sources
    finding.citation = Citation(.paymentsSummary, places: (sources + files).sorted())
    finding.action = action
    findings.append(finding)
  }
}

// MARK: - The bank

extension PaymentTieOut {
  /// Adds the payouts of a summary, and a finding where one is not what its regions come to.
  ///
  /// - Parameter place: of the summary among the facts' payments.
  private mutating func addPayouts(_ summary: PaymentSummary, at place: Int) {
    for (index, payout) in summary.payouts.enumerated() {
      guard let amount = payout.amount, let currency = payout.currency else { continue }
      let sum = summary.lines.filter { $0.block == payout.block }
        .reduce(Int64(0)) { $0 + ($1.proceeds ?? 0) }
      payouts.append(
        BankPayout(
          account: payout.account, amount: Money(micros: amount, currency),
          regions: Money(micros: sum, currency),
          day: day(of: payout), isDayEstimated: isDayEstimated(payout),
          isPaid: summary.payment(
            ofBlock: payout.block, by: context.asOf, told: context.settings.paymentDays) != nil))
      tieOutBank(
        payouts.count - 1, BankTieOut.Place(summary: place, payout: index),
        Source(file: summary.file, line: Int(payout.line)))
      if amount < sum {
        addShortfall(
          Money(micros: sum - amount, currency), of: payout, summary,
          "@payment.payout-of-is-below \(month) \(spoken(sum - amount, currency))")
      }
      guard amount != sum else { continue }
      var finding = UnresolvedFinding(
        .paymentDiffers, currency: currency, day: month.last, amount: amount - sum,
        explanation: """
          @payment-differs.payout-of-is-the-proceeds \(month) \(spoken(amount, currency)) \
          \(spoken(sum, currency))
          """)
      finding.places = [Source(file: summary.file, line: Int(payout.line))]
      finding.citation = Citation(.paymentsSummary, places: finding.places)
      findings.append(finding)
    }
  }

  /// Holds a payout against its credit: adds a finding where the bank has another amount, or should
  /// have it and does not.
  ///
  /// - Parameters:
  ///   - index: of the payout in ``payouts``.
  ///   - place: of the payout among the facts' payments.
  ///   - source: where the payments summary tells it.
  private mutating func tieOutBank(
    _ index: Int, _ place: BankTieOut.Place, _ source: Source
  ) {
    let payout = payouts[index]
    let currency = payout.amount.currency
    if let (credit, debit) = bank.returned[place] {
      payouts[index].returned = credit.credit.day...debit.credit.day
      var finding = UnresolvedFinding(
        .payoutNotReceived, currency: currency, day: month.last, amount: payout.amount.micros,
        explanation: """
          @payout-not-received.payout-was-returned \(month) \(spoken(payout.amount)) \
          \(credit.credit.day) \(debit.credit.day)
          """)
      finding.places = [source, credit.source, debit.source].sorted()
      finding.citation = Citation(
        .bankStatement, places: [credit.source, debit.source].sorted())
      findings.append(finding)
      return
    }
    guard let credits = bank.credits[place], let last = credits.last?.credit else {
      guard !payout.amount.isZero, bank.isLate(payout.day) else { return }
      payouts[index].isLate = true
      var finding = UnresolvedFinding(
        .payoutNotReceived, currency: currency, day: month.last, amount: payout.amount.micros,
        explanation: """
          @payout-not-received.payout-of-was-due \(month) \(spoken(payout.amount)) \(payout.day)
          """)
      finding.places = [source]
      finding.citation = Citation(
        .paymentsSummary, places: [source],
        estimate: payout.isDayEstimated ? Self.dayIsUntold : nil)
      findings.append(finding)
      return
    }
    let received = Money(micros: credits.amount, currency)
    payouts[index].received = received
    payouts[index].creditCount = credits.count
    (payouts[index].payer, payouts[index].valueDay) = (last.payer, last.valueDay)
    let lines = credits.map(\.source).sorted()
    guard received != payout.amount else { return }
    if received.micros < payout.amount.micros {
      shortfalls.append(
        InvoiceOffsets.Shortfall(
          amount: payout.amount - received, day: last.day,
          words: """
            @payout-not-received.bank-received-less-than-apple \
            \(spoken(payout.amount - received)) \(month)
            """, region: nil, source: source, place: payout.account, bookedOn: last.day,
          citation: Citation(
            .bankStatement, places: lines, estimate: InvoiceOffsets.isUntold)))
    }
    var finding = UnresolvedFinding(
      .bankDiffers, currency: currency, day: month.last,
      amount: (payout.amount - received).micros,
      explanation: """
        @bank-differs.payout-of-is-the-bank \(month) \(spoken(payout.amount)) \
        \(spoken(received)) \(last.day)
        """)
    finding.places = ([source] + lines).sorted()
    finding.citation = Citation(.bankStatement, places: lines)
    findings.append(finding)
  }

  /// Notes what a payout lacks as possibly set off, unless its summary has an adjustment.
  private mutating func addShortfall(
    _ amount: Money, of payout: Payout, _ summary: PaymentSummary, _ words: Wording
  ) {
    let lines = summary.lines.filter { $0.block == payout.block }
    // What an adjustment explains is explained.
    guard lines.allSatisfy({ $0.adjustments == 0 }) else { return }
    shortfalls.append(
      InvoiceOffsets.Shortfall(
        amount: amount, day: day(of: payout), words: words, region: nil,
        source: Source(file: summary.file, line: Int(payout.line)), place: payout.account,
        bookedOn: day(of: payout)))
  }

  private static let dayIsUntold: Wording = "@payment.payment-day-is-the-usual"

  /// Whether neither the file nor the company tells the day of a payout.
  private func isDayEstimated(_ payout: Payout?) -> Bool {
    payout?.day == nil && context.settings.paymentDays[month] == nil
  }

  /// The day of a payout: as the file tells, else as the company says, else the usual day.
  private func day(of payout: Payout?) -> Day {
    payout?.day ?? context.settings.paymentDays[month] ?? month.paymentDay
  }

  /// Adds a finding where the rate that Apple really used is not the loaded one of the payment's
  /// day. Proceeds are rounded to the bank's minor unit, which alone moves the rate of a small
  /// amount.
  ///
  /// - Parameter paid: proceeds in the bank's currency, paid or expected.
  private mutating func checkRate(
    _ payment: RegionPayment, _ paid: Money, _ lines: [PaymentSummaryLine], _ key: RegionKey
  ) {
    let bank = paid.currency
    let day = day(of: lines[0].payout)
    guard key.currency != bank, !payment.owed.isZero,
      let loaded = rates.dated(from: key.currency, to: bank, on: day)
    else { return }
    let expected = loaded.rate.value.micros(of: payment.owed.micros)
    let allowed =
      roundedHalfUp(
        Int128(expected.magnitude) * Int128(context.settings.fxTolerance), dividedBy: 1_000_000,
        toMultipleOf: 1) + bank.minorUnit / 2
    guard (paid.micros - expected).magnitude > allowed.magnitude,
      let effective = payment.rate(of: paid)
    else { return }
    let rounded = payment.owed.converted(at: loaded.rate, to: bank).micros
    var finding = UnresolvedFinding(
      .fxRateUnexpected, storefront: Storefront(key.region), currency: bank, day: month.last,
      amount: paid.micros - rounded,
      explanation: """
        @fx-rate-unexpected.apple-paid \(name(key)) \(month) \(effective.rateText) \(loaded.day) \
        \(loaded.rate.text) \(spoken(paid)) \(spoken(rounded, bank))
        """)
    if loaded.isStale(on: day) {
      finding.explanation += "@fx-rate-unexpected.that-rate-is-older-than \(day)"
    }
    finding.places = lines.map(\.source)
    finding.citation = Citation(
      .paymentsSummary, places: finding.places.sorted(),
      estimate: isDayEstimated(lines[0].payout) ? Self.dayIsUntold : nil)
    findings.append(finding)
  }
}
