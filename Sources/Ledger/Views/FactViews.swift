import Billing

// Files, what was sold, and who told it.

extension LedgerView {
  static let file = LedgerView(
    "v_file", "files that were imported",
    [
      "s.kind", "s.file", "s.status", "s.vendor", "s.region", .begin, .end, "s.rows", "s.rejected",
      "s.byte_count", .time("s.imported_at"), Column("n.file", as: "superseded_by"), "s.sha256",
    ],
    from: "source s LEFT JOIN source n ON n.id = s.superseded_by",
    [
      "kind": "what the file is",
      "file": "as given to import",
      "status": "current, superseded or partial",
      "rows": "rows that were imported",
      "rejected": "rows that could not be read",
      "byte_count": "size of the inflated file",
      "imported_at": "when it was imported, UTC",
      "superseded_by": "the file that replaced it",
      "sha256": "digest of the inflated bytes",
    ])

  static let order = LedgerView(
    "v_order", "the company's orders, a row for each that was imported",
    [
      "r.id", .source("r"), .fileStatus, .orderID, "t.status", "t.sku", .quantity,
      .amount("t.unit_price"), "t.currency", "t.storefront", .userID, .transactionID,
      .id("r.app_account_token"), .time("r.placed_at"), .time("r.paid_at"), .time("r.fulfilled_at"),
    ], listing: OrderTerms.self,
    from: "order_row r \(joinSource("orders")) JOIN order_terms t ON t.id = r.terms_id")

  static let transaction = LedgerView(
    "v_transaction", "Apple's transactions, one row for each source of each",
    [
      "r.id", .source("r"), .sourceKind, .fileStatus, .transactionID, .originalID,
      .id("r.web_order_line_item_id"), .orderID, "t.sku", "t.kind", .quantity,
      .amount("t.unit_price"), "t.currency", "t.storefront", .time("r.purchased_at"),
      .time("r.expires_at"), .time("r.revoked_at"), "t.revocation_reason", "t.revocation_type",
      "t.revocation_percentage", "t.is_refund_reversed", "t.is_trial", "t.is_intro", "t.offer_type",
      "t.is_upgraded", "t.ownership", "t.is_component", "t.environment", "t.unknown_words",
      "t.bundle_id", "t.item_id", "t.app_item_id",
      "t.subscription_group", .userID, .id("r.app_account_token"), "t.witness", .time("r.told_at"),
      "r.receipt_size", "t.app_version", "e.transaction_reason", "e.offer_id",
      "e.offer_discount_type", "e.offer_period", .id("x.app_transaction_id"), "e.billing_plan",
      "e.billing_period", "e.billing_periods", .amount("e.commitment_price"),
      .time("x.commitment_ends_at"), "e.tax_code", "e.tax_rate", .amount("e.estimated_tax"),
      .amount("e.price_without_tax"), .id("x.request_reference"), .items,
    ] + Column.resolved, listing: TransactionTerms.self,
    from: """
      transaction_row r \(joinSource("transactions", "receipts", "notifications", "history")) \
      JOIN transaction_terms t ON t.id = r.terms_id \
      LEFT JOIN extra_row x ON x.id = r.id LEFT JOIN extra_terms e ON e.id = x.terms_id \
      \(joinResolved)
      """,
    [
      "told_at": "when it was reported, UTC",
      "receipt_size": "transactions in the receipt it came in",
      "transaction_reason": "PURCHASE or RENEWAL, as Apple gives it",
      "offer_id": "identifier of the offer",
      "offer_discount_type": "how the offer is paid, as Apple gives it",
      "offer_period": "how long the offer lasts, ISO 8601",
      "app_transaction_id": "Apple's id of the customer in the app",
      "billing_plan": "MONTHLY where a commitment is paid by instalments",
      "billing_period": "which instalment of the commitment, from 1",
      "billing_periods": "instalments of the commitment",
      "commitment_price": "price of the whole commitment",
      "commitment_ends_at": "when the commitment ends, UTC",
      "tax_code": "tax code of Advanced Commerce",
      "tax_rate": "tax rate of Advanced Commerce, as Apple gives it",
      "estimated_tax": "tax of Advanced Commerce",
      "price_without_tax": "price of Advanced Commerce without tax",
      "request_reference": "id of the Advanced Commerce request",
      "items": "its Advanced Commerce items: SKU and price of each",
      "matched_order": "the matched order, kept by reconcile only where the row lacks something",
      "matched_by": "the rule by which that order was matched",
      "resolved_user": "the user, of the matched order where the row names none",
      "user_by": "who named the user: transaction or order",
      "resolved_storefront": "the storefront, as reconcile found it where the row names none",
      "storefront_by": "who named the storefront: transaction, order, subscription or default",
      "resolved_price": "the price of one, as reconcile found it where the row names none",
      "resolved_currency": "the currency of that price",
      "price_by": "who named the price: transaction, order or tier",
    ])

