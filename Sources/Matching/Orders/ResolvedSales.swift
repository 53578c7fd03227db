package import Billing

extension MatchTable {
  /// What rows of the period's transactions do not say themselves, as matching took it from other
  /// rows; a line for each row that lacks a storefront, a price or a user, or that tells of a
  /// transaction together with other rows.
  ///
  /// - Parameter unnamed: rows that name no user, ascending.
  /// - Precondition: all of the table is matched.
  package func resolvedSales(
    without unnamed: [TransactionRow.ID], _ context: MatchingContext
  ) -> ResolvedSales {
    let days = BusinessDays(context)
    let lacks = transactionTerms.map(EffectiveTerms.needsMore)
    let lacksUser = marks(of: unnamed)
    var resolved = ResolvedSales()
    var known: [SaleKind: Int32] = [:]
    for index in transactions.indices where orderOf[index] != .merged {
      let entry = transactions[index]
      guard days.index(entry.purchasedAt) >= 0 else { continue }
      let further = mergedTransactions.isEmpty ? nil : mergedTransactions[Int32(index)]
      let owner = owner(of: index)
      guard
        further != nil || lacks[Int(entry.terms)] || (owner != nil && lacksUser[index])
      else { continue }
      let kind = SaleKind(
        index, owner, in: self, day: context.businessDay(entry.purchasedAt).number)
      let code = known[kind] ?? Int32(resolved.terms.count)
      if code == resolved.terms.count {
        known[kind] = code
        resolved.terms.append(resolvedTerms(index, owner, context))
      }
      let order = owner.map { orders[$0.order].row }
      for row in [entry.row] + (further ?? []) {
        resolved.rows.append(ResolvedSale(row: row, order: order, terms: code))
      }
    }
    let rows = resolved.rows
    resolved.rows = sortedByKey(count: rows.count) { UInt64(rows[$0].row.number) }
      .map { rows[Int($0.index)] }
    return resolved
  }

  /// For each position whether its row is among some that ascend.
  private func marks(of rows: [TransactionRow.ID]) -> [Bool] {
    var marks = [Bool](repeating: false, count: transactions.count)
    var positions = RowPositions(transactions)
    for row in rows {
      if let position = positions.position(of: row) { marks[position] = true }
    }
    return marks
  }

  private func resolvedTerms(
    _ index: Int, _ owner: (order: Int, rule: MatchRule)?, _ context: MatchingContext
  ) -> ResolvedTerms {
    var resolved = ResolvedTerms(rule: owner?.rule.rawValue)
    let terms = transactionTerms[Int(transactions[index].terms)]
    let sold = EffectiveTerms(index, in: self, context)
    let order = owner.map { orderTerms[Int(orders[$0.order].terms)] }
    (resolved.storefront, resolved.currency, resolved.unitPrice) =
      (sold.storefront, sold.currency, sold.unitPrice)
    if sold.storefront != nil {
      resolved.storefrontTeller =
        terms.storefront != nil
        ? .transaction
        : order?.storefront != nil
          ? .order : sold.told.contains(.storefront) ? .subscription : .default
    }
    if sold.unitPrice != nil {
      resolved.priceTeller =
        terms.unitPrice != nil || terms.isTrial
        ? .transaction : sold.told.contains(.price) ? .order : .tier
    }
    return resolved
  }
}

/// What decides of a transaction what is found out of it.
private struct SaleKind: Hashable {
  private let terms: Int32
  /// Of the order, and of what the chain began with; -1 for none.
  private let orderTerms: Int32
  private let begunTerms: Int32
  private let rule: MatchRule?
  private let isTraced: Bool
  private let renewsOffer: Bool
  private let day: Int32

  init(
    _ transaction: Int, _ owner: (order: Int, rule: MatchRule)?, in table: borrowing MatchTable,
    day: Int32
  ) {
    terms = table.transactions[transaction].terms
    orderTerms = owner.map { table.orders[$0.order].terms } ?? -1
    let begun = owner == nil ? table.chains.original(of: transaction) : nil
    begunTerms = begun.map { table.transactions[$0].terms } ?? -1
    rule = owner?.rule
    isTraced = table.isTraced(transaction)
    renewsOffer = table.renewsOffer(transaction)
    self.day = day
  }
}
