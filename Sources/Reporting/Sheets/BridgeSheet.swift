import Billing
import Languages
import Conclusions

/// All bridges side by side: a row per step, a column per storefront and currency, the total left.
///
/// The body is in base currency where every currency has a rate, and what it is converted from
/// stands below; else the body is in each storefront's currency.
struct BridgeMatrix {
  private let contents: WorkbookContents
  private let shown: ShownBridges

  /// Columns before those of the storefronts.
  private enum Left: Int, CaseIterable, SheetColumn { case cause, total, units, open, findings }

  /// How many columns stand before those of the storefronts.
  private var leftCount: Int { summary == nil ? 2 : Left.allCases.count }
  private var base: Currency { contents.reconciliation.baseCurrency }

  /// Takes the bridges of a workbook; nil where there are none.
  init?(_ contents: WorkbookContents) {
    guard let shown = contents.shownBridges else { return nil }
    (self.contents, self.shown) = (contents, shown)
  }

  private var summary: Bridge? { shown.summary }
  private var bridges: [Bridge] { shown.parts }
  private var steps: [ShownStep] { shown.steps }

  /// The number of the row of the shown step at an index, as the reader sees it.
  private func row(_ index: Int) -> Int { 2 + index }

  /// The number of the row of a cause's first step; nil where it has none.
  private func row(of cause: BridgeCause) -> Int? {
    steps.firstIndex { $0.cause == cause }.map { row($0) }
  }

  /// The cell with the total of a cause's first step, as formulas write it; nil without totals.
  func totalReference(of cause: BridgeCause) -> String? {
    guard summary != nil, let row = row(of: cause) else { return nil }
    return "\(quoted(sheet: say("@shared.bridge")))!$\(Left.total.letter)$\(row)"
  }

  /// The cell with a part of the difference over all storefronts, as formulas write it; nil without
  /// totals.
  func partReference(of part: BridgePart) -> String? {
    guard summary?.reachesApple == true, row(of: .ledger) != nil else { return nil }
    // Below the title and the difference.
    let row = firstPart + 2 + part.rawValue
    return "\(quoted(sheet: say("@shared.bridge")))!$\(Left.total.letter)$\(row)"
  }

  /// The place of a cause's first step; nil where it has no row.
  func place(of cause: BridgeCause) -> Place? {
    row(of: cause).map { Place(sheet: say("@shared.bridge"), row: $0) }
  }

  /// The cell with the rate of a storefront's amounts, as formulas write it; nil without totals, or
  /// without amounts.
  func rateReference(of storefront: Storefront?, _ currency: Currency) -> String? {
    let code = storefront?.code ?? "??"
    guard summary != nil,
      let place = bridges.firstIndex(where: { $0.storefront == code && $0.currency == currency })
    else { return nil }
    return "\(quoted(sheet: say("@shared.bridge")))!$\(letter(place))$\(rateRow)"
  }

  /// The sheet of the bridges, and below them the parts of the difference, amounts in each
  /// currency, and refunds.
  func sheet() -> Sheet {
    let body = steps.indices.map { summary == nil ? ownRow($0, from: 2) : baseRow($0) }
    var below = PlacedRows(below: .sheet(count: steps.count))
    addParts(to: &below)
    if summary != nil { addOwn(to: &below) }
    addRefunds(to: &below)
    return Sheet(
      name: say("@shared.bridge"), columns: heads, rows: Rows(body), totals: below.rows,
      frozenColumns: summary == nil ? 1 : 2, printedColumns: heads.count - 1)
  }

  /// The columns: cause, total, units, findings, then one per storefront, and what the step is.
  private var heads: [ColumnHead] {
    let left: [ColumnHead] =
      summary == nil
      ? [.text("@shared.cause", 6...44), .text("@shared.findings")]
      : [
        .text("@shared.cause", 6...44), .number("@sheet.total-in \(base)"),
        .number("@shared.units"),
        .number("@shared.open"), .text("@shared.findings"),
      ]
    let places = bridges.map { bridge in
      ColumnHead.number(Wording(verbatim: "\(bridge.storefront) \(bridge.currency)"))
    }
    return left + places + [.text("@shared.what-it-is", 10...90).grouped]
  }

  /// The letters of the column of the bridge at an index.
  private func letter(_ place: Int) -> String { columnLetters(leftCount + place) }

