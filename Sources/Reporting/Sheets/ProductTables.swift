import Billing
import Languages
import Matching

/// Rows of products that stand together in a table, with what they add up to.
private struct ProductSum {
  /// What stands in the first three columns.
  var words: [String]
  var row: ProductRow

  mutating func add(_ other: ProductRow) {
    row.unitsSold += other.unitsSold
    row.unitsRefunded += other.unitsRefunded
    row.gross += other.gross
    row.tax += other.tax
    row.proceeds += other.proceeds
    row.proceedsBase = row.proceedsBase.flatMap { sum in other.proceedsBase.map { sum + $0 } }
  }
}

extension WorkbookContents {
  /// Below the proceeds by country: the same by Apple's legal entity, by app and by product, in the
  /// columns of the sheet.
  ///
  /// - Parameter first: the number of the sheet's row that the tables begin in.
  func productTables(from first: Int) -> [Row] {
    let all = reconciliation.productRows
    guard !all.isEmpty else { return [] }
    let booked = say("booked of closed periods")
    func name(_ word: String, _ row: ProductRow) -> String {
      row.kind == "prior_period" ? booked : word.isEmpty ? say("not known") : word
    }
    var rows = table(
      "By Apple's legal entity", ["entity", "currency", "proceeds currency"], all, from: first,
      hasMoney: true
    ) { [name($0.entity, $0), $0.currency.code, $0.proceedsCurrency.code] }
    rows += table(
      "By app", ["app", "currency", "proceeds currency"], all, from: first + rows.count,
      hasMoney: true
    ) { [name($0.app, $0), $0.currency.code, $0.proceedsCurrency.code] }
    rows += table(
      "By product", ["sku", "kind", "app"], all, from: first + rows.count, hasMoney: false
    ) {
      [name($0.sku, $0), RevenueKind(rawValue: $0.kind).map { say($0.wording) } ?? booked, $0.app]
    }
    return rows
  }

  /// - Parameter hasMoney: whether the words name the currencies; else only what is in base
  ///   currency can be added up.
  private func table(
    _ title: Wording, _ words: [Wording], _ all: [ProductRow], from first: Int, hasMoney: Bool,
    _ key: (ProductRow) -> [String]
  ) -> [Row] {
    var sums: [[String]: ProductSum] = [:]
    for row in all {
      let words = key(row)
      if sums[words]?.add(row) == nil { sums[words] = ProductSum(words: words, row: row) }
    }
    let money: [Wording] = ["gross", "tax", "commission", "proceeds", "deduction"]
    let numbers: [Wording] =
      ["units sold", "units refunded"] + (hasMoney ? money : Array(repeating: "", count: 5))
      + ["", "proceeds, \(reconciliation.baseCurrency)"]
    var rows = [
      Row(cells: []), Row(cells: [.words(title)], style: .section),
      Row.tableHeader(words, numbers: numbers),
    ]
    let sorted = sums.values.sorted { $0.words.lexicographicallyPrecedes($1.words) }
    let body = first + rows.count
    rows += sorted.enumerated().map { row(of: $1, at: body + $0, hasMoney: hasMoney) }
    rows.append(totalRow(sorted.map(\.row), body...(body + sorted.count - 1)))
    return rows
  }

  private func row(of sum: ProductSum, at number: Int, hasMoney: Bool) -> Row {
    let row = sum.row
    var money = [Cell](repeating: .blank, count: 5)
    if hasMoney {
      money = [
        .money(row.gross, row.currency), .money(row.tax, row.currency), .blank,
        .money(row.proceeds, row.proceedsCurrency), .blank,
      ]
    }
    if hasMoney, let commission = row.commission {
      money[2] = .formula("F\(number)-G\(number)-I\(number)", .money(commission, row.currency))
      if row.gross > 0, let kept = ratio(row.gross - row.proceeds, of: row.gross) {
        money[4] = .formula("1-I\(number)/F\(number)", .ratio(kept))
      }
    }
    return Row(
      cells: sum.words.map { .text(ifAny: $0) } + [
        .integer(row.unitsSold), .integer(row.unitsRefunded),
      ] + money + [.blank, .money(ifAny: row.proceedsBase, reconciliation.baseCurrency)])
  }

  private func totalRow(_ rows: [ProductRow], _ range: ClosedRange<Int>) -> Row {
    func sum(_ letter: String, _ value: Cell) -> Cell {
      .formula("SUM(\(letter)\(range.lowerBound):\(letter)\(range.upperBound))", value)
    }
    let inBase = rows.compactMap(\.proceedsBase)
    return Row(
      cells: [
        .words("all"), .blank, .blank,
        sum("D", .integer(rows.reduce(0) { $0 + $1.unitsSold })),
        sum("E", .integer(rows.reduce(0) { $0 + $1.unitsRefunded })), .blank, .blank, .blank,
        .blank, .blank, .blank,
        inBase.count == rows.count
          ? sum("L", .money(inBase.reduce(0, +), reconciliation.baseCurrency)) : .blank,
      ], style: .total)
  }
}