  /// Each row that names the other side, whether that is loaded or names it back.
  static let claim = LedgerView(
    "v_claim", "orders that name a transaction and transactions that name an order, a row for each",
    [
      "c.id", "c.source", "c.claimed_by", "c.rule", "c.order_id", "c.transaction_id", "c.at",
      "c.witness",
    ],
    from: """
      (SELECT r.id, \(Column.source("r").sql) AS source, 'order' AS claimed_by, \
      'transaction-id' AS rule, r.order_text AS order_id, r.transaction_text AS transaction_id, \
      \(Column.time("r.placed_at").sql) AS at, 'company' AS witness \
      FROM order_row r \(joinSource("orders")) WHERE r.transaction_id IS NOT NULL UNION ALL \
      SELECT r.id, \(Column.source("r").sql), 'transaction', \
      CASE WHEN r.receipt_size > 0 THEN 'receipt' ELSE 'order-id' END, r.order_text, \
      r.transaction_text, \(Column.time("r.purchased_at").sql), t.witness FROM transaction_row r \
      \(joinSource("transactions", "receipts", "notifications", "history")) \
      JOIN transaction_terms t ON t.id = r.terms_id WHERE r.order_id IS NOT NULL) c
      """,
    [
      "id": "number of the row among the orders or the transactions",
      "claimed_by": "which side names the other: order or transaction",
      "rule": "by its transaction ID, its order ID, or a receipt that came in with the order",
      "at": "when the order was placed or the transaction bought, UTC",
      "witness": "its source: company, unsigned, notification_v1, receipt, signed",
    ])

  static let event = LedgerView(
    "v_event", "events of purchases from the company's log",
    [
      "r.id", .source("r"), .fileStatus, .time("r.at"), "t.stage", "t.outcome", "r.duration_ms",
      "t.http_status", .id("r.order_id"), .id("r.transaction_id"), .id("r.user_id"),
    ], listing: PurchaseEventTerms.self,
    from: "event_row r \(joinSource("events")) JOIN event_terms t ON t.id = r.terms_id")

  static let item = LedgerView(
    "v_item", "items of Advanced Commerce purchases",
    [
      "i.id", .source("r"), .transactionID, "i.place", "i.sku", "i.name", .amount("i.price"),
      .amount("i.offer_price"), "t.currency", .time("i.revoked_at"), "t.witness",
    ],
    from: """
      item_row i JOIN transaction_row r ON r.id = i.row_id \
      \(joinSource("receipts", "notifications", "history")) \
      JOIN transaction_terms t ON t.id = r.terms_id
      """,
    [
      "place": "which item of the transaction, from 1",
      "name": "as the customer saw it",
      "price": "price of the item",
      "offer_price": "price by its offer",
      "revoked_at": "when Apple revoked the item, UTC",
      "witness": "its source, by which it is trusted",
    ])

  static let itemRefund = LedgerView(
    "v_item_refund", "what Apple refunded of Advanced Commerce items",
    [
      "f.id", .source("r"), .transactionID, "f.place",
      Column("(SELECT sku FROM item_row WHERE row_id = f.row_id AND place = f.place)", as: "sku"),
      .amount("f.amount"), "t.currency", .time("f.refunded_at"), "f.reason", "f.type", "t.witness",
    ],
    from: """
      item_refund_row f JOIN transaction_row r ON r.id = f.row_id \
      \(joinSource("receipts", "notifications", "history")) \
      JOIN transaction_terms t ON t.id = r.terms_id
      """,
    [
      "place": "which item of the transaction, from 1",
      "refunded_at": "when it was refunded, UTC",
      "reason": "Apple's reason",
      "type": "full, prorated or custom, as Apple gives it",
      "witness": "its source, by which it is trusted",
    ])

  static let reportRow = LedgerView(
    "v_report_row", "rows of Apple's sales reports",
    [
      "r.id", .source("r"), .fileStatus, "s.vendor", .day("r.begin_day", as: "begin"),
      .day("r.end_day", as: "end"), "t.storefront", "p.sku", "p.type", "r.units",
      .amount("t.customer_price"), "t.customer_currency", .amount("t.proceeds"),
      "t.proceeds_currency", "p.title", "p.apple_identifier", "p.developer", "p.version",
      "p.parent", "p.category", "p.subscription_period", "p.supported_platforms", "c.promo_code",
      "c.subscription", "c.cmb", "c.device", "c.proceeds_reason", "c.preserved_pricing", "c.client",
      "c.order_type",
    ],
    from: """
      sales_row r \(joinSource("sales")) \
      JOIN sales_product p ON p.id = r.product_id JOIN sales_terms t ON t.id = r.terms_id \
      JOIN sales_condition c ON c.id = r.condition_id
      """,
    [
      "type": "Apple's product type identifier",
      "customer_price": "price of one unit to the customer",
      "customer_currency": "what the customer paid in",
      "proceeds": "what Apple pays for one unit",
      "proceeds_currency": "what Apple pays in",
    ])

