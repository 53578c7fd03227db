import Billing
import Languages
import Conclusions

extension WorkbookContents {
  /// Adds the chart from the ledger's total to Apple's, and the figures that it is drawn from;
  /// nothing without a bridge.
  func addWaterfall(to rows: inout [Row], _ charts: inout [Chart]) {
    guard let bridge = reconciliation.mainBridge else { return }
    // Where both sides are there, what lies between them; tax and commission would hide it.
    let waterfall = Waterfall(bridge, to: bridge.reachesApple ? .reportedGross : nil)
    let currency = bridge.currency
    let minimum = waterfall.axisMinimum
    let room = roundedHalfUp(
      Int128(waterfall.height - (minimum ?? 0)), dividedBy: 12,
      toMultipleOf: currency.minorUnit)
    let first = put(
      waterfall.bars.map { bar in
        let amounts = [bar.groundAbove, bar.above, room, bar.groundBelow, bar.below]
        return [.words(bar.cause.label)] + amounts.map { .money($0, currency) }
      },
      titled: [
        "@shared.step", "@summary.ground", "@shared.step", "@summary.room", "@summary.ground-below",
        "@summary.step-below",
      ], into: &rows,
      at: chartRow)
    let colours = waterfall.bars.map { CauseFamily($0.cause).colour }
    let name: Wording =
      bridge.isSummary ? "@shared.all-storefronts" : Wording(verbatim: bridge.storefront)
    let cut = minimum.map { grouped(Money(micros: $0, currency)) }
    let title: Wording =
      cut.map { "@summary.from-the-ledger-to-apple-cut \(name) \(currency) \($0)" }
      ?? "@summary.from-the-ledger-to-apple \(name) \(currency)"
    charts.append(
      Chart(
        title: say(title), isStacked: true,
        categories: SummaryGrid.chartData, rows: first...(first + waterfall.bars.count - 1),
        series: [
          Chart.Series(
            name: say("@summary.ground"), column: SummaryGrid.chartData + 1, colours: nil),
          Chart.Series(
            name: say("@shared.step"), column: SummaryGrid.chartData + 2, colours: colours),
          Chart.Series(
            name: say("@summary.label"), column: SummaryGrid.chartData + 3, colours: nil,
            labels: waterfall.bars.map { label(of: $0, isCut: minimum != nil, currency) }),
          Chart.Series(
            name: say("@summary.ground-below"), column: SummaryGrid.chartData + 4, colours: nil),
          Chart.Series(
            name: say("@summary.step-below"), column: SummaryGrid.chartData + 5, colours: colours),
        ],
        column: SummaryGrid.left, row: chartRow - 1, width: 640, height: 340,
        minimum: minimum))
  }

  /// The text beside a bar. Where the axis is cut, steps are too small for round figures.
  private func label(of bar: Waterfall.Bar, isCut: Bool, _ currency: Currency) -> String {
    if isCut { return grouped(Money(micros: bar.amount, currency)) }
    return bar.cause.isTotal ? compact(bar.to) : signed(bar.amount)
  }

  /// A short amount with a plus above zero.
  private func signed(_ micros: Int64) -> String {
    micros > 0 ? "+\(compact(micros))" : compact(micros)
  }

  /// Adds the chart of proceeds by country and its figures; nothing without proceeds.
  func addCountries(to rows: inout [Row], _ charts: inout [Chart]) {
    let (currency, countries) = reconciliation.proceedsByCountry
    guard !countries.isEmpty else { return }
    let first = put(
      countries.map { [.text($0.name), .money($0.proceeds, currency)] },
      titled: ["@shared.storefront", "@shared.proceeds"], into: &rows,
      at: chartRow + SummaryGrid.chartRows + 4)
    charts.append(
      Chart(
        title: say("@summary.proceeds-by-country \(currency)"), isStacked: false,
        categories: SummaryGrid.chartData,
        rows: first...(first + countries.count - 1),
        series: [
          Chart.Series(
            name: say("@shared.proceeds"), column: SummaryGrid.chartData + 1,
            colours: countries.map { _ in CauseFamily.commission.colour },
            labels: countries.map { compact($0.proceeds) })
        ],
        column: SummaryGrid.right, row: chartRow - 1, width: 610, height: 340))
  }

