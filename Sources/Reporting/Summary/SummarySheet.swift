import Billing
import Languages
import Conclusions

/// Columns of the summary: tables at the left and at the right, figures of the charts beyond the
/// printed page.
enum SummaryGrid {
  static let left = 0
  static let leftWidth = 5
  static let right = 6
  static let rightWidth = 6
  static let printed = 12
  static let chartData = 13
  static let chartRow = 9
  static let chartRows = 17

  /// Columns of the figures at the head.
  enum Head: Int, SheetColumn {
    case proceeds, errors, warnings, infos, material
    case matchedUnits = 6
    case unmatchedUnits = 7
    case matchedShare = 9
    case accepted, unexplained

    /// The figure's cell, as formulas write it.
    var cell: String { "\(letter)\(SummaryGrid.headRow)" }
  }
  /// The row number of the figures of both sides, and of those below them.
  static let moneyRow = 6
  static let headRow = 8

  /// The columns; figures at the head decide their widths: a number without room is not shown.
  static var columns: [ColumnHead] {
    var columns = widths
    if FindingCode.haveNames { columns[right].width = 38...38 }
    return columns
  }

  private static let widths = [
    ColumnHead(title: "", width: 30...30), ColumnHead(title: "", width: 14...36),
    ColumnHead(title: "", width: 14...36), ColumnHead(title: "", width: 17...36),
    ColumnHead(title: "", width: 11...36), ColumnHead(title: "", width: 2...2),
    ColumnHead(title: "", width: 26...26), ColumnHead(title: "", width: 11...20),
    ColumnHead(title: "", width: 8...8), ColumnHead(title: "", width: 10...20),
    ColumnHead(title: "", width: 11...36), ColumnHead(title: "", width: 17...36),
    ColumnHead(title: "", width: 8...8), ColumnHead(title: "", width: 22...22),
    ColumnHead(title: "", width: 16...16), ColumnHead(title: "", width: 16...16),
    ColumnHead(title: "", width: 16...16), ColumnHead(title: "", width: 16...16),
    ColumnHead(title: "", width: 16...16),
  ]
}

/// One line of a table of the summary.
struct SummaryLine {
  var cells: [Cell]
  var style: Row.Style = .body
  var tints: [Row.Tint] = []
  /// Of a header: the columns before it have titles over words, the others over numbers.
  var firstNumber = 1
}

/// Lines that stand one below another at one side of the summary; each table of them is told where
/// it begins.
struct PlacedLines {
  private(set) var lines: [SummaryLine] = []
  /// The number, as the reader sees it, of the row of the next line.
  private(set) var next: Int

  init(from first: Int) { next = first }

  mutating func add(_ line: SummaryLine) {
    lines.append(line)
    next += 1
  }

  mutating func add(_ cells: [Cell] = [], _ style: Row.Style = .body) {
    add(SummaryLine(cells: cells, style: style))
  }

  /// Adds the lines of a list, and returns where they stand.
  @discardableResult
  mutating func add<Item>(_ items: [Item], of list: List<Item>) -> ListBody {
    let body = ListBody.table(from: next, count: items.count)
    for item in items {
      let row = list.row(item, at: next)
      add(SummaryLine(cells: row.cells, tints: row.tints))
    }
    return body
  }
}

/// A figure of this period and of the one before.
struct ComparedFigure {
  var name: Cell
  var now: Int64
  var before: Int64
  /// Of an amount in micro-units; nil for a count.
  var currency: Currency?

  init(_ name: Cell, _ now: Int64, _ before: Int64, _ currency: Currency? = nil) {
    (self.name, self.now, self.before, self.currency) = (name, now, before, currency)
  }

  /// The cell of a value of this figure: money where it has a currency, else a count.
  fileprivate func cell(_ value: Int64) -> Cell {
    currency.map { .money(value, $0) } ?? .integer(value)
  }
}

extension List<ComparedFigure> {
  /// The columns of figures of this period beside those of the one before.
  fileprivate static func compared(_ name: Wording) -> List {
    List([
      Column(.text(name)) { $0.name },
      Column("now", .number("@shared.this-period")) { $0.cell($0.now) },
      Column("before", .number("@summary.before")) { $0.cell($0.before) },
      Column("change", .number("@shared.change")) {
        .formula("{now}-{before}", $0.cell($0.now - $0.before))
      },
      Column(.number("@shared.in")) {
        Cell.share($0.now - $0.before, of: $0.before).map {
          .formula("IF({before}=0,0,{change}/{before})", $0)
        } ?? .blank
      },
    ])
  }
}

