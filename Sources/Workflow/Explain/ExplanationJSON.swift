import Billing
import Languages
import Matching
import Reporting

/// Explanations for a script or a ticket: one JSON document, its texts in the language of who
/// reads.
package func json(of explanations: [Explanation], id: String) -> String {
  var writer = JSONWriter()
  writer.object { json in
    json.key("id")
    // A user's id may be hidden, whoever wrote it.
    json.string(explanations.first { $0.kind == .user }?.id ?? id)
    json.list("explanations", explanations) { $0.write($1) }
  }
  return writer.text() + "\n"
}

extension JSONWriter {
  private mutating func words(_ wording: Wording) { string(say(wording)) }

  private mutating func words(_ name: String, _ wording: Wording) {
    string(name, say(wording))
  }

  private mutating func bool(_ name: String, _ value: Bool) {
    key(name)
    bool(value)
  }

  /// A member that is left out where there is nothing to say.
  private mutating func section<Value>(
    _ name: String, _ value: Value?, _ element: (inout JSONWriter, Value) -> Void
  ) {
    guard let value else { return }
    key(name)
    element(&self, value)
  }

  fileprivate mutating func list<Value>(
    _ name: String, _ values: [Value], _ element: (inout JSONWriter, Value) -> Void
  ) {
    key(name)
    array(of: values, element)
  }

  /// An amount with its currency's places; null where it is not known.
  private mutating func amount(_ name: String, _ micros: Int64?, _ currency: Currency?) {
    decimal(name, micros, minimumDigits: currency?.minorDigits ?? 2)
  }

  fileprivate mutating func write(_ explanation: Explanation) {
    object { json in
      json.string("kind", explanation.kind.rawValue)
      json.string("id", explanation.id)
      json.words("headline", explanation.headline)
      json.section("finding", explanation.finding) { $0.write($1) }
      json.section("certainty", explanation.certainty) { json, certainty in
        json.object { json in
          json.string("degree", certainty.degree.rawValue)
          json.words("text", certainty.text)
        }
      }
      json.section("cost", explanation.cost) { $0.write($1) }
      if !explanation.coins.isEmpty { json.list("coins", explanation.coins) { $0.words($1) } }
      json.list("timeline", explanation.timeline) { $0.write($1) }
      json.integer("untold", explanation.untold)
      json.list("matching", explanation.decisions) { $0.write($1) }
      json.list("prices", explanation.prices) { $0.write($1) }
      json.section("day", explanation.cell) { $0.write($1) }
      json.section("attribution", explanation.attribution) { $0.write($1) }
      json.list("other_findings", explanation.related) { $0.write($1) }
      json.integer("further_findings", explanation.furtherRelated)
      json.list("evidence", explanation.evidence) { $0.write($1) }
      json.integer("further_evidence", explanation.furtherEvidence)
      json.list("next", explanation.next) { $0.words($1) }
      json.list("notes", explanation.notes) { $0.words($1) }
    }
  }

  private mutating func write(_ cost: Cost) {
    object { json in
      json.amount("amount", cost.amount?.micros, cost.amount?.currency)
      json.string("currency", cost.amount?.currency.code)
      json.amount("base_amount", cost.base?.micros, cost.base?.currency)
      json.string("base_currency", cost.base?.currency.code)
      json.string("rate", cost.rate?.text)
      json.string("quotes", cost.rate?.quotes)
      json.bool("at_stake", cost.isAtStake)
      json.words("text", cost.text)
    }
  }

  private mutating func write(_ event: TimelineEvent) {
    object { json in
      json.string("at", event.when.description)
      json.string("event", event.what.rawValue)
      json.words("text", event.text)
      json.place(event.source)
      json.string("kind", event.kind?.rawValue)
      json.string("witness", event.factSource?.name)
    }
  }

  /// The members `file` and `line`.
  private mutating func place(_ source: Source?) {
    string("file", source?.file)
    integer("line", source.map { Int64($0.line) })
  }

  private mutating func write(_ decision: MatchDecision) {
    object { json in
      json.string("order", decision.order)
      json.string("transaction", decision.transaction)
      json.string("claim", decision.rule?.rawValue)
      json.words("text", decision.text)
      json.list("refused", decision.refused) { json, candidate in
        json.object { json in
          json.string("kind", candidate.kind.rawValue)
          json.string("id", candidate.id)
          json.string("at", candidate.at.description)
          json.place(candidate.source)
          json.words("why", candidate.why)
        }
      }
      json.integer("further_refused", decision.furtherRefused)
    }
  }

  private mutating func write(_ check: PriceCheck) {
    object { json in
      json.string("storefront", check.storefront.code)
      json.product("sku", check.sku)
      json.string("date", check.day.description)
      json.string("currency", check.currency.code)
      json.amount("price", check.price, check.currency)
      json.string("tier", check.tier?.tier)
      json.amount("tier_price", check.tier?.price, check.tier?.currency)
      json.words("verdict", check.verdict)
      json.amount("tax", check.tax, check.currency)
      json.amount("commission", check.commission, check.currency)
      json.amount("proceeds", check.proceeds, check.currency)
      json.decimal("deduction", check.deduction)
      json.words("rule", check.rule)
    }
  }

  private mutating func write(_ cell: CellFigures) {
    let account = cell.account
    object { json in
      json.string("storefront", account.storefront.code)
      json.product("sku", account.sku)
      json.string("date", account.day.description)
      json.string("begin", account.begin.description)
      json.string("end", account.end.description)
      json.string("rule", cell.boundary?.rule)
      json.decimal("confidence", cell.boundary?.confidence)
      json.key("sales")
      json.write(account.sales)
      json.key("refunds")
      json.write(account.refunds)
      json.list("text", cell.text) { $0.words($1) }
    }
  }

  private mutating func write(_ side: CellAccount.Side) {
    array(of: side.levels) { json, level in
      json.object { json in
        json.amount("price", level.price, level.currency)
        json.string("currency", level.currency?.code)
        json.integer("reported", level.reported)
        json.integer("counted", level.counted)
      }
    }
  }

  private mutating func write(_ attribution: AttributionSection) {
    object { json in
      json.integer("units", attribution.difference.units)
      json.amount("amount", attribution.difference.amount, attribution.difference.currency)
      json.string("currency", attribution.difference.currency?.code)
      json.words("text", attribution.text)
      json.integer("combinations", attribution.combinationCount.map(Int64.init))
      json.key("candidates")
      json.array(of: attribution.candidates.enumerated()) { json, item in
        json.write(item.element, isMember: attribution.combination.contains(item.offset))
      }
      json.integer("further_candidates", attribution.furtherCandidates)
    }
  }

  private mutating func write(_ candidate: AttributionSection.Candidate, isMember: Bool) {
    object { json in
      json.string("order", candidate.order)
      json.string("transaction", candidate.transaction)
      json.string("at", candidate.at.description)
      json.integer("units", candidate.units)
      json.amount("amount", candidate.amount?.micros, candidate.amount?.currency)
      json.string("currency", candidate.amount?.currency.code)
      json.place(candidate.source)
      json.bool("in_combination", isMember)
      json.list("reasons", candidate.reasons) { $0.words($1) }
    }
  }

  private mutating func write(_ row: FactRow) {
    object { json in
      json.string("kind", row.kind.rawValue)
      json.place(row.source)
      json.bool("superseded", row.isSuperseded)
      json.list("fields", row.fields) { json, field in
        json.object { json in
          json.string("name", field.name)
          json.string("value", field.value)
        }
      }
    }
  }
}
