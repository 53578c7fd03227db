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

package struct BridgeStep: Hashable, Sendable {
  package var cause: BridgeCause
  /// Net units that the step is about; nil where units say nothing.
  package var units: Int64?
  package var amount: Money
  package var currency: Currency { amount.currency }
  package var isTotal: Bool { cause.isTotal }

  package init(cause: BridgeCause, units: Int64?, amount: Money) {
    self.cause = cause
    self.units = units
    self.amount = amount
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

  package var isTotal: Bool {
    switch self {
    case .ledger, .reportedGross, .reportedProceeds, .settled: true
    default: false
    }
  }
}