  /// The indices of the total before a step and of the total that it leads to; nil where it stands
  /// between no totals.
  private func totals(around index: Int) -> (before: Int, after: Int)? {
    guard let before = steps[..<index].lastIndex(where: \.cause.isTotal),
      let after = steps[(index + 1)...].firstIndex(where: \.cause.isTotal)
    else { return nil }
    return (before, after)
  }

  /// The row of the shown step at an index, in the colour of its cause.
  private func row(_ index: Int, _ cells: [Cell]) -> Row {
    let cause = steps[index].cause
    var row = Row(cells: cells, style: cause.isTotal ? .total : .body)
    row.tints = [Row.Tint(column: 0, meaning: .cause(CauseFamily(cause)))]
    return row
  }

  /// The cell that leads to the first finding about a cause; blank where there is none.
  private func findings(_ cause: BridgeCause) -> Cell {
    .link(ifAny: contents.findingPlace(of: cause))
  }

  /// The cell with a cause's name. It leads to where the step's units are listed, unless the step
  /// has findings: another cell leads to those.
  private func name(_ cause: BridgeCause) -> Cell {
    guard contents.findingPlace(of: cause) == nil, let place = contents.place(of: cause)
    else { return .words(cause.label) }
    return .link(place, say(cause.label))
  }

  // MARK: - In base currency

  /// The row of the step at an index in base currency: formulas over the rows in each storefront's
  /// currency.
  private func baseRow(_ index: Int) -> Row {
    let cause = steps[index].cause
    let all = shown.stepsOfAll[steps[index].number]
    let values = bridges.indices.map { inBase(index, $0) }
    var cells: [Cell] = [
      name(cause), total(index, values), .integer(ifAny: all?.units),
      .money(ifAny: all.flatMap { $0.open.isZero ? nil : $0.open }), findings(cause),
    ]
    for (place, value) in values.enumerated() {
      guard let value else {
        cells.append(.blank)
        continue
      }
      if cause == .rounding {
        cells.append(.formula(rounding(index, place), .money(value)))
      } else {
        let own = "\(letter(place))\(ownRow(of: index))"
        let rate = "\(letter(place))$\(rateRow)"
        cells.append(.formula("ROUND(\(own)*\(rate),\(base.minorDigits))", .money(value)))
      }
    }
    return row(index, cells + [.words(cause.meaning)])
  }

  /// What a step of one storefront's bridge is worth in base currency; of rounding, what the total
  /// after it leaves beside the other steps. Nil where the bridge has no such step.
  ///
  /// - Parameters:
  ///   - index: of the shown step.
  ///   - place: the index of the storefront's bridge.
  private func inBase(_ index: Int, _ place: Int) -> Money? {
    let month = contents.reconciliation
    guard steps[index].cause == .rounding else {
      return shown.stepsOfParts[place][steps[index].number].flatMap { month.inBase($0.amount) }
    }
    guard let (before, after) = totals(around: index) else { return nil }
    let parts = (before..<after).filter { steps[$0].cause != .rounding }
      .compactMap { inBase($0, place) }
    return inBase(after, place).map { $0 - parts.sum(in: base, \.self) }
  }

  /// The formula of a step of rounding in base currency: the total after it less the total before
  /// it and the steps between.
  ///
  /// - Parameters:
  ///   - index: of the shown step.
  ///   - place: the index of the storefront's bridge, in whose column the formula stands.
  private func rounding(_ index: Int, _ place: Int) -> String {
    guard let (before, after) = totals(around: index) else { return "0" }
    let letter = letter(place)
    let between = [(before, index - 1), (index + 1, after - 1)].filter { $0.0 <= $0.1 }
      .map { "-SUM(\(letter)\(row($0.0)):\(letter)\(row($0.1)))" }.joined()
    return "ROUND(\(letter)\(row(after))\(between),\(base.minorDigits))"
  }

  /// The cell of a step over all storefronts, as a formula that adds up its row; where the row does
  /// not come to the summary's amount, that amount without a formula.
  ///
  /// - Parameters:
  ///   - index: of the shown step.
  ///   - values: what stands in the row, in base currency.
  private func total(_ index: Int, _ values: [Money?]) -> Cell {
    let sum = values.compactMap(\.self).sum(in: base, \.self)
    let amount = shown.stepsOfAll[steps[index].number]?.amount ?? .zero(base)
    guard sum == amount else { return .money(amount) }
    let here = row(index)
    return .formula(
      "SUM(\(letter(0))\(here):\(letter(bridges.count - 1))\(here))", .money(amount))
  }

