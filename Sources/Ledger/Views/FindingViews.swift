import Billing

// What the last reconciliation of each period found, and what people said of it.

extension LedgerView {
  static let finding = LedgerView(
    "v_finding", "findings that the last reconciliation of each period recorded",
    [
      "r.period", "f.id", "f.code", "f.severity", "f.storefront", "f.currency",
      .day("f.day", as: "date"), "f.sku", "f.units", .amount("f.amount"), "f.explanation",
      Column(
        """
        (SELECT group_concat(order_id, ' ') FROM (SELECT order_id FROM finding_order WHERE \
        finding = f.number ORDER BY order_id))
        """, as: "order_ids"),
      Column(
        """
        (SELECT group_concat(transaction_id, ' ') FROM (SELECT transaction_id FROM \
        finding_transaction WHERE finding = f.number ORDER BY transaction_id))
        """, as: "transaction_ids"),
      Column(
        """
        (SELECT group_concat(file || ':' || line, ' ') FROM (SELECT p.file, s.line FROM \
        finding_source s JOIN finding_file p ON p.id = s.file_id WHERE s.finding = f.number \
        ORDER BY s.place))
        """, as: "sources"),
      Column(
        """
        CASE WHEN (SELECT action FROM finding_remark WHERE finding_id IN (f.id, w.id) AND action \
        IN ('accept', 'reopen') ORDER BY id DESC LIMIT 1) = 'accept' THEN 'accepted' ELSE \
        ifnull((SELECT iif(action = 'assign', 'assigned', 'reopened') FROM finding_remark WHERE \
        finding_id IN (f.id, w.id) AND action <> 'comment' ORDER BY id DESC LIMIT 1), 'open') END
        """, as: "state"),
      Column(
        """
        (SELECT assignee FROM finding_remark WHERE finding_id IN (f.id, w.id) AND action = \
        'assign' ORDER BY id DESC LIMIT 1)
        """, as: "assignee"),
      .day("r.as_of"),
    ],
    from: """
      finding f JOIN finding_run r ON r.id = f.run_id
      LEFT JOIN finding_former w ON w.finding = f.number
      """,
    [
      "period": "the period that was reconciled",
      "id": "digest of the facts",
      "code": "what was found",
      "severity": "error, warning or info",
      "date": "business day, report day or day of the sale",
      "amount": "Apple's side less ours",
      "explanation": "what happened, in English",
      "order_ids": "orders that show it, joined by spaces",
      "transaction_ids": "transactions that show it, joined by spaces",
      "sources": "files and lines that show it, joined by spaces",
      "state": "open, assigned, accepted or reopened, as last recorded for this id",
      "assignee": "who looks after it",
      "as_of": "the day as of which ages were calculated",
    ])

  static let pattern = LedgerView(
    "v_pattern", "patterns that the last reconciliation of each period recorded",
    [
      "r.period", .codes("codes"), .figure("dimension"), .ofUsers("value"), .figure("from"),
      .figure("to"), .figure("findings"), .figure("of"), .figure("base"), .share("base_share"),
      .figure("chance"), .figure("units"), .codes("amounts"), .ofUsers("text"), .figure("action"),
      .codes("finding_ids"), .day("r.as_of"),
    ],
    from: "finding_pattern f JOIN finding_run r ON r.id = f.run_id",
    [
      "period": "the period that was reconciled",
      "codes": "codes of the findings, joined by spaces",
      "dimension": "what they share: a span of time, a user, an app version …",
      "value": "which; empty where mask_users is set and it is a user",
      "from": "when it began: a time in UTC, or a day",
      "to": "when it ended",
      "findings": "how many findings share it",
      "of": "how many findings of these codes there are",
      "base": "the business that it is compared with",
      "base_share": "the part of all other business that shares it",
      "chance": "how unlikely it is: below this power of ten",
      "units": "units of its findings, without sign",
      "amounts": "what its findings come to by currency, joined by spaces",
      "text": "what was seen, in English",
      "action": "what to do, in English",
      "finding_ids": "its findings, joined by spaces",
      "as_of": "the day as of which ages were calculated",
    ])

  static let flow = LedgerView(
    "v_flow", "purchases by day, as the last reconciliation of each period recorded them",
    [
      "r.period", .figure("date"), .figure("orders"), .figure("paid"), .figure("fulfilled"),
      .figure("transactions"), .figure("purchases"), .figure("unfulfilled"),
      .share("unfulfilled_share"), .figure("median_delay"), .figure("p95_delay"),
      .figure("sandbox"), .figure("refunds"), .codes("marks"), .day("r.as_of"),
    ],
    from: "finding_flow f JOIN finding_run r ON r.id = f.run_id",
    [
      "period": "the period that was reconciled",
      "date": "business day",
      "orders": "orders placed on the day",
      "paid": "of these orders, how many were paid",
      "fulfilled": "of these orders, how many were fulfilled",
      "transactions": "billable transactions of the day, renewals too",
      "purchases": "of these transactions, how many need an order",
      "unfulfilled": "of these purchases, how many no order was fulfilled for",
      "unfulfilled_share": "the part of the purchases that was never fulfilled",
      "median_delay": "seconds to fulfilment that half of them did not exceed",
      "p95_delay": "seconds to fulfilment that 95 in 100 did not exceed",
      "sandbox": "transactions of the Sandbox",
      "refunds": "transactions that Apple took back on the day",
      "marks": "figures that stand out, joined by spaces",
      "as_of": "the day as of which ages were calculated",
    ])

  static let remark = LedgerView(
    "v_remark", "what people recorded about findings",
    [
      "id", "finding_id", "action", .time("said_at"), "said_by", "assignee", "reason", "code",
      "period", "units", .amount("amount"), "currency",
    ],
    from: "finding_remark",
    [
      "id": "number of the remark",
      "finding_id": "the finding",
      "action": "accept, assign, comment or reopen",
      "said_at": "when it was recorded, UTC",
      "said_by": "who said it",
      "assignee": "to whom it was assigned",
      "reason": "the text",
      "code": "what was found",
      "period": "the period that had been reconciled",
      "units": "the finding's units then",
      "amount": "the finding's amount then",
    ])
}

extension LedgerView.Column {
  /// A column of a recorded list, from the line's object `f.figures`.
  fileprivate static func figure(_ name: String) -> Self {
    Self("json_extract(f.figures, '$.\(name)')", as: name)
  }

  /// A part of a whole, which the list has as decimal text.
  fileprivate static func share(_ name: String) -> Self {
    Self("CAST(\(figure(name).sql) AS REAL)", as: name)
  }

  /// Several texts of a line.
  fileprivate static func codes(_ name: String) -> Self {
    Self("(SELECT group_concat(value, ' ') FROM json_each(f.figures, '$.\(name)'))", as: name)
  }

  /// What may name users.
  fileprivate static func ofUsers(_ name: String) -> Self {
    Self("json_extract(ifnull(f.user_figures, f.figures), '$.\(name)')", as: name)
  }
}
