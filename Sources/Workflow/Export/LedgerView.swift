import Billing
import Ledger

/// A view of the ledger, as a person or a program may read it: what it lists and what its columns
/// mean. The views are part of the schema; this is their description.
struct LedgerView: Sendable {
  let name: String
  let meaning: Wording
  let columns: [(name: String, meaning: Wording)]

  /// - Parameter own: what columns mean in this view; what others mean is the same everywhere, or
  ///   told by the name that Apple gave them.
  init(_ name: String, _ meaning: Wording, _ own: [String: Wording] = [:]) {
    guard let names = Ledger.viewColumns[name] else { preconditionFailure("no view \(name)") }
    self.name = name
    self.meaning = meaning
    columns = names.split(separator: " ").map { column in
      let name = String(column)
      return (name, own[name] ?? Self.common[name] ?? "Apple's column of this name")
    }
  }

  /// All views, the most asked for first.
  static let all = [
    file, order, transaction, reportRow, finding, remark, reject, message, renewal, finance,
    financeFooter, payment, payout, subscription, subscriptionEvent, subscriber,
  ]

  private static let common: [String: Wording] = [
    "id": "number of the row in the ledger",
    "source": "file as given to import, and line",
    "source_kind": "what the file is",
    "file_status": "current, superseded by a later version, or partial",
    "vendor": "Apple's vendor number",
    "region": "Apple's financial region",
    "begin": "first day of the report or row",
    "end": "last day of the report or row",
    "storefront": "country of the App Store, two letters",
    "sku": "product",
    "currency": "three letters",
    "quantity": "how many",
    "unit_price": "price of one, decimal text",
    "bundle_id": "app",
    "user_id": "the company's user; masked where mask_users is set",
    "app_account_token": "token that stands for the user; masked where mask_users is set",
    "order_id": "the company's order",
    "transaction_id": "Apple's transaction",
    "units": "how many, below zero for refunds",
    "amount": "decimal text",
    "kind": "what it is",
    "status": "how far it is",
  ]
}
