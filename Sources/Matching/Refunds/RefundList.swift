package import Billing
package import Conclusions

/// A line of the list of refunds before its rows are resolved to ids.
package struct UnresolvedRefund: Sendable {
  package var line: RefundLine
  /// Rows of the transaction, the one that counts first.
  package var transactions: [TransactionRow.ID]
  package var orders: [OrderRow.ID]
}

extension SalesTieOut {
  /// What Apple refunded on the period's days, as the ledger knows it: the billable transactions
  /// that were revoked and gave money back, by storefront, day, SKU and id.
  package func refunds() -> [UnresolvedRefund] {
    let days = BusinessDays(context)
    let wanted = book.transactionTerms.map { context.isBillable($0) && $0.revocationIsRefund }
    var found: [Int] = []
    for index in book.transactions.indices {
      let entry = book.transactions[index]
      guard entry.revokedAt != 0, wanted[Int(entry.terms)], book.orderOf[index] != .merged,
        days.index(entry.revokedAt) >= 0, book.chains.role(of: index) != .restore
      else { continue }
      found.append(index)
    }
    let refunds = found.map(refund)
    let skus = Set(refunds.map(\.line.sku)).sorted()
    let ranks = Dictionary(uniqueKeysWithValues: skus.enumerated().map { ($1, $0) })
    let keys = zip(found, refunds).map { transaction, refund in
      (
        refund.line.storefront?.packed ?? 0, refund.line.refundedOn, ranks[refund.line.sku]!,
        book.transactions[transaction].key
      )
    }
    return keys.indices.sorted { keys[$0] < keys[$1] }.map { refunds[$0] }
  }

  /// The line of a refunded transaction, named by its position, without its ids.
  private func refund(_ transaction: Int) -> UnresolvedRefund {
    let entry = book.transactions[transaction]
    let told = book.transactionTerms[Int(entry.terms)]
    let terms = EffectiveTerms(transaction, in: book, context)
    let order = book.owningOrder(of: transaction)
    let share = told.refundShare
    let booked = booked(transaction, terms.storefront)
    let line = RefundLine(
      storefront: terms.storefront, currency: terms.currency, sku: terms.sku, transactionID: "",
      orderID: nil,
      orderStatus: order.map { book.orderTerms[Int(book.orders[$0].terms)].status }, user: "",
      purchasedOn: context.businessDay(entry.purchasedAt),
      refundedOn: context.businessDay(entry.revokedAt), windowDays: nil,
      reason: told.revocationReason, share: share,
      amount: terms.gross.flatMap { gross in share.map { portion($0, of: gross, terms.currency) } },
      units: terms.quantity, isReversed: told.isRefundReversed, reportDay: booked.day,
      isReported: booked.isReported, userRefunds: 1, source: Source(file: "", line: 0),
      isRenewal: book.chains.isRenewal(transaction) && !book.orderOf[transaction].isMatched)
    return UnresolvedRefund(
      line: line, transactions: book.rows(ofTransaction: transaction),
      orders: order.map { book.rows(ofOrder: $0) } ?? [])
  }

  /// The day of Apple's reports that a refund belongs to, and whether they have it. That is nil
  /// where no report of the day is loaded, where it has some of the day's refunds and not others,
  /// or where it counts the refund in no unit.
  ///
  /// - Parameter transaction: the position of the refunded transaction.
  private func booked(_ transaction: Int, _ storefront: Storefront?) -> (
    day: Day, isReported: Bool?
  ) {
    let entry = book.transactions[transaction]
    let day = zone(of: storefront).day(of: Instant(seconds: Int64(entry.revokedAt)))
    let sold = units.classOf[transaction]
    guard sold >= 0, units.refunds[Int(entry.terms)],
      let quarter = units.grid.quarter(entry.revokedAt)
    else { return (day, nil) }
    let slot = slotTables.slot(Int(sold), quarter)
    guard slot >= 0, !days.slots[Int(slot)].isMissing else { return (day, nil) }
    // One that was reversed counts where the report has it.
    if !countsRefund(transaction) { return (day, false) }
    let key = CellKey(product: units.productOf[Int(sold)], slot: slot, isRefund: true)
    guard let cell = cells[key] else { return (day, true) }
    if cell.difference >= 0 { return (day, true) }
    return (day, cell.reportedUnits == 0 ? false : nil)
  }
}
