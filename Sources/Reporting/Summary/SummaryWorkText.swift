import Billing
import Languages
import Conclusions

extension Reconciliation {
  /// The sections on what people decided of the findings, which of them are material, and how the
  /// period before came out; none where nobody said anything, no threshold is set and no run was
  /// recorded.
  var workSections: [SummaryPage.Section] { [decided, previous].compactMap(\.self) }

  /// The section on how many findings are material, and how many people decided on; nil without
  /// any.
  private var decided: SummaryPage.Section? {
    var table = TextTable("lr")
    if findings.contains(where: { $0.isMaterial != nil }) {
      let material = findings.filter { $0.isMaterial == true && !$0.isAccepted }
      table.add(say("@summary.material-not-accepted"), grouped(material.count))
    }
    for state in FindingWork.State.allCases where state != .open {
      let count = findings.count { $0.work?.state == state }
      if count > 0 { table.add(say(state.wording), grouped(count)) }
    }
    if table.isEmpty { return nil }
    return SummaryPage.Section(title: "@summary.work-on-findings", pieces: [.table(table)])
  }

  /// The section on findings and units beside those of the period before; nil where no run of it
  /// was recorded.
  private var previous: SummaryPage.Section? {
    guard let previous = previousRun else { return nil }
    var table = TextTable("lrr")
    table.name(columns: "", "@shared.this-period", "@summary.before")
    let before = previous.findings.values.reduce(0, +)
    table.add(say("@shared.findings"), grouped(findings.count), grouped(before))
    table.add(
      say("@shared.matched-units"), grouped(matchedUnits),
      grouped(previous.run.matchedUnits))
    table.add(
      say("@shared.unmatched-units"), grouped(unmatchedUnits),
      grouped(previous.run.unmatchedUnits))
    return SummaryPage.Section(
      title: "@summary.compared-with-the-previous-period \(previous.run.period)",
      pieces: [.table(table)])
  }
}
