import Billing
import Languages
import Matching

extension List<PayoutStatement.Region> {
  /// From what customers paid to what reached the bank, a row per region and currency.
  static func payoutStatement(_ regions: [PayoutStatement.Region]) -> List {
    func amount(
      _ name: String, _ title: Wording,
      _ amount: @escaping @Sendable (PayoutStatement.Region) -> Money?
    ) -> Column<PayoutStatement.Region> {
      Column(name, .number(title)) { .money(ifAny: amount($0)) }
    }
    // What no sales report of the region stands behind is left out, not zero.
    func sold(
      _ name: String, _ title: Wording,
      _ part: @escaping @Sendable (PayoutStatement.Region) -> Money
    ) -> Column<PayoutStatement.Region> {
      amount(name, title) { $0.payment.settled == nil ? nil : part($0) }
    }
    let isSeen: (KeyPath<PayoutStatement.Region, Money>) -> Bool = { part in
      regions.contains { !$0[keyPath: part].isZero }
    }
    let beginning: [Column<PayoutStatement.Region>] = [
      Column("region", .text("@shared.region", 8...34)) { .region($0.payment.region) },
      Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
      amount("opening", "@sheet.carried-from-earlier-payments") { $0.payment.carriedBalance },
      sold("sales", "@shared.sales") { $0.sales },
      sold("refunds", "@shared.refunds") { $0.refunds },
      sold("tax", "@shared.tax") { $0.tax },
      sold("commission", "@shared.commission") { $0.commission },
    ]
    let exchanged =
      isSeen(\.exchanged)
      ? [sold("exchanged", "@sheet.sales-exchanged") { $0.exchanged }] : []
    let booked = isSeen(\.booked) ? [sold("booked", "@sheet.booked-changes") { $0.booked }] : []
    let settled: [Column<PayoutStatement.Region>] = [
      sold("carried", "@sheet.carried-net") { $0.carried },
      sold("difference", "@sheet.settled-not-as-reported") { $0.difference },
      Column("settled", .number("@shared.settled")) { region in
        guard let settled = region.payment.settled else { return .blank }
        // A remainder, which only an error of ours can leave, must not hide in a formula.
        return region.isExplained
          ? .formula("SUM({sales}:{difference})", .money(settled)) : .money(settled)
      },
    ]
    let earned =
      regions.contains { $0.payment.settled == nil }
      ? [
        amount("earned", "@sheet.earned-no-report") {
          $0.payment.settled == nil ? $0.payment.earned : nil
        }
      ] : []
    let owed: [Column<PayoutStatement.Region>] = [
      paidPart("payment_difference", "@sheet.paid-not-as-owed") { $0.difference },
      paidPart("adjustment", "@shared.adjustment") { $0.adjustment },
      paidPart("input_tax", "@shared.input-tax") { $0.inputTax },
      paidPart("withholding", "@shared.withholding") { $0.withholding },
      Column("owed", .number("@sheet.owed")) { region in
        guard region.hasPayment else { return .blank }
        let owed = Cell.money(region.payment.owed)
        return region.payment.unexplained.isZero
          ? .formula("{opening}+SUM({settled}:{withholding})", owed) : owed
      },
      Column("not_paid", .number("@sheet.not-paid-carried-on-2")) { region in
        region.hasPayment && region.payment.paid == nil
          ? .formula("{owed}", .money(region.payment.owed)) : .blank
      },
      Column("rate", .number("@sheet.effective-rate")) {
        $0.payment.effectiveRate.map { .formula("{paid}/{owed}", .exchange($0)) } ?? .blank
      },
      Column("paid", .number("@shared.paid"), totals: [.perCurrency(in: "bank_currency")]) {
        .money(ifAny: $0.payment.paid)
      },
      Column("bank_currency", .text("@sheet.bank-currency")) {
        $0.payment.bankCurrency.map { .text($0.code) } ?? .words($0.standing)
      },
    ]
    return List(
      beginning + exchanged + booked + settled + earned + owed,
      sums: [ExpectedSum("paid") { $0.payment.paid }])
  }

  private static func paidPart(
    _ name: String, _ title: Wording, _ part: @escaping @Sendable (RegionPayment) -> Money
  ) -> Column<PayoutStatement.Region> {
    Column(name, .number(title)) { $0.hasPayment ? .money(part($0.payment)) : .blank }
  }
}

extension PayoutStatement.Region {
  /// Why nothing is paid.
  var standing: Wording {
    guard hasPayment else { return "@sheet.no-payments-summary" }
    if let expected = payment.expected { return "@sheet.expected-amount \(spoken(expected))" }
    return "@sheet.not-paid"
  }
}

extension BankPayout {
  /// What the bank has of it, or that no statement tells.
  var bankStanding: Wording { bankWording ?? "@sheet.no-bank-statement" }

  /// To which account, on which day.
  var paidWording: Wording {
    let to: Wording = account.isEmpty ? "@shared.bank" : Wording(verbatim: account)
    let paid: Wording = isPaid ? "@sheet.paid \(to) \(day)" : "@sheet.expected-by \(to) \(day)"
    return isDayEstimated ? paid + "@shared.estimated-date" : paid
  }
}

extension WorkbookContents {
  /// Of a fiscal month whose payments summary is loaded.
  func payoutStatementSheet() -> Sheet? {
    guard let statement = reconciliation.payoutStatement,
      var below = rowsAbovePaymentWalk,
      var sheet = wholeSheet(
        say("@sheet.payout-statement"), .payoutStatement(statement.regions), statement.regions,
        frozenColumns: 2)
    else { return nil }
    addPaymentWalk(to: &below)
    sheet.totals = below.rows
    return sheet
  }

  /// What was paid, below the regions; nil where no payments summary is loaded.
  var rowsAbovePaymentWalk: PlacedRows? {
    guard let statement = reconciliation.payoutStatement,
      reconciliation.settlement?.payments.isEmpty == false
    else { return nil }
    let list = List.payoutStatement(statement.regions)
    let body = ListBody.sheet(count: statement.regions.count)
    var below = PlacedRows(below: body)
    below.addTotals(statement.regions, of: list, at: body, label: "@sheet.paid-by-region")
    for payout in statement.payouts {
      var cells = [Cell](repeating: .blank, count: list.columns.count)
      cells[0] = .words(payout.paidWording)
      cells[list.index("paid")] = .money(payout.amount)
      cells[list.index("bank_currency")] = .text(payout.amount.currency.code)
      below.add(Row(cells: cells, style: .total))
      cells = [Cell](repeating: .blank, count: list.columns.count)
      cells[0] = .words(payout.bankStanding)
      if let received = payout.received {
        cells[list.index("paid")] = .money(received)
        cells[list.index("bank_currency")] = .text(received.currency.code)
      }
      var received = Row(cells: cells, style: .total)
      if payout.isUnproven { received.tint(0, .error) }
      below.add(received)
    }
    return below
  }
}

extension Reconciliation {
  /// Nil where the period is no fiscal month, or nothing of its settlement is loaded.
  var payoutStatement: PayoutStatement? { PayoutStatement(settlement, products: products) }
}
