package import Billing

/// The columns of each kind of company table, required ones first.
package let companyColumns: [InputKind: [String]] = Dictionary(
  uniqueKeysWithValues: CompanyTable.all.map { ($0.kind, $0.names) })

/// The columns of the company's tables.
struct CompanyTable {
  let kind: InputKind
  /// Required ones first.
  let names: [String]
  let requiredCount: Int

  var required: [String] { Array(names.prefix(requiredCount)) }

  init(_ kind: InputKind, required: [String], optional: [String]) {
    self.kind = kind
    names = required + optional
    requiredCount = required.count
  }

  /// The place of a column among the names.
  func index(_ name: String) -> Int {
    guard let index = names.firstIndex(of: name) else {
      preconditionFailure("\(kind) has no column \(name)")
    }
    return index
  }

  static let orders = CompanyTable(
    .orders, required: ["order_id", "sku", "status", "placed_at"],
    optional: [
      "quantity", "unit_price", "currency", "storefront", "bundle_id", "channel", "coins",
      "user_id", "paid_at", "fulfilled_at", "transaction_id", "app_account_token", "app_version",
      "device",
    ])

  static let transactions = CompanyTable(
    .transactions, required: ["transaction_id", "sku", "purchased_at"],
    optional: [
      "bundle_id", "kind", "quantity", "unit_price", "currency", "storefront", "is_trial",
      "is_intro", "is_upgraded", "ownership", "environment", "revocation_reason",
      "original_transaction_id", "web_order_line_item_id", "order_id", "expires_at", "revoked_at",
      "app_account_token", "user_id",
    ])

  static let products = CompanyTable(
    .products, required: ["sku", "kind"],
    optional: [
      "tier", "apple_identifier", "bundle_id", "name", "coins", "subscription_group",
      "effective_from",
    ])

  static let tiers = CompanyTable(
    .tiers, required: ["table", "tier", "storefront", "currency", "price"],
    optional: ["proceeds", "effective_from", "effective_to"])

  static let rates = CompanyTable(
    .rates, required: ["date", "base", "quote", "rate"], optional: [])

  static let taxes = CompanyTable(
    .taxes, required: ["storefront", "rate"], optional: ["effective_from", "effective_to"])

  static let commissions = CompanyTable(
    .commissions, required: ["name", "storefront", "class", "rate"],
    optional: ["platform", "programme", "effective_from", "effective_to"])

  static let commissionInvoices = CompanyTable(
    .commissionInvoice,
    required: ["invoice_number", "billing_period", "currency", "amount", "total", "due"],
    optional: ["app", "tax"])

  static let bank = CompanyTable(
    .bank, required: ["date", "amount", "currency"], optional: ["reference"])

  static let all = [
    orders, transactions, products, tiers, rates, taxes, commissions, bank, commissionInvoices,
  ]

  /// Whether the header has all that this table requires, and no other table's own rows.
  func recognises(_ names: Set<String>) -> Bool {
    guard required.allSatisfy(names.contains) else { return false }
    // A commission is a rate of a storefront too, with a name and a class.
    if kind == .taxes, Self.commissions.recognises(names) { return false }
    let ids: Set<String> = ["order_id", "transaction_id", "placed_at", "purchased_at"]
    return kind == .orders || kind == .transactions || names.isDisjoint(with: ids)
  }
}

extension InputKind {
  /// The words that a column of a company's table may have; nil for one that holds anything else.
  package func words(ofColumn column: String) -> [String]? {
    switch column {
    case "status": OrderStatus.allCases.map(\.name)
    case "kind": ProductKind.allCases.map(\.name)
    case "table": ["iap", "subscription"]
    case "ownership": ["PURCHASED", "FAMILY_SHARED"]
    case "environment": ["Production", "Sandbox"]
    case "is_trial", "is_intro", "is_upgraded": ["true", "false"]
    default: nil
    }
  }
}
