import Billing
import Languages
import Matching

extension WorkbookContents {
  /// From the ledger's total to Apple's, one row per step; totals are formulas over their steps.
  func bridgeSheet() -> Sheet? {
    guard reconciliation.bridges.contains(where: { !$0.steps.isEmpty }) else { return nil }
    var rows: [Row] = []
    for bridge in reconciliation.bridges {
      rows += bridgeRows(bridge, firstRow: rows.count + 2)
    }
    return Sheet(
      name: say("Bridge"),
      columns: [
        .text("storefront"), .text("currency"), .text("cause"), .number("units"),
        .number("amount"), .text("findings"), .text("what it is", 10...90),
      ],
      rows: Rows(rows), frozenColumns: 1)
  }

  private func bridgeRows(_ bridge: Bridge, firstRow: Int) -> [Row] {
    var lastTotal: Int?
    return bridge.steps.enumerated().map { index, step in
      let row = firstRow + index
      var amount = Cell.money(ifAny: step.amount, step.currency)
      if step.isTotal {
        if let lastTotal {
          let between = lastTotal + 1 < row ? "+SUM(E\(lastTotal + 1):E\(row - 1))" : ""
          amount = .formula("E\(lastTotal)\(between)", amount)
        }
        lastTotal = row
      }
      let findings = FindingCode(rawValue: step.cause.rawValue).flatMap {
        findingPlace($0, storefront: bridge.isSummary ? nil : bridge.storefront)
      }
      return Row(
        cells: [
          .text(bridge.storefront), .text(step.currency.code), .words(step.cause.label),
          .integer(ifAny: step.units), amount, .link(ifAny: findings),
          .words(step.cause.meaning),
        ], style: step.isTotal ? .total : .body,
        tints: step.cause == .unexplained && step.amount ?? 0 == 0
          ? [] : [Row.Tint(column: 2, meaning: .cause(CauseFamily(step.cause)))])
    }
  }
}

extension BridgeCause {
  /// What the step holds, for a reader of the workbook.
  var meaning: Wording {
    switch self {
    case .ledger: "billable transactions less refunds, at their prices, by the business day"
    case .dayBoundary: "purchases that Apple's day puts into another period than ours"
    case .timing: "units booked on the other side of the period's edge, proven by transactions"
    case .reportMissing: "days without a report"
    case .notInLedger: "sales that Apple reports and the ledger does not have"
    case .notInReport: "sales of the ledger that Apple does not report"
    case .refundNotInLedger: "refunds that Apple reports and the ledger does not have"
    case .refundNotInReport: "refunds of the ledger that Apple does not report"
    case .unknownSKU: "SKUs that the catalogue does not have"
    case .apps: "sales of apps, which the ledger does not hold"
    case .price: "the same units at other prices"
    case .partialRefund: "zero-unit and prorated refund rows"
    case .unexplained: "what no cause explains"
    case .reportedGross: "what customers paid, by Apple's sales reports"
    case .tax: "tax inside the price, by the rule"
    case .commission: "Apple's commission, by the rule"
    case .proceedsDifference: "actual proceeds less those by the rule"
    case .exchange: "proceeds that have another currency than the price"
    case .reportedProceeds: "proceeds, by Apple's sales reports"
    case .settlementCarryIn: "sold in earlier fiscal months and settled in this one"
    case .settlementCarryOut: "sold in this fiscal month and not settled in it"
    case .settlementDifference: "settled otherwise than the sales reports say"
    case .settled: "proceeds, by Apple's financial reports"
    }
  }
}
