import Billing
import Languages
package import Pricing

/// Saves the plan as a workbook whose figures are formulas over its own cells. The same plan gives
/// the same bytes.
/// - Throws: `OutputError` where the file or a temporary file cannot be written.
package func writeWorkbook(_ plan: PackPlan, to path: String) throws(OutputError) {
  try write(
    PackSheet(plan).sheets(), titled: say("Packs, \(plan.day)"), made: plan.day, to: path,
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

    /// What of the packs is added up in it.
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

  init(_ plan: PackPlan) {
    self.plan = plan
    let own = PackPlan.Worth(currency: plan.channel.currency, worth: plan.channel.worth)
    pricePoints = PricePointSheet(plan)
    rates = plan.worths.contains { $0.currency == own.currency } ? plan.worths : plan.worths + [own]
  }

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
      name: say("Packs"),
      columns: [ColumnHead(title: "", width: 46...46), ColumnHead(title: "", width: 28...28)]
        + Array(repeating: width, count: Column.allCases.count - 2),
      rows: Rows(maker.rows.rows), hasHeader: false, frozenRows: 0, names: maker.names)
    return plan.ladders.isEmpty ? [sheet] : [sheet, pricePoints.sheet]
  }

  private mutating func add(_ cells: [Cell], _ style: Row.Style = .body) {
    rows.add(cells, style)
  }

  private mutating func addSection(_ title: Wording) {
    add([])
    add([.words(title)], .section)
  }

  /// A block of rows begins in the next one.
  private mutating func begin(_ block: Block, count: Int) {
    places.note(block, at: rows.next, count: count)
  }
}

extension PackSheet {
  private mutating func addHead() {
    add([.words("Packs from \(plan.day) on, compared with the catalogue")], .title)
    add([.words("\(plan.goal.wording) · \(plan.target.wording) · \(plan.volumes)")], .subtitle)
    addSection("Change a figure here, and everything below follows")
    addInput("channel_fee", "Other channel: fee, part of the price", .ratio(plan.channel.fee))
    var margin: Int64 = 0
    if case .margin(let deduction) = plan.target { margin = deduction }
    addInput("margin", "Keep a margin at this deduction (0: none)", .ratio(margin))
    var step: Int64 = 0
    if case .multiples(let multiple) = plan.rounding { step = multiple }
    addInput("rounding", "Coins in multiples of (0: convenient round figures)", .integer(step))
    addInput(
      "elasticity",
      """
      Elasticity of units (0: volumes are held constant)
      """, .rate(plan.elasticity))
    addInput("commission", "Apple's commission (empty: each row's own)", .blank)
  }

  private mutating func addInput(_ name: String, _ label: Wording, _ value: Cell) {
    names.append(Sheet.Name(name: name, column: Self.inputs, row: rows.next))
    addInput([.words(label), value], [Self.inputs])
  }

  private mutating func addInput(_ cells: [Cell], _ columns: [Int]) {
    rows.add(
      Row(cells: cells, accents: columns.map { Row.Accent(column: $0, style: .total) }))
  }

  private mutating func addRates() {
    addSection("Exchange rates: \(plan.baseCurrency) for 1")
    begin(.rates, count: rates.count)
    for rate in rates {
      addInput([.text(rate.currency.code), .quoted(rate.worth)], [Self.inputs])
    }
  }

  private func rateCell(_ currency: Currency) -> String {
    let place = rates.firstIndex { $0.currency == currency }!
    return "$\(columnLetters(Self.inputs))$\(places[.rates].row(of: place))"
  }

  private mutating func addCounterparts() {
    let money = plan.channel.currency
    addSection(
      "Packs on the other channel; prices in \(money), net per 1,000 coins in \(plan.baseCurrency)")
    add(
      .tableHeader(["product"], numbers: ["price", "coins", "coins per unit", "net per 1,000"]))
    begin(.counterparts, count: plan.counterparts.count)
    for pack in plan.counterparts {
      let number = rows.next
      func at(_ column: CounterpartColumn) -> String { "\(column.letter)\(number)" }
      let perMoney = Fraction(Int128(pack.coins) * 1_000_000, over: Int128(pack.price))
      let net = plan.channelNet(pack) * Fraction(1_000)
      addInput(
        [
          .text(pack.sku), .money(pack.price, money), .integer(pack.coins),
          .formula("\(at(.coins))/\(at(.price))", .quotient(perMoney, places: 4)),
          .formula(
            "1000*\(at(.price))*(1-channel_fee)*\(rateCell(money))/\(at(.coins))",
            .quotient(net, places: 4)),
        ], [CounterpartColumn.price.rawValue, CounterpartColumn.coins.rawValue])
    }
  }

