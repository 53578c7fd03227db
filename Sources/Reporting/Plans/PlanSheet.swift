import Billing
import Languages
package import Pricing

/// Saves the plan as a workbook whose figures are formulas over its own cells. The same plan gives
/// the same bytes.
/// - Throws: `OutputError` where the file or a temporary file cannot be written.
package func writeWorkbook(_ plan: RatePlan, to path: String) throws(OutputError) {
  try write(
    [PlanSheet(plan).sheet()], titled: say("Exchange-rate plan \(plan.day)"), made: plan.day,
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
      name: say("Exchange-rate plan"), columns: Self.columns, rows: Rows(maker.rows.rows),
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

  mutating func addSection(_ title: Wording) {
    add([])
    add([.words(title)], .section)
  }

  /// A block of rows begins in the next one.
  mutating func begin(_ block: Block, count: Int) {
    places.note(block, at: rows.next, count: count)
  }
}

extension PlanSheet {
  private mutating func addHead() {
    add([.words("Exchange-rate plan for \(plan.day)")], .title)
    let volumes: Wording = plan.period.map { "volumes of \($0)" } ?? "no volumes"
    add(
      [
        .words(
          """
          coins per unit of money on Apple's channel · \(plan.target.wording) · base currency \
          \(plan.baseCurrency) · \(volumes)
          """)
      ], .subtitle)
  }

  private mutating func addInputs() {
    let channel = plan.channel
    addSection("Change a figure here, and everything below follows")
    addInput("channel_rate", "Other channel: coins per \(channel.currency)", .rate(channel.rate))
    addInput("channel_fee", "Other channel: fee, part of the price", .ratio(channel.fee))
    addInput(
      "channel_worth", "\(plan.baseCurrency) for 1 \(channel.currency)",
      channel.worth.map { .quoted($0) } ?? .words("no rate loaded"))
    var margin: Int64 = 0
    if case .margin(let deduction) = plan.target { margin = deduction }
    addInput("margin", "Keep a margin at this deduction (0: none)", .ratio(margin))
    addInput("rounding", "Round down to multiples of", .integer(plan.rounding.step))
    addInput(
      "lowest_rate", "Never below, coins per \(channel.currency) (0: no floor)",
      .rate(plan.rounding.floor ?? 0))
    addInput(
      "commission", "Apple's commission (empty: each row's own)", .blank)
    addInput("threshold", "Mark coins cheaper than the most expensive by", .ratio(plan.threshold))
    let net = plan.channel.netPerThousand
    add([
      .words("Other channel: net of 1,000 coins, \(plan.baseCurrency)"),
      net.map {
        .formula("1000*channel_worth*(1-channel_fee)/channel_rate", .quotient($0, places: 4))
      }
        ?? .blank,
    ])
  }

  private mutating func addInput(_ name: String, _ label: Wording, _ value: Cell) {
    names.append(Sheet.Name(name: name, column: Self.inputs, row: rows.next))
    add(
      Row(cells: [.words(label), value], accents: [Row.Accent(column: Self.inputs, style: .total)]))
  }

  private mutating func addChannels() {
    guard !plan.channelSales.isEmpty else { return }
    addSection(
      """
      Paid orders of other channels in \(plan.period.map(\.description) ?? ""), worth and net in \
      \(plan.baseCurrency)
      """)
    let list = List.channelSales(fee: plan.channel.fee)
    add(list.header)
    rows.add(plan.channelSales, of: list)
  }

  private mutating func addReasons() {
    let texts = plan.reasons + plan.notes
    guard !texts.isEmpty else { return }
    addSection("Why, and what else to know")
    for text in texts { add([.words(text)]) }
  }
}

extension List<ChannelSales> {
  /// - Parameter fee: of the channel, millionths of the price.
  fileprivate static func channelSales(fee: Int64) -> List {
    List([
      Column(.text("channel")) { .text($0.channel) },
      Column(.text("currency")) { .text($0.currency.code) },
      Column(.number("orders")) { .integer(Int64($0.orders)) },
      Column("paid", .number("paid")) { .money($0.gross, $0.currency) },
      Column("coins", .number("coins")) { .integer($0.coins) },
      Column(.number("coins per unit")) {
        $0.rate.map { .formula("{coins}/{paid}", .quotient($0, places: 4)) } ?? .blank
      },
      Column("worth", .number("worth")) { .quoted(ifAny: $0.worth) },
      Column(.number("net per 1,000")) {
        $0.netPerThousand(fee: fee).map {
          .formula("1000*{paid}*{worth}*(1-channel_fee)/{coins}", .quotient($0, places: 4))
        } ?? .blank
      },
    ])
  }
}
