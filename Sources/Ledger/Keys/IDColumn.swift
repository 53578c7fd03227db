import Billing

/// Which id of which table a run finds again.
enum IDColumn: String, CaseIterable, Sendable {
  case order
  case orderTransaction = "order.transaction"
  case transaction
  case transactionOrder = "transaction.order"
  /// The original of a transaction that may belong to a chain, its own id where it is the first.
  case chain = "transaction.chain"
  case eventOrder = "event.order"
  case eventTransaction = "event.transaction"
}

/// A column of ids of the rows of one table.
struct IDIndex<Table> {
  let column: IDColumn
  private init(_ column: IDColumn) { self.column = column }
}

extension IDIndex<OrderRow> {
  static var order: Self { Self(.order) }
  static var orderTransaction: Self { Self(.orderTransaction) }
}

extension IDIndex<TransactionRow> {
  static var transaction: Self { Self(.transaction) }
  static var transactionOrder: Self { Self(.transactionOrder) }
  static var chain: Self { Self(.chain) }
}

extension IDIndex<PurchaseEventRow> {
  static var eventOrder: Self { Self(.eventOrder) }
  static var eventTransaction: Self { Self(.eventTransaction) }
}
