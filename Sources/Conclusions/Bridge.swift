package import Billing

/// From the ledger's total to Apple's, one step per cause.
package struct Bridge: Sendable {
  /// `ALL` for the summary in base currency, else the storefront's code (or `??` where a
  /// transaction has no storefront).
  package var storefront: String
  package var currency: Currency
  package var steps: [BridgeStep]

  /// The sum of the absolute amounts of the `unexplained` steps.
  package var unexplained: Money {
    steps.filter { $0.cause == .unexplained }.sum(in: currency, \.amount.magnitude)
  }
  /// What steps come to as far as it is proven.
  package var explained: Money { parts().explained }
  /// What a finding locates, and nothing proves.
  package var open: Money { parts().open }
  /// Whether each step is proven, and there is no remainder.
  package var isExplained: Bool { isExplained(to: nil) }

  /// Whether each step before a later total is proven, and there is no remainder.
  ///
  /// - Parameter end: the later total; nil for the last.
  package func isExplained(to end: BridgeCause?) -> Bool {
    steps.prefix { $0.cause != end }.allSatisfy {
      $0.open.isZero && ($0.cause != .unexplained || $0.amount.isZero)
    }
  }

  /// What the difference between its first total and a later one is made of.
  ///
  /// - Parameter end: the later total; nil for the last.
  package func parts(to end: BridgeCause? = nil) -> DifferenceParts {
    var parts = DifferenceParts(currency)
    for step in steps {
      if step.cause == end { break }
      parts.add(step)
    }
    return parts
  }

  /// Puts the steps of a bridge together.
  ///
  /// - Precondition: each total equals the total before it plus the steps between.
  package init(storefront: String, currency: Currency, steps: [BridgeStep]) {
    var running = Money.zero(currency)
    for (index, step) in steps.enumerated() {
      if step.isTotal {
        precondition(index == 0 || step.amount == running, "the bridge does not add up")
        running = step.amount
      } else {
        running += step.amount
      }
    }
    self.storefront = storefront
    self.currency = currency
    self.steps = steps
  }
}

/// What a difference is made of, with signs: the three come to it.
package struct DifferenceParts: Hashable, Sendable {
  package private(set) var explained: Money
  package private(set) var open: Money
  package private(set) var unexplained: Money

  package init(_ currency: Currency) {
    (explained, open, unexplained) = (.zero(currency), .zero(currency), .zero(currency))
  }

  /// Adds a step to the parts that it belongs to; a total belongs to none.
  fileprivate mutating func add(_ step: BridgeStep) {
    switch step.cause.standing {
    case .total: break
    case .remainder: unexplained += step.amount
    case .explained, .asProven, .open:
      open += step.open
      explained += step.amount - step.open
    }
  }

  package static func += (left: inout Self, right: Self) {
    left.explained += right.explained
    left.open += right.open
    left.unexplained += right.unexplained
  }
}

package struct BridgeStep: Hashable, Sendable {
  package var cause: BridgeCause
  /// Net units that the step is about; nil where units say nothing.
  package var units: Int64?
  package var amount: Money
  /// The part of the amount that nothing proves: none or all of it, where the cause itself decides.
  package var open: Money
  package var currency: Currency { amount.currency }
  package var isTotal: Bool { cause.isTotal }

  /// A step of a bridge.
  ///
  /// - Parameters:
  ///   - amount: what the step adds; of a total, all up to it.
  ///   - open: nil for what the cause says of itself.
  package init(cause: BridgeCause, units: Int64?, amount: Money, open: Money? = nil) {
    self.cause = cause
    self.units = units
    self.amount = amount
    self.open = open ?? (cause.standing == .open ? amount : .zero(amount.currency))
  }
}

/// The steps of a bridge in their order.
package enum BridgeCause: String, Hashable, Sendable, CaseIterable {
  case ledger
  case dayBoundary = "day-boundary"
  case timing
  /// Between storefronts: units whose storefront no source tells; and what else only follows from
  /// what the inputs leave out.
  case inputsInsufficient = "inputs-insufficient"
  case reportMissing = "report-missing"
  case notInLedger = "not-in-ledger"
  case notInReport = "not-in-report"
  case refundNotInLedger = "refund-not-in-ledger"
  case refundNotInReport = "refund-not-in-report"
  case unknownSKU = "unknown-sku"
  case apps
  case price
  case partialRefund = "partial-refund"
  /// Of the summary alone: what the amounts of storefronts, each converted and rounded by itself,
  /// come to beside a total of theirs.
  case rounding
  case unexplained
  case reportedGross = "reported-gross"
  case tax
  case commission
  case proceedsDifference = "proceeds-difference"
  case exchange
  case reportedProceeds = "reported-proceeds"
  case settlementCarryIn = "settlement-carry-in"
  case settlementCarryOut = "settlement-carry-out"
  case settlementDifference = "settlement-difference"
  case settled

  /// What a step does for the difference between two totals.
  package enum Standing {
    case total
    /// It is proven: by the company's own rows, Apple's, or the rule.
    case explained
    /// As far as its own evidence proves it; the rest is open.
    case asProven
    /// A finding says where it is; what it is, nothing proves yet.
    case open
    case remainder
  }

  /// What a step of this cause does for the difference between two totals.
  package var standing: Standing {
    switch self {
    case .ledger, .reportedGross, .reportedProceeds, .settled: .total
    case .dayBoundary, .apps, .partialRefund, .rounding, .tax, .commission, .exchange: .explained
    case .timing, .settlementCarryIn, .settlementCarryOut: .asProven
    case .inputsInsufficient, .reportMissing, .notInLedger, .notInReport, .refundNotInLedger,
      .refundNotInReport, .unknownSKU, .price, .proceedsDifference, .settlementDifference:
      .open
    case .unexplained: .remainder
    }
  }

  package var isTotal: Bool { standing == .total }
}