extension WorkbookContents {
  /// The period on one page: what ties, the bridge, proceeds by country, causes, findings by
  /// code, and the period before.
  func summarySheet() -> Sheet {
    var rows = headRows()
    while rows.count < chartRow + SummaryGrid.chartRows { rows.append(Row(cells: [])) }
    var left = PlacedLines(from: rows.count + 1)
    var right = left
    if !addDifference(to: &left) { addLargestCauses(to: &left) }
    addReceivable(to: &left)
    addComparison(to: &left)
    addPreviousRun(to: &left)
    addLists(to: &left)
    addCodes(to: &right)
    rows += sideBySide(left: left.lines, right: right.lines)
    var charts: [Chart] = []
    addWaterfall(to: &rows, &charts)
    addCountries(to: &rows, &charts)
    return Sheet(
      name: say("@summary.summary"), columns: SummaryGrid.columns, rows: Rows(rows),
      hasHeader: false,
      frozenRows: 2,
      charts: charts, fitsOnePage: true, printedColumns: SummaryGrid.printed)
  }

  /// The rows at the head, which formulas point at.
  private func headRows() -> [Row] {
    var rows = verdictRows()
    precondition(rows[SummaryGrid.headRow - 1].style == .figure, "formulas point at the figures")
    rows += paymentRows()
    return rows
  }

  /// A row of the head; columns without a figure are blank.
  func row(_ cells: [SummaryGrid.Head: Cell], _ style: Row.Style) -> Row {
    Row(
      cells: (0..<SummaryGrid.printed).map {
        SummaryGrid.Head(rawValue: $0).flatMap { cells[$0] } ?? .blank
      }, style: style)
  }

  /// Title, verdict, what is absent and the figures of the period, in eight rows.
  private func verdictRows() -> [Row] {
    let r = reconciliation
    let counts = r.findingCounts
    let base = r.baseCurrency
    func countCell(_ severity: Severity) -> Cell {
      findingCount(say(severity.wording), column: "severity", counts[severity] ?? 0)
    }
    let total = r.matchedUnits + r.unmatchedUnits
    let (matched, unmatched) = (
      SummaryGrid.Head.matchedUnits.cell, SummaryGrid.Head.unmatchedUnits.cell
    )
    var labels: [SummaryGrid.Head: Wording] = [
      .proceeds: "@summary.proceeds-2 \(base)", .errors: "@summary.errors",
      .warnings: "@summary.warnings", .infos: "@summary.info",
      .matchedUnits: "@summary.matched-units", .unmatchedUnits: "@summary.unmatched",
      .matchedShare: "@summary.matched",
      .unexplained: "@summary.bridges-explained",
    ]
    var figures: [SummaryGrid.Head: Cell] = [
      .proceeds: r.proceedsInBase.map {
        .formula(proceedsInBaseReference ?? "0", .money($0, base))
      } ?? .words(r.proceeds.isEmpty ? "@shared.none" : "@summary.no-rates-loaded"),
      .errors: countCell(.error), .warnings: countCell(.warning), .infos: countCell(.info),
      .matchedUnits: .integer(r.matchedUnits), .unmatchedUnits: .integer(r.unmatchedUnits),
      .matchedShare: Cell.share(r.matchedUnits, of: total).map {
        let all = "\(matched)+\(unmatched)"
        return .formula("IF(\(all)=0,0,\(matched)/(\(all)))", $0)
      } ?? .blank,
      .unexplained: explainedBridges,
    ]
    for (column, work) in workFigures() {
      labels[column] = work.label
      figures[column] = work.figure
    }
    var tinted = row(figures, .figure)
    let severities: [(SummaryGrid.Head, Severity)] = [
      (.errors, .error), (.warnings, .warning), (.infos, .info),
    ]
    for (column, severity) in severities where counts[severity] != 0 {
      tinted.tint(column.rawValue, severity)
    }
    return [
      Row(cells: [.words(pack?.headline ?? "@summary.reconciliation \(r.period)")], style: .title),
      Row(
        cells: [.words(r.conversion.map { r.subject + " · " + $0 } ?? r.subject)],
        style: .subtitle),
      Row(cells: [.words(verdict)], style: .section),
      absenceRow,
      row(moneyFigures.mapValues { .words($0.label) }, .label),
      row(moneyFigures.mapValues(\.figure), .figure),
      row(labels.mapValues(Cell.words), .label),
      tinted,
    ]
  }