  private mutating func add(_ row: Row) { rows.add(row) }

  private mutating func addStorefronts() {
    addSection("By storefront, in \(plan.baseCurrency)")
    add(
      .tableHeader(
        ["storefront"],
        numbers: [
          "units", "proposed units", "proceeds", "proposed proceeds", "difference",
          "against the other channel", "proposed against it",
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
      storefrontCells(.words("all storefronts"), plan.total()) { "SUM(\(range($0)))" }, .total)
  }

  private func range(_ column: Column) -> String {
    let (letter, packs) = (column.letter, places[.packs])
    return "\(letter)$\(packs.firstRow):\(letter)$\(packs.lastRow)"
  }

  private func storefrontCells(
    _ name: Cell, _ sum: PackPlan.Sum, _ formula: (Column) -> String
  ) -> [Cell] {
    StorefrontColumn.allCases.map { column in
      guard let source = column.source else { return name }
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

  private mutating func addPacks() {
    addSection(
      """
      Packs now and as proposed; worth in \(plan.baseCurrency), net per 1,000 coins compared with \
      the other channel's
      """)
    add(
      .tableHeader(
        ["storefront", "product", "currency", "tier", "proposed tier"],
        numbers: [
          "price", "proposed price", "tax", "deducted", "commission", "proceeds",
          "proposed proceeds", "deduction", "worth", "coins", "equal net", "of this storefront",
          "proposed coins", "coins per unit", "proposed coins per unit", "net per 1,000",
          "proposed net per 1,000", "other channel's net per 1,000", "against it",
          "proposed against it", "units", "proposed units", "proceeds", "proposed proceeds",
          "difference", "against the other channel", "proposed against it", "needed",
          "price point",
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

  private mutating func addNotes() {
    guard !plan.notes.isEmpty else { return }
    addSection("Notes")
    for note in plan.notes { add([.words(note)]) }
  }
}

extension PackPlan.Goal {
  var wording: Wording {
    switch self {
    case .coins: "prices stay as they are, coins are calculated"
    case .prices: "coins stay as they are, prices are calculated"
    }
  }
}

extension PackPlan {
  /// Which units the sums are of.
  var volumes: Wording {
    let volumes: Wording = period.map { "volumes of \($0)" } ?? "one unit of each pack"
    return elasticity == 0
      ? "\(volumes), held constant" : "\(volumes), elasticity \(decimalText(micros: elasticity))"
  }
}

/// Apple's price points in each storefront, where the proposed prices are looked for.
struct PricePointSheet {
  private let plan: PackPlan
  private var rows = PlacedRows(from: ListBody.sheet(count: 0).firstRow)
  /// Where the price points of each ladder stand.
  private(set) var ladders: [ListBody] = []

  static var name: String { say("Price points") }

  enum Column: Int, CaseIterable, SheetColumn {
    case storefront, tier, currency, price, tax, deducted, commission, proceeds, counted, reached
  }

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

  var sheet: Sheet {
    Sheet(
      name: Self.name,
      columns: [
        .text("storefront"), .text("tier"), .text("currency"), .number("price"), .number("tax"),
        .number("deducted"), .number("commission"), .number("proceeds"), .number("counted"),
        .number("reached"),
      ], rows: Rows(rows.rows))
  }

  private func cells(
    _ storefront: Storefront, _ step: PackPlan.Ladder.Step, _ number: Int
  ) -> [Cell] {
    let terms = step.terms
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

  /// What of the proceeds counts for coins, and the most that any price point up to here leaves.
  private func searchCells(
    _ counted: Fraction, _ most: Fraction, _ number: Int, isFirst: Bool
  ) -> [Cell] {
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
  /// The commission, unless the sheet's own is set.
  var commissionCell: Cell {
    let own = decimalText(micros: commission)
    return .formula("IF(commission=\"\",\(own),commission)", .ratio(commission))
  }
}
