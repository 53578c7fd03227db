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
        "@explain.searched-all-orders")
    case .orderWithoutTransaction:
      .searched(
        "@explain.searched-all-transactions")
    case .transactionReused:
      .proven("@explain.proven-by-ids-each")
    case .idRepeated:
      .searched(
        "@explain.searched-all-transactions-in-the-ledger")
    case .sourcesContradict:
      .proven("@explain.proven-the-sources-were-compared")
    case .datedAhead:
      .proven("@explain.proven-by-the-row-own")
    case .taxDiffers:
      .proven("@explain.proven-by-the-payload-itself")
    case .amountImpossible:
      .proven("@explain.proven-by-the-row-itself")
    case .subscriptionShared:
      .proven("@explain.proven-by-ids-transactions")
    case .clockOff:
      .counted(
        "@explain.counted-how-many-purchases")
    case .inputsInsufficient:
      .counted(
        "@explain.counted-what-the-inputs-leave")
    case .renewalRefunded:
      .proven(
        "@explain.proven-by-the-transaction-apple")
    case .offerReused:
      .proven(
        "@explain.proven-by-ids-several-transactions")
    case .renewalGap:
      .searched(
        "@explain.searched-the-paid-periods")
    default: .inferred("@explain.no-id-that-ties")
    }
  }

  private func certaintyOfSales(_ boundary: ReportDayBoundary?) -> Certainty {
    switch self {
    case .notInLedger, .notInReport, .refundNotInLedger, .refundNotInReport, .timing,
      .timingUnproven:
      certaintyOfCount(boundary)
    case .unknownSKU:
      .proven("@explain.proven-the-sku-is")
    case .priceNotInTier:
      .proven(
        "@explain.proven-by-apple-own-row-against-the-tier")
    case .priceDiffers:
      .proven("@explain.proven-by-apple-own-rows")
    case .proceedsUnexpected, .proceedsOffRule, .proceedsTolerated:
      .proven(
        "@explain.difference-is-proven-by-apple")
    case .taxAsReported:
      .proven(
        "@explain.proven-by-apple-own-rows-which-agree")
    case .currencyUnexpected:
      .proven("@explain.proven-by-apple-own-row-against")
    case .partialRefund:
      .proven("@explain.proven-by-apple-own-row")
    case .reportMissing:
      .proven("@explain.proven-no-file")
    case .reportRestated:
      .proven("@explain.proven-both-versions")
    case .reportsDisagree:
      .proven("@explain.proven-the-reports-of-both")
    case .wordUnknown:
      .proven("@explain.proven-the-source-has")
    case .subscriptionEventsDiffer, .subscriptionsDiffer, .subscriberDiffers:
      .searched(
        "@explain.searched-the-periods-of-all")
    case .subscriptionUnknown:
      .proven("@explain.proven-apple-rows-name")
    case .subscriptionReportMissing:
      .proven("@explain.proven-no-file-in-the-ledger")
    case .receivableNegative:
      .proven("@explain.proven-by-the-receivable-movements")
    case .rateStale:
      .proven("@explain.proven-by-the-days")
    case .footerMismatch:
      .proven("@explain.proven-by-the-file-itself")
    default:
      .inferred(
        "@explain.inferred-from-the-day")
    }
  }

  private func certaintyOfCount(_ boundary: ReportDayBoundary?) -> Certainty {
    if self == .timing {
      return .inferred(
        "@explain.inferred-one-day-lacks-as-many")
    }
    if self == .timingUnproven {
      return .inferred(
        "@explain.inferred-one-day-lacks")
    }
    guard let boundary else {
      return .counted(
        "@explain.counted-apple-report-has-no")
    }
    guard let confidence = boundary.confidence else {
      return .counted(
        """
        @explain.counted-by-day-storefront \(boundary.storefront) \(boundary.rule) \
        \(boundary.zone)
        """)
    }
    return .counted(
      """
      @explain.counted-by-day-storefront-and-product \(boundary.storefront) \(boundary.rule) \
      \(boundary.zone) \(percent(confidence)) \(spoken(units: boundary.residualUnits))
      """)
  }

  private var certaintyOfSettlement: Certainty {
    switch self {
    case .settlementCarry:
      .inferred(
        "@explain.inferred-financial-reports-do-not")
    case .regionReportMissing:
      .proven(
        "@explain.proven-no-current-financial-report")
    case .settlementUnits, .settlementProceeds:
      .counted(
        "@explain.counted-apple-financial-report-against")
    case .fxRateUnexpected:
      .proven(
        "@explain.proven-by-the-payments-summary")
    case .payoutNotReceived, .bankDiffers:
      .searched(
        "@explain.searched-the-bank-credits-around")
    case .paymentDiffers:
      .proven("@explain.proven-by-apple-own-documents")
    default: .proven("@explain.proven-by-a-line")
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
    case .transactionID: "@explain.proven-by-id-the-order"
    case .orderID: "@explain.proven-by-id-the-transaction"
    case .receipt: "@explain.proven-by-the-receipt"
    case .token: "@explain.proven-by-the-app-account"
    case .backTracing:
      "@explain.inferred-no-id-ties"
    case .chain: "@explain.proven-by-ids-a-renewal"
    }
  }
}

extension FactSource {
  /// Who tells, and what that is worth.
  package var words: Wording {
    switch self {
    case .company: "@explain.apple-side-rests-on-the-company"
    case .unsigned: "@explain.apple-side-rests-on-a-payload"
    case .notificationV1: "@explain.apple-side-rests-on-a-server"
    case .receipt: "@explain.apple-side-rests"
    case .signed: "@explain.apple-side-rests-on-a-signed"
    }
  }
}
