import Billing

// Views of what was imported and found.

extension LedgerView {
  static let file = LedgerView(
    "v_file", "files that were imported",
    [
      "kind": "what the file is",
      "file": "as given to import",
      "status": "current, superseded or partial",
      "rows": "rows that were taken",
      "rejected": "rows that were not understood",
      "byte_count": "size of the inflated file",
      "imported_at": "when it was imported, UTC",
      "superseded_by": "the file that replaced it",
      "sha256": "digest of the inflated bytes",
    ])

  static let order = LedgerView(
    "v_order", "the company's orders, a row for each that was imported",
    [
      "status": "created, paid, fulfilled, refunded or cancelled",
      "transaction_id": "Apple's transaction that the order names",
      "placed_at": "when it was placed, UTC",
      "paid_at": "when it was paid, UTC",
      "fulfilled_at": "when it was fulfilled, UTC",
      "channel": "empty or apple for the App Store",
      "coins": "what was granted",
      "app_version": "version of the app that placed it",
      "device": "device that placed it",
    ])

  static let transaction = LedgerView(
    "v_transaction", "Apple's transactions, a row for each that somebody told",
    [
      "original_transaction_id": "first transaction of the chain, else itself",
      "web_order_line_item_id": "Apple's id of a subscription's period",
      "order_id": "the company's order that it was told with",
      "kind": "consumable, non_consumable, auto_renewable or non_renewing",
      "purchased_at": "when it was bought, UTC",
      "expires_at": "when the paid period ends, UTC",
      "revoked_at": "when Apple took it back, UTC",
      "revocation_reason": "Apple's reason",
      "revocation_type": "full, prorated, or of the family",
      "revocation_percentage": "share that was refunded, as Apple told it",
      "is_refund_reversed": "1 where Apple took a refund back",
      "is_trial": "1 for a free trial",
      "is_intro": "1 for an introductory price",
      "offer_type": "Apple's number of the offer's kind",
      "is_upgraded": "1 where another subscription replaced it",
      "ownership": "PURCHASED or FAMILY_SHARED",
      "environment": "Production or Sandbox",
      "item_id": "Apple's number of the product",
      "app_item_id": "Apple's number of the app",
      "subscription_group": "group of the subscription",
      "witness": "who told it: company, unsigned, notification_v1, receipt, signed",
      "told_at": "when it was told, UTC",
      "receipt_size": "transactions in the receipt it came in",
      "app_version": "version of the app that the receipt is of",
    ])

  static let reportRow = LedgerView(
    "v_report_row", "rows of Apple's sales reports",
    [
      "type": "Apple's product type identifier",
      "customer_price": "price of one to the customer, decimal text",
      "customer_currency": "what the customer paid in",
      "proceeds": "what Apple pays for one, decimal text",
      "proceeds_currency": "what Apple pays in",
    ])

  static let finding = LedgerView(
    "v_finding", "findings that the last reconcile of each period recorded",
    [
      "period": "the period that was reconciled",
      "id": "digest of the facts",
      "code": "what was found",
      "severity": "error, warning or info",
      "date": "business day, report day or day of the sale",
      "amount": "Apple's side less ours, decimal text",
      "explanation": "what happened, in English",
      "order_ids": "orders that show it, joined by spaces",
      "transaction_ids": "transactions that show it, joined by spaces",
      "sources": "files and lines that show it, joined by spaces",
      "state": "open, assigned, accepted or reopened, by what was said of this id",
      "assignee": "who looks after it",
      "as_of": "the day that ages were counted to",
    ])

  static let remark = LedgerView(
    "v_remark", "what people said of findings",
    [
      "id": "number of the remark",
      "finding_id": "the finding",
      "action": "accept, assign, comment or reopen",
      "said_at": "when it was said, UTC",
      "said_by": "who said it",
      "assignee": "to whom it was assigned",
      "reason": "the text",
      "code": "what was found",
      "period": "the period that had been reconciled",
      "units": "the finding's units then",
      "amount": "the finding's amount then, decimal text",
    ])

  static let reject = LedgerView(
    "v_reject", "rows that were not understood",
    [
      "source": "file, line and column",
      "topic": "what it was about",
      "message": "what was wrong",
      "help": "what to do",
      "raw_text": "the row as it stood in the file",
    ])

  static let message = LedgerView(
    "v_message", "records in which Apple told of purchases",
    [
      "witness": "how far its words can be trusted",
      "type": "of the notification",
      "subtype": "of the notification",
      "status": "of the receipt",
      "environment": "Production or Sandbox",
      "told_at": "when Apple told it, UTC",
      "uuid": "Apple's id of the notification",
    ])

  static let renewal = LedgerView(
    "v_renewal", "what Apple told of subscriptions to come",
    [
      "witness": "how far its words can be trusted",
      "original_transaction_id": "first transaction of the chain",
      "told_at": "when Apple told it, UTC",
      "next_sku": "product that it renews as",
      "will_renew": "1 where it renews",
      "expiration_intent": "Apple's reason for its end",
      "is_in_billing_retry": "1 while Apple tries to charge",
      "grace_expires_at": "when the grace period ends, UTC",
    ])
}