  /// Writes figures of a chart beside the printed page.
  ///
  /// - Parameter row: of the titles, from 0.
  /// - Returns: the row number of the first of them, as the reader sees it.
  private func put(
    _ lines: [[Cell]], titled titles: [Wording], into rows: inout [Row], at row: Int
  ) -> Int {
    let table = [titles.map(Cell.words)] + lines
    for (index, cells) in table.enumerated() {
      while rows.count <= row + index { rows.append(Row(cells: [])) }
      while rows[row + index].cells.count < SummaryGrid.chartData {
        rows[row + index].cells.append(.blank)
      }
      for (offset, cell) in cells.enumerated() {
        let column = SummaryGrid.chartData + offset
        rows[row + index].cells.append(cell)
        rows[row + index].accents.append(Row.Accent(column: column, style: .aside))
      }
    }
    return row + 2
  }
}

/// Proceeds of a storefront, or of several small ones.
struct CountryProceeds {
  /// Its code.
  var name: String
  /// Its code and name.
  var place: String
  /// Micro-units.
  var proceeds: Int64
}

extension Reconciliation {
  /// The proceeds per storefront, largest first, the smallest put together: in base currency, or
  /// where a rate is missing in the currency that most storefronts have.
  var proceedsByCountry: (currency: Currency, countries: [CountryProceeds]) {
    var sums: [Storefront: Int64] = [:]
    var currency = baseCurrency
    if proceedsInBase != nil {
      for line in proceeds { sums[line.storefront, default: 0] += line.proceedsBase?.micros ?? 0 }
    } else {
      let counts = proceeds.reduce(into: [Currency: Int]()) {
        $0[$1.proceedsCurrency, default: 0] += 1
      }
      let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
      currency = most?.key ?? baseCurrency
      for line in proceeds where line.proceedsCurrency == currency {
        sums[line.storefront, default: 0] += line.proceeds.micros
      }
    }
    let ranked = sums.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    let shown = 14
    var countries = ranked.prefix(shown).map {
      CountryProceeds(name: $0.key.code, place: $0.key.placeInWords, proceeds: $0.value)
    }
    if ranked.count > shown {
      let rest = ranked.dropFirst(shown)
      let name = say("@summary.more \(rest.count)")
      countries.append(
        CountryProceeds(name: name, place: name, proceeds: rest.reduce(0) { $0 + $1.value }))
    }
    return (currency, countries)
  }
}

extension BridgeCause {
  /// The cause's name as a chart writes it: `not in ledger`.
  var label: Wording {
    switch self {
    case .ledger: "@shared.ledger"
    case .dayBoundary: "@shared.day-boundary"
    case .timing: "@summary.timing"
    case .inputsInsufficient: "@summary.inputs-insufficient"
    case .reportMissing: "@summary.report-missing"
    case .notInLedger: "@summary.not-in-ledger"
    case .notInReport: "@summary.not-in-report"
    case .refundNotInLedger: "@summary.refund-not-in-ledger"
    case .refundNotInReport: "@summary.refund-not-in-report"
    case .unknownSKU: "@summary.unknown-sku"
    case .apps: "@shared.apps"
    case .price: "@shared.price"
    case .partialRefund: "@summary.partial-refund"
    case .rounding: "@shared.rounding"
    case .unexplained: "@shared.unexplained"
    case .reportedGross: "@summary.reported-gross"
    case .tax: "@shared.tax"
    case .commission: "@shared.commission"
    case .proceedsDifference: "@shared.proceeds-difference"
    case .exchange: "@shared.exchange"
    case .reportedProceeds: "@shared.reported-proceeds"
    case .settlementCarryIn: "@summary.settlement-carry"
    case .settlementCarryOut: "@summary.settlement-carry-out"
    case .settlementDifference: "@shared.settlement-difference"
    case .settled: "@shared.settled"
    }
  }
}
