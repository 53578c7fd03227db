package import Billing

/// How sure a finding is, and what that rests on.
package struct Certainty: Hashable, Sendable {
  package var degree: FindingCode.Degree
  /// What it rests on, in whole sentences.
  package var text: Wording

  package init(_ degree: FindingCode.Degree, _ text: Wording) {
    self.degree = degree
    self.text = text
  }
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

  /// How sure a finding of this code is, where nothing is known of how its rows came together.
  ///
  /// - Parameter boundary: of the finding's storefront, where its units were compared by that.
  package func certainty(_ boundary: ReportDayBoundary?) -> Certainty {
    Certainty(degree, degree == .counted && level == 2 ? textOfUnits(boundary) : certainty)
  }

  /// Says by which day boundary units were counted, and how sure that is; without one, that Apple's
  /// report has none.
  private func textOfUnits(_ boundary: ReportDayBoundary?) -> Wording {
    guard let boundary else { return "@explain.counted-apple-report-has-no" }
    guard let confidence = boundary.confidence else {
      return """
        @explain.counted-by-day-storefront \(boundary.storefront) \(boundary.rule) \
        \(boundary.zone)
        """
    }
    return """
      @explain.counted-by-day-storefront-and-product \(boundary.storefront) \(boundary.rule) \
      \(boundary.zone) \(percent(confidence)) \(spoken(units: boundary.residualUnits))
      """
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
