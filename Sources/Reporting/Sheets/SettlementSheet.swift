import Billing
import Languages
import Matching

extension List<SettlementLine> {
  /// Level 3, per storefront and currency: from what Apple reported as sold to what it settled.
  fileprivate static func settlement(isEstimated: Bool) -> List {
    func amount(
      _ name: String, _ title: Wording, _ amount: @escaping @Sendable (SettlementLine) -> Money
    ) -> Column<SettlementLine> {
      Column(name, .number(title), totals: [.perCurrency(in: "currency")]) {
        .money(amount($0))
      }
    }
    return List(
      [
        Column(.text("@shared.region", 8...10)) { .text($0.region) },
        Column(.text("@shared.storefront")) { .place($0.storefront) },
        Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
        Column(.number("@sheet.units-settled")) { .integer($0.units) },
        amount("reported", "@shared.reported-proceeds") { $0.reported },
        amount("carried_in", isEstimated ? "@sheet.carried-in-estimated" : "@shared.carried") {
          $0.carryIn
        },
        amount("carried_out", isEstimated ? "@sheet.carried-out-estimated" : "@shared.carried-out")
        {
          $0.carryOut
        },
        amount("difference", "@shared.difference-2") { $0.difference },
        amount("settled", "@shared.settled") { $0.settled },
        Column(
          "unexplained", .number("@shared.unexplained"), totals: [.perCurrency(in: "currency")]
        ) {
          .formula("{settled}-SUM({reported}:{difference})", .money($0.unexplained))
        },
      ],
      sums: [
        ExpectedSum("reported") { $0.reported },
        ExpectedSum("carried_in") { $0.carryIn },
        ExpectedSum("carried_out") { $0.carryOut },
        ExpectedSum("difference") { $0.difference },
        ExpectedSum("settled") { $0.settled },
        ExpectedSum("unexplained") { $0.unexplained },
      ])
  }
}

extension WorkbookContents {
  private var settlementList: List<SettlementLine> {
    .settlement(isEstimated: reconciliation.settlement?.isEstimated ?? false)
  }

  func settlementSheet() -> Sheet? {
    let lines = reconciliation.settlement?.lines ?? []
    guard
      var sheet = wholeSheet(say("@sheet.settlement"), settlementList, lines, frozenColumns: 2),
      var below = rowsAboveReceivableOfFiscalMonth
    else { return nil }
    addReceivableTable(to: &below)
    if let error = reconciliation.carryErrorWording {
      below.add()
      below.add([.words(error)], .subtitle)
    }
    sheet.totals = below.rows
    return sheet
  }

  /// Below the lines; nil where there is none.
  var rowsAboveReceivableOfFiscalMonth: PlacedRows? {
    let lines = reconciliation.settlement?.lines ?? []
    guard !lines.isEmpty else { return nil }
    let body = ListBody.sheet(count: lines.count)
    var below = PlacedRows(below: body)
    below.addTotals(lines, of: settlementList, at: body)
    return below
  }
}
