package import Billing

/// How sure a finding is, and what that rests on.
package struct Certainty: Hashable, Sendable {
  package enum Degree: String, Hashable, Sendable, CaseIterable {
    /// Ids, or a document of Apple's by itself, leave no other reading.
    case proven
    /// Nothing was found, as far as the ledger's tables go.
    case searched
    /// Counts differ; which rows are behind it nobody tells.
    case counted
    /// By likeness, or by a rule that was found out from the figures.
    case inferred
  }

  package var degree: Degree
  /// What it rests on, in whole sentences.
  package var text: Wording

  package init(_ degree: Degree, _ text: Wording) {
    self.degree = degree
    self.text = text
  }

  fileprivate static func proven(_ text: Wording) -> Certainty { Certainty(.proven, text) }
  fileprivate static func searched(_ text: Wording) -> Certainty { Certainty(.searched, text) }
  fileprivate static func counted(_ text: Wording) -> Certainty { Certainty(.counted, text) }
  fileprivate static func inferred(_ text: Wording) -> Certainty { Certainty(.inferred, text) }
}

extension FindingCode {
  /// Whether the finding is about an order and its transaction.
  package var isAboutPair: Bool {
    switch self {
    case .chargedNotFulfilled, .sandboxFulfilled, .bundleMismatch, .productMismatch,
      .quantityMismatch, .refundNotReversed, .priceMismatch, .coinsMismatch, .purchaseBeforeOrder,
      .refundedNotByApple, .familySharedFulfilled, .lateFulfilment:
      true
    default: false
    }
  }

  /// How sure such a finding is, where nothing is known of how its rows came together.
  ///
  /// - Parameter boundary: of the finding's storefront, where units were counted by it.
  package func certainty(_ boundary: ReportDayBoundary?) -> Certainty {
    switch level {
    case 1: certaintyOfOrders
    case 2: certaintyOfSales(boundary)
    default: certaintyOfSettlement
    }
  }

  private var certaintyOfOrders: Certainty {
    switch self {
    case .transactionWithoutOrder:
      .searched(
        """
        searched: all orders in the ledger by ID, and the open orders of the product placed in the \
        24 hours before the purchase; certain only if the order tables are complete
        """)
    case .orderWithoutTransaction:
      .searched(
        """
        searched: all transactions in the ledger by ID, and those of the product bought in the 24 \
        hours after the order; certain only if the imported transactions are complete
        """)
    case .transactionReused:
      .proven("proven by ids: each of the orders claims the same transaction")
    case .idRepeated:
      .searched(
        """
        searched: all transactions in the ledger by that ID; certain only if the imported \
        transactions are complete
        """)
    case .sourcesContradict:
      .proven("proven: the sources were compared field by field, and they differ")
    case .datedAhead:
      .proven("proven by the row's own time against the as-of day")
    case .taxDiffers:
      .proven("proven by the payload itself: its tax against its price and the tax table")
    case .amountImpossible:
      .proven("proven by the row itself: its amount against its currency's smallest unit")
    case .subscriptionShared:
      .proven("proven by ids: transactions of one subscription name more than one user")
    case .clockOff:
      .counted(
        """
        counted: how many purchases are that far from their orders, or from Apple's report days, \
        and how many are not
        """)
    case .inputsInsufficient:
      .counted(
        """
        counted: what the inputs leave out would explain each of them, and so would a fault; \
        the inputs cannot tell which
        """)
    case .renewalRefunded:
      .proven(
        """
        proven by the transaction: Apple refunded it, its original transaction says whose renewal \
        it is, and no order names it
        """)
    case .offerReused:
      .proven(
        """
        proven by ids: several transactions of one user in one group are marked as trial or \
        introductory
        """)
    case .renewalGap:
      .searched(
        """
        searched: the paid periods of the subscription leave a gap that nothing from Apple \
        explains; certain only if the subscription's history is complete
        """)
    default: .inferred("no id that ties the order to the transaction was found again")
    }
  }

  private func certaintyOfSales(_ boundary: ReportDayBoundary?) -> Certainty {
    switch self {
    case .notInLedger, .notInReport, .refundNotInLedger, .refundNotInReport, .timing,
      .timingUnproven:
      certaintyOfCount(boundary)
    case .unknownSKU:
      .proven("proven: the SKU is in Apple's rows and not in the catalogue")
    case .priceNotInTier:
      .proven(
        """
        proven by Apple's own row against the tier table; as certain as that table is complete \
        for the day
        """)
    case .priceDiffers:
      .proven("proven by Apple's own rows; how the ledger came to its price must be looked up")
    case .proceedsUnexpected, .proceedsOffRule, .proceedsTolerated:
      .proven(
        """
        the difference is proven by Apple's own row, which has the price and the proceeds; what \
        the rule gives rests on the tables of taxes and commissions for that day
        """)
    case .taxAsReported:
      .proven(
        """
        proven by Apple's own rows, which agree; that it is a tax and not a commission is inferred \
        from the commissions documented for the account
        """)
    case .currencyUnexpected:
      .proven("proven by Apple's own row against the table of storefronts and their currencies")
    case .partialRefund:
      .proven("proven by Apple's own row: it gives back less than the price")
    case .reportMissing:
      .proven("proven: no file in the ledger covers the day")
    case .reportRestated:
      .proven("proven: both versions of the report are in the ledger and were compared")
    case .reportsDisagree:
      .proven("proven: the reports of both spans are in the ledger and were added up and compared")
    case .wordUnknown:
      .proven("proven: the source has the value, and no documentation that Tieout knows has it")
    case .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers:
      .searched(
        """
        searched: the periods of all chains by day, with those near the boundary on either side; \
        certain only if the ledger's chains are complete
        """)
    case .subscriptionUnknown:
      .proven("proven: Apple's rows name a product that nothing else in the ledger names")
    case .subscriptionReportMissing:
      .proven("proven: no file in the ledger covers the days")
    case .receivableNegative:
      .proven("proven by the receivable's movements: what is owed is never below zero")
    case .rateStale:
      .proven("proven by the days of the loaded rates: none is newer")
    case .footerMismatch:
      .proven("proven by the file itself: its rows were added up and compared with its totals")
    default:
      .inferred(
        """
        inferred: from the day on, another rate than before explains the rounded proceeds of the \
        storefront's rows; rows that one rate makes are never taken for a change
        """)
    }
  }

