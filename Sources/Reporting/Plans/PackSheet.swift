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
  private var lists: PackLists
  private let pricePoints: PricePointSheet

  /// Prepares the price points that formulas need.
  init(_ plan: PackPlan) {
    self.plan = plan
    pricePoints = PricePointSheet(plan)
    lists = PackLists(plan)
    lists.ladders = pricePoints.ladders
  }

  /// The sheet of packs and, where prices are sought, that of the price points.
  func sheets() -> [Sheet] {
    let maker = BlockPlaces.settled(self, \.lists.places) { maker in
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
        + Array(repeating: width, count: lists.packs.columns.count - 2),
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
    names.append(Sheet.Name(name: name, column: PackLists.inputs, row: rows.next))
    addInput([.words(label), value])
  }

  /// Adds a row with a figure that may be changed.
  private mutating func addInput(_ cells: [Cell]) {
    rows.add(
      Row(cells: cells, accents: [Row.Accent(column: PackLists.inputs, style: .total)]))
  }

  /// Adds the exchange rates, which may be changed.
  private mutating func addRates() {
    addSection("@plan.exchange-rates-for-1 \(plan.baseCurrency)")
    lists.places.note(.rates, at: rows.next, count: lists.rates.count)
    for rate in lists.rates { addInput([.text(rate.currency.code), .quoted(rate.worth)]) }
  }

  /// Adds the packs on the other channel.
  private mutating func addCounterparts() {
    let body = rows.addTable(
      "@plan.packs-on-the-other-channel \(plan.channel.currency) \(plan.baseCurrency)",
      plan.counterparts, of: lists.counterparts)
    lists.places.note(.counterparts, at: body.firstRow, count: plan.counterparts.count)
  }

  /// Adds what the packs come to by storefront, and in all.
  private mutating func addStorefronts() {
    rows.addTable(
      "@plan.by-storefront \(plan.baseCurrency)", lists.sums + [lists.whole],
      of: lists.storefronts)
  }

  /// Adds the packs, now and as proposed, a row per pack and storefront.
  private mutating func addPacks() {
    let body = rows.addTable(
      "@plan.packs-now-and-as-proposed-worth \(plan.baseCurrency)", plan.rows, of: lists.packs)
    lists.places.note(.packs, at: body.firstRow, count: plan.rows.count)
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
  private var rows = PlacedRows(from: ListBody.sheet(count: 0).firstRow)
  /// Where the price points of each ladder stand.
  private(set) var ladders: [ListBody] = []
  private let list = List<PricePoint>.pricePoints

  /// The name of the sheet.
  static var name: String { say("@plan.price-points") }

  /// Makes the rows of all price points, and notes where those of each ladder stand.
  init(_ plan: PackPlan) {
    for ladder in plan.ladders {
      ladders.append(.table(from: rows.next, count: ladder.steps.count))
      var point: PricePoint?
      for step in ladder.steps {
        let counted = plan.target.counted(step.terms)
        let next = PricePoint(
          storefront: ladder.storefront, tier: step.tier.tier, terms: step.terms, counted: counted,
          reached: max(point?.reached ?? counted, counted), above: point == nil ? nil : rows.last)
        rows.add([next], of: list)
        point = next
      }
    }
  }

  /// The sheet of price points.
  var sheet: Sheet { Sheet(name: Self.name, columns: list.heads, rows: Rows(rows.rows)) }
}

/// A price point of a storefront, and what the search for a price looks at.
struct PricePoint {
  var storefront: Storefront
  var tier: String
  var terms: ProceedsTerms
  /// The part of its proceeds that coins are given for, in units of the price's money.
  var counted: Fraction
  /// The most that any of the storefront's price points up to this one has of it.
  var reached: Fraction
  /// The number of the row with the one before it; nil for the storefront's first.
  var above: Int?
}

extension List<PricePoint> {
  /// The columns of price points.
  static var pricePoints: List {
    let places = ProceedsPlaces(
      price: "{price}", tax: "{tax}", deducted: "{deducted}", commission: "{commission}")
    return List([
      Column("storefront", .text("@shared.storefront")) { .text($0.storefront.code) },
      Column("tier", .text("@shared.tier")) { .text($0.tier) },
      Column("currency", .text("@shared.currency")) { .text($0.terms.currency.code) },
      Column("price", .number("@shared.price")) { .money($0.terms.price, $0.terms.currency) },
      Column("tax", .number("@shared.tax")) { $0.terms.taxCell(places) },
      Column("deducted", .number("@plan.deducted")) { .ratio($0.terms.deducted) },
      Column("commission", .number("@shared.commission")) { $0.terms.commissionCell },
      Column("proceeds", .number("@shared.proceeds")) { $0.terms.proceedsCell(places) },
      Column("counted", .number("@plan.counted")) {
        .formula("MIN({proceeds},{price}*(1-margin))", .quotient($0.counted, places: 6))
      },
      Column("reached", .number("@plan.reached")) {
        .formula(
          $0.above.map { "MAX({reached@\($0)},{counted})" } ?? "{counted}",
          .quotient($0.reached, places: 6))
      },
    ])
  }
}

extension ProceedsTerms {
  /// The cell with the tax inside the price, which may follow from the commission's cell.
  func taxCell(_ places: ProceedsPlaces) -> Cell {
    taxFormula(commission: places.commission).map { .formula($0, .ratio(tax)) } ?? .ratio(tax)
  }

  /// The cell with a unit's proceeds by the rule.
  func proceedsCell(_ places: ProceedsPlaces) -> Cell {
    .formula(proceedsFormula(places), .money(proceeds, currency))
  }

  /// The cell with the commission, unless the sheet's own is set.
  var commissionCell: Cell {
    let own = decimalText(micros: commission)
    return .formula("IF(commission=\"\",\(own),commission)", .ratio(commission))
  }
}
