import Billing
import Languages
import Matching

/// Columns that formulas, colours and links are about.
private enum PriceColumn {
  static let month = "F"
  static let gross = "J"
  static let proceeds = "K"
  static let ruleProceeds = "L"
  static let deduction = "M"
  static let ruleDeduction = "N"
  static let commission = "P"
  static let note = 21
}

extension WorkbookContents {
  var priceCheckName: String { say("Price check") }

  /// What Apple took of sales, beside what the rule has, and below it the deduction by storefront
  /// and month.
  func priceCheckSheet() -> Sheet? {
    let lines = reconciliation.deductions
    guard !lines.isEmpty else { return nil }
    let table = DeductionTable(lines, name: priceCheckName)
    return Sheet(
      name: priceCheckName, columns: Self.priceCheckColumns,
      rows: Rows(lines.enumerated().map { row(of: $1, at: $0 + 2) }), totals: table.rows,
      frozenColumns: 2, charts: table.chart.map { [$0] } ?? [])
  }

  /// Where the part begins that a change of the deduction opened.
  func priceCheckPlace(of finding: Finding) -> Place? {
    guard finding.code == .deductionChanged, let day = finding.date else { return nil }
    let index = reconciliation.deductions.firstIndex {
      $0.taxBefore != nil && $0.storefront == finding.storefront
        && $0.currency == finding.currency && $0.firstDay >= day
    }
    return index.map { Place(sheet: priceCheckName, row: $0 + 2) }
  }

  private static var priceCheckColumns: [Column] {
    [
      .text("storefront", 6...14), .text("currency"), .text("proceeds currency", 8...20),
      .text("kind"),
      .text("class"), .text("month"), .date("first day"), .date("last day"), .number("units"),
      .number("gross"), .number("proceeds"), .number("proceeds by rule"),
      .number("deduction"), .number("deduction by rule"), .number("difference"),
      .number("commission"),
      .number("implied tax"), .number("rule's tax"), .number("tax of the rows"),
      .number("explained"), .number("prices"), .text("note", 6...64), .text("mismatch"),
    ]
  }

  private func row(of line: DeductionLine, at row: Int) -> Row {
    typealias C = PriceColumn
    let isComparable = line.currency == line.proceedsCurrency
    func ratio(_ formula: String, _ millionths: Int64?) -> Cell {
      guard isComparable, let millionths else { return .blank }
      return .formula(formula, .ratio(millionths))
    }
    let (gross, proceeds) = ("\(C.gross)\(row)", "\(C.proceeds)\(row)")
    let mismatch = finding(opening: line)
    var cells = Row(cells: [
      .text(line.storefront.code), .text(line.currency.code), .text(line.proceedsCurrency.code),
      .words(line.kind?.wording ?? "not in the catalogue"), .words(line.commissionWording),
      .text(line.monthName), .day(line.firstDay), .day(line.lastDay), .integer(line.units),
      .money(line.gross, line.currency), .money(line.proceeds, line.proceedsCurrency),
      .money(line.ruleProceeds, line.currency),
      ratio("1-\(proceeds)/\(gross)", line.deduction),
      ratio("1-\(C.ruleProceeds)\(row)/\(gross)", line.ruleDeduction),
      ratio("\(C.deduction)\(row)-\(C.ruleDeduction)\(row)", line.difference),
      .ratio(line.commission),
      line.proceeds == 0
        ? .blank : ratio("\(gross)*(1-\(C.commission)\(row))/\(proceeds)-1", line.impliedTax),
      .ratio(ifAny: line.ruleTax), .ratio(ifAny: line.foundTax), .ratio(ifAny: line.explained),
      .integer(Int64(line.prices)), .words(line.note),
      .link(ifAny: mismatch.map(mismatches.place)),
    ])
    if line.isRemarkable { cells.tint(C.note, .warning) }
    return cells
  }

  /// The finding that says how a line's part begins.
  private func finding(opening line: DeductionLine) -> Int? {
    guard line.taxBefore != nil else { return nil }
    return reconciliation.findings.lastIndex { finding in
      finding.code == .deductionChanged && finding.storefront == line.storefront
        && finding.currency == line.currency && finding.date.map { $0 <= line.firstDay } == true
    }
  }
}

extension DeductionLine {
  fileprivate var commissionWording: Wording {
    CommissionClass(rawValue: commissionClass)?.wording ?? Wording(verbatim: commissionClass)
  }

  var monthName: String { String(month.description.prefix(7)) }

  var deduction: Int64? { ratio(proceeds, of: gross).map { 1_000_000 - $0 } }
  var ruleDeduction: Int64? { ratio(ruleProceeds, of: gross).map { 1_000_000 - $0 } }

  /// Rounded once, as a spreadsheet would show it.
  var difference: Int64? { ratio(ruleProceeds - proceeds, of: gross) }

  /// The tax that the sums imply; rounding of each row leaves its trace in it.
  var impliedTax: Int64? {
    guard proceeds != 0 else { return nil }
    let net = Int128(gross) * Int128(1_000_000 - commission)
    return roundedHalfUp(net, dividedBy: Int128(proceeds), toMultipleOf: 1) - 1_000_000
  }

  /// Share of the ordinary units whose proceeds the rows' tax gives.
  var explained: Int64? {
    foundTax == nil ? nil : ratio(explainedUnits, of: ordinaryUnits)
  }

  fileprivate var isChanged: Bool { taxBefore != nil }
  private var isOffRule: Bool { foundTax != nil && foundTax != ruleTax && ruleTax != nil }
  private var isMixed: Bool { explainedUnits * 100 < ordinaryUnits * 95 }

  fileprivate var isRemarkable: Bool {
    isChanged || isOffRule || (foundTax != nil && isMixed)
  }

  fileprivate var note: Wording {
    var notes: [Wording] = []
    if currency != proceedsCurrency {
      notes.append("paid in \(proceedsCurrency): the exchange hides the deduction")
    }
    if let taxBefore {
      notes.append(
        taxBefore < 0
          ? "changed, before: no tax" : "changed, before: a tax of \(percent(taxBefore))")
    }
    if ruleTax == nil { notes.append("no table has the tax of this storefront") }
    if let foundTax, foundTax < 0 {
      notes.append("no tax gives the proceeds at this commission")
    } else if isOffRule {
      notes.append("the rows are not as the rule has them")
    }
    if foundTax != nil, isMixed {
      notes.append("one rate explains \(explainedUnits) of \(ordinaryUnits) units")
    }
    return notes.joined(separator: "; ")
  }
}
