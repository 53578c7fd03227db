import Billing

/// Columns of the summary: tables at the left and at the right, figures of the charts beyond the
/// printed page.
private enum Grid {
  static let left = 0
  static let leftWidth = 5
  static let right = 6
  static let rightWidth = 6
  static let printed = 12
  static let chartData = 13
  static let chartRow = 7
  static let chartRows = 17

  static let columns = [
    Column(title: "", width: 30...30), Column(title: "", width: 14...14),
    Column(title: "", width: 14...14), Column(title: "", width: 17...17),
    Column(title: "", width: 11...11), Column(title: "", width: 2...2),
    Column(title: "", width: 26...26), Column(title: "", width: 11...11),
    Column(title: "", width: 8...8), Column(title: "", width: 10...10),
    Column(title: "", width: 11...11), Column(title: "", width: 17...17),
    Column(title: "", width: 8...8), Column(title: "", width: 22...22),
    Column(title: "", width: 16...16), Column(title: "", width: 16...16),
    Column(title: "", width: 16...16), Column(title: "", width: 16...16),
    Column(title: "", width: 16...16),
  ]
}

/// One line of a table of the summary.
private struct Line {
  var cells: [Cell]
  var style: Row.Style = .body
  var tints: [Row.Tint] = []
}

extension Book {
  /// The period on one page: what ties, the bridge, proceeds by country, causes, findings by
  /// code, and the period before.
  func summarySheet() -> Sheet {
    var rows = headRows()
    while rows.count < Grid.chartRow + Grid.chartRows { rows.append(Row(cells: [])) }
    rows += sideBySide(
      left: largestCausesTable(firstRow: rows.count + 1)
        + comparisonTable(firstRow: rows.count + 1 + largestCausesCount),
      right: codesTable(firstRow: rows.count + 1))
    var charts: [Chart] = []
    addWaterfall(to: &rows, &charts)
    addCountries(to: &rows, &charts)
    return Sheet(
      name: "Summary", columns: Grid.columns, rows: Rows(rows), hasHeader: false, frozenRows: 2,
      charts: charts, fitsOnePage: true, printedColumns: Grid.printed)
  }

  private func headRows() -> [Row] {
    let r = reconciliation
    let counts = r.findingCounts
    let base = r.baseCurrency
    func count(_ severity: Severity) -> Cell {
      findingCount(severity.rawValue, column: 1, counts[severity] ?? 0)
    }
    let total = r.matchedUnits + r.unmatchedUnits
    let labels: [Int: String] = [
      0: "Proceeds, \(base)", 1: "Errors", 2: "Warnings", 3: "Infos", 6: "Matched units",
      7: "Unmatched", 9: "Matched", 11: "Unexplained",
    ]
    let figures: [Int: Cell] = [
      0: r.proceedsInBase.map {
        .formula(proceedsInBaseReference ?? "0", .money($0, base))
      } ?? .text(r.proceeds.isEmpty ? "none" : "no rates loaded"),
      1: count(.error), 2: count(.warning), 3: count(.info), 6: .integer(r.matchedUnits),
      7: .integer(r.unmatchedUnits),
      9: ratio(r.matchedUnits, of: total).map { .formula("IF(G5+H5=0,0,G5/(G5+H5))", .ratio($0)) }
        ?? .blank,
      11: unexplainedFigure(),
    ]
    func row(_ cells: [Int: Cell], _ style: Row.Style) -> Row {
      Row(cells: (0..<Grid.printed).map { cells[$0] ?? .blank }, style: style)
    }
    var tinted = row(figures, .figure)
    for (column, severity) in [(1, Severity.error), (2, .warning), (3, .info)]
    where counts[severity] != 0 {
      tinted.tints.append(Row.Tint(column: column, meaning: .severity(severity)))
    }
    return [
      Row(cells: [.text("Reconciliation \(r.period)")], style: .title),
      Row(
        cells: [
          .text(
            "\(r.period.first) to \(r.period.last) · base currency \(base) · as of \(r.asOf)")
        ], style: .subtitle),
      Row(cells: []),
      row(labels.mapValues(Cell.text), .label),
      tinted,
      Row(cells: []),
      Row(cells: []),
    ]
  }

