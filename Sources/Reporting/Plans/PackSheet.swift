import Billing
import Languages
package import Pricing

/// Saves the plan as a workbook whose figures are formulas over its own cells. The same plan gives
/// the same bytes.
/// - Throws: `OutputError` where the file or a temporary file cannot be written.
package func writeWorkbook(_ plan: PackPlan, to path: String) throws(OutputError) {
  try write(
    PackSheet(plan).sheets(), titled: say("@plan.packs-2 \(plan.day)"), made: plan.day, to: path,
    limits: .excel)
}

/// The sheets of a plan of packs: what may be changed at the top, the packs as formulas that
/// follow, and the price points where prices are sought.
struct PackSheet {
  let plan: PackPlan
  private(set) var rows = PlacedRows()
  private var names: [Sheet.Name] = []
  private let rates: [PackPlan.Worth]
  private var places = BlockPlaces<Block>()
  private let pricePoints: PricePointSheet

  /// What formulas point at.
  private enum Block { case rates, counterparts, packs }

  /// Columns of the packs, in their order.
  enum Column: Int, CaseIterable, SheetColumn {
    case storefront, product, currency, tier, proposedTier, price, proposedPrice, tax, deducted
    case commission, proceeds, proposedProceeds, taken, worth, coins, exact, own, proposedCoins
    case perMoney, proposedPerMoney, net, proposedNet, channelNet, against, proposedAgainst
    case units, proposedUnits, sum, proposedSum, difference, ahead, proposedAhead, needed, step
  }

  /// Columns of the packs of the other channel, in their order.
  enum CounterpartColumn: Int, SheetColumn { case product, price, coins, perMoney, net }

  /// Columns of the storefronts, in their order.
  enum StorefrontColumn: Int, CaseIterable, SheetColumn {
    case storefront, units, proposedUnits, sum, proposedSum, difference, ahead, proposedAhead

    /// The column of the packs that is added up in it; nil for the storefront's name.
    var source: Column? {
      switch self {
      case .storefront: nil
      case .units: .units
      case .proposedUnits: .proposedUnits
      case .sum: .sum
      case .proposedSum: .proposedSum
      case .difference: .difference
      case .ahead: .ahead
      case .proposedAhead: .proposedAhead
      }
    }
  }

  /// The column of the figures that may be changed.
  private static let inputs = 1

  /// Prepares the price points and the exchange rates that formulas need.
  init(_ plan: PackPlan) {
    self.plan = plan
    let own = PackPlan.Worth(currency: plan.channel.currency, worth: plan.channel.worth)
    pricePoints = PricePointSheet(plan)
    rates = plan.worths.contains { $0.currency == own.currency } ? plan.worths : plan.worths + [own]
  }

  /// The sheet of packs and, where prices are sought, that of the price points.
  func sheets() -> [Sheet] {
    let maker = BlockPlaces.settled(self, \.places) { maker in
      maker.addHead()
      maker.addRates()
      maker.addCounterparts()
      maker.addStorefronts()
      maker.addPacks()
      maker.addNotes()
    }
    let width = ColumnHead(title: "", width: 13...13)
    let sheet = Sheet(
      name: say("@plan.packs"),
      columns: [ColumnHead(title: "", width: 46...46), ColumnHead(title: "", width: 28...28)]
        + Array(repeating: width, count: Column.allCases.count - 2),
      rows: Rows(maker.rows.rows), hasHeader: false, frozenRows: 0, names: maker.names)
    return plan.ladders.isEmpty ? [sheet] : [sheet, pricePoints.sheet]
  }

  private mutating func add(_ cells: [Cell], _ style: Row.Style = .body) {
    rows.add(cells, style)
  }

  /// Adds an empty row and a title.
  private mutating func addSection(_ title: Wording) {
    add([])
    add([.words(title)], .section)
  }

  /// Notes that a block of so many rows begins in the next one.
  private mutating func begin(_ block: Block, count: Int) {
    places.note(block, at: rows.next, count: count)
  }
}

