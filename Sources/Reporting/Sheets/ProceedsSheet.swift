import Billing
import Languages
import Conclusions

/// What stands beside a line of proceeds in its sheet.
struct ProceedsParts: Hashable, Sendable {
  /// Units sold at customer prices, refunds not taken off; nil where products do not tell it.
  var sales: Money?
  /// Refunds and credits, below zero.
  var refunds: Money?
  /// What Apple took beside tax and commission by the rule; nil where no bridge tells it.
  var other: Money?
}

extension List<ProceedsLine> {
  /// The columns of what Apple's rows of the period add up to, per storefront and currency: units,
  /// gross, tax and commission in what customers paid, proceeds in what Apple pays.
  ///
  /// - Parameter parts: what the sheet has of a line beside what scripts get.
  static func proceeds(
    inBase base: Currency,
    _ parts: @escaping @Sendable (ProceedsLine) -> ProceedsParts = { _ in ProceedsParts() }
  ) -> List {
    /// A column in what customers paid in, added up by its currency.
    func paid(
      _ name: String, _ title: Wording, _ cell: @escaping @Sendable (ProceedsLine) -> Cell
    ) -> Column<ProceedsLine> {
      Column(name, .number(title), totals: [.perCurrency(in: "currency")], cell)
    }
    /// The commission by the rule: a line's commission less what Apple took beside the rule; nil
    /// where the line's commission is not known.
    @Sendable func ruleCommission(_ line: ProceedsLine) -> Money? {
      line.commission.map { $0 - (parts(line).other ?? .zero($0.currency)) }
    }
    return List(
      [
        Column("country", .text("@shared.country", 6...34)) { .country($0.storefront) },
        Column("storefront", .text("@shared.code", 6...14)) { .text($0.storefront.code) },
        Column("currency", .text("@shared.currency", 6...30)) { .text($0.currency.code) },
        Column("proceeds_currency", .text("@sheet.paid-in-currency", 8...20)) {
          .text($0.proceedsCurrency.code)
        },
        Column(
          "units_sold", .number("@shared.units-sold"), totals: [.perCurrency(in: "currency"), .all]
        ) { .integer($0.unitsSold) },
        paid("sales", "@shared.sales") { .money(ifAny: parts($0).sales) },
        Column(
          "units_refunded", .number("@shared.units-refunded"),
          totals: [.perCurrency(in: "currency"), .all]
        ) { .integer($0.unitsRefunded) },
        paid("refunds", "@shared.refunds") { .money(ifAny: parts($0).refunds) },
        paid("gross", "@shared.gross") { line in
          let own = parts(line)
          guard let sales = own.sales, let refunds = own.refunds, sales + refunds == line.gross
          else { return .money(line.gross) }
          return .formula("{sales}+{refunds}", .money(line.gross))
        },
        paid("tax", "@shared.tax") { .money($0.tax) },
        Column("commission") { .money(ifAny: $0.commission) },
        paid("rule_commission", "@sheet.commission-by-rule") { .money(ifAny: ruleCommission($0)) },
        paid("other", "@sheet.other-deductions") { .money(ifAny: parts($0).other) },
        Column(
          "proceeds", .number("@shared.proceeds"), totals: [.perCurrency(in: "proceeds_currency")]
        ) { line in
          ruleCommission(line) == nil
            ? .money(line.proceeds)
            : .formula("{gross}-{tax}-{rule_commission}-{other}", .money(line.proceeds))
        },
        Column(
          "proceeds_base", .number("@shared.proceeds-2 \(base)"),
          totals: [.perCurrency(in: "proceeds_currency"), .allIfComplete]
        ) { .money(ifAny: $0.proceedsBase) },
        Column("deduction", .number("@sheet.total-deductions")) { line in
          guard line.deduction != nil,
            let share = Cell.share((line.gross - line.proceeds).micros, of: line.gross.micros)
          else { return .blank }
          return .formula("1-{proceeds}/{gross}", share)
        }.coded { $0.deduction.map { decimalText(micros: $0) } },
        Column("commission_rate", .number("@sheet.commission-rate")) { line in
          guard let amount = ruleCommission(line),
            let share = Cell.share(amount.micros, of: (line.gross - line.tax).micros)
          else { return .blank }
          return .formula("{rule_commission}/({gross}-{tax})", share)
        },
        Column("rate", .number("@shared.rate")) { .quoted(ifAny: $0.rate) }.grouped,
        Column("quotes") { .text(ifAny: $0.rate?.quotes) },
      ],
      scripts: [
        "storefront", "currency", "proceeds_currency", "units_sold", "units_refunded", "gross",
        "tax", "commission", "proceeds", "deduction", "proceeds_base", "rate", "quotes",
      ],
      sums: [
        ExpectedSum("units_sold", in: { $0.currency }) { $0.unitsSold },
        ExpectedSum("sales", in: { $0.currency }) { parts($0).sales },
        ExpectedSum("units_refunded", in: { $0.currency }) { $0.unitsRefunded },
        ExpectedSum("refunds", in: { $0.currency }) { parts($0).refunds },
        ExpectedSum("gross") { $0.gross },
        ExpectedSum("tax") { $0.tax },
        ExpectedSum("rule_commission", in: { $0.currency }) { ruleCommission($0) },
        ExpectedSum("other", in: { $0.currency }) { parts($0).other },
        ExpectedSum("proceeds") { $0.proceeds },
        ExpectedSum("proceeds_base", in: { $0.proceedsCurrency }) { $0.proceedsBase },
      ])
  }
}