  static let reject = LedgerView(
    "v_reject", "rows that could not be read",
    [
      Column("s.file || ':' || r.line || ':' || r.\"column\"", as: "source"), "r.topic",
      "r.message", "r.help", "r.raw_text",
    ],
    from: "reject r JOIN source s ON s.id = r.source_id",
    [
      "source": "file, line and column",
      "topic": "what it is about",
      "message": "what was wrong",
      "help": "what to do",
      "raw_text": "the row as it was in the file",
    ])

  static let message = LedgerView(
    "v_message", "records in which Apple reports on purchases",
    [
      "m.id", .source("m"), .sourceKind, "t.witness", "t.type", "t.subtype", "t.status",
      "t.environment", "t.unknown_words", "t.bundle_id", .time("m.told_at"), .id("m.uuid"),
      .id("m.order_id"),
      .id("m.user_id"), "t.request_reason", .id("m.external_purchase_id"),
      .time("m.token_created_at"),
    ],
    from: """
      message_row m JOIN source s ON s.id = m.source_id \
      JOIN message_terms t ON t.id = m.terms_id
      """,
    [
      "witness": "its source, by which it is trusted",
      "type": "type or subtype of the notification",
      "subtype": "type or subtype of the notification",
      "status": "status of the receipt",
      "environment": "Production, Sandbox, or Other for neither",
      "unknown_words": "values that Tieout does not know, as they were written",
      "told_at": "when Apple sent it, UTC",
      "uuid": "Apple's id of the notification",
      "request_reason": "why the customer asks for a refund, as Apple gives it",
      "external_purchase_id": "token of a purchase outside the App Store",
      "token_created_at": "when that token was made, UTC",
    ])

  static let answerPage = LedgerView(
    "v_answer_page", "pages of answers that come in pages",
    [
      "p.id", .source("p"), "p.list", "p.bundle_id", "p.environment", "p.app_transaction_id",
      "p.user_id", "p.last_id", "p.asked_with", "p.next_token", "p.has_more",
      .time("p.answered_at"),
    ],
    from: "answer_page p JOIN source s ON s.id = p.source_id",
    [
      "list": "history, refunds or notifications",
      "environment": "Production, Sandbox, or Other for neither",
      "app_transaction_id": "Apple's id of the customer in the app",
      "last_id": "last transaction or notification of the page",
      "asked_with": "revision or token that requested the page",
      "next_token": "revision or token that requests the next page",
      "has_more": "1 where more follows",
      "answered_at": "when Apple answered, UTC",
    ])

  static let renewal = LedgerView(
    "v_renewal", "what Apple says about upcoming renewals",
    [
      "n.id", .source("n"), "t.witness", .id("n.original_transaction_id"), .time("n.told_at"),
      "t.sku",
      "t.next_sku", "t.will_renew", "t.expiration_intent", "t.is_in_billing_retry",
      .time("n.grace_expires_at"), "t.status", "t.offer_type", "t.offer_id",
      "t.offer_discount_type", "t.offer_period", .amount("t.renewal_price"), "t.currency",
      .time("n.renews_at"),
    ],
    from: """
      renewal_row n JOIN source s ON s.id = n.source_id \
      JOIN renewal_terms t ON t.id = n.terms_id
      """,
    [
      "witness": "its source, by which it is trusted",
      "original_transaction_id": "first transaction of the chain",
      "told_at": "when Apple sent it, UTC",
      "next_sku": "product that it renews as",
      "will_renew": "1 where it renews",
      "expiration_intent": "Apple's reason for its end",
      "is_in_billing_retry": "1 while Apple tries to charge",
      "grace_expires_at": "when the grace period ends, UTC",
      "status": "1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked",
      "offer_type": "Apple's number for the kind of offer",
      "offer_id": "identifier of the offer",
      "offer_discount_type": "how the offer is paid, as Apple gives it",
      "offer_period": "how long the offer lasts, ISO 8601",
      "renewal_price": "price of the next period",
      "renews_at": "when the next period begins, UTC",
    ])
}
