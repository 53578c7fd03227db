import Billing

// Views of Apple's reports beside the sales reports.

extension LedgerView {
  static let finance = LedgerView(
    "v_finance", "rows of Apple's financial reports and their detail",
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
    [
      "what": "rows, units, amount or storefront",
      "count": "rows or units",
    ])

  static let payment = LedgerView(
    "v_payment", "rows of payments summaries",
    [
      "block": "which payment of the file",
      "units": "units of the region",
    ])

  static let payout = LedgerView(
    "v_payout", "payments to the bank",
    [
      "block": "which payment of the file",
      "day": "day of the payment",
      "is_paid": "1 where it was paid",
    ])

  static let subscription = LedgerView(
    "v_subscription", "rows of Apple's subscription reports")

  static let subscriptionEvent = LedgerView(
    "v_subscription_event", "rows of Apple's subscription event reports")

  static let subscriber = LedgerView(
    "v_subscriber", "rows of Apple's subscriber reports")
}
