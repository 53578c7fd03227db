import Billing

// What the last reconciliation of each period found, and what people said of it.

extension LedgerView {
  static let finding = LedgerView(
    "v_finding", "@view.findings-that-the-last-reconciliation",
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
      "period": "@view.period-that-was-reconciled",
      "id": "@view.digest-of-the-facts",
      "code": "@view.what-was-found",
      "severity": "@view.error-warning-or-info",
      "date": "@view.business-day-report-day",
      "amount": "@shared.apple-side-less-ours",
      "explanation": "@view.what-happened-in-english",
      "order_ids": "@view.orders-that-show-it-joined",
      "transaction_ids": "@view.transactions-that-show-it-joined",
      "sources": "@view.files-and-lines-that-show",
      "state": "@view.open-assigned-accepted-or-reopened",
      "assignee": "@view.who-looks-after",
      "as_of": "@view.day-as-of-which-ages",
    ])

  static let pattern = LedgerView(
    "v_pattern", "@view.patterns-that-the-last-reconciliation",
    [
      "r.period", .codes("codes"), .figure("dimension"), .ofUsers("value"), .figure("from"),
      .figure("to"), .figure("findings"), .figure("of"), .figure("base"), .share("base_share"),
      .figure("chance"), .figure("units"), .codes("amounts"), .ofUsers("text"), .figure("action"),
      .codes("finding_ids"), .day("r.as_of"),
    ],
    from: "finding_pattern f JOIN finding_run r ON r.id = f.run_id",
    [
      "period": "@view.period-that-was-reconciled",
      "codes": "@view.codes-of-the-findings-joined",
      "dimension": "@view.what-they-share-a-span",
      "value": "@view.which-empty-where-mask-users",
      "from": "@view.when-it-began-a-time",
      "to": "@view.when-it-ended",
      "findings": "@view.how-many-findings-share",
      "of": "@view.how-many-findings",
      "base": "@view.business-that-it-is-compared",
      "base_share": "@view.part-of-all-other-business",
      "chance": "@view.how-unlikely-it-is-below",
      "units": "@view.units-of-its-findings-without",
      "amounts": "@view.what-its-findings-come",
      "text": "@view.what-was-seen-in-english",
      "action": "@view.what-to-do-in-english",
      "finding_ids": "@view.its-findings-joined-by-spaces",
      "as_of": "@view.day-as-of-which-ages",
    ])

  static let flow = LedgerView(
    "v_flow", "@view.purchases-by-day",
    [
      "r.period", .figure("date"), .figure("orders"), .figure("paid"), .figure("fulfilled"),
      .figure("transactions"), .figure("purchases"), .figure("unfulfilled"),
      .share("unfulfilled_share"), .figure("median_delay"), .figure("p95_delay"),
      .figure("sandbox"), .figure("refunds"), .codes("marks"), .day("r.as_of"),
    ],
    from: "finding_flow f JOIN finding_run r ON r.id = f.run_id",
    [
      "period": "@view.period-that-was-reconciled",
      "date": "@view.business-day",
      "orders": "@view.orders-placed-on-the-day",
      "paid": "@view.of-these-orders-how-many",
      "fulfilled": "@view.of-these-orders-how-many-were-fulfilled",
      "transactions": "@view.billable-transactions-of-the-day",
      "purchases": "@view.of-these-transactions-how-many",
      "unfulfilled": "@view.of-these-purchases-how-many",
      "unfulfilled_share": "@view.part-of-the-purchases",
      "median_delay": "@view.seconds-to-fulfilment-that-half",
      "p95_delay": "@view.seconds-to-fulfilment-that-95",
      "sandbox": "@view.transactions-of-the-sandbox",
      "refunds": "@view.transactions-that-apple-took-back",
      "marks": "@view.figures-that-stand-out-joined",
      "as_of": "@view.day-as-of-which-ages",
    ])

  static let remark = LedgerView(
    "v_remark", "@view.what-people-recorded-about-findings",
    [
      "id", "finding_id", "action", .time("said_at"), "said_by", "assignee", "reason", "code",
      "period", "units", .amount("amount"), "currency",
    ],
    from: "finding_remark",
    [
      "id": "@view.number-of-the-remark",
      "finding_id": "@view.finding",
      "action": "@view.accept-assign-comment-or-reopen",
      "said_at": "@view.when-it-was-recorded-utc",
      "said_by": "@view.who-said",
      "assignee": "@view.to-whom-it-was-assigned",
      "reason": "@view.text",
      "code": "@view.what-was-found",
      "period": "@view.period-that-had-been-reconciled",
      "units": "@view.finding-units-then",
      "amount": "@view.finding-amount-then",
    ])
}

extension LedgerView.Column {
  /// A figure of a recorded pattern or day, by its name in the JSON object `f.figures`.
  fileprivate static func figure(_ name: String) -> Self {
    Self("json_extract(f.figures, '$.\(name)')", as: name)
  }

  /// A figure that is a part of a whole, as a number; `f.figures` has it as decimal text.
  fileprivate static func share(_ name: String) -> Self {
    Self("CAST(\(figure(name).sql) AS REAL)", as: name)
  }

  /// A figure that is a list of texts, by its name in the object `f.figures`, joined by spaces.
  fileprivate static func codes(_ name: String) -> Self {
    Self("(SELECT group_concat(value, ' ') FROM json_each(f.figures, '$.\(name)'))", as: name)
  }

  /// A figure of a recorded pattern that may name users, by its name in the object with users
  /// (`f.user_figures`), or in `f.figures` where the pattern has no such object.
  fileprivate static func ofUsers(_ name: String) -> Self {
    Self("json_extract(ifnull(f.user_figures, f.figures), '$.\(name)')", as: name)
  }
}
