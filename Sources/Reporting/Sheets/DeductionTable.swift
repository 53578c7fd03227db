import Billing
import Languages
import Matching

/// The deduction of each storefront and currency by month, as a table below the price check and a
/// chart beside it: formulas over the list's rows.
struct DeductionTable {
  let rows: [Row]
  let chart: Chart?

  private struct Market: Hashable {
    var storefront: Storefront
    var currency: Currency
  }

  /// Storefronts of the chart, those with most units.
  private static let drawn = 20
  /// Months of the chart, the last ones.
  private static let colours = [Colour(0xC9C9C9), Colour(0x56B4E9), Colour(0x0072B2)]

  /// - Parameters:
  ///   - lines: as they stand in the list, from its second row on.
  init(_ lines: [DeductionLine], name: String) {
    let comparable = lines.filter { $0.currency == $0.proceedsCurrency }
    let months = Set(comparable.map(\.monthName)).sorted()
    let markets = Self.markets(comparable)
    guard !markets.isEmpty else {
      (rows, chart) = ([], nil)
      return
    }
    // The list, an empty row, the table's title and header.
    let first = lines.count + 5
    let several = Dictionary(grouping: markets, by: \.storefront).filter { $0.value.count > 1 }
    rows =
      [
        Row(cells: [.words("Deduction by storefront and month, largest first")], style: .section),
        Row.tableHeader(
          ["storefront", "currency"], numbers: months.map { Wording(verbatim: $0) } + ["units"]),
      ]
      + markets.map { market in
        let own = comparable.filter {
          $0.storefront == market.storefront && $0.currency == market.currency
        }
        let code = market.storefront.code
        return Row(
          cells: [
            .text(several[market.storefront] == nil ? code : "\(code) \(market.currency)"),
            .text(market.currency.code),
          ] + months.map { Self.deduction(of: own, market, $0, rows: lines.count) }
            + [Self.units(of: own, market, rows: lines.count)])
      }
    let shown = months.suffix(Self.colours.count)
    let colours = Self.colours.suffix(shown.count)
    let offset = 2 + months.count - shown.count
    chart = Chart(
      title: say("Deduction by storefront and month"), isStacked: false, categories: 0,
      rows: first...(first + min(markets.count, Self.drawn) - 1),
      series: zip(shown, colours).enumerated().map { index, series in
        Chart.Series(name: series.0, column: offset + index, colours: [series.1])
      },
      column: 2 + months.count + 2, row: lines.count + 2, width: 900, height: 320,
      format: "0%", hasLegend: true)
  }

  private static func markets(_ lines: [DeductionLine]) -> [Market] {
    var units: [Market: Int64] = [:]
    for line in lines {
      units[Market(storefront: line.storefront, currency: line.currency), default: 0] += line.units
    }
    return units.sorted {
      $0.value != $1.value
        ? $0.value > $1.value
        : ($0.key.storefront, $0.key.currency) < ($1.key.storefront, $1.key.currency)
    }.map(\.key)
  }

  /// Rows of a market as a condition: a spreadsheet's own criteria would take a month for a date.
  private static func condition(_ market: Market, rows count: Int) -> String {
    "($A$2:$A$\(count + 1)=\"\(market.storefront)\")*($B$2:$B$\(count + 1)=\"\(market.currency)\")"
      + "*($C$2:$C$\(count + 1)=\"\(market.currency)\")"
  }

  private static func deduction(
    of lines: [DeductionLine], _ market: Market, _ month: String, rows count: Int
  ) -> Cell {
    let lines = lines.filter { $0.monthName == month }
    let gross = lines.reduce(0) { $0 + $1.gross }
    guard let kept = ratio(lines.reduce(0) { $0 + $1.proceeds }, of: gross) else { return .blank }
    let rows = condition(market, rows: count) + "*($F$2:$F$\(count + 1)=\"\(month)\")"
    func sum(_ letter: String) -> String {
      "SUMPRODUCT(\(rows),\(letter)$2:\(letter)$\(count + 1))"
    }
    return .formula("1-\(sum("K"))/\(sum("J"))", .ratio(1_000_000 - kept))
  }

  private static func units(of lines: [DeductionLine], _ market: Market, rows count: Int) -> Cell {
    .formula(
      "SUMPRODUCT(\(condition(market, rows: count)),I$2:I$\(count + 1))",
      .integer(lines.reduce(0) { $0 + $1.units }))
  }
}
