// All codes, by level.

extension FindingCode {
  // MARK: Level 1: orders and transactions

  /// A clock that told orders or transactions is off by whole quarter hours.
  package static let clockOff = FindingCode("clock-off")
  /// What orders and transactions leave out explains it as well as any fault does.
  package static let inputsInsufficient = FindingCode("inputs-insufficient")
  /// Apple charged, no order claims it, and back-tracing found none.
  package static let transactionWithoutOrder = FindingCode("transaction-without-order")
  /// The claiming order is still created or was cancelled, and Apple did not refund.
  package static let chargedNotFulfilled = FindingCode("charged-not-fulfilled")
  /// The order is paid or fulfilled, and there is no Apple transaction for it.
  package static let orderWithoutTransaction = FindingCode("order-without-transaction")
  /// Several orders claim one transaction; the earliest placed keeps it.
  package static let transactionReused = FindingCode("transaction-reused")
  /// A Sandbox transaction fulfilled an order, outside the allowed users and windows.
  package static let sandboxFulfilled = FindingCode("sandbox-fulfilled")
  /// Many orders name an ID that no transaction has. The ledger asks for it by name.
  package static let idRepeated = FindingCode("id-repeated")
  /// The receipt is another app's.
  package static let bundleMismatch = FindingCode("bundle-mismatch")
  /// The order's SKU is not the transaction's.
  package static let productMismatch = FindingCode("product-mismatch")
  /// The quantities of order and transaction differ.
  package static let quantityMismatch = FindingCode("quantity-mismatch")
  /// Revoked by Apple, the order still stands as paid or fulfilled.
  package static let refundNotReversed = FindingCode("refund-not-reversed")
  /// Apple refunded a renewal that has no order of its own.
  package static let renewalRefunded = FindingCode("renewal-refunded")
  /// Two sources tell different things of one transaction.
  package static let sourcesContradict = FindingCode("sources-contradict")
  /// The order's price is not the transaction's, or not the tier's then.
  package static let priceMismatch = FindingCode("price-mismatch")
  /// The order granted other coins than the catalogue says.
  package static let coinsMismatch = FindingCode("coins-mismatch")
  /// Bought before the order was placed.
  package static let purchaseBeforeOrder = FindingCode("purchase-before-order")
  /// The order is refunded, Apple did not revoke.
  package static let refundedNotByApple = FindingCode("refunded-not-by-apple")
  /// Fulfilled by a family-shared transaction: nothing was paid.
  package static let familySharedFulfilled = FindingCode("family-shared-fulfilled")
  /// Fulfilled later after the purchase than allowed.
  package static let lateFulfilment = FindingCode("late-fulfilment")
  /// One original transaction serves several users.
  package static let subscriptionShared = FindingCode("subscription-shared")
  /// Whole paid periods are missing inside a subscription's chain.
  package static let renewalGap = FindingCode("renewal-gap")
  /// A trial or introductory price twice in one subscription group by one user.
  package static let offerReused = FindingCode("offer-reused")
  /// Told of a moment after the day as of which everything is judged.
  package static let datedAhead = FindingCode("dated-ahead")
  /// An amount that its currency cannot have, or a currency that does not exist.
  package static let amountImpossible = FindingCode("amount-impossible")
  /// The tax that a payload tells of a sale is not the tax table's, or does not fit its price.
  package static let taxDiffers = FindingCode("tax-differs")

  // MARK: Level 2: units and money of Apple's sales reports

