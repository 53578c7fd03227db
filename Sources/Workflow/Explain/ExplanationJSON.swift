import Billing
import Languages
import Matching
import Reporting

/// Explanations for a script or a ticket: one JSON document, its texts in the language of who reads.
package func json(of explanations: [Explanation], id: String) -> String {
  var writer = JSONWriter()
  writer.object { json in
    json.key("id")
    // A user's id may be hidden, whoever wrote it.
    json.string(explanations.first { $0.kind == .user }?.id ?? id)
    json.key("explanations")
    json.array(of: explanations) { $0.write($1) }
  }
  return writer.text() + "\n"
}

extension JSONWriter {
  fileprivate mutating func words(_ wording: Wording?) { string(wording.map(say)) }

  fileprivate mutating func write(_ explanation: Explanation) {
    object { json in
      json.string("kind", explanation.kind.rawValue)
      json.string("id", explanation.id)
      json.key("headline")
      json.words(explanation.headline)
      if let finding = explanation.finding {
        json.key("finding")
        json.write(finding)
      }
      if let certainty = explanation.certainty {
        json.key("certainty")
        json.object { json in
          json.string("degree", certainty.degree.rawValue)
          json.key("text")
          json.words(certainty.text)
        }
      }
      if let cost = explanation.cost {
        json.key("cost")
        json.write(cost)
      }
      json.key("timeline")
      json.array(of: explanation.timeline) { $0.write($1) }
      json.integer("untold", Int64(explanation.untold))
      json.key("matching")
      json.array(of: explanation.decisions) { $0.write($1) }
      json.key("prices")
      json.array(of: explanation.prices) { $0.write($1) }
      if let cell = explanation.cell {
        json.key("day")
        json.write(cell)
      }
      if let attribution = explanation.attribution {
        json.key("attribution")
        json.write(attribution)
      }
      json.writeRest(of: explanation)
    }
  }

  private mutating func writeRest(of explanation: Explanation) {
    key("other_findings")
    array(of: explanation.related) { $0.write($1) }
    integer("further_findings", Int64(explanation.furtherRelated))
    key("evidence")
    array(of: explanation.evidence) { $0.write($1) }
    integer("further_evidence", Int64(explanation.furtherEvidence))
    key("next")
    array(of: explanation.next) { $0.words($1) }
    key("notes")
    array(of: explanation.notes) { $0.words($1) }
  }

  private mutating func write(_ cost: Cost) {
    object { json in
      json.decimal(
        "amount", cost.amount?.micros, minimumDigits: cost.amount?.currency.minorDigits ?? 2)
      json.string("currency", cost.amount?.currency.code)
      json.decimal(
        "base_amount", cost.base?.micros, minimumDigits: cost.base?.currency.minorDigits ?? 2)
      json.string("base_currency", cost.base?.currency.code)
      json.decimal("rate", cost.rate)
      json.key("at_stake")
      json.bool(cost.isAtStake)
      json.key("text")
      json.words(cost.text)
    }
  }

  private mutating func write(_ event: TimelineEvent) {
    object { json in
      json.key("at")
      switch event.when {
      case .moment(let moment): json.string(moment.description)
      case .day(let day): json.string(day.description)
      case .month(let month): json.string(month.description)
      }
      json.string("event", event.what.rawValue)
      json.key("text")
      json.words(event.text)
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
      json.key("text")
      json.words(decision.text)
      json.key("refused")
      json.array(of: decision.refused) { json, candidate in
        json.object { json in
          json.string("kind", candidate.kind.rawValue)
          json.string("id", candidate.id)
          json.string("at", candidate.at.description)
          json.place(candidate.source)
          json.key("why")
          json.words(candidate.why)
        }
      }
      json.integer("further_refused", Int64(decision.furtherRefused))
    }
  }

  private mutating func write(_ check: PriceCheck) {
    object { json in
      json.string("storefront", check.storefront.code)
      json.string("sku", check.sku)
      json.string("date", check.day.description)
      json.string("currency", check.currency.code)
      json.key("price")
      json.money(check.price, check.currency)
      json.string("tier", check.tier?.tier)
      json.decimal(
        "tier_price", check.tier?.price, minimumDigits: check.tier?.currency.minorDigits ?? 2)
      json.key("verdict")
      json.words(check.verdict)
      json.key("tax")
      json.money(check.tax, check.currency)
      json.key("commission")
      json.money(check.commission, check.currency)
      json.key("proceeds")
      json.money(check.proceeds, check.currency)
      json.decimal("deduction", check.deduction)
      json.key("rule")
      json.words(check.rule)
    }
  }

  private mutating func write(_ cell: CellFigures) {
    let account = cell.account
    object { json in
      json.string("storefront", account.storefront.code)
      json.string("sku", account.sku)
      json.string("date", account.day.description)
      json.string("begin", account.begin.description)
      json.string("end", account.end.description)
      json.string("rule", cell.cutoff?.rule)
      json.decimal("confidence", cell.cutoff?.confidence)
      json.key("sales")
      json.write(account.sales)
      json.key("refunds")
      json.write(account.refunds)
      json.key("text")
      json.array(of: cell.text) { $0.words($1) }
    }
  }

  private mutating func write(_ side: CellAccount.Side) {
    array(of: side.levels) { json, level in
      json.object { json in
        json.decimal("price", level.price, minimumDigits: level.currency?.minorDigits ?? 2)
        json.string("currency", level.currency?.code)
        json.integer("reported", level.reported)
        json.integer("counted", level.counted)
      }
    }
  }

  private mutating func write(_ attribution: AttributionSection) {
    object { json in
      json.integer("units", attribution.difference.units)
      json.key("amount")
      json.decimal(
        attribution.difference.amount,
        minimumDigits: attribution.difference.currency?.minorDigits ?? 2)
      json.string("currency", attribution.difference.currency?.code)
      json.key("text")
      json.words(attribution.text)
      json.integer("combinations", attribution.combinationCount.map(Int64.init))
      json.key("candidates")
      json.array(of: attribution.candidates.enumerated()) { json, item in
        json.write(item.element, isMember: attribution.combination.contains(item.offset))
      }
      json.integer("further_candidates", Int64(attribution.furtherCandidates))
    }
  }

  private mutating func write(_ candidate: AttributionSection.Candidate, isMember: Bool) {
    object { json in
      json.string("order", candidate.order)
      json.string("transaction", candidate.transaction)
      json.string("at", candidate.at.description)
      json.integer("units", candidate.units)
      json.key("amount")
      json.decimal(
        candidate.amount?.micros, minimumDigits: candidate.amount?.currency.minorDigits ?? 2)
      json.string("currency", candidate.amount?.currency.code)
      json.place(candidate.source)
      json.key("in_combination")
      json.bool(isMember)
      json.key("reasons")
      json.array(of: candidate.reasons) { $0.words($1) }
    }
  }

  private mutating func write(_ row: FactRow) {
    object { json in
      json.string("kind", row.kind.rawValue)
      json.place(row.source)
      json.key("superseded")
      json.bool(row.isSuperseded)
      json.key("fields")
      json.array(of: row.fields) { json, field in
        json.object { json in
          json.string("name", field.name)
          json.string("value", field.value)
        }
      }
    }
  }
}
