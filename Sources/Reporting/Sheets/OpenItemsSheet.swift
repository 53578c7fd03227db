import Billing
import Conclusions
import Languages

extension List<OpenItem> {
  /// The columns of what was sold in one fiscal month and not settled in it, the oldest first.
  fileprivate static var openItems: List {
    List(
      [
        Column(.text("@sheet.sold", 11...11)) { .text($0.soldIn.description) },
        Column(.text("@shared.storefront")) { .place($0.storefront) },
        Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
        Column(.text("@shared.sku", 10...36)) { .text($0.sku) },
        Column(.date("@sheet.first-day")) { .day($0.first) },
        Column(.date("@sheet.last-day")) { .day($0.last) },
        Column("units", .number("@shared.units"), totals: [.perCurrency(in: "currency")]) {
          .integer($0.units)
        },
        Column("proceeds", .number("@shared.proceeds"), totals: [.perCurrency(in: "currency")]) {
          .money($0.amount)
        },
        Column(.text("@sheet.settled", 13...13)) { .text(ifAny: $0.settledIn?.description) },
        Column(.number("@sheet.months")) { .integer(Int64($0.age)) },
        Column(.text("@sheet.state", 8...30)) {
          .words(
            $0.settledIn != nil
              ? "@sheet.settled-later" : $0.age > 0 ? "@sheet.open-older" : "@shared.open")
        },
      ],
      sums: [
        ExpectedSum("units", in: { $0.currency }) { $0.units },
        ExpectedSum("proceeds") { $0.amount },
      ])
  }
}

extension WorkbookContents {
  /// The sheet of what was sold and not settled; nil without any. Totals stand below it where one
  /// sheet has all lines.
  func openItemsSheet() -> Sheet? {
    let items = reconciliation.settlement?.openItems ?? []
    let list = List.openItems
    var sheet = wholeSheet(openItems.name, list, items, frozenColumns: 4)
    if openItems.pageCount == 1, !items.isEmpty {
      let body = ListBody.sheet(count: items.count)
      var below = PlacedRows(below: body)
      below.addTotals(items, of: list, at: body)
      if let step = reconciliation.bridges.first(where: \.isSummary)?.steps.first(where: {
        $0.cause == .settlementCarryOut
      }), let reference = bridgeTotalReference(of: .settlementCarryOut) {
        var cells = list.columns.map { _ in Cell.blank }
        let base = reconciliation.baseCurrency
        cells[0] = .words("@sheet.carried-out-in-the-bridge \(reconciliation.period) \(base)")
        cells[list.index("proceeds")] = .formula("-\(reference)", .money(-step.amount))
        below.add(Row(cells: cells, style: .total))
      }
      sheet?.totals = below.rows
    }
    return sheet
  }
}
