import Billing
import Languages
package import Pricing

/// Saves the plan as a workbook whose figures are formulas over its own cells. The same plan gives
/// the same bytes.
/// - Throws: `OutputError` where the file or a temporary file cannot be written.
package func writeWorkbook(_ plan: RatePlan, to path: String) throws(OutputError) {
  try write(
    [PlanSheet(plan).sheet()], titled: say("@plan.exchange-rate-plan-2 \(plan.day)"),
    made: plan.day, to: path, limits: .excel)
}

/// The sheet of a plan: what may be changed at the top, under names, and everything else as
/// formulas that follow.
struct PlanSheet {
  let plan: RatePlan
  let rates: List<RatePlan.Row>
  private(set) var rows = PlacedRows()
  private var names: [Sheet.Name] = []
  var places = BlockPlaces<Block>()

  /// What formulas point at.
  enum Block { case storefronts, rates }

  /// The column of the figures that may be changed.
  private static let inputs = 1

  init(_ plan: RatePlan) { (self.plan, rates) = (plan, plan.rateList) }

  /// The sheet with inputs under names, formulas that follow from them, and the chart.
  func sheet() -> Sheet {
    let maker = BlockPlaces.settled(self, \.places) { maker in
      maker.addHead()
      maker.addInputs()
      // The chart stands beside the inputs and ends above the tables.
      maker.rows.fill(before: Self.chartRows + 1)
      let (money, period) = (plan.baseCurrency, plan.period)
      maker.addTable(
        "@plan.coins-by-storefront-cheapest-first \(money)", plan.storefronts,
        of: maker.coinPrices, as: .storefronts)
      maker.addTable(
        period.map { "@plan.one-rate-for-a-group-gain \(money) \($0)" }
          ?? "@plan.one-rate-for-a-group \(money)", plan.groups.flatMap(\.choiceLines),
        of: maker.choices)
      maker.addTable(
        "@plan.rates-by-the-price-list \(plan.channel.currency) \(money)", plan.rows, of: rates,
        as: .rates)
      maker.addTable(
        "@plan.paid-orders-of-other-channels \(period.map(\.description) ?? "") \(money)",
        plan.channelSales, of: .channelSales(plan.channel.costs))
      maker.addReasons()
    }
    return Sheet(
      name: say("@plan.exchange-rate-plan"), columns: Self.columns, rows: Rows(maker.rows.rows),
      hasHeader: false, frozenRows: 1, frozenColumns: 2, charts: [maker.chart()],
      names: maker.names, printedColumns: rates.columns.count,
      repeatedRow: maker.places[.rates].firstRow - 1)
  }

  /// Rows above the tables, where inputs and chart stand.
  private static let chartRows = 20
  private static let columns =
    [ColumnHead(title: "", width: 46...46), ColumnHead(title: "", width: 28...28)]
    + Array(repeating: ColumnHead(title: "", width: 13...13), count: 25)

  private mutating func add(_ row: Row) { rows.add(row) }

  private mutating func add(_ cells: [Cell], _ style: Row.Style = .body) { rows.add(cells, style) }

  /// Adds an empty row and a title.
  private mutating func addSection(_ title: Wording) {
    add([])
    add([.words(title)], .section)
  }

  /// Adds a list with its titles; nothing without lines.
  ///
  /// - Parameter block: as which formulas point at the lines; nil where none do.
  private mutating func addTable<Line>(
    _ title: Wording, _ lines: [Line], of list: List<Line>, as block: Block? = nil
  ) {
    guard !lines.isEmpty else { return }
    let body = rows.addTable(title, lines, of: list)
    if let block { places.note(block, at: body.firstRow, count: lines.count) }
  }
}

extension PlanSheet {
  /// Adds the title, and by what the plan was made.
  private mutating func addHead() {
    add([.words("@plan.exchange-rate-plan-3 \(plan.day)")], .title)
    let volumes: Wording = plan.period.map { "@plan.volumes-2 \($0)" } ?? "@plan.no-volumes"
    let text: Wording = """
      @plan.coins-per-unit-of-money-on-apple \(plan.target.wording) \(plan.baseCurrency) \
      \(volumes)
      """
    add([.words(text)], .subtitle)
  }

