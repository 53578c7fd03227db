import Billing
import Languages
import Conclusions

/// Rows of products that stand together in a table, with what they add up to.
private struct ProductSum {
  /// What stands in the first four columns.
  var words: [String]
  var row: ProductRow

  /// Adds a row's figures.
  ///
  /// - Parameter hasMoney: whether both have the same currencies.
  mutating func add(_ other: ProductRow, hasMoney: Bool) {
    row.unitsSold += other.unitsSold
    row.unitsRefunded += other.unitsRefunded
    if hasMoney {
      row.gross += other.gross
      row.tax += other.tax
      row.proceeds += other.proceeds
    }
    row.proceedsBase = row.proceedsBase.flatMap { sum in other.proceedsBase.map { sum + $0 } }
  }
}

extension WorkbookContents {
  /// Adds the tables below the proceeds by country: the same by Apple's legal entity, by app and by
  /// product, in the columns of the sheet.
  func addProductTables(to below: inout PlacedRows) {
    let all = reconciliation.productRows
    guard !all.isEmpty else { return }
    let booked = say("@sheet.booked-for-closed-periods")
    /// What a cell shows for a row's entity, app or SKU (`word`): that word, or others where the
    /// row is what was booked for closed periods, or where the word is empty.
    func name(_ word: String, _ row: ProductRow) -> String {
      row.kind == "prior_period" ? booked : word.isEmpty ? say("@shared.not-known") : word
    }
    addTable(
      "@sheet.by-apple-legal-entity",
      ["@shared.entity", "", "@shared.currency", "@sheet.paid-in-currency"], all, to: &below,
      hasMoney: true
    ) { [name($0.entity, $0), "", $0.currency.code, $0.proceedsCurrency.code] }
    // Of one app it would be all of it again.
    let hasSeveralApps = Set(all.lazy.map(\.app)).count > 1
    if hasSeveralApps {
      addTable(
        "@sheet.by-app", ["@shared.app", "", "@shared.currency", "@sheet.paid-in-currency"], all,
        to: &below, hasMoney: true
      ) { [name($0.app, $0), "", $0.currency.code, $0.proceedsCurrency.code] }
    }
    let names = reconciliation.productNames
    addTable(
      "@sheet.by-product",
      ["@shared.sku", "@shared.name", hasSeveralApps ? "@shared.app" : "", "@shared.kind"], all,
      to: &below, hasMoney: false
    ) {
      [
        name($0.sku, $0), names[$0.sku] ?? "", hasSeveralApps ? $0.app : "",
        RevenueKind(rawValue: $0.kind).map { say($0.wording) } ?? booked,
      ]
    }
  }

  /// Adds a table of products' rows, those with the same words added up, and a row with its total.
  ///
  /// - Parameters:
  ///   - words: the titles of the first four columns.
  ///   - hasMoney: whether the words name the currencies, so that amounts can be added up.
  ///   - key: what stands in the first four columns of a row.
  private func addTable(
    _ title: Wording, _ words: [Wording], _ all: [ProductRow], to below: inout PlacedRows,
    hasMoney: Bool, _ key: (ProductRow) -> [String]
  ) {
    var sums: [[String]: ProductSum] = [:]
    for row in all {
      let words = key(row)
      if sums[words]?.add(row, hasMoney: hasMoney) == nil {
        sums[words] = ProductSum(words: words, row: row)
      }
    }
    let list = productList(words, hasMoney: hasMoney)
    let lines = sums.values.sorted { $0.words.lexicographicallyPrecedes($1.words) }
    let body = below.addTable(title, lines, of: list)
    below.addTotalOfAll(lines, of: list, at: body)
  }

  /// The columns of a table of products, which stand below those of the proceeds by country.
  ///
  /// - Parameters:
  ///   - words: the titles of the first four columns.
  ///   - hasMoney: whether the words name the currencies; else only what is in base currency can be
  ///     added up.
  private func productList(_ words: [Wording], hasMoney: Bool) -> List<ProductSum> {
    let base = reconciliation.baseCurrency
    /// A column of money; without money one that only keeps the place.
    func money(
      _ name: String, _ title: Wording, _ cell: @escaping @Sendable (ProductRow) -> Cell
    ) -> Column<ProductSum> {
      hasMoney ? Column(name, .number(title)) { cell($0.row) } : .gap
    }
    return List(
      words.enumerated().map { index, title in
        Column(.text(title)) { .text(ifAny: $0.words[index]) }
      } + [
        Column("units_sold", .number("@shared.units-sold"), totals: [.all]) {
          .integer($0.row.unitsSold)
        },
        .gap,
        Column("units_refunded", .number("@shared.units-refunded"), totals: [.all]) {
          .integer($0.row.unitsRefunded)
        },
        .gap,
        money("gross", "@shared.gross") { .money($0.gross) },
        money("tax", "@shared.tax") { .money($0.tax) },
        money("commission", "@sheet.commission-and-other") { row in
          row.commission.map { .formula("{gross}-{tax}-{proceeds}", .money($0)) }
            ?? .blank
        },
        .gap,
        money("proceeds", "@shared.proceeds") { .money($0.proceeds) },
        Column("proceeds_base", .number("@shared.proceeds-2 \(base)"), totals: [.allIfComplete]) {
          .money(ifAny: $0.row.proceedsBase)
        },
        money("deduction", "@sheet.total-deductions") { row in
          guard row.commission != nil, row.gross.micros > 0,
            let taken = Cell.share((row.gross - row.proceeds).micros, of: row.gross.micros)
          else { return .blank }
          return .formula("1-{proceeds}/{gross}", taken)
        },
      ],
      sums: [
        ExpectedSum("units_sold", all: reconciliation.proceeds.reduce(0) { $0 + $1.unitsSold }),
        ExpectedSum(
          "units_refunded", all: reconciliation.proceeds.reduce(0) { $0 + $1.unitsRefunded }),
        // A line that comes to nothing has no product, and may have no rate.
        ExpectedSum(
          "proceeds_base",
          all: reconciliation.productRows.contains { $0.proceedsBase == nil }
            ? nil : reconciliation.proceeds.reduce(0) { $0 + ($1.proceedsBase?.micros ?? 0) }),
      ])
  }
}
