import Billing

// What Apple settled and paid.

extension LedgerView {
  static let finance = LedgerView(
    "v_finance", "@view.rows-of-apple-financial-reports",
    [
      "r.id", .source("r"), .sourceKind, .fileStatus, "s.vendor", "s.region", .begin, .end,
      .day("r.transaction_day", as: "transaction_date"),
      .day("r.settlement_day", as: "settlement_date"), "t.storefront", "t.sku", "t.type",
      Column("CASE t.is_return WHEN 1 THEN 'R' ELSE 'S' END", as: "sale_or_return"), "r.quantity",
      .amount("t.share"), .amount("r.extended"), "t.currency", .amount("t.customer_price"),
      "t.customer_currency", "t.title", "t.apple_identifier", "t.promo_code", "t.order_type",
    ],
    from: """
      finance_row r \(joinSource) \
      JOIN finance_terms t ON t.id = r.terms_id
      """,
    [
      "transaction_date": "@view.day-of-the-sale",
      "settlement_date": "@view.day-of-the-settlement",
      "type": "@view.apple-product-type-identifier",
      "sale_or_return": "@view.s-or-r",
      "share": "@view.partner-share-of-one-unit",
      "extended": "@view.partner-share-of-all-units",
      "customer_price": "@view.price-of-one-unit-to-the-customer",
      "customer_currency": "@view.what-the-customer-paid",
    ])

  static let financeFooter = LedgerView(
    "v_finance_footer", "@view.what-financial-reports-say",
    [
      "f.id", .source("f"), .fileStatus, "s.region", "f.what", "f.storefront", "f.currency",
      "f.count", .amount("f.amount"),
    ],
    from: "finance_footer f JOIN source s ON s.id = f.source_id",
    [
      "what": "@view.rows-units-amount-or-storefront",
      "count": "@view.rows-or-units",
    ])

  static let payment = LedgerView(
    "v_payment", "@view.rows-of-payments-summaries",
    [
      "p.id", .source("p"), .fileStatus, "s.vendor", .begin, .end, "p.block", "p.region", "p.label",
      "p.currency", "p.units", .amount("p.balance"), .amount("p.earned"),
      .amount("p.pre_tax_subtotal"), .amount("p.input_tax"), .amount("p.adjustments"),
      .amount("p.withholding"), .amount("p.owed"), .amount("p.printed_rate"), .amount("p.proceeds"),
      "p.bank_currency",
    ],
    from: "payment_line p JOIN source s ON s.id = p.source_id",
    [
      "block": "@view.which-payment-of-the-file",
      "units": "@view.units-of-the-region",
    ])

  static let payout = LedgerView(
    "v_payout", "@view.payments-to-the-bank",
    [
      "p.id", .source("p"), .fileStatus, "s.vendor", .begin, .end, "p.block", .amount("p.amount"),
      "p.currency", "p.account", .day("p.day"), "p.is_paid",
    ],
    from: "payout p JOIN source s ON s.id = p.source_id",
    [
      "block": "@view.which-payment-of-the-file",
      "day": "@view.day-of-the-payment",
      "is_paid": "@view.1-where-it-was-paid",
    ])

  static let bank = LedgerView(
    "v_bank", "@view.lines-of-bank-statements",
    [
      "b.id", .source("b"), .day("b.day", as: "date"), .amount("b.amount"), "b.currency",
      "b.reference", .day("b.value_day", as: "value_date"), "b.payer",
    ],
    from: "bank_credit b JOIN source s ON s.id = b.source_id",
    [
      "date": "@view.day-on-which-the-bank",
      "reference": "@view.as-the-statement-has",
      "value_date": "@view.day-on-which-the-amount-counts",
      "payer": "@view.who-paid-as-the-statement",
    ])
}