  /// What the month comes to, in one sentence.
  private var verdict: Wording {
    let r = reconciliation
    guard r.hasBothSides else { return "@summary.nothing-is-compared-a-side" }
    let errors = counted(r.findingCounts[.error] ?? 0, "@shared.1-error") { "@shared.errors \($0)" }
    guard let side = r.sidesInBase, let difference = side.difference,
      let explained = side.explained, let rest = side.unexplained
    else { return "@summary.no-verdict-without-rates \(errors)" }
    func amount(_ money: Money) -> String { "\(grouped(money)) \(money.currency)" }
    if difference.isZero, side.isExplained {
      return "@summary.both-sides-agree \(amount(side.apple!)) \(errors)"
    }
    func signed(_ money: Money) -> String {
      money.micros > 0 ? "+\(grouped(money))" : grouped(money)
    }
    let all = amount(difference.magnitude)
    let (proven, left) = (signed(explained), signed(rest))
    let located = side.openWording { "\(signed($0))" }
    let sum: Wording =
      difference.isZero
      ? "@summary.apple-equals-ledger \(proven) \(located) \(left)"
      : difference.micros > 0
        ? "@summary.apple-above-ledger \(all) \(signed(difference)) \(proven) \(located) \(left)"
        : "@summary.apple-below-ledger \(all) \(signed(difference)) \(proven) \(located) \(left)"
    return !side.isExplained || (r.findingCounts[.error] ?? 0) > 0
      ? "@summary.does-not-tie \(sum) \(errors)" : "@summary.nothing-is-open \(sum) \(errors)"
  }

  /// The row that says what is absent, and what this book is not about.
  private var absenceRow: Row {
    let absences = reconciliation.absenceWordings
    var parts: [Wording] = []
    if !absences.isEmpty {
      parts.append("@summary.missing-2 \(absences.map(say).joined(separator: "; "))")
    }
    if reconciliation.period.fiscalMonth == nil {
      parts.append("@summary.settlement-is-of-fiscal-months")
    }
    if parts.isEmpty { return Row(cells: []) }
    return Row(cells: [.words(parts.joined(separator: " · "))], style: .section)
  }

  /// The figures of both sides in money and what of the ledger's money is cleared, by column.
  private var moneyFigures: [SummaryGrid.Head: (label: Wording, figure: Cell)] {
    let r = reconciliation
    let sides = r.bothSides
    guard let side = sides.first, sides.count == 1 else {
      return sides.isEmpty
        ? [:] : [.proceeds: ("@summary.ledger", .words("@summary.by-currency-see-the-bridges"))]
    }
    let cleared = r.clearedMoney.reduce(
      into: (all: Int64(0), timely: Int64(0), complete: Int64(0), cleared: Int64(0))
    ) {
      $0.all += $1.ledger.micros
      $0.timely += $1.timely.micros
      $0.complete += $1.complete.micros
      $0.cleared += $1.cleared.micros
    }
    func shareOfLedger(_ part: Int64) -> Cell { .ratio(ifAny: ratio(part, of: cleared.all)) }
    func amount(_ money: Money?) -> Cell { money.map { .money($0) } ?? .words("@shared.not-known") }
    typealias Head = SummaryGrid.Head
    func reference(to column: Head) -> String { "\(column.letter)\(SummaryGrid.moneyRow)" }
    func totalCell(_ money: Money?, from cause: BridgeCause) -> Cell {
      let figure = amount(money)
      return money == nil
        ? figure : bridgeTotalReference(of: cause).map { .formula($0, figure) } ?? figure
    }
    let difference = side.difference.map {
      Cell.formula("\(reference(to: .errors))-\(reference(to: .proceeds))", .money($0))
    }
    func partCell(_ money: Money?, from part: BridgePart) -> Cell {
      let figure = amount(money)
      return money == nil
        ? figure : bridgePartReference(of: part).map { .formula($0, figure) } ?? figure
    }
    return [
      .proceeds: ("@summary.ledger-2 \(side.currency)", totalCell(side.ledger, from: .ledger)),
      .errors: ("@shared.apple", totalCell(side.apple, from: .reportedGross)),
      .warnings: ("@shared.difference", difference ?? amount(nil)),
      .infos: ("@summary.is-explained", partCell(side.explained, from: .explained)),
      .material: ("@summary.plus-open", partCell(side.open, from: .open)),
      .matchedUnits: ("@summary.plus-unexplained", partCell(side.unexplained, from: .unexplained)),
      .matchedShare: ("@summary.on-time", shareOfLedger(cleared.timely)),
      .accepted: ("@summary.complete", shareOfLedger(cleared.complete)),
      .unexplained: ("@summary.cleared", shareOfLedger(cleared.cleared)),
    ]
  }

