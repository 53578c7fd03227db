import Billing
import Languages
import Conclusions

extension List<DeductionLine> {
  /// The columns of what Apple took of sales, beside what the rule has.
  static func priceCheck(in contents: WorkbookContents) -> List {
    let findings = DeductionFindings(contents.reconciliation.findings)
    /// A column with a share that a formula gives; blank where a line has two currencies.
    func ratio(
      _ name: String, _ title: Wording, _ formula: String,
      _ value: @escaping @Sendable (DeductionLine) -> Fraction?
    ) -> Column<DeductionLine> {
      Column(name, .number(title)) { line in
        guard line.currency == line.proceedsCurrency, let share = value(line) else {
          return .blank
        }
        return .formula(formula, .share(share))
      }
    }
    let read: [Column<DeductionLine>] = [
      Column("storefront", .text("@shared.storefront", 6...24)) { .place($0.storefront) },
      Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
      Column("kind", .text("@shared.kind", 6...18)) {
        .words($0.kind?.wording ?? "@sheet.not-in-the-catalogue")
      },
      Column(.text("@sheet.class", 6...16)) { .words($0.commissionWording) },
      Column("month", .text("@shared.month")) { .text($0.monthName) },
      Column("units", .number("@shared.units")) { .integer($0.units) },
      Column("gross", .number("@shared.gross")) { .money($0.gross) },
      Column("proceeds", .number("@shared.proceeds")) { .money($0.proceeds) },
      Column("rule_proceeds", .number("@sheet.proceeds-by-rule")) { .money($0.ruleProceeds) },
      ratio("deduction", "@sheet.total-deductions", "1-{proceeds}/{gross}") { $0.deduction },
      ratio("rule_deduction", "@sheet.deduction-by-rule", "1-{rule_proceeds}/{gross}") {
        $0.ruleDeduction
      },
      ratio("difference", "@shared.difference-2", "{deduction}-{rule_deduction}") { $0.difference },
      Column("note", .text("@sheet.note", 6...56)) { line in
        .words(findings.unexpected(line) != nil ? "@sheet.single-rows-off-the-rule" : line.note)
      }.tinted { $0.isRemarkable || findings.unexpected($0) != nil ? .warning : nil },
      Column(
        "mismatch", .text("@sheet.mismatch"),
        leadingTo: {
          findings.opening($0).map(contents.mismatches.place)
        }),
    ]
    let behind: [Column<DeductionLine>] = [
      Column("commission", .number("@shared.commission")) { .ratio($0.commission) },
      ratio("implied_tax", "@sheet.implied-tax", "{gross}*(1-{commission})/{proceeds}-1") {
        $0.impliedTax
      },
      Column(.number("@sheet.rule-tax")) { .ratio(ifAny: $0.ruleTax) },
      Column(.number("@sheet.tax-of-the-rows")) { .ratio(ifAny: $0.foundTax) },
      Column(.number("@shared.explained")) { .ratio(ifAny: $0.explained) },
      Column(.number("@shared.prices")) { .integer(Int64($0.prices)) },
      Column("proceeds_currency", .text("@shared.proceeds-currency", 8...20)) {
        .text($0.proceedsCurrency.code)
      },
      Column("first_day", .date("@sheet.first-day")) { .day($0.firstDay) },
      Column("last_day", .date("@sheet.last-day")) { .day($0.lastDay) },
    ]
    return List(read + behind.map(\.grouped))
  }
}

extension WorkbookContents {
  /// The name of the sheet.
  var priceCheckName: String { say("@shared.price-check") }

  /// The sheet of the price check, and below it the deduction by storefront and month; nil without
  /// lines.
  func priceCheckSheet() -> Sheet? {
    let lines = reconciliation.deductions
    let list = List.priceCheck(in: self)
    guard var sheet = wholeSheet(priceCheckName, list, lines, frozenColumns: 2) else { return nil }
    let table = DeductionTable(lines, below: list)
    sheet.totals = table.rows
    sheet.charts = table.chart.map { [$0] } ?? []
    if let chart = table.chart {
      // Rows of 16 dots at least, so that the printed page has all of it.
      let last = chart.row + chart.height / 16 + 1
      while sheet.lastRow < last { sheet.totals.append(Row(cells: [.blank])) }
    }
    sheet.printedColumns = list.index("commission")
    return sheet
  }

  /// The row of the part that begins where a finding says that the deduction changed; nil for other
  /// findings, or where no line has it.
  func priceCheckPlace(of finding: Finding) -> Place? {
    guard finding.code == .deductionChanged, let day = finding.date else { return nil }
    let index = reconciliation.deductions.firstIndex {
      $0.taxBefore != nil && $0.storefront == finding.storefront
        && $0.currency == finding.currency && $0.firstDay >= day
    }
    let body = ListBody.sheet(count: reconciliation.deductions.count)
    return index.map { Place(sheet: priceCheckName, row: body.row(of: $0)) }
  }
}

/// The findings that lines of the price check lead to, by storefront: their places among all, in
/// the order of all. Gathered once, for a month has as many lines as storefronts and classes.
private struct DeductionFindings {
  private struct Listed {
    var place: Int
    var currency: Currency?
    var date: Day?
  }

