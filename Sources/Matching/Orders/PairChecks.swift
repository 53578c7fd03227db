import Billing

/// An order with its transaction.
struct Pair {
  var order: Int
  var transaction: Int
  var verdict: PairVerdict
}

extension OrderTieOut {
  /// A finding about a pair; the purchase decides the day unless another is given.
  private func finding(
    _ code: FindingCode, _ pair: Pair, day: Day? = nil, units: Int64? = nil,
    amount: (EffectiveTerms) -> Int64? = { _ in nil }, _ explanation: (EffectiveTerms) -> Wording
  ) -> UnresolvedFinding {
    let terms = effective(pair.transaction)
    return UnresolvedFinding(
      code, storefront: terms.storefront, currency: terms.currency,
      day: day ?? context.businessDay(table.transactions[pair.transaction].purchasedAt),
      sku: terms.sku, units: units ?? Int64(terms.quantity), amount: amount(terms),
      orders: table.rows(ofOrder: pair.order),
      transactions: table.rows(ofTransaction: pair.transaction), explanation: explanation(terms)
    ).about(order: pair.order, transaction: pair.transaction)
  }

  private func terms(of pair: Pair) -> (order: OrderTerms, transaction: TransactionTerms) {
    (
      table.orderTerms[Int(table.orders[pair.order].terms)],
      table.transactionTerms[Int(table.transactions[pair.transaction].terms)]
    )
  }

  mutating func judgeStatus(_ pair: Pair) {
    let revokedAt = table.transactions[pair.transaction].revokedAt
    let (order, transaction) = terms(of: pair)
    // A revocation after an upgrade gives nothing back.
    let isRefunded =
      revokedAt != 0 && transaction.revocationIsRefund && !transaction.isRefundReversed
    if pair.verdict.contains(.notFulfilled), !pair.verdict.contains(.trial), !isRefunded {
      let isCancelled = order.status == .cancelled
      var found = finding(.chargedNotFulfilled, pair, amount: \.gross) {
        isCancelled
          ? "Apple charged \(spoken($0.gross, $0.currency)); the order is cancelled"
          : """
          Apple charged \(spoken($0.gross, $0.currency)); the order's status is \
          \(order.status.wording)
          """
      }
      if isCancelled { found.action = AdviceByFact.cancelled }
      add(found)
    }
    // A refund of any transaction of a chain accounts for the chain's one order.
    if pair.verdict.contains(.refunded), revokedAt == 0 || transaction.isRefundReversed,
      !transaction.isUpgraded,
      table.orderOf[pair.transaction].position == pair.order,
      !refundedOrders.contains(Int32(pair.order))
    {
      add(
        finding(.refundedNotByApple, pair) { _ in
          "the order is refunded, and the ledger knows of no refund of its transaction"
        })
    }
  }

  mutating func judgeSandbox(_ pair: Pair) {
    guard pair.verdict.contains(.standing) else { return }
    let entry = table.transactions[pair.transaction]
    let users = [
      table.detail(ofOrder: pair.order, details)?.user,
      table.detail(ofTransaction: pair.transaction, details)?.user,
    ].compactMap(\.self)
    let allowed = Set(context.settings.sandboxUsers.map { IDKey($0) })
    if users.contains(where: { !$0.isNone && allowed.contains($0) }) { return }
    let moment = Instant(seconds: Int64(entry.purchasedAt))
    if context.settings.sandboxWindows.contains(where: { $0.from <= moment && moment <= $0.to }) {
      return
    }
    let (order, transaction) = terms(of: pair)
    add(
      finding(.sandboxFulfilled, pair) { _ in
        transaction.environment == .other
          ? """
          the order is \(order.status.wording) because of a transaction from an environment that \
          is neither Production nor Sandbox, which therefore does not count as sold; the user is \
          not in sandbox_users and the time is not in sandbox_windows
          """
          : """
          the order is \(order.status.wording) because of a Sandbox transaction, in which no money \
          moves; the user is not in sandbox_users and the time is not in sandbox_windows
          """
      })
  }

  /// Raises an order that stands by a transaction of which no signed source tells, where the
  /// settings ask for one; false where the transaction is refused for another reason.
  mutating func judgeUnsigned(_ pair: Pair, _ day: Day) -> Bool {
    let (order, transaction) = terms(of: pair)
    guard case .notSigned(let source)? = context.unbillable(transaction) else { return false }
    guard pair.verdict.contains(.standing) else { return true }
    add(
      finding(.orderWithoutTransaction, pair, day: day, amount: { $0.gross.map { -$0 } }) {
        """
        the order is \(order.status.wording) for \(spoken($0.gross, $0.currency)); only \
        \(source.wording) has its transaction, and require_signed is set
        """
      })
    return true
  }

  mutating func addBundleMismatch(_ pair: Pair) {
    let (order, transaction) = terms(of: pair)
    let isOurs = context.isOurs(bundleID: transaction.bundleID)
    let differs = !order.bundleID.isEmpty && order.bundleID != transaction.bundleID
    add(
      finding(.bundleMismatch, pair) { _ in
        if isOurs, !differs {
          return """
            the receipt's app is \(transaction.appItemID), which is not that of the other \
            transactions of \(transaction.bundleID)
            """
        }
        return isOurs
          ? "the transaction belongs to \(transaction.bundleID), the order to \(order.bundleID)"
          : "the transaction belongs to \(transaction.bundleID), the order to one of our bundles"
      })
  }

