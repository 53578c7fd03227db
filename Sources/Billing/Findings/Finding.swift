/// How much a finding matters.
package enum Severity: String, Hashable, Sendable, CaseIterable, Comparable {
  case info, warning, error

  /// The severity for a reader.
  package var wording: Wording {
    switch self {
    case .info: "@shared.info"
    case .warning: "@shared.warning"
    case .error: "@shared.error"
    }
  }

  private var rank: Int { self == .info ? 0 : self == .warning ? 1 : 2 }
  package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// Where a row came from.
package struct Source: Hashable, Sendable, Comparable {
  /// As given to `import`.
  package var file: String
  package var line: Int
  package init(file: String, line: Int) {
    self.file = file
    self.line = line
  }
  package static func < (left: Source, right: Source) -> Bool {
    (left.file, left.line) < (right.file, right.line)
  }
}

/// Money of one storefront, in one of its currencies.
package struct StorefrontMoney: Hashable, Sendable {
  /// Nil where nobody told it.
  package var storefront: Storefront?
  package var amount: Money

  package init(_ storefront: Storefront?, _ amount: Money) {
    self.storefront = storefront
    self.amount = amount
  }
}

/// A difference with a cause, an amount and its evidence.
package struct Finding: Hashable, Sendable {
  package var code: FindingCode
  package var severity: Severity
  /// Of payments and of a file's own totals: the code of Apple's financial region, such as `EU`.
  package var storefront: Storefront?
  package var currency: Currency?
  /// Level 1: the business day; level 2: Apple's report day; level 3: the day of the sale, by
  /// Apple's report; level 4: the fiscal month's last day.
  package var date: Day?
  package var sku: String?
  package var units: Int64?
  /// Micro-units of `currency`, Apple's side minus ours; nil where no money differs.
  package var amount: Int64?
  /// What it comes to by storefront and currency, where it is about several; else empty.
  package var parts: [StorefrontMoney] = []
  /// Numbers and amounts of Apple's documents that it takes for the cause; most have none.
  package var documents: [String] = []
  package var orderIDs: [String]
  package var transactionIDs: [String]
  package var sources: [Source]
  /// What happened, with its figures.
  package var explanation: Wording
  /// What to do about it.
  package var action: Wording
  /// Digest of code, storefront, currency, date, sku, units, amount, ids, parts and documents.
  package var id: String
  /// The id that it had while its SKU stood in one app; nil for all that were not there then.
  package var formerID: String?
  /// The user whom its orders name, or its transactions where it has no order; empty where there is
  /// none or several. No part of the id.
  package var customer = ""
  /// What people said of it; nil where nobody said anything. No part of the id.
  package var work: FindingWork?
  /// Whether its amount reaches the threshold of the settings; nil where there is none.
  package var isMaterial: Bool?

  package init(
    code: FindingCode, severity: Severity, storefront: Storefront?, currency: Currency?, date: Day?,
    sku: String?, units: Int64?, amount: Int64?, orderIDs: [String], transactionIDs: [String],
    sources: [Source], explanation: Wording, action: Wording, id: String
  ) {
    self.code = code
    self.severity = severity
    self.storefront = storefront
    self.currency = currency
    self.date = date
    self.sku = sku
    self.units = units
    self.amount = amount
    self.orderIDs = orderIDs
    self.transactionIDs = transactionIDs
    self.sources = sources
    self.explanation = explanation
    self.action = action
    self.id = id
  }

  /// `amount` with its currency.
  package var money: Money? {
    guard let amount, let currency else { return nil }
    return Money(micros: amount, currency)
  }

  /// All money that it is about: its parts, or its amount.
  package var worth: [StorefrontMoney] { Self.worth(parts, storefront, amount, currency) }

  fileprivate static func worth(
    _ parts: [StorefrontMoney], _ storefront: Storefront?, _ amount: Int64?, _ currency: Currency?
  ) -> [StorefrontMoney] {
    if !parts.isEmpty { return parts }
    guard let amount, let currency else { return [] }
    return [StorefrontMoney(storefront, Money(micros: amount, currency))]
  }

  /// The order of findings in every output: storefront, date, SKU, code, id, nils first.
  package static func isOrderedBefore(_ left: Finding, _ right: Finding) -> Bool {
    withUnsafePointer(to: left) { left in
      withUnsafePointer(to: right) { precedes(left, $0) }
    }
  }

  /// Of findings that are looked at where they stand no copy is made.
  fileprivate static func precedes(
    _ left: UnsafePointer<Finding>, _ right: UnsafePointer<Finding>
  ) -> Bool {
    if left.pointee.storefront != right.pointee.storefront {
      return (left.pointee.storefront?.code ?? "") < (right.pointee.storefront?.code ?? "")
    }
    if left.pointee.date != right.pointee.date {
      return (left.pointee.date?.number ?? .min) < (right.pointee.date?.number ?? .min)
    }
    if left.pointee.sku != right.pointee.sku {
      return (left.pointee.sku ?? "") < (right.pointee.sku ?? "")
    }
    if left.pointee.code != right.pointee.code {
      return left.pointee.code.rawValue < right.pointee.code.rawValue
    }
    return left.pointee.id < right.pointee.id
  }
}

extension [Finding] {
  /// The same in the order of every output, in which they mostly are.
  package var inOutputOrder: [Finding] {
    let areInOrder = withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return true }
      return !all.indices.dropFirst().contains { Finding.precedes(base + $0, base + $0 - 1) }
    }
    return areInOrder ? self : sorted(by: Finding.isOrderedBefore)
  }

  /// What the finding at a place is worth, as ``Finding/worth``, without a copy of the finding.
  package func worth(at place: Int) -> [StorefrontMoney] {
    Finding.worth(
      self[place].parts, self[place].storefront, self[place].amount, self[place].currency)
  }
}

