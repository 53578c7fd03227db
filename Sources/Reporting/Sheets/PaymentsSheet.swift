import Billing
import Languages
import Conclusions

extension List<RegionPayment> {
  /// The columns of level 4, per region and currency: from what Apple settled to what reached the
  /// bank. What is earned without a financial report is not called settled: it has a column of its
  /// own.
  ///
  /// - Parameter areAllSettled: whether each payment has a financial report.
  fileprivate static func payments(areAllSettled: Bool) -> List {
    /// A column with an amount of each payment.
    func amount(
      _ name: String, _ title: Wording, _ amount: @escaping @Sendable (RegionPayment) -> Money
    ) -> Column<RegionPayment> {
      Column(name, .number(title)) { .money(amount($0)) }
    }
    let earned = Column<RegionPayment>("earned", .number("@sheet.earned-no-report")) {
      $0.settled == nil ? .money($0.earned) : .blank
    }
    let beginning: [Column<RegionPayment>] = [
      Column(.text("@shared.region", 8...34)) { payment in
        payment.month.map { .words("@sheet.change \(payment.region) \($0)") }
          ?? .region(payment.region)
      },
      Column(.text("@shared.currency")) { .text($0.currency.code) },
      Column("settled", .number("@shared.settled")) { .money(ifAny: $0.settled) },
    ]
    let owed = [
      amount("difference", "@sheet.paid-not-as-owed") { $0.difference },
      amount("adjustment", "@shared.adjustment") { $0.adjustment },
      amount("withholding", "@shared.withholding") { $0.withholding },
      amount("input_tax", "@shared.input-tax") { $0.inputTax },
      amount("carried_balance", "@sheet.carried-from-earlier-payments") { $0.carriedBalance },
      Column("owed", .number("@sheet.owed")) {
        // A remainder, which only an error of ours can leave, must not hide in a formula.
        let owed = Cell.money($0.owed)
        return $0.unexplained.isZero ? .formula("SUM({settled}:{carried_balance})", owed) : owed
      },
    ]
    let paid: [Column<RegionPayment>] = [
      Column("not_paid", .number("@sheet.not-paid-carried-on-2")) {
        $0.paid == nil ? .formula("{owed}", .money($0.owed)) : .blank
      },
      Column(.number("@sheet.effective-rate")) {
        $0.effectiveRate.map { .formula("{paid}/{owed}", .exchange($0)) } ?? .blank
      },
      Column("paid", .number("@shared.paid"), totals: [.perCurrency(in: "bank_currency")]) {
        .money(ifAny: $0.paid)
      },
      Column("bank_currency", .text("@sheet.bank-currency")) {
        $0.bankCurrency.map { .text($0.code) } ?? .words("@sheet.not-paid")
      },
    ]
    return List(
      beginning + (areAllSettled ? [] : [earned]) + owed + paid,
      sums: [
        ExpectedSum("paid") { $0.paid }
      ])
  }
}

extension WorkbookContents {
  /// The sheet of payments by region; nil where the payout statement has all of it, because no
  /// payment is of another month.
  func paymentsSheet() -> Sheet? {
    let lines = reconciliation.settlement?.allPayments ?? []
    guard lines.contains(where: { $0.month != nil }) else { return nil }
    let list = List.payments(areAllSettled: lines.allSatisfy { $0.settled != nil })
    var sheet = wholeSheet(say("@sheet.payments"), list, lines, frozenColumns: 2)
    guard !lines.isEmpty else { return sheet }
    let body = ListBody.sheet(count: lines.count)
    var below = PlacedRows(below: body)
    below.addTotals(lines, of: list, at: body, label: "@sheet.paid-by-region")
    for payout in reconciliation.settlement?.payouts ?? [] { below.add(row(of: payout, in: list)) }
    sheet?.totals = below.rows
    return sheet
  }

  /// The row that says what a payout line says, to be compared with the totals above it.
  private func row(of payout: BankPayout, in list: List<RegionPayment>) -> Row {
    var cells = [Cell](repeating: .blank, count: list.columns.count)
    cells[0] = .words(payout.paidWording)
    if let bank = payout.bankWording { cells[1] = .words(bank) }
    cells[list.index("paid")] = .money(payout.amount)
    cells[list.index("bank_currency")] = .text(payout.amount.currency.code)
    return Row(cells: cells, style: .total)
  }
}
