import Billing
import Languages
import Matching

extension WorkbookContents {
  /// Level 4, per region and currency: from what Apple settled to what reached the bank.
  func paymentsSheet() -> Sheet? {
    guard let settlement = reconciliation.settlement, !settlement.payments.isEmpty else {
      return nil
    }
    let lines = settlement.payments
    return Sheet(
      name: say("Payments"),
      columns: [
        .text("region", 8...34), .text("currency"), .number("settled"), .number("difference"),
        .number("adjustment"), .number("withholding"), .number("input tax"),
        .number("carried balance"), .number("owed"), .number("effective rate"), .number("paid"),
        .text("bank currency"),
      ],
      rows: Rows(lines.enumerated().map { paymentRow($1, row: $0 + 2) }),
      totals: paidTotals(lines) + payoutRows(settlement.payouts), frozenColumns: 2)
  }

  private func paymentRow(_ payment: RegionPayment, row: Int) -> Row {
    let currency = payment.currency
    let named = payment.owed - payment.unexplained
    // A remainder, which only an error of ours can leave, must not hide in a formula.
    let owed: Cell =
      payment.unexplained == 0
      ? .formula("SUM(C\(row):H\(row))", .money(named, currency)) : .money(payment.owed, currency)
    return Row(cells: [
      .text(payment.region), .text(currency.code),
      .money(payment.settled ?? payment.earned, currency), .money(payment.difference, currency),
      .money(payment.adjustment, currency), .money(payment.withholding, currency),
      .money(payment.inputTax, currency), .money(payment.carriedBalance, currency), owed,
      payment.effectiveRate.map { .formula("K\(row)/I\(row)", .rate($0)) } ?? .blank,
      .money(ifAny: payment.paid, payment.bankCurrency),
      payment.bankCurrency.map { .text($0.code) } ?? .words("not paid"),
    ])
  }

  private func paidTotals(_ lines: [RegionPayment]) -> [Row] {
    Set(lines.compactMap(\.bankCurrency)).sorted().enumerated().map { index, currency in
      let row = lines.count + 3 + index
      let paid = lines.filter { $0.bankCurrency == currency }
      var cells = [Cell](repeating: .blank, count: 12)
      cells[0] = .words("paid by region")
      cells[10] = .formula(
        "SUMIFS(K$2:K$\(lines.count + 1),L$2:L$\(lines.count + 1),L\(row))",
        .money(paid.reduce(0) { $0 + ($1.paid ?? 0) }, currency))
      cells[11] = .text(currency.code)
      return Row(cells: cells, style: .total)
    }
  }

  /// What the payout lines say, to be compared with the totals above.
  private func payoutRows(_ payouts: [BankPayout]) -> [Row] {
    payouts.map { payout in
      var cells = [Cell](repeating: .blank, count: 12)
      let account: Wording =
        payout.account.isEmpty ? "the bank" : Wording(verbatim: payout.account)
      let paid: Wording = "paid to \(account) on \(payout.day)"
      cells[0] = .words(payout.isDayEstimated ? paid + " (estimated)" : paid)
      cells[10] = .money(payout.amount, payout.currency)
      cells[11] = .text(payout.currency.code)
      return Row(cells: cells, style: .total)
    }
  }
}
