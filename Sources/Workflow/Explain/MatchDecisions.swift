import Billing
import Ledger
import Matching

extension MatchEvidence {
  /// How the matcher decided about a transaction: its order and the rule, or why it has none, and
  /// the orders that were refused.
  ///
  /// - Parameter transaction: its position in the match table.
  func decision(transaction: Int) -> MatchDecision {
    let owner = matched.table.owner(of: transaction)
    return decision(
      owner.map { ($0.order, transaction, $0.rule) }, order: nil, transaction: transaction,
      besides: matched.orders(beside: transaction), as: .order)
  }

  /// How the matcher decided about an order that has no transaction, or one matched by likeness.
  ///
  /// - Parameter order: its position in the match table.
  func decision(order: Int) -> MatchDecision {
    let first = matched.transactions(of: order).first
    return decision(
      first.flatMap { first in
        matched.table.owner(of: first).map { (order, first, $0.rule) }
      }, order: order, transaction: nil, besides: matched.transactions(beside: order),
      as: .transaction)
  }

  /// How the matcher decided about an order or about a transaction: its match, or why it has none,
  /// and the candidates that were refused.
  ///
  /// - Parameters:
  ///   - match: the matched pair and its rule; nil where what is asked about stays alone.
  ///   - order: the order asked about, by its position in the match table; nil for a transaction.
  ///   - transaction: the transaction asked about, by its position; nil for an order.
  ///   - refused: the candidates that were refused, the likeliest first.
  ///   - kind: whether these candidates are orders or transactions.
  private func decision(
    _ match: (order: Int, transaction: Int, rule: MatchRule)?, order: Int?, transaction: Int?,
    besides refused: [MatchCandidate], as kind: Explanation.Kind
  ) -> MatchDecision {
    let text =
      match.map { matchText($0.order, $0.transaction, $0.rule) }
      ?? order.map(whyAlone(of:)) ?? whyAlone(ofTransaction: transaction!)
    let shown = refused.prefix(Explainer.shownLimit).map { candidate in
      /// The candidate with the id and place of its row, and why it was refused.
      func refusal<Table>(of row: ResolvedRow<Table>) -> MatchDecision.Candidate {
        MatchDecision.Candidate(
          kind: kind, id: row.id, at: candidate.at, source: row.source, why: words(candidate))
      }
      return kind == .order
        ? refusal(of: resolved(order: candidate.position))
        : refusal(of: resolved(transaction: candidate.position))
    }
    return MatchDecision(
      order: (match?.order ?? order).map { resolved(order: $0).id },
      transaction: (match?.transaction ?? transaction).map { resolved(transaction: $0).id },
      rule: match?.rule, text: text, refused: shown, furtherRefused: refused.count - shown.count)
  }

  /// The sentence that says by which rule an order and a transaction came together.
  private func matchText(_ order: Int, _ transaction: Int, _ rule: MatchRule) -> Wording {
    let (ours, theirs) = (resolved(order: order).id, resolved(transaction: transaction).id)
    let delay = purchasedAt(transaction).seconds - placedAt(order).seconds
    switch rule {
    case .transactionID: return "@explain.order-has-transaction-the-order \(ours) \(theirs)"
    case .orderID: return "@explain.order-has-transaction-the-transaction \(ours) \(theirs)"
    case .receipt:
      return "@explain.order-has-transaction-its-receipt \(ours) \(theirs)"
    case .token:
      return "@explain.order-has-transaction-both-carry \(ours) \(theirs)"
    case .chain:
      return "@explain.transaction-renews-a-purchase \(theirs) \(ours)"
    case .backTracing where delay < 0:
      return "@explain.order-has-transaction-by-back-tracing \(ours) \(theirs) \(duration(-delay))"
    case .backTracing:
      return "@explain.order-has-transaction-by-back \(ours) \(theirs) \(duration(max(delay, 0)))"
    }
  }

  /// The sentence that says why a transaction has no order.
  private func whyAlone(ofTransaction transaction: Int) -> Wording {
    let entry = matched.table.transactions[transaction]
    switch matched.table.chains.role(of: transaction) {
    case .restore:
      return "@explain.this-is-an-earlier-purchase"
    case .renewal:
      return "@explain.this-renews-a-subscription-no"
    case .original: break
    }
    if !entry.order.isNone {
      return "@explain.no-order-belongs-to-it-the-order"
    }
    if let why = matched.unbillable(transaction) {
      return "@explain.no-order-names \(why.words)"
    }
    return "@explain.no-order-belongs-to-it-none"
  }

  /// The sentence that says why an order has no transaction.
  private func whyAlone(of order: Int) -> Wording {
    let (entry, terms) = (matched.table.orders[order], matched.table.terms(ofOrder: order))
    if !terms.isApple {
      return "@explain.order-is-of-channel \(terms.channel)"
    }
    if let transaction = matched.lost(by: order), let (keeper, _) = matched.reuse(of: transaction) {
      return """
        @explain.order-claims-transaction-which-order \(resolved(transaction: transaction).id) \
        \(resolved(order: keeper).id)
        """
    }
    if !entry.transaction.isNone {
      return "@explain.no-transaction-belongs-to-it-the-one"
    }
    if matched.table.repeatedID(of: order) != nil {
      return "@explain.no-transaction-belongs-to-it-the-id"
    }
    return "@explain.no-transaction-belongs"
  }

  /// The clause that says why a candidate was refused.
  private func words(_ candidate: MatchCandidate) -> Wording {
    switch candidate.refusal {
    case .hasTransaction(let row): "@explain.has-transaction \(transactionID(row: row))"
    case .hasOrder(let row): "@explain.belongs-to-order \(orderID(row: row))"
    case .cameLater: "@explain.also-claims-it-but"
    case .namesAnother: "@explain.names-another-id-which-takes"
    case .otherChannel(let channel): "@explain.belongs-to-channel-not-apple \(channel)"
    case .otherProduct(let sku): "@explain.is-for-another-product \(sku)"
    case .otherStorefront(let storefront): "@explain.is-of-another-storefront \(storefront)"
    case .otherCurrency(let currency): "@explain.is-in-another-currency \(currency)"
    case .otherUser: "@explain.belongs-to-another-user"
    case .placedAfter(let seconds):
      "@explain.order-was-placed-after \(duration(seconds))"
    case .tooEarly(let seconds):
      "@explain.order-and-purchase-are-apart \(duration(seconds))"
    case .notBillable(let why): "@explain.is-not-billable \(why.words)"
    case .needsNone(.renewal): "@explain.is-a-renewal-which-belongs"
    case .needsNone: "@explain.is-an-earlier-purchase-restored"
    case .another: "@explain.would-fit-but-another-one"
    }
  }
}

extension Unbillable {
  /// Why it does not count, as a clause.
  var words: Wording {
    switch self {
    case .sandbox: "@explain.it-comes-from-the-sandbox"
    case .otherEnvironment: "@explain.it-is-of-an-environment"
    case .familyShared: "@explain.it-comes-from-family-sharing"
    case .assigned: "@explain.it-is-a-seat-assigned"
    case .otherOwnership: "@explain.its-ownership-type-is-not"
    case .component: "@explain.it-is-part"
    case .notSigned(let source): "@explain.only-has-it-and-require \(source.wording)"
    case .otherBundle(let bundle): "@explain.it-is-of-another-app \(bundle)"
    }
  }
}
