import Billing

extension FindingCode {
  /// What such a finding says, in a sentence.
  var meaning: Wording {
    switch self {
    case .clockOff:
      """
      the times of orders or of transactions are off relative to each other or to Apple's; they \
      are corrected for the shift, and all figures are shown without it
      """
    case .inputsInsufficient:
      """
      what is missing from orders and transactions, columns or a side, could explain the \
      differences just as well as a fault could
      """
    case .transactionWithoutOrder:
      "Apple charged a customer, and no order in the ledger claims the transaction"
    case .chargedNotFulfilled:
      "the transaction has an order, which was never fulfilled or was cancelled"
    case .orderWithoutTransaction:
      "an order is paid or fulfilled, and the ledger has no transaction for it"
    case .transactionReused:
      "several orders claim the same transaction; the first one keeps it"
    case .idRepeated:
      """
      more than 1% of the orders, and at least 20, name one ID that no transaction has; they are \
      matched as if they named none
      """
    case .sandboxFulfilled:
      "an order was delivered for a Sandbox purchase, which nobody pays for"
    case .bundleMismatch:
      "the receipt is another app's"
    case .productMismatch:
      "the order's product differs from the transaction's"
    case .quantityMismatch:
      "the order's quantity differs from the transaction's"
    case .refundNotReversed:
      "Apple refunded the purchase, and the order is still marked paid or fulfilled"
    case .renewalRefunded:
      "Apple refunded a renewal, which has no order of its own"
    case .sourcesContradict:
      "two sources contradict each other about one transaction"
    case .priceMismatch:
      "the order's price is not what the customer paid, or not the tier's price on that day"
    case .coinsMismatch:
      "the coins that the order granted differ from the catalogue's"
    case .purchaseBeforeOrder:
      "the purchase is older than the order that claims it"
    case .refundedNotByApple:
      "the order is marked refunded, and the ledger knows of no refund by Apple"
    case .familySharedFulfilled:
      "an order was delivered for a purchase shared by a family member, for which nothing was paid"
    case .lateFulfilment:
      "the order was fulfilled much later than it was paid"
    case .subscriptionShared:
      "one subscription serves several users"
    case .renewalGap:
      "paid periods are missing inside a subscription"
    case .offerReused:
      """
      one user had a trial or an introductory price twice in one subscription group; offers taken \
      more than thirteen months earlier are not looked for
      """
    case .notInLedger:
      "Apple reports more units sold than the ledger has"
    case .notInReport:
      "the ledger has more units sold than Apple reports"
    case .refundNotInLedger:
      "Apple reports more refunds than the ledger has"
    case .refundNotInReport:
      "the ledger has more refunds than Apple reports"
    case .timing:
      "units that the ledger has on one day are on the neighbouring day in Apple's report"
    case .unknownSKU:
      "Apple reports a product that the catalogue does not have"
    case .priceNotInTier:
      "Apple's customer price is not the price of the product's tier on that day"
    case .priceDiffers:
      "Apple sold units at a price other than the ledger's, or the ledger has no price for them"
    case .proceedsUnexpected:
      "what Apple deducted is outside the expected range"
    case .proceedsOffRule:
      "proceeds differ from the rule by a little, and the deduction is as expected"
    case .currencyUnexpected:
      "customers paid in another currency than the storefront's"
    case .partialRefund:
      "Apple refunded a part of the price"
    case .reportMissing:
      "a day has neither a report nor a note that there were no sales"
    case .reportRestated:
      "another version of a report was imported, and its figures differ"
    case .reportsDisagree:
      "a report of a longer span has other figures than the shorter ones of the same days"
    case .wordUnknown:
      "a value that decides whether or how money is counted is not known"
    case .footerMismatch:
      "a file's own totals do not match its rows"
    case .deductionChanged:
      "from a certain day on, a different rate explains what Apple deducts in a storefront"
    case .receivableNegative:
      "Apple would owe less than nothing, and no refund, adjustment or carried balance explains it"
    case .taxAsReported:
      "Apple's rows show a tax that differs from the table, or that no table has"
    case .rateStale:
      "money is converted at a rate that is more than a week old"
    case .regionReportMissing:
      "the financial report of a region is not loaded, so what was settled there is not known"
    case .settlementUnits:
      "Apple settled a different number of units than its sales reports show"
    case .settlementProceeds:
      "Apple settled units at a partner share other than the one in its sales reports"
    case .settlementCarry:
      "units sold in one fiscal month are settled in a later one, or not yet"
    case .paymentDiffers:
      "the payments summary, or the payout, is not what the reports before it add up to"
    case .fxRateUnexpected:
      "Apple converted at a different rate from the one loaded for the payment date"
    case .withholding:
      "Apple withheld tax from a payment"
    case .adjustment:
      "a payment includes a correction by Apple"
    case .carriedBalance:
      "an amount owed was not paid this month, or an amount owed from earlier months was paid now"
    case .datedAhead:
      "rows are dated after the as-of day"
    case .amountImpossible:
      "an amount has more decimal places than its currency, or the currency does not exist"
    case .payoutNotReceived:
      "a payout is due, and the bank statement of those days does not show it"
    case .bankDiffers:
      "the bank received a different amount from the one Apple paid"
    case .timingUnproven:
      """
      units moved between neighbouring report days, and too few purchases near the boundary \
      prove it
      """
    case .taxDiffers:
      "the tax that Apple's payload gives for a sale does not match the tax table or the price"
    case .proceedsTolerated:
      """
      proceeds differ from the rule within the tolerance; the total is shown so that nothing \
      is left out
      """
    case .subscriptionEventsDiffer:
      "Apple's subscription events of a day differ from the ledger's"
    case .subscriptionsDiffer:
      "Apple's count of active subscriptions differs from the ledger's"
    case .subscriberDiffers:
      "Apple's subscriber report of a day differs from the purchases or refunds in the ledger"
    case .subscriptionUnknown:
      "the subscription reports name a product that nothing else names"
    case .subscriptionReportMissing:
      "subscription reports of some days are not loaded, and what they say is not known"
    case .termsChanged:
      "from a certain day on, Apple pays under different documented terms than before"
    case .termsNotAsConfigured:
      "Apple pays under documented terms other than the configured ones"
    case .offset:
      "a payment falls short by about what open commission invoices come to"
    }
  }

