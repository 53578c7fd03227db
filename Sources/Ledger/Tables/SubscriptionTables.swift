import Billing

// What the terms of the three subscription reports have in common.

extension SubscriptionProduct {
  fileprivate static let blank = SubscriptionProduct(
    appName: "", appID: "", name: "", id: "", groupID: "", duration: "")

  fileprivate mutating func values(_ column: inout some ValueVisitor) {
    column("app_name", &appName)
    column("app_id", &appID)
    column("name", &name)
    column("subscription_id", &id)
    column("group_id", &groupID)
    column("duration", &duration)
  }
}

extension SubscriptionOffer {
  fileprivate mutating func values(_ column: inout some ValueVisitor) {
    column("offer_name", &name)
    column("promotional_offer_id", &promotionalID)
    column("offer_type", &type)
    column("offer_duration", &duration)
  }
}

extension SubscriptionPrice {
  fileprivate mutating func values(_ column: inout some ValueVisitor) {
    column("customer_price", &customerPrice)
    column("customer_currency", &customerCurrency)
    column("proceeds", &proceeds)
    column("proceeds_currency", &proceedsCurrency)
  }
}

extension SubscriptionCircumstance {
  fileprivate mutating func values(_ column: inout some ValueVisitor) {
    column("preserved_pricing", &preservedPricing)
    column("proceeds_reason", &proceedsReason)
    column("client", &client)
    column("device", &device)
    column("state", &state)
    column("storefront", &storefront)
  }
}

extension SubscriptionTerms: TableValue {
  static let tableName = "subscription_terms"
  static let blank = SubscriptionTerms(
    product: .blank, offer: SubscriptionOffer(), price: SubscriptionPrice(),
    circumstance: SubscriptionCircumstance())

  mutating func values(_ column: inout some ValueVisitor) {
    product.values(&column)
    offer.values(&column)
    price.values(&column)
    circumstance.values(&column)
  }
}

extension SubscriptionEventTerms: TableValue {
  static let tableName = "subscription_event_terms"
  static let blank = SubscriptionEventTerms(
    event: "", product: .blank, offer: SubscriptionOffer(), marketingOptIn: "",
    marketingOptInDuration: "", circumstance: SubscriptionCircumstance(), previousName: "",
    previousID: "", cancellationReason: "")

  mutating func values(_ column: inout some ValueVisitor) {
    column("event", &event)
    product.values(&column)
    offer.values(&column)
    column("marketing_opt_in", &marketingOptIn)
    column("marketing_opt_in_duration", &marketingOptInDuration)
    circumstance.values(&column)
    column("previous_name", &previousName)
    column("previous_id", &previousID)
    column("cancellation_reason", &cancellationReason)
  }
}

extension SubscriberTerms: TableValue {
  static let tableName = "subscriber_terms"
  static let blank = SubscriberTerms(
    product: .blank, offer: SubscriptionOffer(), marketingOptInDuration: "",
    price: SubscriptionPrice(), circumstance: SubscriptionCircumstance(), isReset: false,
    isRefund: false)

  mutating func values(_ column: inout some ValueVisitor) {
    product.values(&column)
    offer.values(&column)
    column("marketing_opt_in_duration", &marketingOptInDuration)
    price.values(&column)
    circumstance.values(&column)
    column("is_reset", &isReset)
    column("is_refund", &isRefund)
  }
}

extension SubscriptionRow: BlockRow {
  static let tableName = "subscription_row"
  static let blank = SubscriptionRow(
    line: 0, terms: 0, counts: Array(repeating: nil, count: figures.count))
  /// Names of the columns of counts, by `SubscriptionFigure`.
  static let figures = [
    "standard", "introductory_free_trial", "introductory_pay_up_front",
    "introductory_pay_as_you_go", "promotional_free_trial", "promotional_pay_up_front",
    "promotional_pay_as_you_go", "offer_code_free_trial", "offer_code_pay_up_front",
    "offer_code_pay_as_you_go", "marketing_opt_ins", "billing_retry", "grace_period",
    "subscribers", "win_back_free_trial", "win_back_pay_up_front", "win_back_pay_as_you_go",
  ]

  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("line", &line)
    for (name, count) in zip(Self.figures, counts) {
      var count = count
      column(name, &count)
    }
  }
}

extension SubscriptionEventRow: BlockRow {
  static let tableName = "subscription_event_row"
  static let blank = SubscriptionEventRow(
    line: 0, terms: 0, day: Day(number: 0), quantity: 0, originalStart: nil,
    consecutivePaidPeriods: nil, daysBeforeCanceling: nil, daysCanceled: nil,
    paidServiceDaysRecovered: nil)

  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("line", &line)
    column("day", &day)
    column("quantity", &quantity)
    column("original_start_day", &originalStart)
    column("consecutive_paid_periods", &consecutivePaidPeriods)
    column("days_before_canceling", &daysBeforeCanceling)
    column("days_canceled", &daysCanceled)
    column("paid_service_days_recovered", &paidServiceDaysRecovered)
  }
}

extension SubscriberRow: BlockRow {
  static let tableName = "subscriber_row"
  static let blank = SubscriberRow(
    line: 0, terms: 0, day: Day(number: 0), subscriber: "", purchaseDay: nil, units: 0)

  mutating func columns(_ column: inout some RowVisitor) {
    column(terms: &terms)
    column("line", &line)
    column("day", &day)
    column("subscriber", &subscriber)
    column("purchase_day", &purchaseDay)
    column("units", &units)
  }
}