  private func certaintyOfCount(_ boundary: ReportDayBoundary?) -> Certainty {
    if self == .timing {
      return .inferred(
        """
        inferred: one day lacks as many units as the neighbouring day has in excess, and as \
        many transactions lie close enough to the boundary between them; Apple's report does \
        not identify which ones moved
        """)
    }
    if self == .timingUnproven {
      return .inferred(
        """
        inferred: one day lacks as many units as the neighbouring day has in excess, and too few \
        transactions lie near the boundary between them: these may be two faults that cancel out
        """)
    }
    guard let boundary else {
      return .counted(
        """
        counted: Apple's report has no transaction IDs, so units are compared by day, \
        storefront and product; which rows are behind a difference is not known
        """)
    }
    guard let confidence = boundary.confidence else {
      return .counted(
        """
        counted by day, storefront and product, because Apple's report has no transaction IDs; the \
        day of \(boundary.storefront) begins under the rule \(boundary.rule) (\(boundary.zone)), \
        which was configured or taken from similar storefronts; which rows they are is not known
        """)
    }
    return .counted(
      """
      counted by day, storefront and product, because Apple's report has no transaction IDs; the \
      day of \(boundary.storefront) begins under the rule \(boundary.rule) (\(boundary.zone)), \
      inferred from the figures with a confidence of \(percent(confidence)), leaving \
      \(spoken(units: boundary.residualUnits)) of the period unmatched; which rows they are is not \
      known
      """)
  }

  private var certaintyOfSettlement: Certainty {
    switch self {
    case .settlementCarry:
      .inferred(
        """
        inferred: financial reports do not identify individual sales, so units were matched to the \
        sales of the same storefront, currency, product and price, the surest matches first
        """)
    case .regionReportMissing:
      .proven(
        """
        proven: no current financial report in the ledger is the region's, and Apple's other \
        reports of the month have money for it
        """)
    case .settlementUnits, .settlementProceeds:
      .counted(
        """
        counted: Apple's financial report against its own sales reports, by storefront, currency \
        and product; both are documents of Apple's
        """)
    case .fxRateUnexpected:
      .proven(
        """
        proven by the payments summary: what was paid divided by what was owed, against the rate \
        that is loaded for the day
        """)
    case .payoutNotReceived, .bankDiffers:
      .searched(
        """
        searched: the bank credits around the payout date, first by amount, then by a \
        reference that names Apple; certain only if the statements are complete
        """)
    case .paymentDiffers:
      .proven("proven by Apple's own documents, totalled and compared with each other")
    default: .proven("proven by a line of Apple's payments summary")
    }
  }
}

extension Certainty {
  /// How sure a finding about a pair is, by the rule that made the pair and who tells of the
  /// transaction.
  package init(_ rule: MatchRule, _ factSource: FactSource) {
    self.init(
      rule == .backTracing ? .inferred : .proven,
      [rule.words, factSource.words].joined(separator: "; "))
  }
}

extension MatchRule {
  /// What ties the two together.
  package var words: Wording {
    switch self {
    case .transactionID: "proven by id: the order names the transaction"
    case .orderID: "proven by id: the transaction names the order"
    case .receipt: "proven by the receipt that came in with the order"
    case .token: "proven by the app account token that both carry"
    case .backTracing:
      """
      inferred: no id ties the two; the order is the latest open one of the product, placed within \
      24 hours before the purchase, and nothing contradicts
      """
    case .chain: "proven by ids: a renewal belongs to the order of the purchase that it renews"
    }
  }
}

extension FactSource {
  /// Who tells, and what that is worth.
  package var words: Wording {
    switch self {
    case .company: "Apple's side rests on the company's own table alone"
    case .unsigned: "Apple's side rests on a payload that was saved without its signature"
    case .notificationV1: "Apple's side rests on a server notification, which is not signed"
    case .receipt: "Apple's side rests on a receipt that Apple verified"
    case .signed: "Apple's side rests on a signed payload whose signature was verified"
    }
  }
}
