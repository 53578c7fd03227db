import Billing

extension Book {
  /// What Apple refunded per storefront, then the findings about refunds.
  func refundsSheets() -> [Sheet] {
    let reported = reconciliation.proceeds.filter { $0.unitsRefunded != 0 }
    let numbers = reconciliation.findings.indices.filter {
      FindingCode.refunds.contains(reconciliation.findings[$0].code)
    }
    let count = reported.count + numbers.count
    guard count > 0 else { return [] }
    let pages = Pages(name: "Refunds", count: count, limits: limits)
    return pages.divide(
      Sheet(
        name: pages.name,
        columns: [
          .text("what"), .text("severity"), .text("storefront"), .text("currency"),
          .date("date"), .text("sku"), .number("units"), .number("share of sold"),
          .number("amount"), .text("order ids", 9...24), .text("transaction ids", 9...24),
          .text("mismatch"), .prose("explanation", 60),
        ],
        rows: Rows(count: count) { index in
          index < reported.count
            ? refundRow(reported[index]) : refundRow(ofFinding: numbers[index - reported.count])
        }, frozenColumns: 1))
  }

  private func refundRow(_ line: ProceedsLine) -> Row {
    Row(cells: [
      .text("reported by Apple"), .blank, .text(line.storefront.code),
      .text(line.currency.code), .blank, .blank, .integer(line.unitsRefunded),
      .ratio(ifAny: ratio(line.unitsRefunded, of: line.unitsSold)), .blank, .blank, .blank,
      .blank, .blank,
    ])
  }

  private func refundRow(ofFinding number: Int) -> Row {
    let finding = reconciliation.findings[number]
    return Row(
      cells: [
        .text(finding.code.rawValue), .text(finding.severity.rawValue),
        .text(ifAny: finding.storefront?.code), .text(ifAny: finding.currency?.code),
        .day(ifAny: finding.date), .text(ifAny: finding.sku), .integer(ifAny: finding.units),
        .blank, .money(ifAny: finding.amount, finding.currency), list(finding.orderIDs),
        list(finding.transactionIDs), .link(ifAny: mismatches.place(number)),
        .text(ifAny: finding.explanation),
      ],
      tints: [Row.Tint(column: 1, meaning: .severity(finding.severity))])
  }
}

extension FindingCode {
  /// The codes that are about refunds.
  static let refunds: Set<FindingCode> = [
    .refundNotReversed, .refundedNotByApple, .refundNotInLedger, .refundNotInReport,
    .partialRefund,
  ]
}
