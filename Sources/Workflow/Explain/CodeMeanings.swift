import Billing

extension FindingCode {
  /// What such a finding says, in a sentence.
  var meaning: Wording {
    switch self {
    case .clockOff:
      "@explain.times-of-orders"
    case .inputsInsufficient:
      "@explain.what-is-missing-from-orders"
    case .transactionWithoutOrder:
      "@explain.apple-charged-a-customer-and-no"
    case .chargedNotFulfilled:
      "@explain.transaction-has-an-order"
    case .orderWithoutTransaction:
      "@explain.order-is-paid-or-fulfilled"
    case .transactionReused:
      "@explain.several-orders-claim-the-same"
    case .idRepeated:
      "@explain.more-than-1"
    case .sandboxFulfilled:
      "@explain.order-was-delivered"
    case .bundleMismatch:
      "@explain.receipt-is-another-app"
    case .productMismatch:
      "@explain.order-product-differs"
    case .quantityMismatch:
      "@explain.order-quantity-differs"
    case .refundNotReversed:
      "@explain.apple-refunded-the-purchase"
    case .renewalRefunded:
      "@explain.apple-refunded-a-renewal"
    case .sourcesContradict:
      "@explain.two-sources-contradict-each-other"
    case .priceMismatch:
      "@explain.order-price-is-not-what"
    case .coinsMismatch:
      "@explain.coins-that-the-order-granted"
    case .purchaseBeforeOrder:
      "@explain.purchase-is-older-than"
    case .refundedNotByApple:
      "@explain.order-is-marked-refunded-and-the-ledger"
    case .familySharedFulfilled:
      "@explain.order-was-delivered-for-a-purchase"
    case .lateFulfilment:
      "@explain.order-was-fulfilled-much-later"
    case .subscriptionShared:
      "@explain.one-subscription-serves-several-users"
    case .renewalGap:
      "@explain.paid-periods-are-missing-inside"
    case .offerReused:
      "@explain.one-user-had-a-trial"
    case .notInLedger:
      "@explain.apple-reports-more-units-sold"
    case .notInReport:
      "@explain.ledger-has-more-units-sold"
    case .refundNotInLedger:
      "@explain.apple-reports-more-refunds-than"
    case .refundNotInReport:
      "@explain.ledger-has-more-refunds-than"
    case .timing:
      "@explain.units-that-the-ledger-has"
    case .unknownSKU:
      "@explain.apple-reports-a-product"
    case .priceNotInTier:
      "@explain.apple-customer-price-is-not"
    case .priceDiffers:
      "@explain.apple-sold-units"
    case .proceedsUnexpected:
      "@explain.what-apple-deducted-is-outside"
    case .proceedsOffRule:
      "@explain.proceeds-differ-from-the-rule"
    case .currencyUnexpected:
      "@explain.customers-paid-in-another-currency"
    case .partialRefund:
      "@explain.apple-refunded-a-part"
    case .reportMissing:
      "@explain.day-has-neither-a-report"
    case .reportRestated:
      "@explain.another-version-of-a-report"
    case .reportsDisagree:
      "@explain.report-of-a-longer-span"
    case .wordUnknown:
      "@explain.value-that-decides-whether"
    case .footerMismatch:
      "@explain.file-own-totals-do-not"
    case .deductionChanged:
      "@explain.from-a-certain-day-on-a-different"
    case .receivableNegative:
      "@explain.apple-would-owe-less-than"
    case .taxAsReported:
      "@explain.apple-rows-show-a-tax"
    case .rateStale:
      "@explain.money-is-converted"
    case .regionReportMissing:
      "@explain.financial-report-of-a-region"
    case .settlementUnits:
      "@explain.apple-settled-a-different-number"
    case .settlementProceeds:
      "@explain.apple-settled-units"
    case .settlementCarry:
      "@explain.units-sold-in-one-fiscal"
    case .paymentDiffers:
      "@explain.payments-summary-or-the-payout"
    case .fxRateUnexpected:
      "@explain.apple-converted-at-a-different"
    case .withholding:
      "@explain.apple-withheld-tax"
    case .adjustment:
      "@explain.payment-includes-a-correction-by"
    case .carriedBalance:
      "@explain.amount-owed-was-not-paid"
    case .datedAhead:
      "@explain.rows-are-dated-after"
    case .amountImpossible:
      "@explain.amount-has-more-decimal-places"
    case .payoutNotReceived:
      "@explain.payout-is-due"
    case .bankDiffers:
      "@explain.bank-received-a-different-amount"
    case .timingUnproven:
      "@explain.units-moved-between-neighbouring-report"
    case .taxDiffers:
      "@explain.tax-that-apple-payload-gives"
    case .proceedsTolerated:
      "@explain.proceeds-differ-from-the-rule-within"
    case .subscriptionEventsDiffer:
      "@explain.apple-subscription-events"
    case .subscriptionsDiffer:
      "@explain.apple-count-of-active-subscriptions"
    case .subscriberDiffers:
      "@explain.apple-subscriber-report"
    case .subscriptionUnknown:
      "@explain.subscription-reports-name-a-product"
    case .subscriptionReportMissing:
      "@explain.subscription-reports-of-some-days"
    case .termsChanged:
      "@explain.from-a-certain-day"
    case .termsNotAsConfigured:
      "@explain.apple-pays-under-documented-terms"
    case .offset:
      "@explain.payment-falls-short-by-about"
    }
  }

