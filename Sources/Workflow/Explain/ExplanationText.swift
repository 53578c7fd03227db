import Billing
import Languages
import Matching
import Reporting

/// Explanations for a person, one after the other.
///
/// - Parameter hasEvidence: whether rows, times and matching follow what is told of each.
package func text(of explanations: [Explanation], hasEvidence: Bool = false) -> String {
  var text = ""
  if explanations.count > 1, let first = explanations.first {
    let kinds = explanations.map(\.kind.words).joined(separator: ", ")
    text += say("@explain.is-ambiguous-each-meaning-is \(first.id) \(kinds)") + "\n\n"
  }
  return text
    + explanations.map { ExplanationText($0, hasEvidence: hasEvidence).text }
    .joined(separator: "\n")
}

/// One explanation: the answer in about twelve lines, and below it, where it is wanted, what it
/// rests on; what there is nothing to say of is left out.
private struct ExplanationText {
  /// Events, candidates and findings that the answer has.
  private static let shown = (events: 8, others: 3)

  private let explanation: Explanation
  private(set) var text = ""

  /// Puts the explanation into text.
  ///
  /// - Parameter hasEvidence: whether rows, times and matching follow the answer.
  init(_ explanation: Explanation, hasEvidence: Bool) {
    self.explanation = explanation
    text = wrapped(say(explanation.headline), indent: 0)
    var answer = LabelledText()
    if explanation.finding != nil {
      addAnswers(&answer)
    } else if !hasEvidence {
      // Below, it stands with its places.
      addStory(&answer)
    }
    answer.add("@explain.label-coins", explanation.coins.map(say))
    addCandidates(&answer, isWhole: hasEvidence)
    addRelated(&answer, isWhole: hasEvidence)
    answer.add("@explain.label-to-do", steps.map(say))
    if !hasEvidence, explanation.hasMore {
      let id = explanation.finding?.id.prefix(8) ?? explanation.id[...]
      answer.add("@explain.label-more", [say("@explain.add-evidence \(id)")])
    }
    text += answer.text
    guard hasEvidence else { return }
    addTimeline()
    addDecisions()
    addPrices()
    addCell()
    addEvidence()
    addList("@shared.notes", explanation.notes)
  }

  /// What to do; that a period is reconciled again in the end is said once, in the guide.
  private var steps: [Wording] {
    explanation.finding == nil ? explanation.next : explanation.next.dropLast()
  }

  /// Adds what a finding says: what happened, what it costs, why, and how sure it is.
  private func addAnswers(_ answer: inout LabelledText) {
    guard let finding = explanation.finding else { return }
    answer.add(
      "@explain.label-what",
      [finding.explanation, ids(of: finding), contradictions(of: finding)]
        .compactMap(\.self).map(say))
    if let cost = explanation.cost {
      answer.add("@explain.label-money", [say(words(of: cost, finding.code.comparison))])
    }
    answer.add("@explain.label-why", [say(finding.code.causes)])
    if let certainty = explanation.certainty {
      answer.add("@explain.label-how-sure", [say(certainty.text)])
    }
  }

  /// The orders and transactions that a finding is about, where there are several of one kind: what
  /// to do names one. Nil otherwise.
  private func ids(of finding: Finding) -> Wording? {
    let (orders, transactions) = (finding.orderIDs, finding.transactionIDs)
    guard finding.code.level == 1, max(orders.count, transactions.count) > 1 else { return nil }
    /// Ids in words: a single one by `one`, several as a list by `word`; empty without any.
    func named(
      _ ids: [String], one: (String) -> Wording, _ word: (Wording) -> Wording
    ) -> [Wording] {
      if ids.count < 2 { return ids.map(one) }
      let rest = ids.count - Self.shown.others
      let text = ids.prefix(Self.shown.others).asList
      return [word(rest > 0 ? "@shared.and-more-2 \(text) \(rest)" : text)]
    }
    return
      (named(orders, one: { "@shared.order-2 \($0)" }) { "@explain.orders-are \($0)" }
      + named(transactions, one: { "@shared.transaction-2 \($0)" }) {
        "@explain.transactions-are \($0)"
      }).joined(separator: "; ")
  }

