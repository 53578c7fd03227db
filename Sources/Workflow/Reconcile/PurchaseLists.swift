import Billing
import Ledger
import Matching
import Pricing

/// The lists of refunds and subscriptions, with the ids, users and places of their rows.
struct PurchaseLists {
  private(set) var refunds: [RefundLine] = []
  private(set) var subscriptions: [SubscriptionLine] = []

  private var orders: [RowID: ResolvedRow] = [:]
  private var transactions: [RowID: ResolvedRow] = [:]

  /// Chains that are listed one by one.
  static let subscriptionLimit = 20_000

  init(_ ledger: Ledger, _ refunds: [RefundDraft], _ chains: [SubscriptionDraft]) throws {
    let orderRows = Set(refunds.flatMap(\.orders) + chains.flatMap(\.orders)).sorted()
    let rows = Set(
      refunds.flatMap(\.transactions) + chains.flatMap { $0.transactions + $0.others }
    ).sorted()
    for row in try ledger.resolveOrders(orderRows) { orders[row.row] = row }
    for row in try ledger.resolveTransactions(rows) { transactions[row.row] = row }
    self.refunds = counted(refunds.map(resolved))
    let originals = try ledger.originals(chains.map(\.transactions[0]).sorted())
    subscriptions = chains.map { resolved($0, originals[$0.transactions[0]] ?? "") }
      .sorted { left, right in
        if left.storefront != right.storefront {
          return (left.storefront?.code ?? "") < (right.storefront?.code ?? "")
        }
        return (left.sku, left.originalTransactionID) < (right.sku, right.originalTransactionID)
      }
  }

  private func resolved(_ draft: RefundDraft) -> RefundLine {
    var line = draft.line
    let told = draft.transactions.map { transactions[$0]! }
    line.transactionID = told[0].id
    line.source = told[0].source
    line.orderID = draft.orders.first.map { orders[$0]!.id }
    line.user = user(draft.transactions, draft.orders)
    line.windowDays = line.storefront.map { RefundPolicy.days(in: $0, on: line.purchasedOn) }
    return line
  }

  private func resolved(_ draft: SubscriptionDraft, _ original: String) -> SubscriptionLine {
    var line = draft.line
    line.originalTransactionID = original
    line.transactionIDs = ([draft.transactions[0]] + draft.others).map { transactions[$0]!.id }
    line.orderID = draft.orders.first.map { orders[$0]!.id }
    line.user = user(draft.transactions, draft.orders)
    return line
  }

  /// Who bought, by the transaction's rows, else by the order's.
  private func user(_ transactionRows: [RowID], _ orderRows: [RowID]) -> String {
    (transactionRows.lazy.map { transactions[$0]!.user } + orderRows.lazy.map { orders[$0]!.user })
      .first { !$0.isEmpty } ?? ""
  }

  private func counted(_ lines: [RefundLine]) -> [RefundLine] {
    var byUser: [String: Int] = [:]
    for line in lines where !line.user.isEmpty { byUser[line.user, default: 0] += 1 }
    return lines.map { line in
      var line = line
      line.userRefunds = byUser[line.user] ?? 1
      return line
    }
  }
}
