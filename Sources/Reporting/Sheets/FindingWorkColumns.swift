import Billing
import Conclusions
import Languages

extension WorkbookContents {
  /// Whether a threshold says which findings are material.
  var marksMaterial: Bool { reconciliation.findings.contains { $0.isMaterial != nil } }

  /// Whether people said something of a finding.
  var hasWork: Bool { reconciliation.findings.contains { $0.work != nil } }

  /// The figures for the head of the summary that say how many findings are material and accepted;
  /// formulas over the list's further columns.
  func workFigures() -> [SummaryGrid.Head: (label: Wording, figure: Cell)] {
    var figures: [SummaryGrid.Head: (label: Wording, figure: Cell)] = [:]
    let findings = reconciliation.findings
    if marksMaterial {
      let count = findings.count { $0.isMaterial == true }
      figures[.material] = (
        "@sheet.material", findingCount(say("@shared.yes"), column: "material", Int64(count))
      )
    }
    if hasWork {
      let accepted = say(FindingWork.State.accepted.wording)
      figures[.accepted] = (
        "@sheet.accepted",
        findingCount(accepted, column: "state", Int64(findings.count(where: \.isAccepted)))
      )
    }
    return figures
  }
}

extension List<ListedFinding> {
  /// The columns of what people said of findings: in the sheet only where they have something to
  /// say, and always for scripts.
  static func work(_ contents: WorkbookContents?) -> [Column<Line>] {
    let marksMaterial = contents?.marksMaterial == true
    let hasWork = contents?.hasWork == true
    /// A column of what people said of a finding, from that and its last remark; blank without
    /// remarks.
    func column(
      _ name: String, _ head: ColumnHead, _ value: @escaping @Sendable (FindingWork, Remark) -> Cell
    ) -> Column<Line> {
      Column(name, hasWork ? head : nil) { line in
        guard let work = line.finding.work, let last = work.remarks.last else { return .blank }
        return value(work, last)
      }
    }
    return [
      Column("material", marksMaterial ? .text("@sheet.material-2", 8...10) : nil) {
        .mark($0.finding.isMaterial == true)
      }.deciding { $0.finding.isMaterial },
      Column("state", hasWork ? .text("@sheet.state", 8...12) : nil) {
        .words(($0.finding.work?.state ?? .open).wording)
      }.coded { ($0.finding.work?.state ?? .open).rawValue },
      column("assignee", .text("@sheet.assigned", 8...20)) { work, _ in .text(ifAny: work.assignee)
      },
      column("said_on", .date("@sheet.said")) { .day($1.at.day()) },
      column("last_remark_by", .text("@sheet.said-by", 8...20)) { .text($1.by) },
      column("said", .prose("@sheet.last-remark", 32)) { work, last in
        work.change.map { change in
          .words(last.reason.isEmpty ? change : "\(change): \(last.reason)")
        } ?? .text(ifAny: last.reason)
      },
      Column("last_remark") { .text(ifAny: $0.finding.work?.remarks.last?.reason) },
      Column("last_remark_at") { .text(ifAny: $0.finding.work?.remarks.last?.at.description) },
    ]
  }
}
