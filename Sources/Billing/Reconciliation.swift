/// All that a reconciliation of one period concluded: the one value that every output is made from.
package struct Reconciliation: Sendable {
  package var period: Period
  package var baseCurrency: Currency
  package var asOf: Day
  package var inputs: [InputFile]
  package var cutoffs: [Cutoff]
  package var proceeds: [ProceedsLine]
  /// The same by entity, app and product, in output order; without what is booked of closed
  /// periods.
  package var products: [ProductProceeds] = []
  package var bridges: [Bridge]
  /// Revenue that is paid for in advance, where the configuration asks for it; by currency and SKU.
  package var deferral: [DeferralLine] = []
  /// Levels 3 and 4, where the period is a fiscal month whose financial reports are loaded.
  package var settlement: Settlement?
  /// What Apple owes by currency, where the period is a fiscal month.
  package var receivable: [ReceivableLine] = []
  package var findings: [Finding]
  /// What stands behind many findings of one code, the least likely by chance first.
  package var patterns: [Pattern] = []
  /// How purchases went, by the company's day.
  package var flow: [FlowDay] = []
  /// Refunds of the period, in the order of storefront, day, SKU, transaction; where they are too
  /// many for a list, those that something is to be said of, then others.
  package var refunds: [RefundLine] = []
  /// What all refunds come to, where not all are listed; else empty.
  package var refundTotals: [RefundTotal] = []
  /// All chains that the period touched, by SKU and state.
  package var subscriptionCounts: [SubscriptionCount] = []
  /// The chains one by one, or, where they are too many for a list, those that are more than
  /// plainly active or expired; in the order of storefront, SKU, original transaction.
  package var subscriptions: [SubscriptionLine] = []
  /// What Apple took of sales, by month or the part of one in which nothing changed, with those of
  /// the period before where its reports are loaded.
  package var deductions: [DeductionLine] = []
  /// Coins per unit of money, where the orders of one other channel tell what they sell for there.
  package var plan: RatePlan?
  package var matchedUnits: Int64
  package var unmatchedUnits: Int64
  /// Proceeds of the period before, where its reports are loaded; for comparison only.
  package var previousProceeds: [ProceedsLine]
  /// What the recorded run of the period before found; nil where none was recorded.
  package var previousRun: PreviousRun?
  /// What a reader must know beside the figures: rules' versions, prices nobody told, limits.
  package var notes: [Wording]
  /// What of closed periods is booked in this one.
  package var booked: [BookedChange] = []

  package init(
    period: Period, baseCurrency: Currency, asOf: Day, inputs: [InputFile] = [],
    cutoffs: [Cutoff] = [], proceeds: [ProceedsLine] = [], bridges: [Bridge] = [],
    findings: [Finding] = [], matchedUnits: Int64 = 0, unmatchedUnits: Int64 = 0,
    previousProceeds: [ProceedsLine] = [], notes: [Wording] = []
  ) {
    self.period = period
    self.baseCurrency = baseCurrency
    self.asOf = asOf
    self.inputs = inputs
    self.cutoffs = cutoffs
    self.proceeds = proceeds
    self.bridges = bridges
    self.findings = findings
    self.matchedUnits = matchedUnits
    self.unmatchedUnits = unmatchedUnits
    self.previousProceeds = previousProceeds
    self.notes = notes
  }
}

/// A file in the ledger.
package struct InputFile: Hashable, Sendable {
  package enum Status: String, Hashable, Sendable {
    case current, superseded, partial

    package var wording: Wording {
      switch self {
      case .current: "current"
      case .superseded: "superseded"
      case .partial: "partial"
      }
    }
  }
  package var kind: InputKind
  /// As given to `import`.
  package var file: String
  /// Of the inflated bytes, lower-case hex.
  package var sha256: String
  package var rows: Int
  package var rejected: Int
  /// The days its rows cover.
  package var from: Day?
  package var to: Day?
  package var status: Status

  package init(
    kind: InputKind, file: String, sha256: String, rows: Int, rejected: Int, from: Day?, to: Day?,
    status: Status
  ) {
    self.kind = kind
    self.file = file
    self.sha256 = sha256
    self.rows = rows
    self.rejected = rejected
    self.from = from
    self.to = to
    self.status = status
  }
}