  /// The cell that says how many bridges have nothing open and no remainder.
  private var explainedBridges: Cell {
    // As many as the Bridge has columns: the sum of all is none of them.
    let places = reconciliation.bridges.filter { !$0.isSummary }
    let bridges = places.isEmpty ? reconciliation.bridges : places
    if bridges.isEmpty { return .words("@summary.no-bridge") }
    return .words("@summary.of \(bridges.count(where: \.isExplained)) \(bridges.count)")
  }

  /// The cell with how many findings have a value in a column of their list.
  func findingCount(_ value: String, column name: String, _ count: Int64) -> Cell {
    if reconciliation.findings.isEmpty { return .integer(0) }
    let column = findingList.index(name)
    return .formula(mismatches.sum { "COUNTIFS(\($0(column)),\"\(value)\")" }, .integer(count))
  }

  /// Adds steps from the ledger's total to Apple's; false where they are not in base currency.
  private func addDifference(to lines: inout PlacedLines) -> Bool {
    guard let bridge = reconciliation.bridges.first(where: \.isSummary),
      let difference = reconciliation.sidesInBase?.difference
    else { return false }
    let steps = bridge.steps.prefix { $0.cause != .reportedGross }.filter {
      !$0.isTotal && (!$0.amount.isZero || $0.cause == .unexplained)
    }
    lines.add([.words("@summary.causes-of-the-difference")], .section)
    lines.add(
      [
        .words("@shared.cause"), .words("@shared.units"),
        .words("@shared.in-2 \(bridge.currency)"), .words("@shared.open"), .blank,
      ], .tableHeader)
    let first = lines.next
    for step in steps {
      let amount = Cell.money(step.amount)
      let place = place(of: step.cause)
      lines.add([
        place.map { .link($0, say(step.cause.label)) } ?? .words(step.cause.label),
        .integer(ifAny: step.units),
        bridgeTotalReference(of: step.cause).map { .formula($0, amount) } ?? amount,
        .money(ifAny: step.open.isZero ? nil : step.open),
      ])
    }
    let column = columnLetters(SummaryGrid.left + 2)
    let open = columnLetters(SummaryGrid.left + 3)
    lines.add(
      [
        .words("@shared.difference-2"), .blank,
        .formula("SUM(\(column)\(first):\(column)\(lines.next - 1))", .money(difference)),
        .formula(
          "SUM(\(open)\(first):\(open)\(lines.next - 1))",
          .money(steps.map(\.open).sum(in: bridge.currency, \.self))),
      ], .total)
    lines.add()
    return true
  }

  /// Adds the codes that come to most.
  private func addLargestCauses(to lines: inout PlacedLines) {
    let causes = reconciliation.largestCauses
    guard !causes.isEmpty else { return }
    let base = reconciliation.baseCurrency
    lines.add([.words("@summary.largest-causes")], .section)
    lines.add(
      [
        .words("@shared.cause"), .words("@shared.findings"), .words("@shared.units"),
        .words("@summary.difference \(base)"),
        .blank,
      ], .tableHeader)
    for cause in causes {
      lines.add([
        findingPlace(cause.code).map { .link($0, cause.code.named) } ?? .blank,
        .integer(cause.findings), .integer(ifAny: cause.units),
        .money(ifAny: cause.difference, base),
        cause.hasRates ? .blank : .words("@summary.rates-missing"),
      ])
    }
    lines.add()
  }

