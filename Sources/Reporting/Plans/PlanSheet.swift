import Billing
import Languages
package import Pricing

/// Saves the plan as a workbook whose figures are formulas over its own cells. The same plan gives
/// the same bytes.
/// - Throws: `OutputError` where the file or a temporary file cannot be written.
package func writeWorkbook(_ plan: RatePlan, to path: String) throws(OutputError) {
  try write(
    [PlanSheet(plan).sheet()], titled: say("@plan.exchange-rate-plan-2 \(plan.day)"),
    made: plan.day,
    to: path,
    limits: .excel)
}

/// The sheet of a plan: what may be changed at the top, under names, and everything else as
/// formulas that follow.
struct PlanSheet {
  let plan: RatePlan
  private(set) var rows = PlacedRows()
  private var names: [Sheet.Name] = []
  var places = BlockPlaces<Block>()

  /// What formulas point at.
  enum Block { case storefronts, rates }

  /// Columns of the table of rates, in their order.
  enum Column: Int, CaseIterable, SheetColumn {
    case storefront, product, currency, price, tax, deducted, commission, proceeds, taken, worth
    case unit, equalNet, planned, coins, net, presentCoins, presentNet, units, gross, paid
    case paidTaken, paidEqualNet, paidPlanned, difference, grossWorth, paidWorth, listWorth
  }

  /// Columns of the table of storefronts, in their order.
  enum StorefrontColumn: Int, SheetColumn {
    case storefront, origin, lowestRate, coins, net, price, netMark, priceMark
  }

  /// Columns of the table of choices, in their order.
  enum ChoiceColumn: Int, SheetColumn {
    case group, choice, currency, unit, left, equalNet, planned, gain
  }

  /// The column of the figures that may be changed.
  private static let inputs = 1

  init(_ plan: RatePlan) { self.plan = plan }

  /// The sheet with inputs under names, formulas that follow from them, and the chart.
  func sheet() -> Sheet {
    let maker = BlockPlaces.settled(self, \.places) { maker in
      maker.addHead()
      maker.addInputs()
      // The chart stands beside the inputs and ends above the tables.
      maker.rows.fill(before: Self.chartRows + 1)
      maker.addStorefronts()
      maker.addChoices()
      maker.addRates()
      maker.addChannels()
      maker.addReasons()
    }
    return Sheet(
      name: say("@plan.exchange-rate-plan"), columns: Self.columns, rows: Rows(maker.rows.rows),
      hasHeader: false,
      frozenRows: 1, frozenColumns: 2, charts: [maker.chart()], names: maker.names,
      printedColumns: Column.allCases.count, repeatedRow: maker.places[.rates].firstRow - 1)
  }

  /// Rows above the tables, where inputs and chart stand.
  static let chartRows = 20
  private static let columns =
    [ColumnHead(title: "", width: 46...46), ColumnHead(title: "", width: 28...28)]
    + Array(repeating: ColumnHead(title: "", width: 13...13), count: 25)

  mutating func add(_ row: Row) { rows.add(row) }

  mutating func add(_ cells: [Cell], _ style: Row.Style = .body) { rows.add(cells, style) }

  /// Adds an empty row and a title.
  mutating func addSection(_ title: Wording) {
    add([])
    add([.words(title)], .section)
  }

  /// Notes that a block of so many rows begins in the next one.
  mutating func begin(_ block: Block, count: Int) {
    places.note(block, at: rows.next, count: count)
  }
}

extension PlanSheet {
  /// Adds the title, and by what the plan was made.
  private mutating func addHead() {
    add([.words("@plan.exchange-rate-plan-3 \(plan.day)")], .title)
    let volumes: Wording = plan.period.map { "@plan.volumes-2 \($0)" } ?? "@plan.no-volumes"
    add(
      [
        .words(
          """
          @plan.coins-per-unit-of-money-on-apple \(plan.target.wording) \(plan.baseCurrency) \
          \(volumes)
          """)
      ], .subtitle)
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
    addInput(
      "commission", "@plan.apple-commission-empty-each-row", .blank)
    addInput("threshold", "@plan.mark-coins-cheaper-than", .ratio(plan.threshold))
    let net = plan.channel.netPerThousand
    add([
      .words("@plan.other-channel-net-of-1 \(plan.baseCurrency)"),
      net.map {
        .formula("1000*channel_worth*\(leftOfChannel)/channel_rate", .quotient($0, places: 4))
      }
        ?? .blank,
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

  /// Adds the paid orders of other channels; nothing without any.
  private mutating func addChannels() {
    guard !plan.channelSales.isEmpty else { return }
    addSection(
      """
      @plan.paid-orders-of-other-channels \(plan.period.map(\.description) ?? "") \
      \(plan.baseCurrency)
      """)
    let list = List.channelSales(plan.channel.costs)
    add(list.header)
    rows.add(plan.channelSales, of: list)
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
  fileprivate static func channelSales(_ planned: ChannelCosts) -> List {
    /// A column of what a channel takes, from its own costs or the plan's inputs.
    func cost(
      _ column: String, _ title: Wording, _ part: @escaping @Sendable (ChannelCosts) -> Int64
    ) -> Column<ChannelSales> {
      Column(column, .number(title)) { sales in
        sales.costs.map { .ratio(part($0)) }
          ?? .formula("channel_\(column)", .ratio(part(planned)))
      }
    }
    return List([
      Column(.text("@plan.channel")) { .text($0.channel) },
      Column(.text("@shared.currency")) { .text($0.currency.code) },
      Column(.number("@shared.orders")) { .integer(Int64($0.orders)) },
      Column("paid", .number("@shared.paid")) { .money($0.gross, $0.currency) },
      Column("coins", .number("@shared.coins")) { .integer($0.coins) },
      Column(.number("@plan.coins-per-unit")) {
        $0.rate.map { .formula("{coins}/{paid}", .quotient($0, places: 4)) } ?? .blank
      },
      Column("worth", .number("@plan.worth")) { .quoted(ifAny: $0.worth) },
      cost("fee", "@plan.fee") { $0.fee }, cost("tax", "@shared.tax") { $0.tax },
      Column(.number("@plan.net-per-1-000")) {
        $0.netPerThousand(planned).map {
          .formula(
            "1000*{paid}*{worth}*(1-{fee})/(1+{tax})/{coins}", .quotient($0, places: 4))
        } ?? .blank
      },
    ])
  }
}
