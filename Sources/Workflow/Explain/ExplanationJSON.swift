import Billing
import Languages
import Matching
import Reporting

/// Explanations for a script or a ticket: one JSON document, its texts in the language of who
/// reads.
package func json(of explanations: [Explanation], id: String) -> String {
  jsonDocument { json in
    // A user's id may be hidden, whoever wrote it.
    json.string("id", explanations.first { $0.kind == .user }?.id ?? id)
    json.objects("explanations", of: explanations) { $0.members($1) }
  }
}

extension JSONWriter {
  /// Writes a member whose value is a text in the reader's language.
  private mutating func words(_ name: String, _ wording: Wording) {
    string(name, say(wording))
  }

  /// Writes a member whose value is a list of texts in the reader's language.
  private mutating func words(_ name: String, _ wordings: [Wording]) {
    strings(name, wordings.map { say($0) })
  }

  /// Writes a member with an object; leaves it out where the value is nil.
  private mutating func section<Value>(
    _ name: String, _ value: Value?, _ members: (inout JSONWriter, Value) -> Void
  ) {
    if let value { object(name, value, members) }
  }

  /// Writes an amount, given in micro-units, with its currency's decimal places; null where it is
  /// not known.
  private mutating func amount(_ name: String, _ micros: Int64?, _ currency: Currency?) {
    decimal(name, micros, minimumDigits: currency?.minorDigits ?? 2)
  }

  /// Writes all members of an explanation.
  fileprivate mutating func members(_ explanation: Explanation) {
    string("kind", explanation.kind.rawValue)
    string("id", explanation.id)
    words("headline", explanation.headline)
    if let finding = explanation.finding {
      key("finding")
      write(finding)
    }
    section("certainty", explanation.certainty) { json, certainty in
      json.string("degree", certainty.degree.rawValue)
      json.words("text", certainty.text)
    }
    section("cost", explanation.cost) { $0.members($1) }
    if !explanation.coins.isEmpty { words("coins", explanation.coins) }
    objects("timeline", of: explanation.timeline) { $0.members($1) }
    integer("untold", explanation.untold)
    objects("matching", of: explanation.decisions) { $0.members($1) }
    objects("prices", of: explanation.prices) { $0.members($1) }
    section("day", explanation.cell) { $0.members($1) }
    section("attribution", explanation.attribution) { $0.members($1) }
    array("other_findings", of: explanation.related) { $0.write($1) }
    integer("further_findings", explanation.furtherRelated)
    objects("evidence", of: explanation.evidence) { $0.members($1) }
    integer("further_evidence", explanation.furtherEvidence)
    words("next", explanation.next)
    words("notes", explanation.notes)
  }

  /// Writes the members of what a finding costs.
  private mutating func members(_ cost: Cost) {
    amount("amount", cost.amount?.micros, cost.amount?.currency)
    string("currency", cost.amount?.currency.code)
    amount("base_amount", cost.base?.micros, cost.base?.currency)
    string("base_currency", cost.base?.currency.code)
    string("rate", cost.rate?.text)
    string("quotes", cost.rate?.quotes)
    bool("at_stake", cost.isAtStake)
    words("text", cost.text)
  }

  /// Writes the members of an event.
  private mutating func members(_ event: TimelineEvent) {
    string("at", event.when.description)
    string("event", event.what.rawValue)
    words("text", event.text)
    place(event.source)
    string("kind", event.kind?.rawValue)
    string("witness", event.factSource?.name)
  }

  /// Writes the members `file` and `line` of a row's source.
  private mutating func place(_ source: Source?) {
    string("file", source?.file)
    integer("line", source?.line)
  }

  /// Writes the members of a decision of the matcher, with the candidates that it refused.
  private mutating func members(_ decision: MatchDecision) {
    string("order", decision.order)
    string("transaction", decision.transaction)
    string("claim", decision.rule?.rawValue)
    words("text", decision.text)
    objects("refused", of: decision.refused) { json, candidate in
      json.string("kind", candidate.kind.rawValue)
      json.string("id", candidate.id)
      json.string("at", candidate.at.description)
      json.place(candidate.source)
      json.words("why", candidate.why)
    }
    integer("further_refused", decision.furtherRefused)
  }

  /// Writes the members of a price check.
  private mutating func members(_ check: PriceCheck) {
    string("storefront", check.storefront.code)
    product("sku", check.sku)
    string("date", check.day.description)
    string("currency", check.currency.code)
    amount("price", check.price, check.currency)
    string("tier", check.tier?.tier)
    amount("tier_price", check.tier?.price, check.tier?.currency)
    words("verdict", check.verdict)
    amount("tax", check.tax, check.currency)
    amount("commission", check.commission, check.currency)
    amount("proceeds", check.proceeds, check.currency)
    decimal("deduction", check.deduction)
    words("rule", check.rule)
  }

  /// Writes the members of both sides' units of a day.
  private mutating func members(_ cell: CellFigures) {
    let account = cell.account
    string("storefront", account.storefront.code)
    product("sku", account.sku)
    string("date", account.day.description)
    string("begin", account.begin.description)
    string("end", account.end.description)
    string("rule", cell.boundary?.rule)
    decimal("confidence", cell.boundary?.confidence)
    levels("sales", account.sales)
    levels("refunds", account.refunds)
    words("text", cell.text)
  }

  /// Writes the units of sales or refunds at each price, as Apple reports them and as the ledger
  /// has them.
  private mutating func levels(_ name: String, _ side: CellAccount.Side) {
    objects(name, of: side.levels) { json, level in
      json.amount("price", level.price, level.currency)
      json.string("currency", level.currency?.code)
      json.integer("reported", level.reported)
      json.integer("counted", level.counted)
    }
  }

  /// Writes the members of what may be behind a difference, with its candidates.
  private mutating func members(_ attribution: AttributionSection) {
    integer("units", attribution.difference.units)
    amount("amount", attribution.difference.amount, attribution.difference.currency)
    string("currency", attribution.difference.currency?.code)
    words("text", attribution.text)
    integer("combinations", attribution.combinationCount)
    objects("candidates", of: attribution.candidates.enumerated()) { json, item in
      json.members(item.element, isMember: attribution.combination.contains(item.offset))
    }
    integer("further_candidates", attribution.furtherCandidates)
  }

  /// Writes the members of a candidate.
  ///
  /// - Parameter isMember: whether it is in the set that accounts for the difference.
  private mutating func members(_ candidate: AttributionSection.Candidate, isMember: Bool) {
    string("order", candidate.order)
    string("transaction", candidate.transaction)
    string("at", candidate.at.description)
    integer("units", candidate.units)
    amount("amount", candidate.amount?.micros, candidate.amount?.currency)
    string("currency", candidate.amount?.currency.code)
    place(candidate.source)
    bool("in_combination", isMember)
    words("reasons", candidate.reasons)
  }

  /// Writes the members of a row of evidence.
  private mutating func members(_ row: FactRow) {
    string("kind", row.kind.rawValue)
    place(row.source)
    bool("superseded", row.isSuperseded)
    objects("fields", of: row.fields) { json, field in
      json.string("name", field.name)
      json.string("value", field.value)
    }
  }
}
