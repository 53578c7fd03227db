import Billing

/// Findings that are probably about one purchase: an order that has it and was not delivered, or a
/// purchase that no order has, and beside it an order of the same user and product that was
/// delivered and has none. Each by itself would have the goods delivered twice, or taken back.
package struct RetriedOrders {
  private let table: MatchTable
  private let details: MatchDetails

  /// Who bought what.
  private struct Key: Hashable {
    var user: IDKey
    var sku: String
  }

  package init(_ table: MatchTable, _ details: MatchDetails) {
    self.table = table
    self.details = details
  }

  /// Pairs findings of orders without a transaction with findings of purchases by the same user, of
  /// the same product, that were not delivered or have no order, and says in both of a pair that
  /// the other may be about the same purchase. Each is in one pair: a purchase, in the order of the
  /// findings, with the order nearest in time that is left.
  package func join(_ findings: inout [UnresolvedFinding]) {
    var unpaid: [Key: [Int]] = [:]
    for index in findings.indices where findings[index].code == .orderWithoutTransaction {
      if let key = key(findings[index]) { unpaid[key, default: []].append(index) }
    }
    if unpaid.isEmpty { return }
    for index in findings.indices {
      guard let reach = reach(findings[index].code), let key = key(findings[index]),
        let others = unpaid[key],
        let nearest = others.min(by: {
          distance(findings[index], findings[$0]).magnitude
            < distance(findings[index], findings[$1]).magnitude
        }), distance(findings[index], findings[nearest]).magnitude <= reach
      else { continue }
      unpaid[key]?.removeAll { $0 == nearest }
      relate(index, nearest, &findings)
    }
  }

  /// How many seconds a purchase in a finding of this code may be apart from an order without a
  /// transaction, for both to be about one purchase; nil for codes of other findings.
  private func reach(_ code: FindingCode) -> UInt64? {
    switch code {
    case .chargedNotFulfilled: Rules.triedAgain.magnitude
    case .transactionWithoutOrder: Rules.traceBack.magnitude
    default: nil
    }
  }

  /// The user and the product of a finding; nil where no row tells the user, and where Apple gave
  /// the money back.
  private func key(_ finding: UnresolvedFinding) -> Key? {
    guard let sku = finding.sku else { return nil }
    let user: IDKey?
    if let order = finding.order {
      if finding.code == .orderWithoutTransaction, finding.transaction != nil { return nil }
      user = table.detail(ofOrder: order, details)?.user
    } else if let transaction = finding.transaction {
      if table.transactions[transaction].revokedAt != 0 { return nil }
      user = table.detail(ofTransaction: transaction, details)?.user
    } else {
      user = nil
    }
    guard let user, !user.isNone else { return nil }
    return Key(user: user, sku: sku)
  }

  /// When the finding's order was placed, or its transaction bought where it has no order; seconds
  /// since 1970.
  private func moment(_ finding: UnresolvedFinding) -> Int64 {
    if let order = finding.order { return Int64(table.orders[order].placedAt) }
    return Int64(table.transactions[finding.transaction!].purchasedAt)
  }

  /// Seconds from the purchase of one finding to the order without a transaction of the other;
  /// below zero where the order came first.
  private func distance(_ paid: UnresolvedFinding, _ unpaid: UnresolvedFinding) -> Int64 {
    moment(unpaid) - moment(paid)
  }

  /// Adds to two findings that they may be about one purchase and what a person does then, and puts
  /// the rows of each into the other.
  ///
  /// - Parameters:
  ///   - paid: the index of the finding about a purchase not delivered or without an order.
  ///   - unpaid: the index of that about an order without a transaction.
  private func relate(_ paid: Int, _ unpaid: Int, _ findings: inout [UnresolvedFinding]) {
    let seconds = distance(findings[paid], findings[unpaid])
    let apart = duration(abs(seconds))
    let isOrder = findings[paid].order != nil
    findings[paid].explanation =
      "@finding.order-of-the-same-user-and-product \(findings[paid].explanation) \(apart)"
    findings[unpaid].explanation =
      isOrder
      ? "@finding.order-of-the-same-user \(findings[unpaid].explanation) \(apart)"
      : "@finding.transaction-of-the-same-user \(findings[unpaid].explanation) \(apart)"
    findings[paid].action = isOrder ? AdviceByFact.tried : AdviceByFact.unclaimed
    findings[unpaid].action = isOrder ? AdviceByFact.triedAgain : AdviceByFact.unnamed
    findings[paid].severity = .warning
    findings[unpaid].severity = .warning
    findings[unpaid].orders += findings[paid].orders
    if !isOrder { findings[unpaid].transactions += findings[paid].transactions }
    findings[paid].orders += table.rows(ofOrder: findings[unpaid].order!)
  }
}
