import Billing
import Conclusions

/// A figure that a close states, in the order in which it states them. Amounts are micro-units of
/// base currency; what is taken off is negative.
package enum CloseFigure: String, Hashable, Sendable, CaseIterable {
  /// What Apple owed when the month began.
  case opening
  /// At customer prices.
  case sold
  case refunded
  /// What Apple takes off the price and remits, by the rule.
  case tax
  /// By the rule.
  case commission
  /// Actual proceeds less those of the rule.
  case proceedsDifference = "proceeds_difference"
  /// Proceeds of closed months that are booked in this one.
  case bookedChanges = "booked_changes"
  /// What proceeds in another currency than the price, and rounding in base currency, come to: the
  /// proceeds of each entry at its rate, or at what it took off the receivable, less the figures
  /// before.
  case conversion
  /// What is booked as proceeds beyond what the rows give.
  case unexplained
  /// What the figures since the opening come to.
  case proceeds
  case settlementDifference = "settlement_difference"
  case paymentDifference = "payment_difference"
  case adjustment
  case inputTax = "input_tax"
  case withholding
  /// What the bank got.
  case paid
  case exchange
  /// What Apple owes when the month ends: the opening, the proceeds and all since.
  case closing
  /// By Apple's financial reports, where the month is a fiscal one: it moves nothing that is owed.
  case settled
  /// What the journal's debits come to, and its credits as well.
  case journalTotal = "journal_total"
  case journalEntries = "journal_entries"
  case matchedUnits = "matched_units"
  case unmatchedUnits = "unmatched_units"
  case errors, warnings, infos
  /// Findings that somebody let stand.
  case accepted

  /// Whether the figure is a number of things; else it is an amount.
  package var isCount: Bool {
    switch self {
    case .journalEntries, .matchedUnits, .unmatchedUnits, .errors, .warnings, .infos, .accepted:
      true
    default: false
    }
  }

  /// Whether the figure is what others above it come to.
  var isTotal: Bool { self == .proceeds || self == .closing }

  /// Of sales: what the proceeds are put together from.
  static let ofSales: [CloseFigure] = [
    .sold, .refunded, .tax, .commission, .proceedsDifference, .bookedChanges, .conversion,
    .unexplained,
  ]
  /// Whether the figure is left out where it is nothing in this month and in the one before. One
  /// that is not known is named.
  var isOptional: Bool {
    switch self {
    case .proceedsDifference, .bookedChanges, .conversion, .unexplained, .settlementDifference,
      .paymentDifference, .adjustment, .inputTax, .withholding, .exchange, .settled,
      .journalTotal, .journalEntries:
      true
    default: false
    }
  }

  /// Whether a month of this kind has the figure: a calendar month is journalised, a fiscal one
  /// settled.
  func isStated(of period: Period) -> Bool {
    switch self {
    case .settled: period.fiscalMonth != nil
    case .journalTotal, .journalEntries: period.fiscalMonth == nil
    default: true
    }
  }

  /// The name of the figure for a reader.
  var label: Wording {
    switch self {
    case .opening: "@close.opening-balance"
    case .sold: "@close.sold-at-customer-prices"
    case .refunded: "@close.refunded-at-customer-prices"
    case .tax: "@shared.tax"
    case .commission: "@shared.commission"
    case .proceedsDifference: "@shared.proceeds-difference"
    case .bookedChanges: "@close.changes-of-closed-months"
    case .conversion: "@close.conversion-and-rounding"
    case .unexplained: "@shared.unexplained"
    case .proceeds: "@shared.proceeds-of-the-period"
    case .settlementDifference: "@shared.settlement-difference"
    case .paymentDifference: "@shared.payment-difference"
    case .adjustment: "@shared.adjustment"
    case .inputTax: "@shared.input-tax"
    case .withholding: "@shared.withholding"
    case .paid: "@shared.paid-by-apple"
    case .exchange: "@shared.exchange"
    case .closing: "@close.closing-balance"
    case .settled: "@close.settled-by-financial-reports"
    case .journalTotal: "@close.journal-debits-and-credits-each"
    case .journalEntries: "@close.journal-entries"
    case .matchedUnits: "@shared.matched-units"
    case .unmatchedUnits: "@shared.unmatched-units"
    case .errors: "@close.errors"
    case .warnings: "@close.warnings"
    case .infos: "@shared.info"
    case .accepted: "@close.accepted-findings-2"
    }
  }
}