  /// Apple reports more sale units than the ledger has.
  package static let notInLedger = FindingCode("not-in-ledger")
  /// The ledger has more sale units than Apple reports.
  package static let notInReport = FindingCode("not-in-report")
  /// Apple reports more refund units.
  package static let refundNotInLedger = FindingCode("refund-not-in-ledger")
  /// The ledger has more refund units.
  package static let refundNotInReport = FindingCode("refund-not-in-report")
  /// Units booked on a neighbouring day, proven by transactions near the boundary.
  package static let timing = FindingCode("timing")
  /// Units missing on one day and found on the next, with fewer transactions near the boundary.
  package static let timingUnproven = FindingCode("timing-unproven")
  /// Apple reports a SKU that the catalogue does not have.
  package static let unknownSKU = FindingCode("unknown-sku")
  /// The customer price is not the tier's then.
  package static let priceNotInTier = FindingCode("price-not-in-tier")
  /// Proceeds differ from the rule and the deduction is outside the expected band.
  package static let proceedsUnexpected = FindingCode("proceeds-unexpected")
  /// Proceeds differ from the rule, the deduction is inside the band.
  package static let proceedsOffRule = FindingCode("proceeds-off-rule")
  /// What proceeds differ from the rule by within the tolerance, and in rows that are not judged.
  package static let proceedsTolerated = FindingCode("proceeds-tolerated")
  /// The customer currency is not the storefront's.
  package static let currencyUnexpected = FindingCode("currency-unexpected")
  /// A zero-unit or prorated refund row.
  package static let partialRefund = FindingCode("partial-refund")
  /// A day of the period has neither a report nor a recorded no-sales.
  package static let reportMissing = FindingCode("report-missing")
  /// A report was replaced by another version.
  package static let reportRestated = FindingCode("report-restated")
  /// Reports of other spans say other things of the same days.
  package static let reportsDisagree = FindingCode("reports-disagree")
  /// A value of a closed vocabulary that money hangs on is not known.
  package static let wordUnknown = FindingCode("word-unknown")
  /// A file's own totals do not fit its rows.
  package static let footerMismatch = FindingCode("footer-mismatch")
  /// From a day on other documented terms explain the rows of a storefront.
  package static let termsChanged = FindingCode("terms-changed")
  /// Documented terms explain rows of which the configuration says that others hold.
  package static let termsNotAsConfigured = FindingCode("terms-not-as-configured")
  /// From a day on another rate explains the proceeds of a storefront's rows than before.
  package static let deductionChanged = FindingCode("deduction-changed")
  /// Rows of a storefront agree on another tax than the table's, are at one that held before, or
  /// show one that no table has.
  package static let taxAsReported = FindingCode("tax-as-reported")
  /// Level 2: Apple sold units at another price than the ledger has for them, or the ledger has
  /// none.
  package static let priceDiffers = FindingCode("price-differs")
  /// Apple would owe less than nothing, and nothing explains it.
  package static let receivableNegative = FindingCode("receivable-negative")
  /// Money is converted at a rate that is older than a week on the day for which it is used.
  package static let rateStale = FindingCode("rate-stale")
  /// Apple's report counts other subscription events on a day than the ledger's chains have.
  package static let subscriptionEventsDiffer = FindingCode("subscription-events-differ")
  /// Apple counts another number of active subscriptions at a day's end than the ledger.
  package static let subscriptionsDiffer = FindingCode("subscriptions-differ")
  /// Rows of Apple's subscriber report and the ledger's periods of a day do not come out even.
  package static let subscriberDiffers = FindingCode("subscriber-differs")
  /// A subscription report names a product that no catalogue and no sales report has.
  package static let subscriptionUnknown = FindingCode("subscription-unknown")
  /// Days of the period have no subscription report, while others have.
  package static let subscriptionReportMissing = FindingCode("subscription-report-missing")

  // MARK: Level 3: settlement

  /// A region's financial report is not loaded: nobody knows what Apple settled there.
  package static let regionReportMissing = FindingCode("region-report-missing")
  /// Apple settled other units than its sales reports have.
  package static let settlementUnits = FindingCode("settlement-units")
  /// Apple settled units at another partner share than its sales reports have.
  package static let settlementProceeds = FindingCode("settlement-proceeds")
  /// Sold in one fiscal month and settled in a later one, or not yet.
  package static let settlementCarry = FindingCode("settlement-carry")

  // MARK: Level 4: payment

  /// The payments summary, or the payout, is not what the reports before it add up to.
  package static let paymentDiffers = FindingCode("payment-differs")
  /// Apple exchanged at another rate than the loaded one of the payment's day.
  package static let fxRateUnexpected = FindingCode("fx-rate-unexpected")
  /// Tax that Apple kept back from a payment.
  package static let withholding = FindingCode("withholding")
  /// A correction of Apple's in a payment.
  package static let adjustment = FindingCode("adjustment")
  /// Owed but not paid this month, or paid now and owed from earlier ones.
  package static let carriedBalance = FindingCode("carried-balance")
  /// What a payment lacks is what open invoices of commission come to.
  package static let offset = FindingCode("offset")

  // MARK: Level 5: the bank

  /// A payout is due, and the bank statement that covers the day does not have it.
  package static let payoutNotReceived = FindingCode("payout-not-received")
  /// The bank has another amount than Apple paid.
  package static let bankDiffers = FindingCode("bank-differs")

  // MARK: Level 6: coins

  /// Sold by Apple or another channel, and not granted, or not all of them.
  package static let coinsNotGranted = FindingCode("coins-not-granted")
  /// Granted as sold, and no order has sold as many.
  package static let coinsWithoutOrder = FindingCode("coins-without-order")
  /// Movements do not come to what another system counts.
  package static let coinsBalance = FindingCode("coins-balance")
  /// A user had less than no coins.
  package static let coinsOverdrawn = FindingCode("coins-overdrawn")
  /// Apple refunded, and the customer still has the coins.
  package static let coinsNotTakenBack = FindingCode("coins-not-taken-back")
  /// Coins that were paid for expired, which Apple's rules forbid.
  package static let coinsExpired = FindingCode("coins-expired")
}
