import Billing
import Languages
import Conclusions

/// A step from the ledger's total to Apple's, and what the findings of the list have of it.
private struct ListedPart {
  var step: BridgeStep
  /// Of the findings about the step; nil where no finding is.
  var code: FindingCode?
  var findings: Int64
  /// What they come to, in base currency.
  var found: Money?
}

extension BridgeCause {
  /// The code of the findings that a step of the bridge is made of; nil for steps without findings.
  var findingCode: FindingCode? {
    switch self {
    case .price: .priceDiffers
    default: FindingCode(rawValue: rawValue)
    }
  }
}

extension WorkbookContents {
  /// The rows of a table below the findings that adds up the summary's difference: a row per step
  /// of the bridge, with the findings of its code, so that each unit is in one row. Empty where a
  /// side is missing or a currency has no rate.
  ///
  /// - Parameter list: of the findings, in whose columns the table stands.
  func findingsInDifference(_ list: List<ListedFinding>) -> [Row] {
    guard let bridge = reconciliation.bridges.first(where: \.isSummary), bridge.reachesApple,
      let sides = reconciliation.sidesInBase, let difference = sides.difference
    else { return [] }
    let steps = bridge.steps.prefix { $0.cause != .reportedGross }.filter { step in
      !step.isTotal && (!step.amount.isZero || step.cause == .unexplained)
    }
    let parts = steps.map(part)
    var below = PlacedRows(below: .pages(mismatches))
    below.add([.blank, .words("@sheet.from-findings-to-the-difference")], .section)
    below.add(header(list))
    let first = below.next
    for part in parts { below.add(row(of: part, list)) }
    let letter = list.letter("company")
    var total = Row(cells: blanks(list), style: .total)
    total.cells[list.index("code")] = .words("@sheet.difference-of-the-summary")
    total.cells[list.index("company")] = .formula(
      "SUM(\(letter)\(first):\(letter)\(below.last))", .money(difference))
    let open = list.letter("apple")
    total.cells[list.index("apple")] = .formula(
      "SUM(\(open)\(first):\(open)\(below.last))",
      .money(steps.map(\.open).sum(in: bridge.currency, \.self)))
    below.add(total)
    below.add([.blank, .words("@sheet.findings-not-listed-here")], .aside)
    return below.rows
  }

  /// Blank cells as far as the table reaches.
  private func blanks(_ list: List<ListedFinding>) -> [Cell] {
    Array(repeating: .blank, count: list.index("apple") + 1)
  }

  /// The titles of the table, in the columns of the list.
  private func header(_ list: List<ListedFinding>) -> Row {
    var header = Row(cells: blanks(list), style: .tableHeader)
    header.cells[list.index("code")] = .words("@shared.cause")
    header.cells[list.index("id")] = .words("@shared.findings")
    header.cells[list.index("base")] = .words("@sheet.their-amounts")
    header.cells[list.index("company")] = .words(
      "@shared.in-2 \(reconciliation.baseCurrency)")
    header.cells[list.index("apple")] = .words("@shared.open")
    header.accents = ["id", "base", "company", "apple"].map {
      Row.Accent(column: list.index($0), style: .numberHeader)
    }
    return header
  }

  /// What the findings of a step's code come to.
  private func part(_ step: BridgeStep) -> ListedPart {
    guard let code = step.cause.findingCode else {
      return ListedPart(step: step, findings: 0)
    }
    let all = reconciliation.findings
    let ofCode = all.indices.filter { all[$0].code == code }
    let worth = ofCode.map { place in
      all.worth(at: place).isEmpty
        ? Money.zero(reconciliation.baseCurrency) : reconciliation.worth(of: all.worth(at: place))
    }
    let known = worth.compactMap(\.self)
    return ListedPart(
      step: step, code: code, findings: Int64(ofCode.count),
      found: known.count == worth.count
        ? known.sum(in: reconciliation.baseCurrency, \.self) : nil)
  }

  /// The row of a step: how many findings it has, what they come to, the bridge's amount, and what
  /// is open.
  private func row(of part: ListedPart, _ list: List<ListedFinding>) -> Row {
    var row = Row(cells: blanks(list))
    row.cells[list.index("code")] = .words(part.step.cause.label)
    if let code = part.code, part.findings > 0 {
      row.cells[list.index("id")] = findingCount(code.rawValue, column: "code", part.findings)
      if let found = part.found {
        row.cells[list.index("base")] = .formula(
          mismatches.sum {
            "SUMIFS(\($0(list.index("base"))),\($0(list.index("code"))),\"\(code.rawValue)\")"
          }, .money(found))
      }
    }
    row.cells[list.index("company")] =
      bridgeTotalReference(of: part.step.cause).map { .formula($0, .money(part.step.amount)) }
      ?? .money(part.step.amount)
    if !part.step.open.isZero { row.cells[list.index("apple")] = .money(part.step.open) }
    return row
  }
}