  mutating func judgeFamilyShared(_ pair: Pair) {
    guard pair.verdict.contains(.standing) else { return }
    let (order, _) = terms(of: pair)
    add(
      finding(.familySharedFulfilled, pair) { _ in
        "the order is \(order.status.wording) for a Family Sharing transaction: nobody paid"
      })
  }

  mutating func judgeTerms(_ pair: Pair) {
    let (order, transaction) = terms(of: pair)
    // Where both sides have given it back, nobody is owed anything.
    if isRefunded(pair.transaction), order.status == .refunded || order.status == .cancelled {
      return
    }
    if pair.verdict.contains(.skuDiffers) {
      addMismatch(
        finding(.productMismatch, pair, amount: { self.priceDifference(pair, $0) }) { _ in
          "the order is for \(order.sku), Apple sold \(transaction.sku)"
        })
      return
    }
    if pair.verdict.contains(.itemDiffers) {
      addMismatch(
        finding(.productMismatch, pair) { _ in
          """
          the receipt's item is \(transaction.itemID), which is not \(transaction.sku) of the \
          catalogue: the SKU exists in another app too
          """
        })
      return
    }
    if pair.verdict.contains(.quantityDiffers) {
      addMismatch(
        finding(
          .quantityMismatch, pair,
          amount: { terms in
            terms.unitPrice.map {
              $0.multipliedExactly(by: Int64(transaction.quantity) - Int64(order.quantity))
            }
          }
        ) { _ in
          """
          the order is for \(spoken(units: order.quantity)), Apple sold \
          \(spoken(units: transaction.quantity))
          """
        })
    }
    judgePrice(pair, order, transaction)
    if pair.verdict.contains(.coinsDiffer) { addCoinsMismatch(pair, order) }
  }

  /// Adds that another thing was ordered than sold; of what was given back nothing is owed.
  private mutating func addMismatch(_ finding: UnresolvedFinding) {
    var finding = finding
    if let transaction = finding.transaction, let given = refund(of: transaction), given.isWhole {
      finding.explanation = """
        \(finding.explanation); Apple refunded \(given.part) at \(given.at)
        """
      finding.action = AdviceByFact.refundedOrder
      finding.severity = .warning
    }
    add(finding)
  }

  /// Apple's price less that of the product that was ordered; nil where one is not known, or they
  /// are of different currencies.
  private func priceDifference(_ pair: Pair, _ sold: EffectiveTerms) -> Int64? {
    let order = table.orders[pair.order]
    let ordered = EffectiveTerms(
      table.orderTerms[Int(order.terms)], day: context.businessDay(order.placedAt), context)
    guard let theirs = sold.gross, let ours = ordered.gross, sold.currency == ordered.currency
    else { return nil }
    return theirs - ours
  }

  private mutating func judgePrice(
    _ pair: Pair, _ order: OrderTerms, _ transaction: TransactionTerms
  ) {
    guard let ours = order.unitPrice else { return }
    let quantity = Int64(
      transaction.saidQuantity == 0 ? order.quantity : transaction.saidQuantity)
    if pair.verdict.contains(.priceDiffers), let theirs = transaction.unitPrice {
      let sameCurrency =
        order.currency == nil || transaction.currency == nil
        || order.currency == transaction.currency
      add(
        finding(
          .priceMismatch, pair,
          amount: { _ in sameCurrency ? (theirs - ours).multipliedExactly(by: quantity) : nil }
        ) { _ in
          """
          the order's price is \(spoken(ours, order.currency ?? transaction.currency)), Apple's \
          \(spoken(theirs, transaction.currency ?? order.currency))
          """
        })
      return
    }
    let day = context.businessDay(table.transactions[pair.transaction].purchasedAt)
    guard pair.verdict.contains(.offTier),
      let tier = context.tierUnlike(order, transaction, on: day)
    else { return }
    let sold = effective(pair.transaction)
    if offers.hasSale(of: sold, at: ours, table.transactions[pair.transaction].purchasedAt) {
      return
    }
    let sameCurrency = order.currency == nil || order.currency == tier.currency
    add(
      finding(
        .priceMismatch, pair,
        amount: { _ in sameCurrency ? (tier.price - ours).multipliedExactly(by: quantity) : nil }
      ) { _ in
        """
        the order's price is \(spoken(ours, order.currency ?? tier.currency)), that of tier \
        \(tier.tier) in \(tier.storefront) \(spoken(tier.price, tier.currency))
        """
      })
  }

  private mutating func addCoinsMismatch(_ pair: Pair, _ order: OrderTerms) {
    let day = context.businessDay(table.transactions[pair.transaction].purchasedAt)
    guard let granted = order.coins, let due = context.coinsUnlike(order, on: day) else { return }
    let isPerUnit =
      order.quantity > 1 && granted.multipliedExactly(by: Int64(order.quantity)) == due
    add(
      finding(.coinsMismatch, pair) { _ in
        let told = counted(granted, "the order granted 1 coin, the catalogue says \(grouped(due))")
        {
          "the order granted \($0) coins, the catalogue says \(grouped(due))" as Wording
        }
        return isPerUnit
          ? "\(told) for \(spoken(units: order.quantity)): the column may be per unit" : told
      })
  }

  mutating func judgeTimes(_ pair: Pair) {
    let times = PairTimes(
      table.orders[pair.order], table.transactions[pair.transaction],
      lateAfter: context.settings.lateAfter)
    if let before = times.before {
      add(
        finding(.purchaseBeforeOrder, pair) { _ in
          "bought \(duration(before)) before the order was placed"
        })
    }
    if let late = times.late {
      add(
        finding(.lateFulfilment, pair) { _ in
          "fulfilled \(duration(late)) after the purchase"
        })
    }
  }
}
