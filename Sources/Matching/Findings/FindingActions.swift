package import Billing

extension FindingCode {
  /// What a person does about such a finding, whatever rows it names.
  package var action: Wording {
    action(order: FindingNames.order, transaction: FindingNames.transaction)
  }

  /// What a person does about a finding: the checks first, and what cannot be undone last, with its
  /// condition. It costs nothing where the finding is wrong.
  ///
  /// - Parameters:
  ///   - order: the order or orders that it names, as ``FindingNames`` has them.
  ///   - transaction: the same of transactions.
  package func action(order: Wording, transaction: Wording) -> Wording {
    switch self {
    case .transactionWithoutOrder:
      """
      check whether Apple refunded \(transaction), then look for another order of the customer, in \
      the archive and the delivery log too. Only if there is neither, deliver the item, or ask the \
      customer to request a refund from Apple
      """
    case .chargedNotFulfilled:
      """
      check whether Apple refunded \(transaction), then look in the delivery log whether it was \
      delivered, under \(order) or another of the customer's: if so, correct the status. Only if \
      there is neither, deliver it
      """
    case .orderWithoutTransaction:
      """
      look for the payment first: in other channels (web, Google Play, gift codes, support), then \
      on Apple's server by the customer's order number; set channel, or import what is found. Only \
      if nobody paid for \(order), remove the items and cancel it
      """
    case .transactionReused:
      """
      look in the delivery log how often \(transaction) was delivered: once, cancel the duplicate \
      order and remove nothing. More often, look up the customers' purchases on Apple's server; \
      only for one of \(order) without any, remove the items, then look for a replayed receipt
      """
    case .sandboxFulfilled:
      """
      check \(transaction) on Apple's production and Sandbox servers, and whether the customer of \
      \(order) is a tester (sandbox_users) or App Review. Only for a Sandbox transaction of \
      anybody else, remove the items; deliver on Sandbox receipts only to App Review and testers
      """
    case .bundleMismatch:
      """
      check whether the receipt's app is yours: if so, add it to bundle_ids. If not, look up the \
      purchases of the customer of \(order) on Apple's server, and only if there is none in your \
      app, remove the items; check the bundle before fulfilling
      """
    case .productMismatch:
      """
      if both are one product under two names, map the SKU. Else look in the delivery log what was \
      delivered for \(order). Only if it lacks what \(transaction) sold, deliver that; take \
      another item back last
      """
    case .quantityMismatch:
      """
      look in the delivery log what was delivered for \(order), and look up the quantity of \
      \(transaction) on Apple's server: correct whichever is wrong. Deliver only what the log \
      lacks; remove a surplus last
      """
    case .refundNotReversed:
      """
      confirm the refund of \(transaction) in Apple's refund history. Only if it is refunded \
      there, set \(order) to refunded, then remove the items
      """
    case .clockOff:
      """
      correct the clock or the time zone of the export and import it again; times need their offset
      """
    case .inputsInsufficient:
      """
      add the columns named under Missing to the export of orders or transactions, and import it \
      again; act on no single row before
      """
    case .renewalRefunded:
      """
      confirm the refund of \(transaction) in Apple's refund history. Only if it is refunded \
      there, end access for the refunded period; leave the subscription's first order unchanged
      """
    case .sourcesContradict:
      """
      fetch \(transaction) from Apple's server: its signed answer decides; then correct the source \
      that differs
      """
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
      """
      look in the delivery log what was granted: the column may be per unit, or the catalogue old; \
      correct whichever is wrong. Grant the customer of \(order) only what the log lacks; remove a \
      surplus last, if at all
      """
    case .purchaseBeforeOrder:
      "check the clocks, and whether an old receipt was attached to a new order"
    case .refundedNotByApple:
      """
      look up \(transaction) in Apple's refund history: the ledger knows of no refund. If it is \
      refunded there, import that and change nothing. Only if it is still not refunded after a few \
      days, correct the status of \(order)
      """
    case .familySharedFulfilled:
      """
      look up in App Store Connect whether Family Sharing is on for this product: if it is, accept \
      the finding. If it is not, look for a purchase of the member's own before the items of \
      \(order) are removed
      """
    case .lateFulfilment:
      """
      look for what delayed the receipt: network, queue, or a customer who reopened the app only \
      later
      """
    case .subscriptionShared:
      """
      find out whether these users are one customer (merged, restored or moved accounts); only if \
      they are not, limit access to the one who pays
      """
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
      check whether the day's report was replaced, or the day recorded as one without sales: then \
      get the report again. Check the candidate transactions; only if none was refunded, raise it \
      with Apple
      """
    case .refundNotInLedger:
      """
      fetch the refund history of that day from Apple's server; change no order before the refund \
      is found
      """
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
      """
      check whether a tax or commission changed; add it to the tax table only by Apple's notice or \
      a law
      """
    case .proceedsTolerated:
      "nothing to do while it is small: tolerance in the configuration sets the limit"
    case .currencyUnexpected:
      "check the storefront: Apple may have changed its currency"
    case .partialRefund:
      """
      nothing to book: Apple's figures have the credit, and the customer keeps part of the purchase
      """
    case .reportMissing:
      """
      fetch or download the report of that day. Only if Apple answers that there were no sales, \
      record it with tieout import --no-sales DATE
      """
    case .reportRestated:
      "check what changed; the newer version counts"
    case .receivableNegative:
      """
      import the sales and financial reports and the payments summaries of the months before, or \
      state in opening_receivable what Apple owed when the first month began: only what a document \
      shows
      """
    case .reportsDisagree:
      """
      download the reports of both spans again and import them; where they still differ, ask Apple
      """
    case .wordUnknown:
      """
      look the value up in Apple's documentation and install the newest version of this program; \
      until then check the transactions or rows named by hand
      """
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
      compare with the bank's rate on the payment date; the close books the difference: book \
      nothing more
      """
    case .payoutNotReceived:
      "ask the bank, and Apple under Payments and Financial Reports, where the payout is"
    case .bankDiffers:
      """
      ask the bank what it withheld; the close books the difference to payment_difference: book \
      nothing more
      """
    case .withholding:
      """
      keep Apple's certificate for the tax return; the close books the tax withheld: book nothing \
      more
      """
    case .adjustment:
      """
      look up what Apple corrected in Payments and Financial Reports; the close books it: book \
      nothing more
      """
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
      correct agreements, programmes or small_business in the configuration only by what you \
      agreed to; else ask Apple why it pays by these terms
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
    case .taxAsReported:
      """
      nothing needs to be corrected: figures go by Apple's rows; to have the table agree, import \
      the line named in a table of taxes
      """
    case .deductionChanged:
      """
      look for a notice of Apple's or a law; only by one, add the rate to the tax table or adjust \
      expected_deduction in the configuration
      """
    }
  }
}
