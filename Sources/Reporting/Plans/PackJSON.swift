import Billing
import Languages
package import Pricing

extension PackPlan {
  /// The plan for a script: one JSON document.
  package var json: String {
    let lists = PackLists(self)
    return jsonDocument { writer in
      writer.string("date", day.description)
      writer.string("base_currency", baseCurrency.code)
      writer.string("sought", goal.rawValue)
      writer.string("target", target.name)
      writer.string("period", period?.description)
      writer.decimal("elasticity", elasticity)
      writer.object("channel") { writer in
        writer.string("name", channel.name.isEmpty ? nil : channel.name)
        writer.string("currency", channel.currency.code)
        channel.costs.writeFields(to: &writer)
        writer.lines("packs", counterparts, of: lists.counterparts)
      }
      writer.objects("exchange_rates", of: worths) { writer, worth in
        writer.string("currency", worth.currency.code)
        writer.string("worth", worth.worth.text)
        writer.string("quotes", worth.worth.quotes)
      }
      writer.lines("packs", rows, of: lists.packs)
      let sums = lists.storefronts
      writer.lines("storefronts", lists.sums, of: sums)
      writer.object("total") {
        $0.members(lists.whole, of: List(Array(sums.scripted.dropFirst())))
      }
      writer.array("notes", of: notes) { $0.string(say($1)) }
    }
  }
}
