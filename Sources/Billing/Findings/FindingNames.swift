/// How advice on a finding names the orders and transactions that the finding has.
package struct FindingNames {
  package static let order: Wording = "@finding.order"
  package static let transaction: Wording = "@finding.transaction"

  /// What stands for them in advice that one finding has beside its code's, until their names are
  /// known.
  package static let orderMark = Wording(verbatim: "<order>")
  package static let transactionMark = Wording(verbatim: "<transaction>")

  package let orders: Wording
  package let transactions: Wording

  /// Names a single order and a single transaction by its id; several, or none, by a noun.
  ///
  /// - Parameter customer: stands beside the order, or beside the transaction where there is no
  ///   order, or alone where there is neither; empty for nobody known.
  package init(orders: [String], transactions: [String], customer: String) {
    let isOfTransaction = orders.isEmpty && transactions.count == 1
    self.orders =
      switch orders.count {
      case 0 where transactions.isEmpty && !customer.isEmpty: "@finding.user \(customer)"
      case 0: Self.order
      case 1 where !customer.isEmpty: "@finding.order-user \(orders[0]) \(customer)"
      case 1: "@shared.order-2 \(orders[0])"
      default: "@finding.orders-named"
      }
    self.transactions =
      switch transactions.count {
      case 0: Self.transaction
      case 1 where isOfTransaction && !customer.isEmpty:
        "@finding.transaction-user \(transactions[0]) \(customer)"
      case 1: "@shared.transaction-2 \(transactions[0])"
      default: "@finding.transactions-named"
      }
  }
}

extension Finding {
  /// Its orders and transactions as its advice names them.
  package var names: FindingNames {
    FindingNames(orders: orderIDs, transactions: transactionIDs, customer: customer)
  }

  /// Gives its customer another name, in its advice too.
  package mutating func rename(customer name: String) {
    if customer.isEmpty { return }
    let advice = action.withoutNames(names)
    customer = name
    action = advice.naming(names)
  }
}

extension Wording {
  /// The same without the ids of the finding that it is about: findings of one code then have one
  /// text, which the ledger keeps once.
  package func withoutNames(_ names: FindingNames) -> Wording {
    guard case .phrase(let template, let values)? = parts.first, parts.count == 1, !values.isEmpty
    else { return self }
    return Wording(parts: [
      .phrase(
        template,
        values.map { value in
          switch value {
          case names.orders: FindingNames.orderMark
          case names.transactions: FindingNames.transactionMark
          default: value
          }
        })
    ])
  }

  /// The text with a finding's ids, in the places from which ``withoutNames(_:)`` took them.
  package func naming(_ names: FindingNames) -> Wording {
    guard case .phrase(let template, let values)? = parts.first, parts.count == 1, !values.isEmpty
    else { return self }
    return Wording(parts: [
      .phrase(
        template,
        values.map { value in
          switch value {
          case FindingNames.orderMark: names.orders
          case FindingNames.transactionMark: names.transactions
          default: value
          }
        })
    ])
  }
}
