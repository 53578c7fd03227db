import Billing
import Conclusions

extension Reconciliation {
  /// The section on patterns: the rarest ones, as sentences.
  var patternsSection: SummaryPage.Section {
    let shown = 3
    var section = SummaryPage.Section(
      title: "@shared.patterns", pieces: [.points(patterns.prefix(shown).map(\.explanation))])
    section.addMore(patterns.count - shown)
    return section
  }
}
