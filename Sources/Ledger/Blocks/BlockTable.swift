import Billing

/// A table whose rows lie in blocks: what its rows have, and by what its blocks are found.
///
/// In the ledger's file it is the table `blocks`; statements read its rows under `name`, by
/// ``BlockModule``.
struct BlockTable: Sendable {
  /// What statements call it.
  let name: String
  /// Columns of a row in the order in which a block has them.
  let columns: [String]
  /// Of each column as what SQLite compares its values.
  let affinities: [String]
  /// Whether rows have numbers of their own, which ascend and leave some out; else they count on
  /// from the block's first.
  let isSparse: Bool
  /// Columns whose smallest and largest values stand beside a block.
  let spans: [String]
  /// Further columns that statements see, each made of a row's when it is asked for.
  let derived: [DerivedColumn]

  /// The index of a column in a block; the table has a column of that name.
  func place(of column: String) -> Int {
    guard let place = columns.firstIndex(of: column) else {
      preconditionFailure("\(name) has no column \(column)")
    }
    return place
  }

  /// The table of the ledger's file that has its blocks.
  var blocks: String { Self.blocks(of: name) }

  /// The name of the table of blocks for rows that statements call `name`.
  private static func blocks(of name: String) -> String {
    (name.hasSuffix("_row") ? String(name.dropLast(4)) : name) + "_block"
  }

  /// Describes a table; without `affinities`, SQLite compares its values as they are.
  init(
    _ name: String, _ columns: [String], affinities: [String]? = nil, isSparse: Bool = false,
    spans: [String] = [], derived: [DerivedColumn] = []
  ) {
    self.name = name
    self.columns = columns
    self.affinities = affinities ?? columns.map { _ in "" }
    self.isSparse = isSparse
    self.spans = spans
    self.derived = derived
  }

  /// The statement that makes the table of its blocks. A block's rows stand under the numbers from
  /// `first_row` to `last_row`, all of one file; how they are written says ``BlockContent``.
  var statement: String {
    let spans = spans.flatMap { ["first_\($0) INTEGER", "last_\($0) INTEGER"] }
    let columns =
      [
        "first_row INTEGER PRIMARY KEY", "last_row INTEGER NOT NULL CHECK (last_row >= first_row)",
        "source_id INTEGER NOT NULL", "rows INTEGER NOT NULL CHECK (rows > 0)",
      ] + spans + ["content BLOB NOT NULL"]
    return "CREATE TABLE \(blocks) (\(columns.joined(separator: ", "))) STRICT;"
  }
}

extension BlockTables {
  /// What its rows have, and by what its blocks are found.
  var table: BlockTable { Self.tables[self]! }

  private static let tables: [BlockTables: BlockTable] = [
    .sales: BlockTable(
      SalesRow.self, spans: ["begin_day", "end_day"], derived: LedgerView.reportRow.derived),
    .finance: BlockTable(FinanceRow.self),
    .orders: BlockTable(
      OrderRow.self, spans: ["placed_at"],
      derived: [
        .text("order_text", of: "order_id"), .text("transaction_text", of: "transaction_id"),
        .text("user_text", of: "user_id"),
      ] + LedgerView.order.derived),
    .transactions: BlockTable(
      TransactionRow.self, spans: ["purchased_at", "revoked_at"],
      derived: [
        .text("transaction_text", of: "transaction_id"), .text("order_text", of: "order_id"),
        DerivedColumn(
          name: "original_text",
          value: .textOrOwn(of: "original_transaction_id", own: "transaction_id")),
        .text("user_text", of: "user_id"),
      ] + besideTransactions + LedgerView.transaction.derived),
    .events: BlockTable(
      PurchaseEventRow.self, spans: ["at"], derived: LedgerView.event.derived),
    .counts: BlockTable(PurchaseCountRow.self, spans: ["at"]),
    .messages: BlockTable(MessageRow.self),
    .renewals: BlockTable(RenewalRow.self, spans: ["told_at"]),
    .extras: BlockTable(
      Numbered<ExtraRow>.self, isSparse: true, spans: ["commitment_ends_at"]),
    .items: BlockTable(Numbered<AdvancedItem>.self, isSparse: true),
    .itemRefunds: BlockTable(Numbered<AdvancedItemRefund>.self, isSparse: true),
    .pages: BlockTable(AnswerPage.self),
    .subscriptions: BlockTable(SubscriptionRow.self),
    .subscriptionEvents: BlockTable(SubscriptionEventRow.self),
    .subscribers: BlockTable(SubscriberRow.self),
    .footers: BlockTable(FinanceFooterLine.self),
    .payments: BlockTable(PaymentLine.self),
    .payouts: BlockTable(Payout.self),
    .products: BlockTable(Lined<Product>.self),
    .tiers: BlockTable(Lined<TierPrice>.self),
    .rates: BlockTable(Lined<ExchangeRate>.self, spans: ["day"]),
    .taxes: BlockTable(Lined<TaxOverride>.self),
    .commissions: BlockTable(Lined<CompanyCommission>.self),
    .bank: BlockTable(Lined<BankCredit>.self, spans: ["day"]),
    .invoices: BlockTable(Lined<CommissionInvoice>.self),
    .coinMovements: BlockTable(
      CoinMovementRow.self, spans: ["at"], derived: LedgerView.coinMovement.derived),
    .coinBalances: BlockTable(Lined<CoinBalance>.self, spans: ["day"]),
    .gameItems: BlockTable(Lined<GameItem>.self),
    .resolved: BlockTable(Numbered<SaleRecord>.self, isSparse: true),
  ]

  /// What stands of a transaction's row in other tables: its extra, and what the last run took from
  /// elsewhere. A join would look for it whether or not it is asked for.
  private static let besideTransactions: [DerivedColumn] =
    [
      ("extra_terms_id", .extras, "terms_id"),
      ("app_transaction_id", .extras, "app_transaction_id"),
      ("request_reference", .extras, "request_reference"),
      ("commitment_ends_at", .extras, "commitment_ends_at"),
      ("sale_order", .resolved, "sale_order"), ("sale_terms_id", .resolved, "terms_id"),
    ].map { DerivedColumn(name: $0, value: .beside($1, $2)) }
    + [("matched_text", "order_id"), ("matched_user", "user_id")].map {
      DerivedColumn(name: $0, value: .ofRow("sale_order", .orders, $1))
    }
}

extension DerivedColumn {
  /// A column `name` with the id in `column` as text.
  fileprivate static func text(_ name: String, of column: String) -> Self {
    Self(name: name, value: .text(of: column))
  }
}

extension BlockTable {
  /// Describes the table of a kind of rows.
  fileprivate init<Row: BlockRow>(
    _: Row.Type, isSparse: Bool = false, spans: [String] = [], derived: [DerivedColumn] = []
  ) {
    self.init(
      Row.tableName, Row.blank.columnNames, affinities: Row.blank.affinities, isSparse: isSparse,
      spans: spans, derived: derived)
  }
}
