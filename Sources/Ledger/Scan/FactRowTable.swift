import Billing

/// A table of facts, which is read column by column through its view.
package struct FactRowTable<Table>: Sendable {
  let blocks: BlockTables
  /// With the rows of superseded files.
  let view: LedgerView
  private let kinds: [InputKind]

  /// - Parameter kinds: of the files whose rows it has; nil for all that share it.
  private init(_ blocks: BlockTables, _ view: LedgerView, _ kinds: [InputKind]? = nil) {
    self.blocks = blocks
    self.view = view.whole
    self.kinds = kinds ?? InputKind.sharing(table: blocks.table.name)
  }

  var name: String { blocks.table.name }

  /// The kinds as SQL lists them.
  var kindList: String { kinds.map { "'\($0.rawValue)'" }.joined(separator: ", ") }
}

extension FactRowTable<OrderRow> {
  package static var orders: Self { Self(.orders, .order) }
}

extension FactRowTable<TransactionRow> {
  package static var transactions: Self { Self(.transactions, .transaction) }
}

extension FactRowTable<SalesRow> {
  package static var sales: Self { Self(.sales, .reportRow) }
}

extension FactRowTable<FinanceRow> {
  package static var finance: Self { Self(.finance, .finance) }
}

extension FactRowTable<PurchaseEventRow> {
  package static var events: Self { Self(.events, .event) }
}

extension FactRowTable<CoinBalance> {
  package static var coinBalances: Self { Self(.coinBalances, .coinBalance) }
}

extension FactRowTable<CoinMovementRow> {
  package static var coinMovements: Self { Self(.coinMovements, .coinMovement) }
}

extension FactRowTable<MessageRow> {
  package static var messages: Self {
    Self(.messages, .message, [.receipts, .notifications, .history])
  }
}

extension FactRowTable<RenewalRow> {
  package static var renewals: Self {
    Self(.renewals, .renewal, [.receipts, .notifications, .history])
  }
}

extension FactRowTable<PaymentLine> {
  package static var payments: Self { Self(.payments, .payment) }
}

extension FactRowTable<Payout> {
  package static var payouts: Self { Self(.payouts, .payout, [.payments]) }
}