  /// Adds the figures that may be changed, each under a name for formulas, and what 1,000 coins net
  /// on the other channel.
  private mutating func addInputs() {
    let channel = plan.channel
    addSection("@plan.change-a-figure-here")
    addInput(
      "channel_rate", "@plan.other-channel-coins-per \(channel.currency)", .rate(channel.rate))
    addInput("channel_fee", "@plan.other-channel-fee-part", .ratio(channel.costs.fee))
    addInput("channel_tax", "@plan.other-channel-tax", .ratio(channel.costs.tax))
    addInput(
      "channel_worth", "@plan.for-1 \(plan.baseCurrency) \(channel.currency)",
      channel.worth.map { .quoted($0) } ?? .words("@plan.no-rate-loaded"))
    var margin: Int64 = 0
    if case .margin(let deduction) = plan.target { margin = deduction }
    addInput("margin", "@plan.keep-a-margin", .ratio(margin))
    addInput("rounding", "@plan.round-down-to-multiples", .integer(plan.rounding.step))
    addInput(
      "lowest_rate", "@plan.never-below-coins-per-0 \(channel.currency)",
      .rate(plan.rounding.floor ?? 0))
    addInput("commission", "@plan.apple-commission-empty-each-row", .blank)
    addInput("threshold", "@plan.mark-coins-cheaper-than", .ratio(plan.threshold))
    add([
      .words("@plan.other-channel-net-of-1 \(plan.baseCurrency)"),
      channel.netPerThousand.map {
        .formula("1000*channel_worth*\(leftOfChannel)/channel_rate", .quotient($0, places: 4))
      } ?? .blank,
    ])
  }

  /// Adds a figure that may be changed.
  ///
  /// - Parameter name: by which formulas call its cell.
  private mutating func addInput(_ name: String, _ label: Wording, _ value: Cell) {
    names.append(Sheet.Name(name: name, column: Self.inputs, row: rows.next))
    add(
      Row(cells: [.words(label), value], accents: [Row.Accent(column: Self.inputs, style: .total)]))
  }

  /// Adds why the rates are what they are, and notes.
  private mutating func addReasons() {
    let texts = plan.reasons + plan.notes
    guard !texts.isEmpty else { return }
    addSection("@plan.why-and-what-else")
    for text in texts { add([.words(text)]) }
  }
}

extension List<ChannelSales> {
  /// The columns of other channels' paid orders, with what 1,000 coins net there.
  ///
  /// - Parameter planned: what the plan's channel takes, where a channel has no costs of its own.
  static func channelSales(_ planned: ChannelCosts) -> List {
    /// A column of what a channel takes, from its own costs or the plan's inputs.
    func cost(
      _ column: String, _ title: Wording, _ part: @escaping @Sendable (ChannelCosts) -> Int64
    ) -> Column<ChannelSales> {
      Column(column, .number(title)) { sales in
        sales.costs.map { .ratio(part($0)) }
          ?? .formula("channel_\(column)", .ratio(part(planned)))
      }
    }
    return List(
      [
        Column("channel", .text("@plan.channel")) { .text($0.channel) }.told(.text("")),
        Column("currency", .text("@shared.currency")) { .text($0.currency.code) },
        Column("orders", .number("@shared.orders")) { .integer(Int64($0.orders)) },
        Column("unknown") { .integer(Int64($0.unknown)) },
        Column("gross", .number("@shared.paid")) { .money($0.gross, $0.currency) }.told {
          "\(grouped(Money(micros: $0.gross, $0.currency))) \($0.currency)"
        },
        Column("coins", .number("@shared.coins")) { .integer($0.coins) },
        Column("rate", .number("@plan.coins-per-unit")) {
          $0.rate.map { .formula("{coins}/{gross}", .quotient($0, places: 4)) } ?? .blank
        }.toTheMillionth.told(.text("")) { say($0.rateWording) },
        Column("worth", .number("@plan.worth")) { .quoted(ifAny: $0.worth) },
        cost("fee", "@plan.fee") { $0.fee }, cost("tax", "@shared.tax") { $0.tax },
        Column("net_per_thousand_coins", .number("@plan.net-per-1-000")) {
          $0.netPerThousand(planned).map {
            .formula(
              "1000*{gross}*{worth}*(1-{fee})/(1+{tax})/{coins}", .quotient($0, places: 4))
          } ?? .blank
        }.toTheMillionth,
      ],
      scripts: [
        "channel", "currency", "orders", "unknown", "gross", "coins", "rate", "fee", "tax",
        "net_per_thousand_coins",
      ])
  }
}

extension ChannelSales {
  /// The coins for one unit of money, and how many orders were left out; empty where nobody knows,
  /// and none was.
  fileprivate var rateWording: Wording {
    var text: Wording = rate.map { "@plan.coins-per \($0.text(places: 4)) \(currency)" } ?? ""
    if unknown > 0 { text += "@plan.without-price-or-coins \(unknown)" }
    return text
  }
}