extension Reconciliation {
  /// The figures that the month comes to, in micro-units of base currency or as numbers; one that a
  /// missing rate hides is absent.
  func closeFigures(_ journal: Journal) -> [CloseFigure: Int64] {
    let counts = findingCounts
    var figures: [CloseFigure: Int64] = [
      .matchedUnits: matchedUnits, .unmatchedUnits: unmatchedUnits,
      .errors: counts[.error] ?? 0, .warnings: counts[.warning] ?? 0, .infos: counts[.info] ?? 0,
    ]
    if period.fiscalMonth == nil {
      figures[.journalEntries] = Int64(journal.entries.count)
      figures[.journalTotal] = journal.total
    }
    if let lines = settlement?.lines, !lines.isEmpty {
      figures[.settled] = inBase(lines.map(\.settled))
    }
    guard let moved = receivableInBase else { return figures }
    figures[.opening] = moved.opening.micros
    figures[.proceeds] = moved.proceeds.micros
    figures[.settlementDifference] = moved.settlementDifference.micros
    figures[.paymentDifference] = moved.paymentDifference.micros
    figures[.adjustment] = moved.adjustment.micros
    figures[.inputTax] = moved.inputTax.micros
    figures[.withholding] = moved.withholding.micros
    figures[.paid] = -moved.paid.micros
    figures[.exchange] = moved.exchange.micros
    figures[.closing] = moved.closing.micros
    if let sales = salesInBase, let proceeds = proceedsInEntries {
      let booked = proceeds + journal.proceedsAtCost
      figures[.conversion] = booked - sales.values.reduce(0, +)
      figures[.unexplained] = moved.proceeds.micros - booked
      figures.merge(sales) { _, new in new }
    }
    return figures
  }

  /// The movements of what Apple owes, of all currencies together, in base currency; nil where one
  /// of them has no rate.
  private var receivableInBase: ReceivableMovement? {
    var sum = ReceivableMovement(baseCurrency)
    for line in receivable {
      guard let own = line.base else { return nil }
      sum.opening += own.opening
      sum.proceeds += own.proceeds
      sum.settlementDifference += own.settlementDifference
      sum.paymentDifference += own.paymentDifference
      sum.adjustment += own.adjustment
      sum.inputTax += own.inputTax
      sum.withholding += own.withholding
      sum.paid += own.paid
      sum.exchange += own.exchange
    }
    return sum
  }

  /// What amounts of several currencies come to in base currency, in micro-units; nil where a rate
  /// is missing.
  private func inBase(_ amounts: [Money]) -> Int64? {
    let sums = Dictionary(grouping: amounts, by: \.currency).map { $1.sum(in: $0, \.self) }
    let converted = sums.compactMap { inBase($0)?.micros }
    return converted.count == sums.count ? converted.reduce(0, +) : nil
  }

  /// What is converted at one rate: sales of a currency, of one day or of the month.
  private struct RatedSum: Hashable {
    /// Where each day's sales count at its own rate.
    var day: Day?
    var currency: Currency
  }

