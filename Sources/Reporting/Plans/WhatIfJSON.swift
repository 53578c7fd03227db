import Billing
import Languages
package import Pricing

extension WhatIf {
  /// The answer for a script: one JSON document; changes by the size of their effect.
  package var json: String {
    let lists = WhatIfLists(self)
    let outcomes = lists.outcomes
    // Things as they are and all changes together are no change with a name and a day.
    let figures = List(Array(outcomes.scripted.dropFirst(2)))
    return jsonDocument { writer in
      writer.string("date", day.description)
      writer.string("base_currency", baseCurrency.code)
      writer.string("period", period?.description)
      writer.object("before") { $0.members(lists.before, of: figures) }
      writer.lines("changes", lists.alone, of: outcomes)
      writer.object("together") { $0.members(lists.together, of: figures) }
      writer.array("notes", of: notes) { $0.string(say($1)) }
    }
  }
}
