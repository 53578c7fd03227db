import Billing
import Matching
import Languages

extension WorkbookContents {
  /// Whether a threshold says which findings are material.
  var marksMaterial: Bool { reconciliation.findings.contains { $0.isMaterial != nil } }

  /// Whether people said something of a finding.
  var hasWork: Bool { reconciliation.findings.contains { $0.work != nil } }

  /// Columns of the list of findings that are there only where they have something to say.
  func workColumns() -> [Column] {
    (marksMaterial ? [.text("material", 8...10)] : [])
      + (hasWork
        ? [
          .text("state", 8...12), .text("assigned to", 8...20), .date("said on"),
          .text("said by", 8...20), .prose("last remark", 32),
        ] : [])
  }

  func workCells(of finding: Finding) -> [Cell] {
    (marksMaterial ? [.mark(finding.isMaterial == true)] : []) + (hasWork ? said(finding) : [])
  }

  private func said(_ finding: Finding) -> [Cell] {
    guard let work = finding.work, let last = work.remarks.last else {
      return [.words(FindingWork.State.open.wording)] + Array(repeating: .blank, count: 4)
    }
    let remark: Cell =
      work.change.map { change in
        .words(last.reason.isEmpty ? change : "\(change): \(last.reason)")
      } ?? .text(ifAny: last.reason)
    return [
      .words(work.state.wording), .text(ifAny: work.assignee), .day(last.at.day()),
      .text(last.by), remark,
    ]
  }

  /// Counts over the list's further columns, for the head of the summary.
  func workFigures() -> [Int: (label: Wording, figure: Cell)] {
    var figures: [Int: (label: Wording, figure: Cell)] = [:]
    let findings = reconciliation.findings
    if marksMaterial {
      let count = findings.count { $0.isMaterial == true }
      figures[4] = (
        "Material", findingCount(say("yes"), column: Self.firstWorkColumn, Int64(count))
      )
    }
    if hasWork {
      let column = Self.firstWorkColumn + (marksMaterial ? 1 : 0)
      let accepted = say(FindingWork.State.accepted.wording)
      figures[10] = (
        "Accepted",
        findingCount(accepted, column: column, Int64(findings.count(where: \.isAccepted)))
      )
    }
    return figures
  }

  /// How many columns the list of findings has without them.
  private static let firstWorkColumn = 11

  /// Findings by code and matched units beside those of the recorded run of the period before.
  func previousRunTable(firstRow: Int) -> [Line] {
    guard let previous = reconciliation.previousRun else { return [] }
    let isFirst = reconciliation.previousProceeds.isEmpty
    var lines = isFirst ? [] : [Line(cells: [])]
    lines += [
      Line(
        cells: [
          .words("Findings against the period before (\(previous.run.period))")
        ], style: .section),
      Line(
        cells: [
          .words("code"), .words("this period"), .words("before"), .words("change"),
          .words("in %"),
        ], style: .tableHeader),
    ]
    func add(_ name: Cell, _ now: Int64, _ before: Int64) {
      let row = firstRow + lines.count
      let share = ratio(now - before, of: before).map {
        Cell.formula("IF(C\(row)=0,0,D\(row)/C\(row))", .ratio($0))
      }
      lines.append(
        Line(cells: [
          name, .integer(now), .integer(before),
          .formula("B\(row)-C\(row)", .integer(now - before)), share ?? .blank,
        ]))
    }
    let now = reconciliation.findings.reduce(into: [FindingCode: Int64]()) {
      $0[$1.code, default: 0] += 1
    }
    for code in FindingCode.allCases where now[code] != nil || previous.findings[code] != nil {
      let name = findingPlace(code).map { Cell.link($0, code.rawValue) } ?? .text(code.rawValue)
      add(name, now[code] ?? 0, previous.findings[code] ?? 0)
    }
    add(.words("matched units"), reconciliation.matchedUnits, previous.run.matchedUnits)
    add(.words("unmatched units"), reconciliation.unmatchedUnits, previous.run.unmatchedUnits)
    return lines + (isFirst ? [Line(cells: [])] : [])
  }
}
