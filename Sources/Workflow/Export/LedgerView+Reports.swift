import Billing

// Views of Apple's reports beside the sales reports.

extension LedgerView {
  static let finance = LedgerView(
    "v_finance", "rows of Apple's financial reports and their detail",
    """
    id source source_kind file_status vendor region begin end transaction_date \
    settlement_date storefront sku type sale_or_return quantity share extended currency \
    customer_price customer_currency title apple_identifier promo_code order_type
    """,
    [
      "transaction_date": "day of the sale",
      "settlement_date": "day of the settlement",
      "type": "Apple's product type identifier",
      "sale_or_return": "S or R",
      "share": "partner share of one, decimal text",
      "extended": "partner share of all, decimal text",
      "customer_price": "price of one to the customer, decimal text",
      "customer_currency": "what the customer paid in",
    ])

  static let financeFooter = LedgerView(
    "v_finance_footer", "what financial reports say of themselves",
    """
    id source file_status region what storefront currency count amount
    """,
    [
      "what": "rows, units, amount or storefront",
      "count": "rows or units",
    ])

  static let payment = LedgerView(
    "v_payment", "rows of payments summaries",
    """
    id source file_status vendor begin end block region label currency units balance \
    earned pre_tax_subtotal input_tax adjustments withholding owed printed_rate proceeds \
    bank_currency
    """,
    [
      "block": "which payment of the file",
      "units": "units of the region",
    ])

  static let payout = LedgerView(
    "v_payout", "payments to the bank",
    """
    id source file_status vendor begin end block amount currency account day is_paid
    """,
    [
      "block": "which payment of the file",
      "day": "day of the payment",
      "is_paid": "1 where it was paid",
    ])

  static let subscription = LedgerView(
    "v_subscription", "rows of Apple's subscription reports",
    """
    id source file_status vendor day storefront state app_name app_id name subscription_id \
    group_id duration offer_name promotional_offer_id customer_price customer_currency \
    proceeds proceeds_currency preserved_pricing proceeds_reason client device standard \
    introductory_free_trial introductory_pay_up_front introductory_pay_as_you_go \
    promotional_free_trial promotional_pay_up_front promotional_pay_as_you_go \
    offer_code_free_trial offer_code_pay_up_front offer_code_pay_as_you_go \
    marketing_opt_ins billing_retry grace_period subscribers win_back_free_trial \
    win_back_pay_up_front win_back_pay_as_you_go
    """)

  static let subscriptionEvent = LedgerView(
    "v_subscription_event", "rows of Apple's subscription event reports",
    """
    id source file_status vendor report_day event_date event quantity storefront state \
    app_name app_id name subscription_id group_id duration offer_name promotional_offer_id \
    offer_type offer_duration marketing_opt_in marketing_opt_in_duration preserved_pricing \
    proceeds_reason consecutive_paid_periods original_start_date client device \
    previous_name previous_id days_before_canceling cancellation_reason days_canceled \
    paid_service_days_recovered
    """)

  static let subscriber = LedgerView(
    "v_subscriber", "rows of Apple's subscriber reports",
    """
    id source file_status vendor report_day event_date subscriber is_reset is_refund \
    purchase_date units storefront state app_name app_id name subscription_id group_id \
    duration offer_name promotional_offer_id offer_type offer_duration \
    marketing_opt_in_duration customer_price customer_currency proceeds proceeds_currency \
    preserved_pricing proceeds_reason client device
    """)
}
