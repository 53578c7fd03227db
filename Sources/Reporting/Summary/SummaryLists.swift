import Billing
import Languages
import Matching

extension WorkbookContents {
  /// What the sheets of refunds and subscriptions come to, with the way to their totals.
  func addLists(to lines: inout PlacedLines) {
    let counts = refundLines() + subscriptionLines()
    guard !counts.isEmpty else { return }
    if !reconciliation.previousProceeds.isEmpty { lines.add() }
    lines.add([.words("@summary.refunds-and-subscriptions")], .section)
    lines.add([.words(""), .words("@shared.count"), .blank, .blank, .blank], .tableHeader)
    for line in counts { lines.add(line) }
  }

  private func refundLines() -> [Line] {
    guard let place = refundTotalsPlace, !reconciliation.refunds.isEmpty else { return [] }
    let all = allRefunds
    let list = refundSumList
    func line(_ name: Cell, _ column: String, _ count: (RefundTotal) -> Int64) -> Line {
      let formula = "\(quoted(sheet: place.sheet))!\(list.letter(column))\(place.row)"
      return Line(cells: [name, .formula(formula, .integer(all.reduce(0) { $0 + count($1) }))])
    }
    return [
      line(.link(place, say("@shared.refunds")), "refunds", \.refunds),
      line(.words("@summary.beyond-the-customer-window"), "beyond_window", \.beyondWindow),
      line(.words("@summary.delivered-not-taken-back"), "not_taken_back", \.notTakenBack),
    ]
  }

  private func subscriptionLines() -> [Line] {
    guard let place = subscriptionTotalsPlace else { return [] }
    let counts = reconciliation.subscriptionCounts
    let list = subscriptionCountList
    func line(_ name: Cell, _ column: String, _ count: Int) -> Line {
      let formula = "\(quoted(sheet: place.sheet))!\(list.letter(column))\(place.row)"
      return Line(cells: [name, .formula(formula, .integer(Int64(count)))])
    }
    return [
      line(
        .link(place, say("@shared.subscriptions")), "total", counts.reduce(0) { $0 + $1.chains }),
      line(.words("@shared.known-not-to-renew"), "ending", counts.reduce(0) { $0 + $1.ending }),
    ]
  }
}

extension WorkbookContents {
  /// Findings by code and matched units beside those of the recorded run of the period before.
  func addPreviousRun(to lines: inout PlacedLines) {
    guard let previous = reconciliation.previousRun else { return }
    let now = reconciliation.findings.reduce(into: [FindingCode: Int64]()) {
      $0[$1.code, default: 0] += 1
    }
    let codes = FindingCode.allCases.filter { now[$0] != nil || previous.findings[$0] != nil }
    let figures =
      codes.map { code in
        let name = findingPlace(code).map { Cell.link($0, code.rawValue) } ?? .text(code.rawValue)
        return ComparedFigure(name, now[code] ?? 0, previous.findings[code] ?? 0)
      } + [
        ComparedFigure(
          .words("@shared.matched-units"), reconciliation.matchedUnits, previous.run.matchedUnits),
        ComparedFigure(
          .words("@shared.unmatched-units"), reconciliation.unmatchedUnits,
          previous.run.unmatchedUnits),
      ]
    let isFirst = reconciliation.previousProceeds.isEmpty
    if !isFirst { lines.add() }
    add(
      "@summary.findings-compared-with-the-previous \(previous.run.period)", of: "@shared.code",
      figures,
      to: &lines)
    if isFirst { lines.add() }
  }
}
