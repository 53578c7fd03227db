import Billing
import Languages
import Matching

/// A step of a bridge, and what the sheet leads to and adds up from there.
struct ListedStep {
  var bridge: Bridge
  var step: BridgeStep
  /// The step's number among all steps, by which the summary finds its parts.
  var number: Int
  /// Of a total, and of the summary: its formula; nil for a figure of its own.
  var formula: String?
  var unitsFormula: String?
  /// Base currency for one of the bridge's; nil where none is loaded.
  var rate: CurrencyRate?
  /// Of a storefront's bridge, in base currency.
  var inBase: Money?

  /// What conversion to the minor unit adds to the amount.
  var rounding: Fraction? {
    guard let inBase, let rate else { return nil }
    return Fraction(micros: inBase.micros) - Fraction(micros: step.amount.micros)
      * rate.value
  }
}

extension List<Bridge> {
  /// From the ledger's total to Apple's.
  static var bridges: List {
    List([
      Column("storefront") { .text($0.storefront) },
      Column("currency") { .text($0.currency.code) },
      Column("steps", script: .json { $0.lines($1.steps, of: .steps) }),
      Column("unexplained") { .money($0.unexplained) },
      Column("explained") { .money($0.explained) },
      Column("open") { .money($0.open) },
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
      Column("open") { $0.isTotal ? .blank : .money($0.open) },
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
        Column("units", .number("units")) { line in
          let units = Cell.integer(ifAny: line.step.units)
          return line.unitsFormula.map { .formula($0, units) } ?? units
        },
        Column("amount", .number("amount")) { line in
          let amount = Cell.money(line.step.amount)
          return line.formula.map { .formula($0, amount) } ?? amount
        },
        Column("rate", .number("rate")) { line in
          line.bridge.isSummary ? .blank : line.rate.map { .quoted($0) } ?? .words("no rate")
        },
        Column("base", .number("in \(contents.reconciliation.baseCurrency)")) { line in
          line.inBase.map {
            .formula("ROUND({amount}*{rate},\($0.currency.minorDigits))", .money($0))
          } ?? .blank
        },
        Column("rounding", .number("rounding")) { line in
          line.rounding.map { .formula("{base}-{amount}*{rate}", .quotient($0, places: 6)) }
            ?? .blank
        },
        Column("open", .number("open")) { line in
          line.step.open.isZero ? .blank : .money(line.step.open)
        },
        Column("step", .number("step")) { .ordinal(Int64($0.number)) },
        Column("findings", .text("findings"), leadingTo: { contents.findingPlace(of: $0) }),
        Column("meaning", .text("what it is", 10...90)) { .words($0.step.cause.meaning) },
      ], style: { $0.step.isTotal ? .total : .body })
  }
}

extension WorkbookContents {
  func bridgeSheet() -> Sheet? {
    let list = List.steps(in: self)
    let body = ListBody.sheet(count: reconciliation.bridges.reduce(0) { $0 + $1.steps.count })
    var lines: [ListedStep] = []
    for bridge in reconciliation.bridges {
      var lastTotal: Int?
      let numbers = bridge.stepNumbers
      for (step, number) in zip(bridge.steps, numbers) {
        let row = body.row(of: lines.count)
        var line = ListedStep(bridge: bridge, step: step, number: number)
        if step.isTotal {
          line.formula = lastTotal.map { list.total($0, at: row) }
          lastTotal = row
        }
        if !bridge.isSummary {
          line.rate = reconciliation.rates[bridge.currency]
          line.inBase = reconciliation.inBase(step.amount)
        }
        lines.append(line)
      }
    }
    addSummary(to: &lines, list, at: body)
    return wholeSheet(say("Bridge"), list, lines, frozenColumns: 3)
  }

  /// Makes the summary's rows formulas over the storefronts' amounts in base currency; a step that
  /// they do not come to keeps its figure.
  private func addSummary(
    to lines: inout [ListedStep], _ list: List<ListedStep>, at body: ListBody
  ) {
    let count = lines.prefix { $0.bridge.isSummary }.count
    guard count > 0, count < lines.count else { return }
    var sums: [Int: Int64] = [:]
    var units: [Int: Int64] = [:]
    for line in lines[count...] {
      guard let amount = line.inBase else { return }
      sums[line.number, default: 0] += amount.micros
      if let own = line.step.units { units[line.number, default: 0] += own }
    }
    let (first, last) = (body.row(of: count), body.rows.upperBound)
    func range(_ column: String) -> String {
      "\(list.letter(column))$\(first):\(list.letter(column))$\(last)"
    }
    let numbers = range("step")
    func stepCell(_ index: Int) -> String { "\(list.letter("step"))\(body.row(of: index))" }
    for index in 0..<count {
      let (step, own) = (lines[index].step, stepCell(index))
      let number = lines[index].number
      lines[index].formula =
        sums[number, default: 0] == step.amount.micros
        ? "SUMIFS(\(range("base")),\(numbers),\(own))" : nil
      if step.units != nil, units[number] == step.units {
        lines[index].unitsFormula = "SUMIFS(\(range("units")),\(numbers),\(own))"
      }
    }
    for index in 0..<count where lines[index].step.cause == .rounding {
      // What is added to the total, less what is added to its parts.
      guard let before = lines[..<index].lastIndex(where: \.step.isTotal),
        let total = lines[index..<count].firstIndex(where: \.step.isTotal)
      else { continue }
      func sum(_ criteria: String) -> String { "SUMIFS(\(range("rounding")),\(criteria))" }
      let (from, to) = ("\(numbers),\(stepCell(before))", "\(numbers),\(stepCell(total))")
      let parts = "\(numbers),\">\"&\(stepCell(before)),\(numbers),\"<\"&\(stepCell(total))"
      lines[index].formula =
        "ROUND(\(sum(to))-\(sum(from))-\(sum(parts)),\(lines[index].step.currency.minorDigits))"
    }
  }

  fileprivate func findingPlace(of line: ListedStep) -> Place? {
    FindingCode(rawValue: line.step.cause.rawValue).flatMap {
      findingPlace($0, storefront: line.bridge.isSummary ? nil : line.bridge.storefront)
    }
  }
}

extension Bridge {
  /// Of each step its number among all that a bridge may have, from 1.
  fileprivate var stepNumbers: [Int] {
    var seen: [BridgeCause: Int] = [:]
    return steps.map { step in
      defer { seen[step.cause, default: 0] += 1 }
      let place = BridgePlace(step.cause, seen[step.cause, default: 0])
      guard let index = BridgePlace.inOrder.firstIndex(of: place) else {
        preconditionFailure("a bridge has a step more often than its shape")
      }
      return index + 1
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
    case .rounding: "what rounding each storefront's amounts by themselves adds to the total below"
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