extension PackSheet {
  /// Adds the title, by what the plan was made, and the figures that may be changed.
  private mutating func addHead() {
    add([.words("@plan.packs-from-on-compared \(plan.day)")], .title)
    add([.words("\(plan.goal.wording) · \(plan.target.wording) · \(plan.volumes)")], .subtitle)
    addSection("@plan.change-a-figure-here")
    addInput("channel_fee", "@plan.other-channel-fee-part", .ratio(plan.channel.costs.fee))
    addInput("channel_tax", "@plan.other-channel-tax", .ratio(plan.channel.costs.tax))
    var margin: Int64 = 0
    if case .margin(let deduction) = plan.target { margin = deduction }
    addInput("margin", "@plan.keep-a-margin", .ratio(margin))
    var step: Int64 = 0
    if case .multiples(let multiple) = plan.rounding { step = multiple }
    addInput("rounding", "@plan.coins-in-multiples-of-0", .integer(step))
    addInput(
      "elasticity",
      "@plan.elasticity-of-units-0-volumes", .rate(plan.elasticity))
    addInput("commission", "@plan.apple-commission-empty-each-row", .blank)
  }

  /// Adds a figure that may be changed.
  ///
  /// - Parameter name: by which formulas call its cell.
  private mutating func addInput(_ name: String, _ label: Wording, _ value: Cell) {
    names.append(Sheet.Name(name: name, column: Self.inputs, row: rows.next))
    addInput([.words(label), value], [Self.inputs])
  }

  /// Adds a row in which the cells of some columns may be changed.
  private mutating func addInput(_ cells: [Cell], _ columns: [Int]) {
    rows.add(
      Row(cells: cells, accents: columns.map { Row.Accent(column: $0, style: .total) }))
  }

  /// Adds the exchange rates, which may be changed.
  private mutating func addRates() {
    addSection("@plan.exchange-rates-for-1 \(plan.baseCurrency)")
    begin(.rates, count: rates.count)
    for rate in rates {
      addInput([.text(rate.currency.code), .quoted(rate.worth)], [Self.inputs])
    }
  }

  /// The cell with a currency's exchange rate, base currency for one of it.
  private func rateCell(_ currency: Currency) -> String {
    let place = rates.firstIndex { $0.currency == currency }!
    return "$\(columnLetters(Self.inputs))$\(places[.rates].row(of: place))"
  }

  /// Adds the packs on the other channel, whose prices and coins may be changed.
  private mutating func addCounterparts() {
    let money = plan.channel.currency
    addSection(
      "@plan.packs-on-the-other-channel \(money) \(plan.baseCurrency)")
    add(
      .tableHeader(
        ["@shared.product"],
        numbers: ["@shared.price", "@shared.coins", "@plan.coins-per-unit", "@plan.net-per-1-000"]))
    begin(.counterparts, count: plan.counterparts.count)
    for pack in plan.counterparts {
      let number = rows.next
      /// The cell of the pack's row in a column, as formulas write it.
      func at(_ column: CounterpartColumn) -> String { "\(column.letter)\(number)" }
      let perMoney = Fraction(Int128(pack.coins) * 1_000_000, over: Int128(pack.price))
      let net = plan.channelNet(pack) * Fraction(1_000)
      addInput(
        [
          .text(pack.sku), .money(pack.price, money), .integer(pack.coins),
          .formula("\(at(.coins))/\(at(.price))", .quotient(perMoney, places: 4)),
          .formula(
            "1000*\(at(.price))*\(leftOfChannel)*\(rateCell(money))/\(at(.coins))",
            .quotient(net, places: 4)),
        ], [CounterpartColumn.price.rawValue, CounterpartColumn.coins.rawValue])
    }
  }

  private mutating func add(_ row: Row) { rows.add(row) }

  /// Adds what the packs come to by storefront, and in all.
  private mutating func addStorefronts() {
    addSection("@plan.by-storefront \(plan.baseCurrency)")
    add(
      .tableHeader(
        ["@shared.storefront"],
        numbers: [
          "@shared.units", "@plan.proposed-units", "@shared.proceeds", "@plan.proposed-proceeds",
          "@shared.difference-2",
          "@plan.against-the-other-channel", "@plan.proposed-against",
        ]))
    for storefront in plan.storefronts {
      let number = rows.next
      let key = "$\(Column.storefront.letter)"
      add(
        storefrontCells(.text(storefront.code), plan.total(storefront)) { column in
          "SUMIF(\(range(.storefront)),\(key)\(number),\(range(column)))"
        })
    }
    add(
      storefrontCells(.words("@shared.all-storefronts"), plan.total()) { "SUM(\(range($0)))" },
      .total)
  }