  // MARK: - What the difference is made of

  /// Rows of the parts of the difference, their title too.
  private var partRows: Int { 5 }
  /// The number of the row of their title.
  private var firstPart: Int { ListBody.sheet(count: steps.count).firstTotal }

  /// Adds the difference between the ledger and Apple, and its parts: explained, open, unexplained.
  private func addParts(to below: inout PlacedRows) {
    let gross = row(of: .reportedGross)
    guard let ledger = row(of: .ledger) else { return }
    below.add([.words("@sheet.parts-of-the-difference")], .section)
    /// Adds a row: the cell over all storefronts, then one for each bridge by its index.
    func add(
      _ name: Wording, _ all: Cell, style: Row.Style = .body, _ cell: (Int) -> Cell
    ) {
      var cells: [Cell] = [.words(name)]
      if summary != nil { cells.append(all) }
      while cells.count < leftCount { cells.append(.blank) }
      below.add(cells + bridges.indices.map(cell), style)
    }
    /// A part of a bridge's difference; nil where it does not reach Apple's total.
    func money(_ bridge: Bridge?, _ part: (DifferenceParts) -> Money) -> Money? {
      bridge.flatMap { $0.reachesApple ? part($0.parts(to: .reportedGross)) : nil }
    }
    let differenceRow = below.next
    /// The cell with Apple's gross less the ledger's total, in the column of a bridge.
    func difference(_ letter: String, _ bridge: Bridge?, inBase: Bool) -> Cell {
      guard let gross, let bridge, bridge.reachesApple else { return .blank }
      let value = converted(bridge, at: .reportedGross, inBase).flatMap { after in
        converted(bridge, at: .ledger, inBase).map { after - $0 }
      }
      return value.map {
        .formula("\(letter)\(gross)-\(letter)\(ledger)", .money($0))
      } ?? .blank
    }
    let isInBase = summary != nil
    add(
      "@shared.difference-2", difference(Left.total.letter, summary, inBase: false), style: .total
    ) { difference(letter($0), bridges[$0], inBase: isInBase) }
    let openRow = differenceRow + 2
    let rest = gross.map { $0 - 1 }
    precondition(
      rest == nil || steps[rest! - 2].cause == .unexplained, "no remainder before a total")
    /// The cell with what is proven of a bridge's difference, in the column of that letter.
    func explained(_ letter: String, _ bridge: Bridge?, inBase: Bool) -> Cell {
      guard
        case .formula(_, .money(let all, let currency)) = difference(
          letter, bridge, inBase: inBase), let bridge, let rest
      else { return .blank }
      let open = openAmount(bridge, inBase)
      let value = Money(micros: all, currency) - open - unexplained(bridge, inBase)
      // Rounding has a row of its own, so that the rows come to the difference.
      let parts = ledger + 1 < rest ? "SUM(\(letter)\(ledger + 1):\(letter)\(rest - 1))" : "0"
      return .formula("\(parts)-\(letter)\(openRow)", .money(value))
    }
    /// The cell that points at the unexplained rest of a bridge, in the column of that letter.
    func remainder(_ letter: String, _ amount: Money?) -> Cell {
      guard let amount, let rest else { return .blank }
      return .formula("\(letter)\(rest)", .money(amount))
    }
    /// The cell that adds up what is open over all storefronts.
    func allOpen(_ amount: Money?) -> Cell {
      guard let amount, let rest, ledger + 1 < rest else { return .money(ifAny: amount) }
      let letter = Left.open.letter
      return .formula("SUM(\(letter)\(ledger + 1):\(letter)\(rest - 1))", .money(amount))
    }
    add("@shared.explained", explained(Left.total.letter, summary, inBase: false)) {
      explained(letter($0), bridges[$0], inBase: isInBase)
    }
    add("@shared.open", allOpen(money(summary, \.open))) {
      bridges[$0].reachesApple ? .money(openAmount(bridges[$0], isInBase)) : .blank
    }
    add("@shared.unexplained", remainder(Left.total.letter, money(summary, \.unexplained))) {
      let own = bridges[$0].reachesApple ? unexplained(bridges[$0], isInBase) : nil
      return remainder(letter($0), own)
    }
  }

