import Billing

/// An order with its transaction.
struct Pair {
  var order: Int
  var transaction: Int
  var verdict: PairVerdict
}

extension OrderTieOut {
  /// A finding about a pair; the purchase decides the day unless another is given.
  ///
  /// - Parameters:
  ///   - units: nil for those of the transaction.
  ///   - amount: what it is worth in micro-units, from the transaction's terms.
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

  /// The terms of both sides of a pair.
  private func terms(of pair: Pair) -> (order: OrderTerms, transaction: TransactionTerms) {
    (
      table.orderTerms[Int(table.orders[pair.order].terms)],
      table.transactionTerms[Int(table.transactions[pair.transaction].terms)]
    )
  }

  /// Adds a finding where Apple charged an order that was not fulfilled, or where the order is
  /// refunded and Apple did not revoke.
  mutating func judgeStatus(_ pair: Pair) {
    let revokedAt = table.transactions[pair.transaction].revokedAt
    let (order, transaction) = terms(of: pair)
    // A revocation after an upgrade gives nothing back.
    let isRefunded =
      revokedAt != 0 && transaction.revocationIsRefund && !transaction.isRefundReversed
    if pair.verdict.contains(.notFulfilled), !pair.verdict.contains(.trial), !isRefunded {
      let isCancelled = order.status == .cancelled
      let fulfilledAt = table.orders[pair.order].fulfilledAt
      var found = finding(.chargedNotFulfilled, pair, amount: \.gross) {
        if fulfilledAt != 0 {
          return """
            @charged-not-fulfilled.apple-charged-was-fulfilled-at \
            \(spoken($0.gross, $0.currency)) \(order.status.wording) \
            \(Instant(seconds: Int64(fulfilledAt)))
            """
        }
        return isCancelled
          ? "@charged-not-fulfilled.apple-charged-the-order-is \(spoken($0.gross, $0.currency))"
          : """
          @charged-not-fulfilled.apple-charged-the-order-status-is \
          \(spoken($0.gross, $0.currency)) \(order.status.wording)
          """
      }
      if fulfilledAt != 0 {
        found.action = AdviceByFact.saidFulfilled
      } else if isCancelled {
        found.action = AdviceByFact.cancelled
      }
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
          "@refunded-not-by-apple.order-is-refunded"
        })
    }
  }

  /// Adds a finding where a Sandbox transaction fulfilled an order, outside the allowed users and
  /// windows of the settings.
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
          ? "@sandbox-fulfilled.order-is-because-of-a-transaction \(order.status.wording)"
          : "@sandbox-fulfilled.order-is-because \(order.status.wording)"
      })
  }

  /// Adds a finding of a paid or fulfilled order whose transaction no signed source tells, where
  /// the settings ask for one. Returns whether that is why the transaction is not billable.
  mutating func judgeUnsigned(_ pair: Pair, _ day: Day) -> Bool {
    let (order, transaction) = terms(of: pair)
    guard case .notSigned(let source)? = context.unbillable(transaction) else { return false }
    guard pair.verdict.contains(.standing) else { return true }
    add(
      finding(.orderWithoutTransaction, pair, day: day, amount: { $0.gross.map { -$0 } }) {
        """
        @order-without-transaction.order-is-for-only-has \(order.status.wording) \
        \(spoken($0.gross, $0.currency)) \(source.wording)
        """
      })
    return true
  }

  /// Adds a finding that the transaction is another app's than the company's, or than the order's.
  mutating func addBundleMismatch(_ pair: Pair) {
    let (order, transaction) = terms(of: pair)
    let isOurs = context.isOurs(bundleID: transaction.bundleID)
    let differs = pair.verdict.contains(.orderOfOtherBundle)
    add(
      finding(.bundleMismatch, pair) { _ in
        if isOurs, !differs {
          return """
            @bundle-mismatch.receipt-app-is-which-is \(transaction.appItemID) \
            \(transaction.bundleID)
            """
        }
        return isOurs
          ? """
          @bundle-mismatch.transaction-belongs-to-the-order \(transaction.bundleID) \
          \(order.bundleID)
          """
          : "@bundle-mismatch.transaction-belongs-to-the-order-to-one \(transaction.bundleID)"
      })
  }

  /// Adds a finding where a family-shared transaction fulfilled an order.
  mutating func judgeFamilyShared(_ pair: Pair) {
    guard pair.verdict.contains(.standing) else { return }
    let (order, _) = terms(of: pair)
    add(
      finding(.familySharedFulfilled, pair) { _ in
        "@family-shared-fulfilled.order-is-for-a-family \(order.status.wording)"
      })
  }

  /// Adds findings where product, quantity, price or coins of order and transaction differ; another
  /// product explains all else.
  mutating func judgeTerms(_ pair: Pair) {
    let (order, transaction) = terms(of: pair)
    if pair.verdict.contains(.skuDiffers) {
      addMismatch(
        finding(.productMismatch, pair, amount: { self.priceDifference(pair, $0) }) { _ in
          "@product-mismatch.order-names \(order.sku) \(transaction.sku)"
        })
      return
    }
    if pair.verdict.contains(.itemDiffers) {
      addMismatch(
        finding(.productMismatch, pair) { _ in
          """
          @product-mismatch.receipt-item-is-which-is \(transaction.itemID) \(transaction.sku)
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
          @order.order-is-for-apple-sold \(spoken(units: order.quantity)) \
          \(spoken(units: transaction.quantity))
          """
        })
    }
    judgePrice(pair, order, transaction)
    if pair.verdict.contains(.coinsDiffer) { addCoinsMismatch(pair, order) }
  }

  /// Adds a finding that another thing was ordered than sold, as a warning where Apple gave the
  /// whole price back: nothing is owed of that.
  private mutating func addMismatch(_ finding: UnresolvedFinding) {
    var finding = finding
    if let transaction = finding.transaction, let given = refund(of: transaction), given.isWhole {
      finding.explanation = "@order.apple-refunded \(finding.explanation) \(given.part) \(given.at)"
      finding.action = AdviceByFact.refundedOrder
      finding.severity = .warning
    }
    add(finding)
  }

  /// Apple's price less that of the product that was ordered, in micro-units; nil where one is not
  /// known, or they are of different currencies.
  ///
  /// - Parameter sold: terms of the pair's transaction.
  private func priceDifference(_ pair: Pair, _ sold: EffectiveTerms) -> Int64? {
    let order = table.orders[pair.order]
    let ordered = EffectiveTerms(
      table.orderTerms[Int(order.terms)], day: context.businessDay(order.placedAt), context)
    guard let theirs = sold.gross, let ours = ordered.gross, sold.currency == ordered.currency
    else { return nil }
    return theirs - ours
  }

  /// Adds a finding where the order's price is not the transaction's, or not the tier's on the day
  /// of the purchase and no offer of Apple's reports.
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
      addPriceMismatch(
        finding(
          .priceMismatch, pair,
          amount: { _ in sameCurrency ? (theirs - ours).multipliedExactly(by: quantity) : nil }
        ) { _ in
          """
          @price-mismatch.order-price-is-apple \
          \(spoken(ours, order.currency ?? transaction.currency)) \
          \(spoken(theirs, transaction.currency ?? order.currency))
          """
        },
        of: quantity, isTotal: sameCurrency && ours == theirs.multipliedExactly(by: quantity))
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
    addPriceMismatch(
      finding(
        .priceMismatch, pair,
        amount: { _ in sameCurrency ? (tier.price - ours).multipliedExactly(by: quantity) : nil }
      ) { _ in
        """
        @price-mismatch.order-price-is \(spoken(ours, order.currency ?? tier.currency)) \
        \(tier.tier) \(tier.storefront) \(spoken(tier.price, tier.currency))
        """
      },
      of: quantity, isTotal: sameCurrency && ours == tier.price.multipliedExactly(by: quantity))
  }

  /// Adds a finding that an order's price is another one, and says where it may be that of all its
  /// units.
  ///
  /// - Parameter isTotal: whether it is as many times the other price as the order has units.
  private mutating func addPriceMismatch(
    _ finding: UnresolvedFinding, of quantity: Int64, isTotal: Bool
  ) {
    var finding = finding
    if isTotal, quantity > 1 {
      finding.explanation = """
        @price-mismatch.is-of-all-units \(finding.explanation) \(spoken(units: quantity))
        """
      finding.action = "@price-mismatch.export-unit-prices"
    }
    add(finding)
  }

  /// Adds a finding that the order granted other coins than the catalogue says.
  private mutating func addCoinsMismatch(_ pair: Pair, _ order: OrderTerms) {
    let day = context.businessDay(table.transactions[pair.transaction].purchasedAt)
    guard let granted = order.coins, let due = context.coinsUnlike(order, on: day) else { return }
    let isPerUnit =
      order.quantity > 1 && granted.multipliedExactly(by: Int64(order.quantity)) == due
    add(
      finding(.coinsMismatch, pair) { _ in
        let told = counted(granted, "@coins-mismatch.order-granted-1-coin \(grouped(due))") {
          "@coins-mismatch.order-granted-coins-the-catalogue \($0) \(grouped(due))" as Wording
        }
        return isPerUnit
          ? "@coins-mismatch.for-the-column-may \(told) \(spoken(units: order.quantity))" : told
      })
  }

  /// Adds findings where the purchase comes before the order, or the fulfilment too late after the
  /// purchase.
  mutating func judgeTimes(_ pair: Pair) {
    let times = PairTimes(
      table.orders[pair.order], table.transactions[pair.transaction],
      lateAfter: context.settings.lateAfter)
    if let before = times.before {
      add(
        finding(.purchaseBeforeOrder, pair) { _ in
          "@purchase-before-order.bought-before-the-order \(duration(before))"
        })
    }
    if let late = times.late {
      add(
        finding(.lateFulfilment, pair) { _ in
          "@late-fulfilment.fulfilled-after-the-purchase \(duration(late))"
        })
    }
  }
}
