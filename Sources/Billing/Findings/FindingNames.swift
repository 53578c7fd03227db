/// How advice on a finding names the orders and transactions that the finding has.
package enum FindingNames {
  package static let order: Wording = "the order"
  package static let transaction: Wording = "the transaction"

  package static func orders(_ ids: [String]) -> Wording {
    switch ids.count {
    case 0: order
    case 1: "order \(ids[0])"
    default: "the orders named"
    }
  }

  package static func transactions(_ ids: [String]) -> Wording {
    switch ids.count {
    case 0: transaction
    case 1: "transaction \(ids[0])"
    default: "the transactions named"
    }
  }
}

extension Wording {
  /// The same without the ids of the finding that it is about: findings of one code then have one
  /// text, which the ledger keeps once.
  package func withoutNames(orders: [String], transactions: [String]) -> Wording {
    guard case .phrase(let template, let values)? = parts.first, parts.count == 1, !values.isEmpty
    else { return self }
    let names = [FindingNames.orders(orders), FindingNames.transactions(transactions)]
    let marks = [Wording.orderMark, .transactionMark]
    return Wording(parts: [
      .phrase(
        template, values.map { value in names.firstIndex(of: value).map { marks[$0] } ?? value })
    ])
  }

  /// The text again that ``withoutNames(orders:transactions:)`` took the ids from.
  package func naming(orders: [String], transactions: [String]) -> Wording {
    guard case .phrase(let template, let values)? = parts.first, parts.count == 1, !values.isEmpty
    else { return self }
    return Wording(parts: [
      .phrase(
        template,
        values.map { value in
          switch value {
          case .orderMark: FindingNames.orders(orders)
          case .transactionMark: FindingNames.transactions(transactions)
          default: value
          }
        })
    ])
  }

  private static let orderMark = Wording(verbatim: "<order>")
  private static let transactionMark = Wording(verbatim: "<transaction>")
}
