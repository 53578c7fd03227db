import Billing

// What the terms of the three subscription reports have in common: columns, from a place on.

extension SubscriptionProduct {
  fileprivate static let columns = [
    "app_name", "app_id", "name", "subscription_id", "group_id", "duration",
  ]

  fileprivate func bind(to statement: borrowing RawStatement, from index: Int32) {
    statement.bind([appName, appID, name, id, groupID, duration], from: index)
  }

  fileprivate init(reading row: borrowing RawStatement, from column: Int32) {
    self.init(
      appName: row.text(column), appID: row.text(column + 1), name: row.text(column + 2),
      id: row.text(column + 3), groupID: row.text(column + 4), duration: row.text(column + 5))
  }
}

extension SubscriptionOffer {
  fileprivate static let columns = [
    "offer_name", "promotional_offer_id", "offer_type", "offer_duration",
  ]

  fileprivate func bind(to statement: borrowing RawStatement, from index: Int32) {
    statement.bind([name, promotionalID, type, duration], from: index)
  }

  fileprivate init(reading row: borrowing RawStatement, from column: Int32) {
    self.init(
      name: row.text(column), promotionalID: row.text(column + 1), type: row.text(column + 2),
      duration: row.text(column + 3))
  }
}

extension SubscriptionPrice {
  fileprivate static let columns = [
    "customer_price", "customer_currency", "proceeds", "proceeds_currency",
  ]

  fileprivate func bind(to statement: borrowing RawStatement, from index: Int32) {
    statement.bind(customerPrice, at: index)
    statement.bind(customerCurrency?.code, at: index + 1)
    statement.bind(proceeds, at: index + 2)
    statement.bind(proceedsCurrency?.code, at: index + 3)
  }

  fileprivate init(reading row: borrowing RawStatement, from column: Int32) {
    self.init(
      customerPrice: row.optionalInt64(column), customerCurrency: row.currency(column + 1),
      proceeds: row.optionalInt64(column + 2), proceedsCurrency: row.currency(column + 3))
  }
}

extension SubscriptionCircumstance {
  fileprivate static let columns = [
    "preserved_pricing", "proceeds_reason", "client", "device", "state", "storefront",
  ]

  fileprivate func bind(to statement: borrowing RawStatement, from index: Int32) {
    statement.bind([preservedPricing, proceedsReason, client, device, state], from: index)
    statement.bind(storefront?.code, at: index + 5)
  }

  fileprivate init(reading row: borrowing RawStatement, from column: Int32) {
    self.init(
      preservedPricing: row.text(column), proceedsReason: row.text(column + 1),
      client: row.text(column + 2), device: row.text(column + 3), state: row.text(column + 4),
      storefront: row.storefront(column + 5))
  }
}

extension RawStatement {
  fileprivate func bind(_ texts: [String], from index: Int32) {
    for (offset, text) in texts.enumerated() { bind(text, at: index + Int32(offset)) }
  }
}

extension SubscriptionTerms: DictionaryEntry {
  static let table = "subscription_terms"
  static let columns =
    SubscriptionProduct.columns + SubscriptionOffer.columns + SubscriptionPrice.columns
    + SubscriptionCircumstance.columns

  func bind(to statement: borrowing RawStatement) {
    product.bind(to: statement, from: 2)
    offer.bind(to: statement, from: 8)
    price.bind(to: statement, from: 12)
    circumstance.bind(to: statement, from: 16)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      product: SubscriptionProduct(reading: row, from: 1),
      offer: SubscriptionOffer(reading: row, from: 7),
      price: SubscriptionPrice(reading: row, from: 11),
      circumstance: SubscriptionCircumstance(reading: row, from: 15))
  }
}

extension SubscriptionEventTerms: DictionaryEntry {
  static let table = "subscription_event_terms"
  static let columns =
    ["event"] + SubscriptionProduct.columns + SubscriptionOffer.columns
    + ["marketing_opt_in", "marketing_opt_in_duration"] + SubscriptionCircumstance.columns
    + ["previous_name", "previous_id", "cancellation_reason"]

  func bind(to statement: borrowing RawStatement) {
    statement.bind(event, at: 2)
    product.bind(to: statement, from: 3)
    offer.bind(to: statement, from: 9)
    statement.bind([marketingOptIn, marketingOptInDuration], from: 13)
    circumstance.bind(to: statement, from: 15)
    statement.bind([previousName, previousID, cancellationReason], from: 21)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      event: row.text(1), product: SubscriptionProduct(reading: row, from: 2),
      offer: SubscriptionOffer(reading: row, from: 8), marketingOptIn: row.text(12),
      marketingOptInDuration: row.text(13),
      circumstance: SubscriptionCircumstance(reading: row, from: 14), previousName: row.text(20),
      previousID: row.text(21), cancellationReason: row.text(22))
  }
}

extension SubscriberTerms: DictionaryEntry {
  static let table = "subscriber_terms"
  static let columns =
    SubscriptionProduct.columns + SubscriptionOffer.columns + ["marketing_opt_in_duration"]
    + SubscriptionPrice.columns + SubscriptionCircumstance.columns + ["is_reset", "is_refund"]

  func bind(to statement: borrowing RawStatement) {
    product.bind(to: statement, from: 2)
    offer.bind(to: statement, from: 8)
    statement.bind(marketingOptInDuration, at: 12)
    price.bind(to: statement, from: 13)
    circumstance.bind(to: statement, from: 17)
    statement.bind(isReset, at: 23)
    statement.bind(isRefund, at: 24)
  }

  init(reading row: borrowing RawStatement) {
    self.init(
      product: SubscriptionProduct(reading: row, from: 1),
      offer: SubscriptionOffer(reading: row, from: 7), marketingOptInDuration: row.text(11),
      price: SubscriptionPrice(reading: row, from: 12),
      circumstance: SubscriptionCircumstance(reading: row, from: 16),
      isReset: row.int64(22) == 1, isRefund: row.int64(23) == 1)
  }
}
