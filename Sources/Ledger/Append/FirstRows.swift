internal import Billing
import GRDB

/// The first rows of a file as the ledger has them: by column, in the order of the view that shows
/// such rows; columns that none of them fills are left out.
package struct FirstRows: Sendable {
  package private(set) var columns: [(name: String, values: [String])] = []

  package init() {}

  static let most = 3

  /// Reads the first rows of a file, at most three, whose rows have the numbers from `row` to
  /// `last`.
  init(_ kind: InputKind, from row: Int64, to last: Int64, _ db: Database) throws {
    guard let view = Self.views[kind] else { return }
    let own = Set(["id", "source", "source_kind", "file_status"])
    let names = view.columns.map(\.name)
    let shown = names.filter { !own.contains($0) && !LedgerView.isExactForm($0) }
    let list = shown.map { name in
      names.contains(LedgerView.exactForm(of: name)) ? LedgerView.exactForm(of: name) : name
    }
    let select = try RawStatement(
      db,
      """
      SELECT \(list.map { "\"\($0)\"" }.joined(separator: ", ")) FROM (\(view.select))
      WHERE id BETWEEN ? AND ? ORDER BY id LIMIT \(Self.most)
      """, row, last)
    var values = shown.map { _ in [String]() }
    while try select.step() {
      for index in shown.indices {
        values[index].append(select.isNull(Int32(index)) ? "" : select.text(Int32(index)))
      }
    }
    columns = zip(shown, values).filter { $1.contains { !$0.isEmpty } }.map { ($0, $1) }
  }

  private static let views: [InputKind: LedgerView] = [
    .sales: .reportRow, .orders: .order, .transactions: .transaction, .receipts: .transaction,
    .notifications: .transaction, .history: .transaction, .events: .event, .bank: .bank,
    .coinMovements: .coinMovement, .coinBalances: .coinBalance, .items: .gameItem,
    .products: .product, .tiers: .tier, .rates: .rate, .finance: .finance,
    .payments: .payment, .subscription: .subscription, .subscriptionEvent: .subscriptionEvent,
    .subscriber: .subscriber,
  ]
}
