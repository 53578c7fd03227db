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
        Column("storefront", .text("@shared.storefront")) { .text($0.bridge.storefront) },
        Column("currency", .text("@shared.currency")) { .text($0.step.currency.code) },
        Column("cause", .text("@shared.cause")) { .words($0.step.cause.label) }.meaning { line in
          line.step.cause == .unexplained && line.step.amount.isZero
            ? nil : .cause(CauseFamily(line.step.cause))
        },
        Column("units", .number("@shared.units")) { line in
          let units = Cell.integer(ifAny: line.step.units)
          return line.unitsFormula.map { .formula($0, units) } ?? units
        },
        Column("amount", .number("@shared.amount")) { line in
          let amount = Cell.money(line.step.amount)
          return line.formula.map { .formula($0, amount) } ?? amount
        },
        Column("rate", .number("@shared.rate")) { line in
          line.bridge.isSummary
            ? .blank : line.rate.map { .quoted($0) } ?? .words("@shared.no-rate")
        },
        Column("base", .number("@shared.in-2 \(contents.reconciliation.baseCurrency)")) { line in
          line.inBase.map {
            .formula("ROUND({amount}*{rate},\($0.currency.minorDigits))", .money($0))
          } ?? .blank
        },
        Column("rounding", .number("@shared.rounding")) { line in
          line.rounding.map { .formula("{base}-{amount}*{rate}", .quotient($0, places: 6)) }
            ?? .blank
        },
        Column("open", .number("@shared.open")) { line in
          line.step.open.isZero ? .blank : .money(line.step.open)
        },
        Column("step", .number("@shared.step")) { .ordinal(Int64($0.number)) },
        Column("findings", .text("@shared.findings"), leadingTo: { contents.findingPlace(of: $0) }),
        Column("meaning", .text("@shared.what-it-is", 10...90)) { .words($0.step.cause.meaning) },
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
    return wholeSheet(say("@shared.bridge"), list, lines, frozenColumns: 3)
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
    case .ledger: "@sheet.billable-transactions-less-refunds"
    case .dayBoundary: "@sheet.purchases-that-apple-day-puts"
    case .timing: "@sheet.units-booked-on-the-other"
    case .inputsInsufficient: "@sheet.what-only-follows-from-columns"
    case .reportMissing: "@sheet.days-without-a-report"
    case .notInLedger: "@sheet.sales-that-apple-reports"
    case .notInReport: "@sheet.sales-of-the-ledger"
    case .refundNotInLedger: "@sheet.refunds-that-apple-reports"
    case .refundNotInReport: "@sheet.refunds-of-the-ledger"
    case .unknownSKU: "@sheet.skus-not-in-the-catalogue"
    case .apps: "@sheet.sales-of-apps"
    case .price: "@sheet.same-units-at-other-prices"
    case .partialRefund: "@sheet.zero-unit-and-prorated-refund"
    case .rounding: "@sheet.what-rounding-each-storefront-amounts"
    case .unexplained: "@shared.what-no-cause-explains"
    case .reportedGross: "@sheet.what-customers-paid-by-apple"
    case .tax: "@sheet.tax-inside-the-price-by"
    case .commission: "@sheet.apple-commission-by-the-rule"
    case .proceedsDifference: "@sheet.actual-proceeds-less-those-by"
    case .exchange: "@sheet.proceeds-that-have-another-currency"
    case .reportedProceeds: "@sheet.proceeds-by-apple-sales-reports"
    case .settlementCarryIn: "@sheet.sold-in-earlier-fiscal-months"
    case .settlementCarryOut: "@sheet.sold-in-this-fiscal-month"
    case .settlementDifference: "@sheet.settled-differently-from-the-sales"
    case .settled: "@sheet.proceeds-by-apple-financial-reports"
    }
  }
}
