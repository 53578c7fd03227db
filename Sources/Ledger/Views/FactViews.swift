import Billing

// Files, what was sold, and who told it.

extension LedgerView {
  static let file = LedgerView(
    "v_file", "@view.files-that-were-imported",
    [
      "s.kind", "s.file", "s.status", "s.vendor", "s.region", .begin, .end, "s.rows", "s.rejected",
      "s.byte_count", .time("s.imported_at"), Column("n.file", as: "superseded_by"), "s.sha256",
    ],
    from: "source s LEFT JOIN source n ON n.id = s.superseded_by",
    [
      "kind": "@view.what-the-file-is",
      "file": "@view.as-given-to-import",
      "status": "@view.current-superseded-or-partial",
      "rows": "@view.rows-that-were-imported",
      "rejected": "@view.rows-that-could-not",
      "byte_count": "@view.size-of-the-inflated-file",
      "imported_at": "@view.when-it-was-imported-utc",
      "superseded_by": "@view.file-that-replaced",
      "sha256": "@view.digest-of-the-inflated-bytes",
    ])

  static let order = LedgerView(
    "v_order", "@view.company-orders-a-row",
    [
      "r.id", .source("r"), .fileStatus, .orderID, "t.status", "t.sku", .quantity,
      .amount("t.unit_price"), "t.currency", "t.storefront", .userID, .transactionID,
      .id("r.app_account_token"), .time("r.placed_at"), .time("r.paid_at"), .time("r.fulfilled_at"),
    ], listing: OrderTerms.self,
    of: ViewRows("order_row", lists: ["t": ("order_terms", "terms_id")]))

  /// Beside a row stands its extra, and what the last run said of it.
  static let transactionRows = ViewRows(
    "transaction_row",
    lists: [
      "t": ("transaction_terms", "terms_id"), "e": ("extra_terms", "extra_terms_id"),
      "y": ("finding_sale_terms", "sale_terms_id"),
    ])

