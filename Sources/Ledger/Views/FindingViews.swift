import Billing

// What the last reconciliation of each period found, and what people said of it.

extension LedgerView {
  static let finding = LedgerView(
    "v_finding", "findings that the last reconcile of each period recorded",
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
        ifnull((SELECT CASE action WHEN 'accept' THEN 'accepted' WHEN 'assign' THEN \
        'assigned' ELSE 'reopened' END FROM finding_remark WHERE finding_id = f.id AND action \
        <> 'comment' ORDER BY id DESC LIMIT 1), 'open')
        """, as: "state"),
      Column(
        """
        (SELECT assignee FROM finding_remark WHERE finding_id = f.id AND action = 'assign' \
        ORDER BY id DESC LIMIT 1)
        """, as: "assignee"),
      .day("r.as_of"),
    ],
    from: "finding f JOIN finding_run r ON r.id = f.run_id",
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
      "id", "finding_id", "action", .time("said_at"), "said_by", "assignee", "reason", "code",
      "period", "units", .amount("amount"), "currency",
    ],
    from: "finding_remark",
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
}