  /// The cells of a column of the packs.
  private func range(_ column: Column) -> String {
    let (letter, packs) = (column.letter, places[.packs])
    return "\(letter)$\(packs.firstRow):\(letter)$\(packs.lastRow)"
  }

  /// The cells of a row of the table by storefront: a name, and what packs come to.
  ///
  /// - Parameters:
  ///   - sum: what they come to.
  ///   - formula: adds up a column of the packs.
  private func storefrontCells(
    _ name: Cell, _ sum: PackPlan.Sum, _ formula: (Column) -> String
  ) -> [Cell] {
    StorefrontColumn.allCases.map { column in
      guard let source = column.source else { return name }
      /// The cell of micro-units of base currency.
      func money(_ amount: Int64) -> Cell { .money(amount, plan.baseCurrency) }
      let value: Cell =
        switch column {
        case .storefront: .blank
        case .units: .integer(sum.units)
        case .proposedUnits: .integer(sum.proposedUnits)
        case .sum: money(sum.proceeds)
        case .proposedSum: money(sum.proposedProceeds)
        case .difference: money(sum.difference)
        case .ahead: money(sum.ahead)
        case .proposedAhead: money(sum.proposedAhead)
        }
      return .formula(formula(source), value)
    }
  }

  /// Adds the packs, now and as proposed, a row per pack and storefront.
  private mutating func addPacks() {
    addSection(
      "@plan.packs-now-and-as-proposed-worth \(plan.baseCurrency)")
    add(
      .tableHeader(
        [
          "@shared.storefront", "@shared.product", "@shared.currency", "@shared.tier",
          "@plan.proposed-tier",
        ],
        numbers: [
          "@shared.price", "@plan.proposed-price", "@shared.tax", "@plan.deducted",
          "@shared.commission", "@shared.proceeds",
          "@plan.proposed-proceeds", "@shared.deduction", "@plan.worth", "@shared.coins",
          "@plan.equal-net", "@plan.of-this-storefront",
          "@plan.proposed-coins", "@plan.coins-per-unit", "@plan.proposed-coins-per-unit",
          "@plan.net-per-1-000",
          "@plan.proposed-net-per-1-000", "@plan.other-channel-net-per-1", "@plan.against",
          "@plan.proposed-against", "@shared.units", "@plan.proposed-units", "@shared.proceeds",
          "@plan.proposed-proceeds",
          "@shared.difference-2", "@plan.against-the-other-channel", "@plan.proposed-against",
          "@plan.needed",
          "@plan.price-point",
        ]))
    begin(.packs, count: plan.rows.count)
    let packs = places[.packs]
    for (index, row) in plan.rows.enumerated() {
      // Where prices are sought, coins are nobody else's.
      let same = plan.rows.indices.filter {
        plan.goal == .prices
          ? $0 == index : plan.rows[$0].group == row.group && plan.rows[$0].sku == row.sku
      }
      let group = packs.row(of: same.first!)...packs.row(of: same.last!)
      precondition(same.count == group.count, "packs with the same coins stand together")
      let cells = PackCells(
        row: row, plan: plan,
        places: PackCells.Places(
          number: rows.next, rate: rateCell(row.now.currency),
          channelRate: rateCell(plan.channel.currency),
          counterpart: places[.counterparts].row(of: row.counterpart), group: group,
          ladder: row.ladder.map { pricePoints.ladders[$0].rows }))
      add(cells.cells)
    }
  }

  /// Adds the plan's notes; nothing without any.
  private mutating func addNotes() {
    guard !plan.notes.isEmpty else { return }
    addSection("@shared.notes")
    for note in plan.notes { add([.words(note)]) }
  }
}

extension PackPlan.Goal {
  /// What the plan looks for, in words: coins, or prices.
  var wording: Wording {
    switch self {
    case .coins: "@plan.prices-stay-as-they"
    case .prices: "@plan.coins-stay-as-they"
    }
  }
}

