import Billing
import Languages
import Matching

extension Reconciliation {
  /// The patterns of the text summary: the rarest ones, as sentences.
  var patternsText: String {
    let shown = 5
    var text = section("Patterns", patterns.prefix(shown).map(\.explanation))
    let rest = patterns.count - shown
    if rest > 0 { text += "  " + say("and \(rest) more, in the workbook") + "\n" }
    return text
  }
}
