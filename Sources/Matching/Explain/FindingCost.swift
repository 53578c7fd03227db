package import Billing

extension FindingCode {
  /// What the amount of such a finding is, for whoever has to bear it.
  package var meaningOfAmount: Wording {
    switch self {
    case .transactionWithoutOrder: "@explain.what-a-customer-paid"
    case .chargedNotFulfilled: "@explain.what-a-customer-paid-to-apple"
    case .orderWithoutTransaction:
      "@explain.price-of-an-order-marked"
    case .transactionReused:
      "@explain.price-of-the-orders-marked"
    case .quantityMismatch: "@explain.price-of-the-units-by"
    case .refundNotReversed: "@explain.what-apple-refunded"
    case .renewalRefunded: "@explain.what-apple-refunded-for-a-period"
    case .productMismatch: "@explain.apple-price-of-what"
    case .priceMismatch: "@explain.apple-price-less-the-order"
    case .taxDiffers: "@explain.tax-in-the-payloads-less"
    case .inputsInsufficient: "@explain.what-cannot-be-judged-right"
    case .notInLedger: "@explain.price-of-the-units"
    case .notInReport: "@explain.price-of-the-units-that-the-ledger"
    case .refundNotInLedger: "@explain.price-of-the-refunds-that-apple"
    case .refundNotInReport: "@explain.price-of-the-refunds"
    case .timing, .timingUnproven: "@explain.price-of-units-that-moved"
    case .unknownSKU: "@explain.apple-units-less-the-ledger"
    case .priceNotInTier: "@explain.price-in-apple-rows-less"
    case .priceDiffers: "@explain.apple-price-less-the-ledger"
    case .proceedsUnexpected, .proceedsOffRule, .proceedsTolerated:
      "@explain.proceeds-in-apple-rows-less"
    case .partialRefund: "@explain.what-apple-refunded-of-a-price"
    case .reportsDisagree: "@explain.longer-report-less-the-shorter"
    case .wordUnknown: "@explain.price-of-what-the-unknown"
    case .footerMismatch: "@explain.total-that-the-file-states"
    case .termsChanged: "@explain.what-apple-paid-less-what-the-terms"
    case .termsNotAsConfigured: "@explain.what-apple-paid-less-what-the-configured"
    case .deductionChanged: "@explain.what-apple-paid-less-what-the-previous"
    case .taxAsReported: "@explain.what-apple-paid-less-what"
    case .regionReportMissing: "@explain.region-money-that-no-financial"
    case .settlementUnits: "@explain.partner-share-of-the-units"
    case .settlementProceeds: "@explain.partner-share-that-was-settled"
    case .settlementCarry: "@explain.partner-share-of-units"
    case .paymentDiffers: "@explain.what-one-document-of-apple"
    case .fxRateUnexpected: "@explain.what-was-paid-less-what"
    case .payoutNotReceived: "@explain.what-apple-says-it-paid-and-the-bank"
    case .bankDiffers: "@explain.what-apple-says-it-paid"
    case .withholding: "@explain.tax-that-apple-withheld"
    case .adjustment: "@explain.amount-that-apple-corrected"
    case .carriedBalance: "@explain.what-apple-owes-and-did"
    default: "@shared.apple-side-less-ours"
    }
  }

  /// What such a finding costs where it has no amount.
  package var meaningOfNoAmount: Wording {
    switch self {
    case .offset:
      "@explain.no-money-by-itself-the-finding"
    case .sandboxFulfilled:
      "@explain.no-money-moved-the-amount"
    case .bundleMismatch:
      "@explain.payment-belongs-to-another-app"
    case .familySharedFulfilled: "@explain.nobody-paid-the-amount-is"
    case .productMismatch:
      "@explain.one-product-was-paid"
    case .coinsMismatch:
      "@explain.no-difference-in-money-the-customer"
    case .refundedNotByApple:
      "@explain.no-difference-in-money-between"
    case .sourcesContradict: "@explain.no-money-by-itself"
    case .idRepeated: "@explain.no-money-by-itself-orders"
    case .datedAhead: "@explain.no-money-by-itself-rows"
    case .amountImpossible: "@explain.not-known-the-amount-itself"
    case .purchaseBeforeOrder, .lateFulfilment, .clockOff: "@explain.no-difference-in-money"
    case .subscriptionShared:
      "@explain.no-difference-in-money-further"
    case .renewalGap: "@explain.price-of-the-missing-periods"
    case .offerReused: "@explain.no-difference-in-money-a-period"
    case .reportMissing: "@explain.ledger-amount-for-the-day"
    case .reportRestated: "@explain.explanation-says-what-changed"
    case .currencyUnexpected:
      "@explain.no-difference-in-money-amounts"
    case .receivableNegative:
      "@explain.opening-balance-lacks-as-much"
    case .rateStale: "@explain.what-is-converted-would-come"
    case .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers:
      "@explain.no-money-by-itself-the-sales"
    case .subscriptionUnknown, .subscriptionReportMissing:
      "@explain.no-money-by-itself-what"
    case .timing, .timingUnproven: "@explain.no-difference-in-money-within"
    default: "@explain.not-known-in-money-because"
    }
  }
}
