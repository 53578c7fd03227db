import Billing
import Languages
import Matching

/// A step of a bridge, and what the sheet leads to and adds up from there.
struct ListedStep {
  var bridge: Bridge
  var step: BridgeStep
  /// Of a total: its formula; nil for a figure of its own.
  var formula: String?
}

extension List<Bridge> {
  /// From the ledger's total to Apple's.
  static var bridges: List {
    List([
      Column("storefront") { .text($0.storefront) },
      Column("currency") { .text($0.currency.code) },
      Column("steps", script: .json { $0.lines($1.steps, of: .steps) }),
      Column("unexplained") { .money($0.unexplained) },
    ])
  }
}

extension List<BridgeStep> {
  fileprivate static var steps: List {
    List([
      Column("cause") { .text($0.cause.rawValue) },
      Column("units") { .integer(ifAny: $0.units) },
      Column("amount") { .money($0.amount) },
      Column("currency") { .text($0.currency.code) },
      Column("total", script: .bool { $0.isTotal }),
    ])
  }
}

extension List<ListedStep> {
  /// One row per step; totals are formulas over their steps.
  static func steps(in contents: WorkbookContents) -> List {
    List(
      [
        Column("storefront", .text("storefront")) { .text($0.bridge.storefront) },
        Column("currency", .text("currency")) { .text($0.step.currency.code) },
        Column("cause", .text("cause")) { .words($0.step.cause.label) }.meaning { line in
          line.step.cause == .unexplained && line.step.amount.isZero
            ? nil : .cause(CauseFamily(line.step.cause))
        },
        Column("units", .number("units")) { .integer(ifAny: $0.step.units) },
        Column("amount", .number("amount")) { line in
          let amount = Cell.money(line.step.amount)
          return line.formula.map { .formula($0, amount) } ?? amount
        },
        Column("findings", .text("findings"), leadingTo: { contents.findingPlace(of: $0) }),
        Column("meaning", .text("what it is", 10...90)) { .words($0.step.cause.meaning) },
      ], style: { $0.step.isTotal ? .total : .body })
  }
}

extension WorkbookContents {
  func bridgeSheet() -> Sheet? {
    let list = List.steps(in: self)
    var lines: [ListedStep] = []
    for bridge in reconciliation.bridges {
      var lastTotal: Int?
      for step in bridge.steps {
        let row = lines.count + 2
        var line = ListedStep(bridge: bridge, step: step)
        if step.isTotal {
          line.formula = lastTotal.map { list.total($0, at: row) }
          lastTotal = row
        }
        lines.append(line)
      }
    }
    return wholeSheet(say("Bridge"), list, lines)
  }

  fileprivate func findingPlace(of line: ListedStep) -> Place? {
    FindingCode(rawValue: line.step.cause.rawValue).flatMap {
      findingPlace($0, storefront: line.bridge.isSummary ? nil : line.bridge.storefront)
    }
  }
}

extension List<ListedStep> {
  /// The total before and the steps between.
  fileprivate func total(_ before: Int, at row: Int) -> String {
    let amount = letter("amount")
    let between = before + 1 < row ? "+SUM(\(amount)\(before + 1):\(amount)\(row - 1))" : ""
    return "\(amount)\(before)\(between)"
  }
}

extension BridgeCause {
  /// What the step holds, for a reader of the workbook.
  var meaning: Wording {
    switch self {
    case .ledger: "billable transactions less refunds, at their prices, by the business day"
    case .dayBoundary: "purchases that Apple's day puts in a different period from ours"
    case .timing: "units booked on the other side of the period's edge, as their findings say"
    case .inputsInsufficient: "what only follows from columns that the inputs leave out"
    case .reportMissing: "days without a report"
    case .notInLedger: "sales that Apple reports and the ledger lacks"
    case .notInReport: "sales of the ledger that Apple does not report"
    case .refundNotInLedger: "refunds that Apple reports and the ledger lacks"
    case .refundNotInReport: "refunds of the ledger that Apple does not report"
    case .unknownSKU: "SKUs not in the catalogue"
    case .apps: "sales of apps, which the ledger does not hold"
    case .price: "the same units at other prices"
    case .partialRefund: "zero-unit and prorated refund rows"
    case .rounding: "amounts rounded one by one in base currency, beside the total below"
    case .unexplained: "what no cause explains"
    case .reportedGross: "what customers paid, by Apple's sales reports"
    case .tax: "tax inside the price, by the rule"
    case .commission: "Apple's commission, by the rule"
    case .proceedsDifference: "actual proceeds less those by the rule"
    case .exchange: "proceeds that have another currency than the price"
    case .reportedProceeds: "proceeds, by Apple's sales reports"
    case .settlementCarryIn: "sold in earlier fiscal months and settled in this one"
    case .settlementCarryOut: "sold in this fiscal month and not settled in it"
    case .settlementDifference: "settled differently from the sales reports"
    case .settled: "proceeds, by Apple's financial reports"
    }
  }
}