/// Where a storefront's report day begins, and how sure that is.
package struct Cutoff: Hashable, Sendable {
  package var storefront: Storefront
  /// `configured`, `pacific`, `central-european`, `japan`, `western-australia`, `local:ZONE`, `utc`
  /// or `fixed:+HH:MM`.
  package var rule: String
  /// IANA name or offset of the rule's zone.
  package var zone: String
  /// In force on the middle day of the period.
  package var utcOffsetMinutes: Int
  /// Millionths: 1 − best total ÷ runner-up's total; nil when nothing was inferred.
  package var confidence: Int64?
  /// Units that still differ under the rule, by day and product.
  package var residualUnits: Int64
  /// Name of the best rule with another offset.
  package var runnerUp: String?

  package init(
    storefront: Storefront, rule: String, zone: String, utcOffsetMinutes: Int, confidence: Int64?,
    residualUnits: Int64, runnerUp: String?
  ) {
    self.storefront = storefront
    self.rule = rule
    self.zone = zone
    self.utcOffsetMinutes = utcOffsetMinutes
    self.confidence = confidence
    self.residualUnits = residualUnits
    self.runnerUp = runnerUp
  }
}

/// What Apple's rows of the period add up to, per storefront and currency pair. Micro-units.
package struct ProceedsLine: Hashable, Sendable {
  package var storefront: Storefront
  /// What customers paid in.
  package var currency: Currency
  package var proceedsCurrency: Currency
  package var unitsSold: Int64
  /// Positive.
  package var unitsRefunded: Int64
  /// Net of refunds, in `currency`.
  package var gross: Int64
  /// By the rule, in `currency`.
  package var tax: Int64
  /// Net price less proceeds, in `currency`; nil where proceeds have another currency.
  package var commission: Int64?
  /// Net of refunds, in `proceedsCurrency`.
  package var proceeds: Int64
  /// 1 − proceeds ÷ gross, in millionths; nil across currencies or without gross.
  package var deduction: Int64?
  /// In base currency; nil where no rate is loaded.
  package var proceedsBase: Int64?
  /// Base currency for one of `proceedsCurrency`, micro-units; nil where no rate is loaded.
  package var rate: Int64?

  package init(
    storefront: Storefront, currency: Currency, proceedsCurrency: Currency, unitsSold: Int64,
    unitsRefunded: Int64, gross: Int64, tax: Int64, commission: Int64?, proceeds: Int64,
    deduction: Int64?, proceedsBase: Int64?, rate: Int64?
  ) {
    self.storefront = storefront
    self.currency = currency
    self.proceedsCurrency = proceedsCurrency
    self.unitsSold = unitsSold
    self.unitsRefunded = unitsRefunded
    self.gross = gross
    self.tax = tax
    self.commission = commission
    self.proceeds = proceeds
    self.deduction = deduction
    self.proceedsBase = proceedsBase
    self.rate = rate
  }
}

/// From the ledger's total to Apple's, one step per cause.
package struct Bridge: Sendable {
  /// `ALL` for the summary in base currency, else the storefront's code (or `??` where a
  /// transaction has no storefront).
  package var storefront: String
  package var currency: Currency
  package var steps: [BridgeStep]

  /// The sum of the absolute amounts of the `unexplained` steps, micro-units.
  package var unexplained: Int64 {
    steps.filter { $0.cause == .unexplained }.reduce(0) { $0 + abs($1.amount ?? 0) }
  }

  /// - Precondition: each total equals the total before it plus the steps between.
  package init(storefront: String, currency: Currency, steps: [BridgeStep]) {
    var running: Int64 = 0
    for (index, step) in steps.enumerated() {
      if step.isTotal {
        precondition(index == 0 || step.amount == running, "the bridge does not add up")
        running = step.amount ?? 0
      } else {
        precondition(step.currency == currency, "two currencies are never added")
        running += step.amount ?? 0
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
  /// Micro-units of `currency`.
  package var amount: Int64?
  package var currency: Currency
  package var isTotal: Bool { cause.isTotal }

  package init(cause: BridgeCause, units: Int64?, amount: Int64?, currency: Currency) {
    self.cause = cause
    self.units = units
    self.amount = amount
    self.currency = currency
  }
}

/// The steps of a bridge in their order.
package enum BridgeCause: String, Hashable, Sendable, CaseIterable {
  case ledger
  case dayBoundary = "day-boundary"
  case timing
  case reportMissing = "report-missing"
  case notInLedger = "not-in-ledger"
  case notInReport = "not-in-report"
  case refundNotInLedger = "refund-not-in-ledger"
  case refundNotInReport = "refund-not-in-report"
  case unknownSKU = "unknown-sku"
  case apps
  case price
  case partialRefund = "partial-refund"
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