  /// The remainder of the summary bridge; without one, how many bridges have a remainder.
  private func unexplainedFigure() -> Cell {
    let bridges = reconciliation.bridges
    if let summary = bridges.first(where: \.isSummary) {
      return .money(summary.unexplained, summary.currency)
    }
    if bridges.isEmpty { return .text("no bridge") }
    return .text("\(bridges.count { $0.unexplained != 0 }) of \(bridges.count) bridges")
  }

  private func findingCount(_ value: String, column: Int, _ count: Int64) -> Cell {
    if reconciliation.findings.isEmpty { return .integer(0) }
    return .formula(mismatches.sum { "COUNTIFS(\($0(column)),\"\(value)\")" }, .integer(count))
  }

  private var largestCausesCount: Int {
    let count = reconciliation.largestCauses.count
    return count == 0 ? 0 : count + 3
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
      Line(cells: [.text("Largest causes")], style: .section),
      Line(
        cells: [
          .text("cause"), .text("findings"), .text("units"), .text("at stake, \(base)"), .blank,
        ],
        style: .tableHeader),
    ] + lines + [Line(cells: [])]
  }

  private func comparisonTable(firstRow: Int) -> [Line] {
    let r = reconciliation
    guard !r.previousProceeds.isEmpty else { return [] }
    var lines: [Line] = [
      Line(cells: [.text("Against the period before (\(r.period.previous))")], style: .section),
      Line(
        cells: [
          .text("proceeds"), .text("this period"), .text("before"), .text("change"),
          .text("in %"),
        ], style: .tableHeader),
    ]
    func add(_ name: String, _ now: Int64, _ before: Int64, _ currency: Currency) {
      let row = firstRow + lines.count
      let change = Cell.formula("B\(row)-C\(row)", .money(now - before, currency))
      let share = ratio(now - before, of: before).map {
        Cell.formula("IF(C\(row)=0,0,D\(row)/C\(row))", .ratio($0))
      }
      lines.append(
        Line(cells: [
          .text(name), .money(now, currency), .money(before, currency), change, share ?? .blank,
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
      Line(cells: [.text("Findings by code")], style: .section),
      Line(
        cells: [
          .text("code"), .text("severity"), .text("level"), .text("findings"), .text("units"),
          .text("at stake, \(base)"),
        ], style: .tableHeader),
    ]
    if causes.isEmpty { return lines + [Line(cells: [.text("No findings.")])] }
    for cause in causes {
      lines.append(
        Line(
          cells: [
            findingPlace(cause.code).map { .link($0, cause.code.rawValue) } ?? .blank,
            .text(cause.severity.rawValue), .ordinal(Int64(cause.code.level)),
            findingCount(cause.code.rawValue, column: 0, cause.findings),
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
          .text("total"), .blank, .blank, .formula("SUM(J\(first):J\(last))", .integer(findings)),
          .blank, .blank,
        ], style: .total))
    let unconverted = causes.reduce(0) { $0 + $1.unconverted }
    if unconverted > 0 {
      lines.append(
        Line(
          cells: [.text("\(unconverted) findings have amounts in a currency without a rate.")],
          style: .aside))
    }
    return lines
  }

  private func sideBySide(left: [Line], right: [Line]) -> [Row] {
    (0..<max(left.count, right.count)).map { index in
      var row = Row(cells: Array(repeating: .blank, count: Grid.printed))
      let parts = [(Grid.left, Grid.leftWidth, left), (Grid.right, Grid.rightWidth, right)]
      for (offset, width, lines) in parts where index < lines.count {
        let line = lines[index]
        for (column, cell) in line.cells.enumerated() { row.cells[offset + column] = cell }
        if line.style != .body, !line.cells.isEmpty {
          let styled = line.style == .section || line.style == .aside ? 1 : width
          row.accents += (0..<styled).map {
            Row.Accent(column: offset + $0, style: line.style)
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

// MARK: charts

extension Book {
  private func addWaterfall(to rows: inout [Row], _ charts: inout [Chart]) {
    guard let bridge = reconciliation.mainBridge else { return }
    let waterfall = Waterfall(bridge)
    let currency = bridge.currency
    let room = max(1, waterfall.height / 12)
    let first = put(
      waterfall.bars.map { bar in
        let amounts = [bar.groundAbove, bar.above, room, bar.groundBelow, bar.below]
        return [.text(bar.cause.label)] + amounts.map { .money($0, currency) }
      },
      titled: ["step", "ground", "step", "room", "ground below", "step below"], into: &rows,
      at: Grid.chartRow)
    let colours = waterfall.bars.map { CauseFamily($0.cause).colour }
    let name = bridge.isSummary ? "all storefronts" : bridge.storefront
    charts.append(
      Chart(
        title: "From the ledger to Apple's proceeds: \(name), \(currency)", isStacked: true,
        categories: Grid.chartData, rows: first...(first + waterfall.bars.count - 1),
        series: [
          Chart.Series(name: "ground", column: Grid.chartData + 1, colours: nil),
          Chart.Series(name: "step", column: Grid.chartData + 2, colours: colours),
          Chart.Series(
            name: "label", column: Grid.chartData + 3, colours: nil,
            labels: waterfall.bars.map { $0.cause.isTotal ? compact($0.to) : signed($0.amount) }),
          Chart.Series(name: "ground below", column: Grid.chartData + 4, colours: nil),
          Chart.Series(name: "step below", column: Grid.chartData + 5, colours: colours),
        ],
        column: Grid.left, row: Grid.chartRow - 1, width: 640, height: 340))
  }

  private func signed(_ micros: Int64) -> String {
    micros > 0 ? "+\(compact(micros))" : compact(micros)
  }

  private func addCountries(to rows: inout [Row], _ charts: inout [Chart]) {
    let (currency, countries) = reconciliation.proceedsByCountry
    guard !countries.isEmpty else { return }
    let first = put(
      countries.map { [.text($0.name), .money($0.proceeds, currency)] },
      titled: ["storefront", "proceeds"], into: &rows, at: Grid.chartRow + Grid.chartRows + 4)
    charts.append(
      Chart(
        title: "Proceeds by country, \(currency)", isStacked: false, categories: Grid.chartData,
        rows: first...(first + countries.count - 1),
        series: [
          Chart.Series(
            name: "proceeds", column: Grid.chartData + 1,
            colours: countries.map { _ in CauseFamily.commission.colour },
            labels: countries.map { compact($0.proceeds) })
        ],
        column: Grid.right, row: Grid.chartRow - 1, width: 610, height: 340))
  }

  /// Writes figures of a chart beside the printed page.
  /// - Returns: the row number of the first of them.
  private func put(
    _ lines: [[Cell]], titled titles: [String], into rows: inout [Row], at row: Int
  ) -> Int {
    let table = [titles.map(Cell.text)] + lines
    for (index, cells) in table.enumerated() {
      while rows.count <= row + index { rows.append(Row(cells: [])) }
      while rows[row + index].cells.count < Grid.chartData {
        rows[row + index].cells.append(.blank)
      }
      for (offset, cell) in cells.enumerated() {
        let column = Grid.chartData + offset
        rows[row + index].cells.append(cell)
        rows[row + index].accents.append(Row.Accent(column: column, style: .aside))
      }
    }
    return row + 2
  }
}

extension Reconciliation {
  /// Proceeds per storefront, largest first, the smallest put together: in base currency, or
  /// where a rate is missing in the currency that most storefronts have.
  var proceedsByCountry: (currency: Currency, countries: [(name: String, proceeds: Int64)]) {
    var sums: [Storefront: Int64] = [:]
    var currency = baseCurrency
    if proceedsInBase != nil {
      for line in proceeds { sums[line.storefront, default: 0] += line.proceedsBase ?? 0 }
    } else {
      let counts = proceeds.reduce(into: [Currency: Int]()) {
        $0[$1.proceedsCurrency, default: 0] += 1
      }
      let most = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
      currency = most?.key ?? baseCurrency
      for line in proceeds where line.proceedsCurrency == currency {
        sums[line.storefront, default: 0] += line.proceeds
      }
    }
    let ranked = sums.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    let shown = 14
    var countries = ranked.prefix(shown).map { (name: $0.key.code, proceeds: $0.value) }
    if ranked.count > shown {
      let rest = ranked.dropFirst(shown)
      countries.append((name: "\(rest.count) more", proceeds: rest.reduce(0) { $0 + $1.value }))
    }
    return (currency, countries)
  }
}

extension BridgeCause {
  /// The cause as a chart writes it: `not in ledger`.
  var label: String { String(rawValue.map { $0 == "-" ? " " : $0 }) }
}
