import Billing
import Languages
import Conclusions

extension List<SettlementLine> {
  /// The columns of level 3, per storefront and currency: from what Apple reported as sold to what
  /// it settled.
  ///
  /// - Parameters:
  ///   - base: the base currency.
  ///   - worth: what a line is worth in it, and the formula's cell of its rate; nil without a rate.
  fileprivate static func settlement(
    isEstimated: Bool, inBase base: Currency,
    _ worth: @escaping @Sendable (SettlementLine) -> (Money, rate: String?)?
  ) -> List {
    /// A column with an amount of each line, added up by currency.
    func amount(
      _ name: String, _ title: Wording, _ amount: @escaping @Sendable (SettlementLine) -> Money
    ) -> Column<SettlementLine> {
      Column(name, .number(title), totals: [.perCurrency(in: "currency")]) {
        .money(amount($0))
      }
    }
    return List(
      [
        Column(.text("@shared.region", 8...34)) { .region($0.region) },
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
        amount("difference", "@sheet.settled-not-as-reported") { $0.difference },
        amount("settled", "@shared.settled") { $0.settled },
        Column(
          "unexplained", .number("@shared.unexplained"), totals: [.perCurrency(in: "currency")]
        ) {
          .formula("{settled}-SUM({reported}:{difference})", .money($0.unexplained))
        },
        Column("base", .number("@summary.settled-in \(base)"), totals: [.allIfComplete]) { line in
          guard let (amount, rate) = worth(line) else { return .blank }
          let digits = amount.currency.minorDigits
          return rate.map { .formula("ROUND({settled}*\($0),\(digits))", .money(amount)) }
            ?? .money(amount)
        },
      ],
      sums: [
        ExpectedSum("reported") { $0.reported },
        ExpectedSum("carried_in") { $0.carryIn },
        ExpectedSum("carried_out") { $0.carryOut },
        ExpectedSum("difference") { $0.difference },
        ExpectedSum("settled") { $0.settled },
        ExpectedSum("unexplained") { $0.unexplained },
        ExpectedSum("base") { worth($0)?.0.micros },
      ])
  }
}

extension [Money] {
  /// The sum of these amounts, which are in one currency; nil without any, or where there are not
  /// as many as the lines that they come from (`count`), since one then lacks its rate.
  fileprivate func settledSum(_ count: Int) -> Money? {
    first.flatMap { $0.currency }.flatMap { self.count == count ? sum(in: $0, \.self) : nil }
  }
}

extension WorkbookContents {
  /// The columns of the sheet, with amounts in base currency.
  private var settlementList: List<SettlementLine> {
    .settlement(
      isEstimated: reconciliation.settlement?.isEstimated ?? false,
      inBase: reconciliation.baseCurrency
    ) { line in
      reconciliation.inBase(line.settled).map {
        ($0, rate: bridgeRateReference(of: line.storefront, line.currency))
      }
    }
  }

  /// The sheet of what Apple settled in a fiscal month; nil without it.
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
    sheet.columns = ColumnHead.columns(sheet.columns, above: receivableHeads)
    return sheet
  }

  /// The rows between the lines and the table of what Apple owes: totals, and rounding against the
  /// close. Nil without lines.
  var rowsAboveReceivableOfFiscalMonth: PlacedRows? {
    let (lines, list) = (reconciliation.settlement?.lines ?? [], settlementList)
    guard !lines.isEmpty else { return nil }
    let body = ListBody.sheet(count: lines.count)
    var below = PlacedRows(below: body)
    // A currency of one line would be that line again.
    let counts = lines.reduce(into: [Currency: Int]()) { $0[$1.currency, default: 0] += 1 }
    below.addTotals(lines, of: list, at: body) { counts[$0, default: 0] > 1 }
    below.addTotalOfAll(lines, of: list, at: body, label: "@shared.total")
    if let pack, let stated = pack.statement.lines.first(where: { $0.figure == .settled })?.now,
      let sum = lines.compactMap({ reconciliation.inBase($0.settled) }).settledSum(lines.count),
      sum.micros != stated
    {
      var cells = list.columns.map { _ in Cell.blank }
      cells[0] = .words("@sheet.rounding-against-the-close")
      cells[list.index("base")] = .money(Money(micros: stated, sum.currency) - sum)
      below.add(cells)
    }
    return below
  }
}
