import Billing
import Languages
import Matching

/// Columns of the summary: tables at the left and at the right, figures of the charts beyond the
/// printed page.
enum SummaryGrid {
  static let left = 0
  static let leftWidth = 5
  static let right = 6
  static let rightWidth = 6
  static let printed = 12
  static let chartData = 13
  static let chartRow = 7
  static let chartRows = 17

  static let columns = [
    ColumnHead(title: "", width: 30...30), ColumnHead(title: "", width: 14...14),
    ColumnHead(title: "", width: 14...14), ColumnHead(title: "", width: 17...17),
    ColumnHead(title: "", width: 11...11), ColumnHead(title: "", width: 2...2),
    ColumnHead(title: "", width: 26...26), ColumnHead(title: "", width: 11...11),
    ColumnHead(title: "", width: 8...8), ColumnHead(title: "", width: 10...10),
    ColumnHead(title: "", width: 11...11), ColumnHead(title: "", width: 17...17),
    ColumnHead(title: "", width: 8...8), ColumnHead(title: "", width: 22...22),
    ColumnHead(title: "", width: 16...16), ColumnHead(title: "", width: 16...16),
    ColumnHead(title: "", width: 16...16), ColumnHead(title: "", width: 16...16),
    ColumnHead(title: "", width: 16...16),
  ]
}

/// One line of a table of the summary.
struct Line {
  var cells: [Cell]
  var style: Row.Style = .body
  var tints: [Row.Tint] = []
  /// Of a header: the columns before it have titles over words, the others over numbers.
  var firstNumber = 1
}

extension WorkbookContents {
  /// The period on one page: what ties, the bridge, proceeds by country, causes, findings by
  /// code, and the period before.
  func summarySheet() -> Sheet {
    var rows = headRows()
    while rows.count < SummaryGrid.chartRow + SummaryGrid.chartRows { rows.append(Row(cells: [])) }
    let causes = largestCausesTable(firstRow: rows.count + 1)
    let comparison = comparisonTable(firstRow: rows.count + 1 + causes.count)
    rows += sideBySide(
      left: causes + comparison
        + previousRunTable(firstRow: rows.count + 1 + causes.count + comparison.count)
        + listsTable(),
      right: codesTable(firstRow: rows.count + 1))
    var charts: [Chart] = []
    addWaterfall(to: &rows, &charts)
    addCountries(to: &rows, &charts)
    return Sheet(
      name: say("Summary"), columns: SummaryGrid.columns, rows: Rows(rows), hasHeader: false,
      frozenRows: 2,
      charts: charts, fitsOnePage: true, printedColumns: SummaryGrid.printed)
  }

  private func headRows() -> [Row] {
    let r = reconciliation
    let counts = r.findingCounts
    let base = r.baseCurrency
    func count(_ severity: Severity) -> Cell {
      findingCount(say(severity.wording), column: "severity", counts[severity] ?? 0)
    }
    let total = r.matchedUnits + r.unmatchedUnits
    var labels: [Int: Wording] = [
      0: "Proceeds, \(base)", 1: "Errors", 2: "Warnings", 3: "Infos", 6: "Matched units",
      7: "Unmatched", 9: "Matched", 11: "Unexplained",
    ]
    var figures: [Int: Cell] = [
      0: r.proceedsInBase.map {
        .formula(proceedsInBaseReference ?? "0", .money($0, base))
      } ?? .words(r.proceeds.isEmpty ? "none" : "no rates loaded"),
      1: count(.error), 2: count(.warning), 3: count(.info), 6: .integer(r.matchedUnits),
      7: .integer(r.unmatchedUnits),
      9: ratio(r.matchedUnits, of: total).map { .formula("IF(G5+H5=0,0,G5/(G5+H5))", .ratio($0)) }
        ?? .blank,
      11: unexplainedFigure(),
    ]
    for (column, work) in workFigures() {
      labels[column] = work.label
      figures[column] = work.figure
    }
    func row(_ cells: [Int: Cell], _ style: Row.Style) -> Row {
      Row(cells: (0..<SummaryGrid.printed).map { cells[$0] ?? .blank }, style: style)
    }
    var tinted = row(figures, .figure)
    for (column, severity) in [(1, Severity.error), (2, .warning), (3, .info)]
    where counts[severity] != 0 {
      tinted.tints.append(Row.Tint(column: column, meaning: .severity(severity)))
    }
    return [
      Row(cells: [.words("Reconciliation \(r.period)")], style: .title),
      Row(
        cells: [
          .words(
            "\(r.period.first) to \(r.period.last) · base currency \(base) · as of \(r.asOf)")
        ], style: .subtitle),
      Row(cells: []),
      row(labels.mapValues(Cell.words), .label),
      tinted,
      Row(cells: []),
      Row(cells: []),
    ]
  }

