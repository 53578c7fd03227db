import Billing

extension OrderTieOut {
  /// Adds findings of what cannot be: purchases and words of Apple's after the day as of which
  /// everything is judged, amounts finer than their currency, and currencies that do not exist.
  mutating func judgePlausibility() {
    addPurchasesAhead()
    addWordsAhead()
    addImpossibleAmounts()
  }

  /// Adds one finding of purchases after the day as of which everything is judged. Renewals are
  /// charged up to a day before the period that they begin with, which is the time that they tell.
  private mutating func addPurchasesAhead() {
    // Of a month there are none or few; a look at `self` for each row costs more than all the rest.
    let (transactions, earliest) = (table.transactions, earliestAhead)
    let late = transactions.indices.filter { Int64(transactions[$0].purchasedAt) > earliest }
    let ahead = late.filter { index in
      guard table.orderOf[index] != .merged else { return false }
      let told = transactions[index].purchasedAt
      let lead = table.chains.isRenewal(index) ? Int64(Rules.renewalNotice) : 0
      return context.businessDay(UInt32(max(Int64(told) - lead, 0))) > context.asOf
        && dayInPeriod(told) != nil
    }
    let asOf = context.asOf
    add(ahead, times: ahead.map { table.transactions[$0].purchasedAt }) { count, first, last in
      count == 1
        ? "@order.1-transaction-was-bought-after \(asOf) \(first)"
        : "@order.transactions-were-bought-after \(count) \(asOf) \(first) \(last)"
    }
  }

  /// Adds one finding of payloads that Apple signed after the day as of which everything is judged.
  private mutating func addWordsAhead() {
    let (observedAt, earliest) = (table.observedAt, earliestAhead)
    let late = observedAt.indices.filter { Int64(observedAt[$0]) > earliest }
    let ahead = late.filter { index in
      context.businessDay(observedAt[index]) > context.asOf
        && table.factSource(of: index) == .signed
        && dayInPeriod(table.transactions[index].purchasedAt) != nil
    }
    let asOf = context.asOf
    add(ahead, times: ahead.map { table.observedAt[$0] }) { count, first, last in
      count == 1
        ? "@order.1-payload-was-signed-after \(asOf) \(first)"
        : "@order.payloads-were-signed-after \(count) \(asOf) \(first) \(last)"
    }
  }

  /// Seconds since 1970 before which no moment lies on a later day than the one that is judged as
  /// of, whatever the company's zone.
  private var earliestAhead: Int64 {
    context.asOf.advanced(by: 1).startUTC.seconds - Int64(Rules.earliestZone) * 3600
  }

  /// Adds one finding for all of these transactions, on the first one's day of purchase; none where
  /// there are none.
  ///
  /// - Parameters:
  ///   - ahead: the transactions' positions.
  ///   - times: what is ahead of each, in seconds since 1970.
  ///   - text: says how many there are, with the first and the last time.
  private mutating func add(
    _ ahead: [Int], times: [UInt32], _ text: (Int, Instant, Instant) -> Wording
  ) {
    guard let first = times.min(), let last = times.max(),
      let day = ahead.compactMap({ dayInPeriod(table.transactions[$0].purchasedAt) }).min()
    else { return }
    add(
      UnresolvedFinding(
        .datedAhead, day: day, units: Int64(ahead.count),
        transactions: Array(
          ahead.map { table.transactions[$0].row }.sorted().prefix(Rules.namedRows)),
        explanation: text(
          ahead.count, Instant(seconds: Int64(first)), Instant(seconds: Int64(last)))))
  }

  /// Adds a finding for each transaction and each order whose price or currency cannot be; an order
  /// is left out where that is so of its transaction.
  private mutating func addImpossibleAmounts() {
    let theirs = table.transactionTerms.map {
      amountFault($0.unitPrice, $0.quantity, $0.currency)
    }
    let ours = table.orderTerms.map { amountFault($0.unitPrice, $0.quantity, $0.currency) }
    if theirs.contains(where: { $0 != nil }) {
      for index in table.transactions.indices where table.orderOf[index] != .merged {
        let entry = table.transactions[index]
        guard let fault = theirs[Int(entry.terms)], let day = dayInPeriod(entry.purchasedAt) else {
          continue
        }
        let terms = effective(index)
        add(
          UnresolvedFinding(
            .amountImpossible, storefront: terms.storefront, currency: terms.currency, day: day,
            sku: terms.sku, units: Int64(terms.quantity),
            transactions: table.rows(ofTransaction: index), explanation: fault
          ).about(transaction: index))
      }
    }
    guard ours.contains(where: { $0 != nil }) else { return }
    for index in table.orders.indices where table.transactionOf[index] != .merged {
      let entry = table.orders[index]
      guard let fault = ours[Int(entry.terms)], let day = dayInPeriod(entry.placedAt) else {
        continue
      }
      // An order that says the same as its transaction is not named again.
      if let transaction = table.transactionOf[index].position,
        theirs[Int(table.transactions[transaction].terms)] != nil
      {
        continue
      }
      let terms = table.orderTerms[Int(entry.terms)]
      add(
        UnresolvedFinding(
          .amountImpossible, storefront: terms.storefront, currency: terms.currency, day: day,
          sku: terms.sku, units: Int64(terms.quantity), orders: table.rows(ofOrder: index),
          explanation: fault
        ).about(order: index))
    }
  }
}

/// Says why an amount is impossible: its currency does not exist, or has no amounts so fine; nil
/// where it is possible or the currency is not known. A unit price that was divided out of a whole
/// one may be rounded at its last place.
///
/// - Parameter unitPrice: micro-units; nil where it is not known.
func amountFault(_ unitPrice: Int64?, _ quantity: Int32, _ currency: Currency?) -> Wording? {
  guard let currency else { return nil }
  if !currency.exists { return "@amount-impossible.is-not-a-currency \(currency)" }
  guard let unitPrice else { return nil }
  // What is left of the whole is what is left of its parts.
  let rest = abs(unitPrice % currency.smallestAmount * Int64(quantity) % currency.smallestAmount)
  let distance = min(rest, currency.smallestAmount - rest)
  if quantity == 1 ? distance == 0 : distance <= Int64(quantity) { return nil }
  return """
    @amount-impossible.times-is-not-an-amount \(spoken(unitPrice, currency)) \(quantity) \
    \(currency) \(spoken(currency.smallestAmount, currency))
    """
}
