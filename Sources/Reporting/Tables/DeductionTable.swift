import Billing
import Languages
import Conclusions

/// What Apple took in a storefront and currency, all months of them.
private struct DeductionMarket {
  var name: String
  var storefront: Storefront
  var currency: Currency
  var lines: [DeductionLine]
}

/// The deduction of each storefront and currency by month, as a table below the price check and a
/// chart beside it: formulas over the list's rows.
struct DeductionTable {
  let rows: [Row]
  let chart: Chart?

  /// How many storefronts the chart shows, those with most units.
  private static let drawn = 20
  /// The colours of the chart's months, the last ones of the list.
  private static let colours = [Colour(0xC9C9C9), Colour(0x56B4E9), Colour(0x0072B2)]

  /// Makes the table and chart; both are empty where no line has one currency for price and
  /// proceeds.
  ///
  /// - Parameters:
  ///   - lines: as they stand in the list.
  ///   - list: the one that stands above.
  init(_ lines: [DeductionLine], below list: List<DeductionLine>) {
    let comparable = lines.filter { $0.currency == $0.proceedsCurrency }
    let months = Set(comparable.map(\.monthName)).sorted()
    let markets = Self.markets(comparable)
    guard !markets.isEmpty else {
      (rows, chart) = ([], nil)
      return
    }
    let above = ListBody.sheet(count: lines.count)
    let table = Self.table(months, below: ListRanges(list: list, rows: above.rows))
    var below = PlacedRows(below: above)
    below.add([.words("@sheet.deduction-by-storefront-and-month-largest")], .section)
    below.add(table.header)
    let first = below.add(markets, of: table).rows.lowerBound
    rows = below.rows
    let shown = zip(months, months.map(table.index)).suffix(Self.colours.count)
    chart = Chart(
      title: say("@sheet.deduction-by-storefront-and-month"), isStacked: false,
      categories: table.index("storefront"),
      rows: first...(first + min(markets.count, Self.drawn) - 1),
      series: zip(shown, Self.colours.suffix(shown.count)).map { month, colour in
        Chart.Series(name: month.0, column: month.1, colours: [colour])
      },
      column: table.columns.count + 1, row: above.firstTotal - 1, width: 900, height: 320,
      format: "0%", hasLegend: true)
  }

  /// The columns of the table: storefront, currency, the deduction of each month, units.
  private static func table(
    _ months: [String], below list: ListRanges<DeductionLine>
  ) -> List<DeductionMarket> {
    List(
      [
        Column("storefront", .text("@shared.storefront")) { .text($0.name) },
        Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
      ]
        + months.map { month in
          Column(month, .number(Wording(verbatim: month))) { deduction(of: $0, month, in: list) }
        }
        + [
          Column("units", .number("@shared.units")) { market in
            .formula(
              "SUMPRODUCT(\(condition(market, in: list)),\(list["units"]))",
              .integer(market.lines.reduce(0) { $0 + $1.units }))
          }
        ])
  }

  /// The lines in groups of a storefront and currency, those with most units first.
  private static func markets(_ lines: [DeductionLine]) -> [DeductionMarket] {
    struct Key: Hashable {
      var storefront: Storefront
      var currency: Currency
    }
    let groups = Dictionary(grouping: lines) {
      Key(storefront: $0.storefront, currency: $0.currency)
    }
    let currencies = Dictionary(grouping: groups.keys, by: \.storefront)
    return groups.map { key, lines in (key, lines, units: lines.reduce(0) { $0 + $1.units }) }
      .sorted {
        $0.units != $1.units
          ? $0.units > $1.units
          : ($0.0.storefront, $0.0.currency) < ($1.0.storefront, $1.0.currency)
      }.map { key, lines, _ in
        let isOnlyOne = currencies[key.storefront]?.count == 1
        return DeductionMarket(
          name: isOnlyOne ? key.storefront.code : "\(key.storefront) \(key.currency)",
          storefront: key.storefront, currency: key.currency, lines: lines)
      }
  }

  /// The formula's condition for the rows of a market: a spreadsheet's own criteria would take a
  /// month for a date.
  private static func condition(
    _ market: DeductionMarket, in list: ListRanges<DeductionLine>
  ) -> String {
    [
      ("storefront", market.storefront.placeInWords), ("currency", market.currency.code),
      ("proceeds_currency", market.currency.code),
    ].map { "(\(list[fixed: $0.0])=\"\($0.1)\")" }.joined(separator: "*")
  }

  /// The cell with a market's deduction in a month, as a share of the customer price; blank where
  /// nothing was paid.
  private static func deduction(
    of market: DeductionMarket, _ month: String, in list: ListRanges<DeductionLine>
  ) -> Cell {
    let lines = market.lines.filter { $0.monthName == month }
    let gross = lines.sum(in: market.currency, \.gross)
    let proceeds = lines.sum(in: market.currency, \.proceeds)
    guard let taken = Cell.share((gross - proceeds).micros, of: gross.micros) else {
      return .blank
    }
    let rows = condition(market, in: list) + "*(\(list[fixed: "month"])=\"\(month)\")"
    /// The formula that adds up a column over the market's rows of the month.
    func sum(_ column: String) -> String { "SUMPRODUCT(\(rows),\(list[column]))" }
    return .formula("1-\(sum("proceeds"))/\(sum("gross"))", taken)
  }
}

/// The cells of a list's columns, for formulas below it.
private struct ListRanges<Line>: Sendable {
  var list: List<Line>
  /// Where its lines stand.
  var rows: ClosedRange<Int>

  /// The cells of a column: `B$2:B$9`.
  subscript(name: String) -> String {
    "\(list.letter(name))$\(rows.lowerBound):\(list.letter(name))$\(rows.upperBound)"
  }

  /// The cells of a column, which stays the same where the formula is copied: `$B$2:$B$9`.
  subscript(fixed name: String) -> String {
    "$\(list.letter(name))$\(rows.lowerBound):$\(list.letter(name))$\(rows.upperBound)"
  }
}