extension Reconciliation {
  /// A storefront and its currencies; `paid` is that of proceeds.
  private struct Key: Hashable {
    var storefront: String
    var currency: Currency
    var paid: Currency?
  }

  /// The columns of the proceeds, where lines have their parts: what the rule takes is told from
  /// what Apple took otherwise.
  var proceedsListWithParts: List<ProceedsLine> {
    let parts = Dictionary(zip(proceeds, proceedsParts), uniquingKeysWith: { $1 })
    return .proceeds(inBase: baseCurrency) { parts[$0] ?? ProceedsParts() }
  }

  /// The parts of each line, in order: sales and refunds by its products, and what its bridge has
  /// beside the rule.
  private var proceedsParts: [ProceedsParts] {
    var sums: [Key: (sales: Money, refunds: Money)] = [:]
    for product in products {
      let key = Key(
        storefront: product.storefront.code, currency: product.currency,
        paid: product.proceedsCurrency)
      var sum = sums[key] ?? (.zero(product.currency), .zero(product.currency))
      sum.sales += product.sold.gross
      sum.refunds += product.refunded.gross
      sums[key] = sum
    }
    var others: [Key: Money] = [:]
    for bridge in bridges {
      let key = Key(storefront: bridge.storefront, currency: bridge.currency)
      others[key] = bridge.steps.first { $0.cause == .proceedsDifference }.map { -$0.amount }
    }
    let lines = Dictionary(grouping: proceeds) {
      Key(storefront: $0.storefront.code, currency: $0.currency)
    }
    return proceeds.map { line in
      let market = Key(storefront: line.storefront.code, currency: line.currency)
      var key = market
      key.paid = line.proceedsCurrency
      let isAlone = lines[market]?.count == 1 && line.commission != nil
      return ProceedsParts(
        sales: sums[key]?.sales, refunds: sums[key]?.refunds, other: isAlone ? others[market] : nil)
    }
  }
}

extension WorkbookContents {
  /// The sheet of proceeds by country and its tables; nil without proceeds.
  func proceedsSheet() -> Sheet? {
    let lines = reconciliation.proceeds
    guard var below = rowsAboveReceivable else { return nil }
    let list = reconciliation.proceedsListWithParts
    if reconciliation.period.fiscalMonth == nil { addReceivableTable(to: &below) }
    return Sheet(
      name: proceedsSheetName, columns: list.heads, rows: Rows(list.rows(lines, at: proceedsBody)),
      totals: below.rows, frozenColumns: 1, printedColumns: list.index("rate"))
  }

  /// The rows between the lines and the table of what Apple owes: totals, a remark, tables of
  /// products. Nil without lines.
  var rowsAboveReceivable: PlacedRows? {
    guard !reconciliation.proceeds.isEmpty else { return nil }
    var below = proceedsTotals
    below.add([.words("@sheet.commission-proves-no-contract")], .aside)
    addProductTables(to: &below)
    return below
  }

  /// The name of the sheet of proceeds.
  var proceedsSheetName: String { say("@sheet.proceeds-by-country") }

  /// The columns of the sheet by name and place; lines of it have parts of their own there.
  var proceedsList: List<ProceedsLine> { .proceeds(inBase: reconciliation.baseCurrency) }

  /// The cell with the total of all proceeds in base currency, as formulas write it; nil without
  /// such a total.
  var proceedsInBaseReference: String? {
    guard reconciliation.proceedsInBase != nil else { return nil }
    let row = proceedsTotals.last
    return "\(quoted(sheet: proceedsSheetName))!$\(proceedsList.letter("proceeds_base"))$\(row)"
  }

  /// Where the lines of the sheet stand.
  var proceedsBody: ListBody { .sheet(count: reconciliation.proceeds.count) }

  /// The rows of totals: one per currency, then all units, and all proceeds in base currency.
  private var proceedsTotals: PlacedRows {
    let (lines, list) = (reconciliation.proceeds, reconciliation.proceedsListWithParts)
    var below = PlacedRows(below: proceedsBody)
    // A currency of one line would be that line again.
    let currencies = lines.reduce(into: [Currency: Int]()) { counts, line in
      for currency in Set([line.currency, line.proceedsCurrency]) {
        counts[currency, default: 0] += 1
      }
    }
    below.addTotals(
      lines, of: list, at: proceedsBody, label: "@sheet.total-by-currency"
    ) { currencies[$0, default: 0] > 1 }
    below.addTotalOfAll(
      lines, of: list, at: proceedsBody, label: "@sheet.total-of-all-countries")
    return below
  }
}