  /// The remainder of the summary bridge; without one, how many bridges have a remainder.
  private func unexplainedFigure() -> Cell {
    let bridges = reconciliation.bridges
    if let summary = bridges.first(where: \.isSummary) {
      return .money(summary.unexplained)
    }
    if bridges.isEmpty { return .words("no bridge") }
    return .words("\(bridges.count { !$0.unexplained.isZero }) of \(bridges.count) bridges")
  }

  func findingCount(_ value: String, column name: String, _ count: Int64) -> Cell {
    if reconciliation.findings.isEmpty { return .integer(0) }
    let column = findingList.index(name)
    return .formula(mismatches.sum { "COUNTIFS(\($0(column)),\"\(value)\")" }, .integer(count))
  }

  private func largestCausesTable(firstRow: Int) -> [Line] {
    let causes = reconciliation.largestCauses
    guard !causes.isEmpty else { return [] }
    let base = reconciliation.baseCurrency
    let lines = causes.map { cause in
      Line(
        cells: [
          findingPlace(cause.code).map { .link($0, cause.code.rawValue) } ?? .blank,
          .integer(cause.findings), .integer(ifAny: cause.units),
          .money(ifAny: cause.atStake, base), .blank,
        ])
    }
    return [
      Line(cells: [.words("Largest causes")], style: .section),
      Line(
        cells: [
          .words("cause"), .words("findings"), .words("units"), .words("at stake, \(base)"), .blank,
        ],
        style: .tableHeader),
    ] + lines + [Line(cells: [])]
  }

  private func comparisonTable(firstRow: Int) -> [Line] {
    let r = reconciliation
    guard !r.previousProceeds.isEmpty else { return [] }
    var lines: [Line] = [
      Line(cells: [.words("Against the period before (\(r.period.previous))")], style: .section),
      Line(
        cells: [
          .words("proceeds"), .words("this period"), .words("before"), .words("change"),
          .words("in %"),
        ], style: .tableHeader),
    ]
    func add(_ name: Wording, _ now: Int64, _ before: Int64, _ currency: Currency) {
      let row = firstRow + lines.count
      let change = Cell.formula("B\(row)-C\(row)", .money(now - before, currency))
      let share = ratio(now - before, of: before).map {
        Cell.formula("IF(C\(row)=0,0,D\(row)/C\(row))", .ratio($0))
      }
      lines.append(
        Line(cells: [
          .words(name), .money(now, currency), .money(before, currency), change, share ?? .blank,
        ]))
    }
    if let now = r.proceedsInBase, let before = r.previousProceedsInBase {
      add("all, in \(r.baseCurrency)", now, before, r.baseCurrency)
    }
    let now = sums(r.proceeds)
    let before = sums(r.previousProceeds)
    for currency in Set(now.keys).union(before.keys).sorted() {
      add("in \(currency)", now[currency] ?? 0, before[currency] ?? 0, currency)
    }
    return lines
  }

  private func sums(_ lines: [ProceedsLine]) -> [Currency: Int64] {
    lines.reduce(into: [:]) { $0[$1.proceedsCurrency, default: 0] += $1.proceeds }
  }

  private func codesTable(firstRow: Int) -> [Line] {
    let causes = reconciliation.causes
    let base = reconciliation.baseCurrency
    var lines: [Line] = [
      Line(cells: [.words("Findings by code")], style: .section),
      Line(
        cells: [
          .words("code"), .words("severity"), .words("level"), .words("findings"), .words("units"),
          .words("at stake, \(base)"),
        ], style: .tableHeader, firstNumber: 2),
    ]
    if causes.isEmpty { return lines + [Line(cells: [.words("No findings.")])] }
    for cause in causes {
      lines.append(
        Line(
          cells: [
            findingPlace(cause.code).map { .link($0, cause.code.rawValue) } ?? .blank,
            .words(cause.severity.wording), .ordinal(Int64(cause.code.level)),
            findingCount(cause.code.rawValue, column: "code", cause.findings),
            .integer(ifAny: cause.units), .money(ifAny: cause.atStake, base),
          ],
          tints: [Row.Tint(column: 1, meaning: .severity(cause.severity))]))
    }
    let first = firstRow + 2
    let last = first + causes.count - 1
    let findings = Int64(reconciliation.findings.count)
    lines.append(
      Line(
        cells: [
          .words("total"), .blank, .blank, .formula("SUM(J\(first):J\(last))", .integer(findings)),
          .blank, .blank,
        ], style: .total))
    let unconverted = causes.reduce(0) { $0 + $1.unconverted }
    if unconverted > 0 {
      lines.append(
        Line(
          cells: [.words("\(unconverted) findings have amounts in a currency without a rate.")],
          style: .aside))
    }
    return lines
  }

  private func sideBySide(left: [Line], right: [Line]) -> [Row] {
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
