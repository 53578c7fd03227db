import Billing

// Apple's subscription reports.

extension LedgerView {
  static let subscription = LedgerView(
    "v_subscription", "@view.rows-of-apple-subscription-reports",
    [
      "r.id", .source("r"), .fileStatus, "s.vendor", .day("s.begin_day", as: "day"), "t.storefront",
      "t.state", "t.app_name", "t.app_id", "t.name", "t.subscription_id", "t.group_id",
      "t.duration", "t.offer_name", "t.promotional_offer_id", .amount("t.customer_price"),
      "t.customer_currency", .amount("t.proceeds"), "t.proceeds_currency", "t.preserved_pricing",
      "t.proceeds_reason", "t.client", "t.device", "r.standard", "r.introductory_free_trial",
      "r.introductory_pay_up_front", "r.introductory_pay_as_you_go", "r.promotional_free_trial",
      "r.promotional_pay_up_front", "r.promotional_pay_as_you_go", "r.offer_code_free_trial",
      "r.offer_code_pay_up_front", "r.offer_code_pay_as_you_go", "r.marketing_opt_ins",
      "r.billing_retry", "r.grace_period", "r.subscribers", "r.win_back_free_trial",
      "r.win_back_pay_up_front", "r.win_back_pay_as_you_go",
    ],
    from: """
      subscription_row r \(joinSource) \
      JOIN subscription_terms t ON t.id = r.terms_id
      """)

  static let subscriptionEvent = LedgerView(
    "v_subscription_event", "@view.rows-of-apple-subscription-event",
    [
      "r.id", .source("r"), .fileStatus, "s.vendor", .day("s.begin_day", as: "report_day"),
      .day("r.day", as: "event_date"), "t.event", "r.quantity", "t.storefront", "t.state",
      "t.app_name", "t.app_id", "t.name", "t.subscription_id", "t.group_id", "t.duration",
      "t.offer_name", "t.promotional_offer_id", "t.offer_type", "t.offer_duration",
      "t.marketing_opt_in", "t.marketing_opt_in_duration", "t.preserved_pricing",
      "t.proceeds_reason", "r.consecutive_paid_periods",
      .day("r.original_start_day", as: "original_start_date"), "t.client", "t.device",
      "t.previous_name", "t.previous_id", "r.days_before_canceling", "t.cancellation_reason",
      "r.days_canceled", "r.paid_service_days_recovered",
    ],
    from: """
      subscription_event_row r \(joinSource) \
      JOIN subscription_event_terms t ON t.id = r.terms_id
      """)

  static let subscriber = LedgerView(
    "v_subscriber", "@view.rows-of-apple-subscriber-reports",
    [
      "r.id", .source("r"), .fileStatus, "s.vendor", .day("s.begin_day", as: "report_day"),
      .day("r.day", as: "event_date"), "r.subscriber", "t.is_reset", "t.is_refund",
      .day("r.purchase_day", as: "purchase_date"), "r.units", "t.storefront", "t.state",
      "t.app_name", "t.app_id", "t.name", "t.subscription_id", "t.group_id", "t.duration",
      "t.offer_name", "t.promotional_offer_id", "t.offer_type", "t.offer_duration",
      "t.marketing_opt_in_duration", .amount("t.customer_price"), "t.customer_currency",
      .amount("t.proceeds"), "t.proceeds_currency", "t.preserved_pricing", "t.proceeds_reason",
      "t.client", "t.device",
    ],
    from: """
      subscriber_row r \(joinSource) \
      JOIN subscriber_terms t ON t.id = r.terms_id
      """)
}
