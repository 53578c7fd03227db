import Billing
import Ledger
import Matching

extension MatchEvidence {
  /// How the matcher decided about a transaction.
  func decision(transaction: Int) -> MatchDecision {
    let owner = matched.table.owner(of: transaction)
    return decision(
      owner.map { ($0.order, transaction, $0.rule) }, order: nil, transaction: transaction,
      besides: matched.orders(beside: transaction), as: .order)
  }

  /// How the matcher decided about an order that has no transaction, or one matched by likeness.
  func decision(order: Int) -> MatchDecision {
    let first = matched.transactions(of: order).first
    return decision(
      first.flatMap { first in
        matched.table.owner(of: first).map { (order, first, $0.rule) }
      }, order: order, transaction: nil, besides: matched.transactions(beside: order),
      as: .transaction)
  }

  private func decision(
    _ match: (order: Int, transaction: Int, rule: MatchRule)?, order: Int?, transaction: Int?,
    besides refused: [MatchCandidate], as kind: Explanation.Kind
  ) -> MatchDecision {
    let text =
      match.map { self.match($0.order, $0.transaction, $0.rule) }
      ?? order.map(standing(of:)) ?? standing(ofTransaction: transaction!)
    let shown = refused.prefix(Explainer.shownLimit).map { candidate in
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

  private func match(_ order: Int, _ transaction: Int, _ rule: MatchRule) -> Wording {
    let (ours, theirs) = (resolved(order: order).id, resolved(transaction: transaction).id)
    let delay = purchasedAt(transaction).seconds - placedAt(order).seconds
    switch rule {
    case .transactionID: return "order \(ours) has transaction \(theirs): the order names it"
    case .orderID: return "order \(ours) has transaction \(theirs): the transaction names the order"
    case .receipt:
      return "order \(ours) has transaction \(theirs): its receipt came in with the order"
    case .token:
      return "order \(ours) has transaction \(theirs): both carry the same app account token"
    case .chain:
      return "transaction \(theirs) renews a purchase that belongs to order \(ours)"
    case .backTracing where delay < 0:
      return """
        order \(ours) has transaction \(theirs) by back-tracing: no id ties them; no order placed \
        in time is left, this one was placed \(duration(-delay)) after the purchase, as a fast \
        clock would record it, and neither user, storefront nor currency contradicts
        """
    case .backTracing:
      return """
        order \(ours) has transaction \(theirs) by back-tracing: no id ties them; it is the latest \
        open order of the product, placed \(duration(max(delay, 0))) before the purchase, \
        and neither user, storefront nor currency contradicts
        """
    }
  }

  /// Why a transaction has no order.
  private func standing(ofTransaction transaction: Int) -> Wording {
    let entry = matched.table.transactions[transaction]
    switch matched.table.chains.role(of: transaction) {
    case .restore:
      return """
        this is an earlier purchase restored: it is that transaction again and needs no order of \
        its own
        """
    case .renewal:
      return "this renews a subscription; no order is known for the purchase that it renews"
    case .original: break
    }
    if !entry.order.isNone {
      return """
        no order belongs to it: the order that the transaction names is not in the ledger, or has \
        another transaction; back-tracing does not look for another, because the transaction says \
        whose it is
        """
    }
    if let why = matched.unbillable(transaction) {
      return """
        no order names it, and back-tracing looks for orders of billable transactions only; this \
        one is not: \(why.words)
        """
    }
    return """
      no order belongs to it: none names it, it names none, and none of the product's open orders \
      in the preceding 24 hours fits
      """
  }

  /// Why an order has no transaction.
  private func standing(of order: Int) -> Wording {
    let (entry, terms) = (matched.table.orders[order], matched.table.terms(ofOrder: order))
    if !terms.isApple {
      return "the order is of channel \(terms.channel) and is not matched with Apple's transactions"
    }
    if let transaction = matched.lost(by: order), let (keeper, _) = matched.reuse(of: transaction) {
      return """
        the order claims transaction \(resolved(transaction: transaction).id), which order \
        \(resolved(order: keeper).id) keeps, because it was placed earlier
        """
    }
    if !entry.transaction.isNone {
      return """
        no transaction belongs to it: the one that the order names is not among Apple's; \
        back-tracing does not look for another, because the order says which one it is
        """
    }
    if matched.table.repeatedID(of: order) != nil {
      return """
        no transaction belongs to it: the ID that it names stands in many orders and is no \
        transaction's, none names it, and none of the product's open transactions in the \
        following 24 hours fits
        """
    }
    return """
      no transaction belongs to it: it names none, none names it, and none of the product's open \
      transactions in the following 24 hours fits
      """
  }

  /// Why a candidate was refused.
  private func words(_ candidate: MatchCandidate) -> Wording {
    switch candidate.refusal {
    case .hasTransaction(let row): "has transaction \(transactionID(row: row))"
    case .hasOrder(let row): "belongs to order \(orderID(row: row))"
    case .cameLater: "also claims it, but was placed later than the order that keeps it"
    case .namesAnother: "names another ID, which takes precedence over any similarity"
    case .otherChannel(let channel): "belongs to channel \(channel), not Apple's"
    case .otherProduct(let sku): "is for another product, \(sku)"
    case .otherStorefront(let storefront): "is of another storefront, \(storefront)"
    case .otherCurrency(let currency): "is in another currency, \(currency)"
    case .otherUser: "belongs to another user"
    case .placedAfter(let seconds):
      "the order was placed \(duration(seconds)) after the purchase"
    case .tooEarly(let seconds):
      "order and purchase are \(duration(seconds)) apart, more than 24 hours"
    case .notBillable(let why): "is not billable: \(why.words)"
    case .needsNone(.renewal): "is a renewal, which belongs to the order of its original"
    case .needsNone: "is an earlier purchase restored"
    case .another: "would fit, but another one is nearer or was bought first"
    }
  }
}

extension Unbillable {
  /// Why it does not count, as a clause.
  var words: Wording {
    switch self {
    case .sandbox: "it comes from the Sandbox, where no money moves"
    case .otherEnvironment: "it is of an environment that is neither Production nor Sandbox"
    case .familyShared: "it comes from Family Sharing, and nobody paid for it"
    case .assigned: "it is a seat assigned to a member, and its buyer paid for it"
    case .otherOwnership: "its ownership type is not known"
    case .component: "it is part of a bundle, which was paid for as a whole"
    case .notSigned(let source): "only \(source.wording) has it, and require_signed is set"
    case .otherBundle(let bundle): "it is of another app, \(bundle)"
    }
  }
}
