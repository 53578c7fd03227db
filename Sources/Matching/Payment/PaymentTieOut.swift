package import Billing
import Pricing

/// Level 4: what Apple settled against what its payments summary says, and that against the bank.
package struct PaymentTieOut: Sendable {
  package typealias RegionKey = SettlementTieOut.RegionKey

  let context: MatchingContext
  let month: FiscalMonth
  let rates: RateBook
  /// By region and currency, where the region's financial report is loaded.
  let settled: [RegionKey: Int64]
  /// What the month before left unpaid; nil where its summary is not loaded.
  private let unpaidBefore: [RegionKey: Int64]?
  package private(set) var findings: [UnresolvedFinding] = []
  /// Ascending by region and currency.
  package private(set) var payments: [RegionPayment] = []
  package private(set) var payouts: [BankPayout] = []

  /// - Parameter settled: what the month's financial reports add up to; empty where none is loaded.
  package init(
    _ facts: SettlementFacts, settled: [RegionKey: Int64], month: FiscalMonth, rates: RateBook,
    context: MatchingContext
  ) {
    self.context = context
    self.month = month
    self.rates = rates
    self.settled = settled
    let before = facts.payments.filter { $0.month == month.previous }
    unpaidBefore = before.isEmpty ? nil : Self.unpaid(before)
    let summaries = facts.payments.filter { $0.month == month }
    guard !summaries.isEmpty else { return }
    for (key, lines) in Self.byRegion(summaries).sorted(by: { $0.key < $1.key }) {
      take(key, lines)
    }
    for summary in summaries { takePayouts(summary) }
    addUnpaidRegions()
  }

  /// A line with what only its summary tells.
  struct Line {
    var line: PaymentLine
    var source: Source
    var payout: Payout?
  }

  static func byRegion(_ summaries: [PaymentSummary]) -> [RegionKey: [Line]] {
    var lines: [RegionKey: [Line]] = [:]
    for summary in summaries {
      for line in summary.lines {
        let key = RegionKey(
          region: line.region.isEmpty ? line.label : line.region, currency: line.currency)
        lines[key, default: []].append(
          Line(
            line: line, source: Source(file: summary.file, line: Int(line.line)),
            payout: summary.payouts.first { $0.block == line.block }))
      }
    }
    return lines
  }

  private static func unpaid(_ summaries: [PaymentSummary]) -> [RegionKey: Int64] {
    byRegion(summaries).mapValues { lines in
      lines.reduce(0) { $0 + ($1.line.proceeds == nil ? $1.line.owed : 0) }
    }
  }
}

// MARK: - Regions

extension PaymentTieOut {
  private mutating func take(_ key: RegionKey, _ lines: [Line]) {
    func sum(_ part: (PaymentLine) -> Int64) -> Int64 { lines.reduce(0) { $0 + part($1.line) } }
    let earned = sum(\.earned)
    let known = settled[key] ?? (earned == 0 && !settled.isEmpty ? 0 : nil)
    var payment = RegionPayment(
      region: key.region, currency: key.currency, settled: known, earned: earned, difference: 0,
      adjustment: sum(\.adjustments), withholding: sum(\.withholding), inputTax: sum(\.inputTax),
      carriedBalance: sum { $0.balance ?? 0 }, owed: sum(\.owed), paid: nil, bankCurrency: nil)
    let banks = Set(lines.compactMap(\.line.bankCurrency))
    let isPaid = lines.allSatisfy { $0.line.proceeds != nil }
    if banks.count == 1, isPaid {
      payment.paid = sum { $0.proceeds ?? 0 }
      payment.bankCurrency = banks.first
      payment.paidOn = lines.map { day(of: $0.payout) }.max()
    }
    payment.difference = checkAmounts(payment, lines, key)
    addInformation(payment, lines, key)
    if let paid = payment.paid, let bank = payment.bankCurrency {
      checkRate(payment, paid, bank, lines, key)
    }
    payments.append(payment)
  }

  /// The amount by which the summary's own figures do not follow from the report before it.
  private mutating func checkAmounts(
    _ payment: RegionPayment, _ lines: [Line], _ key: RegionKey
  ) -> Int64 {
    var texts: [Wording] = []
    var difference: Int64 = 0
    func say(_ amount: Int64) -> Wording { spoken(amount, key.currency) }
    if let settled = payment.settled, settled != payment.earned {
      difference += payment.earned - settled
      texts.append(
        """
        the payments summary has earned \(say(payment.earned)), the financial report comes to \
        \(say(settled))
        """)
    }
    let parts =
      payment.earned + payment.carriedBalance + payment.inputTax + payment.adjustment
      + payment.withholding
    if payment.owed != parts {
      difference += payment.owed - parts
      texts.append("total owed is \(say(payment.owed)), its parts come to \(say(parts))")
    }
    if let expected = unpaidBefore?[key] ?? unpaidBefore.map({ _ in 0 }),
      lines.contains(where: { $0.line.balance != nil }), expected != payment.carriedBalance
    {
      texts.append(
        """
        the balance carried over is \(say(payment.carriedBalance)), \(month.previous) left \
        \(say(expected)) unpaid
        """)
    }
    guard !texts.isEmpty else { return 0 }
    add(
      .paymentDiffers, key, difference, lines.map(\.source),
      "\(name(key)) in \(month): \(texts.joined(separator: "; "))")
    return difference
  }