extension PackPlan {
  /// Which units the sums are of, in words.
  var volumes: Wording {
    let volumes: Wording = period.map { "@plan.volumes-2 \($0)" } ?? "@plan.one-unit-of-each-pack"
    return elasticity == 0
      ? "@plan.held-constant \(volumes)"
      : "@plan.elasticity \(volumes) \(decimalText(micros: elasticity))"
  }
}

/// Apple's price points in each storefront, where the proposed prices are looked for.
struct PricePointSheet {
  private let plan: PackPlan
  private var rows = PlacedRows(from: ListBody.sheet(count: 0).firstRow)
  /// Where the price points of each ladder stand.
  private(set) var ladders: [ListBody] = []

  /// The name of the sheet.
  static var name: String { say("@plan.price-points") }

  /// Columns of the price points, in their order.
  enum Column: Int, CaseIterable, SheetColumn {
    case storefront, tier, currency, price, tax, deducted, commission, proceeds, counted, reached
  }

  /// Makes the rows of all price points, and notes where those of each ladder stand.
  init(_ plan: PackPlan) {
    self.plan = plan
    for ladder in plan.ladders {
      ladders.append(.table(from: rows.next, count: ladder.steps.count))
      var reached: Fraction?
      for step in ladder.steps {
        let counted = plan.target.counted(step.terms)
        let most = max(reached ?? counted, counted)
        rows.add(
          cells(ladder.storefront, step, rows.next)
            + searchCells(counted, most, rows.next, isFirst: reached == nil))
        reached = most
      }
    }
  }

  /// The sheet of price points.
  var sheet: Sheet {
    Sheet(
      name: Self.name,
      columns: [
        .text("@shared.storefront"), .text("@shared.tier"), .text("@shared.currency"),
        .number("@shared.price"), .number("@shared.tax"),
        .number("@plan.deducted"), .number("@shared.commission"), .number("@shared.proceeds"),
        .number("@plan.counted"),
        .number("@plan.reached"),
      ], rows: Rows(rows.rows))
  }

  /// The cells of a price point: price, deductions and proceeds.
  ///
  /// - Parameter number: of the row in the sheet.
  private func cells(
    _ storefront: Storefront, _ step: PackPlan.Ladder.Step, _ number: Int
  ) -> [Cell] {
    let terms = step.terms
    /// The cell of the row in a column, as formulas write it.
    func at(_ column: Column) -> String { "\(column.letter)\(number)" }
    let tax = Cell.ratio(terms.tax)
    return [
      .text(storefront.code), .text(step.tier.tier), .text(terms.currency.code),
      .money(terms.price, terms.currency),
      terms.taxFormula(commission: at(.commission)).map { .formula($0, tax) } ?? tax,
      .ratio(terms.deducted), terms.commissionCell,
      .formula(
        terms.proceedsFormula(
          ProceedsPlaces(
            price: at(.price), tax: at(.tax), deducted: at(.deducted),
            commission: at(.commission))), .money(terms.proceeds, terms.currency)),
    ]
  }

  /// The two cells of a price point that the search for a price looks at: the part of its proceeds
  /// that coins are given for, and the most that any price point up to this one has of it.
  ///
  /// - Parameters:
  ///   - counted: the figure of the first cell, in units of the price's money.
  ///   - most: the figure of the second.
  ///   - number: of the row in the sheet.
  ///   - isFirst: whether no price point of the storefront stands before it.
  private func searchCells(
    _ counted: Fraction, _ most: Fraction, _ number: Int, isFirst: Bool
  ) -> [Cell] {
    /// The cell of a row, by its number, in a column.
    func at(_ column: Column, _ row: Int) -> String { "\(column.letter)\(row)" }
    let own = at(.counted, number)
    return [
      .formula(
        "MIN(\(at(.proceeds, number)),\(at(.price, number))*(1-margin))",
        .quotient(counted, places: 6)),
      .formula(
        isFirst ? own : "MAX(\(at(.reached, number - 1)),\(own))", .quotient(most, places: 6)),
    ]
  }
}

extension ProceedsTerms {
  /// The cell with the commission, unless the sheet's own is set.
  var commissionCell: Cell {
    let own = decimalText(micros: commission)
    return .formula("IF(commission=\"\",\(own),commission)", .ratio(commission))
  }
}