  static let transaction = LedgerView(
    "v_transaction", "@view.apple-transactions-one-row",
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
      "e.offer_discount_type", "e.offer_period", .id("r.app_transaction_id"), "e.billing_plan",
      "e.billing_period", "e.billing_periods", .amount("e.commitment_price"),
      .timeBeside("r.commitment_ends_at"), "e.tax_code", "e.tax_rate", .amount("e.estimated_tax"),
      .amount("e.price_without_tax"), .id("r.request_reference"), .items,
    ] + Column.resolved, listing: TransactionTerms.self,
    of: transactionRows,
    [
      "told_at": "@view.when-it-was-reported-utc",
      "receipt_size": "@view.transactions-in-the-receipt",
      "transaction_reason": "@view.purchase-or-renewal-as-apple",
      "offer_id": "@view.identifier-of-the-offer",
      "offer_discount_type": "@view.how-the-offer-is-paid",
      "offer_period": "@view.how-long-the-offer-lasts",
      "app_transaction_id": "@view.apple-id-of-the-customer",
      "billing_plan": "@view.monthly-where-a-commitment-is",
      "billing_period": "@view.which-instalment-of-the-commitment",
      "billing_periods": "@view.instalments-of-the-commitment",
      "commitment_price": "@view.price-of-the-whole-commitment",
      "commitment_ends_at": "@view.when-the-commitment-ends-utc",
      "tax_code": "@view.tax-code-of-advanced-commerce",
      "tax_rate": "@view.tax-rate-of-advanced-commerce",
      "estimated_tax": "@view.tax-of-advanced-commerce",
      "price_without_tax": "@view.price-of-advanced-commerce-without",
      "request_reference": "@view.id-of-the-advanced-commerce",
      "items": "@view.its-advanced-commerce-items-sku",
      "matched_order": "@view.matched-order-kept-by-reconcile",
      "matched_by": "@view.rule-by-which-that-order",
      "resolved_user": "@view.user-of-the-matched-order",
      "user_by": "@view.who-named-the-user-transaction",
      "resolved_storefront": "@view.storefront-as-reconcile-found",
      "storefront_by": "@view.who-named-the-storefront-transaction",
      "resolved_price": "@view.price-of-one-as-reconcile",
      "resolved_currency": "@view.currency-of-that-price",
      "price_by": "@view.who-named-the-price-transaction",
    ])

  /// Each row that names the other side, whether that is loaded or names it back.
  static let claim = LedgerView(
    "v_claim", "@view.orders-that-name-a-transaction",
    [
      "c.id", "c.source", "c.claimed_by", "c.rule", "c.order_id", "c.transaction_id", "c.at",
      "c.witness",
    ],
    from: """
      (SELECT r.id, \(Column.source("r").sql) AS source, 'order' AS claimed_by, \
      'transaction-id' AS rule, r.order_text AS order_id, r.transaction_text AS transaction_id, \
      \(Column.time("r.placed_at").sql) AS at, 'company' AS witness \
      FROM order_row r \(joinSource) WHERE r.transaction_id IS NOT NULL UNION ALL \
      SELECT r.id, \(Column.source("r").sql), 'transaction', \
      CASE WHEN r.receipt_size > 0 THEN 'receipt' ELSE 'order-id' END, r.order_text, \
      r.transaction_text, \(Column.time("r.purchased_at").sql), t.witness FROM transaction_row r \
      \(joinSource) \
      JOIN transaction_terms t ON t.id = r.terms_id WHERE r.order_id IS NOT NULL) c
      """,
    [
      "id": "@view.number-of-the-row-among",
      "claimed_by": "@view.which-side-names-the-other",
      "rule": "@view.by-its-transaction-id",
      "at": "@view.when-the-order-was-placed",
      "witness": "@view.its-source-company-unsigned-notification",
    ])

  static let event = LedgerView(
    "v_event", "@view.events-of-purchases",
    [
      "r.id", .source("r"), .fileStatus, .time("r.at"), "t.stage", "t.outcome", "r.duration_ms",
      "t.http_status", .id("r.order_id"), .id("r.transaction_id"), .id("r.user_id"),
    ], listing: PurchaseEventTerms.self,
    of: ViewRows("event_row", lists: ["t": ("event_terms", "terms_id")]))

  static let item = LedgerView(
    "v_item", "@view.items-of-advanced-commerce-purchases",
    [
      Column("i.row_id", as: "id"), .source("r"), .transactionID, "i.place", "i.sku", "i.name",
      .amount("i.price"),
      .amount("i.offer_price"), "t.currency", .time("i.revoked_at"), "t.witness",
    ],
    from: """
      item_row i JOIN transaction_row r ON r.id = i.row_id \
      \(joinSource) \
      JOIN transaction_terms t ON t.id = r.terms_id
      """,
    [
      "place": "@view.which-item-of-the-transaction",
      "name": "@view.as-the-customer-saw",
      "price": "@view.price-of-the-item",
      "offer_price": "@view.price-by-its-offer",
      "revoked_at": "@view.when-apple-revoked-the-item",
      "witness": "@view.its-source-by",
    ])

  static let itemRefund = LedgerView(
    "v_item_refund", "@view.what-apple-refunded-of-advanced",
    [
      Column("f.row_id", as: "id"), .source("r"), .transactionID, "f.place",
      Column("(SELECT sku FROM item_row WHERE row_id = f.row_id AND place = f.place)", as: "sku"),
      .amount("f.amount"), "t.currency", .time("f.refunded_at"), "f.reason", "f.type", "t.witness",
    ],
    from: """
      item_refund_row f JOIN transaction_row r ON r.id = f.row_id \
      \(joinSource) \
      JOIN transaction_terms t ON t.id = r.terms_id
      """,
    [
      "place": "@view.which-item-of-the-transaction",
      "refunded_at": "@view.when-it-was-refunded-utc",
      "reason": "@view.apple-reason",
      "type": "@view.full-prorated-or-custom",
      "witness": "@view.its-source-by",
    ])

  static let reportRow = LedgerView(
    "v_report_row", "@view.rows-of-apple-sales-reports",
    [
      "r.id", .source("r"), .fileStatus, "s.vendor", .day("r.begin_day", as: "begin"),
      .day("r.end_day", as: "end"), "t.storefront", "p.sku", "p.type", "r.units",
      .amount("t.customer_price"), "t.customer_currency", .amount("t.proceeds"),
      "t.proceeds_currency", "p.title", "p.apple_identifier", "p.developer", "p.version",
      "p.parent", "p.category", "p.subscription_period", "p.supported_platforms", "c.promo_code",
      "c.subscription", "c.cmb", "c.device", "c.proceeds_reason", "c.preserved_pricing", "c.client",
      "c.order_type",
    ],
    of: ViewRows(
      "sales_row",
      lists: [
        "p": ("sales_product", "product_id"), "t": ("sales_terms", "terms_id"),
        "c": ("sales_condition", "condition_id"),
      ]),
    [
      "type": "@view.apple-product-type-identifier",
      "customer_price": "@view.price-of-one-unit-to-the-customer",
      "customer_currency": "@view.what-the-customer-paid",
      "proceeds": "@view.what-apple-pays-for-one",
      "proceeds_currency": "@view.what-apple-pays",
    ])

  static let reject = LedgerView(
    "v_reject", "@view.rows-that-could-not",
    [
      Column("s.file || ':' || r.line || ':' || r.\"column\"", as: "source"), "r.topic",
      "r.message", "r.help", "r.raw_text",
    ],
    from: "reject r JOIN source s ON s.id = r.source_id",
    [
      "source": "@view.file-line-and-column",
      "topic": "@view.what-it-is-about",
      "message": "@view.what-was-wrong",
      "help": "@view.what-to-do",
      "raw_text": "@view.row",
    ])

  static let message = LedgerView(
    "v_message", "@view.records-in-which-apple-reports",
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
      "witness": "@view.its-source-by",
      "type": "@view.type-or-subtype",
      "subtype": "@view.type-or-subtype",
      "status": "@view.status-of-the-receipt",
      "environment": "@view.production-sandbox-or-other",
      "unknown_words": "@view.values-that-tieout-does-not",
      "told_at": "@view.when-apple-sent-it-utc",
      "uuid": "@view.apple-id-of-the-notification",
      "request_reason": "@view.why-the-customer-asks",
      "external_purchase_id": "@view.token-of-a-purchase-outside",
      "token_created_at": "@view.when-that-token-was-made",
    ])

  static let answerPage = LedgerView(
    "v_answer_page", "@view.pages-of-answers-that-come",
    [
      "p.id", .source("p"), "p.list", "p.bundle_id", "p.environment", "p.app_transaction_id",
      "p.user_id", "p.last_id", "p.asked_with", "p.next_token", "p.has_more",
      .time("p.answered_at"),
    ],
    from: "answer_page p JOIN source s ON s.id = p.source_id",
    [
      "list": "@view.history-refunds-or-notifications",
      "environment": "@view.production-sandbox-or-other",
      "app_transaction_id": "@view.apple-id-of-the-customer",
      "last_id": "@view.last-transaction-or-notification",
      "asked_with": "@view.revision-or-token-that-requested",
      "next_token": "@view.revision-or-token-that-requests",
      "has_more": "@view.1-where-more-follows",
      "answered_at": "@view.when-apple-answered-utc",
    ])

  static let renewal = LedgerView(
    "v_renewal", "@view.what-apple-says-about-upcoming",
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
      "witness": "@view.its-source-by",
      "original_transaction_id": "@view.first-transaction-of-the-chain",
      "told_at": "@view.when-apple-sent-it-utc",
      "next_sku": "@view.product-that-it-renews",
      "will_renew": "@view.1-where-it-renews",
      "expiration_intent": "@view.apple-reason-for-its-end",
      "is_in_billing_retry": "@view.1-while-apple-tries",
      "grace_expires_at": "@view.when-the-grace-period-ends",
      "status": "@view.1-active-2-expired-3",
      "offer_type": "@view.apple-number-for-the-kind",
      "offer_id": "@view.identifier-of-the-offer",
      "offer_discount_type": "@view.how-the-offer-is-paid",
      "offer_period": "@view.how-long-the-offer-lasts",
      "renewal_price": "@view.price-of-the-next-period",
      "renews_at": "@view.when-the-next-period-begins",
    ])
}
