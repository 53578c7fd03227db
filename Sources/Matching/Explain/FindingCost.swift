package import Billing

extension FindingCode {
  /// What the amount of such a finding is, for whoever has to bear it.
  package var meaningOfAmount: Wording {
    switch self {
    case .transactionWithoutOrder: "what a customer paid to Apple without an order of ours"
    case .chargedNotFulfilled: "what a customer paid to Apple for an order that was not delivered"
    case .orderWithoutTransaction:
      """
      the price of an order marked paid or fulfilled that nobody paid Apple for
      """
    case .transactionReused:
      """
      the price of the orders marked paid or fulfilled without a payment of their own
      """
    case .quantityMismatch: "the price of the units by which the two quantities differ"
    case .refundNotReversed: "what Apple refunded to a customer who keeps the goods"
    case .renewalRefunded: "what Apple refunded for a period that was paid for by renewal"
    case .productMismatch: "Apple's price of what was paid less the price of what was ordered"
    case .priceMismatch: "Apple's price less the order's, for all units"
    case .taxDiffers: "the tax in the payloads less what the tax table gives, for all units"
    case .inputsInsufficient: "what cannot be judged right or wrong, by storefront"
    case .notInLedger: "the price of the units that Apple reports and the ledger lacks"
    case .notInReport: "the price of the units that the ledger has and Apple does not report"
    case .refundNotInLedger: "the price of the refunds that Apple reports and the ledger lacks"
    case .refundNotInReport: "the price of the refunds that the ledger has and Apple lacks"
    case .timing, .timingUnproven: "the price of units that moved into the period, or out of it"
    case .unknownSKU: "Apple's units less the ledger's, at the prices of the unknown SKU"
    case .priceNotInTier: "the price in Apple's rows less the tier's, for all units"
    case .priceDiffers: "Apple's price less the ledger's, for all units"
    case .proceedsUnexpected, .proceedsOffRule, .proceedsTolerated:
      "the proceeds in Apple's rows less what the rule gives, for all units"
    case .partialRefund: "what Apple refunded of a price that it refunded in part"
    case .reportsDisagree: "the longer report less the shorter ones of the same days"
    case .wordUnknown: "the price of what the unknown value is about, sold or not"
    case .footerMismatch: "the total that the file states less the sum of its rows"
    case .termsChanged: "what Apple paid less what the terms before would have brought"
    case .termsNotAsConfigured: "what Apple paid less what the configured terms would have brought"
    case .deductionChanged: "what Apple paid less what the previous rate would have brought"
    case .taxAsReported: "what Apple paid less what the tax table would have brought"
    case .regionReportMissing: "the region's money that no financial report accounts for"
    case .settlementUnits: "the partner share of the units that were settled otherwise than sold"
    case .settlementProceeds: "the partner share that was settled less the one that was reported"
    case .settlementCarry: "the partner share of units that are settled in another month"
    case .paymentDiffers: "what one document of Apple's states less what the other adds up to"
    case .fxRateUnexpected: "what was paid less what the loaded rate gives"
    case .payoutNotReceived: "what Apple says it paid and the bank did not receive"
    case .bankDiffers: "what Apple says it paid less what the bank received"
    case .withholding: "tax that Apple withheld"
    case .adjustment: "the amount that Apple corrected"
    case .carriedBalance: "what Apple owes and did not pay this month, or paid for earlier months"
    default: "Apple's side less ours"
    }
  }

  /// What such a finding costs where it has no amount.
  package var meaningOfNoAmount: Wording {
    switch self {
    case .offset:
      "no money by itself: the finding about the payment has the shortfall"
    case .sandboxFulfilled:
      "no money moved; the amount is the price of what was delivered and never paid for"
    case .bundleMismatch:
      "the payment belongs to another app: the amount is the price of what was delivered"
    case .familySharedFulfilled: "nobody paid: the amount is the price of what was delivered"
    case .productMismatch:
      "one product was paid for and another delivered, and the difference in price is not known"
    case .coinsMismatch:
      """
      no difference in money; the customer has more or fewer coins than were sold
      """
    case .refundedNotByApple:
      "no difference in money between Apple and us; the customer may have been refunded twice"
    case .sourcesContradict: "no money by itself; it depends on which of the sources is right"
    case .idRepeated: "no money by itself: orders without a payment have findings of their own"
    case .datedAhead: "no money by itself; rows of a wrong day are counted in a wrong period"
    case .amountImpossible: "not known: the amount itself is what cannot be"
    case .purchaseBeforeOrder, .lateFulfilment, .clockOff: "no difference in money"
    case .subscriptionShared:
      "no difference in money; further users of the subscription have not paid for it"
    case .renewalGap: "the price of the missing periods, if they were paid"
    case .offerReused: "no difference in money; a period was sold below its price"
    case .reportMissing: "the ledger's amount for the day, until Apple's report is loaded"
    case .reportRestated: "the explanation says what changed; the newer version counts"
    case .currencyUnexpected:
      """
      no difference in money; amounts are compared within one currency only
      """
    case .receivableNegative:
      "the opening balance lacks as much; the closing balance is too small by it"
    case .rateStale: "what is converted would come to another amount at the day's own rate"
    case .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers:
      "no money by itself: the sales reports say what a purchase is worth"
    case .subscriptionUnknown, .subscriptionReportMissing:
      "no money by itself; what the reports say is compared with nothing"
    case .timing, .timingUnproven: "no difference in money within the period: both days lie in it"
    default: "not known in money, because no source gives a price"
    }
  }
}
