import Billing
import Languages
import Conclusions

extension List<MovedUnits> {
  /// The columns of purchases and refunds that our day and Apple's put on two sides of the period's
  /// edge.
  static var moved: List {
    List([
      Column("storefront", .text("@shared.country")) { .place($0.storefront) },
      Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
      Column("sku", .text("@shared.sku", 6...36)) { .text($0.sku) },
      Column("what", .text("@sheet.what")) {
        .words($0.isRefund ? "@sheet.one-refund" : "@sheet.one-sale")
      },
      Column("our_day", .date("@sheet.our-day")) { .day($0.ourDay) },
      Column("apple_day", .date("@sheet.apple-day")) { .day($0.appleDay) },
      Column("transaction", .text("@shared.transaction", 9...24)) {
        $0.count == 1
          ? .text(ifAny: $0.transactionID) : .words("@sheet.several-purchases \($0.count)")
      },
      Column("order", .text("@shared.order", 9...24)) { .text(ifAny: $0.orderID) },
      Column("units", .number("@shared.units")) { .integer($0.units) },
      Column("amount", .number("@shared.amount")) { .money($0.amount) },
      Column("base", .number("")) { _ in .blank },
    ])
  }
}

extension WorkbookContents {
  /// The place of the title of the table of moved units, below the day boundaries: what the step
  /// `day-boundary` of the bridge is made of. Nil where nothing moved.
  var movedPlace: Place? {
    guard !reconciliation.movedUnits.isEmpty, !reconciliation.dayBoundaries.isEmpty else {
      return nil
    }
    let body = ListBody.sheet(count: reconciliation.dayBoundaries.count)
    // Below the total and an empty row.
    return Place(sheet: say("@shared.day-boundaries"), row: body.firstTotal + 2)
  }

  /// Adds the table of moved units: a row per purchase, a total per country and currency as the
  /// bridge has it, and the bridge's own.
  func addMoved(to below: inout PlacedRows) {
    guard let place = movedPlace else { return }
    let list = List<MovedUnits>.moved
    let base = reconciliation.baseCurrency
    below.add()
    precondition(below.next == place.row, "the moved units stand elsewhere")
    below.add([.words("@sheet.moved-over-the-edge \(reconciliation.period)")], .section)
    var header = list.header
    header.cells[list.index("base")] = .words("@shared.in-2 \(base)")
    below.add(header)
    var totals: [(row: Int, units: Int64, base: Money?)] = []
    var rest = reconciliation.movedUnits[...]
    while let first = rest.first {
      let linesOfCountry = rest.prefix {
        $0.storefront == first.storefront && $0.currency == first.currency
      }
      rest = rest.dropFirst(linesOfCountry.count)
      totals.append(add(Array(linesOfCountry), list, to: &below))
    }
    let known = totals.compactMap(\.base)
    let isWhole = known.count == totals.count
    /// The formula that adds up a column over the totals of countries and currencies.
    func sum(_ column: String) -> String {
      totals.map { "\(list.letter(column))\($0.row)" }.joined(separator: "+")
    }
    var all = list.columns.map { _ in Cell.blank }
    all[0] = .words("@shared.total")
    all[list.index("units")] = .formula(
      sum("units"), .integer(totals.reduce(0) { $0 + $1.units }))
    if isWhole {
      all[list.index("base")] = .formula(sum("base"), .money(known.sum(in: base, \.self)))
    }
    below.add(Row(cells: all, style: .total))
    guard let bridge = reconciliation.bridges.first(where: \.isSummary),
      let step = bridge.steps.first(where: { $0.cause == .dayBoundary }),
      let reference = bridgeTotalReference(of: .dayBoundary)
    else { return }
    var cells = list.columns.map { _ in Cell.blank }
    cells[0] = .words("@sheet.as-in-the-bridge")
    cells[list.index("base")] = .formula(reference, .money(step.amount))
    below.add(cells)
  }

  /// Adds the lines of one country and currency with their total; returns its row, units and worth
  /// in base currency (nil without a rate).
  private func add(
    _ lines: [MovedUnits], _ list: List<MovedUnits>, to below: inout PlacedRows
  ) -> (row: Int, units: Int64, base: Money?) {
    let body = below.add(lines, of: list)
    let row = below.next
    let units = lines.reduce(0) { $0 + $1.units }
    let amount = lines.sum(in: lines[0].currency, \.amount)
    /// The formula that adds up a column over these lines.
    func sum(_ column: String) -> String {
      "SUM(\(list.letter(column))\(body.firstRow):\(list.letter(column))\(body.lastRow))"
    }
    var cells = list.columns.map { _ in Cell.blank }
    cells[0] = .place(lines[0].storefront)
    cells[1] = .text(lines[0].currency.code)
    cells[list.index("units")] = .formula(sum("units"), .integer(units))
    cells[list.index("amount")] = .formula(sum("amount"), .money(amount))
    let rate = bridgeRateReference(of: lines[0].storefront, lines[0].currency)
    let inBase = rate == nil ? nil : reconciliation.inBase(amount)
    if let rate, let inBase {
      let digits = inBase.currency.minorDigits
      cells[list.index("base")] = .formula(
        "ROUND(\(list.letter("amount"))\(row)*\(rate),\(digits))", .money(inBase))
    }
    below.add(Row(cells: cells, style: .total))
    return (row, units, inBase)
  }
}
