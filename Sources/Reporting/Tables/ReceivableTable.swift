import Billing
import Languages
import Conclusions

extension List<ReceivableLine> {
  /// The columns of how what Apple owes came about, a line per currency. A movement has a column
  /// where one of the lines has it.
  fileprivate static func receivable(_ lines: [ReceivableLine], inBase base: Currency) -> List {
    let movements: [(Wording, @Sendable (ReceivableLine) -> (Money, Money?))] = [
      ("@shared.proceeds", { ($0.own.proceeds, $0.base?.proceeds) }),
      (
        "@shared.settlement-difference",
        { ($0.own.settlementDifference, $0.base?.settlementDifference) }
      ),
      ("@shared.payment-difference", { ($0.own.paymentDifference, $0.base?.paymentDifference) }),
      ("@shared.adjustment", { ($0.own.adjustment, $0.base?.adjustment) }),
      ("@shared.input-tax", { ($0.own.inputTax, $0.base?.inputTax) }),
      ("@shared.withholding", { ($0.own.withholding, $0.base?.withholding) }),
      ("@shared.paid-by-apple", { (-$0.own.paid, $0.base.map { -$0.paid }) }),
    ]
    let moved = movements.filter { movement in
      lines.contains { line in
        let (own, base) = movement.1(line)
        return !own.isZero || base.map(\.isZero) == false
      }
    }
    let names = (["opening"] + moved.indices.map { "moved_\($0)" })
    return List(
      [
        Column(.text("@shared.currency")) { .text($0.currency.code) },
        .gap, .gap, .gap,
        Column("opening", .number("@shared.opening")) { .money($0.own.opening) },
      ]
        + moved.enumerated().map { index, movement in
          Column("moved_\(index)", .number(movement.0)) { .money(movement.1($0).0) }
        }
        + [
          Column("closing", .number("@shared.closing")) {
            .formula("SUM({opening}:{\(names[names.count - 1])})", .money($0.own.closing))
          },
          Column("rate", .number("@shared.rate")) { line in
            line.rate.map { .quoted($0) } ?? .words("@shared.no-rate")
          },
          Column("exchange", .number("@sheet.of-which-exchange"), totals: [.allIfComplete]) {
            .money(ifAny: $0.base?.exchange)
          },
          Column("base", .number("@shared.in-2 \(base)"), totals: [.allIfComplete]) { line in
            guard let closing = line.base?.closing else { return .blank }
            guard line.rate != nil else { return .money(closing) }
            return .formula(
              line.currency == base
                ? "{closing}" : "ROUND({closing}*{rate},\(base.minorDigits))", .money(closing))
          },
        ],
      sums: [
        ExpectedSum("exchange") { $0.base?.exchange.micros },
        ExpectedSum("base") { $0.base?.closing.micros },
      ])
  }
}

extension WorkbookContents {
  /// Adds below the proceeds or the settlement how what Apple owes came about, currency by
  /// currency, and what it is worth in base currency.
  func addReceivableTable(to below: inout PlacedRows) {
    let lines = reconciliation.receivable
    guard !lines.isEmpty else { return }
    addReceivableLines(to: &below)
    for remark in receivableRemarks { below.add([.words(remark)], .subtitle) }
    let list = receivableList
    guard let rounding = reconciliation.receivableRounding else { return }
    var cells = list.columns.map { _ in Cell.blank }
    cells[0] = .words("@sheet.rounding-against-the-proceeds")
    cells[list.index("base")] = .money(rounding)
    below.add(cells)
  }

  /// The remarks that a reader must know before this figure is taken to a balance sheet.
  private var receivableRemarks: [Wording] {
    let month = reconciliation
    guard month.openingBasis?.assumption != nil else { return month.receivableDoubts }
    return month.receivableDoubts + month.openingGaps.remarks(month.period)
  }

  /// The columns of the table of what Apple owes; none without lines.
  var receivableHeads: [ColumnHead] {
    reconciliation.receivable.isEmpty ? [] : receivableList.heads
  }

  /// The columns of the table of what Apple owes.
  private var receivableList: List<ReceivableLine> {
    .receivable(reconciliation.receivable, inBase: reconciliation.baseCurrency)
  }

  /// Adds the lines of what Apple owes and, in the last row, what they come to.
  private func addReceivableLines(to below: inout PlacedRows) {
    let (lines, list) = (reconciliation.receivable, receivableList)
    let body = below.addTable("@shared.what-apple-owes", lines, of: list)
    below.addTotalOfAll(lines, of: list, at: body, label: "@sheet.total")
  }

  /// The cell with what all that Apple owes is worth in base currency; nil where no sheet has the
  /// table.
  var receivableTotal: (place: Place, letter: String)? {
    let isFiscal = reconciliation.period.fiscalMonth != nil
    guard !reconciliation.receivable.isEmpty,
      var above = isFiscal ? rowsAboveReceivableOfFiscalMonth : rowsAboveReceivable
    else { return nil }
    addReceivableLines(to: &above)
    let sheet = isFiscal ? say("@sheet.settlement") : proceedsSheetName
    return (Place(sheet: sheet, row: above.last), receivableList.letter("base"))
  }
}

extension Reconciliation {
  /// The rounding between proceeds and what is owed, where nothing but the period's proceeds is
  /// owed: what they come to, converted by country, less what is owed, converted by currency. Nil
  /// where that is nothing.
  var receivableRounding: Money? {
    let closings = receivable.compactMap { $0.base?.closing }
    guard period.fiscalMonth == nil, closings.count == receivable.count,
      receivable.allSatisfy({ $0.own.closing == $0.own.proceeds && $0.own.opening.isZero }),
      let proceeds = proceedsInBase
    else { return nil }
    let rounding = Money(micros: proceeds, baseCurrency) - closings.sum(in: baseCurrency, \.self)
    return rounding.isZero ? nil : rounding
  }

  /// Remarks why what Apple owes may be another amount; they stand wherever the figure does.
  var receivableDoubts: [Wording] {
    let unreported = basis.absences.filter {
      $0.kind == .salesReports || $0.kind == .salesReportsNotDue
    }
    var doubts = unreported.map { "@sheet.receivable-is-not-complete \($0.wording)" as Wording }
    if let assumption = openingBasis?.assumption { doubts.append(assumption) }
    return doubts
  }
}
