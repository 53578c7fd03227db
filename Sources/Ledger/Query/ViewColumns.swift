extension Ledger {
  /// The columns of each view for people and programs, in their order.
  package static let viewColumns = [
    "v_file": """
    kind file status vendor region begin end rows rejected byte_count imported_at \
    superseded_by sha256
    """,
    "v_order": """
    id source file_status order_id status sku quantity unit_price currency storefront \
    user_id transaction_id app_account_token placed_at paid_at fulfilled_at bundle_id \
    channel coins app_version device
    """,
    "v_transaction": """
    id source source_kind file_status transaction_id original_transaction_id \
    web_order_line_item_id order_id sku kind quantity unit_price currency storefront \
    purchased_at expires_at revoked_at revocation_reason revocation_type \
    revocation_percentage is_refund_reversed is_trial is_intro offer_type is_upgraded \
    ownership environment bundle_id item_id app_item_id subscription_group user_id \
    app_account_token witness told_at receipt_size app_version
    """,
    "v_report_row": """
    id source file_status vendor begin end storefront sku type units customer_price \
    customer_currency proceeds proceeds_currency title apple_identifier developer version \
    parent category subscription_period supported_platforms promo_code subscription cmb \
    device proceeds_reason preserved_pricing client order_type
    """,
    "v_finding": """
    period id code severity storefront currency date sku units amount explanation \
    order_ids transaction_ids sources state assignee as_of
    """,
    "v_remark": """
    id finding_id action said_at said_by assignee reason code period units amount currency
    """,
    "v_reject": """
    source topic message help raw_text
    """,
    "v_message": """
    id source source_kind witness type subtype status environment bundle_id told_at uuid \
    order_id user_id
    """,
    "v_renewal": """
    id source witness original_transaction_id told_at sku next_sku will_renew \
    expiration_intent is_in_billing_retry grace_expires_at
    """,
    "v_finance": """
    id source source_kind file_status vendor region begin end transaction_date \
    settlement_date storefront sku type sale_or_return quantity share extended currency \
    customer_price customer_currency title apple_identifier promo_code order_type
    """,
    "v_finance_footer": """
    id source file_status region what storefront currency count amount
    """,
    "v_payment": """
    id source file_status vendor begin end block region label currency units balance \
    earned pre_tax_subtotal input_tax adjustments withholding owed printed_rate proceeds \
    bank_currency
    """,
    "v_payout": """
    id source file_status vendor begin end block amount currency account day is_paid
    """,
    "v_subscription": """
    id source file_status vendor day storefront state app_name app_id name subscription_id \
    group_id duration offer_name promotional_offer_id customer_price customer_currency \
    proceeds proceeds_currency preserved_pricing proceeds_reason client device standard \
    introductory_free_trial introductory_pay_up_front introductory_pay_as_you_go \
    promotional_free_trial promotional_pay_up_front promotional_pay_as_you_go \
    offer_code_free_trial offer_code_pay_up_front offer_code_pay_as_you_go \
    marketing_opt_ins billing_retry grace_period subscribers win_back_free_trial \
    win_back_pay_up_front win_back_pay_as_you_go
    """,
    "v_subscription_event": """
    id source file_status vendor report_day event_date event quantity storefront state \
    app_name app_id name subscription_id group_id duration offer_name promotional_offer_id \
    offer_type offer_duration marketing_opt_in marketing_opt_in_duration preserved_pricing \
    proceeds_reason consecutive_paid_periods original_start_date client device \
    previous_name previous_id days_before_canceling cancellation_reason days_canceled \
    paid_service_days_recovered
    """,
    "v_subscriber": """
    id source file_status vendor report_day event_date subscriber is_reset is_refund \
    purchase_date units storefront state app_name app_id name subscription_id group_id \
    duration offer_name promotional_offer_id offer_type offer_duration \
    marketing_opt_in_duration customer_price customer_currency proceeds proceeds_currency \
    preserved_pricing proceeds_reason client device
    """,
  ]
}
