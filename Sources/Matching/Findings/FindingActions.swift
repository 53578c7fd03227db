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
      look up \(transaction) on Apple's server, and in the delivery log whether \(order) or another \
      order of the customer was delivered for it. If so, correct the status. Only if it was neither \
      delivered nor refunded, deliver it; only the customer can request a refund, and only from Apple
      """
    case .orderWithoutTransaction:
      """
      look for the payment of \(order) first: in other channels (web, Google Play, gifts; then set \
      channel), then on Apple's server by the order number that Apple sent the customer, and import \
      what is found. Only if nobody paid, remove the items and cancel the order
      """
    case .transactionReused:
      """
      look up on Apple's server whether each of \(order) has a transaction of its own, saved under \
      the wrong ID, and in the delivery log how often they were delivered. Delivered once: cancel \
      the duplicate and remove nothing. Only if more was delivered than paid for, remove the \
      surplus; then look for a replayed receipt
      """
    case .idRepeated:
      """
      find out why the orders have that ID, and export them again with Apple's own transaction \
      IDs; if it only stands for none, add it to nulls under [import.orders] in tieout.toml
      """
    case .sandboxFulfilled:
      """
      check \(transaction) on Apple's production and Sandbox servers, and whether the customer of \
      \(order) is a tester (sandbox_users) or App Review. Only for a Sandbox transaction of \
      anybody else, remove the items; in production, deliver on Sandbox receipts to these alone
      """
    case .bundleMismatch:
      """
      check whether the receipt's app is yours: if so, add it to bundle_ids. If not, look up the \
      purchases of the customer of \(order) on Apple's server, and only if there is none in your \
      app, remove the items; check the bundle before fulfilling
      """
    case .productMismatch:
      """
      look in the delivery log what was delivered for \(order); if the SKUs are one product under \
      two names, map the SKU. Only where the log shows another item, deliver what \(transaction) \
      sold and take the other back; check the SKU before fulfilling
      """
    case .quantityMismatch:
      """
      look up the quantity of \(transaction) on Apple's server, and in the delivery log what was \
      delivered for \(order): the export may have a default. Only what the log shows missing, \
      deliver; only a proven surplus, remove
      """
    case .refundNotReversed:
      """
      confirm the refund of \(transaction) in Apple's refund history. Only if it is refunded there, \
      set \(order) to refunded, and then take the items back
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
      look in the delivery log what the customer of \(order) got: the export may count coins per \
      unit, or the catalogue of that day be old; correct whichever is wrong. Only what the log \
      shows missing, grant; remove a surplus last, if at all
      """
    case .purchaseBeforeOrder:
      "check the clocks, and whether an old receipt was attached to a new order"
    case .refundedNotByApple:
      """
      look up \(transaction) in Apple's refund history: the ledger may lack the refund. If it is \
      refunded there, import it and change nothing. Only if it is not after a few days, correct the \
      status of \(order)
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
      check whether a tax or commission changed; only if a notice or a law says so, add it to the tax \
      table
      """
    case .proceedsTolerated:
      "nothing to do while it is small: tolerance in the configuration sets the limit"
    case .currencyUnexpected:
      "check the storefront: Apple may have changed its currency"
    case .partialRefund:
      """
      nothing to book: Apple's figures and the journal have the credit; the customer kept part of \
      the purchase
      """
    case .reportMissing:
      """
      fetch or download the report of that day. Only if Apple answers that there were no sales, \
      record it with tieout import --no-sales DATE
      """
    case .reportRestated:
      """
      compare rows and units of both versions. If the newer one has fewer, download it once more, and \
      import the complete one last: the last import counts
      """
    case .receivableNegative:
      """
      import the sales and financial reports and the payments summaries of the months before, or \
      state in opening_receivable what Apple owed when the first month began, as its documents or \
      the books of that day show it
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
      compare with the bank's rate on the payment date; the close books the difference, so book \
      nothing more
      """
    case .payoutNotReceived:
      "ask the bank, and Apple under Payments and Financial Reports, where the payout is"
    case .bankDiffers:
      """
      ask the bank what it withheld; the close books the difference to payment_difference, so book \
      nothing more
      """
    case .withholding:
      """
      keep Apple's certificate for the tax return; the close books the tax, so book nothing more
      """
    case .adjustment:
      """
      look up what Apple corrected in Payments and Financial Reports; the close books it, so book \
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
      look for Apple's notice of a new tax or commission; only if it says so, add the rate to the tax \
      table or adjust expected_deduction in the configuration
      """
    }
  }
}
