import Billing

extension SalesProduct: DictionaryEntry {
  static let table = "sales_product"
  static let columns = [
    "sku", "type", "apple_identifier", "title", "developer", "version", "parent", "category",
    "subscription_period", "supported_platforms",
  ]

  func bind(to statement: borrowing RawStatement) {
    statement.bind(sku, at: 2)
    statement.bind(type.code, at: 3)
    statement.bind(appleIdentifier, at: 4)
    statement.bind(title, at: 5)
    statement.bind(developer, at: 6)
    statement.bind(version, at: 7)
    statement.bind(parent, at: 8)
    statement.bind(category, at: 9)
    statement.bind(subscriptionPeriod, at: 10)
    statement.bind(supportedPlatforms, at: 11)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      sku: row.text(1), type: ProductType(row.text(2)), appleIdentifier: row.text(3),
      title: row.text(4), developer: row.text(5), version: row.text(6), parent: row.text(7),
      category: row.text(8), subscriptionPeriod: row.text(9), supportedPlatforms: row.text(10))
  }
}

extension SalesTerms: DictionaryEntry {
  static let table = "sales_terms"
  static let columns = [
    "storefront", "customer_currency", "customer_price", "proceeds_currency", "proceeds",
  ]

  func bind(to statement: borrowing RawStatement) {
    statement.bind(storefront.code, at: 2)
    statement.bind(customerCurrency?.code, at: 3)
    statement.bind(customerPrice, at: 4)
    statement.bind(proceedsCurrency?.code, at: 5)
    statement.bind(proceeds, at: 6)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      storefront: row.storefront(1)!, customerCurrency: row.currency(2),
      customerPrice: row.int64(3), proceedsCurrency: row.currency(4), proceeds: row.int64(5))
  }
}

extension SalesCondition: DictionaryEntry {
  static let table = "sales_condition"
  static let columns = [
    "promo_code", "subscription", "cmb", "device", "proceeds_reason", "preserved_pricing", "client",
    "order_type",
  ]

  func bind(to statement: borrowing RawStatement) {
    statement.bind(promoCode, at: 2)
    statement.bind(subscription, at: 3)
    statement.bind(cmb, at: 4)
    statement.bind(device, at: 5)
    statement.bind(proceedsReason, at: 6)
    statement.bind(preservedPricing, at: 7)
    statement.bind(client, at: 8)
    statement.bind(orderType, at: 9)
  }

  init(reading row: borrowing RawStatement) {
    self.init()
    promoCode = row.text(1)
    subscription = row.text(2)
    cmb = row.text(3)
    device = row.text(4)
    proceedsReason = row.text(5)
    preservedPricing = row.text(6)
    client = row.text(7)
    orderType = row.text(8)
  }
}

extension OrderTerms: DictionaryEntry {
  static let table = "order_terms"
  static let columns = [
    "sku", "status", "quantity", "unit_price", "currency", "storefront", "bundle_id", "channel",
    "coins", "app_version", "device",
  ]

  func bind(to statement: borrowing RawStatement) {
    statement.bind(sku, at: 2)
    statement.bind(status.name, at: 3)
    statement.bind(quantity, at: 4)
    statement.bind(unitPrice, at: 5)
    statement.bind(currency?.code, at: 6)
    statement.bind(storefront?.code, at: 7)
    statement.bind(bundleID, at: 8)
    statement.bind(channel, at: 9)
    statement.bind(coins, at: 10)
    statement.bind(appVersion, at: 11)
    statement.bind(device, at: 12)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      sku: row.text(1), status: OrderStatus(name: row.text(2))!, quantity: row.int32(3),
      unitPrice: row.optionalInt64(4), currency: row.currency(5), storefront: row.storefront(6),
      bundleID: row.text(7), channel: row.text(8), coins: row.optionalInt64(9),
      appVersion: row.text(10), device: row.text(11))
  }
}

extension RawStatement {
  func currency(_ column: Int32) -> Currency? {
    isNull(column) ? nil : Currency(text(column))
  }

  func storefront(_ column: Int32) -> Storefront? {
    isNull(column) ? nil : Storefront(text(column))
  }
}
