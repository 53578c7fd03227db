import Billing

extension List {
  /// One row per currency, with a formula in each column that is added up by it; rows are sorted by
  /// currency.
  ///
  /// - Parameters:
  ///   - body: where the lines stand.
  ///   - first: the number of the first row of totals.
  ///   - isWanted: which currencies have a row.
  func currencyTotals(
    _ lines: some Collection<Line>, _ body: ListBody, from first: Int,
    label: Wording = "@shared.total", where isWanted: (Currency) -> Bool = { _ in true }
  ) -> [Row] {
    let summed = columns.enumerated().compactMap { column, described in
      described.totals.lazy.compactMap(\.currencyColumn).first
        .map { (column: column, key: index($0)) }
    }
    let keys = Set(summed.map(\.key)).sorted()
    var sums: [Currency: [Cell?]] = [:]
    for line in lines {
      for key in keys {
        guard case .text(let code) = columns[key].cell(line), let currency = Currency(code) else {
          continue
        }
        var sumsOfCurrency = sums[currency] ?? Array(repeating: nil, count: columns.count)
        sums[currency] = nil
        sumsOfCurrency[key] = .text(code)
        for part in summed where part.key == key {
          let sum = (sumsOfCurrency[part.column] ?? .blank).adding(columns[part.column].cell(line))
          sumsOfCurrency[part.column] = sum
        }
        sums[currency] = sumsOfCurrency
      }
    }
    for (column, _) in summed {
      expectedSum(inColumn: column).check(sums.mapValues { $0[column] }, of: lines)
    }
    return sums.filter { isWanted($0.key) }.sorted { $0.key < $1.key }.enumerated().map {
      offset, sum in
      let row = first + offset
      var cells = sum.value.map { $0 ?? .blank }
      cells[0] = .words(label)
      for (column, key) in summed {
        if cells[column] == .blank, sum.value[key] != nil {
          cells[column] = columns[column].zero(sum.key)
        }
        guard cells[column] != .blank else { continue }
        cells[column] = .formula(
          body.sum(column, of: sum.key, in: key, row: row), cells[column])
      }
      return Row(cells: cells, style: .total)
    }
  }

  /// The row that adds up all lines.
  ///
  /// - Parameters:
  ///   - body: where the lines stand.
  ///   - number: of the row in its sheet.
  ///   - last: the name of the column that the row ends with; nil for the last one.
  func totalOfAll(
    _ lines: [Line], _ body: ListBody, at number: Int, label: Wording = "@shared.all",
    through last: String? = nil
  ) -> Row {
    let width = last.map { index($0) + 1 } ?? columns.count
    var cells = (0..<width).map { totalOfAll(inColumn: $0, lines, body, at: number) }
    cells[0] = .words(label)
    return Row(cells: cells, style: .total)
  }

  /// The cell of one column in the row that adds up all lines; blank where the column has no such
  /// total.
  private func totalOfAll(
    inColumn index: Int, _ lines: [Line], _ body: ListBody, at number: Int
  ) -> Cell {
    let column = columns[index]
    for case .ofAll(let figure) in column.totals {
      guard case .formula(let formula, let value) = figure(lines) else { return figure(lines) }
      return .formula(placed(formula, row: number), value)
    }
    guard let needsAll = column.needsAllFigures else { return .blank }
    let figures = lines.map(column.cell)
    let isUnknown = needsAll && figures.contains(.blank)
    let sum = isUnknown ? .blank : figures.reduce(Cell.blank) { $0.adding($1) }
    expectedSum(inColumn: index).check(all: sum, of: lines, isWhole: needsAll)
    return sum == .blank ? .blank : .formula(body.sum(columnLetters(index)), sum)
  }

  /// What the column at an index must come to; each column that is added up has one.
  private func expectedSum(inColumn index: Int) -> ExpectedSum<Line> {
    sums.first { $0.column == columns[index].name }!
  }
}

extension Column {
  /// Whether its total is the sum of its lines.
  var isSummed: Bool {
    totals.contains { if case .ofAll = $0 { false } else { true } }
  }

  /// Whether the row of all lines has a sum only where each line has a figure; nil where the column
  /// has no sum over all lines.
  fileprivate var needsAllFigures: Bool? {
    for total in totals {
      if case .all = total { return false }
      if case .allIfComplete = total { return true }
    }
    return nil
  }

  /// The total of a currency none of whose lines has a figure.
  fileprivate func zero(_ currency: Currency) -> Cell {
    for case .perCurrencyOrZero(_, let zero) in totals { return zero(currency) }
    return .blank
  }
}

extension Cell {
  /// The sum of two figures of one unit; a text, which stands where nothing can be added up, adds
  /// nothing.
  fileprivate func adding(_ other: Cell) -> Cell {
    switch (self, other) {
    case (.formula(_, let value), _): value.adding(other)
    case (_, .formula(_, let value)): adding(value)
    case (_, .blank), (_, .text): self
    case (.blank, .integer), (.blank, .money): other
    case (.integer(let sum), .integer(let value)): .integer(sum + value)
    case (.money(let sum, let currency), .money(let value, let other)):
      .money((Money(micros: sum, currency) + Money(micros: value, other)).micros, currency)
    default: preconditionFailure("figures of two units are added up")
    }
  }
}