  /// Adds the walk from the ledger's refunds to Apple's.
  private func addRefunds(to below: inout PlacedRows) {
    let isInBase = summary != nil
    let walk = RefundWalk(contents, bridges, inBase: isInBase)
    below.add()
    below.add([.words("@sheet.refunds-from-the-ledger-to-apple")], .section)
    let first = below.next
    for (index, line) in walk.lines.enumerated() {
      let here = below.next
      let isLast = index == walk.lines.count - 1
      /// The cell of the walk's line for the bridge at an index: a formula where the line is a step
      /// of the bridge or what the other lines leave, else the amount; blank without one.
      func cell(_ place: Int) -> Cell {
        guard let amount = line.amounts[place] else { return .blank }
        let letter = letter(place)
        if index == walk.rest {
          return .formula(
            "\(letter)\(here + 1)-SUM(\(letter)\(first):\(letter)\(here - 1))", .money(amount))
        }
        guard let cause = line.cause, let row = row(of: cause),
          shown.stepsOfParts[place].values.contains(where: { $0.cause == cause })
        else { return .money(amount) }
        return .formula("\(letter)\(row)", .money(amount))
      }
      var cells: [Cell] = [.words(line.name)]
      let known = line.amounts.compactMap(\.self)
      if isInBase, known.count == bridges.count {
        cells.append(
          .formula(
            "SUM(\(letter(0))\(here):\(letter(bridges.count - 1))\(here))",
            .money(known.sum(in: base, \.self))))
      }
      while cells.count < leftCount { cells.append(.blank) }
      below.add(cells + bridges.indices.map(cell), isLast ? .total : .body)
    }
  }

  /// The amount of a cause's first step, in base currency if asked; nil where there is no such step
  /// or no rate.
  private func converted(_ bridge: Bridge, at cause: BridgeCause, _ inBase: Bool) -> Money? {
    guard let step = bridge.steps.first(where: { $0.cause == cause }) else { return nil }
    return inBase ? contents.reconciliation.inBase(step.amount) : step.amount
  }

  /// The sum of a part of each step before Apple's gross, each converted by itself if in base
  /// currency.
  private func sum(_ bridge: Bridge, _ inBase: Bool, _ part: (BridgeStep) -> Money?) -> Money {
    let steps = bridge.steps.prefix { $0.cause != .reportedGross }
    return steps.compactMap(part).compactMap {
      inBase ? contents.reconciliation.inBase($0) : $0
    }.sum(in: inBase ? base : bridge.currency, \.self)
  }

  /// What is open of the difference between the ledger and Apple.
  private func openAmount(_ bridge: Bridge, _ inBase: Bool) -> Money {
    sum(bridge, inBase) { $0.isTotal ? nil : $0.open }
  }

  /// What no cause explains of the difference between the ledger and Apple.
  private func unexplained(_ bridge: Bridge, _ inBase: Bool) -> Money {
    sum(bridge, inBase) { $0.cause == .unexplained ? $0.amount : nil }
  }

  // MARK: - In each storefront's currency

  /// The number of the first row in each storefront's currency, below the parts of the difference:
  /// an empty row, a title, the titles of columns.
  private var firstOwn: Int { firstPart + partRows + 3 }
  /// The indices of the steps that have a row there; rounding is of conversions alone.
  private var ownSteps: [Int] { steps.indices.filter { steps[$0].cause != .rounding } }
  /// The number of the row there of the step at an index.
  private func ownRow(of index: Int) -> Int { firstOwn + ownSteps.firstIndex(of: index)! }
  /// The number of the row with the rates, below these.
  private var rateRow: Int { firstOwn + ownSteps.count }

  /// Adds the steps in each storefront's currency, and the rates by which they are converted.
  private func addOwn(to below: inout PlacedRows) {
    below.add()
    below.add([.words("@sheet.in-each-storefront-currency")], .section)
    let left = Array(repeating: Cell.blank, count: leftCount - 1)
    let columns = bridges.indices.map { leftCount + $0 }
    below.add(
      Row(
        cells: [.words("@shared.cause")] + left
          + bridges.map { contents.title(of: $0) },
        style: .tableHeader, accents: columns.map { Row.Accent(column: $0, style: .numberHeader) }))
    precondition(below.next == firstOwn, "the bridge's rates have moved")
    for index in ownSteps { below.add(ownRow(index, from: firstOwn)) }
    below.add(
      [.words("@shared.rate")] + left
        + bridges.map { .quoted(ifAny: contents.reconciliation.rate(of: $0.currency)) })
  }