  /// What each source says in the columns in which they disagree; nil for any other finding.
  private func contradictions(of finding: Finding) -> Wording? {
    guard finding.code == .sourcesContradict else { return nil }
    let rows = explanation.evidence.filter { $0.kind == .transactions || $0.kind.isPurchases }
    guard let first = rows.first else { return nil }
    // When a source spoke, and which one it is, always differs.
    let parts = first.fields.map(\.name).filter { !["witness", "told_at"].contains($0) }
      .compactMap { name -> Wording? in
        let told = rows.compactMap { row -> Wording? in
          row[name].map { "\($0) (\(row.source.place))" }
        }
        guard Set(rows.compactMap { $0[name] }).count > 1 else { return nil }
        return Wording(verbatim: "\(name) ") + told.joined(separator: "@shared.list-mark")
      }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// Adds what happened in time, how rows were matched, and a day's units.
  private func addStory(_ answer: inout LabelledText) {
    var events = explanation.timeline
    // Of a user's purchases, what Apple reports of them has the least room.
    if explanation.kind == .user, events.count > Self.shown.events {
      events.removeAll { $0.what == .reported || $0.what == .settled }
    }
    let shown = events.suffix(Self.shown.events)
    let further = explanation.timeline.count - shown.count + explanation.untold
    let more = further > 0 ? [say("@shared.and-more \(further)")] : []
    let lines = shown.map { "\($0.when)  \(say($0.text))" }
    let isFromTheFirst = shown.count == events.count && explanation.untold == 0
    answer.add("@explain.label-when", isFromTheFirst ? lines + more : more + lines)
    let decisions = explanation.decisions.prefix(Self.shown.others)
    answer.add("@explain.label-matched", decisions.map { say($0.text) })
    if let cell = explanation.cell {
      answer.add("@explain.label-units", cell.text.map(say))
    }
  }

  /// Adds what may be behind a difference of units.
  ///
  /// - Parameter isWhole: whether all candidates are listed, or only the first.
  private func addCandidates(_ answer: inout LabelledText, isWhole: Bool) {
    guard let attribution = explanation.attribution else { return }
    var lines = [say(attribution.text)]
    let shown = isWhole ? attribution.candidates.count : Self.shown.others
    for (index, candidate) in attribution.candidates.prefix(shown).enumerated() {
      let isMember = attribution.combination.contains(index)
      lines.append((isMember ? "* " : "- ") + say(words(of: candidate)))
    }
    let further = attribution.furtherCandidates + max(attribution.candidates.count - shown, 0)
    if further > 0 { lines.append(say("@shared.and-more \(further)")) }
    answer.add("@explain.label-candidates", lines)
  }

  /// Adds findings about the same rows: what they say is told by their own explanations.
  ///
  /// - Parameter isWhole: whether all of them are listed, or only the first.
  private func addRelated(_ answer: inout LabelledText, isWhole: Bool) {
    let shown = explanation.related.prefix(isWhole ? explanation.related.count : Self.shown.others)
    let further = explanation.related.count - shown.count + explanation.furtherRelated
    answer.add(
      explanation.finding == nil ? "@explain.label-findings" : "@explain.label-related",
      shown.map { "\($0.id.prefix(8))  " + say("\($0.code.rawValue): \($0.code.brief)") }
        + (further > 0 ? [say("@shared.and-more \(further)")] : []))
  }

  /// Adds an empty line and a title.
  private mutating func addTitle(_ title: Wording) { text += "\n\(say(title))\n" }

  /// Adds a wording, wrapped.
  private mutating func addLine(_ wording: Wording, indent: Int = 2) {
    text += wrapped(say(wording), indent: indent)
  }

  /// Adds a title and a list with dashes; nothing without lines.
  private mutating func addList(_ title: Wording, _ lines: [Wording]) {
    if lines.isEmpty { return }
    addTitle(title)
    for wording in lines { text += wrapped("- " + say(wording), indent: 2, hanging: 2) }
  }

  /// The sentence on what a finding costs.
  ///
  /// - Parameter comparison: what Apple's amount is held against.
  private func words(of cost: Cost, _ comparison: FindingCode.Comparison) -> Wording {
    guard let amount = cost.amount ?? cost.base else { return cost.text }
    let size = Money(micros: abs(amount.micros), amount.currency)
    var said = spoken(size)
    if let base = cost.base, base.currency != amount.currency {
      let worth = spoken(Money(micros: abs(base.micros), base.currency))
      said = "\(said) (\(worth))"
    }
    if cost.isAtStake { return "@explain.at-risk \(said) \(cost.text)" }
    if amount.micros == 0 { return "\(said): \(cost.text)" }
    return switch (comparison, amount.micros > 0) {
    case (.ledger, true): "@explain.more-on-apple-side-than \(said) \(cost.text)"
    case (.ledger, false): "@explain.less-on-apple-side-than \(said) \(cost.text)"
    case (.expected, true): "@explain.above-expected \(said) \(cost.text)"
    case (.expected, false): "@explain.below-expected \(said) \(cost.text)"
    case (.bank, true): "@explain.above-bank \(said) \(cost.text)"
    case (.bank, false): "@explain.below-bank \(said) \(cost.text)"
    case (.nothing, _): "\(said): \(cost.text)"
    }
  }

  /// Adds what happened, with the place of each event that no row of the evidence has.
  private mutating func addTimeline() {
    if explanation.timeline.isEmpty { return }
    addTitle("@explain.timeline")
    let shownSources = Set(explanation.evidence.map(\.source))
    for event in explanation.timeline {
      let time = "\(event.when)"
      let gap = String(repeating: " ", count: max(22 - time.count, 2))
      text += wrapped(time + gap + say(event.text), indent: 2, hanging: 22)
      if let source = event.source, !shownSources.contains(source) {
        addLine("\(source.place), \(event.reading)", indent: 24)
      }
    }
    if explanation.untold > 0 {
      addLine("@explain.orders-and-transactions-whose-events \(explanation.untold)")
    }
  }

  /// Adds how each row was matched, and the candidates that were refused.
  private mutating func addDecisions() {
    if explanation.decisions.isEmpty { return }
    addTitle("@explain.how-it-was-matched")
    for decision in explanation.decisions {
      addLine(decision.text)
      for candidate in decision.refused {
        let kind = candidate.kind.words
        text += wrapped(
          say("@explain.not \(kind) \(candidate.id) \(candidate.at) \(candidate.source.place)")
            + say(candidate.why), indent: 4)
      }
      if decision.furtherRefused > 0 {
        addLine("@explain.and-more-that-were-rejected \(decision.furtherRefused)", indent: 4)
      }
    }
  }

  /// Adds the checks of prices: price, verdict, and what Apple should pay.
  private mutating func addPrices() {
    if explanation.prices.isEmpty { return }
    addTitle("@shared.price-check")
    for check in explanation.prices {
      let (price, currency) = (check.price, check.currency)
      /// An amount of the price's currency, given in micro-units, for a person.
      func amount(_ micros: Int64) -> String { grouped(Money(micros: micros, currency)) }
      addLine(
        """
        @explain.in-on-per-unit \(check.sku) \(check.storefront) \(check.day) \(amount(price)) \
        \(currency) \(check.verdict)
        """)
      if let deduction = check.deduction {
        addLine(
          """
          @explain.proceeds-tax-commission-total-deduction \(amount(check.proceeds)) \
          \(currency) \(amount(check.tax)) \(amount(check.commission)) \(percent(deduction))
          """, indent: 4)
      }
      addLine("@explain.by-the-rule \(check.rule)", indent: 4)
    }
  }

  /// Adds both sides' units of a day, with a table of them by price.
  private mutating func addCell() {
    guard let cell = explanation.cell else { return }
    addTitle("@shared.apple-day")
    for wording in cell.text { addLine(wording) }
    var table = TextTable("lrlrr")
    table.name(columns: "", "", "", "@shared.apple", "@shared.ledger")
    for (name, side) in [
      (Wording("@shared.sales"), cell.account.sales), ("@shared.refunds", cell.account.refunds),
    ] {
      for level in side.levels {
        let digits = level.currency?.minorDigits ?? 2
        let price = level.price.map { decimalText(micros: $0, minimumDigits: digits) }
        table.add(
          say(name), price.map { grouped(decimal: $0) } ?? "?", level.currency?.code ?? "",
          grouped(level.reported), grouped(level.counted))
      }
    }
    if !cell.account.sales.isEmpty || !cell.account.refunds.isEmpty { text += table.text }
  }

  /// One line on a candidate: its ids, time, units, place and reasons.
  private func words(of candidate: AttributionSection.Candidate) -> Wording {
    let orders = candidate.order.map { ["@shared.order-2 \($0)" as Wording] } ?? []
    let transactions =
      candidate.transaction.map { ["@shared.transaction-2 \($0)" as Wording] } ?? []
    let ids = (orders + transactions).joined(separator: ", ")
    let units = spoken(units: candidate.units)
    let amount = candidate.amount.map(spoken)
    let what: Wording = amount.map { "\(units), \($0)" } ?? units
    let reasons = candidate.reasons.joined(separator: "; ")
    return "@explain.of \(ids) \(candidate.at) \(what) \(candidate.source.place) \(reasons)"
  }

  /// Adds the rows of the evidence with their places and fields.
  private mutating func addEvidence() {
    if explanation.evidence.isEmpty { return }
    addTitle("@explain.evidence")
    for row in explanation.evidence {
      let place: Wording =
        row.isSuperseded
        ? "@explain.replaced-by-a-newer-version \(row.source.place) \(row.reading)"
        : "\(row.source.place), \(row.reading)"
      addLine(place)
      text += wrapped(
        row.fields.map { "\($0.name)=\(oneLine($0.value))" }.joined(separator: " "), indent: 4)
    }
    if explanation.furtherEvidence > 0 {
      addLine("@shared.and-more \(explanation.furtherEvidence)")
    }
  }

  /// The text in lines of the reader's width, each with these blanks before it.
  ///
  /// - Parameter hanging: further blanks before all lines but the first.
  private func wrapped(_ long: String, indent: Int, hanging: Int = 0) -> String {
    Languages.wrapped(long, columns: ReaderWidth.prose - indent, hanging: hanging).enumerated()
      .map { String(repeating: " ", count: indent + ($0 == 0 ? 0 : hanging)) + $1 + "\n" }
      .joined()
  }
}

extension Explanation {
  /// Whether more stands behind the answer than the answer says.
  fileprivate var hasMore: Bool { !evidence.isEmpty || !prices.isEmpty || !notes.isEmpty }
}

extension Source {
  /// `orders.csv:12`; a file as a whole by its name.
  var place: String { line == 0 ? file : "\(file):\(line)" }
}

extension Explanation.Kind {
  /// The kind as a person reads it.
  var words: Wording {
    switch self {
    case .finding: "@shared.finding"
    case .order: "@shared.order"
    case .transaction: "@shared.transaction"
    case .originalTransaction: "@explain.original-transaction"
    case .user: "@shared.user"
    case .cell: "@explain.product-and-day"
    case .coins: "@explain.kind-coins"
    }
  }
}

extension TimelineEvent {
  /// How the event's source was read.
  fileprivate var reading: Wording { Workflow.reading(kind, factSource) }
}

extension FactRow {
  /// How the row was read.
  fileprivate var reading: Wording {
    Workflow.reading(kind, self["witness"].flatMap { FactSource(name: $0) })
  }
}

/// The name of the file that a row is from, and how it was verified, for people: a receipt with a
/// verified signature.
private func reading(_ kind: InputKind?, _ factSource: FactSource?) -> Wording {
  switch (kind, factSource) {
  case (.orders, _): "@explain.company-orders"
  case (.transactions, _): "@explain.company-transactions"
  case (.events, _): "@explain.company-event-log"
  case (.receipts, .receipt): "@explain.receipt-that-apple-verified"
  case (.receipts, .signed): "@explain.receipt-with-a-verified-signature"
  case (.receipts, _): "@explain.receipt"
  case (.notifications, .signed): "@explain.notification-with-a-verified-signature"
  case (.notifications, .notificationV1): "@explain.notification-of-version-1-unsigned"
  case (.notifications, _): "@explain.notification-whose-signature-is-missing"
  case (.history, .signed): "@explain.answer-of-apple-server"
  case (.history, _): "@explain.answer-of-apple-server-whose"
  case (.sales, _): "@shared.apple-sales-report"
  case (.finance, _): "@shared.apple-financial-report"
  case (.financeDetail, _): "@explain.detail-of-apple-financial-report"
  case (.payments, _): "@shared.apple-payments-summary"
  case (let kind?, _): Wording(verbatim: kind.rawValue)
  case (nil, _): "@explain.no-source"
  }
}
