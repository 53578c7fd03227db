import Billing

// What Apple settled and paid.

extension LedgerView {
  static let finance = LedgerView(
    "v_finance", "rows of Apple's financial reports and their detail",
    [
      "r.id", .source("r"), .sourceKind, .fileStatus, "s.vendor", "s.region", .begin, .end,
      .day("r.transaction_day", as: "transaction_date"),
      .day("r.settlement_day", as: "settlement_date"), "t.storefront", "t.sku", "t.type",
      Column("CASE t.is_return WHEN 1 THEN 'R' ELSE 'S' END", as: "sale_or_return"), "r.quantity",
      .amount("t.share"), .amount("r.extended"), "t.currency", .amount("t.customer_price"),
      "t.customer_currency", "t.title", "t.apple_identifier", "t.promo_code", "t.order_type",
    ],
    from: """
      finance_row r \(joinSource("finance", "finance_detail")) \
      JOIN finance_terms t ON t.id = r.terms_id
      """,
    [
      "transaction_date": "day of the sale",
      "settlement_date": "day of the settlement",
      "type": "Apple's product type identifier",
      "sale_or_return": "S or R",
      "share": "partner share of one unit",
      "extended": "partner share of all units",
      "customer_price": "price of one unit to the customer",
      "customer_currency": "what the customer paid in",
    ])

  static let financeFooter = LedgerView(
    "v_finance_footer", "what financial reports say of themselves",
    [
      "f.id", .source("f"), .fileStatus, "s.region", "f.what", "f.storefront", "f.currency",
      "f.count", .amount("f.amount"),
    ],
    from: "finance_footer f JOIN source s ON s.id = f.source_id",
    [
      "what": "rows, units, amount or storefront",
      "count": "rows or units",
    ])

  static let payment = LedgerView(
    "v_payment", "rows of payments summaries",
    [
      "p.id", .source("p"), .fileStatus, "s.vendor", .begin, .end, "p.block", "p.region", "p.label",
      "p.currency", "p.units", .amount("p.balance"), .amount("p.earned"),
      .amount("p.pre_tax_subtotal"), .amount("p.input_tax"), .amount("p.adjustments"),
      .amount("p.withholding"), .amount("p.owed"), .amount("p.printed_rate"), .amount("p.proceeds"),
      "p.bank_currency",
    ],
    from: "payment_line p JOIN source s ON s.id = p.source_id",
    [
      "block": "which payment of the file",
      "units": "units of the region",
    ])

  static let payout = LedgerView(
    "v_payout", "payments to the bank",
    [
      "p.id", .source("p"), .fileStatus, "s.vendor", .begin, .end, "p.block", .amount("p.amount"),
      "p.currency", "p.account", .day("p.day"), "p.is_paid",
    ],
    from: "payout p JOIN source s ON s.id = p.source_id",
    [
      "block": "which payment of the file",
      "day": "day of the payment",
      "is_paid": "1 where it was paid",
    ])

  static let bank = LedgerView(
    "v_bank", "lines of bank statements",
    [
      "b.id", .source("b"), .day("b.day", as: "date"), .amount("b.amount"), "b.currency",
      "b.reference",
    ],
    from: "bank_credit b JOIN source s ON s.id = b.source_id",
    [
      "date": "day on which the bank booked it",
      "reference": "as the statement has it",
    ])
}
