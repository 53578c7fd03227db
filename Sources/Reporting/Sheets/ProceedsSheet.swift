import Billing
import Languages
import Matching

extension List<ProceedsLine> {
  /// What Apple's rows of the period add up to, per storefront and currency: units, gross, tax and
  /// commission in what customers paid, proceeds in what Apple pays.
  static func proceeds(inBase base: Currency) -> List {
    func paid(
      _ name: String, _ title: Wording, _ amount: @escaping @Sendable (ProceedsLine) -> Money?
    ) -> Column<ProceedsLine> {
      Column(name, .number(title), totals: [.perCurrency(in: "currency")]) {
        .money(ifAny: amount($0))
      }
    }
    return List(
      [
        Column("storefront", .text("@shared.storefront", 6...40)) { .text($0.storefront.code) },
        Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
        Column("proceeds_currency", .text("@shared.proceeds-currency", 8...20)) {
          .text($0.proceedsCurrency.code)
        },
        Column(
          "units_sold", .number("@shared.units-sold"), totals: [.perCurrency(in: "currency"), .all]
        ) { .integer($0.unitsSold) },
        Column(
          "units_refunded", .number("@shared.units-refunded"),
          totals: [.perCurrency(in: "currency"), .all]
        ) { .integer($0.unitsRefunded) },
        paid("gross", "@shared.gross") { $0.gross },
        paid("tax", "@shared.tax") { $0.tax },
        paid("commission", "@shared.commission") { $0.commission },
        Column(
          "proceeds", .number("@shared.proceeds"), totals: [.perCurrency(in: "proceeds_currency")]
        ) { .money($0.proceeds) },
        Column("deduction", .number("@shared.deduction")) { .ratio(ifAny: $0.deduction) },
        Column("rate", .number("@shared.rate")) { .quoted(ifAny: $0.rate) },
        Column("quotes") { .text(ifAny: $0.rate?.quotes) },
        Column(
          "proceeds_base", .number("@shared.proceeds-2 \(base)"),
          totals: [.perCurrency(in: "proceeds_currency"), .allIfComplete]
        ) { .money(ifAny: $0.proceedsBase) },
      ],
      scripts: [
        "storefront", "currency", "proceeds_currency", "units_sold", "units_refunded", "gross",
        "tax", "commission", "proceeds", "deduction", "proceeds_base", "rate", "quotes",
      ],
      sums: [
        ExpectedSum("units_sold", in: { $0.currency }) { $0.unitsSold },
        ExpectedSum("units_refunded", in: { $0.currency }) { $0.unitsRefunded },
        ExpectedSum("gross") { $0.gross },
        ExpectedSum("tax") { $0.tax },
        ExpectedSum("commission") { $0.commission },
        ExpectedSum("proceeds") { $0.proceeds },
        ExpectedSum("proceeds_base", in: { $0.proceedsCurrency }) { $0.proceedsBase },
      ])
  }
}

extension WorkbookContents {
  func proceedsSheet() -> Sheet? {
    let lines = reconciliation.proceeds
    guard !lines.isEmpty else { return nil }
    let list = proceedsList
    var below = proceedsTotals
    addProductTables(to: &below)
    if reconciliation.period.fiscalMonth == nil { addReceivableTable(to: &below) }
    return Sheet(
      name: proceedsSheetName, columns: list.heads, rows: Rows(list.rows(lines, at: proceedsBody)),
      totals: below.rows, frozenColumns: 1)
  }

  var proceedsSheetName: String { say("@sheet.proceeds-by-country") }
  var proceedsList: List<ProceedsLine> { .proceeds(inBase: reconciliation.baseCurrency) }

  /// Where the total of all proceeds in base currency stands; nil without one.
  var proceedsInBaseReference: String? {
    guard reconciliation.proceedsInBase != nil else { return nil }
    let row = proceedsTotals.last
    return "\(quoted(sheet: proceedsSheetName))!$\(proceedsList.letter("proceeds_base"))$\(row)"
  }

  /// Where the lines stand.
  var proceedsBody: ListBody { .sheet(count: reconciliation.proceeds.count) }

  /// One row per currency, then all units, and all proceeds in base currency.
  private var proceedsTotals: PlacedRows {
    let (lines, list) = (reconciliation.proceeds, proceedsList)
    var below = PlacedRows(below: proceedsBody)
    below.addTotals(lines, of: list, at: proceedsBody)
    below.addTotalOfAll(lines, of: list, at: proceedsBody)
    return below
  }
}
