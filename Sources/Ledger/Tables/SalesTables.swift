import Billing

extension SalesProduct: TableValue {
  static let tableName = "sales_product"
  static let blank = SalesProduct(sku: "", type: ProductType(""))

  mutating func values(_ column: inout some ValueVisitor) {
    column("sku", &sku)
    column("type", &type)
    column("apple_identifier", &appleIdentifier)
    column("title", &title)
    column("developer", &developer)
    column("version", &version)
    column("parent", &parent)
    column("category", &category)
    column("subscription_period", &subscriptionPeriod)
    column("supported_platforms", &supportedPlatforms)
  }
}

extension SalesTerms: TableValue {
  static let tableName = "sales_terms"
  static let blank = SalesTerms(
    storefront: .blank, customerCurrency: nil, customerPrice: 0, proceedsCurrency: nil, proceeds: 0)

  mutating func values(_ column: inout some ValueVisitor) {
    column("storefront", &storefront)
    column("customer_currency", &customerCurrency)
    column("customer_price", &customerPrice)
    column("proceeds_currency", &proceedsCurrency)
    column("proceeds", &proceeds)
  }
}

extension SalesCondition: TableValue {
  static let tableName = "sales_condition"
  static let blank = SalesCondition()

  mutating func values(_ column: inout some ValueVisitor) {
    column("promo_code", &promoCode)
    column("subscription", &subscription)
    column("cmb", &cmb)
    column("device", &device)
    column("proceeds_reason", &proceedsReason)
    column("preserved_pricing", &preservedPricing)
    column("client", &client)
    column("order_type", &orderType)
  }
}

extension SalesRow: BlockRow {
  static let tableName = "sales_row"
  static let blank = SalesRow(
    line: 0, units: 0, begin: Day(number: 0), end: Day(number: 0), product: 0, terms: 0,
    condition: 0)

  @inline(__always)
  mutating func columns(_ column: inout some RowVisitor) {
    column("product_id", code: &product, of: .products)
    column(terms: &terms)
    column("condition_id", code: &condition, of: .conditions)
    column("units", &units)
    column("begin_day", &begin)
    column("end_day", &end)
    column("line", &line)
  }
}