  /// What is usually behind such a finding.
  var causes: Wording {
    switch self {
    case .clockOff:
      "an export without offsets was read in the wrong zone, or a server's clock is wrong"
    case .inputsInsufficient:
      "columns such as storefront or quantity, or a part of a table, were left out of the export"
    case .transactionWithoutOrder:
      """
      the order is not in the export, the app closed before the server heard of the purchase, or a \
      notification was lost
      """
    case .chargedNotFulfilled:
      "delivery failed after the payment, or the order ran into its time limit"
    case .orderWithoutTransaction:
      """
      transactions are missing from the export, an order of another channel is taken for Apple's, \
      or a forged receipt was accepted
      """
    case .transactionReused:
      "a retry wrote the order twice, or the same receipt was submitted and fulfilled again"
    case .idRepeated:
      "a system writes a word or a number of its own where it knows no transaction"
    case .sandboxFulfilled:
      "the server takes Sandbox receipts in production, which App Review needs and others misuse"
    case .bundleMismatch:
      "a receipt from another app was submitted, or several apps share one table"
    case .productMismatch:
      """
      the shop has a SKU of its own for it, SKUs were mixed up, or a cheap product's receipt was \
      used
      """
    case .quantityMismatch:
      "the export has a quantity of 1 by default, or the server does not look at the receipt's"
    case .refundNotReversed:
      "a refund notification was lost, or nothing acted on it"
    case .renewalRefunded:
      "customers ask Apple for a refund of a period that they did not want"
    case .sourcesContradict:
      "a table was filled from an older answer, a field was converted, or a message is forged"
    case .priceMismatch:
      "an app still has the old price, a price change came through late, or a currency was mixed up"
    case .coinsMismatch:
      "the column is per unit, a promotion is not in the catalogue, or a version granted too many"
    case .purchaseBeforeOrder:
      "clocks differ, or an old receipt was attached to a new order"
    case .refundedNotByApple:
      """
      the refund is not imported, the customer was compensated by hand, or the order is a wrong \
      one
      """
    case .familySharedFulfilled:
      "Family Sharing is on for the product, and the server counts it as a purchase"
    case .lateFulfilment:
      "the receipt came late, a queue was stuck, or the customer did not reopen the app until then"
    case .subscriptionShared:
      "a subscription is not tied to a user, and its receipt is passed around"
    case .renewalGap:
      "renewal notifications were lost, or the export leaves renewals out"
    case .offerReused:
      "the user bought with another Apple account, or two users were merged"
    case .notInLedger:
      "receipts never came to the server, or transactions are missing from the export"
    case .notInReport:
      "forged receipts, purchases that Apple cancelled, or a report that is not final yet"
    case .refundNotInLedger:
      "refund notifications were lost, and the refund history was not requested"
    case .refundNotInReport:
      "Apple books refunds some days later, or an upgrade was taken for a refund"
    case .timing:
      "they were bought near the boundary of Apple's day"
    case .unknownSKU:
      "a product is new, was renamed, or belongs to another app"
    case .priceNotInTier:
      "prices were changed in App Store Connect and not in the tier table"
    case .priceDiffers:
      """
      the ledger takes prices from the catalogue although customers kept an older price, or it has \
      no prices at all
      """
    case .proceedsUnexpected:
      "a tax or a commission changed, or a report is wrong"
    case .proceedsOffRule:
      "Apple rounds differently, or a rate changed slightly"
    case .currencyUnexpected:
      "Apple changed the storefront's currency, or the built-in table is older than that"
    case .partialRefund:
      "a subscription was upgraded or cancelled in the middle of a period"
    case .reportMissing:
      "the report was not downloaded, or Apple had none that day"
    case .reportRestated:
      "Apple corrected the report, or a file was cut or changed after the download"
    case .reportsDisagree:
      "Apple corrected one of them, or a file was changed or downloaded too early"
    case .wordUnknown:
      "it is the company's own word, or Apple introduced it after this version of Tieout"
    case .footerMismatch:
      "the file was cut, or edited by hand"
    case .deductionChanged:
      "a tax or a commission changed there"
    case .receivableNegative:
      "sales of an earlier month that Apple paid for are not loaded, and no opening is stated"
    case .taxAsReported:
      "a tax changed without notice, or subscriptions keep the proceeds of their last renewal"
    case .rateStale:
      "the file of exchange rates ends too early"
    case .regionReportMissing:
      "the report was not downloaded, or Apple had none"
    case .settlementUnits:
      "units were refunded, moved between days, or left out of one of the reports"
    case .settlementProceeds:
      "a commission or a tax was corrected between report and settlement"
    case .settlementCarry:
      "the customer's payment came in later, which is usual for carriers and gift cards"
    case .paymentDiffers:
      "a report is missing or of another version, or Apple corrected something without a row"
    case .fxRateUnexpected:
      "Apple's bank has a rate of its own, or rates of another day are loaded"
    case .withholding:
      "local law requires Apple to withhold it"
    case .adjustment:
      "Apple corrects earlier months, or charges something"
    case .carriedBalance:
      "the amount was below Apple's payment threshold, or bank details were missing"
    case .datedAhead:
      "a clock is wrong, or --as-of names too early a day"
    case .amountImpossible:
      "amounts were divided wrongly, or a code was mistyped"
    case .payoutNotReceived:
      "the bank returned it, it went to another account, or the statement is incomplete"
    case .bankDiffers:
      "the bank took a charge, or converted at its own rate"
    case .timingUnproven:
      "a lost order and a lost transaction on neighbouring days, or a day boundary that differs"
    case .taxDiffers:
      "a tax rate changed, or the sale was taxed in another region"
    case .proceedsTolerated:
      "Apple rounds each row, and sums of rows keep what was rounded"
    case .subscriptionEventsDiffer:
      "a renewal, a start or a refund never reached the server, or the export leaves chains out"
    case .subscriptionsDiffer:
      "chains that ended or went on without a message, or that began before the ledger"
    case .subscriberDiffers:
      "a transaction is missing on one side, or has another price there"
    case .subscriptionUnknown:
      "the catalogue has no apple_identifier for it, or it is of another app"
    case .subscriptionReportMissing:
      "the reports were not downloaded"
    case .termsChanged:
      "a law or an agreement lowered the commission in the storefront"
    case .termsNotAsConfigured:
      "an agreement was accepted on another day, or not at all, or products left a programme"
    case .offset:
      "Apple deducts commission on external purchases from the payment"
    }
  }
}