  private var unexpected: [Storefront?: [Listed]] = [:]
  private var changed: [Storefront?: [Listed]] = [:]
  private var taxes: [Storefront?: Int] = [:]

  init(_ findings: [Finding]) {
    // By index: a copy of each finding would cost more than what is asked of it.
    for place in findings.indices {
      let code = findings[place].code
      guard code == .proceedsUnexpected || code == .deductionChanged || code == .taxAsReported
      else { continue }
      let storefront = findings[place].storefront
      let listed = Listed(
        place: place, currency: findings[place].currency, date: findings[place].date)
      switch code {
      case .proceedsUnexpected: unexpected[storefront, default: []].append(listed)
      case .deductionChanged: changed[storefront, default: []].append(listed)
      default: taxes[storefront] = taxes[storefront] ?? place
      }
    }
  }

  /// The index, among all findings, of the first on a day of the line that says that proceeds are
  /// unexpected; nil without one, where the line's proceeds are those of the rule, or where the
  /// line has a note of its own.
  func unexpected(_ line: DeductionLine) -> Int? {
    guard line.proceeds != line.ruleProceeds, line.currency == line.proceedsCurrency,
      line.note.isEmpty
    else { return nil }
    return unexpected[line.storefront, default: []].first {
      $0.date.map { $0 >= line.firstDay && $0 <= line.lastDay } == true
    }?.place
  }

  /// The index, among all findings, of the one that a line leads to: about the change of deduction
  /// with which it begins, about a tax of its rows that is not the rule's, or about unexpected
  /// proceeds. Nil where there is none.
  func opening(_ line: DeductionLine) -> Int? {
    if line.taxBefore == nil {
      return line.isOffRule ? taxes[line.storefront] : unexpected(line)
    }
    return changed[line.storefront, default: []].last {
      $0.currency == line.currency && $0.date.map { $0 <= line.firstDay } == true
    }?.place
  }
}

extension DeductionLine {
  /// The class of commission in words.
  fileprivate var commissionWording: Wording {
    CommissionClass(rawValue: commissionClass)?.wording ?? Wording(verbatim: commissionClass)
  }

  /// The line's month: `2023-07`.
  var monthName: String { String(month.description.prefix(7)) }

  /// An amount as a part of what customers paid; nil where they paid nothing.
  private func share(_ part: Money) -> Fraction? {
    gross.isZero ? nil : Fraction(Int128(part.micros), over: Int128(gross.micros))
  }

  /// The share of the customer price that Apple took.
  fileprivate var deduction: Fraction? { share(gross - proceeds) }
  /// The share of the customer price that Apple takes by the rule.
  fileprivate var ruleDeduction: Fraction? { share(gross - ruleProceeds) }
  /// The share that Apple took beyond the rule.
  fileprivate var difference: Fraction? { share(ruleProceeds - proceeds) }

  /// The tax rate that the sums imply; rounding of each row leaves its trace in it.
  fileprivate var impliedTax: Fraction? {
    guard !proceeds.isZero else { return nil }
    let net = Int128(gross.micros) * Int128(1_000_000 - commission)
    return Fraction(net, over: 1_000_000 * Int128(proceeds.micros)) - .one
  }

  /// The share, in millionths, of the ordinary units whose proceeds the rows' tax gives; nil where
  /// the rows show none.
  var explained: Int64? {
    foundTax == nil ? nil : ratio(explainedUnits, of: ordinaryUnits)
  }

  /// Whether the line's part begins with a change of the deduction.
  fileprivate var isChanged: Bool { taxBefore != nil }
  /// Whether the tax of the rows differs from that of the rule.
  fileprivate var isOffRule: Bool { foundTax != nil && foundTax != ruleTax && ruleTax != nil }
  /// Whether the rows' tax gives the proceeds of fewer than 95 units in 100.
  private var isMixed: Bool { explainedUnits * 100 < ordinaryUnits * 95 }

  /// Whether a reader has to look at the line.
  fileprivate var isRemarkable: Bool {
    isChanged || isOffRule || (foundTax != nil && isMixed)
  }

  /// What a reader has to know of the line; empty where there is nothing.
  fileprivate var note: Wording {
    var notes: [Wording] = []
    if currency != proceedsCurrency {
      notes.append("@sheet.paid-in-the-exchange-hides \(proceedsCurrency)")
    }
    if let taxBefore {
      notes.append(
        taxBefore < 0
          ? "@sheet.changed-before-no-tax" : "@sheet.changed-before-a-tax \(percent(taxBefore))")
    }
    if ruleTax == nil { notes.append("@sheet.no-table-has-the-tax") }
    if let foundTax, foundTax < 0 {
      notes.append("@sheet.no-tax-gives-the-proceeds")
    } else if isOffRule, let foundTax, let ruleTax {
      notes.append("@sheet.rows-have-another-tax \(percent(foundTax)) \(percent(ruleTax))")
    }
    if foundTax != nil, isMixed {
      notes.append("@sheet.one-rate-explains \(explainedUnits) \(spoken(units: ordinaryUnits))")
    }
    return notes.joined(separator: "; ")
  }
}
