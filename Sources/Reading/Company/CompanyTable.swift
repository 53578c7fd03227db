package import Billing

/// The columns of each kind of company table, required ones first.
package let companyColumns: [InputKind: [String]] = Dictionary(
  uniqueKeysWithValues: CompanyTable.made.map { ($0.kind, $0.shownNames) })

/// The columns of the company's tables.
struct CompanyTable {
  let kind: InputKind
  /// Required ones first.
  let names: [String]
  let requiredCount: Int
  /// Whether rows may have been handed over beside counts: then they name the period of these.
  private let isHandedOver: Bool

  /// What a row handed over beside counts names their period by.
  static let countedPeriod = "counted_period"

  var required: [String] { Array(names.prefix(requiredCount)) }
  /// Those that people fill in.
  var shownNames: [String] { isHandedOver ? names.dropLast() : names }

  init(
    _ kind: InputKind, required: [String], optional: [String], handedOver: Bool = false
  ) {
    self.kind = kind
    names = required + optional + (handedOver ? [Self.countedPeriod] : [])
    requiredCount = required.count
    isHandedOver = handedOver
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
    ], handedOver: true)

  static let transactions = CompanyTable(
    .transactions, required: ["transaction_id", "sku", "purchased_at"],
    optional: [
      "bundle_id", "kind", "quantity", "unit_price", "currency", "storefront", "is_trial",
      "is_intro", "is_upgraded", "ownership", "environment", "revocation_reason",
      "original_transaction_id", "web_order_line_item_id", "order_id", "expires_at", "revoked_at",
      "app_account_token", "user_id",
    ], handedOver: true)

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

  static let events = CompanyTable(
    .events, required: ["at", "stage", "outcome"],
    optional: [
      "duration_ms", "http_status", "order_id", "user_id", "transaction_id", "app_version",
      "device", "server", "message",
    ])

  /// What both sides of a purchase say stands beside each other, under the names of their tables.
  static let unitCounts = CompanyTable(
    .unitCounts, required: [countedPeriod, "counted", "at", "count"],
    optional: ["seconds", "name"]
      + OrderTermsColumns.names.map { "order_" + $0 }
      + TransactionTermsColumns.names.map { "transaction_" + $0 })

  /// Those that companies make themselves.
  static let made = [
    orders, transactions, products, tiers, rates, taxes, commissions, bank, commissionInvoices,
    events,
  ]

  static let all = made + [unitCounts]

  /// Whether its rows name orders or transactions.
  var namesPurchases: Bool { kind == .orders || kind == .transactions || kind == .events }

  /// Whether the header has all that this table requires, and no other table's own rows.
  func recognises(_ names: Set<String>) -> Bool {
    guard required.allSatisfy(names.contains) else { return false }
    // A commission is a rate of a storefront too, with a name and a class.
    if kind == .taxes, Self.commissions.recognises(names) { return false }
    let ids: Set<String> = ["order_id", "transaction_id", "placed_at", "purchased_at"]
    return namesPurchases || names.isDisjoint(with: ids)
  }
}

extension InputKind {
  /// The words that a column of a company's table may have; nil for one that holds anything else.
  package func words(ofColumn column: String) -> [String]? {
    switch column {
    case "status": OrderStatus.allCases.map(\.name)
    case "outcome": EventOutcome.allCases.map(\.name)
    case "kind": ProductKind.allCases.map(\.name)
    case "table": ["iap", "subscription"]
    case "ownership": ["PURCHASED", "FAMILY_SHARED", "ASSIGNED"]
    case "environment": ["Production", "Sandbox"]
    case "is_trial", "is_intro", "is_upgraded": ["true", "false"]
    default: nil
    }
  }
}
