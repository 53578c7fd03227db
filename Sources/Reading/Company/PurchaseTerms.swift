internal import Billing

/// Where a record has what an order says besides its ids and times.
struct OrderTermsColumns {
  static let names = [
    "sku", "status", "quantity", "unit_price", "currency", "storefront", "bundle_id", "channel",
    "coins", "app_version", "device",
  ]

  /// In the order of the names.
  let fields: [Int]
  private let storefronts: StorefrontLookup
  /// What stands before the names in a table with both sides of a purchase.
  private let prefix: String

  /// - Parameter field: the field of a column.
  init(_ storefronts: StorefrontLookup, prefix: String = "", field: (String) -> Int) {
    self.storefronts = storefronts
    self.prefix = prefix
    fields = Self.names.map { field(prefix + $0) }
  }

  func read(_ record: Record) throws(RecordDiagnostic) -> OrderTerms {
    func field(_ name: String) -> Int { fields[Self.names.firstIndex(of: name)!] }
    guard
      let status = try record.word(
        field("status"), prefix + "status", allowed: OrderStatus.allCases.map(\.name),
        { OrderStatus(name: $0) })
    else { throw record.blankDiagnostic(field("status"), prefix + "status") }
    return OrderTerms(
      sku: try record.requiredText(field("sku"), prefix + "sku"), status: status,
      quantity: try record.saidQuantity(field("quantity")),
      unitPrice: try record.amount(
        field("unit_price"), prefix + "unit_price", mayBeNegative: false),
      currency: try record.currency(field("currency"), prefix + "currency"),
      storefront: try record.storefront(field("storefront"), prefix + "storefront", storefronts),
      bundleID: record.text(field("bundle_id")), channel: record.text(field("channel")),
      coins: try record.count(field("coins"), prefix + "coins", atLeast: 0),
      appVersion: record.text(field("app_version")), device: record.text(field("device")))
  }
}

/// Where a record has what a transaction of the company's table says besides its ids and times.
struct TransactionTermsColumns {
  static let names = [
    "sku", "bundle_id", "kind", "quantity", "unit_price", "currency", "storefront", "is_trial",
    "is_intro", "is_upgraded", "ownership", "environment", "revocation_reason",
  ]

  /// In the order of the names.
  let fields: [Int]
  private let storefronts: StorefrontLookup
  private let prefix: String

  /// - Parameter field: the field of a column.
  init(_ storefronts: StorefrontLookup, prefix: String = "", field: (String) -> Int) {
    self.storefronts = storefronts
    self.prefix = prefix
    fields = Self.names.map { field(prefix + $0) }
  }

  func read(_ record: Record) throws(RecordDiagnostic) -> TransactionTerms {
    func field(_ name: String) -> Int { fields[Self.names.firstIndex(of: name)!] }
    let kind = try record.word(
      field("kind"), prefix + "kind", allowed: ProductKind.allCases.map(\.name),
      { ProductKind(name: $0) })
    var terms = TransactionTerms(
      sku: try record.requiredText(field("sku"), prefix + "sku"),
      bundleID: record.text(field("bundle_id")), kind: kind,
      quantity: try record.saidQuantity(field("quantity")),
      unitPrice: try record.amount(
        field("unit_price"), prefix + "unit_price", mayBeNegative: false),
      currency: try record.currency(field("currency"), prefix + "currency"),
      storefront: try record.storefront(field("storefront"), prefix + "storefront", storefronts),
      isTrial: try record.optionalFlag(field("is_trial"), prefix + "is_trial"),
      isIntro: try record.optionalFlag(field("is_intro"), prefix + "is_intro"),
      isUpgraded: try record.flag(field("is_upgraded"), prefix + "is_upgraded"),
      ownership: Ownership(word: trimmed(record[field("ownership")])),
      environment: storeEnvironment(trimmed(record[field("environment")])),
      revocationReason: record.text(field("revocation_reason")))
    terms.unknownWords = record.unknownWords([
      (field("ownership"), prefix + "ownership", terms.ownership != .other),
      (field("environment"), prefix + "environment", terms.environment != .other),
    ])
    return terms
  }
}
