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
      "r.id", .source("r"), .fileStatus, "r.order_id", "t.status", "t.sku", .quantity,
      .amount("t.unit_price"), "t.currency", "t.storefront", "r.user_id", "r.transaction_id",
      "r.app_account_token", .time("r.placed_at"), .time("r.paid_at"), .time("r.fulfilled_at"),
      "t.bundle_id", "t.channel", "t.coins", "t.app_version", "t.device",
    ],
    from: "order_row r \(joinSource("orders")) JOIN order_terms t ON t.id = r.terms_id",
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
      "r.id", .source("r"), .sourceKind, .fileStatus, "r.transaction_id",
      Column(
        """
        CASE WHEN r.original_transaction_id = '' THEN r.transaction_id ELSE \
        r.original_transaction_id END
        """, as: "original_transaction_id"),
      "r.web_order_line_item_id", "r.order_id", "t.sku", "t.kind", .quantity,
      .amount("t.unit_price"), "t.currency", "t.storefront", .time("r.purchased_at"),
      .time("r.expires_at"), .time("r.revoked_at"), "t.revocation_reason", "t.revocation_type",
      "t.revocation_percentage", "t.is_refund_reversed", "t.is_trial", "t.is_intro", "t.offer_type",
      "t.is_upgraded", "t.ownership", "t.environment", "t.bundle_id", "t.item_id", "t.app_item_id",
      "t.subscription_group", "r.user_id", "r.app_account_token", "t.witness", .time("r.told_at"),
      "r.receipt_size", "t.app_version", "e.transaction_reason", "e.offer_id",
      "e.offer_discount_type", "e.offer_period", "x.app_transaction_id", "e.billing_plan",
      "e.billing_period", "e.billing_periods", .amount("e.commitment_price"),
      .time("x.commitment_ends_at"), "e.tax_code", "e.tax_rate", .amount("e.estimated_tax"),
      .amount("e.price_without_tax"), "x.request_reference", .items,
    ],
    from: """
      transaction_row r \(joinSource("transactions", "receipts", "notifications", "history")) \
      JOIN transaction_terms t ON t.id = r.terms_id \
      LEFT JOIN extra_row x ON x.id = r.id LEFT JOIN extra_terms e ON e.id = x.terms_id
      """,
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
      "environment": "Production, Sandbox, or Other: neither",
      "item_id": "Apple's number of the product",
      "app_item_id": "Apple's number of the app",
      "subscription_group": "group of the subscription",
      "witness": "who told it: company, unsigned, notification_v1, receipt, signed",
      "told_at": "when it was told, UTC",
      "receipt_size": "transactions in the receipt it came in",
      "app_version": "version of the app that the receipt is of",
      "transaction_reason": "PURCHASE or RENEWAL, as Apple told it",
      "offer_id": "identifier of the offer",
      "offer_discount_type": "how the offer is paid, as Apple told it",
      "offer_period": "how long the offer lasts, ISO 8601",
      "app_transaction_id": "Apple's id of the customer in the app",
      "billing_plan": "MONTHLY where a commitment is paid by instalments",
      "billing_period": "which instalment of the commitment, from 1",
      "billing_periods": "instalments of the commitment",
      "commitment_price": "price of the whole commitment, decimal text",
      "commitment_ends_at": "when the commitment ends, UTC",
      "tax_code": "tax code of Advanced Commerce",
      "tax_rate": "tax rate of Advanced Commerce, as Apple told it",
      "estimated_tax": "tax of Advanced Commerce, decimal text",
      "price_without_tax": "price of Advanced Commerce without tax, decimal text",
      "request_reference": "id of the request of Advanced Commerce",
      "items": "what it is made of by Advanced Commerce: SKU and price of each",
    ])

  static let item = LedgerView(
    "v_item", "items of purchases of Advanced Commerce",
    [
      "i.id", .source("r"), "r.transaction_id", "i.place", "i.sku", "i.name", .amount("i.price"),
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
      "price": "price of the item, decimal text",
      "offer_price": "price by its offer, decimal text",
      "revoked_at": "when Apple took the item back, UTC",
      "witness": "how far it can be trusted",
    ])

  static let itemRefund = LedgerView(
    "v_item_refund", "what Apple gave back of items of Advanced Commerce",
    [
      "f.id", .source("r"), "r.transaction_id", "f.place",
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
      "refunded_at": "when it was given back, UTC",
      "reason": "Apple's reason",
      "type": "full, prorated or custom, as Apple told it",
      "witness": "how far it can be trusted",
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
      "customer_price": "price of one to the customer, decimal text",
      "customer_currency": "what the customer paid in",
      "proceeds": "what Apple pays for one, decimal text",
      "proceeds_currency": "what Apple pays in",
    ])

  static let reject = LedgerView(
    "v_reject", "rows that were not understood",
    [
      Column("s.file || ':' || r.line || ':' || r.\"column\"", as: "source"), "r.topic",
      "r.message", "r.help", "r.raw_text",
    ],
    from: "reject r JOIN source s ON s.id = r.source_id",
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
      "m.id", .source("m"), .sourceKind, "t.witness", "t.type", "t.subtype", "t.status",
      "t.environment", "t.bundle_id", .time("m.told_at"), "m.uuid", "m.order_id", "m.user_id",
      "t.request_reason", "m.external_purchase_id", .time("m.token_created_at"),
    ],
    from: """
      message_row m JOIN source s ON s.id = m.source_id \
      JOIN message_terms t ON t.id = m.terms_id
      """,
    [
      "witness": "how far it can be trusted",
      "type": "of the notification",
      "subtype": "of the notification",
      "status": "of the receipt",
      "environment": "Production, Sandbox, or Other: neither",
      "told_at": "when Apple told it, UTC",
      "uuid": "Apple's id of the notification",
      "request_reason": "why the customer asks for money back, as Apple told it",
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
      "environment": "Production, Sandbox, or Other: neither",
      "app_transaction_id": "Apple's id of the customer in the app",
      "last_id": "last transaction or notification of the page",
      "asked_with": "revision or token that the page was asked for with",
      "next_token": "revision or token that the next page is asked for with",
      "has_more": "1 where more follows",
      "answered_at": "when Apple answered, UTC",
    ])

  static let renewal = LedgerView(
    "v_renewal", "what Apple told of subscriptions to come",
    [
      "n.id", .source("n"), "t.witness", "n.original_transaction_id", .time("n.told_at"), "t.sku",
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
      "witness": "how far it can be trusted",
      "original_transaction_id": "first transaction of the chain",
      "told_at": "when Apple told it, UTC",
      "next_sku": "product that it renews as",
      "will_renew": "1 where it renews",
      "expiration_intent": "Apple's reason for its end",
      "is_in_billing_retry": "1 while Apple tries to charge",
      "grace_expires_at": "when the grace period ends, UTC",
      "status": "1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked",
      "offer_type": "Apple's number of the offer's kind",
      "offer_id": "identifier of the offer",
      "offer_discount_type": "how the offer is paid, as Apple told it",
      "offer_period": "how long the offer lasts, ISO 8601",
      "renewal_price": "price of the next period, decimal text",
      "renews_at": "when the next period begins, UTC",
    ])
}