  /// What sales come to and what is taken off them, in micro-units of base currency at the rates by
  /// which they are booked; nil where one of the rates is missing.
  private var salesInBase: [CloseFigure: Int64]? {
    var sums: [RatedSum: [CloseFigure: Int64]] = [:]
    /// Adds a product's figures to the sums of its currency and of a day; a day of nil means that
    /// they are of the whole month.
    func add(_ product: ProductProceeds, on day: Day?) {
      let net = product.net
      let parts: [(CloseFigure, Int64)] = [
        (.sold, product.sold.gross.micros), (.refunded, product.refunded.gross.micros),
        (.tax, -net.tax.micros), (.commission, -net.commission.micros),
        (.proceedsDifference, product.proceedsDifference?.micros ?? 0),
      ]
      for (figure, micros) in parts {
        sums[RatedSum(day: day, currency: product.currency), default: [:]][figure, default: 0] +=
          micros
      }
    }
    if dayProceeds.isEmpty {
      for product in products { add(product, on: nil) }
    } else {
      for line in dayProceeds { add(line.proceeds, on: line.day) }
    }
    for change in booked where change.cause == .reportedProceeds && change.storefront != "ALL" {
      let key = RatedSum(day: nil, currency: change.currency)
      sums[key, default: [:]][.bookedChanges, default: 0] += change.amount.micros
    }
    var figures = Dictionary(
      uniqueKeysWithValues: CloseFigure.ofSales.dropLast(2).map { ($0, Int64(0)) })
    for (key, amounts) in sums {
      for (figure, micros) in amounts {
        guard let value = valued(micros, key) else { return nil }
        figures[figure]! += value
      }
    }
    return figures
  }

  /// Proceeds that are rounded together.
  private struct EntrySum: Hashable {
    var rated: RatedSum
    /// What else parts the journal's entries; all the same where there are none.
    var entry: [String] = []
  }

  /// What proceeds come to in micro-units of base currency at their rates, rounded as they are
  /// booked: in a calendar month by storefront and currency of sale, in a fiscal month all of a
  /// currency; nil where a rate is missing.
  private var proceedsInEntries: Int64? {
    var sums: [EntrySum: Int64] = [:]
    /// Adds proceeds to the sum of the journal entry that the texts identify; a day of nil means
    /// that they are of the whole month.
    func add(_ amount: Money, on day: Day?, _ entry: [String]) {
      let rated = RatedSum(day: day, currency: amount.currency)
      sums[EntrySum(rated: rated, entry: period.fiscalMonth == nil ? entry : []), default: 0] +=
        amount.micros
    }
    /// Adds a product's proceeds to the sum of its storefront's and currency's entry.
    func add(_ product: ProductProceeds, on day: Day?) {
      add(product.net.proceeds, on: day, [product.storefront.code, product.currency.code])
    }
    if dayProceeds.isEmpty {
      for product in products { add(product, on: nil) }
    } else {
      for line in dayProceeds { add(line.proceeds, on: line.day) }
    }
    for change in booked where change.cause == .reportedProceeds && change.storefront != "ALL" {
      add(change.amount, on: nil, ["changes", change.period, change.storefront])
    }
    var all: Int64 = 0
    for (key, micros) in sums {
      guard let value = valued(micros, key.rated) else { return nil }
      all += value
    }
    return all
  }

  /// What micro-units of a sum's currency are worth in base currency, in micro-units; nil without a
  /// rate.
  private func valued(_ micros: Int64, _ sum: RatedSum) -> Int64? {
    if sum.currency == baseCurrency { return micros }
    return bookedRate(sum).map {
      Money(micros: micros, sum.currency).converted(at: $0, to: baseCurrency).micros
    }
  }

  /// The rate at which a sum is booked, base currency for one of its own; nil without one. A
  /// calendar month counts sales at its mean rate or at each day's, a fiscal month at its last.
  private func bookedRate(_ sum: RatedSum) -> Fraction? {
    guard let rates = books?.rates else {
      return period.fiscalMonth == nil ? nil : self.rates[sum.currency]?.value
    }
    return sum.day.map { rates.rate(sum.currency, on: $0)?.value } ?? rates.average(sum.currency)
  }
}

extension Journal {
  /// What the debits come to in micro-units of base currency; nil where a rate is missing.
  fileprivate var total: Int64? {
    var sum: Int64 = 0
    for posting in entries.flatMap(\.postings) {
      guard let value = posting.value(in: base) else { return nil }
      sum += max(0, value)
    }
    return sum
  }
}
