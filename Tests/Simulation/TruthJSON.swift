import Billing

extension Truth {
  /// `truth.json`: amounts as decimal text, what is left open as null.
  package var json: String {
    var parts = [
      "  \"period\": \(quoted(period.description))",
      "  \"day_rule\": \(quoted(dayRule.rawValue))",
      "  \"seed\": \(seed)",
    ]
    parts.append(list("expected", expected.map(object)))
    if !patterns.isEmpty { parts.append(list("patterns", patterns.map(object))) }
    parts.append(list("boundaries", boundaries.map(object)))
    parts.append(list("proceeds", proceeds.map(object)))
    parts.append(list("ledger", ledger.map(object)))
    let apps = appUnits.sorted { $0.key < $1.key }
      .map { fields([("storefront", quoted($0.key.code)), ("units", "\($0.value)")]) }
    parts.append(list("apps", apps))
    if let settlement {
      let months = settlement.map { SettlementJSON(month: $0).text }.joined(separator: ",\n")
      parts.append("  \"settlement\": [\n\(months)\n  ]")
    }
    parts.append("  \"counts\": \(object(counts))")
    return "{\n" + parts.joined(separator: ",\n") + "\n}\n"
  }

  private func object(_ finding: ExpectedFinding) -> String {
    let amount = finding.amount.flatMap { amount in
      finding.currency.map { Money(micros: amount, $0).text }
    }
    return fields([
      ("code", quoted(finding.code.rawValue)),
      ("storefront", quoted(finding.storefront?.code)),
      ("date", quoted(finding.date?.description)),
      ("sku", quoted(finding.sku)),
      ("units", finding.units.map { "\($0)" } ?? "null"),
      ("amount", quoted(amount)),
      ("currency", quoted(finding.currency?.code)),
      ("order_ids", "[\(finding.orderIDs.map(quoted).joined(separator: ","))]"),
      ("transaction_ids", "[\(finding.transactionIDs.map(quoted).joined(separator: ","))]"),
    ])
  }

  private func object(_ pattern: ExpectedPattern) -> String {
    fields([
      ("code", quoted(pattern.code.rawValue)),
      ("dimension", quoted(pattern.dimension.rawValue)),
      ("value", quoted(pattern.value.isEmpty ? nil : pattern.value)),
      ("from", quoted(pattern.span?.lowerBound.description)),
      ("to", quoted(pattern.span?.upperBound.description)),
      ("findings", pattern.findings.map { "\($0)" } ?? "null"),
    ])
  }

  private func object(_ boundary: TrueBoundary) -> String {
    fields([
      ("storefront", quoted(boundary.storefront.code)),
      ("units", "\(boundary.units)"),
      ("rule", quoted(boundary.rule)),
      ("zone", quoted(boundary.zone)),
      ("utc_offset_minutes", "\(boundary.utcOffsetMinutes)"),
    ])
  }

  private func object(_ row: TrueProceeds) -> String {
    func text(_ micros: Int64, _ currency: Currency) -> String {
      quoted(Money(micros: micros, currency).text)
    }
    return fields([
      ("storefront", quoted(row.storefront.code)),
      ("currency", quoted(row.currency.code)),
      ("proceeds_currency", quoted(row.proceedsCurrency.code)),
      ("units_sold", "\(row.unitsSold)"),
      ("units_refunded", "\(row.unitsRefunded)"),
      ("gross", text(row.gross, row.currency)),
      ("proceeds", text(row.proceeds, row.proceedsCurrency)),
      ("partial_refund_gross", text(row.partialRefundGross, row.currency)),
      ("partial_refund_proceeds", text(row.partialRefundProceeds, row.proceedsCurrency)),
    ])
  }

  private func object(_ total: TrueLedgerTotal) -> String {
    fields([
      ("storefront", quoted(total.storefront.code)),
      ("currency", quoted(total.currency.code)),
      ("gross", quoted(Money(micros: total.gross, total.currency).text)),
    ])
  }

  private func object(_ counts: TrueCounts) -> String {
    var all = [
      ("orders", "\(counts.orders)"),
      ("transactions", "\(counts.transactions)"),
      ("sales_rows", "\(counts.salesRows)"),
      ("sales_reports", "\(counts.salesReports)"),
    ]
    if let apple = counts.apple {
      all += [
        ("receipts", "\(apple.receipts)"),
        ("notifications_v1", "\(apple.notificationsV1)"),
        ("notifications_v2", "\(apple.notificationsV2)"),
        ("history_transactions", "\(apple.historyTransactions)"),
        ("transactions_only_apple_told", "\(apple.transactionsOnlyHere)"),
      ]
    }
    return fields(all)
  }

  private func list(_ name: String, _ objects: [String]) -> String {
    guard !objects.isEmpty else { return "  \"\(name)\": []" }
    let lines = objects.map { "    \($0)" }.joined(separator: ",\n")
    return "  \"\(name)\": [\n\(lines)\n  ]"
  }
}

func fields(_ fields: [(String, String)]) -> String {
  "{" + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
}

/// The simulation's own texts hold nothing that JSON escapes.
func quoted(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "null" }