  /// Adds proceeds beside those of the period before.
  private func addComparison(to lines: inout PlacedLines) {
    let r = reconciliation
    guard !r.previousProceeds.isEmpty else { return }
    var compared: [ComparedFigure] = []
    if let now = r.proceedsInBase, let before = r.previousProceedsInBase {
      compared.append(
        ComparedFigure(.words("@summary.all \(r.baseCurrency)"), now, before, r.baseCurrency))
    }
    let now = sums(r.proceeds)
    let before = sums(r.previousProceeds)
    compared += Set(now.keys).union(before.keys).sorted().map {
      ComparedFigure(.words("@shared.in-2 \($0)"), now[$0] ?? 0, before[$0] ?? 0, $0)
    }
    add(
      "@summary.compared-with-the-previous-period \(r.period.previous)", of: "@shared.proceeds",
      compared,
      to: &lines)
  }

  /// Adds a table of figures of this period and the one before; `name` titles its first column.
  func add(
    _ title: Wording, of name: Wording, _ figures: [ComparedFigure], to lines: inout PlacedLines
  ) {
    let list = List.compared(name)
    lines.add([.words(title)], .section)
    lines.add(list.header.cells, .tableHeader)
    lines.add(figures, of: list)
  }

  /// Proceeds in micro-units by their currency.
  private func sums(_ lines: [ProceedsLine]) -> [Currency: Int64] {
    lines.reduce(into: [:]) { $0[$1.proceedsCurrency, default: 0] += $1.proceeds.micros }
  }

  /// The columns of what the findings of each code come to.
  private var codeList: List<Cause> {
    let base = reconciliation.baseCurrency
    return List([
      Column(.text("@shared.code")) { cause in
        findingPlace(cause.code).map { .link($0, cause.code.named) } ?? .blank
      },
      Column(.text("@shared.severity")) { .words($0.severity.wording) }.tinted { $0.severity },
      Column(.number("@shared.level")) { .ordinal(Int64($0.code.level)) },
      Column("findings", .number("@shared.findings")) {
        findingCount($0.code.rawValue, column: "code", $0.findings)
      },
      Column(.number("@shared.units")) { .integer(ifAny: $0.units) },
      Column(.number("@summary.difference \(base)")) { .money(ifAny: $0.difference, base) },
    ])
  }

  /// Adds what the findings of each code come to.
  private func addCodes(to lines: inout PlacedLines) {
    let causes = reconciliation.causes
    let list = codeList
    lines.add([.words("@summary.findings-by-code")], .section)
    lines.add(SummaryLine(cells: list.header.cells, style: .tableHeader, firstNumber: 2))
    if causes.isEmpty { return lines.add([.words("@summary.no-findings")]) }
    let rows = lines.add(causes, of: list).rows
    let place = list.index("findings")
    let letter = columnLetters(SummaryGrid.right + place)
    var total = SummaryLine(cells: list.columns.map { _ in .blank }, style: .total)
    total.cells[0] = .words("@shared.total")
    total.cells[place] = .formula(
      "SUM(\(letter)\(rows.lowerBound):\(letter)\(rows.upperBound))",
      .integer(Int64(reconciliation.findings.count)))
    lines.add(total)
    if reconciliation.sidesInBase?.difference != nil {
      lines.add([.words("@summary.not-all-codes-are-in-the-difference")], .aside)
    }
    let unconverted = causes.count { !$0.hasRates }
    guard unconverted > 0 else { return }
    lines.add(
      [
        .words(
          unconverted == 1
            ? "@summary.1-code-has-amounts"
            : "@summary.codes-have-amounts \(unconverted)")
      ], .aside)
  }

  /// The rows of two tables, one at the left and one at the right.
  private func sideBySide(left: [SummaryLine], right: [SummaryLine]) -> [Row] {
    (0..<max(left.count, right.count)).map { index in
      var row = Row(cells: Array(repeating: .blank, count: SummaryGrid.printed))
      let parts = [
        (SummaryGrid.left, SummaryGrid.leftWidth, left),
        (SummaryGrid.right, SummaryGrid.rightWidth, right),
      ]
      for (offset, width, lines) in parts where index < lines.count {
        let line = lines[index]
        for (column, cell) in line.cells.enumerated() { row.cells[offset + column] = cell }
        if line.style != .body, !line.cells.isEmpty {
          let styled = line.style == .section || line.style == .aside ? 1 : width
          row.accents += (0..<styled).map { column in
            let isOverNumbers = line.style == .tableHeader && column >= line.firstNumber
            return Row.Accent(
              column: offset + column, style: isOverNumbers ? .numberHeader : line.style)
          }
        }
        row.tints += line.tints.map {
          Row.Tint(column: offset + $0.column, meaning: $0.meaning)
        }
      }
      return row
    }
  }
}