  /// What is usually behind such a finding.
  var causes: Wording {
    switch self {
    case .clockOff:
      "@explain.export-without-offsets-was-read"
    case .inputsInsufficient:
      "@explain.columns-such-as-storefront"
    case .transactionWithoutOrder:
      "@explain.order-is-not"
    case .chargedNotFulfilled:
      "@explain.delivery-failed-after-the-payment"
    case .orderWithoutTransaction:
      "@explain.transactions-are-missing"
    case .transactionReused:
      "@explain.retry-wrote-the-order-twice"
    case .idRepeated:
      "@explain.system-writes-a-word"
    case .sandboxFulfilled:
      "@explain.server-takes-sandbox-receipts"
    case .bundleMismatch:
      "@explain.receipt-from-another-app"
    case .productMismatch:
      "@explain.shop-has-a-sku"
    case .quantityMismatch:
      "@explain.export-has-a-quantity"
    case .refundNotReversed:
      "@explain.refund-notification-was-lost"
    case .renewalRefunded:
      "@explain.customers-ask-apple"
    case .sourcesContradict:
      "@explain.table-was-filled"
    case .priceMismatch:
      "@explain.app-still-has-the-old"
    case .coinsMismatch:
      "@explain.column-is-per-unit"
    case .purchaseBeforeOrder:
      "@explain.clocks-differ-or-an-old"
    case .refundedNotByApple:
      "@explain.refund-is-not-imported"
    case .familySharedFulfilled:
      "@explain.family-sharing-is"
    case .lateFulfilment:
      "@explain.receipt-came-late-a-queue"
    case .subscriptionShared:
      "@explain.subscription-is-not-tied"
    case .renewalGap:
      "@explain.renewal-notifications-were-lost"
    case .offerReused:
      "@explain.user-bought-with-another-apple"
    case .notInLedger:
      "@explain.receipts-never-came"
    case .notInReport:
      "@explain.forged-receipts-purchases-that-apple"
    case .refundNotInLedger:
      "@explain.refund-notifications-were-lost"
    case .refundNotInReport:
      "@explain.apple-books-refunds-some-days"
    case .timing:
      "@explain.they-were-bought-near"
    case .unknownSKU:
      "@explain.product-is-new-was-renamed"
    case .priceNotInTier:
      "@explain.prices-were-changed-in-app"
    case .priceDiffers:
      "@explain.ledger-takes-prices"
    case .proceedsUnexpected:
      "@explain.tax-or-a-commission-changed-or-a-report"
    case .proceedsOffRule:
      "@explain.apple-rounds-differently"
    case .currencyUnexpected:
      "@explain.apple-changed-the-storefront-currency"
    case .partialRefund:
      "@explain.subscription-was-upgraded-or-cancelled"
    case .reportMissing:
      "@explain.report-was-not-downloaded-or-apple"
    case .reportRestated:
      "@explain.apple-corrected-the-report-or-a-file"
    case .reportsDisagree:
      "@explain.apple-corrected-one-of-them"
    case .wordUnknown:
      "@explain.it-is-the-company-own"
    case .footerMismatch:
      "@explain.file-was-cut-or-edited"
    case .deductionChanged:
      "@explain.tax-or-a-commission-changed"
    case .receivableNegative:
      "@explain.sales-of-an-earlier-month"
    case .taxAsReported:
      "@explain.tax-changed-without-notice"
    case .rateStale:
      "@explain.file-of-exchange-rates-ends"
    case .regionReportMissing:
      "@explain.report-was-not-downloaded"
    case .settlementUnits:
      "@explain.units-were-refunded-moved-between"
    case .settlementProceeds:
      "@explain.commission-or-a-tax"
    case .settlementCarry:
      "@explain.customer-payment-came-in-later"
    case .paymentDiffers:
      "@explain.report-is-missing"
    case .fxRateUnexpected:
      "@explain.apple-bank-has-a-rate"
    case .withholding:
      "@explain.local-law-requires-apple"
    case .adjustment:
      "@explain.apple-corrects-earlier-months"
    case .carriedBalance:
      "@explain.amount-was-below-apple-payment"
    case .datedAhead:
      "@explain.clock-is-wrong"
    case .amountImpossible:
      "@explain.amounts-were-divided-wrongly"
    case .payoutNotReceived:
      "@explain.bank-returned-it-it-went"
    case .bankDiffers:
      "@explain.bank-took-a-charge"
    case .timingUnproven:
      "@explain.lost-order-and-a-lost"
    case .taxDiffers:
      "@explain.tax-rate-changed"
    case .proceedsTolerated:
      "@explain.apple-rounds-each-row"
    case .subscriptionEventsDiffer:
      "@explain.renewal-a-start"
    case .subscriptionsDiffer:
      "@explain.chains-that-ended-or-went"
    case .subscriberDiffers:
      "@explain.transaction-is-missing-on-one"
    case .subscriptionUnknown:
      "@explain.catalogue-has-no-apple-identifier"
    case .subscriptionReportMissing:
      "@explain.reports-were-not-downloaded"
    case .termsChanged:
      "@explain.law-or-an-agreement-lowered"
    case .termsNotAsConfigured:
      "@explain.agreement-was-accepted-on-another"
    case .offset:
      "@explain.apple-deducts-commission-on-external"
    }
  }
}
