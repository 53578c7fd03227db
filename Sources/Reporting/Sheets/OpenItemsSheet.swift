import Billing
import Matching

extension WorkbookContents {
  /// What was sold in one fiscal month and not settled in it, the oldest first.
  func openItemsSheet() -> Sheet? {
    guard let items = reconciliation.settlement?.openItems, !items.isEmpty else { return nil }
    let currencies = Set(items.map(\.currency)).sorted()
    return Sheet(
      name: openItems.name,
      columns: [
        .text("sold in", 11...11), .text("storefront"), .text("currency"), .text("sku", 10...36),
        .date("first day"), .date("last day"), .number("units"), .number("proceeds"),
        .text("settled in", 11...11), .number("months"), .text("state", 8...30),
      ],
      rows: Rows(items.map(openItemRow)),
      totals: openItems.pageCount > 1
        ? []
        : currencies.enumerated().map { index, currency in
          let row = items.count + 3 + index
          let own = items.filter { $0.currency == currency }
          return Row(
            cells: [
              .words("total"), .blank, .text(currency.code), .blank, .blank, .blank,
              .formula(
                currencySum("G", rows: items.count, row: row),
                .integer(own.reduce(0) { $0 + $1.units })),
              .formula(
                currencySum("H", rows: items.count, row: row),
                .money(own.reduce(0) { $0 + $1.amount }, currency)),
            ], style: .total)
        }, frozenColumns: 1)
  }

  private func openItemRow(_ item: OpenItem) -> Row {
    let isOld = item.settledIn == nil && item.age > 0
    return Row(cells: [
      .text(item.soldIn.description), .text(item.storefront.code), .text(item.currency.code),
      .text(item.sku), .day(item.first), .day(item.last), .integer(item.units),
      .money(item.amount, item.currency), .text(ifAny: item.settledIn?.description),
      .integer(Int64(item.age)),
      .words(item.settledIn != nil ? "settled later" : isOld ? "open, older" : "open"),
    ])
  }
}