/// The names of the differences that Tieout can find. Scripts rely on the raw values.
package enum FindingCode: String, Hashable, Sendable, CaseIterable {
  /// A clock that told orders or transactions is off by whole quarter hours.
  case clockOff = "clock-off"
  /// What orders and transactions leave out explains it as well as any fault does.
  case inputsInsufficient = "inputs-insufficient"
  /// Apple charged, no order claims it, and back-tracing found none.
  case transactionWithoutOrder = "transaction-without-order"
  /// The claiming order is still created or was cancelled, and Apple did not refund.
  case chargedNotFulfilled = "charged-not-fulfilled"
  /// The order is paid or fulfilled, and there is no Apple transaction for it.
  case orderWithoutTransaction = "order-without-transaction"
  /// Several orders claim one transaction; the earliest placed keeps it.
  case transactionReused = "transaction-reused"
  /// A Sandbox transaction fulfilled an order, outside the allowed users and windows.
  case sandboxFulfilled = "sandbox-fulfilled"
  /// Many orders name one ID that no transaction has: it stands for nothing.
  case idRepeated = "id-repeated"
  /// The receipt is another app's.
  case bundleMismatch = "bundle-mismatch"
  /// The order's SKU is not the transaction's.
  case productMismatch = "product-mismatch"
  /// The quantities of order and transaction differ.
  case quantityMismatch = "quantity-mismatch"
  /// Revoked by Apple, the order still stands as paid or fulfilled.
  case refundNotReversed = "refund-not-reversed"
  /// Apple refunded a renewal that has no order of its own.
  case renewalRefunded = "renewal-refunded"
  /// Two sources tell different things of one transaction.
  case sourcesContradict = "sources-contradict"
  /// The order's price is not the transaction's, or not the tier's then.
  case priceMismatch = "price-mismatch"
  /// The order granted other coins than the catalogue says.
  case coinsMismatch = "coins-mismatch"
  /// Bought before the order was placed.
  case purchaseBeforeOrder = "purchase-before-order"
  /// The order is refunded, Apple did not revoke.
  case refundedNotByApple = "refunded-not-by-apple"
  /// Fulfilled by a family-shared transaction: nothing was paid.
  case familySharedFulfilled = "family-shared-fulfilled"
  /// Fulfilled later after the purchase than allowed.
  case lateFulfilment = "late-fulfilment"
  /// One original transaction serves several users.
  case subscriptionShared = "subscription-shared"
  /// Whole paid periods are missing inside a subscription's chain.
  case renewalGap = "renewal-gap"
  /// A trial or introductory price twice in one subscription group by one user.
  case offerReused = "offer-reused"

  /// Apple reports more sale units than the ledger has.
  case notInLedger = "not-in-ledger"
  /// The ledger has more sale units than Apple reports.
  case notInReport = "not-in-report"
  /// Apple reports more refund units.
  case refundNotInLedger = "refund-not-in-ledger"
  /// The ledger has more refund units.
  case refundNotInReport = "refund-not-in-report"
  /// Units booked on a neighbouring day, proven by transactions near the boundary.
  case timing = "timing"
  /// Units missing on one day and found on the next, with fewer transactions near the boundary.
  case timingUnproven = "timing-unproven"
  /// Apple reports a SKU that the catalogue does not have.
  case unknownSKU = "unknown-sku"
  /// The customer price is not the tier's then.
  case priceNotInTier = "price-not-in-tier"
  /// Proceeds differ from the rule and the deduction is outside the expected band.
  case proceedsUnexpected = "proceeds-unexpected"
  /// Proceeds differ from the rule, the deduction is inside the band.
  case proceedsOffRule = "proceeds-off-rule"
  /// What proceeds differ from the rule by within the tolerance, and in rows that are not judged.
  case proceedsTolerated = "proceeds-tolerated"
  /// The customer currency is not the storefront's.
  case currencyUnexpected = "currency-unexpected"
  /// A zero-unit or prorated refund row.
  case partialRefund = "partial-refund"
  /// A day of the period has neither a report nor a recorded no-sales.
  case reportMissing = "report-missing"
  /// A report was replaced by another version.
  case reportRestated = "report-restated"
  /// Reports of other spans say other things of the same days.
  case reportsDisagree = "reports-disagree"
  /// A value of a closed vocabulary that money hangs on is not known.
  case wordUnknown = "word-unknown"
  /// A file's own totals do not fit its rows.
  case footerMismatch = "footer-mismatch"
  /// From a day on other documented terms explain the rows of a storefront.
  case termsChanged = "terms-changed"
  /// Documented terms explain rows of which the configuration says that others hold.
  case termsNotAsConfigured = "terms-not-as-configured"
  /// From a day on another rate explains the proceeds of a storefront's rows than before.
  case deductionChanged = "deduction-changed"
  /// Rows of a storefront agree on another tax than the table's, are at one that held before, or
  /// show one that no table has.
  case taxAsReported = "tax-as-reported"

  /// A region's financial report is not loaded: nobody knows what Apple settled there.
  case regionReportMissing = "region-report-missing"
  /// Apple settled other units than its sales reports have.
  case settlementUnits = "settlement-units"
  /// Apple settled units at another partner share than its sales reports have.
  case settlementProceeds = "settlement-proceeds"
  /// Sold in one fiscal month and settled in a later one, or not yet.
  case settlementCarry = "settlement-carry"
  /// The payments summary, or the payout, is not what the reports before it add up to.
  case paymentDiffers = "payment-differs"
  /// Apple exchanged at another rate than the loaded one of the payment's day.
  case fxRateUnexpected = "fx-rate-unexpected"
  /// Tax that Apple kept back from a payment.
  case withholding = "withholding"
  /// A correction of Apple's in a payment.
  case adjustment = "adjustment"
  /// Owed but not paid this month, or paid now and owed from earlier ones.
  case carriedBalance = "carried-balance"

  /// What a payment lacks is what open invoices of commission come to.
  case offset = "offset"

  /// Level 2: Apple sold units at another price than the ledger has for them, or the ledger has
  /// none.
  case priceDiffers = "price-differs"
  /// Apple would owe less than nothing, and nothing explains it.
  case receivableNegative = "receivable-negative"
  /// Money is converted at a rate that is older than a week on the day for which it is used.
  case rateStale = "rate-stale"
  // Of orders and transactions too: what cannot be.

  /// Told of a moment after the day as of which everything is judged.
  case datedAhead = "dated-ahead"
  /// An amount that its currency cannot have, or a currency that does not exist.
  case amountImpossible = "amount-impossible"

  /// The tax that a payload tells of a sale is not the tax table's, or does not fit its price.
  case taxDiffers = "tax-differs"

  /// A payout is due, and the bank statement that covers the day does not have it.
  case payoutNotReceived = "payout-not-received"
  /// The bank has another amount than Apple paid.
  case bankDiffers = "bank-differs"

  /// Apple's report counts other subscription events on a day than the ledger's chains have.
  case subscriptionEventsDiffer = "subscription-events-differ"
  /// Apple counts another number of active subscriptions at a day's end than the ledger.
  case subscriptionsDiffer = "subscriptions-differ"
  /// Rows of Apple's subscriber report and the ledger's periods of a day do not come out even.
  case subscriberDiffers = "subscriber-differs"
  /// A subscription report names a product that no catalogue and no sales report has.
  case subscriptionUnknown = "subscription-unknown"
  /// Days of the period have no subscription report, while others have.
  case subscriptionReportMissing = "subscription-report-missing"

  /// The tie-out that finds it: 1 orders, 2 sales, 3 settlement, 4 payment, 5 bank.
  package var level: Int {
    switch self {
    case .regionReportMissing, .settlementUnits, .settlementProceeds, .settlementCarry: 3
    case .paymentDiffers, .fxRateUnexpected, .withholding, .adjustment, .carriedBalance, .offset: 4
    case .payoutNotReceived, .bankDiffers: 5
    case .notInLedger, .notInReport, .refundNotInLedger, .refundNotInReport, .timing,
      .timingUnproven, .unknownSKU, .priceNotInTier, .priceDiffers, .proceedsUnexpected,
      .proceedsOffRule, .currencyUnexpected, .proceedsTolerated, .partialRefund, .reportMissing,
      .reportRestated, .footerMismatch, .deductionChanged, .taxAsReported, .rateStale,
      .termsChanged,
      .termsNotAsConfigured, .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers,
      .subscriptionUnknown, .subscriptionReportMissing, .receivableNegative, .reportsDisagree,
      .wordUnknown:
      2
    default: 1
    }
  }

  /// How much it matters; an old `settlement-carry` matters more, a report that is not due less.
  package var severity: Severity {
    switch self {
    case .timing, .partialRefund, .proceedsTolerated, .settlementCarry, .fxRateUnexpected,
      .withholding, .adjustment, .carriedBalance, .termsChanged, .taxAsReported:
      .info
    // Its shift is taken out, and all figures are shown without it.
    case .clockOff, .datedAhead, .taxDiffers, .renewalRefunded, .priceMismatch, .coinsMismatch,
      .purchaseBeforeOrder,
      .refundedNotByApple, .familySharedFulfilled, .lateFulfilment, .subscriptionShared,
      .renewalGap, .offerReused, .refundNotInReport, .timingUnproven, .priceDiffers,
      .proceedsOffRule, .currencyUnexpected, .reportRestated, .footerMismatch, .deductionChanged,
      .rateStale, .offset, .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers,
      .subscriptionUnknown, .subscriptionReportMissing, .reportsDisagree, .wordUnknown:
      .warning
    default: .error
    }
  }
}