  /// The row of a step with amounts in each storefront's currency; a total's cells are formulas
  /// that add the steps between to the total before.
  ///
  /// - Parameters:
  ///   - index: of the shown step.
  ///   - first: the number of the first step's row.
  private func ownRow(_ index: Int, from first: Int) -> Row {
    let cause = steps[index].cause
    let isBody = summary == nil
    let rows = isBody ? Array(steps.indices) : ownSteps
    let here = rows.firstIndex(of: index)!
    let before = rows[..<here].lastIndex { steps[$0].cause.isTotal }
    var cells: [Cell] = [.words(cause.label)]
    if isBody { cells.append(findings(cause)) }
    while cells.count < leftCount { cells.append(.blank) }
    for place in bridges.indices {
      guard let step = shown.stepsOfParts[place][steps[index].number] else {
        cells.append(.blank)
        continue
      }
      let letter = letter(place)
      guard cause.isTotal, let before else {
        cells.append(.money(step.amount))
        continue
      }
      let between =
        before + 1 < here
        ? "+SUM(\(letter)\(first + before + 1):\(letter)\(first + here - 1))" : ""
      cells.append(.formula("\(letter)\(first + before)\(between)", .money(step.amount)))
    }
    return row(index, isBody ? cells + [.words(cause.meaning)] : cells)
  }
}

extension Reconciliation {
  /// The rate of a currency, base currency for one of it; one for base currency itself.
  fileprivate func rate(of currency: Currency) -> CurrencyRate? {
    rates[currency]
      ?? (currency == baseCurrency ? CurrencyRate(DecimalRate(micros: 1_000_000)) : nil)
  }
}

extension WorkbookContents {
  /// The sheet of the bridges; nil without any.
  func bridgeSheet() -> Sheet? { BridgeMatrix(self)?.sheet() }

  /// The cell with a storefront's name above its amounts, and the currency where it has several.
  fileprivate func title(of bridge: Bridge) -> Cell {
    let isAlone = reconciliation.bridges.count { $0.storefront == bridge.storefront } == 1
    guard case .text(let name) = Storefront(bridge.storefront).map(Cell.country) else {
      return .text(bridge.storefront)
    }
    return .text(isAlone ? name : "\(name) \(bridge.currency)")
  }

  /// The place where what a step is made of is listed: its findings, or the units themselves. Nil
  /// where nothing is listed.
  func place(of cause: BridgeCause) -> Place? {
    switch cause {
    case .dayBoundary: movedPlace
    case .settlementCarryIn, .settlementCarryOut:
      reconciliation.settlement?.openItems.isEmpty == false
        ? openItems.place(0) : findingPlace(.settlementCarry)
    default: findingPlace(of: cause)
    }
  }

  /// The place of the first finding about a step; what Apple paid otherwise than by the rule has
  /// findings of several codes, the gravest first.
  fileprivate func findingPlace(of cause: BridgeCause) -> Place? {
    let codes: [FindingCode] =
      cause == .proceedsDifference
      ? [.proceedsUnexpected, .proceedsOffRule, .proceedsTolerated]
      : cause.findingCode.map { [$0] } ?? []
    return codes.lazy.compactMap { findingPlace($0) }.first
  }

  /// The cell with a part of the difference, as formulas write it; nil without totals.
  func bridgePartReference(of part: BridgePart) -> String? {
    BridgeMatrix(self)?.partReference(of: part)
  }

  /// The place of a cause's first step on the bridge's sheet.
  func bridgePlace(of cause: BridgeCause) -> Place? { BridgeMatrix(self)?.place(of: cause) }

  /// The cell with the rate of a storefront's amounts, as formulas write it; nil where it has none.
  func bridgeRateReference(of storefront: Storefront?, _ currency: Currency) -> String? {
    BridgeMatrix(self)?.rateReference(of: storefront, currency)
  }

  /// The cell with what a cause comes to over all storefronts, as formulas write it; nil without
  /// one.
  func bridgeTotalReference(of cause: BridgeCause) -> String? {
    BridgeMatrix(self)?.totalReference(of: cause)
  }
}
