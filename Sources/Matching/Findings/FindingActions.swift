package import Billing

extension FindingCode {
  /// What a person does about such a finding.
  package var action: Wording {
    switch self {
    case .transactionWithoutOrder:
      "find the customer by the transaction id and deliver, or refund; then look for the lost order"
    case .chargedNotFulfilled:
      "deliver what was paid for, or have Apple refund it, and set the order's status"
    case .orderWithoutTransaction:
      "ask for the receipt; without one, take back what was delivered and cancel the order"
    case .transactionReused:
      "keep the first order; take back what the others received, and look for a replayed receipt"
    case .sandboxFulfilled:
      "take back what was delivered; refuse Sandbox receipts in production except for App Review"
    case .bundleMismatch:
      "take back what was delivered; check the receipt's bundle before fulfilling"
    case .productMismatch:
      "compare what was delivered with what was sold; check the SKU before fulfilling"
    case .quantityMismatch:
      "deliver or take back the difference; fulfil the transaction's quantity"
    case .refundNotReversed:
      "take back what was delivered and set the order to refunded"
    case .clockOff:
      """
      correct the clock or the time zone of the export and import it again; times need their offset
      """
    case .inputsInsufficient:
      """
      add the columns named under Missing to the export of orders or transactions, and import it \
      again
      """
    case .renewalRefunded:
      """
      end access for the refunded period and take back what was granted for it; leave the \
      subscription's first order unchanged
      """
    case .sourcesContradict:
      "decide by Apple's signed record which source is right, and correct the other"
    case .datedAhead:
      "check the clock of the system that wrote the rows, and the day given with --as-of"
    case .amountImpossible:
      "find out who wrote the amount or the currency, and export the rows again"
    case .taxDiffers:
      """
      look up the tax category of the items, and the country's tax on that day: a category of its \
      own may have another rate; if neither explains it, ask Apple
      """
    case .priceMismatch:
      "check the order's price against the tier in force at the purchase"
    case .coinsMismatch:
      "correct the coins granted, or the catalogue"
    case .purchaseBeforeOrder:
      "check the clocks, and whether an old receipt was attached to a new order"
    case .refundedNotByApple:
      "check why the order was refunded: Apple still pays for it"
    case .familySharedFulfilled:
      "accept the finding if this product may be shared, or take back what was delivered"
    case .lateFulfilment:
      """
      look for what delayed the receipt: network, queue, or a customer who reopened the app only \
      later
      """
    case .subscriptionShared:
      "tie the subscription to one user"
    case .renewalGap:
      "ask Apple's server for the subscription's history and add the missing renewals"
    case .offerReused:
      "check how the user became eligible again: another Apple account, or a merged one"
    case .notInLedger:
      """
      the ledger lacks transactions: fetch them from Apple's server, or ask for the receipts of \
      the orders named here, if any
      """
    case .notInReport:
      """
      look among the candidates for transactions that Apple did not pay for; if they stay open, \
      ask Apple
      """
    case .refundNotInLedger:
      "fetch the refund history: a refund notification was lost"
    case .refundNotInReport:
      "wait a few days for Apple to book it, then check that the revocation was a refund"
    case .timing:
      "nothing to do: the units are on the neighbouring day"
    case .timingUnproven:
      """
      look among the candidates for a purchase that Apple does not have, and for an order whose \
      receipt was lost; without either, the units are on the neighbouring day
      """
    case .unknownSKU:
      "add the SKU to the catalogue"
    case .priceNotInTier:
      "check the price in App Store Connect, or add the tier's change to the tier table"
    case .priceDiffers:
      "check where the ledger gets its price from, and whether the price changed on that day"
    case .proceedsUnexpected:
      "check the country's tax and the commission on that day; if neither explains it, ask Apple"
    case .proceedsOffRule:
      "check whether a tax or commission changed, and add it to the tax table"
    case .proceedsTolerated:
      "nothing to do while it is small: tolerance in the configuration sets the limit"
    case .currencyUnexpected:
      "check the storefront: Apple may have changed its currency"
    case .partialRefund:
      "book the credit; the customer kept part of the purchase"
    case .reportMissing:
      "fetch the day's report, or record that there were no sales with --no-sales"
    case .reportRestated:
      "check what changed; the newer version counts"
    case .rateStale:
      "import exchange rates up to the day of conversion, and reconcile again"
    case .footerMismatch:
      "download the file again"
    case .regionReportMissing:
      """
      download the region's report from Payments and Financial Reports and import it; where Apple \
      has none, accept the finding with that reason
      """
    case .settlementUnits:
      "compare the rows named with the sales report of that day; if they still differ, ask Apple"
    case .settlementProceeds:
      "ask Apple why it settles a share other than the one it reported"
    case .settlementCarry:
      """
      nothing to do while it is recent: it will settle in a later month; if it stays open, ask \
      Apple
      """
    case .paymentDiffers:
      "download the payments summary and the region's report again; if they still differ, ask Apple"
    case .fxRateUnexpected:
      """
      compare with the bank's rate on the payment date; book the difference as an exchange gain or \
      loss
      """
    case .payoutNotReceived:
      "ask the bank, and Apple under Payments and Financial Reports, where the payout is"
    case .bankDiffers:
      "ask the bank what it withheld; book the difference to payment_difference"
    case .withholding:
      "book it as tax withheld and keep Apple's certificate"
    case .adjustment:
      "look up what Apple corrected in Payments and Financial Reports, and book it"
    case .carriedBalance:
      "nothing to do: it remains receivable until Apple pays it"
    case .offset:
      """
      ask Apple whether the invoice was set off, and accept the finding only if it was: the next \
      close of a calendar month then books it against commission_payable
      """
    case .termsChanged:
      "nothing to do: Apple pays by documented terms; check that the day is the one you agreed to"
    case .termsNotAsConfigured:
      """
      correct agreements, programmes or small_business in the configuration, or ask Apple why it \
      pays by these terms
      """
    case .subscriptionEventsDiffer:
      """
      compare the rows named with the history of the chains named: a renewal or a notification may \
      be lost, or Apple may count an event on another day
      """
    case .subscriptionsDiffer:
      "look for subscriptions that ended, or continued, without a message in the ledger"
    case .subscriberDiffers:
      "find the purchase by day and price in the history of the customers of that day"
    case .subscriptionUnknown:
      "add the product's apple_identifier to the catalogue"
    case .subscriptionReportMissing:
      "download the days named from Sales and Trends, and import them"
    case .deductionChanged:
      """
      look for Apple's notice of a new tax or commission, then add the rate to the tax table \
      or adjust expected_deduction in the configuration
      """
    }
  }
}