  /// What is no difference but has to be booked.
  private mutating func addInformation(
    _ payment: RegionPayment, _ lines: [Line], _ key: RegionKey
  ) {
    let sources = lines.map(\.source)
    func say(_ amount: Int64) -> Wording { spoken(amount, key.currency) }
    if payment.adjustment != 0 {
      add(
        .adjustment, key, payment.adjustment, sources,
        "Apple adjusted \(name(key)) by \(say(payment.adjustment)) in \(month)")
    }
    if payment.withholding != 0 {
      let withheld: Wording = """
        tax of \(say(-payment.withholding)) was withheld in \(name(key)) in \(month)
        """
      add(
        .withholding, key, payment.withholding, sources,
        payment.earned == 0 ? withheld + ", without sales in the month" : withheld)
    }
    if payment.carriedBalance != 0 {
      add(
        .carriedBalance, key, payment.carriedBalance, sources,
        "\(say(payment.carriedBalance)) of earlier months is owed with \(month) in \(name(key))")
    }
    let unpaid = lines.reduce(Int64(0)) { $0 + ($1.line.proceeds == nil ? $1.line.owed : 0) }
    if unpaid != 0 {
      add(
        .carriedBalance, key, -unpaid, sources,
        """
        \(say(unpaid)) owed for \(month) in \(name(key)) is not paid: it is below Apple's \
        threshold or pending, and is carried over
        """)
    }
  }

  /// Regions that settled something and have no line.
  private mutating func addUnpaidRegions() {
    let paid = Set(payments.map { RegionKey(region: $0.region, currency: $0.currency) })
    for (key, amount) in settled.sorted(by: { $0.key < $1.key })
    where amount != 0 && !paid.contains(key) {
      add(
        .paymentDiffers, key, -amount, [],
        """
        \(name(key)) settled \(spoken(amount, key.currency)) in \(month), and the payments summary \
        has no line for it
        """)
    }
  }

  private func name(_ key: RegionKey) -> String {
    let name = FinanceRegionTable.builtIn.name(of: key.region) ?? key.region
    return "\(name) (\(key.currency))"
  }

  private mutating func add(
    _ code: FindingCode, _ key: RegionKey, _ amount: Int64, _ sources: [Source], _ text: Wording
  ) {
    var finding = UnresolvedFinding(
      code, storefront: Storefront(key.region), currency: key.currency, day: month.last,
      amount: amount, explanation: text)
    finding.places = sources
    findings.append(finding)
  }
}

// MARK: - The bank

extension PaymentTieOut {
  private mutating func takePayouts(_ summary: PaymentSummary) {
    for payout in summary.payouts {
      guard let amount = payout.amount, let currency = payout.currency else { continue }
      let sum = summary.lines.filter { $0.block == payout.block }
        .reduce(Int64(0)) { $0 + ($1.proceeds ?? 0) }
      payouts.append(
        BankPayout(
          account: payout.account, amount: Money(micros: amount, currency),
          regions: Money(micros: sum, currency),
          day: day(of: payout), isDayEstimated: payout.day == nil))
      guard amount != sum else { continue }
      var finding = UnresolvedFinding(
        .paymentDiffers, currency: currency, day: month.last, amount: amount - sum,
        explanation: """
          the payout of \(month) is \(spoken(amount, currency)), the proceeds of its regions come \
          to \(spoken(sum, currency))
          """)
      finding.places = [Source(file: summary.file, line: Int(payout.line))]
      findings.append(finding)
    }
  }

  private func day(of payout: Payout?) -> Day {
    payout?.day ?? month.last.advanced(by: Rules.paymentDelay)
  }

  /// The rate that Apple really used against the loaded one of the payment's day. Proceeds are
  /// rounded to the bank's minor unit, which alone moves the rate of a small amount.
  private mutating func checkRate(
    _ payment: RegionPayment, _ paid: Int64, _ bank: Currency, _ lines: [Line], _ key: RegionKey
  ) {
    let day = day(of: lines[0].payout)
    guard key.currency != bank, payment.owed != 0,
      let loaded = rates.rate(from: key.currency, to: bank, on: day)
    else { return }
    let expected = roundedHalfUp(
      Int128(payment.owed) * Int128(loaded), dividedBy: 1_000_000, toMultipleOf: 1)
    let allowed =
      roundedHalfUp(
        Int128(expected.magnitude) * Int128(context.settings.fxTolerance), dividedBy: 1_000_000,
        toMultipleOf: 1) + bank.minorUnit / 2
    guard (paid - expected).magnitude > allowed.magnitude, let effective = payment.effectiveRate
    else { return }
    let rounded = roundedHalfUp(Int128(expected), dividedBy: 1, toMultipleOf: bank.minorUnit)
    var finding = UnresolvedFinding(
      .fxRateUnexpected, storefront: Storefront(key.region), currency: bank, day: month.last,
      amount: paid - rounded,
      explanation: """
        Apple paid \(name(key)) of \(month) at \(decimalText(micros: effective)), the loaded rate \
        of \(day) is \(decimalText(micros: loaded)): \(spoken(paid, bank)) instead of \
        \(spoken(rounded, bank))
        """)
    if lines[0].payout?.day == nil { finding.explanation += " (the payment's day is estimated)" }
    finding.places = lines.map(\.source)
    findings.append(finding)
  }
}
