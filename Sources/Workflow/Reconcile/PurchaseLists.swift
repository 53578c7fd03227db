import Billing
import Conclusions
import Ledger
import Matching
import Pricing

/// The lists of refunds, subscriptions and purchases over the period's edge, with the ids, users
/// and places of their rows.
struct PurchaseLists {
  private(set) var refunds: [RefundLine] = []
  private(set) var subscriptions: [SubscriptionLine] = []
  private(set) var moved: [MovedUnits] = []

  private var orders = ResolvedRows<OrderRow>()
  private var transactions = ResolvedRows<TransactionRow>()

  /// Looks up the rows of refunds, chains and moved units, and makes a line of each.
  ///
  /// - Parameters:
  ///   - all: the refunds.
  ///   - moves: units that are over the period's edge.
  ///   - told: what Apple's subscriber report says of transactions.
  init(
    _ ledger: Ledger, _ all: [UnresolvedRefund], _ chains: [UnresolvedSubscription],
    _ moves: [UnresolvedMove], _ told: ToldProceeds
  ) throws {
    var all = all
    for index in all.indices {
      all[index].line.windowDays = all[index].line.storefront.map {
        RefundPolicy.days(in: $0, on: all[index].line.purchasedOn)
      }
    }
    let users = try Self.users(of: all, ledger)
    var counts: [IDKey: Int] = [:]
    for user in users where !user.isNone { counts[user, default: 0] += 1 }
    for (index, user) in users.enumerated() { all[index].line.userRefunds = counts[user] ?? 1 }
    let orderRows = (all.flatMap(\.orders) + chains.flatMap(\.orders) + moves.flatMap(\.orders))
      .sortedOnce()
    let rows =
      (all.flatMap(\.transactions) + chains.flatMap { $0.transactions + $0.others }
      + moves.flatMap(\.transactions)).sortedOnce()
    orders = ResolvedRows(try ledger.resolveOrders(orderRows))
    transactions = ResolvedRows(try ledger.resolveTransactions(rows))
    refunds = all.map(resolved)
    moved = moves.map(resolved)
    let originals = try ledger.originals(chains.map(\.transactions[0]).sorted())
    let lines = chains.map { chain in
      var line = resolved(chain, originals[chain.transactions[0]] ?? "")
      line.add(told, of: chain)
      return line
    }
    // Their places are sorted: lines are large.
    subscriptions = lines.indices.sorted { Self.isBefore(lines[$0], lines[$1]) }.map { lines[$0] }
  }

  /// The user of each refund, in their order, by the transaction's rows, else by the order's;
  /// `.none` where no row tells one.
  private static func users(of refunds: [UnresolvedRefund], _ ledger: Ledger) throws -> [IDKey] {
    let rows = refunds.flatMap(\.transactions).sortedOnce()
    var users = [TransactionRow.ID: IDKey](minimumCapacity: rows.count)
    for detail in try ledger.transactionDetails(rows) { users[detail.row] = detail.user }
    /// The user whom the refund's transactions name; `.none` where none does.
    func userOfTransactions(_ unresolved: UnresolvedRefund) -> IDKey {
      unresolved.transactions.lazy.compactMap { users[$0] }.first { !$0.isNone } ?? .none
    }
    let withoutUser = refunds.filter { userOfTransactions($0).isNone }
    var buyers: [OrderRow.ID: IDKey] = [:]
    for detail in try ledger.orderDetails(withoutUser.flatMap(\.orders).sortedOnce()) {
      buyers[detail.row] = detail.user
    }
    return refunds.map { unresolved in
      let user = userOfTransactions(unresolved)
      if !user.isNone { return user }
      return unresolved.orders.lazy.compactMap { buyers[$0] }.first { !$0.isNone } ?? .none
    }
  }

  /// The order of the list of subscriptions: by storefront, SKU, then original transaction id.
  private static func isBefore(_ left: SubscriptionLine, _ right: SubscriptionLine) -> Bool {
    if left.storefront != right.storefront {
      return (left.storefront?.code ?? "") < (right.storefront?.code ?? "")
    }
    if left.sku != right.sku { return left.sku < right.sku }
    return left.originalTransactionID < right.originalTransactionID
  }

  /// The refund's line with the ids of its order and transaction, their source, and the user.
  private func resolved(_ unresolved: UnresolvedRefund) -> RefundLine {
    var line = unresolved.line
    let told = unresolved.transactions.map { transactions[$0] }
    line.transactionID = told[0].id
    line.source = told[0].source
    line.orderID = unresolved.orders.first.map { orders[$0].id }
    line.user = user(unresolved.transactions, unresolved.orders)
    return line
  }

  /// The line of moved units with the ids of their order and transaction.
  private func resolved(_ unresolved: UnresolvedMove) -> MovedUnits {
    var line = unresolved.line
    line.transactionID = unresolved.transactions.first.map { transactions[$0].id } ?? ""
    line.orderID = unresolved.orders.first.map { orders[$0].id }
    return line
  }

  /// The chain's line with the ids of its order and transactions, and the user.
  ///
  /// - Parameter original: the chain's original transaction id.
  private func resolved(_ unresolved: UnresolvedSubscription, _ original: String)
    -> SubscriptionLine
  {
    var line = unresolved.line
    line.originalTransactionID = original
    line.transactionIDs = ([unresolved.transactions[0]] + unresolved.others).map {
      transactions[$0].id
    }
    line.orderID = unresolved.orders.first.map { orders[$0].id }
    line.user = user(unresolved.transactions, unresolved.orders)
    return line
  }

  /// The first user that these rows name, transactions before orders; empty where none does.
  private func user(_ transactionRows: [TransactionRow.ID], _ orderRows: [OrderRow.ID]) -> String {
    (transactionRows.lazy.map { transactions[$0].user } + orderRows.lazy.map { orders[$0].user })
      .first { !$0.isEmpty } ?? ""
  }
}

extension SubscriptionLine {
  /// Adds what Apple's subscriber report says of a chain: the day of its latest transaction, and
  /// the sum of proceeds where the report has all of the period's, in one currency.
  mutating func add(
    _ told: ToldProceeds, of chain: UnresolvedSubscription
  ) {
    let latest = chain.transactions.lazy.compactMap { told.purchases[$0] }.first
    reportedOn = latest?.day
    let bought = [latest].compactMap(\.self) + chain.others.compactMap { told.purchases[$0] }
    let refunded = chain.refunded.compactMap { told.refunds[$0] }
    let all = bought + refunded
    guard bought.count == boughtInPeriod, refunded.count == chain.refunded.count,
      let first = all.first?.proceeds
    else { return }
    var sum = Money.zero(first.currency)
    for one in all {
      guard let money = one.proceeds, money.currency == sum.currency else { return }
      sum += money
    }
    proceeds = sum
  }
}
