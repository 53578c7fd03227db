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
      "@transaction-without-order.check-whether-apple-refunded-then \(transaction)"
    case .chargedNotFulfilled:
      "@charged-not-fulfilled.look-up-on-apple-server \(transaction) \(order)"
    case .orderWithoutTransaction:
      "@order-without-transaction.look-for-the-payment \(order)"
    case .transactionReused:
      "@transaction-reused.look-up-on-apple-server \(order)"
    case .idRepeated:
      "@id-repeated.find-out-why-the-orders"
    case .sandboxFulfilled:
      "@sandbox-fulfilled.check-on-apple-production-and-sandbox \(transaction) \(order)"
    case .bundleMismatch:
      "@bundle-mismatch.check-whether-the-receipt-app \(order)"
    case .productMismatch:
      "@product-mismatch.look-in-the-delivery-log \(order) \(transaction)"
    case .quantityMismatch:
      "@quantity-mismatch.look-up-the-quantity-of-on-apple \(transaction) \(order)"
    case .refundNotReversed:
      "@refund-not-reversed.confirm-the-refund-of-in-apple \(transaction) \(order)"
    case .clockOff:
      "@clock-off.correct-the-clock"
    case .inputsInsufficient:
      "@inputs-insufficient.add-the-columns-named-under-missing"
    case .renewalRefunded:
      "@renewal-refunded.confirm-the-refund-of-in-apple \(transaction)"
    case .sourcesContradict:
      "@sources-contradict.fetch-from-apple-server \(transaction)"
    case .datedAhead:
      "@dated-ahead.check-the-clock"
    case .amountImpossible:
      "@amount-impossible.find-out-who-wrote"
    case .taxDiffers:
      "@tax-differs.look-up-the-tax-category"
    case .priceMismatch:
      "@price-mismatch.check-the-order-price-against"
    case .coinsMismatch:
      "@coins-mismatch.look-in-the-delivery-log \(order)"
    case .purchaseBeforeOrder:
      "@purchase-before-order.check-the-clocks-and-whether"
    case .refundedNotByApple:
      "@refunded-not-by-apple.look-up-in-apple-refund \(transaction) \(order)"
    case .familySharedFulfilled:
      "@family-shared-fulfilled.look-up-in-app-store \(order)"
    case .lateFulfilment:
      "@late-fulfilment.look-for-what-delayed"
    case .subscriptionShared:
      "@subscription-shared.find-out-whether-these-users"
    case .renewalGap:
      "@renewal-gap.ask-apple-server"
    case .offerReused:
      "@offer-reused.check-how-the-user-became"
    case .notInLedger:
      "@not-in-ledger.ledger-lacks-transactions-fetch-them"
    case .notInReport:
      "@not-in-report.check-whether-the-day-report"
    case .refundNotInLedger:
      "@refund-not-in-ledger.fetch-the-refund-history"
    case .refundNotInReport:
      "@refund-not-in-report.wait-a-few-days"
    case .timing:
      "@timing.nothing-to-do-the-units"
    case .timingUnproven:
      "@timing-unproven.look-among-the-candidates"
    case .unknownSKU:
      "@unknown-sku.add-the-sku"
    case .priceNotInTier:
      "@price-not-in-tier.check-the-price-in-app"
    case .priceDiffers:
      "@price-differs.check-where-the-ledger-gets"
    case .proceedsUnexpected:
      "@proceeds-unexpected.check-the-country-tax"
    case .proceedsOffRule:
      "@proceeds-off-rule.check-whether-a-tax-or-commission"
    case .proceedsTolerated:
      "@proceeds-tolerated.nothing-to-do-while"
    case .currencyUnexpected:
      "@currency-unexpected.check-the-storefront-apple-may"
    case .partialRefund:
      "@partial-refund.nothing-to-book-apple-figures"
    case .reportMissing:
      "@report-missing.fetch-or-download-the-report-of-that-day"
    case .reportRestated:
      "@report-restated.compare-rows-and-units"
    case .receivableNegative:
      "@receivable-negative.import-the-sales-and-financial-reports"
    case .reportsDisagree:
      "@reports-disagree.download-the-reports-of-both"
    case .wordUnknown:
      "@word-unknown.look-the-value-up"
    case .rateStale:
      "@rate-stale.import-exchange-rates-up"
    case .footerMismatch:
      "@footer-mismatch.download-the-file-again"
    case .regionReportMissing:
      "@region-report-missing.download-the-region-report"
    case .settlementUnits:
      "@settlement-units.compare-the-rows-named"
    case .settlementProceeds:
      "@settlement-proceeds.ask-apple-why-it-settles"
    case .settlementCarry:
      "@settlement-carry.nothing-to-do-while"
    case .paymentDiffers:
      "@payment-differs.download-the-payments-summary"
    case .fxRateUnexpected:
      "@fx-rate-unexpected.compare-with-the-bank-rate-on-the-payment"
    case .payoutNotReceived:
      "@payout-not-received.ask-the-bank-and-apple"
    case .bankDiffers:
      "@bank-differs.ask-the-bank-what-it-withheld"
    case .withholding:
      "@withholding.keep-apple-certificate"
    case .adjustment:
      "@adjustment.look-up-what-apple-corrected-in-payments"
    case .carriedBalance:
      "@carried-balance.nothing-to-do-it-remains"
    case .offset:
      "@offset.ask-apple-whether-the-invoice"
    case .termsChanged:
      "@terms-changed.nothing-to-do-apple-pays"
    case .termsNotAsConfigured:
      "@terms-not-as-configured.correct-agreements-programmes-or-small-business"
    case .subscriptionEventsDiffer:
      "@subscription-events-differ.compare-the-rows-named"
    case .subscriptionsDiffer:
      "@subscriptions-differ.look-for-subscriptions-that-ended"
    case .subscriberDiffers:
      "@subscriber-differs.find-the-purchase-by-day"
    case .subscriptionUnknown:
      "@subscription-unknown.add-the-product-apple-identifier"
    case .subscriptionReportMissing:
      "@subscription-report-missing.download-the-days-named"
    case .taxAsReported:
      "@tax-as-reported.nothing-needs-to-be-corrected"
    case .deductionChanged:
      "@deduction-changed.look-for-apple-notice-of-a-new"
    }
  }
}
